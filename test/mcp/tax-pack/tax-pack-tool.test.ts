/** The tables of a tax year over one invented account. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { roundingNote } from '../../../src/analytics/realized/format-gains.ts';
import { noTaxRecords, type TaxRecords } from '../../../src/analytics/realized/tax-records.ts';
import { endpoints } from '../../../src/catalogue/index.ts';
import type { Coverage, HistoryQuery } from '../../../src/history/history-port.ts';
import { runTool } from '../../../src/mcp/run-tool.ts';
import type { PackSection } from '../../../src/mcp/tax-pack/pack-section.ts';
import { taxPackTool } from '../../../src/mcp/tax-pack/tax-pack-tool.ts';
import type { Services } from '../../../src/mcp/tool.ts';
import { at, dividend, position, summaryOf } from '../../analytics/support.ts';
import { historyOfRows } from '../../support/derived-history.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const fill = (id: string, filledAt: string, side: string, quantity: string, netValue: string, fee: string) => ({
  order: { id, side, ticker: 'A', instrument: { ticker: 'A', isin: 'GB0000000001', currency: 'GBP' } },
  fill: {
    id,
    filledAt,
    quantity,
    type: 'TRADE',
    walletImpact: { currency: 'GBP', netValue, taxes: [{ name: 'STAMP_DUTY', quantity: fee, currency: 'GBP' }] },
  },
});

/** 10 for 101; 5 sold for 79 after a charge of 1; 2 of these bought again nine days later for 22. */
const rows = {
  orders: [
    fill('1', '2024-06-03T09:00:00Z', 'BUY', '10', '101', '-1'),
    fill('2', '2025-06-03T23:30:00Z', 'SELL', '-5', '79', '-1'),
    fill('3', '2025-06-12T09:00:00Z', 'BUY', '2', '22', '0'),
  ],
  dividends: [
    {
      ...dividend({ ticker: 'A', amount: '8.5', paidOn: '2025-04-05T23:30:00Z' }),
      instrument: { ticker: 'A', name: '=A plc', isin: 'IE0000000001', currency: 'GBP' },
      grossAmountPerShare: '1',
      tickerCurrency: 'GBP',
    },
    dividend({ ticker: 'B', amount: '2', paidOn: '2025-05-01T08:00:00Z', type: 'RETURN_OF_CAPITAL' }),
    dividend({ ticker: 'B', amount: '4', paidOn: '2025-04-05T22:59:59Z' }),
  ],
  transactions: [
    { type: 'DEPOSIT', amount: '1000', currency: 'GBP', dateTime: '2024-06-01T08:00:00Z' },
    { type: 'INTEREST_ON_FREE_CASH', amount: '1.234', currency: 'GBP', dateTime: '2025-07-01T08:00:00Z' },
    { type: 'FEE', amount: '-3', currency: 'GBP', dateTime: '2025-08-01T08:00:00Z' },
  ],
};

async function packOf(
  taxYear: string,
  coverage: Partial<Coverage> = {},
  records: Partial<TaxRecords> = {},
  now = at('2026-11-21T12:00:00Z'),
  orders: readonly object[] = rows.orders,
) {
  const services = {
    clock: createManualClock({ startAt: now }),
    config: { environment: 'demo' },
    broker: {
      call: async (endpoint: unknown) => ({
        data:
          endpoint === endpoints.listPositions
            ? [position({ ticker: 'A', quantity: '7', value: '80', cost: '80' })]
            : // 1,000 + 1.234 − 3 + 14.5 − 101 + 79 − 22
              summaryOf({ cash: '968.734', totalValue: '1048.734' }),
        answeredAt: now,
      }),
    },
    history: historyOfRows(async ({ kind }: HistoryQuery) => ({
      rows: { ...rows, orders }[kind as keyof typeof rows],
      coverage: { from: null, to: new Date(now).toISOString(), complete: true, rows: 3, ...coverage },
      asOf: now,
    })),
    taxRecords: async () => ({ ...noTaxRecords, ...records }),
  } as unknown as Services;
  const { isError, body } = await runTool([taxPackTool], 'tax_pack', { taxYear }, services, {
    signal: new AbortController().signal,
  });
  const sections = (body.sections ?? []) as readonly PackSection[];
  const rowsOf = (name: string) => sections.find((section) => section.name === name)?.rows;
  return { isError, body, sections, rowsOf };
}

test('a disposal can be followed to its matches, its pool and the boxes of the return', async () => {
  const { rowsOf } = await packOf('2025/26');
  // 2 of the 5 are the 2 bought again for 22; 3 of 10 from the pool of 101 cost 30.30. In London the sale was on 4 June.
  expect(rowsOf('disposals')).toEqual([
    [1, '2025-06-04', 'A', '5', '80.00', '1.00', '52.30', '26.70', 'GBP', 'thirty_day', '2', '2025-06-12', '22.00'],
    [1, null, null, null, null, null, null, null, null, 'section_104', '3', null, '30.30'],
  ]);
  expect(rowsOf('section-104-pools')).toEqual([
    ['2025-06-04', 'A', '7', '70.70'],
    ['the last trade', 'A', '7', '70.70'],
  ]);
  expect(rowsOf('capital-gains-summary')).toEqual([['year', 'GBP', 1, '80.00', '53.30', '26.70', '0.00']]);
});

test('the remarks say that figures are rounded when rows can miss their sum by a penny, and only then', async () => {
  const thirds = [
    fill('1', '2024-06-03T09:00:00Z', 'BUY', '3', '100', '0'),
    fill('2', '2025-06-03T09:00:00Z', 'SELL', '-1', '40', '0'),
  ];
  const remarksOf = async (orders?: object[]) => (await packOf('2025/26', {}, {}, undefined, orders)).body.remarks;
  expect(await remarksOf(thirds)).toContain(roundingNote);
  expect(await remarksOf()).not.toContain(roundingNote);
});

test('dividends are listed by country and treatment, and row by row, in the days of London', async () => {
  const { rowsOf } = await packOf('2025/26');
  expect(rowsOf('dividends-by-country')).toEqual([
    ['IE', 'ordinary', 'GBP', 1, '10.00', '1.50', '8.50', 0, '10.00 GBP'],
    ['unknown', 'return_of_capital', 'GBP', 1, null, null, '2.00', 1, ''],
  ]);
  expect(rowsOf('dividends')?.map((row) => [row[0], row[1], row[10], row[11], row[12]])).toEqual([
    ['2025-04-06', 'A', '10.00', '1.50', '8.50'],
    ['2025-05-01', 'B', null, null, '2.00'],
  ]);
});

test('interest and costs have their rows and totals', async () => {
  const { sections, rowsOf } = await packOf('2025/26');
  expect(rowsOf('interest')).toEqual([['2025-07-01', 'INTEREST_ON_FREE_CASH', '1.23', 'GBP']]);
  expect(sections.find(({ name }) => name === 'interest')?.figures).toEqual([['INTEREST_ON_FREE_CASH GBP', '1.23']]);
  expect(rowsOf('costs')).toEqual([
    ['2025-06-04', 'A', 'STAMP_DUTY', '1.00', 'GBP'],
    ['2025-06-12', 'A', 'STAMP_DUTY', '0.00', 'GBP'],
    ['2025-08-01', 'account', 'ACCOUNT_FEE', '3.00', 'GBP'],
  ]);
});

test('a complete pack is checked against cash and shares, an incomplete one is not', async () => {
  const { body } = await packOf('2025/26');
  expect(body).toMatchObject({ complete: true, taxYear: '2025/26' });
  const checks = body.checks as readonly { holds: boolean }[];
  expect(checks.length).toBeGreaterThanOrEqual(2);
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  const part = await packOf('2025/26', { complete: false, missing: ['Rows before 2024 are missing.'] });
  expect(part.body).toMatchObject({ complete: false, checks: [] });
});

test.each([
  // London is at UTC + 1 at the end of 5 April. An open year has one remark, and one on sales of its last 30 days.
  ['2026-04-05T22:59:59Z', '2025/26', 2],
  // The remark on sales stays for 31 days.
  ['2026-04-05T23:00:00Z', '2025/26', 1],
  ['2026-04-05T23:00:00Z', '2026/27', 2],
  ['2026-04-05T22:59:59Z', '2026/27', 1],
])('at %s the year %s has %s remarks on what can change', async (moment, year, count) => {
  const pack = await packOf(year, {}, {}, at(moment));
  const other = await packOf(year, {}, {}, at('2030-01-01T00:00:00Z'));
  const remarks = (body: typeof pack.body) => (body.remarks as readonly string[]).length;
  expect(remarks(pack.body) - remarks(other.body)).toBe(count);
});

test('the year in which the rates changed has both parts', async () => {
  const { rowsOf } = await packOf('2024/25');
  expect(rowsOf('capital-gains-summary')?.map(([part, , count]) => [part, count])).toEqual([
    ['year', 0],
    ['before 2024-10-30', 0],
    ['since 2024-10-30', 0],
  ]);
});

test('excess reportable income of the year has a table, and is a cost of the shares', async () => {
  const income = { isin: 'GB0000000001', amountPerShare: new Big('0.5'), currency: 'GBP' };
  const reportableIncome = ['2024-06-30', '2024-12-31'].map((periodEnd) => ({ ...income, periodEnd }));
  const { rowsOf } = await packOf('2025/26', {}, { reportableIncome });
  expect(rowsOf('excess-reportable-income')).toEqual([
    ['A', 'GB0000000001', '2024-12-31', '2025-06-30', '10', '5.00', 'GBP'],
  ]);
  // Both periods: 101 + 5 + 5; 3 of 10 from the pool cost 33.30, and 2 cost 22.
  expect(rowsOf('capital-gains-summary')).toEqual([['year', 'GBP', 1, '80.00', '56.30', '23.70', '0.00']]);
  expect((await packOf('2025/26')).rowsOf('excess-reportable-income')).toBeUndefined();
});

test('what nothing matches is listed with its reason, also in a year without a disposal', async () => {
  const oversold = [fill('1', '2025-06-03T09:00:00Z', 'SELL', '-5', '79', '-1')];
  const { rowsOf } = await packOf('2025/26', {}, {}, undefined, oversold);
  expect(rowsOf('disposals')).toEqual([]);
  expect(rowsOf('unmatched')?.map((row) => row.slice(0, 4))).toEqual([
    // A return of capital of shares that the account does not have.
    ['2025-05-01', 'B', 'SELL', '0'],
    ['2025-06-03', 'A', 'SELL', '5'],
  ]);
});

test('the totals of each part of the year in which the rates changed count the disposals of that part', async () => {
  const orders = [
    fill('1', '2024-05-03T09:00:00Z', 'BUY', '10', '100', '0'),
    fill('2', '2024-10-29T09:00:00Z', 'SELL', '-1', '20', '0'),
    fill('3', '2024-10-30T09:00:00Z', 'SELL', '-1', '30', '0'),
    fill('4', '2024-12-30T09:00:00Z', 'SELL', '-1', '40', '0'),
  ];
  const { rowsOf } = await packOf('2024/25', {}, {}, undefined, orders);
  expect(rowsOf('capital-gains-summary')).toEqual([
    ['year', 'GBP', 3, '90.00', '30.00', '60.00', '0.00'],
    ['before 2024-10-30', 'GBP', 1, '20.00', '10.00', '10.00', '0.00'],
    ['since 2024-10-30', 'GBP', 2, '70.00', '20.00', '50.00', '0.00'],
  ]);
});

test('the dividends whose tax is unknown are counted apart from all, and from those that an import can find', async () => {
  const { body } = await packOf('2025/26');
  // One of ten pounds gross, and one without a gross amount.
  expect(body.unknownTaxes).toMatchObject({ dividends: 2, unknown: 1 });
});

test('a text that is no tax year is refused', async () => {
  expect(await packOf('2025/27')).toMatchObject({ isError: true, body: { code: 'invalid_argument' } });
});
