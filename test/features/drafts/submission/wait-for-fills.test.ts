import { expect, test } from 'vitest';
import { BrokerageError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { waitForFills } from '../../../../src/features/drafts/submission/runner.ts';
import type { Submission, SubmissionLeg } from '../../../../src/features/drafts/submission/submission.ts';
import { startAt } from './small-world.ts';

type Deps = Parameters<typeof waitForFills>[0];

const minuteMs = 60_000;

interface Given {
  /** How long ago the sells were sent (ms), and the numbers of their orders. */
  readonly sentAgo?: readonly number[];
  readonly sold?: readonly (string | undefined)[];
  /** The orders that are pending, or why they cannot be read. */
  readonly pending?: readonly (string | undefined)[] | Error;
  /** How long the reading takes (ms). */
  readonly readMs?: number;
  /** The time that is left to the attempt (ms), and the legs that wait with their places. */
  readonly leftMs?: number;
  readonly positions?: readonly number[];
  readonly ordersPerMinute?: number;
}

/** Waits for the fills before the third leg, which has the place 1. */
async function wait(given: Given) {
  const { sentAgo = [minuteMs], sold = ['7'], pending = [], readMs = 0 } = given;
  const { leftMs = 15 * minuteMs, positions = [0, 1], ordersPerMinute = 30 } = given;
  const calls: unknown[] = [];
  let now = startAt;
  const call = (async (endpoint: { id: string }, request: object, context: object) => {
    calls.push([endpoint.id, request, context]);
    const askedAt = now + 1;
    now += readMs;
    if (pending instanceof Error) throw pending;
    return { data: pending.map((id) => ({ id })), askedAt };
  }) as unknown as Deps['broker']['call'];
  const legs = positions.map((position) => ({ position }));
  const tx = { listSubmissionLegs: async (id: string) => (id === 's1' ? legs : []) };
  const deps = {
    broker: { call },
    clock: { now: () => now },
    limits: async () => ({ ordersPerMinute }),
    store: { read: (work: (view: typeof tx) => Promise<unknown>) => work(tx) },
  } as unknown as Deps;
  const sells = sentAgo.map((ms, at) => ({ changedAt: startAt - ms, orderId: sold[at] }) as Intent);
  const submission = { id: 's1', endsAt: startAt + leftMs } as Submission;
  const leg = { number: 3, position: 1 } as SubmissionLeg;
  const { signal } = new AbortController();
  return { calls, signal, fills: await waitForFills(deps, { submission, leg, sells }, signal) };
}

const again = { kind: 'wait', ms: 5_000 };
const late = { kind: 'late', reason: 'Order 3 waited for the fills of the sells until its time was over.' };
const seen = { kind: 'seen', at: startAt + 1 };

test('the pending orders are read now and not from a memory, within 20 seconds, behind the calls that place orders', async () => {
  const { calls, signal, fills } = await wait({});
  const context = { priority: 'lookUp', deadlineAt: startAt + 20_000, signal, notBefore: startAt };
  expect(calls).toEqual([['listPendingOrders', {}, context]]);
  expect(fills).toEqual(seen);
});

test.each<[string, Given, object]>([
  ['none is pending', {}, seen],
  ['another order is pending', { pending: ['8', undefined] }, seen],
  ['the sell is pending', { pending: ['8', '7'] }, again],
  ['the second of two sells is pending', { sentAgo: [minuteMs, minuteMs], sold: ['6', '7'], pending: ['7'] }, again],
  ['a sell whose number is unknown, among orders without one', { sold: [undefined], pending: [undefined] }, seen],
  ['the orders cannot be read', { pending: new BrokerageError('timeout', 'No answer.', 'Wait.') }, again],
])('%s: the buy goes on or waits five seconds', async (_, given, expected) => {
  expect((await wait(given)).fills).toEqual(expected);
});

test.each<[string, readonly number[], number | undefined]>([
  ['1,999 ms ago', [1_999], 1],
  ['just now', [0], 2_000],
  ['2,000 ms ago', [2_000], undefined],
  ['long ago and one 500 ms ago', [minuteMs, 500], 1_500],
  ['500 ms ago and one long ago', [500, minuteMs], 1_500],
  // The clock was set back since.
  ['in the future', [-minuteMs], 2_000],
])(
  'a sell that was sent %s may not be listed yet: the account is read two seconds after it',
  async (_, sentAgo, ms) => {
    const { calls, fills } = await wait({ sentAgo, pending: ['7'] });
    expect(fills).toEqual(ms === undefined ? again : { kind: 'wait', ms });
    expect(calls).toHaveLength(ms === undefined ? 1 : 0);
  },
);

test.each<[string, Given, object]>([
  ['ten minutes after the sell', { sentAgo: [10 * minuteMs] }, late],
  ['a millisecond earlier', { sentAgo: [10 * minuteMs - 1] }, again],
  ['ten minutes after the first of two sells', { sentAgo: [10 * minuteMs, minuteMs] }, again],
  ['when the reading took until then', { sentAgo: [10 * minuteMs - 900], readMs: 900 }, late],
  // The leg itself and one after it, 15 seconds each; the leg before it needs no time any more.
  ['when 30 seconds are left for two legs', { positions: [0, 1, 2], leftMs: 30_000 }, late],
  ['when a millisecond more is left', { positions: [0, 1, 2], leftMs: 30_001 }, again],
  [
    'when a minute is left for two legs and two orders a minute',
    { positions: [0, 1, 2], leftMs: minuteMs, ordersPerMinute: 2 },
    late,
  ],
  [
    'when a millisecond more is left at that pace',
    { positions: [0, 1, 2], leftMs: minuteMs + 1, ordersPerMinute: 2 },
    again,
  ],
])('the wait for a pending sell is over %s, and not before', async (_, given, expected) => {
  expect((await wait({ ...given, pending: ['7'] })).fills).toEqual(expected);
});

test('orders that cannot be read do not make the wait longer', async () => {
  const pending = new BrokerageError('timeout', 'No answer.', 'Wait.');
  expect((await wait({ sentAgo: [10 * minuteMs], pending })).fills).toEqual(late);
});

test('sells that are filled at last are seen, however late it is', async () => {
  expect((await wait({ sentAgo: [10 * minuteMs], pending: [] })).fills).toEqual(seen);
});

test('a fault of the program is no reason to wait', async () => {
  await expect(wait({ pending: new TypeError('x is undefined') })).rejects.toThrow('x is undefined');
});
