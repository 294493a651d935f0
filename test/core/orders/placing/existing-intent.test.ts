/** Whether a request creates an intent at all: an equal order of before, or a rule that needs no account data. */
import { describe, expect, test } from 'vitest';
import { findExisting, type IntentRequest, resolveEarlier } from '../../../../src/core/orders/create-intent.ts';
import { readHalt, setHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { errorOf } from '../../../support/error-of.ts';
import { buy, makeIntent } from '../risk/example-account.ts';
import { context, failure, openWorld, order, placed, startAt, type WorldOptions } from './world.ts';

const wanted = (change: Partial<IntentRequest> = {}): IntentRequest => ({
  id: 'i',
  request: buy,
  repeatOf: undefined,
  progress: undefined,
  ...change,
});

async function open(intents: readonly Intent[] = [], options: WorldOptions = {}) {
  const world = await openWorld(options);
  await world.insert(...intents);
  const find = (change: Partial<IntentRequest> = {}) =>
    world.clock.run(findExisting(world.deps, wanted(change), context));
  return { ...world, findExisting: find };
}

describe('a request without an equal order', () => {
  test('may create an intent, and nothing is read or recorded', async () => {
    const { findExisting: find, service, list } = await open();
    expect(await find()).toBeUndefined();
    expect([service.calls, await list()]).toEqual([[], []]);
  });

  test.each<[string, Partial<Intent>]>([
    ['of another account', { fingerprint: 'other' }],
    ['of eleven minutes ago', { createdAt: startAt - 660_000, sentAt: startAt - 660_000 }],
    ['that is known to have ended without a fill', { endedAs: 'CANCELLED' }],
    ['that the broker rejected', { state: 'REJECTED' }],
  ])('may create an intent in spite of one %s', async (_, change) => {
    const { findExisting: find, service } = await open([placed(change)]);
    expect(await find()).toBeUndefined();
    expect(service.calls).toEqual([]);
  });

  test.each([
    ['is halted', 'halted', { settings: { haltFile: () => true } }, []],
    ['has two orders of unknown outcome', 'open_unknown', {}, ['account', 'account']],
    ['lacks an enrolment', 'approval_missing', { settings: { approval: 'page' } }, []],
    ['may not trade live', 'live_not_enabled', { settings: { environment: 'live' } }, []],
  ] as const)('is refused and recorded where the server %s', async (_, rule, options, accounts) => {
    const lost = accounts.map((accountKey, at) => makeIntent({ id: `u${at}`, state: 'UNKNOWN', accountKey }));
    const { findExisting: find, find: read } = await open(lost, options);
    const found = await find();
    expect(found).toMatchObject({ isOld: false, intent: { id: 'i', state: 'REFUSED', rule, times: 1 } });
    expect(await read('i')).toMatchObject({ state: 'REFUSED', rule, accountKey: 'account', changedAt: startAt });
  });

  test('is not refused for the unknown orders of another account', async () => {
    const lost = ['account', 'other'].map((accountKey, at) =>
      makeIntent({ id: `u${at}`, state: 'UNKNOWN', accountKey }),
    );
    const { findExisting: find } = await open(lost);
    expect(await find()).toBeUndefined();
  });
});

describe('before anything else', () => {
  test('what is overdue ends, so that it blocks no order', async () => {
    const overdue: Intent = { ...placed(), state: 'APPROVED', sentAt: undefined, createdAt: startAt - 60_000 };
    const { findExisting: find, find: read } = await open([overdue]);
    expect(await find()).toBeUndefined();
    expect(await read(overdue.id)).toMatchObject({ state: 'EXPIRED', changedAt: startAt });
  });

  test('an order that its dead process never sent ends', async () => {
    const left: Intent = { ...placed(), state: 'APPROVED', sentAt: undefined, createdAt: startAt, owner: 'dead' };
    const processes = { self: 'test', isAlive: (owner: string) => owner !== 'dead' };
    const { findExisting: find, find: read } = await open([left], { deps: { processes } });
    expect(await find()).toBeUndefined();
    expect(await read(left.id)).toMatchObject({ state: 'EXPIRED' });
  });

  test('what is overdue on another account stays', async () => {
    const overdue: Intent = { ...placed({ accountKey: 'other' }), state: 'APPROVED', createdAt: startAt - 60_000 };
    const { findExisting: find, find: read } = await open([overdue]);
    await find();
    expect(await read(overdue.id)).toMatchObject({ state: 'APPROVED' });
  });

  test('the halt file halts, also the orders that do not need the account', async () => {
    const { findExisting: find, journal } = await open([], { settings: { haltFile: () => true } });
    await find();
    expect(await journal.read(readHalt)).toMatchObject({ at: startAt, by: 'file' });
  });

  test('the halt file leaves the reason of an earlier halt', async () => {
    const { findExisting: find, journal } = await open([], { settings: { haltFile: () => true } });
    const first = { at: startAt - 9, by: 'command', reason: 'First.' } as const;
    await journal.change((tx) => setHalt(tx, first));
    expect(await find()).toMatchObject({ intent: { rule: 'halted', reason: expect.stringContaining('First.') } });
    expect(await journal.read(readHalt)).toEqual(first);
  });
});

describe('a request with an equal order', () => {
  test.each<[string, Partial<Intent>]>([
    ['waits for a person', { state: 'AWAITING_APPROVAL', createdAt: startAt - 9_000 }],
    ['is being sent', { state: 'SENDING', sentAt: startAt - 1_000 }],
    ['is being sent, and has an order already', { state: 'SENDING', sentAt: startAt - 1_000, orderId: '7' }],
    ['has an unknown outcome', { state: 'UNKNOWN' }],
    ['was placed without an id', { state: 'PLACED' }],
  ])('that %s returns it without reading the account', async (_, change) => {
    const earlier: Intent = { ...placed(), orderId: undefined, ...change };
    const { findExisting: find, service } = await open([earlier]);
    expect(await find()).toEqual({ intent: JSON.parse(JSON.stringify(earlier)), isOld: true });
    expect(service.calls).toEqual([]);
  });

  test('returns it also while trading is halted', async () => {
    const earlier = placed();
    const { findExisting: find, service } = await open([earlier], { settings: { haltFile: () => true } });
    service.pending.push(order());
    expect(await find()).toEqual({ intent: { ...earlier, orderStatus: 'NEW' }, isOld: true });
  });

  test('that is still pending returns it', async () => {
    const earlier = placed();
    const { findExisting: find, service } = await open([earlier]);
    service.pending.push(order());
    expect(await find()).toEqual({ intent: { ...earlier, orderStatus: 'NEW' }, isOld: true });
  });

  test('that was cancelled after a part was filled returns it', async () => {
    const { findExisting: find, service } = await open([placed()]);
    service.end('7', 'CANCELLED', '4');
    expect(await find()).toMatchObject({ intent: { orderId: '7', orderStatus: 'CANCELLED' }, isOld: true });
  });

  test('that cannot be read says why', async () => {
    const earlier = placed();
    const { findExisting: find, service } = await open([earlier]);
    const error = failure('rate_limited', { retryAfterSeconds: 4 });
    service.answers.getPendingOrder = () => {
      throw error;
    };
    const unread = { kind: 'unread', reason: error.message, retryAfterSeconds: 4 };
    expect(await find()).toEqual({ intent: earlier, isOld: true, unread });
  });

  test('that is gone is not repeated until its end can be read', async () => {
    const earlier = placed();
    const { findExisting: find } = await open([earlier]);
    const readableAt = startAt + 10_000;
    expect(await find()).toMatchObject({
      isOld: false,
      intent: { id: 'i', state: 'NOT_SENT', earlier: { intentId: earlier.id, orderId: '7', readableAt } },
    });
  });

  test('that turns out to have ended without a fill may create an intent', async () => {
    const earlier = placed();
    const { findExisting: find, service, find: read } = await open([earlier]);
    service.end('7', 'CANCELLED');
    expect(await find()).toBeUndefined();
    expect(await read(earlier.id)).toMatchObject({ endedAs: 'CANCELLED' });
  });

  test('that ended without a fill is refused for a halt like any other', async () => {
    const { findExisting: find, service } = await open([placed()], { settings: { haltFile: () => true } });
    service.end('7', 'CANCELLED');
    expect(await find()).toMatchObject({ isOld: false, intent: { id: 'i', rule: 'halted' } });
  });

  test('tells the caller who listens how long the history has to be waited for', async () => {
    const { findExisting: find, service } = await open([placed()]);
    service.answers.listHistoricalOrders = (_, { onWait }) => {
      onWait?.({ waitMs: 2_000 });
      return { items: [] };
    };
    const said: string[] = [];
    await find({ progress: (message) => void said.push(message) });
    expect(said.length).toBe(1);
  });
});

describe('a repetition', () => {
  const first = placed();
  const second: Intent = { ...placed(), id: 's'.repeat(32), repeatOf: first.id, orderId: '8' };

  test('may create an intent', async () => {
    const { findExisting: find } = await open([first]);
    expect(await find({ repeatOf: first.id })).toBeUndefined();
  });

  test('of an order that has one already returns that one, while it is pending', async () => {
    const { findExisting: find, service } = await open([first, second]);
    service.pending.push(order(), order({ id: '8' }));
    expect(await find({ repeatOf: first.id })).toMatchObject({ isOld: true, intent: { id: second.id, orderId: '8' } });
  });

  test('of an order whose repetition ended without a fill is not placed again', async () => {
    const { findExisting: find, service } = await open([first, second]);
    service.history.push({ order: order({ id: '8', status: 'CANCELLED' }) } as never);
    const earlier = { intentId: second.id, orderId: '8', status: 'CANCELLED' };
    expect(await find({ repeatOf: first.id })).toMatchObject({ isOld: false, intent: { state: 'NOT_SENT', earlier } });
  });

  test('of the repetition may create an intent', async () => {
    const { findExisting: find } = await open([first, second]);
    expect(await find({ repeatOf: second.id })).toBeUndefined();
  });

  test('that ended without a fill does not keep a new order from being placed', async () => {
    const { findExisting: find, service } = await open([second]);
    service.end('8', 'CANCELLED');
    expect(await find()).toBeUndefined();
  });

  test('of another order is an error', async () => {
    const { findExisting: find } = await open([placed({ fingerprint: 'other' })]);
    expect((await errorOf(find({ repeatOf: first.id }))).code).toBe('invalid_argument');
  });
});

test('an earlier order is read with the context of the call', async () => {
  const { deps, service } = await open([placed()]);
  service.pending.push(order());
  await resolveEarlier(deps, placed(), wanted(), { ...context, needsComplete: true });
  expect(service.calls.map((call) => call.context.needsComplete)).toEqual([true]);
});
