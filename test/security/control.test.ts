/** Positive controls: with the passphrase an order is sent, so the attacks fail for the right reason. */
// @module-tag server
import { expect, test } from 'vitest';
import { look, press } from './page.ts';
import { attack, letItGoOn, marketOrder, order, ordersThatLeft, passphrase, waitingOrder } from './support.ts';

test('with the right passphrase on the page exactly one order is sent, and exactly the one that was shown', async () => {
  const attacked = await attack();
  const { address, intentId } = await waitingOrder(attacked);
  const shown = await look(address);
  expect(shown.text).toMatch(/LIVE/);
  expect(shown.text).toMatch(/Noonvik Utilities/);
  const answer = await press(address, { shown });
  expect(answer.status).toBe(303);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toEqual([
    { ticker: order.ticker, quantity: 2, limitPrice: 11.5, timeValidity: 'DAY' },
  ]);
  const [intent, ...others] = await attacked.intents();
  expect(others).toEqual([]);
  expect(intent).toMatchObject({ id: intentId, state: 'PLACED', approval: { by: 'page' } });
  expect((await attacked.call('get_order', { intentId })).outcome).toBe('placed');
});

test.each([
  ['place_market_order', marketOrder, { ticker: order.ticker, quantity: 2, extendedHours: false }],
  [
    'place_market_order',
    { ...marketOrder, side: 'SELL' },
    { ticker: order.ticker, quantity: -2, extendedHours: false },
  ],
  [
    'place_stop_order',
    { ...marketOrder, stopPrice: 12.5, timeValidity: 'DAY' },
    { ticker: order.ticker, quantity: 2, stopPrice: 12.5, timeValidity: 'DAY' },
  ],
  [
    'place_stop_limit_order',
    { ...marketOrder, stopPrice: 12.5, limitPrice: 12.6, timeValidity: 'DAY' },
    { ticker: order.ticker, quantity: 2, stopPrice: 12.5, limitPrice: 12.6, timeValidity: 'DAY' },
  ],
])('%s is sent once with exactly these fields when its owner approves', async (tool, args, wire) => {
  const attacked = await attack();
  await press((await waitingOrder(attacked, args, tool)).address);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toEqual([wire]);
});

test('a waiting call returns the order as soon as the owner approves', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  // A host that cannot open addresses waits inside the call.
  const plain = await attacked.host({});
  const waiting = plain.call('place_limit_order', order);
  await press(address);
  expect((await waiting).outcome).toMatch(/placed|pending_approval/);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('in the terminal the passphrase releases the same one order', async () => {
  const attacked = await attack();
  const { intentId, digest } = await waitingOrder(attacked);
  const { approvals } = attacked.composed.services;
  expect(await approvals.approve({ intentId, digest, passphrase, channel: 'terminal' })).toEqual({ kind: 'approved' });
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});
