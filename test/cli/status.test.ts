/** The lines of `status`: whether orders can be placed, what is open, and whether the trail is intact. */
import { expect, test } from 'vitest';
import { describeTrading, formatStatus, toStatusBody } from '../../src/cli/status.ts';
import type { Halt } from '../../src/core/orders/halt/trading-state.ts';
import type { OutcomeName } from '../../src/core/orders/intent/outcome.ts';
import type { ShownFailure } from '../../src/features/watches/failed-ways.ts';
import { limitBuy, viewOf } from '../core/approval/page/support.ts';

const sayMoment = (at: number) => `at ${at}`;
const style = (tone: string, text: string) => `<${tone}>${text}`;
type Body = Parameters<typeof formatStatus>[0];
const shown: Parameters<typeof formatStatus>[1] = { trading: ['good', 'on'], last: [], failures: [], style, sayMoment };
const body: Body = {
  environment: 'live',
  approval: 'page',
  openIntents: [],
  approvalsWaiting: [],
  audit: { holds: true, rows: 3 },
};
const intent = (intentId: string, outcome: OutcomeName, isApproved = false): Body['openIntents'][number] => ({
  ...{ intentId, outcome, side: 'SELL', quantity: '2.5', ticker: 'A_EQ' },
  ...(isApproved ? { approved: true } : {}),
});

const failure: ShownFailure = {
  ...{ channel: 'mail', code: 'unauthorized', status: 535, failedAt: 2_000 },
  ...{ message: 'It refused.', next: 'Check it.' },
};

test('a way to notify that failed is shown as an alarm, with what to do', () => {
  expect(formatStatus(body, { ...shown, failures: [failure] })[4]).toBe(
    '<bad>Notify       mail failed (at 2000): It refused. Check it. Then start the watch again.',
  );
});

test('a store at rest', () => {
  expect(formatStatus(body, shown)).toEqual([
    'Environment  live',
    'Trading      <good>on',
    'Approval     page',
    'Open         0 intents, 0 waiting for approval',
    'Audit trail  3 records, the chain is intact',
  ]);
});

test('each open order has its state, and those that are approved are counted', () => {
  const openIntents = [
    intent('a', 'pending_approval'),
    intent('b', 'pending_approval', true),
    intent('c', 'unknown'),
    intent('d', 'not_sent', true),
  ];
  const approvalsWaiting = [{ intentId: 'a', secondsLeft: 5 }];
  expect(formatStatus({ ...body, openIntents, approvalsWaiting }, shown).slice(3, -1)).toEqual([
    'Open         4 intents, 1 waiting for approval, 2 approved and not sent yet',
    '  a  Waiting for approval  SELL 2.5 A_EQ',
    '  b  approved, waits for a server to send it  SELL 2.5 A_EQ',
    '  c  Unknown: the order may be live  SELL 2.5 A_EQ',
    '  d  approved, waits for a server to send it  SELL 2.5 A_EQ',
  ]);
});

test('a trail that was changed outside says where, as an alarm', () => {
  const lines = formatStatus({ ...body, audit: { holds: false, rows: 9, brokenAt: 7 } }, shown);
  const changed = 'a record was changed, removed or added outside this program';
  expect(lines.at(-1)).toBe(`<bad>Audit trail  BROKEN at record 7: ${changed}`);
});

test('the last events have their time, environment, state, rule, intent and reason', () => {
  const event = (kind: string, data: object) => ({ seq: 1, at: 9, environment: 'demo', kind, data });
  const last = [
    event('order', { id: 'i', state: 'REFUSED', rule: 'max_order_value', reason: 'Too\u202e much.' }),
    event('fault', { code: 'internal', place: 'send.ts:1' }),
  ];
  expect(formatStatus(body, { ...shown, last }).slice(-2)).toEqual([
    '<dim>  at 9  demo  order  REFUSED  max_order_value  i  Too much.',
    '<dim>  at 9  demo  fault  internal  send.ts:1',
  ]);
});

const halt: Halt = { at: 4, by: 'command', reason: 'a stop.' };

test.each<[Parameters<typeof describeTrading>[0], Halt | undefined, ReturnType<typeof describeTrading>]>([
  [undefined, undefined, ['good', 'on']],
  [undefined, halt, ['good', 'on']],
  [
    { rule: 'halted', reason: 'Trading is halted.' },
    halt,
    ['bad', 'halted since at 4 by a command: a stop. · lift it with: brokerage-mcp resume'],
  ],
  [{ rule: 'halted', reason: 'A file halts.' }, undefined, ['bad', 'A file halts.']],
  [{ rule: 'live_not_enabled', reason: 'Live is off.' }, halt, ['bad', 'Live is off.']],
])('with the refusal %o and the halt %o', (refusal, halted, trading) => {
  expect(describeTrading(refusal, halted, sayMoment)).toEqual(trading);
});

type Facts = Parameters<typeof toStatusBody>[0];
const order = { type: 'LIMIT', ticker: 'A_EQ', side: 'BUY', quantity: '2', limitPrice: '9', timeValidity: 'DAY' };
const facts = {
  config: { environment: 'demo', stateDir: '/state', stateUrl: undefined },
  state: {
    refusal: undefined,
    approval: 'terminal',
    limits: { maxOrderValue: '70' },
    foreignOrders: 2,
    openIntents: [
      { id: 'a', outcome: 'pending_approval', isApproved: true, request: order },
      { id: 'b', outcome: 'unknown', isApproved: false, request: { ...order, side: 'SELL' } },
    ],
  },
  enrolment: { approval: 'page', limits: {}, enrolledAt: 1_000, origin: 'https://live.example' },
  waiting: [{ ...viewOf({ ...limitBuy, intentId: 'w' }), secondsLeft: 44 }],
  chain: { holds: false, rows: 9, brokenAt: 7 },
  last: [],
  failures: [failure],
} as unknown as Facts;

test('a program gets what is open, what waits and what is enrolled', () => {
  expect(toStatusBody(facts)).toEqual({
    environment: 'demo',
    store: '/state/store.sqlite',
    trading: { state: 'on' },
    approval: 'terminal',
    enrolled: { approval: 'page', at: '1970-01-01T00:00:01.000Z' },
    riskLimits: { maxOrderValue: '70' },
    foreignOrders: 2,
    openIntents: [
      { intentId: 'a', outcome: 'pending_approval', approved: true, ...order },
      { intentId: 'b', outcome: 'unknown', ...order, side: 'SELL' },
    ],
    approvalsWaiting: [{ intentId: 'w', secondsLeft: 44 }],
    failedNotifications: [
      {
        ...{ way: 'mail', code: 'unauthorized', status: 535, failedAt: '1970-01-01T00:00:02.000Z' },
        ...{ message: 'It refused.', next: 'Check it.' },
      },
    ],
    audit: { holds: false, rows: 9, brokenAt: 7, last: [] },
  });
});

test('a program gets why trading is off, and that nothing is enrolled', () => {
  const state = { ...facts.state, refusal: { rule: 'halted', reason: 'It is halted.' } } as Facts['state'];
  const { trading, enrolled } = toStatusBody({ ...facts, state, enrolment: undefined });
  expect([trading, enrolled]).toEqual([{ state: 'off', rule: 'halted', reason: 'It is halted.' }, null]);
});
