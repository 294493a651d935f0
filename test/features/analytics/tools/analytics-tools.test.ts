/** The four tools over one invented account: their results, and how these report missing data. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Services } from '../../../../src/app/registry.ts';
import { endpoints } from '../../../../src/core/endpoints/index.ts';
import { runTool } from '../../../../src/core/mcp/run-tool.ts';
import type { ToolDefinition } from '../../../../src/core/mcp/tool.ts';
import type { DailySnapshot } from '../../../../src/features/analytics/return-period.ts';
import { summarizeCostsTool } from '../../../../src/features/analytics/tools/costs-tool.ts';
import { summarizeDividendsTool } from '../../../../src/features/analytics/tools/dividends-tool.ts';
import { analyzePortfolioTool } from '../../../../src/features/analytics/tools/portfolio-tool.ts';
import { calculateReturnsTool } from '../../../../src/features/analytics/tools/returns-tool.ts';
import type { Coverage, HistoryQuery } from '../../../../src/features/history/history-port.ts';
import { historyOfRows } from '../../../support/derived-history.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { at, dividend, position, summaryOf } from '../support.ts';

const tools: readonly ToolDefinition[] = [
  analyzePortfolioTool,
  summarizeDividendsTool,
  calculateReturnsTool,
  summarizeCostsTool,
];
const now = at('2026-11-21T12:00:00Z');

const fill = (id: string, day: string, ticker: string, quantity: string, netValue: string, tax: string) => ({
  order: { id, side: 'BUY', ticker },
  fill: {
    id,
    filledAt: day,
    quantity,
    type: 'TRADE',
    walletImpact: { currency: 'GBP', netValue, taxes: [{ name: 'STAMP_DUTY', quantity: tax, currency: 'GBP' }] },
  },
});
const rows = {
  orders: [
    fill('1', '2025-11-22T09:00:00Z', 'A', '10', '502.50', '2.50'),
    fill('2', '2026-02-01T09:00:00Z', 'B', '4', '201.00', '1.00'),
  ],
  dividends: [
    dividend({ ticker: 'A', amount: '20.10', paidOn: '2026-03-10T10:00:00Z', quantity: '5' }),
    dividend({ ticker: 'B', amount: '1.005', paidOn: '2026-05-10T10:00:00Z', quantity: '4' }),
  ],
  transactions: [
    { type: 'DEPOSIT', amount: '1000', currency: 'GBP', dateTime: '2025-11-21T08:00:00Z' },
    { type: 'FEE', amount: '-10', currency: 'GBP', dateTime: '2026-06-01T08:00:00Z' },
  ],
};
const positions = [
  position({ ticker: 'A', quantity: '10', value: '600', cost: '502.50', profitLoss: '97.50', currency: 'GBX' }),
  position({ ticker: 'B', quantity: '4', value: '200', cost: '201', profitLoss: '-1' }),
];
// 1,000 − 10 + 20.10 + 1.005 − 502.50 − 201
const summary = summaryOf({ cash: '307.605', value: '800', cost: '703.50', totalValue: '1107.605' });

interface Account {
  readonly rows?: Partial<Record<keyof typeof rows, readonly object[]>>;
  readonly coverage?: Partial<Coverage>;
  readonly snapshots?: readonly DailySnapshot[];
  readonly positions?: typeof positions;
  readonly taxZone?: string;
  /** What is different of one history. */
  readonly coverageOf?: Readonly<Record<string, { readonly [Name in keyof Coverage]?: Coverage[Name] | undefined }>>;
  /** When each part was read (ms). */
  readonly readAt?: Readonly<Record<string, number>>;
  /** How far an import has read, of how many years. */
  readonly importing?: { readonly ready: number; readonly expected: number };
}

async function call(name: string, args: Record<string, unknown>, account: Account = {}) {
  const questions: HistoryQuery[] = [];
  const required: string[] = [];
  const clock = createManualClock({ startAt: now });
  const services = {
    clock,
    config: { environment: 'demo', taxZone: account.taxZone, toolsets: account.importing ? ['exports'] : [] },
    historyImport: { progress: async () => ({ isRunning: true, years: account.importing }) },
    broker: {
      call: async (endpoint: unknown) => ({
        data: endpoint === endpoints.listPositions ? (account.positions ?? positions) : summary,
        answeredAt:
          endpoint === endpoints.listPositions
            ? (account.readAt?.positions ?? now - 1000)
            : (account.readAt?.summary ?? now - 2000),
      }),
    },
    history: historyOfRows(async (question: HistoryQuery) => {
      questions.push(question);
      return {
        rows: account.rows?.[question.kind] ?? rows[question.kind],
        coverage: {
          from: null,
          to: new Date(now).toISOString(),
          complete: true,
          rows: 2,
          ...account.coverage,
          ...account.coverageOf?.[question.kind],
        },
        asOf: account.readAt?.[question.kind] ?? now - 3000,
      };
    }),
    directory: {
      lastList: () => undefined,
      getOrThrow: async (ticker: string) => void required.push(ticker),
      instruments: async () => ({ byTicker: (ticker: string) => ({ type: ticker === 'A' ? 'STOCK' : 'ETF' }) }),
    },
    dailyValues: async () => account.snapshots ?? [],
    pastValues: async () => [],
    marketFiles: { benchmark: async () => undefined, funds: async () => new Map() },
  } as unknown as Services;
  const result = await runTool(tools, name, args, services, { signal: new AbortController().signal });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const body: any = result.body;
  if (!result.isError) {
    const tool = tools.find((candidate) => candidate.name === name);
    z.looseObject(tool?.output ?? {}).parse(body);
  }
  const viewData = result.isError ? undefined : result.viewData;
  return { isError: result.isError, body, questions, required, viewData };
}

describe('analyze_portfolio', () => {
  test('returns figures, concentration and a line per instrument', async () => {
    const { body } = await call('analyze_portfolio', { by: 'instrument' });
    expect(body).toMatchObject({
      asOf: '2026-11-21T11:59:58.000Z',
      currency: 'GBP',
      cash: '307.61',
      totalValue: '1107.61',
      holdingsValue: '800.00',
      profitLoss: '96.50',
      // 0.75² + 0.25² = 0.625
      concentration: { herfindahl: '0.6250', effectiveNumber: '1.60', largestWeightPercent: '75.00', largest: 'A' },
      complete: true,
      columns: [
        'group',
        'name',
        'value',
        'weightPercent',
        'cost',
        'profitLoss',
        'profitLossPercent',
        'fxImpact',
        'positions',
      ],
      rows: [
        ['A', 'A plc', '600.00', '75.00', '502.50', '97.50', '19.40', '0.00', 1],
        ['B', 'B plc', '200.00', '25.00', '201.00', '-1.00', '-0.50', '0.00', 1],
      ],
    });
    expect(body.checks).toEqual({ passed: 4 });
    expect(body.winners).toEqual({
      columns: ['ticker', 'name', 'profitLoss', 'profitLossPercent'],
      rows: [['A', 'A plc', '97.50', '19.40']],
    });
    expect(body.losers.rows).toEqual([['B', 'B plc', '-1.00', '-0.50']]);
  });

  test('by country names the countries, and says that a fund counts where it is registered', async () => {
    const { body } = await call('analyze_portfolio', { by: 'country' });
    expect(body.countryOf).toBe('registration (ISIN)');
    expect(body.columns.slice(0, 2)).toEqual(['group', 'name']);
    const names = Object.fromEntries(body.rows);
    for (const [code, name] of Object.entries({ GB: 'United Kingdom', US: 'United States', IE: 'Ireland' }))
      expect([undefined, name]).toContain(names[code]);
    expect(body.note).toContain('A fund counts there (often Ireland or Luxembourg)');
  });

  test('by type reads the instrument list', async () => {
    const { body } = await call('analyze_portfolio', { by: 'type', top: 1 });
    expect(body.columns).not.toContain('name');
    expect(body.rows.map(([group]: string[]) => group)).toEqual(['STOCK', 'other (1)']);
  });

  test('is not complete when a figure is missing', async () => {
    const { body } = await call(
      'analyze_portfolio',
      { by: 'currency' },
      { positions: [position({ ticker: 'A', value: '1', cost: '1' })] },
    );
    expect(body).toMatchObject({
      complete: false,
      note: expect.stringMatching(
        /: The service does not report the profit or loss of A\. The currency of a group is /,
      ),
    });
    expect(body.rows[0]).toEqual(['GBP', '1.00', '100.00', '1.00', null, null, '0.00', 1]);
    expect(body.profitLoss).toBeUndefined();
  });
});

describe('summarize_dividends', () => {
  test('returns the range, the trailing year and its yield on cost', async () => {
    const { body, questions } = await call('summarize_dividends', { groupBy: 'quarter', since: '2026-05-01' });
    expect(body).toMatchObject({
      currency: 'GBP',
      total: '1.01',
      count: 1,
      trailingTwelveMonths: { amount: '21.11', from: '2025-11-21T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z' },
      // 21.105 / 703.50
      // (20.10 × 10/5 + 1.005) / 703.50
      yieldOnCostPercent: '5.86',
      complete: true,
      columns: ['quarter', 'amount', 'count'],
      rows: [
        ['2026-Q2', '1.01', 1],
        ['2026-Q3', '0.00', 0],
        ['2026-Q4', '0.00', 0],
      ],
    });
    expect(body.projection).toBeUndefined();
    expect(questions).toEqual([{ kind: 'dividends', since: at('2025-11-21T12:00:00Z') }]);
  });

  test('names the first and the last day of its range for the picture', async () => {
    const rangeOf = async (args: object) =>
      (await call('summarize_dividends', { groupBy: 'month', ...args })).viewData?.range;
    expect(await rangeOf({ since: '2026-05-01', until: '2026-08-01' })).toEqual({
      since: '2026-05-01',
      until: '2026-07-31',
    });
    expect(await rangeOf({ taxYear: '2026/27' })).toEqual({ since: '2026-04-06', until: '2027-04-05' });
    expect(await rangeOf({})).toEqual({ since: undefined, until: undefined });
  });

  test('by ticker has yields, and a projection only on request', async () => {
    const { body } = await call('summarize_dividends', { groupBy: 'ticker', project: true });
    expect(body.columns).toEqual(['ticker', 'amount', 'count', 'trailingTwelveMonths', 'yieldOnCostPercent']);
    expect(body.rows).toEqual([
      ['A', '20.10', 1, '20.10', '8.00'],
      ['B', '1.01', 1, '1.01', '0.50'],
    ]);
    // 20.10 × 10/5 + 1.005
    expect(body.projection).toMatchObject({ total: '41.21', columns: ['month', 'amount'] });
    expect(body.projection.rows.filter(([, amount]: string[]) => amount !== '0.00')).toEqual([
      ['2027-03', '40.20'],
      ['2027-05', '1.01'],
    ]);
    expect(body.projection).not.toHaveProperty('heldWithoutPayment');
  });

  test('reports missing rows, and shows no month before them as empty', async () => {
    const coverage = {
      // April begins at this moment in London.
      from: '2026-03-31T23:00:00.000Z',
      complete: false,
      missing: ['Rows up to 2026-04-01 are missing: they have not been read yet.'],
    };
    const { body } = await call('summarize_dividends', { groupBy: 'month', since: '2026-01-01' }, { coverage });
    expect(body.complete).toBe(false);
    expect(body.note).toMatch(/are missing.*The figures will change when these rows arrive\.$/);
    expect(body.rows.map(([group]: string[]) => group)).toEqual([
      '2026-03',
      '2026-04',
      '2026-05',
      '2026-06',
      '2026-07',
      '2026-08',
      '2026-09',
      '2026-10',
      '2026-11',
    ]);
  });
});

test.each([
  [{}, 'the last twelve months'],
  [{ until: '2026-05-01' }, 'the twelve months before 2026-05-01'],
  // A tax year begins at midnight in London, an hour earlier in UTC.
  [{ taxYear: '2025/26' }, 'the twelve months before 2026-04-06'],
  [{ taxYear: '2026/27' }, 'the last twelve months'],
])('the yield on cost of %j names the twelve months that it rests on', async (range, months) => {
  const { body } = await call('summarize_dividends', { groupBy: 'month', ...range });
  expect(body.yieldOnCostOf).toBe(
    `payments per share of ${months}, times the shares held now, divided by their current cost`,
  );
});

test('dividends by country have the name of the country, except where the code has none', async () => {
  const of = (ticker: string, isin: string) => ({
    ...dividend({ ticker, amount: '5', paidOn: '2026-03-10T10:00:00Z' }),
    instrument: { ticker, isin },
  });
  const account = { rows: { dividends: [of('A', 'IE00B4L5Y983'), of('B', 'XS0000000009')] } };
  const { body } = await call('summarize_dividends', { groupBy: 'country' }, account);
  expect(body.columns.slice(0, 3)).toEqual(['country', 'name', 'amount']);
  expect(body.rows.map(([code, name]: string[]) => [code, name])).toEqual([
    ['IE', 'Ireland'],
    ['XS', null],
  ]);
});

describe('calculate_returns', () => {
  test('returns the life of the account with the checks of its books', async () => {
    const { body } = await call('calculate_returns', {});
    expect(body).toMatchObject({
      asOf: '2026-11-21T11:59:57.000Z',
      moneyIn: '1000.00',
      moneyOut: '0.00',
      netDeposits: '1000.00',
      dividends: '21.11',
      accountFees: '10.00',
      value: '1107.61',
      gain: '107.61',
      gainPercent: '10.76',
      moneyWeighted: { annualPercent: '10.76', periodPercent: '10.76', days: 365 },
      complete: true,
    });
    expect(body.timeWeighted.reason).toMatch(/stored no daily value yet/);
    expect(body.checks).toEqual({ passed: 2 });
  });

  test('of a range without a value at its start gives the reason, and still the deposits', async () => {
    const { body } = await call('calculate_returns', { since: '2026-01-01' });
    expect(body).toMatchObject({ moneyIn: '0.00', netDeposits: '0.00', dividends: '21.11', accountFees: '10.00' });
    expect(body.gain).toBeUndefined();
    expect(body.moneyWeighted.annualPercent).toBeUndefined();
    expect(body.note).toMatch(/value at the start \(2026-01-01\) is unknown/);
  });

  test('with the value at the start from the user has the gain of the range', async () => {
    const { body } = await call('calculate_returns', { period: 'year', valueAtStart: 505 });
    // 1,107.605 − 505
    expect(body).toMatchObject({ startValue: { at: '2026-01-01T00:00:00.000Z', value: '505.00' }, gain: '602.61' });
    expect(body.next).toBeUndefined();
    expect(body.message).toBe(
      'From 2026-01-01 to 2026-11-21, the account gained 602.61 GBP (119.33 % money-weighted).',
    );
  });

  test('without it names what is known, and both ways to the gain', async () => {
    const { body } = await call('calculate_returns', { period: 'year' });
    expect(body.message).toBe(
      'What the account gained from 2026-01-01 to 2026-11-21 is unknown. Known in GBP: dividends 21.11, interest 0.00, realised 0.00, account fees 10.00, paid in 0.00, paid out 0.00.',
    );
    // 107.605 on 1,000 in exactly a year.
    expect(body.next).toBe(
      "Ask the user for the value at the start of 2026-01-01, which the broker's application shows, and give it as valueAtStart; or ask for period all: 10.76 % a year since 2025-11-21.",
    );
  });

  test.each([
    [{ valueAtStart: 5 }, 'valueAtStart needs a period or since'],
    [{ valueAtStart: 5, period: 'all' }, 'valueAtStart needs a period or since'],
    [{ valueAtStart: 5, since: '2025-01-01' }, 'A value at the start is given for a moment before the first deposit.'],
    [{ period: 'year', since: '2026-01-01' }, 'Give either period or since and until'],
  ])('is refused for %j', async (args, message) => {
    const { body } = await call('calculate_returns', args);
    expect(body).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(message) });
  });

  test('of one holding has its price, dividends and charges', async () => {
    const { body, required } = await call('calculate_returns', { ticker: 'A' });
    expect(body).toMatchObject({
      ticker: 'A',
      name: 'A plc',
      quantity: '10',
      bought: '502.50',
      sold: '0.00',
      charges: '2.50',
      dividends: '20.10',
      value: '600.00',
      // 600 + 20.10 − 502.50, of which the price has 600 − 500.
      gain: '117.60',
      priceGain: '100.00',
    });
    expect(body.message).toMatch(
      /^From 2025-11-22 to 2026-11-21, A gained 117.60 GBP \(2\d\.\d\d % money-weighted\)\. Of it/,
    );
    expect(required).toEqual([]);
  });

  test('of a holding in a range needs its value at the start', async () => {
    const { body } = await call('calculate_returns', { ticker: 'A', period: 'year' });
    expect([body.gain, body.unknown]).toEqual([undefined, ['value_at_start_unknown']]);
    expect(body.next).toContain('valueAtStart');
    const given = await call('calculate_returns', { ticker: 'A', period: 'year', valueAtStart: '510' });
    // 600 + 20.10 − 510
    expect(given.body).toMatchObject({ gain: '110.10', priceGain: '90.00' });
  });

  test('of a ticker that was never held is only for one that exists', async () => {
    const { required } = await call('calculate_returns', { ticker: 'C' });
    expect(required).toEqual(['C']);
  });

  test('of a range with daily values uses them', async () => {
    const snapshots = ['2026-11-16', '2026-11-18', '2026-11-20'].map((day) => ({
      day,
      at: at(`${day}T12:00:00Z`),
      totalValue: '1000',
      currency: 'GBP',
    }));
    const { body } = await call('calculate_returns', { since: '2026-11-16T12:00:00Z' }, { snapshots });
    expect(body).toMatchObject({
      startValue: { value: '1000.00' },
      gain: '107.61',
      timeWeighted: { periodPercent: '10.76', days: 5 },
    });
  });

  test('has what was put in beside each daily value: the value at the start and the deposits since', async () => {
    const days = ['2026-01-01', '2026-01-03', '2026-11-20'];
    const snapshots = days.map((day) => ({ day, at: at(`${day}T12:00:00Z`), totalValue: '1000', currency: 'GBP' }));
    const moved = (type: string, amount: string, dateTime: string) => ({ type, amount, currency: 'GBP', dateTime });
    const transactions = [
      ...rows.transactions,
      moved('DEPOSIT', '50', '2026-01-02T08:00:00Z'),
      moved('WITHDRAW', '-20', '2026-02-01T08:00:00Z'),
    ];
    const question = { since: '2026-01-01T12:00:00Z' };
    const { viewData } = await call('calculate_returns', question, { snapshots, rows: { transactions } });
    expect(viewData?.values).toEqual([
      ['2026-01-01', '1000', '1000.00'],
      ['2026-01-03', '1000', '1050.00'],
      ['2026-11-20', '1000', '1030.00'],
    ]);
    // A range that begins between two values begins with the value at its start.
    const between = { since: '2026-01-02T00:00:00Z' };
    const ask = async (more: object) =>
      (await call('calculate_returns', { ...between, ...more }, { snapshots, rows: { transactions } })).viewData
        ?.values;
    expect(await ask({})).toEqual([
      ['2026-01-01', '1000', '1000.00'],
      ['2026-01-03', '1000', '1050.00'],
      ['2026-11-20', '1000', '1030.00'],
    ]);
    expect(await ask({ valueAtStart: '900' })).toEqual([
      ['2026-01-02', '900', '900.00'],
      ['2026-01-03', '1000', '950.00'],
      ['2026-11-20', '1000', '930.00'],
    ]);
    // Without a value at the start nothing is known of the gain, nor of what was put in.
    const later = { since: '2025-12-01T12:00:00Z' };
    expect((await call('calculate_returns', later, { snapshots })).viewData?.values).toEqual(
      days.map((day) => [day, '1000']),
    );
  });
});

describe('summarize_costs', () => {
  test('returns charges and fees in percent of the traded value', async () => {
    const { body } = await call('summarize_costs', { groupBy: 'name' });
    expect(body).toMatchObject({
      total: '13.50',
      count: 3,
      turnover: '703.50',
      // 13.5 / 703.5
      percentOfTurnover: '1.92',
      trades: 2,
      complete: true,
      columns: ['name', 'amount', 'count'],
      rows: [
        ['ACCOUNT_FEE', '10.00', 1],
        ['STAMP_DUTY', '3.50', 2],
      ],
    });
    expect(body.note).toBeUndefined();
    for (const name of ['otherTurnover', 'otherCurrencies']) expect(body).not.toHaveProperty(name);
  });

  test('continues a list where it was cut', async () => {
    const { body } = await call('summarize_costs', {
      groupBy: 'name',
      cursor: Buffer.from('row:1').toString('base64url'),
    });
    expect(body.rows).toEqual([['STAMP_DUTY', '3.50', 2]]);
  });
});

describe('a UK tax year', () => {
  // 6 April begins in London at 23:00 UTC of 5 April, in summer time.
  const moments = ['2025-04-05T22:59:59Z', '2025-04-05T23:30:00Z', '2026-04-05T22:59:59Z', '2026-04-05T23:00:00Z'];
  const account = {
    rows: {
      orders: [],
      dividends: moments.map((paidOn, n) => dividend({ ticker: 'A', amount: `${10 ** n}`, paidOn })),
      transactions: moments.flatMap((dateTime, n) => [
        { type: 'FEE', amount: `-${10 ** n}`, currency: 'GBP', dateTime },
        { type: 'INTEREST_ON_FREE_CASH', amount: `${2 * 10 ** n}`, currency: 'GBP', dateTime },
        { type: 'LENDING_INTEREST', amount: `${3 * 10 ** n}`, currency: 'USD', dateTime },
      ]),
    },
  };

  test('has the dividends and the interest of its days in London', async () => {
    const { body } = await call('summarize_dividends', { groupBy: 'treatment', taxYear: '2025/26' }, account);
    expect(body).toMatchObject({
      taxYear: '2025/26',
      total: '110.00',
      interest: [
        { type: 'INTEREST_ON_FREE_CASH', currency: 'GBP', count: 2, amount: '220.00' },
        { type: 'LENDING_INTEREST', currency: 'USD', count: 2, amount: '330.00' },
      ],
      coverage: { dividends: { complete: true }, transactions: { complete: true } },
    });
    expect((await call('summarize_dividends', { groupBy: 'month' }, account)).body).not.toHaveProperty('interest');
  });

  test('has the costs of its days in London', async () => {
    const { body } = await call('summarize_costs', { groupBy: 'name', taxYear: '2025/26' }, account);
    expect(body).toMatchObject({ taxYear: '2025/26', total: '110.00', count: 2 });
  });

  test('nothing but refunds in a range is below zero, whichever sign the service writes', async () => {
    const orders = (sign: string, refund: string) => [
      fill('1', '2025-11-22T09:00:00Z', 'A', '10', '502.50', `${sign}2.50`),
      fill('2', '2025-12-22T09:00:00Z', 'A', '10', '502.50', `${sign}2.50`),
      fill('3', '2026-02-01T09:00:00Z', 'B', '4', '201.00', refund),
    ];
    const range = { groupBy: 'name', since: '2026-01-01', until: '2026-03-01' };
    for (const all of [orders('-', '0.40'), orders('', '-0.40')]) {
      const { body } = await call('summarize_costs', range, { rows: { orders: all } });
      expect([body.total, body.count]).toEqual(['-0.40', 1]);
    }
  });

  test.each(['summarize_dividends', 'summarize_costs'])('of %s excludes since and until', async (name) => {
    const { body } = await call(name, { groupBy: 'year', taxYear: '2025/26', since: '2025-01-01' });
    expect(body.code).toBe('invalid_argument');
  });
});

test('summarize_dividends says which payments are capital, undated or without an amount', async () => {
  const dividends = [
    dividend({ ticker: 'A', amount: '3', paidOn: '2026-03-01T08:00:00Z', type: 'RETURN_OF_CAPITAL' }),
    dividend({ ticker: 'B', amount: '2' }),
    dividend({ ticker: 'C', paidOn: '2026-03-02T08:00:00Z' }),
  ];
  const { body } = await call('summarize_dividends', { groupBy: 'treatment' }, { rows: { dividends } });
  expect(body.total).toBe('5.00');
  expect(body.note).toContain(
    'Payments without an amount are in no figure: C on 2026-03-02. Payments without a date are included: B. Return of capital, liquidation and demerger payments are in the total and are no income: A on 2026-03-01.',
  );
});

test('calculate_returns says of what its gain is a percentage, and why it is unknown', async () => {
  const { body } = await call('calculate_returns', {});
  expect(body).toMatchObject({ gainPercentOf: 'netDeposits' });
  expect(body).not.toHaveProperty('unknown');
  const orders = [
    { order: { ticker: 'A', side: 'BUY' }, fill: { ...rows.orders[0]?.fill, type: 'FOP', walletImpact: {} } },
  ];
  const moved = await call('calculate_returns', {}, { rows: { orders } });
  expect(moved.body).toMatchObject({
    unknown: ['transfer_value_unknown'],
    moneyWeighted: { code: 'transfer_value_unknown' },
  });
  for (const field of ['gain', 'gainPercent', 'gainPercentOf', 'netDeposits', 'sharesIn'])
    expect(moved.body[field], field).toBeUndefined();
});

test('calculate_returns names bookings that it does not know', async () => {
  const transactions = [
    ...rows.transactions,
    { type: 'CASHBACK', amount: '1', currency: 'GBP', dateTime: '2026-06-02T08:00:00Z' },
  ];
  const { body } = await call('calculate_returns', {}, { rows: { transactions } });
  expect(body.otherBookings).toBe('1.00');
  expect(body.note).toContain('(CASHBACK)');
});

test.each([
  ['summarize_dividends', {}],
  ['analyze_portfolio', { by: 'colour' }],
  ['analyze_portfolio', { by: 'type', top: 0 }],
  ['summarize_dividends', { groupBy: 'name' }],
  ['summarize_costs', { groupBy: 'month', since: '2026-02-30' }],
  ['calculate_returns', { cursor: 'x' }],
])('%s refuses %j', async (name, args) => {
  expect(await call(name, args)).toMatchObject({ isError: true, body: { code: 'invalid_argument' } });
});

describe('dates are days of the zone that dates the rows', () => {
  const lateDividend = [dividend({ ticker: 'A', amount: '1.00', paidOn: '2026-06-30T23:30:00Z' })];
  const lateFee = [{ type: 'FEE', amount: '-2', currency: 'GBP', dateTime: '2026-06-30T23:30:00Z' }];
  const june = { since: '2026-06-01', until: '2026-07-01' };
  const july = { since: '2026-07-01', until: '2026-08-01' };

  test.each([
    // London is an hour ahead of UTC on 30 June.
    [undefined, 'Europe/London', '0.00', '1.00', '2026-07'],
    ['UTC', 'UTC', '1.00', '0.00', '2026-06'],
    ['America/New_York', 'America/New_York', '1.00', '0.00', '2026-06'],
  ])('of dividends, with the setting %s', async (taxZone, timeZone, inJune, inJuly, month) => {
    const account = { rows: { dividends: lateDividend }, ...(taxZone === undefined ? {} : { taxZone }) };
    const ask = (range: object) => call('summarize_dividends', { groupBy: 'month', ...range }, account);
    expect((await ask(june)).body).toMatchObject({ timeZone, total: inJune });
    expect((await ask(july)).body).toMatchObject({ timeZone, total: inJuly });
    const { body } = await ask({});
    expect(body.rows.find(([, amount]: string[]) => amount === '1.00')[0]).toBe(month);
  });

  test('of costs', async () => {
    const account = { rows: { orders: [], transactions: lateFee } };
    const ask = (range: object) => call('summarize_costs', { groupBy: 'month', ...range }, account);
    expect((await ask(june)).body).toMatchObject({ timeZone: 'Europe/London', total: '0.00' });
    expect((await ask(july)).body).toMatchObject({ total: '2.00', rows: [['2026-07', '2.00', 1]] });
  });

  test('of returns', async () => {
    const account = { rows: { transactions: lateFee } };
    expect((await call('calculate_returns', june, account)).body).toMatchObject({
      timeZone: 'Europe/London',
      accountFees: '0.00',
    });
    expect((await call('calculate_returns', july, account)).body.accountFees).toBe('2.00');
  });

  test('a date and a time are compared when the zone is known', async () => {
    // 1 July begins in London at 23:00 UTC on 30 June.
    const args = { groupBy: 'month', since: '2026-06-30T23:30:00Z', until: '2026-07-01' };
    const { isError, body } = await call('summarize_dividends', args);
    expect([isError, body.code, body.next]).toEqual([
      true,
      'invalid_argument',
      'A date begins at midnight in Europe/London.',
    ]);
  });
});

describe('while rows are missing', () => {
  const coverage = { complete: false, reading: true, missing: ['Rows up to 2026-04-01 are missing.'] };

  test.each([
    ['summarize_dividends', { groupBy: 'month' }],
    ['summarize_costs', { groupBy: 'month' }],
    ['calculate_returns', {}],
  ])('the figures of %s are provisional', async (name, args) => {
    const { body } = await call(name, args, { coverage });
    expect(body).toMatchObject({ provisional: true, complete: false });
    // Nothing that a reader could take for a figure comes before it.
    expect(Object.keys(body).indexOf('provisional')).toBeLessThan(Object.keys(body).indexOf('currency'));
    expect((await call(name, args)).body.provisional).toBeUndefined();
  });

  test.each([
    ['summarize_dividends', { groupBy: 'month' }, ['total']],
    ['summarize_costs', { groupBy: 'month' }, ['total', 'turnover']],
    [
      'calculate_returns',
      {},
      ['moneyIn', 'moneyOut', 'netDeposits', 'dividends', 'interest', 'accountFees', 'realised'],
    ],
  ])('%s leaves out the sums of which no row was read', async (name, args, fields) => {
    const none = { orders: [], dividends: [], transactions: [] };
    const unread = (await call(name, args, { rows: none, coverage })).body;
    expect(fields.filter((field) => unread[field] !== undefined)).toEqual([]);
    const read = (await call(name, args, { rows: none })).body;
    expect(fields.map((field) => read[field])).toEqual(fields.map(() => '0.00'));
  });

  test('no gain and no rate is computed from a part of the deposits', async () => {
    const { body } = await call('calculate_returns', {}, { coverage });
    expect([body.gain, body.gainPercent, body.moneyWeighted.annualPercent, body.unknown]).toEqual([
      undefined,
      undefined,
      undefined,
      ['history_incomplete'],
    ]);
    expect(body.moneyWeighted.code).toBe('history_incomplete');
  });
});

test.each([
  ['summarize_dividends', { groupBy: 'ticker' }, 'trailingTwelveMonths'],
  ['summarize_costs', { groupBy: 'ticker' }, 'turnover'],
])('%s has the figures of all rows on the first page', async (name, args, figure) => {
  const first = (await call(name, args)).body;
  const cursor = Buffer.from('row:1').toString('base64url');
  const second = (await call(name, { ...args, cursor })).body;
  expect(['total', 'count', figure].filter((key) => key in first)).toEqual(['total', 'count', figure]);
  expect(['total', 'count', figure].filter((key) => key in second)).toEqual([]);
  expect(second.rows).toEqual(first.rows.slice(1));
});

const from = { from: null, to: '2026-11-21T12:00:00.000Z', complete: true, rows: 2 };
const asOf = '2026-11-21T11:59:57.000Z';

test('every figure of the portfolio has its sum, and the figures say of what the weights are', async () => {
  const { body } = await call('analyze_portfolio', { by: 'instrument' });
  expect(body).toMatchObject({ cost: '703.50', fxImpact: '0.00', weightsOf: 'holdingsValue' });
});

test.each([
  ['summarize_costs', { groupBy: 'name' }, ['orders', 'transactions']],
  ['summarize_dividends', { groupBy: 'month' }, ['dividends']],
  ['summarize_dividends', { groupBy: 'month', taxYear: '2025/26' }, ['dividends', 'transactions']],
  ['calculate_returns', {}, ['orders', 'dividends', 'transactions']],
])('%s %j is as old as its oldest part, and covers %j', async (name, args, kinds) => {
  const { body } = await call(name, args);
  expect(body.asOf).toBe(asOf);
  expect(body.coverage).toEqual(Object.fromEntries(kinds.map((kind) => [kind, from])));
});

test('while rows are missing, the result says when to ask again', async () => {
  const coverage = { complete: false, reading: true, nextPageInSeconds: 7, missing: ['OLD ROWS ARE UNREAD.'] };
  const { body } = await call('summarize_costs', { groupBy: 'name' }, { coverage });
  expect(body).toMatchObject({
    complete: false,
    next: expect.stringMatching(/^The rest is loading in the background/),
  });
});

test('costs without a trade have no percentage, and the reason', async () => {
  const { body } = await call('summarize_costs', { groupBy: 'name' }, { rows: { orders: [] } });
  expect(body).toMatchObject({ turnover: '0.00', percentOfTurnoverReason: 'This range has no trades.' });
  expect(body.percentOfTurnover).toBeUndefined();
});

test.each([
  ['summarize_costs', { groupBy: 'name' }, false],
  ['calculate_returns', {}, true],
])('%s names the rows that are in no figure', async (name, args, namesDividends) => {
  const undated = {
    orders: [...rows.orders, { order: { id: '9', ticker: 'C' }, fill: { id: '9', quantity: '1', type: 'TRADE' } }],
    dividends: [...rows.dividends, dividend({ ticker: 'C', amount: '1' })],
    transactions: [...rows.transactions, { type: 'DEPOSIT', amount: '7', currency: 'GBP' }],
  };
  const { body } = await call(name, args, { rows: undated });
  expect(body.note).toContain('Fills without a ticker or a date are in no figure: ');
  expect(body.note).toContain('Transactions without an amount or a date are in no figure: DEPOSIT.');
  expect(body.note.includes('Dividends without an amount or a date are in no figure: C.')).toBe(namesDividends);
});

describe('summarize_dividends', () => {
  test('of one ticker asks for its rows, and counts no other', async () => {
    const { body, questions } = await call('summarize_dividends', { groupBy: 'ticker', ticker: 'A' });
    expect(questions).toEqual([{ kind: 'dividends', ticker: 'A' }]);
    expect(body.rows).toEqual([['A', '20.10', 1, '20.10', '8.00']]);
  });

  test('counts payments in the account’s currency, and lists those in another', async () => {
    const dividends = [
      ...rows.dividends,
      { ...dividend({ ticker: 'A', amount: '5', paidOn: '2026-06-10T10:00:00Z' }), currency: 'USD' },
    ];
    const { body } = await call('summarize_dividends', { groupBy: 'year' }, { rows: { dividends } });
    expect(body).toMatchObject({
      currency: 'GBP',
      total: '21.11',
      otherCurrencies: [{ currency: 'USD', amount: '5.00' }],
    });
  });

  test('says of what the gross is where the figures name taxes, and nowhere else', async () => {
    const gross =
      'quantity × gross amount per share; in the account’s currency only where the row is in it, or names its tax';
    for (const groupBy of ['country', 'treatment'])
      expect((await call('summarize_dividends', { groupBy })).body.grossOf).toBe(gross);
    expect((await call('summarize_dividends', { groupBy: 'year' })).body.grossOf).toBeUndefined();
  });

  test('says why there is no yield on cost', async () => {
    const { body } = await call('summarize_dividends', { groupBy: 'year' }, { positions: [] });
    expect(body.yieldOnCostPercent).toBeUndefined();
    expect(body.yieldOnCostReason).toBe('No shares are held now.');
  });

  test('a projection says that it is an assumption, and which of its months are in part', async () => {
    const { body } = await call('summarize_dividends', { groupBy: 'ticker', project: true });
    expect(body.projection).toMatchObject({
      method: expect.stringMatching(/^An assumption, not a forecast: /),
      // The twelve months from 21 November.
      partialMonths: ['2026-11', '2027-11'],
    });
  });

  test('shows no month after the last that was read as empty', async () => {
    const coverage = { to: '2026-06-30T23:00:00.000Z', complete: false, missing: ['NEW ROWS ARE UNREAD.'] };
    const { body } = await call('summarize_dividends', { groupBy: 'month', since: '2026-05-01' }, { coverage });
    expect(body.rows.map(([month]: string[]) => month)).toEqual(['2026-05', '2026-06']);
  });
});

describe('calculate_returns', () => {
  test('has the times of the values that it compares', async () => {
    const first = at('2026-11-16T12:00:00Z');
    const snapshots = [{ day: '2026-11-16', at: first, totalValue: '1000', currency: 'GBP' }];
    const { body } = await call('calculate_returns', { since: '2026-11-16T12:00:00Z' }, { snapshots });
    expect(body).toMatchObject({
      startValue: { at: '2026-11-16T12:00:00.000Z', value: '1000.00' },
      value: '1107.61',
      valueAt: '2026-11-21T12:00:00.000Z',
    });
  });
});

test('a projection counts the holdings that paid nothing, and the payments that it leaves out', async () => {
  const { quantity: _, ...payment } = dividend({ ticker: 'B', amount: '1', paidOn: '2026-05-10T10:00:00Z' });
  const held = [...positions, position({ ticker: 'C', quantity: '1', value: '1', cost: '1', profitLoss: '0' })];
  const account = { positions: held, rows: { dividends: [...rows.dividends, payment] } };
  const { body } = await call('summarize_dividends', { groupBy: 'ticker', project: true }, account);
  expect(body.projection).toMatchObject({ heldWithoutPayment: 1, paymentsLeftOut: 1 });
});

test('charges in another currency are a sum of their own', async () => {
  const transactions = [
    ...rows.transactions,
    { type: 'FEE', amount: '-3', currency: 'USD', dateTime: '2026-06-02T08:00:00Z' },
  ];
  const { body } = await call('summarize_costs', { groupBy: 'name' }, { rows: { transactions } });
  expect(body).toMatchObject({ total: '13.50', otherCurrencies: [{ currency: 'USD', amount: '3.00' }] });
  expect(body.columns).toEqual(['name', 'currency', 'amount', 'count']);
  expect(body.rows).toContainEqual(['ACCOUNT_FEE', 'USD', '3.00', 1]);
});

test('dividends in another currency alone leave the total in the account’s at zero, each group with its currency', async () => {
  const dividends = [
    dividend({ ticker: 'A', amount: '5', paidOn: '2026-06-10T10:00:00Z', currency: 'USD' }),
    dividend({ ticker: 'A', amount: '7', paidOn: '2026-06-11T10:00:00Z', currency: 'USD' }),
  ];
  const ask = async (account: Account) => (await call('summarize_dividends', { groupBy: 'ticker' }, account)).body;
  const foreign = await ask({ rows: { dividends } });
  expect(foreign).toMatchObject({
    currency: 'GBP',
    total: '0.00',
    otherCurrencies: [{ currency: 'USD', amount: '12.00' }],
  });
  const both = await ask({ rows: { dividends: [...dividends, ...rows.dividends.slice(0, 1)] } });
  expect(both.columns.slice(0, 4)).toEqual(['ticker', 'currency', 'amount', 'count']);
  expect(both.rows.map((cells: unknown[]) => cells.slice(0, 4)).sort()).toEqual([
    ['A', 'GBP', '20.10', 1],
    ['A', 'USD', '12.00', 2],
  ]);
});

test('shares that moved from and to other brokers have their values, apart from the money', async () => {
  const transfer = (id: string, side: string, value: string) => {
    const one = fill(id, '2026-02-01T09:00:00Z', 'A', side === 'BUY' ? '2' : '-1', value, '0');
    return { order: { ...one.order, side }, fill: { ...one.fill, type: 'FOP' } };
  };
  const orders = [...rows.orders, transfer('8', 'BUY', '300'), transfer('9', 'SELL', '120')];
  const { body } = await call('calculate_returns', {}, { rows: { orders } });
  // 1,000 + 300 − 120.
  expect(body).toMatchObject({
    moneyIn: '1000.00',
    moneyOut: '0.00',
    sharesIn: '300.00',
    sharesOut: '120.00',
    netDeposits: '1180.00',
  });
  const unmoved = await call('calculate_returns', {});
  expect(unmoved.body).not.toHaveProperty('sharesIn');
  expect(unmoved.body).not.toHaveProperty('sharesOut');
});

const parts: [name: string, args: Record<string, unknown>, sources: readonly string[]][] = [
  ['summarize_costs', { groupBy: 'name' }, ['orders', 'transactions', 'summary']],
  ['summarize_dividends', { groupBy: 'month' }, ['dividends', 'positions', 'summary']],
  [
    'summarize_dividends',
    { groupBy: 'month', taxYear: '2025/26' },
    ['dividends', 'transactions', 'positions', 'summary'],
  ],
  ['calculate_returns', {}, ['orders', 'dividends', 'transactions', 'positions', 'summary']],
  ['analyze_portfolio', { by: 'instrument' }, ['positions', 'summary']],
];

test.each(parts)('%s %j is as old as the oldest of %j', async (name, args, sources) => {
  const fresh = Object.fromEntries(sources.map((source) => [source, now - 1_000]));
  for (const source of sources) {
    const { body } = await call(name, args, { readAt: { ...fresh, [source]: now - 5_000 } });
    expect([source, body.asOf]).toEqual([source, '2026-11-21T11:59:55.000Z']);
  }
});

const histories = parts
  .slice(0, -1)
  .map(([name, args, sources]) => [name, args, sources.filter((source) => source in rows)] as const);

test.each(histories)('%s %j is provisional while one of %j is read, and names it', async (name, args, kinds) => {
  for (const kind of kinds) {
    const coverageOf = { [kind]: { complete: false, reading: true, rows: 100, missing: ['OLD ROWS ARE UNREAD.'] } };
    const { body } = await call(name, args, { coverageOf });
    expect(body).toMatchObject({ provisional: true, complete: false });
    const incomplete = Object.keys(body.coverage).filter((one) => !body.coverage[one].complete);
    expect(incomplete).toEqual([kind]);
  }
});

test.each([
  ['summarize_costs', { groupBy: 'name' }, ['orders', 'transactions']],
  ['summarize_dividends', { groupBy: 'month' }, ['dividends']],
  ['calculate_returns', {}, ['orders', 'dividends', 'transactions']],
])('%s says how far an import has read while %3$j are long and unread', async (name, args, kinds) => {
  for (const kind of kinds) {
    const coverageOf = { [kind]: { complete: false, reading: true, rows: 100, missing: ['OLD ROWS ARE UNREAD.'] } };
    const { body } = await call(name, args, { coverageOf, importing: { ready: 2, expected: 5 } });
    expect(body.next).toContain('import_history is running: it has read 2 of about 5 years.');
  }
});

describe('while one history is unread and the others are empty', () => {
  const none = { orders: [], dividends: [], transactions: [] };
  const unread = (kind: string) => ({
    rows: none,
    coverageOf: { [kind]: { complete: false, missing: ['OLD ROWS ARE UNREAD.'] } },
  });
  const nothing = 'The account has no trades and no charges.';

  test.each([
    ['orders', undefined, undefined],
    ['transactions', undefined, '0.00'],
  ])('of %s, the costs have the total %s and the turnover %s', async (kind, total, turnover) => {
    const { body } = await call('summarize_costs', { groupBy: 'name' }, unread(kind));
    expect([body.total, body.turnover]).toEqual([total, turnover]);
    expect(body.note).not.toContain(nothing);
  });

  test('the costs of an account without rows say so', async () => {
    expect((await call('summarize_costs', { groupBy: 'name' }, { rows: none })).body.note).toBe(nothing);
  });

  test('a realised gain is not said to be zero because there are bookings', async () => {
    const { transactions } = rows;
    const account = { ...unread('orders'), rows: { ...none, transactions } };
    const { body } = await call('calculate_returns', {}, account);
    expect([body.realised, body.accountFees]).toEqual([undefined, '10.00']);
  });

  test('months are not shown as empty of dividends', async () => {
    const coverage = { complete: false, missing: ['ROWS ARE UNREAD.'] };
    const account = { rows: none, coverageOf: { dividends: { ...coverage, from: undefined } } };
    expect((await call('summarize_dividends', { groupBy: 'month', since: '2026-09-01' }, account)).body.rows).toEqual(
      [],
    );
  });
});

describe('calculate_returns', () => {
  const booking = (type: string, amount: string, dateTime: string, currency = 'GBP') => ({
    type,
    amount,
    currency,
    dateTime,
  });

  test('of two years has the rate of one year beside that of both', async () => {
    const transactions = [booking('DEPOSIT', '1000', '2024-11-21T12:00:00Z')];
    const { body } = await call('calculate_returns', {}, { rows: { orders: [], dividends: [], transactions } });
    // The root of 1.107605 is 1.0524.
    expect(body.moneyWeighted).toMatchObject({ annualPercent: '5.24', periodPercent: '10.76', days: 730 });
  });

  test('of an account from which as much was withdrawn as deposited has a gain, and no percentage', async () => {
    const transactions = [...rows.transactions, booking('WITHDRAW', '-1000', '2026-07-01T08:00:00Z')];
    const { body } = await call('calculate_returns', {}, { rows: { transactions } });
    expect(body).toMatchObject({ netDeposits: '0.00', gain: '1107.61' });
    expect(body).not.toHaveProperty('gainPercentOf');
  });

  test('names the bookings in another currency', async () => {
    const transactions = [...rows.transactions, booking('DEPOSIT', '7', '2026-07-01T08:00:00Z', 'USD')];
    expect((await call('calculate_returns', {}, { rows: { transactions } })).body.note).toContain('USD');
  });

  test('compares no cash while dividends are unread, and still the shares', async () => {
    const coverageOf = { dividends: { complete: false, missing: ['ROWS ARE UNREAD.'] } };
    expect((await call('calculate_returns', {}, { coverageOf })).body.checks).toEqual({ passed: 1 });
  });

  test.each([
    ['BUY', { sharesIn: '300.00', sharesOut: '0.00' }],
    ['SELL', { sharesIn: '0.00', sharesOut: '300.00' }],
  ])('has both sides when shares moved by %s alone', async (side, expected) => {
    const one = fill('8', '2026-02-01T09:00:00Z', 'A', side === 'BUY' ? '2' : '-1', '300', '0');
    const moved = { order: { ...one.order, side }, fill: { ...one.fill, type: 'FOP' } };
    const { body } = await call('calculate_returns', {}, { rows: { orders: [...rows.orders, moved] } });
    expect(body).toMatchObject(expected);
  });
});

test.each([
  ['winners', '97.50'],
  ['losers', '-97.50'],
])('a portfolio of %s alone has no other list', async (list, profitLoss) => {
  const one = position({ ticker: 'A', quantity: '10', value: '600', cost: '502.50', profitLoss });
  const { body } = await call('analyze_portfolio', { by: 'instrument' }, { positions: [one] });
  expect(['winners', 'losers'].filter((name) => name in body)).toEqual([list]);
});

describe('the note of a portfolio', () => {
  const exposure =
    'The currency of a group is the one in which its instruments trade, not the currency of what a fund holds; cash is in no group.';
  const pence = 'GBX is pence: the groups GBP and GBX are the same currency.';

  test('by currency says what the groups are, and which two are the same', async () => {
    expect((await call('analyze_portfolio', { by: 'currency' })).body.note).toBe(`${exposure} ${pence}`);
    const pounds = positions.filter(({ instrument }) => instrument?.currency !== 'GBX');
    const { body } = await call('analyze_portfolio', { by: 'currency' }, { positions: pounds });
    expect(body.note).toBe(exposure);
  });

  test('is left out where there is nothing to say', async () => {
    expect((await call('analyze_portfolio', { by: 'instrument' })).body).not.toHaveProperty('note');
  });
});

test.each([
  [{ ticker: 'Z' }, ['Z']],
  [{ ticker: 'A' }, []],
  [{}, []],
])('whether the ticker of the dividends %j exists is checked where no row has it', async (args, tickers) => {
  expect((await call('summarize_dividends', { groupBy: 'month', ...args })).required).toEqual(tickers);
});

test.each([
  [{ ticker: 'A' }, 'The range has no dividends of A.'],
  [{}, 'The range has no dividends.'],
])('a range without a dividend of %j says so', async (args, note) => {
  const { body } = await call('summarize_dividends', { groupBy: 'year', since: '2026-11-01', ...args });
  expect(body.note).toBe(note);
});

test('a later page of dividends has no figure of all payments', async () => {
  const cursor = Buffer.from('row:1').toString('base64url');
  const { body } = await call('summarize_dividends', { groupBy: 'ticker', cursor });
  expect(body.rows).toEqual([['B', '1.01', 1, '1.01', '0.50']]);
  for (const name of ['total', 'count', 'trailingTwelveMonths', 'otherCurrencies'])
    expect(body).not.toHaveProperty(name);
});

test.each([
  [
    'country',
    ['country', 'name', 'amount', 'count', 'gross', 'withheld', 'withheldUnknown', 'grossInInstrumentCurrency'],
  ],
  ['treatment', ['treatment', 'amount', 'count', 'gross', 'withheld', 'withheldUnknown', 'grossInInstrumentCurrency']],
  ['month', ['month', 'amount', 'count']],
])('dividends by %s have their taxes or not', async (groupBy, columns) => {
  const gross = (ticker: string, grossAmountPerShare: string, tickerCurrency: string) => ({
    ...dividend({ ticker, amount: '5', paidOn: '2026-03-10T10:00:00Z', quantity: '10' }),
    ...{ grossAmountPerShare, tickerCurrency },
  });
  const account = { rows: { dividends: [gross('A', '0.6', 'USD'), gross('B', '0.7', 'EUR')] } };
  const { body } = await call('summarize_dividends', { groupBy, since: '2026-03-01', until: '2026-04-01' }, account);
  expect(body.columns).toEqual(columns);
  expect(body).not.toHaveProperty('otherCurrencies');
  expect('grossOf' in body).toBe(groupBy !== 'month');
  const cells = body.rows.map((row: unknown[]) => row[columns.indexOf('grossInInstrumentCurrency')]);
  if (groupBy === 'treatment') expect(cells).toEqual(['6.00 USD, 7.00 EUR']);
});

test('one trade with one charge is not nothing', async () => {
  const { body } = await call('summarize_costs', { groupBy: 'name', since: '2026-02-01', until: '2026-03-01' });
  expect(body).toMatchObject({ count: 1, trades: 1, total: '1.00' });
  expect(body.note).toBeUndefined();
});

test('trades whose costs the service does not report are named', async () => {
  const [first, second] = rows.orders as [(typeof rows.orders)[0], (typeof rows.orders)[0]];
  const { walletImpact: _, ...silent } = second.fill;
  const orders = [first, { ...second, fill: silent }];
  const { body } = await call('summarize_costs', { groupBy: 'name' }, { rows: { orders } });
  expect(body.note).toMatch(/^The service does not report the costs of 1 of 2 trades: .*B/);
});

test('bookings of other types are named as a part of the gain, and without any they are not', async () => {
  const bonus = { type: 'BONUS', amount: '5', currency: 'GBP', dateTime: '2026-06-02T08:00:00Z' };
  const transactions = [...rows.transactions, bonus];
  const { body } = await call('calculate_returns', {}, { rows: { transactions } });
  expect(body.otherBookings).toBe('5.00');
  expect(body.note).toContain('Transactions of other types (BONUS) count as part of the gain, not as money in or out.');
  const { body: plain } = await call('calculate_returns', {});
  expect(plain.note ?? '').not.toContain('otherBookings');
  expect(plain).not.toHaveProperty('otherBookings');
  expect(plain).not.toHaveProperty('sharesIn');
});

test.each(['instrument', 'currency', 'country', 'type'])('a portfolio by %s has what belongs to it', async (by) => {
  const { body } = await call('analyze_portfolio', { by });
  expect(['winners', 'losers', 'countryOf'].filter((name) => name in body)).toEqual(
    by === 'instrument' ? ['winners', 'losers'] : by === 'country' ? ['countryOf'] : [],
  );
  expect(body.note ?? '').not.toContain(' more.');
});

test('of many unknown figures some are named, and the others are counted', async () => {
  const unknown = (count: number) =>
    Array.from({ length: count }, (_, n) => position({ ticker: `T${n}`, value: '1', cost: '1' }));
  const noteOf = async (count: number) =>
    (await call('analyze_portfolio', { by: 'instrument' }, { positions: unknown(count) })).body.note;
  const named = (note: string) => note.match(/The service does not report the profit or loss of T\d+\./g) ?? [];
  const few = await noteOf(1);
  expect(named(few)).toHaveLength(1);
  expect(few).not.toContain(' more.');
  const many = await noteOf(12);
  expect(named(many)).toHaveLength(5);
  expect(many).toMatch(/ And 7 more\.$/);
});
