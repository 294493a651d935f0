/** The tables of a tax year over one invented account. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import type { Services } from '../../../src/app/registry.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { runTool } from '../../../src/core/mcp/run-tool.ts';
import { noTaxRecords, type TaxRecords } from '../../../src/features/gains/cost-entries.ts';
import { roundingNote } from '../../../src/features/gains/format-gains.ts';
import type { Coverage, HistoryQuery } from '../../../src/features/history/history-port.ts';
import type { PackSection } from '../../../src/features/tax-pack/pack-section.ts';
import { taxPackTool } from '../../../src/features/tax-pack/tax-pack-tool.ts';
import { historyOfRows } from '../../support/derived-history.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { at, dividend, position, summaryOf } from '../analytics/support.ts';

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

/** What an account has in place of the invented one. */
interface Other {
  readonly dividends?: readonly object[];
  readonly transactions?: readonly object[];
  /** Null for a summary that names none. */
  readonly currency?: string | null;
  /** When each kind of rows was read (ms). */
  readonly asOf?: Readonly<Record<string, number>>;
  /** Whether the summary has the cash; true where undefined. */
  readonly hasCash?: boolean;
  /** The kind whose rows are not complete. */
  readonly incomplete?: string;
}

async function packOf(
  taxYear: string,
  coverage: Partial<Coverage> = {},
  records: Partial<TaxRecords> = {},
  now = at('2026-11-21T12:00:00Z'),
  orders: readonly object[] = rows.orders,
  { asOf = {}, incomplete, currency, hasCash = true, ...other }: Other = {},
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
              {
                ...summaryOf({ cash: '968.734', totalValue: '1048.734', ...(currency ? { currency } : {}) }),
                ...(hasCash ? {} : { cash: undefined }),
                ...(currency === null ? { currency: undefined } : {}),
              },
        answeredAt: now,
      }),
    },
    history: historyOfRows(async ({ kind }: HistoryQuery) => ({
      rows: { ...rows, orders, ...other }[kind as keyof typeof rows],
      coverage: { from: null, to: new Date(now).toISOString(), complete: kind !== incomplete, rows: 3, ...coverage },
      asOf: asOf[kind] ?? now,
    })),
    directory: {
      lastList: () => undefined,
      instruments: async () => ({ instruments: [], byTicker: () => undefined, answeredAt: now, unreadable: 0 }),
    },
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

const otherPack = (other: Other, taxYear = '2025/26') => packOf(taxYear, {}, {}, undefined, undefined, other);

test.each([
  ['2025-04-05T22:59:59.999Z', '2024/25'],
  ['2025-04-05T23:00:00.000Z', '2025/26'],
  ['2026-04-05T22:59:59.999Z', '2025/26'],
  ['2026-04-05T23:00:00.000Z', '2026/27'],
])('a payment, interest and a fee at %s are of the year %s alone', async (moment, year) => {
  const other = {
    dividends: [dividend({ ticker: 'B', amount: '4', paidOn: moment })],
    transactions: [
      { type: 'INTEREST_ON_FREE_CASH', amount: '1', currency: 'GBP', dateTime: moment },
      { type: 'FEE', amount: '-3', currency: 'GBP', dateTime: moment },
    ],
  };
  for (const taxYear of ['2024/25', '2025/26', '2026/27']) {
    const { rowsOf } = await otherPack(other, taxYear);
    const fees = rowsOf('costs')?.filter(([, ticker]) => ticker === 'account');
    expect([rowsOf('dividends')?.length, rowsOf('interest')?.length, fees?.length]).toEqual(
      taxYear === year ? [1, 1, 1] : [0, 0, 0],
    );
  }
});

test('a charge of a trade is of the year of the trade', async () => {
  const { rowsOf } = await packOf('2024/25');
  expect(rowsOf('costs')).toEqual([['2024-06-03', 'A', 'STAMP_DUTY', '1.00', 'GBP']]);
});

test('a payment without a date is in no table and named in the note', async () => {
  const { rowsOf, body } = await otherPack({ dividends: [dividend({ ticker: 'B', amount: '4' })] });
  expect([rowsOf('dividends'), rowsOf('dividends-by-country')]).toEqual([[], []]);
  expect(body).toMatchObject({
    note: 'Dividends without an amount or a date are in no figure: B.',
    unknownTaxes: { dividends: 0, unknown: 0, inReports: 0 },
  });
});

test('fills and bookings that no figure includes are named in the note', async () => {
  const orders = [
    { order: { id: '7', side: 'SELL' }, fill: { id: '8', filledAt: '2025-06-03T09:00:00Z', quantity: '1' } },
  ];
  const transactions = [{ type: 'FEE', amount: '-3', currency: 'GBP', reference: 'R' }];
  const { body } = await packOf('2025/26', {}, {}, undefined, orders, { transactions });
  expect(body.note).toBe(
    'Fills without a ticker or a date are in no figure: 8. Transactions without an amount or a date are in no figure: FEE R.',
  );
});

test('dividends whose tax is unknown are counted apart from those that an import can find', async () => {
  const paidOn = '2025-06-01T08:00:00Z';
  const { body } = await otherPack({
    dividends: [
      dividend({ ticker: 'A', amount: '4', paidOn }),
      { ...dividend({ ticker: 'B', amount: '4', paidOn }), fromReport: true },
      { ...dividend({ ticker: 'C', amount: '4', paidOn }), withholdingTaxIsAmbiguous: true },
      { ...dividend({ ticker: 'D', amount: '4', paidOn }), grossAmountPerShare: '0.5', tickerCurrency: 'GBP' },
    ],
  });
  expect(body.unknownTaxes).toEqual({ dividends: 4, unknown: 3, inReports: 1 });
  expect(body.remarks).toContain(
    'The tax withheld is only in reports, which brokerage-mcp import reads: A on 2025-06-01.',
  );
});

test.each([
  ['GBP', 0],
  ['EUR', 1],
])('an account in %s has %i remarks that a return needs pounds', async (currency, count) => {
  const { body } = await otherPack({ currency });
  const remark = `Calculated in ${currency}; a UK tax return needs pounds, at the exchange rate of each day.`;
  expect(body.currency).toBe(currency);
  expect((body.remarks as readonly string[]).filter((one) => one === remark)).toHaveLength(count);
  expect(JSON.stringify(body.remarks).includes('needs pounds')).toBe(count === 1);
});

test('of an account without a currency nothing is said of pounds', async () => {
  const { body } = await otherPack({ currency: null });
  expect(JSON.stringify(body.remarks)).not.toContain('needs pounds');
});

test.each(['orders', 'dividends', 'transactions'])(
  'a pack without all %s is not complete, and nothing is checked',
  async (kind) => {
    const { body } = await otherPack({ incomplete: kind });
    expect(body).toMatchObject({ complete: false, checks: [] });
    const coverage = body.coverage as Readonly<Record<string, Coverage>>;
    expect(Object.keys(coverage)).toEqual(['orders', 'dividends', 'transactions']);
    expect(Object.entries(coverage).flatMap(([name, { complete }]) => (complete ? [] : [name]))).toEqual([kind]);
  },
);

test.each(['orders', 'dividends', 'transactions'])('a pack is as old as its oldest rows, those of %s', async (kind) => {
  const oldest = at('2026-11-20T12:00:00Z');
  const { body } = await otherPack({ asOf: { [kind]: oldest } });
  expect(Date.parse(String(body.asOf))).toBe(oldest);
});

test.each([
  // The year ends on 5 April 2026 at 23:00 UTC; a purchase within 30 days after it can still change a gain.
  ['2025-04-05T22:59:59.999Z', 0],
  ['2025-04-05T23:00:00.000Z', 1],
  ['2026-05-06T22:59:59.999Z', 1],
  ['2026-05-06T23:00:00.000Z', 0],
])('at %s the gains of the last 30 days of 2025/26 are not final: %i', async (moment, count) => {
  const { body } = await packOf('2025/26', {}, {}, at(moment));
  const remark = 'Purchases within 30 days after a sale become its cost, so gains of the last 30 days are not final.';
  expect((body.remarks as readonly string[]).filter((one) => one === remark)).toHaveLength(count);
});

test('what was entered and is not used is a remark', async () => {
  const costs = [
    {
      fillId: '77',
      ticker: undefined,
      at: undefined,
      acquiredAt: undefined,
      cost: new Big(1),
      currency: 'GBP',
      parent: undefined,
    },
  ];
  const { body } = await packOf('2025/26', {}, { costs });
  expect(body.remarks).toContain(
    'The entered cost of fill 77 is not used: no row of the history brought shares in it.',
  );
});

test('the order of the tables is that of the files', async () => {
  const { sections } = await packOf('2025/26');
  expect(sections.map(({ name }) => name)).toEqual([
    'capital-gains-summary',
    'disposals',
    'unmatched',
    'section-104-pools',
    'dividends-by-country',
    'dividends',
    'interest',
    'costs',
  ]);
});

test('the cash, the shares and the gains of a complete pack are checked', async () => {
  const { body } = await packOf('2025/26');
  expect((body.checks as readonly { name: string; holds: boolean }[]).map(({ name, holds }) => [name, holds])).toEqual([
    ['gains of all time by average cost = the broker’s own results', true],
    ['deposits − withdrawals + interest − fees + dividends − purchases + sales = cash', true],
    ['tickers whose fills add up to the quantity held', true],
  ]);
  const { body: without } = await otherPack({ hasCash: false });
  expect((without.checks as readonly object[]).length).toBe(2);
});

test('the remarks of a year that has ended are those on all figures, and on what its rows lack', async () => {
  const { body } = await packOf('2025/26');
  expect(body.remarks).toEqual([
    'Gains and income of an ISA are not taxed, and accounts elsewhere are not included.',
    'Charges of purchases and sales, currency conversion fees among them, are treated as allowable costs.',
    'Excess reportable income of offshore funds is not a payment, so it is in no dividend; its table is made from eri.csv.',
    'The tax withheld is only in reports, which brokerage-mcp import reads: B on 2025-05-01.',
  ]);
});
