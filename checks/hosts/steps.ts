/** What the scripted model does with each host, and what must come back to it. */
import type { HostRun } from './hosts.ts';
import type { Call } from './scripted-model.ts';

export interface Step {
  /** The words of the table. */
  readonly title: string;
  /** Gets the objects of the results before, by the titles of their steps. */
  readonly call: (before: Before) => Call;
  /** Returns what is wrong with the result; undefined when it is right. */
  readonly check: (result: Result, before: Before) => string | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;
type Before = (title: string) => Fields;
/** The text that the host shows the model, and the object of ours in it. */
interface Result {
  readonly text: string;
  readonly fields: Fields;
}

const ticker = 'QDUSK_US_EQ';
/** Too far below the market: the refusal names the nearest price that passes, at which the order waits. */
const tooLow = { ticker, side: 'BUY', quantity: 3, limitPrice: 1, timeValidity: 'GOOD_TILL_CANCEL' };
const waiting = (before: Before) => ({ ...tooLow, limitPrice: Number(before('refusal').nearestPrice) });

/** The difference between the fields and what is wanted of them. */
const compare = (fields: Fields, wanted: Fields): string | undefined => {
  const wrong = Object.entries(wanted).filter(([name, value]) => fields[name] !== value);
  return wrong.length === 0
    ? undefined
    : wrong.map(([name]) => `${name} is ${JSON.stringify(fields[name])}`).join(', ');
};

/** The steps that a host can play. */
export const stepsOf = ({ read }: Pick<HostRun, 'read'>): readonly Step[] =>
  read === undefined ? steps : [...steps, readStep(read)];

/** The titles of what not every host has. */
const resourceTitle = 'read a resource';
export const promptTitle = 'a prompt of the server';

const readStep = (read: NonNullable<HostRun['read']>): Step => ({
  title: resourceTitle,
  call: () => read('account://summary'),
  check: ({ fields }) => compare(fields, { env: 'sandbox', currency: 'GBP' }),
});

/** With approval by a form, and without a person who could fill it in. */
export const formStep: Step = {
  title: 'an order with an empty form',
  call: () => ({ tool: 'place_market_order', args: { ticker, side: 'BUY', quantity: 1 } }),
  check: ({ fields: { outcome } }) =>
    outcome === 'declined' || outcome === 'pending_approval' ? undefined : `its outcome is ${outcome}`,
};

const steps: readonly Step[] = [
  {
    title: 'read',
    call: () => ({ tool: 'get_account_summary', args: {} }),
    check: ({ fields }) => compare(fields, { env: 'sandbox', currency: 'GBP' }),
  },
  {
    title: 'error',
    call: () => ({ tool: 'preview_order', args: { ...tooLow, type: 'LIMIT', ticker: 'qdusk_us' } }),
    check: ({ fields }) => compare(fields, { code: 'unknown_ticker' }),
  },
  {
    title: 'refusal',
    call: () => ({ tool: 'place_limit_order', args: tooLow }),
    check: ({ fields }) => compare(fields, { outcome: 'refused', rule: 'price_distance' }),
  },
  {
    title: 'place',
    call: (before) => ({ tool: 'place_limit_order', args: waiting(before) }),
    check: ({ fields }) => compare(fields, { outcome: 'placed' }),
  },
  {
    title: 'cancel',
    call: (before) => ({ tool: 'cancel_order', args: { orderId: before('place').orderId } }),
    check: ({ fields }) => compare(fields, { outcome: 'requested' }),
  },
  {
    title: 'wait for the end',
    call: (before) => ({ tool: 'get_order', args: { orderId: before('place').orderId, waitSeconds: 30 } }),
    check: ({ fields }) => compare(fields, { status: 'CANCELLED', final: true }),
  },
  {
    title: 'place again',
    call: (before) => ({ tool: 'place_limit_order', args: waiting(before) }),
    check: ({ fields }, before) =>
      compare(fields, { outcome: 'placed' }) ??
      (fields.orderId === before('place').orderId ? 'it is the order that was cancelled' : undefined),
  },
  {
    title: 'a call of 50 s',
    call: (before) => ({ tool: 'get_order', args: { orderId: before('place again').orderId, waitSeconds: 50 } }),
    check: ({ fields }, before) => compare(fields, { orderId: before('place again').orderId, final: false }),
  },
  {
    title: 'plan',
    call: () => ({
      tool: 'plan_orders',
      args: { goal: 'invest', amount: 300, targets: [{ ticker, weightPercent: 100 }] },
    }),
    check: ({ fields }) => (typeof fields.draftId === 'string' ? undefined : 'it has no draft'),
  },
  {
    title: 'send the plan',
    call: (before) => ({ tool: 'submit_draft', args: { draftId: before('plan').draftId, version: 1 } }),
    check: ({ fields }) => compare(fields, { outcome: 'done' }),
  },
  {
    title: 'large result',
    call: () => ({ tool: 'list_positions', args: { responseFormat: 'detailed' } }),
    check: ({ text, fields }) =>
      /truncated/i.test(text) || !Array.isArray(fields.items) ? 'the host cut it' : undefined,
  },
];

/** Every title, in the order of the table. */
export const titles = [...steps.map(({ title }) => title), resourceTitle, promptTitle, formStep.title];
