/** The record of the orders of other programs: which are noticed, once each, and for how long they count. */
import { expect, test } from 'vitest';
import type { Order } from '../../../src/catalogue/index.ts';
import {
  joinExternalOrders,
  listExternal,
  readExternalRecord,
  writeExternalRecord,
} from '../../../src/orders/account/external-record.ts';
import type { Intent } from '../../../src/orders/intent/intent.ts';
import type { Journal } from '../../../src/orders/intent/ports.ts';
import { effectiveLimits } from '../../../src/orders/intent/risk-limits.ts';
import { noteExternalOrders } from '../../../src/orders/reconcile/external-orders.ts';
import { createJournal } from '../../../src/store/journal.ts';
import { openEngine } from '../../store/support.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const startAt = Date.UTC(2026, 0, 15, 15);
const hourMs = 3_600_000;
const accountKey = 'account';

/** A pending order as the service lists it. */
const pendingOrder = (id: string, at: number) =>
  ({
    id,
    ticker: 'ABC_EQ',
    type: 'LIMIT',
    side: 'BUY',
    quantity: '4',
    limitPrice: '10',
    timeInForce: 'GOOD_TILL_CANCEL',
    initiatedFrom: 'API',
    status: 'NEW',
    createdAt: new Date(at).toISOString(),
  }) as Order;

/** An account in live, with trading enrolled long before the orders. */
async function setup() {
  const clock = createManualClock({ startAt });
  const journal = createJournal<Intent, never>(openEngine(), clock) as unknown as Journal;
  const limits = effectiveLimits('live', {}, undefined);
  await journal.change((tx) => tx.set('security', { approval: 'page', limits: {}, enrolledAt: startAt - 24 * hourMs }));
  /** Reads the pending orders; returns whether that halted trading, and lifts the halt. */
  const halts = (pending: readonly Order[]) =>
    journal.change(async (tx) => {
      const orders = pending.map((order) => ({ order }));
      const ids = new Set(pending.flatMap(({ id }) => id ?? []));
      const read = { orders, pending: ids, serviceOffsetMs: 0, now: clock.now() };
      await noteExternalOrders(tx, { environment: 'live', limits, accountKey, ...read });
      const halt = await tx.get('halt');
      await tx.set('halt', undefined);
      return halt !== undefined;
    });
  return { clock, journal, limits, halts };
}

test('150 orders that stay pending halt trading once, however old they become', async () => {
  const { clock, halts } = await setup();
  const pending = Array.from({ length: 150 }, (_, index) => pendingOrder(`p${index}`, startAt - index * 1_000));
  expect(await halts(pending)).toBe(true);
  await clock.advance(26 * hourMs);
  // A new order makes the record be written again.
  const more = [...pending, pendingOrder('new', clock.now())];
  expect(await halts(more)).toBe(true);
  expect(await halts(more)).toBe(false);
  await clock.advance(26 * hourMs);
  expect(await halts([...more, pendingOrder('newer', clock.now())])).toBe(true);
  expect(await halts(more)).toBe(false);
});

test('older orders that ended leave the record, but for the newest 100', async () => {
  const { clock, journal, halts } = await setup();
  await halts(Array.from({ length: 150 }, (_, index) => pendingOrder(`p${index}`, startAt - index * 1_000)));
  await clock.advance(26 * hourMs);
  await halts([pendingOrder('new', clock.now())]);
  const kept = (await journal.read((tx) => readExternalRecord(tx, accountKey)))?.orders.map(({ id }) => id);
  expect(kept).toEqual(['new', ...Array.from({ length: 100 }, (_, index) => `p${index}`)]);
});

test('a closed own order without an id stays an own order for as long as it is pending', async () => {
  const { clock, journal, limits, halts } = await setup();
  const { ticker = '' } = pendingOrder('own', startAt);
  const request = {
    type: 'LIMIT',
    ticker,
    side: 'BUY',
    quantity: '4',
    limitPrice: '10',
    timeValidity: 'GOOD_TILL_CANCEL',
  };
  const baseline = { askedAt: startAt, pendingIds: [], position: '0', cash: '1000', price: '10', serviceOffsetMs: 0 };
  const times = { createdAt: startAt, changedAt: startAt, sentAt: startAt, answerBy: startAt + 10_000 };
  const intent = { id: 'a'.repeat(32), kind: 'order', state: 'CLOSED', environment: 'live', accountKey, ticker };
  await journal.change((tx) =>
    tx.insert({
      ...intent,
      ...times,
      fingerprint: 'print',
      request,
      owner: 'test',
      limits,
      method: 'page',
      baseline,
    } as Intent),
  );
  const own = pendingOrder('own', startAt + 1_000);
  expect(await halts([own])).toBe(false);
  await clock.advance(90 * 24 * hourMs);
  expect(await halts([own])).toBe(false);
  expect(await halts([own, pendingOrder('equal', clock.now())])).toBe(true);
});

test('an order that is dated years ahead counts for one day', async () => {
  const { clock, journal, halts } = await setup();
  const count = async () => (await journal.read((tx) => listExternal(tx, accountKey, clock.now()))).length;
  await halts([pendingOrder('ahead', Date.UTC(2030, 0, 1))]);
  expect(await count()).toBe(1);
  await clock.advance(23 * hourMs);
  expect(await count()).toBe(1);
  await clock.advance(2 * hourMs);
  expect(await count()).toBe(0);
});

test.each([
  ['not recorded', undefined, 'left'],
  ['not read', { nextAt: 0, orders: [] }, 'left'],
  ['read', { nextAt: 0, orders: [], readAt: startAt, rest: undefined }, 'right'],
])('the watch of joined accounts goes on where it stopped: the other account was %s', async (_, right, from) => {
  const { clock, journal } = await setup();
  const rest = { from: { cursor: '7' }, at: startAt - 2_000, until: startAt - hourMs, orderId: '7' };
  const left = { nextAt: 0, orders: [], readAt: startAt - 1_000, rest };
  const joined = await journal.change(async (tx) => {
    await writeExternalRecord(tx, 'old', left);
    if (right) await writeExternalRecord(tx, accountKey, right);
    await joinExternalOrders(tx, 'old', accountKey, clock.now());
    return readExternalRecord(tx, accountKey);
  });
  expect([joined?.readAt, joined?.rest]).toEqual(from === 'left' ? [left.readAt, rest] : [startAt, undefined]);
});
