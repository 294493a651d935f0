// @module-tag server
import { describe, expect, test } from 'vitest';
import { toCashFlows } from '../../../src/features/analytics/cash-flows.ts';
import { checkCash, checkHoldings } from '../../../src/features/analytics/reconciliation.ts';
import { toTrades } from '../../../src/features/analytics/trades.ts';
import type { Quirks } from '../../../src/simulator/index.ts';
import { dividend, simulated } from './support.ts';

type Rows = Awaited<ReturnType<typeof simulated>>['rows'];

const booksOf = (rows: Rows) => ({
  flows: toCashFlows(rows.transactions),
  dividends: rows.dividends,
  trades: toTrades(rows.orders),
});

const signs: [string, Partial<Quirks>][] = [
  ['as the specification has them', {}],
  ['where sales have no minus', { unsignedSells: true }],
  ['where withdrawals and fees have no minus', { positiveWithdrawals: true }],
  [
    'where nothing has a minus and zeros and offsets are written long',
    { unsignedSells: true, positiveWithdrawals: true, longNumbers: true, mixedOffsets: true, nullFields: true },
  ],
];

describe.each(signs)('three simulated years, signs %s', (_, quirks) => {
  const expectAgreement = async (seed: number) => {
    const { rows, books } = await simulated({ seed, quirks });
    const made = booksOf(rows);
    const cash = checkCash(made, rows.summary);
    expect(cash).toMatchObject({ holds: true, residual: '0' });
    expect(Number(cash?.actual)).toBe(Number(books.cash.total));
    const [holdings, ...wrong] = checkHoldings(made.trades, rows.positions);
    expect(wrong).toEqual([]);
    expect(holdings).toMatchObject({ holds: true, residual: '0' });
    expect(Number(holdings?.expected)).toBeGreaterThan(books.positions.length);
  };

  test('the books agree to the penny and to the share', { tags: ['slow'] }, () => expectAgreement(1));

  test('so do those of another seed', { tags: ['slow'] }, () => expectAgreement(7));
});

test('the books still agree after a trade, a dividend and transfers', { tags: ['slow'] }, async () => {
  const { read, market, simulator, clock } = await simulated();
  await market('QNOON_GB_EQ', 20.5);
  await market('QDUSK_US_EQ', -3.25);
  simulator.inject.dividend('QNOON_GB_EQ', '0.12');
  simulator.inject.transfer('-99.99');
  await clock.advance(10_000);
  const rows = await read();
  const made = booksOf(rows);
  expect(checkCash(made, rows.summary)?.holds).toBe(true);
  expect(checkHoldings(made.trades, rows.positions)).toHaveLength(1);
});

let read: Promise<Rows> | undefined;
const readRows = (): Promise<Rows> => (read ??= simulated().then(({ rows }) => rows));

describe('a missing row', () => {
  test('leaves its amount as the difference between books and cash', async () => {
    const rows = await readRows();
    const [first, ...others] = rows.dividends;
    const check = checkCash({ ...booksOf(rows), dividends: others }, rows.summary);
    expect(check?.holds).toBe(false);
    expect(Number(check?.residual)).toBe(Number(first?.amount));
    expect(check?.note).toMatch(/Rows are missing/);
  });

  test('is reported for its ticker', async () => {
    const rows = await readRows();
    const trades = toTrades(rows.orders);
    const left = trades.findIndex(({ ticker, side }) => ticker === 'QNOON_GB_EQ' && side === 'BUY');
    const lines = checkHoldings(trades.toSpliced(left, 1), rows.positions);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ holds: false, residual: '-1' });
    expect(lines[1]?.name).toBe('fills of QNOON_GB_EQ = quantity held');
    expect(Number(lines[1]?.residual)).toBe(Number(trades[left]?.quantity));
  });

  test('of every ticker gives twenty lines and a note that there are more', async () => {
    const rows = await readRows();
    const positions = Array.from({ length: 30 }, (_, n) => ({ ...rows.positions[0], instrument: { ticker: `X${n}` } }));
    const lines = checkHoldings([], positions as typeof rows.positions);
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatchObject({ expected: '30', actual: '0', note: 'The first 20 follow.' });
  });
});

test('rows that cannot be counted are reported', async () => {
  const rows = await readRows();
  const [, ...others] = rows.dividends;
  const unpaid = dividend({ ticker: 'A', paidOn: '2024-02-01T08:00:00Z' });
  const made = { ...booksOf(rows), dividends: [unpaid, ...others] };
  expect(checkCash(made, rows.summary)?.note).toMatch(/ not counted: dividend of A on 2024-02-01\.$/);
  expect(checkCash(made, { ...rows.summary, cash: undefined } as typeof rows.summary)).toBeUndefined();
});
