/** A leg of a draft takes the path of a single order. */
import { expect, test } from 'vitest';
import type { LegOrder } from '../../../../src/core/orders/place-order.ts';
import { buy } from '../risk/example-account.ts';
import {
  addSubmission,
  context,
  instrument,
  openWorld,
  order,
  placed,
  rejectWith,
  startAt,
  type WorldOptions,
} from './world.ts';

async function open(options: WorldOptions = {}) {
  const world = await openWorld(options);
  await addSubmission(world.journal);
  const leg: LegOrder = {
    request: buy,
    instrument,
    repeatOf: undefined,
    turn: { reference: { submissionId: 's', number: 1 }, accountSince: undefined, requireTurn: async () => undefined },
  };
  const placeLeg = (change: Partial<LegOrder> = {}) =>
    world.clock.run(world.orders.placeLeg({ ...leg, ...change }, context));
  return { ...world, leg, placeLeg };
}

test('a leg is sent, and its intent is returned as it is then', async () => {
  const { placeLeg, service } = await open();
  const intent = await placeLeg();
  expect(intent).toMatchObject({ state: 'PLACED', orderId: '1001', leg: { submissionId: 's', number: 1 } });
  expect(intent.id).toMatch(/^[0-9a-f]{32}$/);
  expect(service.sent.map(({ body, intentId }) => [body, intentId])).toEqual([
    [{ ticker: buy.ticker, quantity: 10, limitPrice: 20, timeValidity: 'DAY' }, intent.id],
  ]);
});

test('a leg that a rule refuses is not sent', async () => {
  const { placeLeg, service } = await open({ limits: { maxOrderValue: '100' } });
  expect(await placeLeg()).toMatchObject({ state: 'REFUSED', rule: 'max_order_value' });
  expect(service.sent).toEqual([]);
});

test('a leg that equals another order is not sent, and that order is returned', async () => {
  const { placeLeg, service, insert } = await open();
  await insert(placed());
  service.pending.push(order());
  expect(await placeLeg()).toEqual({ ...placed(), orderStatus: 'NEW' });
  expect(service.sent).toEqual([]);
});

test('a leg that equals an order which another call has just approved leaves that to the other call', async () => {
  const { placeLeg, service, insert } = await open();
  await insert({ ...placed(), orderId: undefined, sentAt: undefined, state: 'APPROVED', createdAt: startAt });
  expect(await placeLeg()).toMatchObject({ id: placed().id, state: 'APPROVED' });
  expect(service.sent).toEqual([]);
});

test('a leg repeats another order on purpose', async () => {
  const { placeLeg, service, insert } = await open();
  await insert(placed());
  expect(await placeLeg({ repeatOf: placed().id })).toMatchObject({ state: 'PLACED', repeatOf: placed().id });
  expect(service.sent.length).toBe(1);
});

test('a leg whose turn is over throws, and is not sent', async () => {
  const { placeLeg, leg, service, list } = await open();
  const error = new Error('over');
  await expect(placeLeg({ turn: { ...leg.turn, requireTurn: rejectWith(error) } })).rejects.toBe(error);
  expect([service.sent, await list()]).toEqual([[], []]);
});
