/**
 * Every endpoint of the catalogue, called through an MCP client; the results are compared with the simulator's books,
 * and each request with the specification.
 */
// @module-tag server
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { allHarmlessQuirks, type Quirks } from '../../../src/simulator/testing/quirks.ts';
import { checkRequest } from '../../support/request-contract.ts';
import { type Setup, setup } from '../../support/setup.ts';

const column = (body: { columns: string[]; rows: unknown[][] }, name: string) => {
  const at = body.columns.indexOf(name);
  return body.rows.map((row) => row[at]);
};

/** One walk through everything; returns the endpoints that the simulator saw. */
async function callEverything(quirks: Partial<Quirks>): Promise<{ seen: Set<string>; refused: number; setup: Setup }> {
  const made = await setup({ quirks });
  const { call, simulator } = made;
  const ok = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await call(name, args);
    expect(answer.isError, `${name}: ${JSON.stringify(answer.body)}`).toBe(false);
    expect(answer.structured).toEqual(answer.body);
    expect(answer.body.env).toBe('demo');
    expect(Date.parse(answer.body.asOf)).toBeLessThanOrEqual(made.clock.now());
    return answer.body;
  };

  const summary = await ok('get_account_summary');
  const books = simulator.groundTruth();
  expect(summary.currency).toBe('GBP');
  expect(new Big(summary.cash.availableToTrade).eq(books.cash.available)).toBe(true);

  const positions = await ok('list_positions');
  expect(positions.positions).toBe(books.positions.length);
  expect(column(positions, 'ticker').toSorted()).toEqual(books.positions.map(({ ticker }) => ticker).toSorted());

  const found = await ok('search_instruments', { query: 'Noonvik Utilities' });
  expect(column(found, 'ticker')).toEqual(['QNOON_GB_EQ']);
  const hours = await ok('list_exchanges', { ticker: 'QNOON_GB_EQ' });
  expect(column(hours, 'openNow')).toEqual([true]);

  const common = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2 };
  const limit = await ok('place_limit_order', { ...common, limitPrice: 10, timeValidity: 'GOOD_TILL_CANCEL' });
  const stop = await ok('place_stop_order', { ...common, stopPrice: 13.5, timeValidity: 'DAY' });
  const stopLimit = await ok('place_stop_limit_order', {
    ...common,
    stopPrice: 13.5,
    limitPrice: 13.8,
    timeValidity: 'DAY',
  });
  const market = await ok('place_market_order', common);
  for (const placed of [limit, stop, stopLimit, market]) {
    expect(placed.outcome, JSON.stringify(placed)).toBe('placed');
    expect(placed.mismatch).toBeUndefined();
    expect(placed.intentId).toMatch(/^[0-9a-f]{32}$/);
    expect(placed.orderId).toMatch(/^\d+$/);
  }
  const pending = await ok('list_orders', { ticker: 'QNOON_GB_EQ' });
  expect(column(pending, 'id')).toEqual(expect.arrayContaining([limit.orderId, stop.orderId, stopLimit.orderId]));

  expect(await ok('cancel_order', { orderId: limit.orderId })).toMatchObject({ outcome: 'requested' });
  const cancelled = await ok('get_order', { orderId: limit.orderId, waitSeconds: 20 });
  expect(cancelled).toMatchObject({ status: 'CANCELLED', final: true });
  const filled = await ok('get_order', { intentId: market.intentId, waitSeconds: 20 });
  expect(filled).toMatchObject({ status: 'FILLED', orderId: market.orderId });
  expect(new Big(filled.fills[0].quantity).eq(2)).toBe(true);

  /** Every row of a history, by following nextCursor. */
  const wholeHistory = async (kind: string, name: string) => {
    const values: unknown[] = [];
    let cursor: string | undefined;
    do {
      const answer = await ok('fetch_history', { kind, limit: 500, waitSeconds: 50, ...(cursor ? { cursor } : {}) });
      values.push(...column(answer, name));
      cursor = answer.nextCursor;
      if (!cursor) expect(answer.complete).toBe(true);
    } while (cursor);
    return values;
  };

  const amounts = await wholeHistory('dividends', 'amount');
  expect(amounts.length).toBe(simulator.groundTruth().dividends.length);
  const sum = amounts.reduce((total: Big, amount) => total.plus(amount as string), new Big(0));
  const booked = simulator.groundTruth().dividends.reduce((total, row) => total.plus(row.amount), new Big(0));
  expect(sum.toFixed()).toBe(booked.toFixed());
  expect((await wholeHistory('transactions', 'amount')).length).toBe(simulator.groundTruth().transactions.length);
  // Complete rows are long: twenty of them exceed one result.
  const detailed = { kind: 'orders', limit: 20, responseFormat: 'detailed' };
  const items: { order: { id: string }; fill?: { id: string } }[] = [];
  let cursor: string | undefined;
  while (items.length < 20) {
    const page = await ok('fetch_history', { ...detailed, limit: 20 - items.length, ...(cursor ? { cursor } : {}) });
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  expect(new Set(items.map(({ order, fill }) => `${order.id} ${fill?.id}`)).size).toBe(20);

  const requested = await ok('request_export', {
    timeFrom: '2025-06-01',
    timeTo: '2026-01-01',
    include: ['orders', 'dividends'],
  });
  expect(requested.outcome).toBe('done');
  const reports = await ok('list_exports', { reportId: requested.reportId, waitSeconds: 50 });
  if (column(reports, 'status')[0] !== 'Finished') await made.clock.advance(61_000);
  const file = await ok('download_export', { reportId: requested.reportId });
  expect(file.columns.length).toBeGreaterThan(5);
  expect(file.totalRows).toBeGreaterThan(10);

  const shares = { QNOON_GB_EQ: 0.5, QVELT_US_EQ: 0.5 };
  const created = await ok('create_pie', { name: 'Half and half', instrumentShares: shares });
  expect(created.outcome, JSON.stringify(created)).toBe('done');
  const id = created.result.settings.id;
  expect((await ok('get_pie', { pieId: id })).pie.settings.name).toBe('Half and half');
  expect(await ok('update_pie', { pieId: id, name: 'Renamed', instrumentShares: shares })).toMatchObject({
    outcome: 'done',
  });
  const copy = await ok('duplicate_pie', { pieId: id, name: 'Copy' });
  expect(copy.outcome).toBe('done');
  expect(column(await ok('list_pies'), 'id')).toEqual(expect.arrayContaining([id]));
  expect(await ok('delete_pie', { pieId: id })).toMatchObject({ outcome: 'done' });

  for (const request of simulator.log) checkRequest(request);

  return {
    seen: new Set(simulator.log.map((request) => String(request.endpoint))),
    refused: simulator.log.filter((request) => request.refused).length,
    setup: made,
  };
}

const whenMissing = 'call what is missing in callEverything, and hold its answer against the books';

describe('every endpoint is called through a client and returns what the books say', () => {
  test('as the specification defines it', async () => {
    const { seen, refused } = await callEverything({});
    expect([...seen].filter((id) => id in endpoints).toSorted(), whenMissing).toEqual(
      Object.keys(endpoints).toSorted(),
    );
    expect(refused).toBe(0);
  });

  test('with every gentle quirk at once: envelopes, nulls, bare queries, unknown enums, huge ids, exponents, empty bodies', {
    tags: ['slow'],
  }, async () => {
    const { seen, refused } = await callEverything(allHarmlessQuirks);
    expect([...seen].filter((id) => id in endpoints).toSorted(), whenMissing).toEqual(
      Object.keys(endpoints).toSorted(),
    );
    expect(refused).toBe(0);
  });
});
