/** Orders whose response was lost: found, not found, and never sent again. */
// @module-tag server
import { expect, test } from 'vitest';
import { order, posts, type Setup, setup } from '../../../support/setup.ts';

/** Places one order whose response is lost after it was booked, or before. */
async function loseOne(made: Setup, booked: boolean, args: Record<string, unknown> = order): Promise<string> {
  const endpoint = 'limitPrice' in args ? 'placeLimitOrder' : 'placeMarketOrder';
  made.simulator.faults.push({ endpoint, kind: booked ? 'resetAfterRead' : 'resetBeforeRead' });
  const { body } = await made.call('limitPrice' in args ? 'place_limit_order' : 'place_market_order', args);
  expect(body).toMatchObject({ outcome: 'unknown', message: 'The order MAY be live. Do not place it again.' });
  return body.intentId;
}

const stateOf = (made: Setup, intentId: string) =>
  made.composed.journal.read(async (tx) => (await tx.find(intentId))?.state);

/** Lets the reconciler of a server run for this long. */
async function watchFor(made: Setup, ms: number, stepMs = 2_000): Promise<void> {
  const until = made.clock.now() + ms;
  for (let look = 0; made.clock.now() < until && look < 5_000; look++) {
    await made.composed.services.orderManager.tick();
    await new Promise((resolve) => setTimeout(resolve, 1));
    await made.clock.advance(stepMs);
  }
  await made.composed.services.orderManager.stop();
}

test('an order that rests at the broker is found automatically', async () => {
  const made = await setup();
  const intentId = await loseOne(made, true);
  await watchFor(made, 20_000);
  const { body } = await made.call('get_order', { intentId });
  expect(body).toMatchObject({ outcome: 'placed', foundIn: 'pending' });
  expect(body.orderId).toBe(
    made.simulator.groundTruth().pendingOrders.find(({ ticker }) => ticker === order.ticker)?.id,
  );
});

test('an order that was filled in the meantime is found in the history', async () => {
  const made = await setup();
  const intentId = await loseOne(made, true, { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 3 });
  await made.clock.advance(5_000);
  const { body } = await made.call('get_order', { intentId, waitSeconds: 30 });
  expect(body).toMatchObject({ outcome: 'placed', status: 'FILLED' });
});

test('an order that never arrived is unknown for an hour, then probably absent, and still reported as unknown', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const intentId = await loseOne(made, false);
  await watchFor(made, 3_000_000, 8_000);
  expect(await stateOf(made, intentId)).toBe('UNKNOWN');
  const again = await setup({ beside: made });
  await watchFor(again, 1_500_000, 8_000);
  expect(await stateOf(made, intentId)).toBe('PROBABLY_ABSENT');
  const { body } = await made.call('get_order', { intentId });
  expect(body).toMatchObject({ outcome: 'unknown', message: 'The order MAY be live. Do not place it again.' });
  expect((await made.call('place_limit_order', order)).body).toMatchObject({ coalesced: true, outcome: 'unknown' });
  expect(posts(made)).toBe(1);
});

test('an unknown order blocks its ticker, but no other order and no cancellation', async () => {
  const made = await setup();
  const { body: resting } = await made.call('place_limit_order', { ...order, limitPrice: 10.5 });
  await loseOne(made, false);
  expect((await made.call('place_limit_order', { ...order, quantity: 7 })).body).toMatchObject({
    outcome: 'refused',
    rule: 'open_unknown',
  });
  expect((await made.call('cancel_order', { orderId: resting.orderId })).body.outcome).toBe('requested');
  const other = await made.call('place_market_order', { ticker: 'QVELT_US_EQ', side: 'BUY', quantity: 1 });
  expect(other.body.outcome).toBe('placed');
});

test('two unknown orders block every new one', async () => {
  const made = await setup();
  await loseOne(made, false);
  await loseOne(made, false, { ticker: 'QVELT_US_EQ', side: 'BUY', quantity: 1 });
  const third = await made.call('place_market_order', { ticker: 'QBRAMl_EQ', side: 'BUY', quantity: 1 });
  expect(third.body).toMatchObject({ outcome: 'refused', rule: 'open_unknown' });
});

test('a process that died during the send leaves an unknown order, which the next one finds', async () => {
  const dead = { self: 'dead', isAlive: () => true };
  const first = await setup({ processes: dead });
  const { body } = await first.call('place_limit_order', order);
  // Its row as it was when the process died: sent, with no response recorded.
  await first.composed.journal.change(async (tx) => {
    const row = await tx.find(body.intentId);
    await tx.move(body.intentId, 'PLACED', { ...row, state: 'SENDING', orderId: undefined, orderStatus: undefined });
  });
  const next = await setup({ beside: first, processes: { self: 'next', isAlive: (owner) => owner !== 'dead' } });
  expect((await next.call('get_order', { intentId: body.intentId })).body.outcome).toBe('unknown');
  await watchFor(next, 20_000);
  expect((await next.call('get_order', { intentId: body.intentId })).body).toMatchObject({
    outcome: 'placed',
    orderId: body.orderId,
  });
  expect(posts(first)).toBe(1);
});
