/** The record of the orders of other programs: which are noticed, once each, and for how long they count. */
import { describe, expect, test } from 'vitest';
import type { Order } from '../../../../src/core/endpoints/index.ts';
import {
  type ExternalOrder,
  type ExternalRecord,
  joinExternalOrders,
  keepNewest,
  listExternal,
  readExternalRecord,
  writeExternalRecord,
} from '../../../../src/core/orders/account/external-record.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { noteExternalOrders } from '../../../../src/core/orders/reconcile/external-orders.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openAuditedJournal } from '../reconcile/audited-journal.ts';

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
  const { journal } = await openAuditedJournal(clock);
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

const dayMs = 24 * hourMs;

test('what is known of an account is kept under its name', async () => {
  const { journal } = await setup();
  const record = { nextAt: 7, orders: [{ id: '1', at: startAt }] };
  await journal.change((tx) => writeExternalRecord(tx, 'a', record));
  expect(await journal.read((tx) => tx.get('external orders of a'))).toEqual(record);
  expect(await journal.read((tx) => readExternalRecord(tx, 'a'))).toEqual(record);
  expect(await journal.read((tx) => readExternalRecord(tx, 'b'))).toBeUndefined();
});

describe('the orders of other programs that count in the limits', () => {
  const list = async (...orders: readonly object[]) => {
    const { journal } = await setup();
    await journal.change((tx) =>
      writeExternalRecord(tx, accountKey, { nextAt: 0, orders: orders as readonly ExternalOrder[] }),
    );
    return journal.read((tx) => listExternal(tx, accountKey, startAt));
  };

  test('are none where nothing is recorded', async () => {
    const { journal } = await setup();
    expect(await journal.read((tx) => listExternal(tx, accountKey, startAt))).toEqual([]);
  });

  test.each<[string, number, number | undefined]>([
    ['are those of less than a day ago', startAt - dayMs + 1, startAt - dayMs + 1],
    ['are not those of a day ago', startAt - dayMs, undefined],
    ['are those dated less than a day ahead, as placed now', startAt + dayMs - 1, startAt],
    ['are not those dated a day ahead', startAt + dayMs, undefined],
  ])('%s', async (_, at, expected) => {
    const order = { id: '1', value: '5' };
    expect(await list({ ...order, at })).toEqual(expected === undefined ? [] : [{ ...order, at: expected }]);
  });

  test.each([
    ['time', { at: null, value: '5' }, { at: startAt, value: '5' }],
    ['value', { at: startAt - 1, value: 'much' }, { at: startAt - 1, value: undefined }],
    ['value, which is negative', { at: startAt - 1, value: '-5' }, { at: startAt - 1, value: undefined }],
  ])('are those as of now or of unknown value that have no readable %s', async (_, stored, expected) => {
    expect(await list({ id: '1', ...stored })).toEqual([{ id: '1', ...expected }]);
  });
});

describe('when two accounts become one', () => {
  const order = (id: string, at = startAt, value?: string): ExternalOrder => ({
    id,
    at,
    ...(value !== undefined && { value }),
  });
  /** The record of the account that is kept, after one was joined to it; none stands for an account without one. */
  async function join(left: ExternalRecord | undefined, right: ExternalRecord | undefined) {
    const { journal } = await setup();
    return journal.change(async (tx) => {
      if (left) await writeExternalRecord(tx, 'old', left);
      if (right) await writeExternalRecord(tx, accountKey, right);
      await joinExternalOrders(tx, 'old', accountKey, startAt);
      expect(await readExternalRecord(tx, 'old')).toBeUndefined();
      return readExternalRecord(tx, accountKey);
    });
  }

  test('the record of the other one stays as it is where this one has none', async () => {
    expect(await join(undefined, undefined)).toBeUndefined();
    const right = { nextAt: 9, since: 5, orders: [order('2', startAt - 2 * dayMs, '3'), order('1')] };
    expect(await join(undefined, right)).toEqual(right);
  });

  test('the orders of both are kept once each, newest first, and the record of the kept account is the newer one', async () => {
    const left = { nextAt: 8, orders: [order('1', startAt - 1), order('2', startAt - 3)] };
    const right = { nextAt: 9, orders: [order('2', startAt - 3, '5'), order('3', startAt - 2)] };
    expect(await join(left, right)).toMatchObject({
      nextAt: 9,
      orders: [order('1', startAt - 1), order('3', startAt - 2), order('2', startAt - 3, '5')],
    });
  });

  test.each<[string, number | undefined, number | undefined, number | undefined]>([
    ['the one of the account that is kept', 3, 4, 4],
    ['the one of the other account', 3, undefined, 3],
    ['unlimited', undefined, undefined, undefined],
  ])('the start of the watch is %s', async (_, left, right, expected) => {
    const record = { nextAt: 0, orders: [] };
    expect((await join({ ...record, since: left }, { ...record, since: right }))?.since).toBe(expected);
  });

  test('the history may be read at once where the kept account has no record', async () => {
    expect((await join({ nextAt: 8, orders: [order('1')] }, undefined))?.nextAt).toBe(0);
  });

  test('an old order is kept beyond the newest 100 exactly if it is not known to have ended', async () => {
    const old = Array.from({ length: 102 }, (_, index) => order(`p${index}`, startAt - dayMs - index, '5'));
    const orders = old.map((one, index) => (index === 101 ? { ...one, value: undefined } : one));
    const kept = await join({ nextAt: 0, orders }, undefined);
    expect(kept?.orders.map(({ id }) => id)).toEqual([...orders.slice(0, 100).map(({ id }) => id), 'p101']);
  });
});

describe('of many orders', () => {
  /** Orders with known values from the newest on. */
  const orders = (count: number, newestAt: number): ExternalOrder[] =>
    Array.from({ length: count }, (_, index) => ({ id: `${newestAt - index}`, at: newestAt - index, value: '5' }));
  const recent = (count: number) => orders(count, startAt);
  const older = (count: number) => orders(count, startAt - dayMs);
  const keep = (list: readonly ExternalOrder[], pending?: ReadonlySet<string>) => keepNewest(list, startAt, pending);

  test('the newest 2,000 of the last day and the newest 100 before it are kept', () => {
    const [day, before] = [recent(2_001), older(101)];
    expect(keep([...before, ...day])).toEqual([...day.slice(0, 2_000), ...before.slice(0, 100)]);
  });

  test('one that is 24 hours old is not of the last day', () => {
    const [ofADay = { id: '', at: 0 }, ...before] = older(101);
    expect(keep([...before, ofADay])).toEqual([ofADay, ...before.slice(0, 99)]);
    const younger = { ...ofADay, at: ofADay.at + 1 };
    expect(keep([...before, younger])).toEqual([younger, ...before]);
  });

  test('those that are pending stay beyond that, whatever their value', () => {
    const day = recent(2_002);
    const pending = new Set([day[2_001]?.id ?? '']);
    expect(keep(day, pending)).toEqual([...day.slice(0, 2_000), day[2_001]]);
    const unknown = day.map((order) => ({ ...order, value: undefined }));
    expect(keep(unknown, pending)).toEqual([...unknown.slice(0, 2_000), unknown[2_001]]);
  });

  test('those of unknown value stay beyond that where the pending orders were not read', () => {
    const unknown = older(102).map((order, index) => (index === 101 ? { ...order, value: undefined } : order));
    expect(keep(unknown)).toEqual([...unknown.slice(0, 100), unknown[101]]);
  });
});
