/** An order that ended without a fill: its end is recorded, and the same order may be placed again. */
import { expect, test } from 'vitest';
import { noteStatus } from '../../../src/core/orders/account/find-order.ts';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';

const intent = { id: 'i', state: 'PLACED', orderId: '7', orderStatus: 'NEW' } as unknown as Intent;
const fill = { quantity: '1' };

test.each<[string, object, readonly object[], string | undefined]>([
  ['cancelled', { status: 'CANCELLED' }, [], 'CANCELLED'],
  ['rejected', { status: 'REJECTED', filledQuantity: '0' }, [], 'REJECTED'],
  ['expired', { status: 'EXPIRED', filledQuantity: '0.00' }, [], 'EXPIRED'],
  ['cancelled after a part was filled, by its quantity', { status: 'CANCELLED', filledQuantity: '0.5' }, [], undefined],
  ['a sale cancelled after a part was filled', { status: 'CANCELLED', filledQuantity: '-0.5' }, [], undefined],
  ['cancelled after a part was filled, by its fills alone', { status: 'CANCELLED' }, [fill], undefined],
  ['cancelled with a fill and a quantity of 0', { status: 'CANCELLED', filledQuantity: '0' }, [fill], undefined],
  ['filled', { status: 'FILLED', filledQuantity: '1' }, [fill], undefined],
  ['replaced: it goes on under another id', { status: 'REPLACED' }, [], undefined],
  ['still waiting', { status: 'CONFIRMED' }, [], undefined],
  ['of an unknown status', {}, [], undefined],
])('an order that was %s', async (_, order, fills, endedAs) => {
  const tx = { move: async (_id: string, _from: string, change: object) => ({ ...intent, ...change }) };
  const noted = await noteStatus(tx as never, intent, { order, fills } as never);
  expect([noted.orderStatus, noted.endedAs]).toEqual([(order as { status?: string }).status, endedAs]);
});
