/** One approved order from its turn to its result: what is tried again, how long, and what is left to others. */
import { describe, expect, test } from 'vitest';
import type { Broker, CallContext, PlaceResult } from '../../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { type Approval, approvalDigest, type Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { ConfiguredLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { createAccountLock } from '../../../../src/core/orders/send/account-lock.ts';
import { createSender } from '../../../../src/core/orders/send/send-order.ts';
import { storeUnavailable } from '../../../../src/core/store/engine.ts';
import { takeLog } from '../../../support/faults.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, facts, givenApproval, openJournal, startAt } from './approved-order.ts';

const answered = (change: object): PlaceResult => ({
  kind: 'answered',
  status: 200,
  body: { id: '77', status: 'NEW' },
  error: undefined,
  tooManyRequests: false,
  isBlocked: false,
  retryAfterSeconds: undefined,
  date: undefined,
  ...change,
});
const accepted = answered({});
const refusedFor = (retryAfterSeconds: number | undefined) =>
  answered({ status: 429, body: undefined, tooManyRequests: true, retryAfterSeconds });
const unconnected: PlaceResult = { kind: 'not_connected', reason: 'no connection' };

/** The same order with the approval of a human, which lasts `ms`. */
function withApproval(ms = 120_000): Intent {
  const approval: Approval = { ...givenApproval, expiresAt: startAt + ms };
  return { ...approvedOrder, approval: { ...approval, digest: approvalDigest(approvedOrder, approval) } };
}

type Commit = () => Promise<{ readonly writeBy: number } | undefined>;

async function setup(intent: Intent = approvedOrder, configuredLimits: ConfiguredLimits = {}) {
  const clock = createManualClock({ startAt, auto: true });
  const journal = await openJournal(clock);
  await journal.change((tx) => tx.insert(intent));
  const stop = new AbortController();
  const processes = { self: 'test', isAlive: (owner: string) => owner !== 'dead' };
  const places: number[] = [];
  /** Until when each attempt may take (ms after the start). */
  const deadlines: number[] = [];
  /** Sends with what the broker does at each attempt. */
  const send = async (
    attempts: readonly ((commit: Commit) => Promise<PlaceResult>)[],
    context: Partial<CallContext> = {},
  ): Promise<Intent> => {
    const place: Broker['place'] = (_, commit, { deadlineAt }) => {
      deadlines.push(deadlineAt - startAt);
      const attempt = attempts[places.push(clock.now() - startAt) - 1];
      if (!attempt) throw new Error('One attempt more than the test has.');
      return attempt(commit);
    };
    const sender = createSender({
      journal,
      clock,
      processes,
      settings: {
        environment: 'demo',
        origin: 'https://demo',
        liveTrading: false,
        approval: undefined,
        haltFile: () => false,
      },
      configuredLimits,
      accountKey: async () => 'account',
      broker: { place } as Broker,
      turns: createAccountLock({ journal, clock, processes }),
    });
    return sender.send(intent, facts, {
      priority: 'place',
      deadlineAt: startAt + 50_000,
      signal: stop.signal,
      ...context,
    });
  };
  const find = (id = intent.id) => journal.read((tx) => tx.find(id));
  return { clock, journal, send, find, stop, places, deadlines };
}

/** The broker asks for the commit and answers; or it sends nothing where the commit returns nothing. */
const commitAnd = (result: PlaceResult) => async (commit: Commit) =>
  (await commit()) ? result : ({ kind: 'not_committed' } as const);
const fail = async () => unconnected;

describe('an order without a connection', () => {
  test('is tried twice more at once, and is then not sent', async () => {
    const { send, places, find } = await setup();
    const row = await send([fail, fail, fail]);
    expect(row).toMatchObject({ state: 'NOT_SENT', reason: 'no connection' });
    expect(row.retryUntil).toBeUndefined();
    expect(places).toEqual([0, 0, 0]);
    expect(await find()).toEqual(row);
  });

  test('is sent by the third attempt', async () => {
    const { send } = await setup();
    expect(await send([fail, fail, commitAnd(accepted)])).toMatchObject({ state: 'PLACED', orderId: '77' });
  });

  test('is tried again with ten seconds from the start, and not with the time of its call', async () => {
    const { send, deadlines } = await setup();
    await send([fail, commitAnd(accepted)]);
    expect(deadlines).toEqual([50_000, 10_000]);
  });

  test.each([
    [9_999, [0, 9_999], 'PLACED'],
    [10_000, [0], 'NOT_SENT'],
  ])('after %d ms was tried at %j', async (ms, expected, state) => {
    const { send, places, clock } = await setup();
    const slow = async () => {
      await clock.advance(ms);
      return unconnected;
    };
    expect(await send([slow, commitAnd(accepted)])).toMatchObject({ state });
    expect(places).toEqual(expected);
  });

  test.each([
    ['its own deadline', 4_000, 4_000],
    ['ten seconds', 50_000, 10_000],
  ])('waits for its next turn until %s', async (_, deadline, end) => {
    const { send, clock, journal } = await setup();
    const other = { owner: 'other', intentId: 'other', until: startAt + 60_000 };
    const overtaken = async () => {
      await journal.change((tx) => tx.set('turn account', other));
      return unconnected;
    };
    const row = await send([overtaken], { deadlineAt: startAt + deadline });
    expect(row).toMatchObject({ state: 'NOT_SENT', reason: expect.stringContaining('Another order') });
    expect(clock.now()).toBe(startAt + end);
  });

  test.each<[string, Intent, string]>([
    ['that no human approved is not sent', approvedOrder, 'NOT_SENT'],
    ['that a human approved is left to the next process', withApproval(), 'APPROVED'],
  ])('whose call was stopped: one %s', async (_, intent, state) => {
    const { send, stop, find, places } = await setup(intent);
    const stopped = async () => {
      stop.abort();
      return unconnected;
    };
    expect(await send([stopped])).toMatchObject({ state });
    expect((await find())?.state).toBe(state);
    expect((await find())?.retryUntil).toBeUndefined();
    expect(places).toEqual([0]);
  });

  test('that a human approved is not sent where the call goes on', async () => {
    const { send } = await setup(withApproval());
    expect(await send([fail, fail, fail])).toMatchObject({ state: 'NOT_SENT' });
  });

  test('is tried again without a signal too', async () => {
    const { send } = await setup(withApproval());
    expect(await send([fail, commitAnd(accepted)], { signal: undefined })).toMatchObject({ state: 'PLACED' });
  });

  test('for want of a slot is not tried again', async () => {
    const { send, places } = await setup();
    const noSlot = async (): Promise<PlaceResult> => ({ kind: 'rate_limited', retryAfterSeconds: 7 });
    expect(await send([noSlot])).toMatchObject({ state: 'NOT_SENT' });
    expect(places).toEqual([0]);
  });
});

describe('an order that the broker refused for the rate', () => {
  test.each([
    [5, [0, 5_000]],
    [undefined, [0, 0]],
    [49.999, [0, 49_999]],
  ])('is tried once more after %d seconds', async (seconds, expected) => {
    const { send, places } = await setup(withApproval());
    expect(await send([commitAnd(refusedFor(seconds)), commitAnd(accepted)])).toMatchObject({ state: 'PLACED' });
    expect(places).toEqual(expected);
  });

  test('twice is not sent', async () => {
    const { send, places, clock } = await setup();
    const row = await send([commitAnd(refusedFor(5)), commitAnd(refusedFor(5))]);
    expect([row.state, row.retryUntil]).toEqual(['NOT_SENT', undefined]);
    expect(places).toEqual([0, 5_000]);
    expect(clock.now()).toBe(startAt + 5_000);
  });

  test('until its deadline is not sent', async () => {
    const { send, places } = await setup();
    const row = await send([commitAnd(refusedFor(50))]);
    expect([row.state, row.retryUntil]).toEqual(['NOT_SENT', undefined]);
    expect(places).toEqual([0]);
  });

  test('longer than its approval lasts expires, without another connection', async () => {
    const { send, places, find } = await setup(withApproval(4_000));
    const row = await send([commitAnd(refusedFor(5))]);
    expect(row).toMatchObject({ state: 'EXPIRED', reason: expect.stringContaining('approval expired') });
    expect(row.retryUntil).toBeUndefined();
    expect(places).toEqual([0]);
    expect(await find()).toEqual(row);
  });

  test('is tried no more when its call is stopped while it waits', async () => {
    const { send, places, stop, clock } = await setup();
    clock.jumps = false;
    const sent = send([commitAnd(refusedFor(5))]);
    while (clock.sleepers === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await sent).toMatchObject({ state: 'NOT_SENT' });
    expect(places).toEqual([0]);
  });

  test.each<[string, Partial<Intent> & { state: Intent['state'] }]>([
    ['sent meanwhile', { state: 'APPROVED' }],
    ['given up meanwhile', { state: 'NOT_SENT', retryUntil: undefined }],
    ['given less time meanwhile', { state: 'NOT_SENT', retryUntil: startAt + 5_000 }],
    // The clock was set back since: two minutes are the longest.
    ['given more time than any has', { state: 'NOT_SENT', retryUntil: startAt + 130_001 }],
  ])('is left to the process by which it was %s', async (_, change) => {
    const { send, places, clock, journal, find } = await setup();
    clock.jumps = false;
    const sent = send([commitAnd(refusedFor(5))]);
    while (clock.sleepers === 0) await new Promise((resolve) => setImmediate(resolve));
    await journal.change((tx) => tx.move(approvedOrder.id, 'NOT_SENT', change));
    clock.jumps = true;
    expect((await sent).state).toBe('NOT_SENT');
    expect(places).toEqual([0]);
    expect((await find())?.state).toBe(change.state);
  });
});

describe('while another order of the account is in flight', () => {
  const other: Intent = {
    ...approvedOrder,
    id: 'b'.repeat(32),
    state: 'SENDING',
    ticker: 'XYZ_EQ',
    sender: 'other',
    sentAt: startAt,
    answerBy: startAt + 15_000,
  };

  test('an order asks every tenth of a second, and is sent when the other has its response', async () => {
    const { send, places, journal } = await setup();
    await journal.change((tx) => tx.insert(other));
    const settle = async (commit: Commit) => {
      const result = await commitAnd(accepted)(commit);
      await journal.change((tx) => tx.move(other.id, 'SENDING', { state: 'REJECTED' }));
      return result;
    };
    expect(await send([commitAnd(accepted), settle, commitAnd(accepted)])).toMatchObject({ state: 'PLACED' });
    expect(places).toEqual([0, 100, 200]);
  });

  test.each<[string, Intent, string]>([
    ['that no human approved is not sent', approvedOrder, 'NOT_SENT'],
    ['that a human approved stays approved', withApproval(), 'APPROVED'],
  ])('until its deadline, one %s', async (_, intent, state) => {
    const { send, places, journal, find } = await setup(intent);
    await journal.change((tx) => tx.insert(other));
    const attempts = Array.from({ length: 4 }, () => commitAnd(accepted));
    expect(await send(attempts, { deadlineAt: startAt + 300 })).toMatchObject({ state });
    expect(places).toEqual([0, 100, 200, 300]);
    expect(await find()).toMatchObject({
      state,
      ...(state === 'NOT_SENT' && { reason: expect.stringContaining('Another order') }),
    });
  });

  test('in another process, an order has its turn when that ends, until its own deadline', async () => {
    const { send, places, journal } = await setup();
    const lease = { owner: 'other', intentId: 'other', until: startAt + 12_000 };
    await journal.change((tx) => tx.set('turn account', lease));
    expect(await send([commitAnd(accepted)])).toMatchObject({ state: 'PLACED' });
    expect(places).toEqual([12_000]);
  });

  test('in another process, an order that has no turn by its deadline is not sent', async () => {
    const { send, places, journal, find } = await setup();
    const lease = { owner: 'other', intentId: 'other', until: startAt + 60_000 };
    await journal.change((tx) => tx.set('turn account', lease));
    expect(await send([], { deadlineAt: startAt + 300 })).toMatchObject({ state: 'NOT_SENT' });
    expect(places).toEqual([]);
    expect(await find()).toMatchObject({ reason: expect.stringContaining('Another order') });
  });
});

describe('an order', () => {
  test('that the rules refuse at the commit is not written', async () => {
    const { send, places, clock } = await setup(approvedOrder, { maxOrderValue: '1' });
    const refused = async (commit: Commit): Promise<PlaceResult> => {
      expect(await commit()).toBeUndefined();
      return { kind: 'not_committed' };
    };
    expect(await send([refused])).toMatchObject({ state: 'REFUSED', rule: 'max_order_value' });
    expect(places).toEqual([0]);
    expect(clock.now()).toBe(startAt);
  });

  test('that the rules refuse at its second attempt is not written, and is refused', async () => {
    const { send, places } = await setup(approvedOrder, { maxOrderValue: '1' });
    expect(await send([fail, commitAnd(accepted)])).toMatchObject({ state: 'REFUSED', rule: 'max_order_value' });
    expect(places).toEqual([0, 0]);
  });

  test.each<[string, Intent, number]>([
    ['two seconds after the commit', withApproval(), 3_000],
    ['the end of its approval', withApproval(1_500), 1_500],
    ['two seconds after the commit, where no human approved', approvedOrder, 3_000],
  ])('is written until %s', async (_, intent, ms) => {
    const { send, clock } = await setup(intent);
    await clock.advance(1_000);
    let writeBy: number | undefined;
    const noted = async (commit: Commit) => {
      writeBy = (await commit())?.writeBy;
      return accepted;
    };
    await send([noted]);
    expect(writeBy).toBe(startAt + ms);
  });

  test('whose call was stopped after its commit has its response', async () => {
    const { send, stop, find } = await setup(withApproval());
    const stopped = async (commit: Commit) => {
      const result = await commitAnd(accepted)(commit);
      stop.abort();
      return result;
    };
    expect(await send([stopped])).toMatchObject({ state: 'PLACED', orderId: '77' });
    expect(await find()).toMatchObject({ state: 'PLACED', orderId: '77' });
  });

  test('that another process moved first is not sent, and its row is returned', async () => {
    const { send, journal, places } = await setup();
    await journal.change((tx) => tx.move(approvedOrder.id, 'APPROVED', { state: 'REFUSED', rule: 'halted' }));
    expect(await send([])).toMatchObject({ state: 'REFUSED', rule: 'halted' });
    expect(places).toEqual([]);
  });

  test('that is no longer stored is returned as it was', async () => {
    const { send, journal } = await setup();
    await journal.change((tx) => tx.removeUnsent(['APPROVED'], startAt + 1, 1));
    expect(await send([commitAnd(accepted)])).toEqual(approvedOrder);
  });

  test('whose store fails before it was sent throws, and stays approved', async () => {
    const { send, find } = await setup();
    const broken = async () => {
      throw storeUnavailable('connection_broken', 'planted');
    };
    await expect(send([broken])).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await find()).toMatchObject({ state: 'APPROVED' });
  });

  test('that the broker refuses to connect for is not sent, with its reason', async () => {
    const { send } = await setup();
    const blocked = async () => {
      throw new BrokerageError('blocked', 'The address is blocked.', 'Wait.');
    };
    expect(await send([blocked])).toMatchObject({ state: 'NOT_SENT', reason: 'The address is blocked.' });
  });

  test('whose response cannot be read before the commit was not sent', async () => {
    const { send } = await setup();
    const damaged = async () =>
      ({
        kind: 'answered',
        get status(): never {
          throw new TypeError('planted');
        },
      }) as unknown as PlaceResult;
    expect(await send([damaged])).toMatchObject({ state: 'NOT_SENT' });
    expect(takeLog()).toMatchObject([{ task: 'send an order', code: 'TypeError' }]);
  });
});
