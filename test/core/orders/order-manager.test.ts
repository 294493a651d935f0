/** Orders through a client, over real HTTP, with the other side misbehaving. */
// @module-tag server

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { openDatabase } from '../../../src/core/store/sqlite/binding.ts';
import type { Fault } from '../../../src/simulator/index.ts';
import { takeLog } from '../../support/faults.ts';
import { order, setup } from '../../support/setup.ts';

const posts = (requests: string[]) => requests.filter((id) => id === 'placeLimitOrder').length;

/** One of each kind: test/core/broker/place-order.test.ts has all broken responses, and classify.test.ts all statuses. */
const lost: [string, 'booked' | 'not booked', Omit<Fault, 'endpoint'>][] = [
  ['the connection is reset before the request is read', 'not booked', { kind: 'resetBeforeRead' }],
  ['the answer has no order id', 'booked', { kind: 'orderWithoutId' }],
  ['the service fails after booking', 'booked', { kind: 'statusAfterApply', status: 500 }],
];

test.each(lost)('when %s the outcome is unknown after one request, and the order is %s', async (_, booked, fault) => {
  const { call, simulator, requests } = await setup();
  simulator.faults.push({ endpoint: 'placeLimitOrder', ...fault } as Fault);
  const { isError, body } = await call('place_limit_order', order);
  expect(isError).toBe(false);
  expect(body.outcome).toBe('unknown');
  expect(body.message).toBe('The order MAY be live. Do not place it again.');
  expect(body.next).toBe('Call get_order with this intentId.');
  expect(posts(requests())).toBe(1);

  const later = await call('get_order', { intentId: body.intentId });
  const mine = simulator.groundTruth().pendingOrders.filter(({ ticker }) => ticker === order.ticker);
  expect(mine.length).toBe(booked === 'booked' ? 1 : 0);
  if (booked === 'booked') {
    expect(later.body).toMatchObject({ outcome: 'placed', intentId: body.intentId, orderId: mine[0]?.id });
  } else {
    expect(later.body).toMatchObject({ outcome: 'unknown', message: 'The order MAY be live. Do not place it again.' });
    // The ticker takes no new order, and the same one is reported as unknown.
    expect((await call('place_limit_order', order)).body).toMatchObject({ outcome: 'unknown', coalesced: true });
    expect((await call('place_limit_order', { ...order, quantity: 3 })).body).toMatchObject({
      outcome: 'refused',
      rule: 'open_unknown',
    });
  }
  expect(posts(requests())).toBe(1);
});

test('when the echo differs the order is placed and the difference is reported', { tags: ['slow'] }, async () => {
  const { call, simulator } = await setup();
  simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'alteredEcho' });
  const { body } = await call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'placed', mismatch: ['quantity'] });
});

test('when the connection is refused the order was provably not sent', async () => {
  const { call, simulator, requests } = await setup();
  await call('search_instruments', { query: 'QNOON_GB_EQ' });
  await simulator.close();
  const { body } = await call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'not_sent' });
  expect(body.orderId).toBeUndefined();
  expect(posts(requests())).toBe(0);
});

test('a refusal for the rate is retried once after the wait, with the same intent', async () => {
  const { call, simulator, requests } = await setup();
  simulator.inject.foreignUse('placeLimitOrder', 1);
  const { body } = await call('place_limit_order', order);
  expect(body.outcome).toBe('placed');
  expect(posts(requests())).toBe(2);
  expect(simulator.groundTruth().pendingOrders.filter(({ ticker }) => ticker === order.ticker).length).toBe(1);
});

test('a rejection by the broker keeps its code', async () => {
  const { call } = await setup();
  const { body } = await call('place_limit_order', { ...order, quantity: 1.000001 });
  expect(body).toMatchObject({ outcome: 'rejected', brokerCode: 'quantity-precision-mismatch' });
  expect(body.orderId).toBeUndefined();
});

test.each([401, 403])('a rejection with %i has the same next step as that of a read', async (status) => {
  const { call, simulator, composed } = await setup();
  const context = { priority: 'read', deadlineAt: composed.services.clock.now() + 20_000 } as const;
  await call('search_instruments', { query: order.ticker });
  simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'status', status });
  const { body } = await call('place_limit_order', order);
  expect(body.outcome).toBe('rejected');
  simulator.faults.push({ endpoint: 'listPies', kind: 'status', status });
  const ofRead = composed.services.broker.call(endpoints.listPies, {}, context);
  await expect(ofRead).rejects.toMatchObject({ facts: { status }, next: body.next });
});

test('orders of one account are sent one after the other', async () => {
  const { call, simulator } = await setup();
  const market = { ticker: order.ticker, side: 'BUY', quantity: 1 };
  const answers = await Promise.all([1, 2, 3].map((quantity) => call('place_market_order', { ...market, quantity })));
  expect(answers.map(({ body }) => body.outcome)).toEqual(['placed', 'placed', 'placed']);
  expect(new Set(answers.map(({ body }) => body.orderId)).size).toBe(3);
  expect(simulator.log.filter((request) => request.refused).length).toBe(0);
});

test('a second cancellation reports that it is already done', { tags: ['slow'] }, async () => {
  const { call } = await setup();
  const { body: placed } = await call('place_limit_order', order);
  expect((await call('cancel_order', { orderId: placed.orderId })).body).toMatchObject({ outcome: 'requested' });
  expect((await call('get_order', { orderId: placed.orderId, waitSeconds: 20 })).body.status).toBe('CANCELLED');
  expect((await call('cancel_order', { orderId: placed.orderId })).body).toMatchObject({
    outcome: 'already_done',
    status: 'CANCELLED',
  });
});

test('a cancellation whose response is lost is repeated, at most three times', { tags: ['slow'] }, async () => {
  const { call, simulator, requests } = await setup();
  const { body: placed } = await call('place_limit_order', order);
  simulator.faults.push({ endpoint: 'cancelOrder', kind: 'resetBeforeRead', times: 5 });
  const { body } = await call('cancel_order', { orderId: placed.orderId });
  expect(body.outcome).toBe('unknown');
  expect(requests().filter((id) => id === 'cancelOrder').length).toBe(3);
});

test('a pie whose response is lost is found by listing, and not created twice', async () => {
  const { call, simulator, requests } = await setup();
  simulator.faults.push({ endpoint: 'createPie', kind: 'resetAfterRead' });
  const { body } = await call('create_pie', { name: 'Once', instrumentShares: { QNOON_GB_EQ: 1 } });
  expect(body).toMatchObject({ outcome: 'done', message: expect.stringContaining('a search found the result') });
  expect((await call('get_pie', { pieId: body.result.id })).body.pie.settings.name).toBe('Once');
  expect(requests().filter((id) => id === 'createPie').length).toBe(1);
});

test('a pie whose request was lost stays unknown, and the same create is not sent again', async () => {
  const { call, simulator, requests } = await setup();
  simulator.faults.push({ endpoint: 'createPie', kind: 'resetBeforeRead' });
  const pie = { name: 'Once', instrumentShares: { QNOON_GB_EQ: 1 } };
  expect((await call('create_pie', pie)).body.outcome).toBe('unknown');
  expect((await call('create_pie', pie)).body).toMatchObject({ outcome: 'unknown', coalesced: true });
  expect(requests().filter((id) => id === 'createPie').length).toBe(1);
});

test('a preview sends no order and warns of risks', async () => {
  const { call, simulator } = await setup({ startAt: Date.UTC(2026, 0, 17, 12) });
  const stop = { type: 'STOP', ticker: 'QNOON_GB_EQ', side: 'SELL', quantity: 1, stopPrice: 900, timeValidity: 'DAY' };
  const wrongSide = (await call('preview_order', stop)).body;
  expect(wrongSide.warnings.join(' ')).toContain('trigger immediately');
  expect(wrongSide.passes).toBe(false);

  const pence = { type: 'MARKET', ticker: 'QBRAMl_EQ', side: 'BUY', quantity: 10 };
  const closed = (await call('preview_order', pence)).body;
  expect(closed.warnings.join(' ')).toMatch(/pence/);
  expect(closed.warnings.join(' ')).toMatch(
    /is closed\. It opens 19 Jan 08:00.*\. The order waits at the broker until then/,
  );
  expect(closed.estimate.rateFrom).toBe('pence');
  expect(simulator.log.filter((request) => request.method !== 'GET')).toEqual([]);
});

test('a preview reads the account again after an order of our own', { tags: ['slow'] }, async () => {
  const { call, clock, requests } = await setup();
  const preview = { type: 'LIMIT', ...order };
  const { body: before } = await call('preview_order', preview);
  await call('place_limit_order', order);
  const reads = () => requests().filter((id) => id === 'listPendingOrders').length;
  const earlier = reads();
  await clock.advance(1_000);
  const { body } = await call('preview_order', preview);
  expect([body.pendingOnTicker, reads() - earlier]).toEqual([1, 1]);
  expect(body.warnings).toEqual(before.warnings);
});

test('a preview marks figures that may be older than an order of our own', { tags: ['slow'] }, async () => {
  const { call, clock } = await setup({ quirks: { reservedLateMs: 60_000, unreadableOrderMs: 60_000 } });
  const preview = { type: 'LIMIT', ...order };
  const { body: before } = await call('preview_order', preview);
  await call('place_limit_order', order);
  const { body } = await call('preview_order', preview);
  // As the rule counts it: the list of the broker does not have the order yet.
  expect([body.pendingOnTicker, body.warnings.length - before.warnings.length]).toEqual([1, 1]);
  await clock.advance(61_000);
  const { body: later } = await call('preview_order', preview);
  expect([later.pendingOnTicker, later.warnings]).toEqual([1, before.warnings]);
});

test('a sale of more than the free shares names the largest quantity', { tags: ['slow'] }, async () => {
  const { call, simulator } = await setup();
  const held = simulator.groundTruth().positions.find(({ ticker }) => ticker === 'QNOON_GB_EQ');
  const { body } = await call('preview_order', {
    type: 'MARKET',
    ticker: 'QNOON_GB_EQ',
    side: 'SELL',
    quantity: 9_000,
  });
  expect(body.checks[0]).toMatchObject({ check: 'shares', ok: false });
  expect(body.checks[0].detail).toContain(String(held?.quantity));
});

test('an order whose process died before the send blocks nothing and can be placed again', async () => {
  const first = await setup({ processes: { self: 'dead', isAlive: () => true } });
  const { body } = await first.call('place_limit_order', order);
  await first.call('cancel_order', { orderId: body.orderId });
  // The row as it was when the process died: accepted by the rules, and not sent.
  await first.composed.journal.change(async (tx) => {
    await tx.move(body.intentId, 'PLACED', {
      state: 'APPROVED',
      sentAt: undefined,
      orderId: undefined,
      createdAt: first.clock.now(),
    });
  });
  const next = await setup({ beside: first, processes: { self: 'next', isAlive: (owner) => owner !== 'dead' } });
  const again = await next.call('place_limit_order', order);
  expect(again.body).toMatchObject({ outcome: 'placed' });
  expect(again.body.intentId).not.toBe(body.intentId);
  expect((await next.call('get_order', { intentId: body.intentId })).body).toMatchObject({ outcome: 'expired' });
});

test('an unexpected failure before the send is reported as not_sent, and is not an error to retry', async () => {
  const { call, stateDir, requests } = await setup();
  await call('get_server_status');
  const db = await openDatabase(join(stateDir, 'store.sqlite'));
  db.exec(
    "CREATE TRIGGER odd BEFORE UPDATE ON intents WHEN NEW.state = 'SENDING' BEGIN SELECT RAISE(ABORT, 'odd'); END",
  );
  db.close();
  const { isError, body } = await call('place_limit_order', order);
  expect(isError).toBe(false);
  expect(body).toMatchObject({ outcome: 'not_sent', reason: expect.stringContaining('error of its own') });
  expect(posts(requests())).toBe(0);
  expect(takeLog()).toMatchObject([{ event: 'fault', task: 'send an order', code: 'ERR_SQLITE_ERROR' }]);
});

test('a repeated order that was filled has nothing to follow', async () => {
  const { call, clock } = await setup();
  const market = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1 };
  const { body: placed } = await call('place_market_order', market);
  await clock.advance(10_000);
  const { body: filled } = await call('place_market_order', market);
  expect(filled).toMatchObject({ coalesced: true, status: 'FILLED', next: expect.stringContaining('repeatOf') });
  expect([placed.next.includes('to the fill'), filled.next.includes('to the fill')]).toEqual([true, false]);
});

test('the check of the shares says how many are in pies', { tags: ['slow'] }, async () => {
  const { call, simulator } = await setup();
  const pied = simulator.groundTruth().positions.find(({ quantityInPies }) => Number(quantityInPies) > 0);
  const { body } = await call('preview_order', { type: 'MARKET', ticker: pied?.ticker, side: 'SELL', quantity: 9_000 });
  const said = `${pied?.quantityInPies} of the shares held are in pies`;
  expect(body.checks.find(({ check }: { check: string }) => check === 'shares').detail).toContain(said);
  expect(body.checks.find(({ check }: { check: string }) => check === 'rules').detail).toBeTruthy();
});
