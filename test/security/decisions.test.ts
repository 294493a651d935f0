/** One ticket, one decision: decisions that the page gets too late, twice, or for another order than shown. */
// @module-tag server
import { expect, test } from 'vitest';
import { sendTo } from '../core/approval/page/support.ts';
import { look, press } from './page.ts';
import { attack, expectNothingLeft, letItGoOn, ordersThatLeft, tamper, waitingOrder } from './support.ts';

test('the right passphrase after the ticket expired sends nothing', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  await attacked.clock.advance(120_000);
  await press(address, { shown });
  await expectNothingLeft(attacked);
  expect((await attacked.intents())[0]).toMatchObject({ state: 'EXPIRED' });
});

test('the right passphrase after a rejection sends nothing', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  await press(address, { shown, fields: { action: 'reject', passphrase: '' } });
  await press(address, { shown });
  await expectNothingLeft(attacked);
  expect((await attacked.intents())[0]).toMatchObject({ state: 'DECLINED' });
});

test('the status says of an order that was approved and not sent yet that it was approved', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const read = async () => (await attacked.call('get_server_status')).intents;
  expect((await read())[0]).not.toHaveProperty('approved');
  await press(address, { shown: await look(address) });
  expect(await read()).toMatchObject([{ outcome: 'pending_approval', approved: true }]);
});

test('approved twice in a row, one order is sent', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  await press(address, { shown });
  await letItGoOn(attacked);
  await press(address, { shown });
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('approved ten times concurrently, one order is sent', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  await Promise.all(Array.from({ length: 10 }, () => press(address, { shown })));
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('approved and rejected concurrently, the order is sent at most once, and the row records which', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  await Promise.all([press(address, { shown }), press(address, { shown, fields: { action: 'reject' } })]);
  await letItGoOn(attacked);
  const [intent] = await attacked.intents();
  expect(ordersThatLeft(attacked.simulator).length).toBe(intent?.state === 'PLACED' ? 1 : 0);
});

test('the approval of one order does not release its twin of another price', async () => {
  const attacked = await attack();
  const first = await waitingOrder(attacked);
  const twin = await waitingOrder(attacked, { limitPrice: 11.6 });
  await press(first.address);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ limitPrice: 11.5 }]);
  expect((await attacked.intents()).find(({ id }) => id === twin.intentId)?.state).toBe('AWAITING_APPROVAL');
});

test('a form that names another intent approves only the one that it shows', async () => {
  const attacked = await attack();
  const [first, second] = [await waitingOrder(attacked), await waitingOrder(attacked, { quantity: 50 })];
  const { intentId, handle, nonce } = second;
  await press(first.address, { fields: { intentId, handle, nonce, quantity: '50' } });
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 2 }]);
});

test('a ticket that changed after it was shown is not approved by the form on the screen', async () => {
  const attacked = await attack();
  const { address, intentId } = await waitingOrder(attacked);
  const shown = await look(address);
  await tamper(attacked, intentId, ({ approval, ...intent }) => ({
    ...intent,
    approval: approval && { ...approval, digest: 'f'.repeat(64) },
  }));
  await press(address, { shown });
  await expectNothingLeft(attacked);
});

test('a ticket whose digest does not match its order cannot be approved', async () => {
  const attacked = await attack();
  const { address, intentId } = await waitingOrder(attacked);
  await tamper(attacked, intentId, (intent) => ({ ...intent, request: { ...intent.request, quantity: '50' } }));
  const { headers } = await press(address);
  expect(String(headers['set-cookie'])).toContain('changed');
  await expectNothingLeft(attacked);
});

test('the page outlives its order: it shows the outcome, and accepts no further decision', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  const shown = await look(address);
  await press(address, { shown });
  await letItGoOn(attacked);
  expect((await look(address)).text).toContain('Placed');
  expect((await look(address)).csrf).toBe('');
  await press(address, { shown });
  await attacked.clock.advance(25 * 3_600_000);
  expect((await sendTo(address, {})).status).toBe(404);
  await press(address, { shown });
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('a flood of refused orders hides no ticket from the owner', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  for (let more = 0; more < 210; more++) await attacked.call('place_limit_order', floodOrder(more));
  // The ticket, ten refusals of one minute, and one row that counts the other 200.
  const intents = await attacked.intents();
  expect(intents.length).toBe(12);
  expect(intents.flatMap(({ times }) => times ?? []).reduce((sum, times) => sum + times, 0)).toBe(210);
  expect((await look(address)).text).toContain('Approve and buy');
});

/** Above the largest value, so it is refused without an approval. */
const floodOrder = (more: number) => ({
  ticker: 'QNOON_GB_EQ',
  side: 'BUY',
  quantity: 500 + more,
  limitPrice: 11.5,
  timeValidity: 'DAY',
});
