/** What the journal knows of orders: one intent, one order, and whether orders can be placed. */
import { describe, expect, test } from 'vitest';
import { setHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { toOutcome } from '../../../../src/core/orders/intent/outcome.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { readPlacedAt, recordEnd } from '../../../../src/core/orders/read-orders.ts';
import { buy, makeIntent, ticker } from '../risk/example-account.ts';
import {
  breaking,
  context,
  enrol,
  failure,
  key,
  openWorld,
  order,
  placed,
  rejectWith,
  startAt,
  type WorldOptions,
} from './world.ts';

async function open(intents: readonly Intent[] = [], options: WorldOptions = {}) {
  const world = await openWorld(options);
  await world.insert(...intents);
  return world;
}

const unavailable = failure('store_unavailable');

describe('the time at which an order was placed', () => {
  test.each<[string, Partial<Intent>, number | undefined]>([
    ['is when it was sent', {}, startAt - 120_000],
    ['is unknown for an order of another account', { accountKey: 'other' }, undefined],
    ['is unknown for an order that is only being sent', { state: 'SENDING' }, undefined],
  ])('%s', async (_, change, at) => {
    const { orders } = await open([placed(change)]);
    expect(await orders.placedAt('7')).toBe(at);
  });

  test('is unknown for another id, and without a journal', async () => {
    const { orders, deps } = await open([placed()]);
    expect(await orders.placedAt('8')).toBeUndefined();
    expect(
      await readPlacedAt({ ...deps, journal: breaking(deps.journal, { read: unavailable }) }, '7'),
    ).toBeUndefined();
  });
});

describe('the end of an order that was read', () => {
  const found = (change: object = {}, fills: readonly object[] = []) =>
    ({ order: order({ status: 'CANCELLED', ...change }), fills, foundIn: 'history', answeredAt: startAt }) as never;

  test.each<[string, ReturnType<typeof found>, object]>([
    ['a cancellation without a fill', found(), { orderStatus: 'CANCELLED', endedAs: 'CANCELLED' }],
    ['a fill', found({ status: 'FILLED' }, [{ quantity: '10' }]), { orderStatus: 'FILLED' }],
  ])('is stored: %s', async (_, one, change) => {
    const { orders, find } = await open([placed()]);
    await orders.recordEnd(one);
    expect(await find(placed().id)).toEqual({ ...placed(), ...change });
  });

  test.each<[string, ReturnType<typeof found>, Partial<Intent>, WorldOptions]>([
    ['of an order that is still pending', found({ status: 'NEW' }), {}, {}],
    ['of an order without an id', found({ id: undefined }), {}, {}],
    ['of another order', found({ id: '8' }), {}, {}],
    ['of an order of another account', found(), { accountKey: 'other' }, {}],
    ['by a read-only process', found(), {}, { deps: { readOnly: true } }],
  ])('is not stored %s', async (_, one, change, options) => {
    const { orders, find } = await open([placed(change)], options);
    await orders.recordEnd(one);
    expect(await find(placed().id)).toEqual(placed(change));
  });

  test('is not stored for an order that is not placed', async () => {
    const closed = { ...placed(), state: 'CLOSED' } as const;
    const { orders, find } = await open([closed]);
    await orders.recordEnd(found());
    expect(await find(closed.id)).toEqual(closed);
  });

  test('does not need the journal', async () => {
    const { deps } = await open([placed()]);
    await expect(
      recordEnd({ ...deps, journal: breaking(deps.journal, { change: unavailable }) }, found()),
    ).resolves.toBe(undefined);
  });

  test('is not searched for without an account where nothing has to be stored', async () => {
    const { deps } = await open([placed()]);
    const nameless = { ...deps, accountKey: rejectWith(new Error('x')) };
    await recordEnd(nameless, found({ status: 'NEW' }));
    await recordEnd(nameless, found({ id: undefined }));
    await recordEnd({ ...nameless, readOnly: true }, found());
    await expect(recordEnd(nameless, found())).rejects.toThrow('x');
  });
});

describe('an intent that is asked for', () => {
  const search = { lostAt: startAt - 5_000, round: 1, nextAt: startAt };
  const lost = { ...makeIntent({ id: 'u', ticker, request: buy, state: 'UNKNOWN', search }), sentAt: startAt - 6_000 };
  const foundAt = new Date(startAt - 5_900).toISOString();
  const arrived = order({ id: '55', type: 'LIMIT', timeInForce: 'DAY', initiatedFrom: 'API', createdAt: foundAt });

  const named = async (): Promise<string> => key;
  const third = async (): Promise<string> => 'third';

  test('is returned as it is', async () => {
    const { orders, service } = await open([placed()]);
    expect(await orders.find(placed().id, context)).toEqual(toOutcome(placed(), startAt));
    expect(service.calls).toEqual([]);
  });

  test('is returned whatever account it is of', async () => {
    const identifyAccount = rejectWith(new TypeError('x'));
    const { orders } = await open([placed({ accountKey: 'other' })], { deps: { identifyAccount } });
    expect(await orders.find(placed().id, context)).toMatchObject({ outcome: 'placed' });
  });

  test.each([
    ['has an unknown id', 'x', 'sandbox'],
    ['is of another environment', placed().id, 'demo'],
  ])('and %s is not returned', async (_, id, environment) => {
    const { orders } = await open([placed({ environment })]);
    expect(await orders.find(id, context)).toBeUndefined();
  });

  test('and has an unknown outcome is searched for', async () => {
    const { orders, service } = await open([lost]);
    service.pending.push(arrived);
    expect(await orders.find('u', context)).toMatchObject({ outcome: 'placed', orderId: '55' });
  });

  test('and has another undecided outcome is not searched for', async () => {
    const { orders, service } = await open([{ ...lost, state: 'AMBIGUOUS' }]);
    service.pending.push(arrived);
    expect(await orders.find('u', context)).toMatchObject({ outcome: 'unknown' });
    expect(service.calls).toEqual([]);
  });

  test('and cannot be searched for stays unknown', async () => {
    const { orders, deps, clock } = await open([lost]);
    const journal = breaking(deps.journal, { change: unavailable });
    const failing = await openWorld({ beside: { clock, journal, service: (await open()).service } });
    expect(await failing.orders.find('u', context)).toMatchObject({ outcome: 'unknown', intentId: 'u' });
    expect(await orders.find('u', context)).toMatchObject({ outcome: 'unknown' });
  });

  test('is not searched for by a read-only process, which serves no page', async () => {
    const approval = {
      ...{ handle: 'h', nonce: 'n', digest: 'd', askedAt: startAt, expiresAt: startAt + 120_000 },
      ticket: { warnings: [] } as unknown as NonNullable<Intent['approval']>['ticket'],
    };
    const waiting: Intent = { ...placed(), id: 'w', state: 'AWAITING_APPROVAL', method: 'page', approval };
    const channels = { pageUrl: async () => 'http://127.0.0.1:1', opensBrowser: true };
    const { orders, service, clock, journal } = await open([lost, waiting], { deps: { readOnly: true, channels } });
    service.pending.push(arrived);
    expect(await orders.find('u', context)).toMatchObject({ outcome: 'unknown' });
    expect((await orders.find('w', context))?.approval).toMatchObject({ method: 'page', address: undefined });
    expect(service.calls).toEqual([]);
    const serving = await openWorld({ beside: { clock, journal, service }, deps: { channels } });
    expect((await serving.orders.find('w', context))?.approval).toMatchObject({ address: 'http://127.0.0.1:1' });
  });

  test.each([
    ['is searched for when the service says that it is this account', named, 'placed'],
    ['is not searched for when it is another account', third, 'unknown'],
    ['is not searched for when the service cannot say', rejectWith(failure('unreachable')), 'unknown'],
  ] as const)('under another account name %s', async (_, identifyAccount, outcome) => {
    const { orders, service } = await open([lost], { deps: { accountKey: async () => 'new', identifyAccount } });
    service.pending.push(arrived);
    const found = await orders.find('u', context);
    expect(found).toMatchObject({ outcome });
    expect(found).not.toHaveProperty('coalesced');
  });

  test('under its own account name is searched for without asking the service for the account', async () => {
    const { orders, service } = await open([lost], { deps: { identifyAccount: rejectWith(new TypeError('x')) } });
    service.pending.push(arrived);
    expect(await orders.find('u', context)).toMatchObject({ outcome: 'placed' });
  });
});

describe('whether orders can be placed', () => {
  test('is told with the approval, the limits and the undecided orders', async () => {
    const { orders } = await open([placed()], { limits: { maxOrderValue: '300' } });
    expect(await orders.state()).toEqual({
      refusal: undefined,
      storeChange: undefined,
      approval: 'none',
      limits: effectiveLimits('sandbox', { maxOrderValue: '300' }, undefined),
      foreignOrders: 0,
      openIntents: [],
    });
  });

  test('is told with the refusal, the enrolled limits, and how the store differs from before', async () => {
    const witness = { read: () => ({ id: 'x', seq: 1, hash: 'h' }), readAnywhere: () => [], write: () => undefined };
    const settings = { environment: 'live', liveTrading: true, witness } as const;
    const { orders, journal } = await open([], { settings });
    await journal.change(async (tx) => {
      await enrol(tx, 'terminal', { maxOrderValue: '500' });
      await setHalt(tx, { at: startAt, by: 'command', reason: 'Stop.' });
    });
    expect(await orders.state()).toMatchObject({
      refusal: { rule: 'store_changed' },
      storeChange: 'new',
      approval: 'terminal',
      limits: { maxOrderValue: '500' },
    });
  });

  test('is told of the account: its unknown orders, and those of other programs', async () => {
    const lost = ['a', 'b'].map((id) => makeIntent({ id, state: 'UNKNOWN' }));
    const { orders, journal, deps, clock, service } = await open(lost);
    const record = { nextAt: 0, orders: [{ id: '900', at: startAt - 1_000 }] };
    await journal.change((tx) => tx.set(`external orders of ${key}`, record));
    expect(await orders.state()).toMatchObject({ refusal: { rule: 'open_unknown' }, foreignOrders: 1 });
    const beside = { clock, journal, service };
    const other = await openWorld({ beside, deps: { accountKey: async () => 'other' } });
    expect(await other.orders.state()).toMatchObject({ refusal: undefined, foreignOrders: 0 });
    const nameless = await openWorld({ beside, deps: { accountKey: rejectWith(failure('not_configured')) } });
    expect(await nameless.orders.state()).toMatchObject({ refusal: undefined, foreignOrders: 0 });
    expect(await deps.accountKey()).toBe(key);
  });

  const approval = {
    ...{ handle: 'h', nonce: 'n', digest: 'd', askedAt: startAt, expiresAt: startAt + 120_000, approvedAt: startAt },
    ticket: {} as NonNullable<Intent['approval']>['ticket'],
  };
  const undecided = (change: Partial<Intent>): Intent => ({ ...placed(), createdAt: startAt, id: 'o', ...change });

  test.each<[string, Partial<Intent>, string, boolean]>([
    ['was approved by a person', { state: 'APPROVED', approval }, 'pending_approval', true],
    ['waits for a person', { state: 'AWAITING_APPROVAL', approval }, 'pending_approval', false],
    ['needs no person', { state: 'APPROVED' }, 'unknown', false],
    [
      'was approved too long ago',
      { state: 'APPROVED', approval: { ...approval, expiresAt: startAt } },
      'expired',
      false,
    ],
    ['has an unknown outcome', { state: 'UNKNOWN', approval }, 'unknown', false],
  ])('is told with an order that %s', async (_, change, outcome, isApproved) => {
    const { orders } = await open([undecided(change)]);
    expect((await orders.state()).openIntents).toEqual([
      { id: 'o', request: buy, createdAt: startAt, outcome, isApproved },
    ]);
  });

  test('is not told with the orders of another environment', async () => {
    const { orders } = await open([undecided({ state: 'UNKNOWN', environment: 'demo' })]);
    expect((await orders.state()).openIntents).toEqual([]);
  });
});
