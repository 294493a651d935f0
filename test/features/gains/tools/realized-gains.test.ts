/** The tool over one invented account: its results, and how these report missing data. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Services } from '../../../../src/app/registry.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { runTool } from '../../../../src/core/mcp/run-tool.ts';
import { noTaxRecords, type TaxRecords } from '../../../../src/features/gains/cost-entries.ts';
import { summarizeRealisedGainsTool as tool } from '../../../../src/features/gains/tools/gains-tool.ts';
import type { Coverage, HistoryQuery } from '../../../../src/features/history/history-port.ts';
import { runWith, toolCall } from '../../../core/tools/tool-call.ts';
import { historyOfRows } from '../../../support/derived-history.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { at } from '../trades.ts';

const now = at('2026-05-01');

const row = (filledAt: string, side: 'BUY' | 'SELL', quantity: string, netValue: string, more: object = {}) => ({
  order: { id: filledAt, side, ticker: 'A', instrument: { isin: 'GB0000000001' } },
  fill: { id: filledAt, filledAt, quantity, type: 'TRADE', walletImpact: { currency: 'GBP', netValue, ...more } },
});

const conversionFees =
  'Charges of purchases and sales, currency conversion fees among them, are treated as allowable costs.';

const orders = [
  row('2025-01-02T10:00:00Z', 'BUY', '3', '10.00'),
  row('2025-06-02T10:00:00Z', 'SELL', '-1', '5.00', { realisedProfitLoss: '1.67' }),
  row('2026-04-05T22:59:59Z', 'SELL', '-1', '4.00', { realisedProfitLoss: '0.66' }),
  row('2026-04-05T23:00:00Z', 'SELL', '-1', '3.00', { realisedProfitLoss: '-0.33' }),
];

interface Account {
  readonly orders?: readonly object[];
  readonly coverage?: Partial<Coverage>;
  /** Shares held of A; none by default. */
  readonly held?: string;
  readonly taxZone?: string;
  /** GBP by default. */
  readonly currency?: string;
  readonly dividends?: readonly object[];
  readonly records?: Partial<TaxRecords>;
  /** The types of instruments by ticker; undefined when the list cannot be read. */
  readonly types?: Readonly<Record<string, string>> | undefined;
}

function servicesOf(account: Account) {
  const questions: HistoryQuery[] = [];
  const required: string[] = [];
  const services = {
    clock: createManualClock({ startAt: now }),
    config: { environment: 'demo', taxZone: account.taxZone },
    history: historyOfRows(async (question: HistoryQuery) => {
      questions.push(question);
      const coverage = { from: null, to: new Date(now).toISOString(), complete: true, rows: 4, ...account.coverage };
      const rows = question.kind === 'dividends' ? (account.dividends ?? []) : (account.orders ?? orders);
      return { rows, coverage, asOf: now - 1000 };
    }),
    broker: {
      call: async () => ({
        data: account.held === undefined ? [] : [{ instrument: { ticker: 'A' }, quantity: account.held }],
      }),
    },
    directory: {
      lastList: () => undefined,
      getOrThrow: async (ticker: string) => required.push(ticker),
      instruments: async () => {
        if (!account.types) throw new BrokerageError('unreachable', 'The list is not available.', 'Later.');
        return { byTicker: (ticker: string) => ({ type: account.types?.[ticker] }) };
      },
    },
    dailyValues: async () => [{ currency: account.currency ?? 'GBP' }],
    taxRecords: async () => ({ ...noTaxRecords, ...account.records }),
  };
  return { services, questions, required };
}

async function call(args: Record<string, unknown>, account: Account = {}) {
  const { services, questions, required } = servicesOf(account);
  const { signal } = new AbortController();
  const result = await runTool([tool], tool.name, args, services as unknown as Services, { signal });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const body: any = result.body;
  if (!result.isError) z.looseObject(tool.output).parse(body);
  return { isError: result.isError, body, questions, required };
}

test('returns the sales of the UK tax year, by the clock of London, and reads all orders', async () => {
  const { body, questions } = await call({ method: 'uk_section_104', taxYear: '2025/26' });
  expect(questions).toEqual([{ kind: 'orders' }, { kind: 'dividends' }]);
  expect(body).toMatchObject({
    asOf: '2026-05-01T11:59:59.000Z',
    method: 'uk_section_104',
    currency: 'GBP',
    taxYear: '2025/26',
    since: '2025-04-05T23:00:00.000Z',
    until: '2026-04-05T23:00:00.000Z',
    complete: true,
    coverage: { orders: { rows: 4 } },
    columns: ['soldOn', 'ticker', 'quantity', 'proceeds', 'cost', 'gain', 'rules', 'charges', 'matches', 'poolAfter'],
    // A third of 10.00 each; the newest sale first.
    rows: [
      ['2026-04-05', 'A', '1', '4.00', '3.33', '0.67', 'section_104 1', '0.00', 'section_104 1 = 3.33', '1 = 3.33'],
      ['2025-06-02', 'A', '1', '5.00', '3.33', '1.67', 'section_104 1', '0.00', 'section_104 1 = 3.33', '2 = 6.67'],
    ],
    taxReturn: { disposals: 2, grossProceeds: '9.00', allowableCosts: '6.67', gains: '2.33', losses: '0.00' },
    totals: { disposals: 2, proceeds: '9.00', cost: '6.67', gain: '2.33', gains: '2.33', losses: '0.00' },
    byTicker: {
      columns: ['ticker', 'disposals', 'proceeds', 'cost', 'gain'],
      rows: [['A', 2, '9.00', '6.67', '2.33']],
    },
    unmatched: [],
    unmatchedCount: 0,
  });
  // 1.67 and 0.67 are 2.34.
  expect(body.note).toBe(
    'Every figure is rounded from an exact one, so a row or a sum of rows can differ from its parts by a penny.',
  );
  expect(body.checks).toEqual({ passed: 2 });
});

test('a sale in the first second of 6 April in London belongs to the next tax year', async () => {
  const { body } = await call({ method: 'uk_section_104', taxYear: '2026/27' });
  expect(body.rows.map((cells: string[]) => cells.slice(0, 7))).toEqual([
    ['2026-04-06', 'A', '1', '3.00', '3.33', '-0.33', 'section_104 1'],
  ]);
  expect(body.totals).toMatchObject({ gains: '0.00', losses: '-0.33' });
  expect(body.remarks).toEqual([
    conversionFees,
    'Gains of the last 30 days are not final: a purchase within 30 days after a sale becomes its cost.',
    'The range ends on 2027-04-05 and has not ended: more sales can follow.',
  ]);
});

test('the broker’s figures are full pennies, so no note on rounding appears', async () => {
  const { body } = await call({ method: 'broker', since: '2026-04-05' });
  expect(body.rows.map((cells: string[]) => [cells[0], cells[5]])).toEqual([
    // In UTC it is still the 5th; the days of an account in pounds are those of London.
    ['2026-04-06', '-0.33'],
    ['2026-04-05', '0.66'],
  ]);
  expect(body.totals.gain).toBe('0.33');
  expect(body.note).toBeUndefined();
});

test('a half penny from a split cost is shown as one', async () => {
  const trades = [
    row('2025-01-02T10:00:00Z', 'BUY', '3', '10.03'),
    row('2025-02-02T10:00:00Z', 'SELL', '-1', '5.00'),
    row('2025-03-02T10:00:00Z', 'SELL', '-0.5', '5.00'),
    // 10.03 × 1.5 / 3 = 5.015.
    row('2025-04-02T10:00:00Z', 'SELL', '-1.5', '6.00'),
  ];
  for (const method of ['fifo', 'average', 'uk_section_104'])
    expect((await call({ method }, { orders: trades })).body.rows[0].slice(3, 6)).toEqual(['6.00', '5.02', '0.99']);
});

test('figures are provisional while rows are missing, and sales whose shares were not read are only counted', async () => {
  const coverage = { complete: false, reading: true, missing: ['Rows up to 2025-06-01 are missing.'] };
  const { body } = await call({ method: 'uk_section_104' }, { orders: orders.slice(1), coverage });
  expect(body.complete).toBe(false);
  // Before every figure.
  expect(Object.keys(body).indexOf('provisional')).toBeLessThan(Object.keys(body).indexOf('byTicker'));
  expect(body).toMatchObject({
    provisional: true,
    byTicker: { provisional: true },
    unmatched: [],
    unmatchedCount: 0,
    checks: [],
  });
  expect(body.note).toMatch(/Not complete\. Rows up to 2025-06-01 are missing\..*figures will change/);
  expect(body.remarks[0]).toBe(
    '3 sales are in no figure or only in part: the rows that have been read do not have all of the shares sold.',
  );
});

test('totals are left out while rows are missing and none of a sale was read, and provisional with one', async () => {
  const coverage = { complete: false, reading: true, missing: ['Rows up to 2025-06-01 are missing.'] };
  const ask = async (rows: readonly object[]) =>
    (await call({ method: 'uk_section_104', taxYear: '2025/26' }, { coverage, orders: rows })).body;
  const none = await ask([]);
  expect([none.totals, none.totalsByCurrency, none.taxReturn]).toEqual([undefined, undefined, undefined]);
  // 5.00 less a third of 10.00.
  expect(await ask(orders.slice(0, 2))).toMatchObject({
    totals: { provisional: true, disposals: 1, gain: '1.67' },
    taxReturn: { provisional: true, disposals: 1 },
  });
});

test('a complete history has no provisional figure, and lists the sales without a match', async () => {
  const { body } = await call({ method: 'fifo' }, { orders: orders.slice(1) });
  expect([body.provisional, body.totals.provisional, body.byTicker.provisional]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(body.unmatchedCount).toBe(3);
  expect(body.unmatched[0]).toEqual({
    at: '2025-06-02T10:00:00.000Z',
    ticker: 'A',
    side: 'SELL',
    quantity: '1',
    proceeds: '5.00',
    code: 'not_held',
    reason: 'More shares were sold than are known to have been held: earlier purchases may be missing.',
  });
});

test('returns at most 20 unmatched trades and the number of all', async () => {
  const many = Array.from({ length: 25 }, (_, n) => row(new Date(now + n * 1000).toISOString(), 'SELL', '-1', '1.00'));
  const { body } = await call({ method: 'fifo' }, { orders: many });
  expect(body.unmatched).toHaveLength(20);
  expect(body.unmatchedCount).toBe(25);
});

test('continues after a page, with the totals on the first', { tags: ['slow'] }, async () => {
  const many = [
    row('2025-01-02T10:00:00Z', 'BUY', '2000', '4000.00'),
    ...Array.from({ length: 1200 }, (_, n) => row(new Date(now + n * 60_000).toISOString(), 'SELL', '-1', '3.00')),
  ];
  const rows: unknown[][] = [];
  let cursor: string | undefined;
  do {
    const { body } = await call({ method: 'average', ...(cursor ? { cursor } : {}) }, { orders: many });
    const parts = ['totals', 'byTicker', 'unmatched', 'unmatchedCount', 'remarks', 'checks'];
    expect(parts.filter((name) => name in body)).toEqual(cursor === undefined ? parts : []);
    if (cursor === undefined) expect(body.totals).toMatchObject({ disposals: 1200, gain: '1200.00' });
    rows.push(...body.rows);
    cursor = body.nextCursor;
  } while (cursor);
  expect(rows).toHaveLength(1200);
  expect([rows[0]?.[0], rows.at(-1)?.[0]]).toEqual(['2026-05-02', '2026-05-01']);
});

test('an account in another currency gets a note that a UK return needs pounds', async () => {
  const trades = [row('2025-01-02T10:00:00Z', 'BUY', '3', '10.00', { currency: 'EUR' })];
  const { body } = await call({ method: 'uk_section_104' }, { orders: trades });
  expect(body).toMatchObject({ currency: 'EUR', remarks: [expect.stringContaining('needs pounds'), conversionFees] });
  expect((await call({ method: 'fifo' }, { orders: trades })).body.remarks).toEqual([]);
});

test('two currencies are never merged into one', async () => {
  const { body } = await call(
    { method: 'fifo' },
    { orders: [...orders, row('2026-04-07T10:00:00Z', 'BUY', '1', '1', { currency: 'EUR' })] },
  );
  expect(body.currency).toBeUndefined();
  expect(body.remarks[0]).toContain('EUR and GBP');
});

test('a ticker without trades is looked up, one with trades is not', async () => {
  expect((await call({ method: 'fifo', ticker: 'B' })).required).toEqual(['B']);
  const { body, required } = await call({ method: 'fifo', ticker: 'A' });
  expect(required).toEqual([]);
  expect(body.totals.disposals).toBe(3);
});

test.each([
  [{ method: 'fifo', taxYear: '2025/27' }, /taxYear must be four digits/],
  [{ method: 'fifo', taxYear: '25/26' }, /taxYear must be four digits/],
  [{ method: 'fifo', taxYear: 2025 }, /taxYear must be a UK tax year/],
  [{ method: 'fifo', taxYear: '2025/26', since: '2025-01-01' }, /Give either taxYear or since and until\./],
  [{ method: 'fifo', taxYear: '2025/26', until: '2025-01-01' }, /Give either taxYear or since and until\./],
  [{}, /method is missing/],
  [{ method: 'lifo' }, /method must be broker, fifo, average or uk_section_104/],
])('%j is refused with one sentence', async (args, message) => {
  const { isError, body } = await call(args);
  expect(isError).toBe(true);
  expect(JSON.stringify(body)).toMatch(message);
});

test('shares that are held and not in the history fail a check', async () => {
  const { body } = await call({ method: 'fifo' }, { held: '2' });
  const failed = body.checks.filter(({ holds }: { holds: boolean }) => !holds);
  expect(failed.map(({ name, expected, actual }: Record<string, string>) => [name, expected, actual])).toEqual([
    ['tickers whose fills add up to the quantity held', '1', '0'],
    ['fills of A = quantity held', '0', '2'],
  ]);
});

test('the day of a sale follows the time zone of the owner’s taxes', async () => {
  const midnight = [
    row('2025-01-02T10:00:00Z', 'BUY', '1', '1.00', { currency: 'EUR' }),
    row('2025-12-31T23:30:00Z', 'SELL', '-1', '2.00', { currency: 'EUR' }),
  ];
  const { body } = await call({ method: 'fifo' }, { orders: midnight, taxZone: 'Europe/Berlin' });
  expect(body.rows[0][0]).toBe('2026-01-01');
});

test.each(['broker', 'fifo', 'average', 'uk_section_104'])('a date is a day of the rows, by %s', async (method) => {
  const late = [
    row('2025-01-02T10:00:00Z', 'BUY', '1', '1.00'),
    row('2025-06-30T23:30:00Z', 'SELL', '-1', '2.00', { realisedProfitLoss: '1.00' }),
  ];
  const [june, july] = [
    await call({ method, since: '2025-06-01', until: '2025-07-01' }, { orders: late }),
    await call({ method, since: '2025-07-01', until: '2025-08-01' }, { orders: late }),
  ];
  expect(june.body.rows).toEqual([]);
  expect(july.body).toMatchObject({ timeZone: 'Europe/London', since: '2025-06-30T23:00:00.000Z' });
  expect(july.body.rows.map(([soldOn]: string[]) => soldOn)).toEqual(['2025-07-01']);
});

test('a sale of the last hour of UTC belongs to the next calendar year in Berlin', async () => {
  const late = [
    row('2024-01-02T10:00:00Z', 'BUY', '1', '1.00', { currency: 'EUR' }),
    row('2024-12-31T23:30:00Z', 'SELL', '-1', '2.00', { currency: 'EUR' }),
  ];
  const ask = (since: string, until: string) =>
    call({ method: 'fifo', since, until }, { orders: late, taxZone: 'Europe/Berlin' });
  expect((await ask('2024-01-01', '2025-01-01')).body.rows).toEqual([]);
  expect((await ask('2025-01-01', '2026-01-01')).body.rows).toHaveLength(1);
});

test('the year in which the rates changed has the figures of both parts', async () => {
  const sales = [
    row('2024-01-02T10:00:00Z', 'BUY', '2', '2.00'),
    row('2024-10-29T12:00:00Z', 'SELL', '-1', '5.00'),
    row('2024-10-30T00:00:00Z', 'SELL', '-1', '3.00'),
  ];
  const { body } = await call({ method: 'uk_section_104', taxYear: '2024/25' }, { orders: sales });
  expect(body.taxReturn).toMatchObject({ disposals: 2, gains: '6.00' });
  expect(body.taxReturn['before 2024-10-30']).toMatchObject({ disposals: 1, gains: '4.00' });
  expect(body.taxReturn['since 2024-10-30']).toMatchObject({ disposals: 1, gains: '2.00' });
});

test('proceeds are shown before and after the charges of a sale', async () => {
  // Services write a charge with a minus.
  const charge = (quantity: string) => ({ taxes: [{ name: 'CURRENCY_CONVERSION_FEE', quantity, currency: 'GBP' }] });
  const charged = [
    row('2025-05-02T10:00:00Z', 'BUY', '1', '10.15', charge('-0.15')),
    row('2025-06-02T10:00:00Z', 'SELL', '-1', '19.70', charge('-0.30')),
  ];
  const { body } = await call({ method: 'uk_section_104', taxYear: '2025/26' }, { orders: charged });
  expect(body.rows[0].slice(3, 6)).toEqual(['19.70', '10.15', '9.55']);
  expect(body.taxReturn).toEqual({
    disposals: 1,
    grossProceeds: '20.00',
    allowableCosts: '10.45',
    gains: '9.55',
    losses: '0.00',
  });
});

test('asks for the cost of transferred shares with the command that enters it', async () => {
  const transfer = {
    ...row('2025-01-02T10:00:00Z', 'BUY', '3', '0'),
    fill: { id: '9', filledAt: '2025-01-02T10:00:00Z', quantity: '3', type: 'FOP', walletImpact: { currency: 'GBP' } },
  };
  const { body } = await call({ method: 'fifo' }, { orders: [transfer] });
  expect(body.unmatched).toEqual([
    expect.objectContaining({
      side: 'BUY',
      code: 'original_cost_unknown',
      next: 'brokerage-mcp cost-basis set --fill 9 --acquired YYYY-MM-DD --cost AMOUNT --currency GBP',
    }),
  ]);
});

test('deducts returned capital from the cost, and is complete only with all dividends', async () => {
  const dividends = [
    { ticker: 'A', type: 'RETURN_OF_CAPITAL', amount: '1.00', currency: 'GBP', paidOn: '2025-02-02T10:00:00Z' },
  ];
  const { body } = await call({ method: 'average', until: '2025-07-01' }, { dividends });
  // (10.00 − 1.00) / 3.
  expect(body.totals).toMatchObject({ cost: '3.00', gain: '2.00' });
  expect(Object.keys(body.coverage)).toEqual(['orders', 'dividends']);
  const { questions } = await call({ method: 'broker' }, { dividends });
  expect(questions.map(({ kind }) => kind)).toEqual(['orders']);
});

const fund = [
  { ...row('2024-01-02T10:00:00Z', 'BUY', '10', '100.00'), order: order('A', 'BUY', 'IE00B3XXRP09') },
  { ...row('2026-01-05T10:00:00Z', 'SELL', '-5', '90.00'), order: order('A', 'SELL', 'IE00B3XXRP09') },
];

function order(ticker: string, side: 'BUY' | 'SELL', isin: string) {
  return { id: `${side} ${ticker}`, side, ticker, instrument: { isin } };
}

test('lists the excess reportable income that is taxed in the year', async () => {
  const entry = { isin: 'IE00B3XXRP09', amountPerShare: new Big('0.5'), currency: 'GBP' };
  const records = { reportableIncome: ['2024-06-30', '2025-06-30'].map((periodEnd) => ({ ...entry, periodEnd })) };
  const { body } = await call(
    { method: 'uk_section_104', taxYear: '2025/26' },
    { orders: fund, records, types: { A: 'ETF' } },
  );
  expect(body.excessReportableIncome).toEqual({
    total: '5.00',
    columns: ['ticker', 'isin', 'periodEnd', 'taxedOn', 'shares', 'amount', 'currency'],
    rows: [['A', 'IE00B3XXRP09', '2025-06-30', '2025-12-30', '10', '5.00', 'GBP']],
  });
  // (100 + 5 + 5) / 2.
  expect(body.totals).toMatchObject({ cost: '55.00', gain: '35.00' });
  expect(body.remarks).toEqual([conversionFees]);
});

test('names an offshore fund without its excess reportable income, and no share', async () => {
  const args = { method: 'uk_section_104', taxYear: '2025/26' };
  const isNamed = (body: { remarks: string[] }) => body.remarks.some((text) => text.startsWith('Offshore funds'));
  expect(isNamed((await call(args, { orders: fund, types: { A: 'ETF' } })).body)).toBe(true);
  expect(isNamed((await call(args, { orders: fund, types: { A: 'STOCK' } })).body)).toBe(false);
  expect(isNamed((await call({ method: 'fifo' }, { orders: fund, types: { A: 'ETF' } })).body)).toBe(false);
  const { body } = await call(args, { orders: fund });
  expect(body.remarks).toContain(
    'The types of instruments could not be read, so offshore funds without a line in eri.csv are not named.',
  );
});

test('the gains of one ticker are of its sales alone', async () => {
  const other = [
    { ...row('2025-01-03T10:00:00Z', 'BUY', '1', '2.00'), order: order('B', 'BUY', 'GB0000000002') },
    { ...row('2025-07-02T10:00:00Z', 'SELL', '-1', '9.00'), order: order('B', 'SELL', 'GB0000000002') },
  ];
  const { body } = await call({ method: 'fifo', ticker: 'B' }, { orders: [...orders, ...other] });
  expect(body.rows.map((cells: string[]) => cells.slice(0, 6))).toEqual([
    ['2025-07-02', 'B', '1', '9.00', '2.00', '7.00'],
  ]);
  expect(body.totals).toMatchObject({ disposals: 1, gain: '7.00' });
});

test('the broker’s figures of a range read the range, and then all rows for the checks', async () => {
  const { questions } = await call({ method: 'broker', since: '2026-04-05', until: '2026-04-10' });
  const range = { since: at('2026-04-04T23:00:00Z'), until: at('2026-04-09T23:00:00Z') };
  expect(questions).toEqual([{ kind: 'orders', ...range }, { kind: 'orders' }]);
});

test('sales in two currencies name theirs, and so do the sums by ticker', async () => {
  const euros = [
    {
      ...row('2025-01-03T10:00:00Z', 'BUY', '1', '2.00', { currency: 'EUR' }),
      order: order('B', 'BUY', 'IE0000000002'),
    },
    {
      ...row('2025-07-02T10:00:00Z', 'SELL', '-1', '9.00', { currency: 'EUR' }),
      order: order('B', 'SELL', 'IE0000000002'),
    },
  ];
  const { body } = await call({ method: 'fifo' }, { orders: [...orders.slice(0, 2), ...euros] });
  const currencyOf = ({ columns, rows }: { columns: string[]; rows: string[][] }) =>
    Object.fromEntries(rows.map((cells) => [cells[columns.indexOf('ticker')], cells[columns.indexOf('currency')]]));
  expect(currencyOf(body)).toEqual({ A: 'GBP', B: 'EUR' });
  expect(currencyOf(body.byTicker)).toEqual({ A: 'GBP', B: 'EUR' });
  // In the order of their sales: 5.00 less a third of 10.00, and 9.00 less 2.00.
  expect(body.totals).toBeUndefined();
  expect(body.totalsByCurrency).toMatchObject([
    { currency: 'GBP', disposals: 1, gain: '1.67', gains: '1.67', losses: '0.00' },
    { currency: 'EUR', disposals: 1, gain: '7.00', gains: '7.00', losses: '0.00' },
  ]);
});

test('gains are compared with the broker’s results only when all orders were read', async () => {
  const checksOf = async (coverage: Partial<Coverage>) => {
    const { body } = await call({ method: 'average' }, { coverage });
    return body.checks;
  };
  // The results, and the shares held.
  expect(await checksOf({})).toEqual({ passed: 2 });
  // The rows that are missing can explain each difference.
  expect(await checksOf({ complete: false, reading: true, missing: ['Older rows are missing.'] })).toEqual([]);
});

test('a remark has the day of a corporate action by the clock that dates the rows', async () => {
  const given = row('2025-12-31T23:30:00Z', 'BUY', '1', '0', { currency: 'EUR' });
  const free = { ...given, fill: { ...given.fill, type: 'FREE_SHARES' } };
  const { body } = await call({ method: 'fifo' }, { orders: [free], taxZone: 'Asia/Tokyo' });
  expect(body.timeZone).toBe('Asia/Tokyo');
  // In UTC it is the last day of the year before.
  expect(body.remarks.join(' ')).toContain('2026-01-01');
});

test('a page has at most 500 sales, the newest first, and continues with the next one', async () => {
  const sales = Array.from({ length: 502 }, (_, n) =>
    row(new Date(now + n * 60_000).toISOString(), 'SELL', '-1', `${n}`),
  );
  const account = { orders: [row('2025-01-02T10:00:00Z', 'BUY', '502', '1.00'), ...sales] };
  const ask = async (from?: string) => {
    const { list } = await runWith(
      tool,
      { method: 'average', cursor: from },
      toolCall({ ...servicesOf(account).services, historyImport: {}, getLimit: async () => undefined }),
    );
    return { list, proceeds: list?.rows.map((cells) => (cells as string[])[3]) };
  };
  const first = await ask();
  expect(first.proceeds).toHaveLength(500);
  expect([first.proceeds?.[0], first.proceeds?.at(-1)]).toEqual(['501.00', '2.00']);
  expect((await ask(first.list?.cursorAfter(500))).proceeds).toEqual(['1.00', '0.00']);
});

test('the figures of a tax return are of the UK rules alone', async () => {
  expect((await call({ method: 'fifo' })).body).not.toHaveProperty('taxReturn');
  expect((await call({ method: 'uk_section_104' })).body).toHaveProperty('taxReturn');
});

test('the gains of one ticker are compared with its own shares', async () => {
  const other = { ...row('2025-01-03T10:00:00Z', 'BUY', '5', '10.00'), order: { id: '9', side: 'BUY', ticker: 'B' } };
  // None of A is left, and the account holds none; B was bought and is not held.
  const checksOf = async (args: object) =>
    (await call({ method: 'fifo', ...args }, { orders: [...orders, other] })).body.checks;
  expect(await checksOf({ ticker: 'A' })).toEqual({ passed: 2 });
  expect(await checksOf({})).not.toHaveProperty('passed');
});

test('a UK return of fills in another currency needs pounds', async () => {
  const inDollars = orders.map(({ order, fill }) => ({
    order,
    fill: { ...fill, walletImpact: { ...fill.walletImpact, currency: 'USD' } },
  }));
  const needed = 'Calculated in USD; a UK tax return needs pounds, at the exchange rate of each day.';
  expect((await call({ method: 'uk_section_104' }, { orders: inDollars })).body.remarks).toContain(needed);
  expect((await call({ method: 'fifo' }, { orders: inDollars })).body.remarks).not.toContain(needed);
  const { remarks } = (await call({ method: 'uk_section_104' })).body;
  expect(remarks.filter((text: string) => text.includes('needs pounds'))).toEqual([]);
});

test.each([
  [{ method: 'uk_section_104', since: '2026-01-01' }, 'Europe/London'],
  [{ method: 'fifo', taxYear: '2025/26' }, 'Europe/London'],
  [{ method: 'fifo', since: '2026-01-01' }, 'Europe/Berlin'],
  [{ method: 'fifo' }, 'Europe/Berlin'],
])('of an owner in Berlin the days of %j are those of %s', async (args, zone) => {
  expect((await call(args, { taxZone: 'Europe/Berlin' })).body.timeZone).toBe(zone);
});

test('a range without a sale says of what it has none; a sale without a match is one', async () => {
  const empty = await call({ method: 'fifo', since: '2026-04-20', ticker: 'A' });
  expect(empty.body.note).toContain('The range has no sales of A.');
  const bought = await call({ method: 'fifo' }, { orders: orders.slice(0, 1) });
  expect(bought.body.note).toContain('The account has no sales.');
  const unmatched = await call({ method: 'fifo' }, { orders: orders.slice(1, 2) });
  expect(unmatched.body.note ?? '').not.toContain('no sales');
});

test('one sale whose shares were not read is counted as one', async () => {
  const coverage = { complete: false, reading: true, missing: ['Rows are missing.'] };
  const { body } = await call({ method: 'fifo' }, { orders: orders.slice(1, 2), coverage });
  expect(body.remarks[0]).toMatch(/^1 sale is in no figure or only in part: /);
});

/** This many tickers; the numbers after T are their gains, from minus 25 pounds on. */
const tickersOf = (count: number) =>
  Array.from({ length: count }, (_, n) => n - 25).flatMap((gain) =>
    [row('2025-01-02T10:00:00Z', 'BUY', '1', '100'), row('2025-02-02T10:00:00Z', 'SELL', '-1', String(100 + gain))].map(
      ({ order, fill }) => {
        const id = `${order.side} ${gain}`;
        return { order: { ...order, id, ticker: `T${gain}` }, fill: { ...fill, id } };
      },
    ),
  );

test('of more than 50 tickers those with the largest gains and losses are summed, and all are counted', async () => {
  const { body } = await call({ method: 'fifo' }, { orders: tickersOf(51) });
  const names = body.byTicker.rows.map(([ticker]: [string]) => ticker);
  expect([names.length, body.tickers, body.totals.disposals]).toEqual([50, 51, 51]);
  expect(names).not.toContain('T0');
  expect(names).toEqual(expect.arrayContaining(['T-25', 'T25', 'T1', 'T-1']));
  expect((await call({ method: 'fifo' }, { orders: tickersOf(50) })).body).not.toHaveProperty('tickers');
});

const basic = ['soldOn', 'ticker', 'quantity', 'proceeds', 'cost', 'gain', 'rules'];

test.each([
  ['broker', basic],
  ['fifo', [...basic, 'charges', 'matches']],
  ['average', [...basic, 'charges', 'matches']],
  ['uk_section_104', [...basic, 'charges', 'matches', 'poolAfter']],
])('the sales by %s have what this method knows of them', async (method, columns) => {
  const { body } = await call({ method });
  expect(body.columns).toEqual(columns);
  expect(body).not.toHaveProperty('excessReportableIncome');
  expect(body).not.toHaveProperty('remarksCount');
});

test('a later page has the other sales, and no figure of all of them', async () => {
  const cursor = Buffer.from('row:1').toString('base64url');
  const { body } = await call({ method: 'fifo', cursor });
  expect(body.rows.map(([soldOn]: string[]) => soldOn)).toEqual(['2026-04-05', '2025-06-02']);
  for (const name of ['totals', 'byTicker', 'unmatched', 'remarks', 'checks']) expect(body).not.toHaveProperty(name);
});

test.each<[object, Account, readonly string[]]>([
  [{ ticker: 'Z' }, {}, ['Z']],
  [{ ticker: 'A' }, {}, []],
  [{}, {}, []],
  // A row that is not read can be of it.
  [{ ticker: 'Z' }, { coverage: { complete: false, reading: true, missing: ['Rows are missing.'] } }, []],
])('whether the ticker of %j exists is checked where no row has it: %#', async (args, account, tickers) => {
  expect((await call({ method: 'fifo', ...args }, account)).required).toEqual(tickers);
});

test('of a ticker among others whether it exists is not checked', async () => {
  const other = { ...row('2025-01-03T10:00:00Z', 'BUY', '1', '2.00'), order: order('B', 'BUY', 'GB0000000002') };
  const { required } = await call({ method: 'fifo', ticker: 'A' }, { orders: [...orders, other] });
  expect(required).toEqual([]);
});

test('20 of the sales that are in no figure are listed, and all are counted', async () => {
  const sales = Array.from({ length: 25 }, (_, n) => row(`2025-02-01T10:00:${10 + n}Z`, 'SELL', '-1', '1.00'));
  const { body } = await call({ method: 'fifo' }, { orders: sales });
  expect([body.unmatched.length, body.unmatchedCount]).toEqual([20, 25]);
});

/** Shares that came in free of payment. */
const transferred = {
  id: '9',
  filledAt: '2025-01-02T10:00:00Z',
  quantity: '3',
  type: 'FOP',
  walletImpact: { currency: 'GBP' },
};

test('while rows are unread, a sale whose shares they can have is counted, and what lacks a cost is listed', async () => {
  const coverage = { complete: false, reading: true, missing: ['Rows are missing.'] };
  const transfer = { order: order('B', 'BUY', 'GB0000000002'), fill: transferred };
  const { body } = await call({ method: 'fifo' }, { orders: [transfer, ...orders.slice(1, 3)], coverage });
  expect(body.unmatched).toMatchObject([{ side: 'BUY', code: 'original_cost_unknown' }]);
  expect(body.unmatchedCount).toBe(1);
  expect(body.remarks[0]).toMatch(/^2 sales are in no figure or only in part: /);
});

test('shares that came in are no sale', async () => {
  const { body } = await call(
    { method: 'fifo' },
    { orders: [{ order: order('A', 'BUY', 'GB0000000001'), fill: transferred }] },
  );
  expect(body.note).toContain('The account has no sales.');
});

const notFinal = 'Gains of the last 30 days are not final: a purchase within 30 days after a sale becomes its cost.';
const month = 31 * 86_400_000;

test.each([
  ['uk_section_104', now - 1000 - month, false],
  ['uk_section_104', now - 1000 - month + 1, true],
  ['fifo', now - 2000, false],
])('by %s a sale at %i can still get another cost: %s', async (method, soldAt, isOpen) => {
  const sold = row(new Date(soldAt).toISOString(), 'SELL', '-1', '2.00');
  const { body } = await call({ method }, { orders: [row('2024-01-02T10:00:00Z', 'BUY', '1', '1.00'), sold] });
  expect(body.remarks.includes(notFinal)).toBe(isOpen);
});

test('an account without fills is calculated in no currency', async () => {
  const { body } = await call({ method: 'uk_section_104' }, { orders: [] });
  expect(body.remarks).toEqual([conversionFees]);
  expect(body).not.toHaveProperty('currency');
});
