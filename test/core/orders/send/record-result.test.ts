/** What the journal has of a response, in whichever state the order is by then, and when the store fails. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import type { IntentState } from '../../../../src/core/orders/intent/states.ts';
import type { Verdict } from '../../../../src/core/orders/send/classify.ts';
import { createResultRecorder } from '../../../../src/core/orders/send/record-result.ts';
import { storeUnavailable } from '../../../../src/core/store/engine.ts';
import { takeLog } from '../../../support/faults.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, givenApproval, openJournal, startAt } from './approved-order.ts';

const accept = (mismatch: readonly string[] = []) =>
  ({ event: 'accept', order: { id: '77', status: 'NEW' }, mismatch }) as Verdict;
const reject: Verdict = { event: 'reject', code: 'rejected', reason: 'no', brokerCode: 'too-many' };
const limit: Verdict = { event: 'limit', reason: 'too fast', retryAfterSeconds: 1 };
const notWritten: Verdict = { event: 'notWritten', reason: 'too late' };
const lose: Verdict = { event: 'lose', reason: 'reset' };
const unsent: Verdict = { event: 'failBeforeSending', reason: 'no connection' };

/** An order that this process sends, by an approval that it used. */
const sending: Intent = {
  ...approvedOrder,
  state: 'SENDING',
  sender: 'test',
  sentAt: startAt,
  approval: { ...givenApproval, usedAt: startAt },
};

/** Records a verdict on `sent` while the row is as `stored`. */
async function setup(stored: Partial<Intent>, sent: Partial<Intent> = {}) {
  const clock = createManualClock({ startAt: startAt + 1_000, auto: true });
  const journal = await openJournal(clock);
  const row: Intent = { ...sending, ...stored };
  await journal.change((tx) => tx.insert(row));
  const { change } = journal;
  let [failures, attempts] = [0, 0];
  let make: () => Error;
  const failing: Journal = {
    ...journal,
    change: async (work) => {
      attempts++;
      if (failures-- > 0) throw make();
      return change(work);
    },
  };
  const record = createResultRecorder({ journal: failing, clock });
  return {
    clock,
    fail: (times: number, planted: () => Error = () => storeUnavailable('connection_broken', 'planted')) => {
      failures = times;
      make = planted;
    },
    attempts: () => attempts,
    record: (verdict: Verdict, retryUntil?: number) => record({ ...sending, ...sent }, verdict, retryUntil),
    read: () => journal.read((tx) => tx.find(row.id)),
    readHalt: () => journal.read(readHalt),
    remove: () => journal.change((tx) => tx.removeUnsent([row.state], startAt + 1, 1)),
  };
}

describe('the response to an order in flight', () => {
  const unused = { ...givenApproval, usedAt: undefined };
  test.each<[string, Verdict, Partial<Intent>]>([
    ['an acceptance', accept(), { state: 'PLACED', orderId: '77', orderStatus: 'NEW', sentAt: startAt }],
    ['an acceptance of something else', accept(['side']), { state: 'PLACED', mismatch: ['side'] }],
    ['a rejection', reject, { state: 'REJECTED', reason: 'no', brokerCode: 'too-many', errorCode: 'rejected' }],
    [
      'a loss',
      lose,
      { state: 'UNKNOWN', reason: 'reset', search: { lostAt: startAt + 1_000, round: 0, nextAt: startAt + 1_000 } },
    ],
    ['no time to write', notWritten, { state: 'NOT_SENT', reason: 'too late', retryUntil: 5 }],
    // It was not accepted, so it was not sent, and its approval is unused.
    [
      'a rate limit',
      limit,
      { state: 'NOT_SENT', reason: 'too fast', sentAt: undefined, retryUntil: 5, approval: unused },
    ],
  ])('%s', async (_, verdict, expected) => {
    const { record, read } = await setup({});
    const row = await record(verdict, 5);
    expect(row).toMatchObject(expected);
    expect(row.changedAt).toBe(startAt + 1_000);
    expect(await read()).toEqual(row);
  });

  test('an acceptance without a difference has none, and clears the earlier reason', async () => {
    const { record } = await setup({ reason: 'no connection' });
    const { mismatch, reason } = await record(accept());
    expect([mismatch, reason]).toEqual([undefined, undefined]);
  });

  test('a rate limit of an order that no human approved leaves it without an approval', async () => {
    const { record } = await setup({ approval: undefined }, { approval: undefined });
    const { state, approval } = await record(limit);
    expect([state, approval]).toEqual(['NOT_SENT', undefined]);
  });

  test('an acceptance of something else halts live trading', async () => {
    const { record, readHalt } = await setup({ environment: 'live' }, { environment: 'live' });
    await record(accept(['side']));
    expect(await readHalt()).toMatchObject({ by: 'rule', rule: 'echo_mismatch' });
  });
});

describe('the response to an order that others moved', () => {
  const late: Partial<Intent> = { search: { lostAt: startAt, round: 1, nextAt: startAt } };
  test.each<[IntentState, Verdict, IntentState]>([
    ['UNKNOWN', accept(), 'PLACED'],
    ['AMBIGUOUS', accept(), 'PLACED'],
    ['PROBABLY_ABSENT', accept(), 'PLACED'],
    ['CLOSED', accept(), 'PLACED'],
    ['UNKNOWN', reject, 'REJECTED'],
    ['UNKNOWN', limit, 'REJECTED'],
    ['UNKNOWN', notWritten, 'REJECTED'],
    ['UNKNOWN', lose, 'UNKNOWN'],
    ['AMBIGUOUS', reject, 'AMBIGUOUS'],
    ['PROBABLY_ABSENT', reject, 'PROBABLY_ABSENT'],
    ['CLOSED', reject, 'CLOSED'],
    ['PLACED', reject, 'PLACED'],
  ])('to %s: %o makes it %s', async (state, verdict, expected) => {
    const { record, read } = await setup({ ...late, state });
    const row = await record(verdict);
    expect(row.state).toBe(expected);
    expect(await read()).toEqual(row);
    if (expected !== state)
      expect(row).toMatchObject(verdict.event === 'accept' ? { orderId: '77' } : { reason: expect.any(String) });
    // What was decided is not searched for any more.
    expect(row.search).toEqual(expected === state ? late.search : undefined);
  });

  test.each<[string, Partial<Intent>, object | undefined]>([
    [
      'another order in live',
      { orderId: '76', environment: 'live' },
      {
        ...{ at: startAt + 1_000, by: 'rule', rule: 'two_orders' },
        reason: 'Orders 76 and 77 both match the same intent.',
      },
    ],
    ['the same order in live', { orderId: '77', environment: 'live' }, undefined],
    ['another order in paper money', { orderId: '76' }, undefined],
  ])('an acceptance after a search had found %s', async (_, change, halt) => {
    const { record, readHalt } = await setup({ state: 'PLACED', ...change });
    expect(await record(accept())).toMatchObject({ state: 'PLACED', orderId: change.orderId });
    const found = await readHalt();
    if (halt) expect(found).toMatchObject(halt);
    else expect(found).toBeUndefined();
  });

  test.each<IntentState>(['SENDING', 'PLACED', 'UNKNOWN', 'EXPIRED'])(
    'no connection of this process leaves an order that another made %s as it is',
    async (state) => {
      const { record, read } = await setup({ state }, { state: 'APPROVED' });
      const row = await record(unsent);
      expect(row.state).toBe(state);
      expect(await read()).toEqual(row);
    },
  );

  test('an order that is no longer stored is reported as this process saw it, at once', async () => {
    const { record, remove, clock } = await setup({ state: 'NOT_SENT', sentAt: undefined });
    await remove();
    expect(await record(accept())).toMatchObject({ state: 'PLACED', orderId: '77' });
    expect(clock.now()).toBe(startAt + 1_000);
  });
});

describe('a store that fails', () => {
  afterEach(() => vi.useRealTimers());

  test('three times delays the record by 1.2 seconds', async () => {
    const { record, read, fail, clock } = await setup({});
    fail(3);
    expect(await record(accept(), 5)).toMatchObject({ state: 'PLACED' });
    // 200, 400 and 600 ms.
    expect(clock.now()).toBe(startAt + 1_000 + 1_200);
    expect(await read()).toMatchObject({ state: 'PLACED', orderId: '77', retryUntil: 5 });
  });

  test('four times leaves what was seen to the caller, and the record to a timer of five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { record, read, fail } = await setup({});
    fail(5);
    expect(await record(limit, 5)).toMatchObject({ state: 'NOT_SENT', reason: 'too fast', sentAt: undefined });
    expect(await read()).toMatchObject({ state: 'SENDING' });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(await read()).toMatchObject({ state: 'SENDING' });
    // The first of the timer fails too.
    await vi.advanceTimersByTimeAsync(1);
    expect(await read()).toMatchObject({ state: 'SENDING' });
    await vi.advanceTimersByTimeAsync(5_000);
    const { state, sentAt, retryUntil } = (await read()) ?? {};
    // The call has ended, so the order is not tried again.
    expect([state, sentAt, retryUntil]).toEqual(['NOT_SENT', undefined, undefined]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('four times leaves the search for a lost order to begin now', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { record, fail } = await setup({});
    fail(4);
    // After 200, 400 and 600 ms.
    const at = startAt + 1_000 + 1_200;
    expect((await record(lose)).search).toEqual({ lostAt: at, round: 0, nextAt: at });
  });

  test('in a way that the program does not expect is in the log, during the call and after it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { record, fail } = await setup({});
    fail(4, () => new RangeError('planted'));
    await record(accept());
    fail(1, () => new TypeError('planted'));
    await vi.advanceTimersByTimeAsync(10_000);
    const task = 'record the response to an order';
    expect(takeLog()).toMatchObject([
      { task, code: 'RangeError' },
      { task, code: 'TypeError' },
    ]);
  });

  test('for ten minutes ends the timer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { record, fail, attempts } = await setup({});
    fail(1_000);
    await record(accept());
    await vi.advanceTimersByTimeAsync(5_000 * 119);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(attempts()).toBe(4 + 120);
  });

  test.each<[string, Partial<Intent>, IntentState]>([
    ['no human approved is reported as not sent', { approval: undefined }, 'NOT_SENT'],
    ['a human approved is reported as approved: another process may send it', {}, 'APPROVED'],
  ])('before an order was sent: one that %s', async (_, change, expected) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { record, fail, attempts } = await setup({ state: 'APPROVED', ...change }, { state: 'APPROVED', ...change });
    fail(4);
    expect(await record(unsent)).toMatchObject({ state: expected });
    // Nothing was sent, so there is no response to keep.
    expect(vi.getTimerCount()).toBe(0);
    expect(attempts()).toBe(4);
  });
});
