/** What call prints: JSON for programs, and tables for a person in a terminal. */
// @module-tag server
import { expect, test } from 'vitest';
import { formatResult, type ResultOptions } from '../../src/cli/format-result.ts';
import { createStyle } from '../../src/core/process/text-style.ts';
import { runCommand } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

const options = (now: string, zone = 'Europe/London'): ResultOptions => ({
  width: 80,
  style: createStyle({}, false),
  zone,
  clock: { now: () => Date.parse(now), sleep: async () => undefined },
});

const screens = {
  output: { isTerminal: true, columns: 80 },
  errors: { isTerminal: true, columns: 80 },
};

async function newAccount() {
  const folder = await makeStateFolder('brokerage-mcp-call-');
  return { HOME: folder, BROKER_STATE_DIR: folder, NO_COLOR: '1' };
}

test('call prints the result as a table in a terminal, and as JSON with --json and in a pipe', async () => {
  const env = await newAccount();
  const [shown, asked, piped] = [
    await runCommand(['call', 'list_positions'], env, { screens }),
    await runCommand(['call', 'list_positions', '--json'], env, { screens }),
    await runCommand(['call', 'list_positions'], env),
  ];
  const { columns, rows, positions } = JSON.parse(asked.stdout);
  expect(JSON.parse(piped.stdout)).toMatchObject({ columns, positions });
  const lines = shown.stdout.trimEnd().split('\n');
  const at = lines.findIndex((line) => line.startsWith('ticker '));
  const tickers = lines.slice(at + 1, at + 1 + rows.length).map((line) => line.split(' ')[0]);
  expect(tickers).toEqual(rows.map(([ticker]: string[]) => ticker));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(shown.stdout).not.toContain('\u001b');
});

test('an error in a terminal has its code, its sentence and what to do', async () => {
  const { code, stdout } = await runCommand(['call', 'get_order', '{"orderId": true}'], await newAccount(), {
    screens,
  });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^invalid_argument: .+\n/)]);
  expect(stdout).not.toContain('{');
});

test('facts stand by name, nested ones indented, lists as tables, and times as a person says them', () => {
  const body = {
    env: 'sandbox',
    simulated: true,
    asOf: '2026-11-24T05:59:00.000Z',
    openNow: false,
    warnings: ['one', 'two'],
    cash: { inPies: '37.55', blocked: null },
    checks: [{ check: 'cash', ok: true }],
    limitColumns: ['endpoint', 'free'],
    limits: [['GET /x', 1]],
    intents: [],
    nextCursor: 'abc',
    columns: ['ticker', 'nextAt'],
    rows: [['QA', '2026-11-25T08:00:00.000Z']],
    message: 'All is well.',
  };
  expect(formatResult(body, options('2026-11-24T06:00:00Z'))).toEqual([
    'sandbox · today 05:59',
    'open now  no',
    'warnings  one, two',
    'cash',
    '  in pies  37.55',
    '  blocked  –',
    'checks',
    '  check  ok',
    '  cash   yes',
    'limits',
    '  endpoint  free',
    '  GET /x       1',
    'intents',
    '  none',
    'ticker  next at',
    'QA      tomorrow 08:00',
    'All is well.',
    'There are more rows: add "cursor": "abc".',
  ]);
});

test('the cells of money have their currency, and each currency belongs to its own columns', () => {
  const orders = {
    columns: ['ticker', 'price', 'currency', 'netValue', 'realisedProfitLoss', 'accountCurrency'],
    rows: [
      ['QBRAMl_EQ', '698', 'GBX', '968.42', '-32.48', 'GBP'],
      ['QVELT_US_EQ', '5.1', 'USD', '3.90', null, 'GBP'],
    ],
  };
  const dividends = {
    columns: ['ticker', 'grossAmountPerShare', 'tickerCurrency', 'amount', 'currency'],
    rows: [['ZLUTEp_EQ', '1.0387', 'EUR', '23.32', 'GBP']],
  };
  // The value is in the currency of the account, which the row does not name.
  const positions = {
    columns: ['ticker', 'currency', 'currentPrice', 'currentValue'],
    rows: [
      ['QBRAMl_EQ', 'GBX', '698', '7189.4'],
      ['QNEW_EQ', null, '3', '6'],
    ],
  };
  const pending = {
    columns: ['ticker', 'limitPrice', 'stopPrice', 'priceCurrency'],
    rows: [['QBRAMl_EQ', '700', null, 'GBX']],
  };
  const at = options('2026-11-24T06:00:00Z');
  expect(formatResult(orders, at)).toEqual([
    '                                    realised',
    '                                      profit',
    'ticker         price   net value        loss',
    'QBRAMl_EQ    698 GBX  968.42 GBP  -32.48 GBP',
    'QVELT_US_EQ  5.1 USD    3.90 GBP           –',
  ]);
  expect(formatResult(dividends, at).at(-1)).toBe('ZLUTEp_EQ  1.0387 EUR  23.32 GBP');
  expect(formatResult(positions, at).slice(-2)).toEqual(['QBRAMl_EQ  698 GBX   7189.4', 'QNEW_EQ          3        6']);
  const report = {
    columns: ['Action', 'Total', 'Currency (Total)'],
    rows: [['Deposit', '12.30', 'GBP']],
  };
  expect(formatResult(report, at)).toEqual(['Action       Total', 'Deposit  12.30 GBP']);
  expect(formatResult(pending, at).at(-1)).toBe('QBRAMl_EQ  700 GBX  –');
});

test.each([
  ['{"kind":"dividends"}', ['ticker', 'quantity', 'amount', 'paid on']],
  ['{"kind":"orders"}', ['ticker', 'side', 'quantity', 'price', 'net value', 'filled at']],
])('80 columns of fetch_history %s have what happened', async (args, headers) => {
  const { stdout } = await runCommand(['call', 'fetch_history', args], await newAccount(), { screens });
  const lines = stdout.split('\n');
  const omitted = lines.slice(lines.findIndex((line) => line.startsWith('Not shown in this width: ')));
  const left = omitted.join(' ').split(/[:,.] ?/);
  expect(headers.filter((header) => left.includes(header))).toEqual([]);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('a range of whole days in a named zone is shown as days of that zone, and its times are of it too', () => {
  // The tax year 2026/27 begins at midnight in London, which is an hour earlier in UTC.
  const body = {
    asOf: '2026-06-01T10:00:00.000Z',
    taxYear: '2026/27',
    timeZone: 'Europe/London',
    since: '2026-04-05T23:00:00.000Z',
    until: '2027-04-05T23:00:00.000Z',
  };
  expect(formatResult(body, options('2026-06-01T10:00:00Z', 'America/New_York'))).toEqual([
    'today 11:00',
    'tax year   2026/27',
    'time zone  Europe/London',
    'since      6 Apr 2026',
    'until      the end of 5 Apr 2027',
  ]);
  const hours = { timeZone: 'Europe/London', since: '2026-06-01T08:30:00.000Z' };
  expect(formatResult(hours, options('2026-06-01T10:00:00Z', 'America/New_York'))).toEqual([
    'time zone  Europe/London',
    'since      today 09:30',
  ]);
});

test('a limit has its unit', () => {
  const riskLimits = { maxOrderValue: '10000', maxPriceDistance: '20', ordersPerDay: 5 };
  expect(formatResult({ riskLimits }, options('2026-06-01T10:00:00Z'))).toEqual([
    'risk limits',
    '  max order value     10000 in the currency of the account',
    '  max price distance  20 %',
    '  orders per day      5',
  ]);
});

test('sentences of a list stand on lines of their own', () => {
  expect(
    formatResult({ remarks: ['One, of two.', 'Another.'], tickers: ['A', 'B'] }, options('2026-06-01T10:00:00Z')),
  ).toEqual(['remarks  One, of two.', '         Another.', 'tickers  A, B']);
});
