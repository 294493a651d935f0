/** Records by hand: each function is a line or a few, at a moment in seconds. */
import type { Order } from '../../../checks/judge/order.ts';
import type { Entry, Limits, Setup } from '../../../checks/judge/record.ts';

export const buy: Order = {
  type: 'STOP_LIMIT',
  ticker: 'AAA',
  side: 'BUY',
  quantity: '3',
  stopPrice: '10.5',
  limitPrice: '11',
  timeValidity: 'DAY',
};
export const sell: Order = { type: 'MARKET', ticker: 'BBB', side: 'SELL', quantity: '2' };

const ms = (seconds: number) => seconds * 1_000;

export const live = (limits: Partial<Limits> = {}, approval: Setup['approval'] = 'page'): Entry[] => [
  { kind: 'setup', at: 0, environment: 'live', approval, limits, writeMs: 2_000 },
];
/** No approval is required. */
export const demo = (limits: Partial<Limits> = {}): Entry[] => [
  { kind: 'setup', at: 0, environment: 'demo', approval: 'none', limits, writeMs: 2_000 },
];

export const price = (ticker: string, value: string, unit = '1'): Entry[] => [
  { kind: 'price', at: 0, ticker, price: value, unit },
];

/** A ticket with two minutes, or what a draft has. */
export const show = (id: string, at: number, orders: readonly Order[], change: object = {}): Entry[] => [
  { kind: 'shown', id, at: ms(at), orders, expiresAt: ms(at + 120), ...change },
];
export const decide = (shown: string, at: number, change: object = {}): Entry[] => [
  { kind: 'decision', shown, at: ms(at), where: 'page', action: 'approve', passphrase: 'right', ...change },
];
/** Shown at one moment, and approved a second later. */
export const approved = (id: string, at: number, orders: readonly Order[] = [buy], change: object = {}): Entry[] => [
  ...show(id, at, orders, change),
  ...decide(id, at + 1),
];

const nameOf = ({ type }: Order) => type.toLowerCase();

/** The request for an order as it should be; accepted under the id, unless something else is said. */
export function post(at: number, order: Order, booked?: string, change: object = {}): Entry[] {
  const { type: _, side, quantity, extendedHours, ...fields } = order;
  const body = {
    ...fields,
    ...(order.type === 'MARKET' ? { extendedHours: extendedHours ?? false } : {}),
    quantity: side === 'SELL' ? -Number(quantity) : Number(quantity),
    ...(fields.limitPrice === undefined ? {} : { limitPrice: Number(fields.limitPrice) }),
    ...(fields.stopPrice === undefined ? {} : { stopPrice: Number(fields.stopPrice) }),
  };
  const path = `/api/v0/equity/orders/${nameOf(order)}`;
  const status = booked === undefined ? 503 : 200;
  return [{ kind: 'request', at: ms(at), method: 'POST', path, body: JSON.stringify(body), status, booked, ...change }];
}

/** A call that places an order; without a body it is never answered. */
export function place(id: string, at: number, order: Order, body?: object, change: object = {}): Entry[] {
  const { type: _, ...args } = order;
  return call(id, at, `place_${nameOf(order)}_order`, { ...args, ...change }, body);
}
export const call = (id: string, at: number, tool: string, args: object, body?: object): Entry[] => [
  { kind: 'call', id, at: ms(at), tool, args: { ...args } },
  ...(body === undefined ? [] : answer(id, at, body)),
];
export const answer = (id: string, at: number, body: object): Entry[] => [
  { kind: 'answer', call: id, at: ms(at), body: { ...body } },
];

/** A draft D that is saved as version 1. */
export const saved = (at: number, legs: readonly Order[], version = 1, args: object = {}): Entry[] =>
  call(`save ${version}`, at, 'save_draft', { legs, ...args }, { draftId: 'D', version });
export const submit = (id: string, at: number, version = 1, body?: object, args: object = {}): Entry[] =>
  call(id, at, 'submit_draft', { draftId: 'D', version, ...args }, body);
/** What an answer says of the attempt S: the outcome, and that of each leg with its order. */
export const report = (outcome: string, ...legs: readonly (readonly [outcome: string, orderId?: string])[]) => ({
  outcome,
  ...{ draftId: 'D', version: 1, submissionId: 'S' },
  legs: legs.map(([name, orderId], at) => ({ leg: at + 1, outcome: name, orderId })),
});

export const halt = (at: number, change: object = {}): Entry[] => [{ kind: 'stop', at: ms(at), ...change }];
export const resume = (at: number): Entry[] => [{ kind: 'resume', at: ms(at) }];
export const cancelled = (id: string, at: number): Entry[] => [{ kind: 'cancel', call: id, at: ms(at) }];
export const removed = (at: number, orderId: string): Entry[] => [
  {
    kind: 'request',
    at: ms(at),
    method: 'DELETE',
    path: `/api/v0/equity/orders/${orderId}`,
    body: '',
    status: 200,
  },
];
