/** Cancelling the orders of a ticker, or all: each has its own outcome, through a client and the simulator. */
// @module-tag server
import { expect, test } from 'vitest';
import { order, type Setup, setup } from '../../support/setup.ts';

const prices = [10, 10.1, 10.2];

/** Three pending orders of one ticker and one of another. */
async function withOrders(): Promise<Setup> {
  const made = await setup();
  for (const limitPrice of prices) await made.call('place_limit_order', { ...order, limitPrice });
  const { body } = await made.call('list_positions', { ticker: 'QBRAMl_EQ' });
  const price = Number(body.rows[0][body.columns.indexOf('currentPrice')]);
  // Within the distance that the rules allow, and too low to be filled.
  await made.call('place_limit_order', { ...order, ticker: 'QBRAMl_EQ', limitPrice: Math.floor(price * 0.85) });
  return made;
}

const outcomes = (body: { columns: string[]; rows: unknown[][] }) =>
  body.rows.map((row) => row[body.columns.indexOf('outcome')]);
const pendingIn = ({ simulator }: Setup) => simulator.groundTruth().pendingOrders.map(({ ticker }) => ticker);

test('all pending orders of a ticker are cancelled, and no other', async () => {
  const made = await withOrders();
  const { body } = await made.call('cancel_order', { ticker: order.ticker });
  expect([body.outcome, outcomes(body)]).toEqual(['requested', ['requested', 'requested', 'requested']]);
  expect(body.message).toBe('Cancellation of 3 orders: 3 requested. A requested one may still fill.');
  await made.clock.advance(60_000);
  expect(pendingIn(made)).toEqual(['QBRAMl_EQ']);
});

test('all means every order; one that cannot be cancelled does not keep the others', async () => {
  const made = await withOrders();
  made.simulator.faults.push({ endpoint: 'cancelOrder', kind: 'status', status: 403 });
  const { body } = await made.call('cancel_order', { all: true });
  expect([body.outcome, outcomes(body).toSorted()]).toEqual([
    'failed',
    ['failed', 'requested', 'requested', 'requested'],
  ]);
  expect(body.next).toBe('Call cancel_order again with the same arguments: cancelling again is safe.');
  const again = await made.call('cancel_order', { all: 'true' });
  expect(again.body.outcome).toBe('requested');
  await made.clock.advance(60_000);
  expect(pendingIn(made)).toEqual([]);
  expect((await made.call('cancel_order', { all: true })).body).toMatchObject({
    outcome: 'already_done',
    message: 'No order is pending.',
  });
});

test.each([[{}], [{ all: false }], [{ orderId: '7', all: true }], [{ ticker: order.ticker, all: true }]])(
  '%j is refused before anything is sent',
  async (args) => {
    const made = await setup();
    expect((await made.call('cancel_order', args)).body).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('Give orderId, ticker or all: true'),
    });
    expect(made.simulator.log).toEqual([]);
  },
);

test('a ticker that does not exist is not taken for one without orders', async () => {
  const made = await setup();
  expect((await made.call('cancel_order', { ticker: 'NOSUCH_EQ' })).body.code).toBe('unknown_ticker');
});
