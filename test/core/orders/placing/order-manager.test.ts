/** The functions of the tools, and what the audit trail keeps of a cancellation. */
import { describe, expect, test } from 'vitest';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import { takeLog } from '../../../support/faults.ts';
import { account, buy, ticker } from '../risk/example-account.ts';
import { breaking, context, failure, instrument, openWorld, order, rejectWith, startAt } from './world.ts';

describe('whether the journal can be written', () => {
  test('is undefined when it can', async () => {
    const { orders } = await openWorld();
    expect(await orders.closed()).toBeUndefined();
  });

  test('is the refusal of every order when it cannot', async () => {
    const world = await openWorld();
    const journal = breaking(world.journal, { change: failure('store_unavailable') });
    const { orders } = await openWorld({ beside: { ...world, journal } });
    expect(await orders.closed()).toMatchObject({
      outcome: 'refused',
      rule: 'store_unavailable',
      intentId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });
});

describe('a cancellation', () => {
  /** The journal, and what was noted in its audit trail. */
  const openNoting = async (isBroken = false) => {
    const world = await openWorld();
    const notes: unknown[][] = [];
    const journal: Journal = {
      ...world.journal,
      change: isBroken
        ? rejectWith(failure('store_unavailable'))
        : (work) =>
            world.journal.change((tx) =>
              work({
                ...tx,
                note: async (...args) => {
                  notes.push(args);
                },
              }),
            ),
    };
    return { ...(await openWorld({ beside: { ...world, journal } })), notes };
  };
  const note = (data: object) => [['sandbox', 'cancel', { orderId: '7', ...data }]];

  test('is recorded with its outcome', async () => {
    const { orders, notes } = await openNoting();
    expect(await orders.cancel('7', context)).toMatchObject({ outcome: 'requested', orderId: '7' });
    expect(notes).toEqual(note({ state: 'requested' }));
  });

  test.each([
    ['the refusal of the broker', failure('rejected')],
    ['a failure before it was sent', failure('unreachable')],
    ['a fault of the program', new TypeError('x')],
    ['a fault of the program that looks like the rate limit', Object.assign(new Error('x'), { code: 'rate_limited' })],
  ])('that fails is recorded with %s, which is thrown', async (_, error) => {
    const { orders, service, notes } = await openNoting();
    service.pending.push(order());
    service.answers.cancelOrder = rejectWith(error);
    await expect(orders.cancel('7', context)).rejects.toBe(error);
    expect(notes).toEqual(note({ state: 'failed', reason: error.message }));
  });

  test('that fails with something else than an error is recorded without a reason', async () => {
    const { orders, service, notes } = await openNoting();
    service.answers.cancelOrder = rejectWith('x');
    await expect(orders.cancel('7', context)).rejects.toBe('x');
    expect(notes).toEqual(note({ state: 'failed', reason: undefined }));
  });

  test('that the rate limit held back is not recorded', async () => {
    const { orders, service, notes } = await openNoting();
    const error = failure('rate_limited');
    service.answers.cancelOrder = rejectWith(error);
    await expect(orders.cancel('7', context)).rejects.toBe(error);
    expect(notes).toEqual([]);
  });

  test('counts although it could not be recorded', async () => {
    const { orders } = await openNoting(true);
    expect(await orders.cancel('7', context)).toMatchObject({ outcome: 'requested' });
    expect(takeLog()).toEqual([]);
  });
});

test('a preview is of the order, the instrument and the price that the caller assumes', async () => {
  const { orders, service } = await openWorld();
  service.answers.listPositions = () => [];
  const market = { type: 'MARKET', ticker, side: 'BUY', quantity: '2' } as const;
  const { preview } = await orders.preview(market, instrument, context, '30');
  expect(preview).toMatchObject({ order: market, estimate: { assumed: { price: '30', value: '60.00' } }, sent: false });
  expect(service.sent).toEqual([]);
});

test('the account is that of the service, with our own orders', async () => {
  const { orders, place, clock, callOf } = await openWorld();
  await place();
  await clock.advance(1_000);
  const { snapshot, cash, findLastSent } = await orders.readAccount(callOf());
  expect([snapshot.summary, cash?.toFixed()]).toEqual([account().summary, '49796']);
  expect(findLastSent(ticker)).toEqual({ sentAt: startAt, orderId: '1001' });
});

test('an order of ours has the time when it was placed, and keeps how it ended once it was read', async () => {
  const { orders, place, list } = await openWorld();
  await place();
  expect([await orders.placedAt('1001'), await orders.placedAt('1002')]).toEqual([startAt, undefined]);
  await orders.recordEnd({ order: order({ id: '1001', status: 'CANCELLED' }), fills: [], foundIn: 'history' } as never);
  expect((await list())[0]).toMatchObject({ orderId: '1001', orderStatus: 'CANCELLED', endedAs: 'CANCELLED' });
});

test('an order can be placed and continued without options', async () => {
  const { orders, clock } = await openWorld({ settings: { approval: 'elicitation' } });
  expect(await clock.run(orders.place(buy, instrument, context))).toMatchObject({ outcome: 'pending_approval' });
  const form = { nonce: 'x', action: 'accept', confirmQuantity: '10' } as const;
  expect(await orders.continueAfterForm(buy, form, context)).toBeUndefined();
});

test('a round and the end of the background work are those of the runner', async () => {
  const { orders, clock } = await openWorld({ settings: { approval: 'terminal' } });
  expect(await orders.tick()).toBe(0);
  await orders.stop();
  expect([await orders.tick(), clock.now()]).toEqual([0, startAt]);
});

test('an order is sent under the limits of this process', async () => {
  const first = await openWorld({ settings: { approval: 'elicitation' } });
  await first.place({}, { canAsk: true });
  const [row] = await first.list();
  await first.deps.approvals.confirm({ nonce: row?.approval?.nonce ?? '', confirmQuantity: '10' });
  const processes = { self: 'second', isAlive: (owner: string) => owner !== 'test' };
  const second = await openWorld({
    beside: first,
    deps: { processes },
    limits: { maxOrderValue: '100' },
    settings: { approval: 'elicitation' },
  });
  await second.orders.tick();
  await second.clock.advance(0);
  expect((await second.list())[0]).toMatchObject({ state: 'REFUSED', rule: 'max_order_value' });
});
