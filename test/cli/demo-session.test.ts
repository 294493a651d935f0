/** The calls of the demo and the sentences about their results, with a server of fixed answers. */
import { expect, test } from 'vitest';
import { playDemo } from '../../src/cli/demo.ts';
import { createStyle } from '../../src/core/process/text-style.ts';
import { createManualClock } from '../support/manual-clock.ts';

const startAt = Date.UTC(2026, 0, 15, 15);
const order = { ticker: 'ABC_EQ', side: 'BUY', quantity: 3, limitPrice: 8.5, timeValidity: 'DAY' };
const preview = {
  instrument: { currencyCode: 'GBX' },
  estimate: { price: '1000', priceFrom: 'last price', value: '20.1', currency: 'GBP', lastKnownPrice: '10' },
  checks: [
    { ok: true, check: 'cash', detail: 'Enough.' },
    { ok: false, check: 'hours', detail: 'Closed.' },
  ],
  warnings: ['It is late.'],
};

/** Each call with its arguments, and what it returns. */
const calls: readonly (readonly [tool: string, args: object, body: Record<string, unknown>])[] = [
  [
    'request_export',
    {
      timeFrom: '2025-10-17',
      timeTo: '2026-01-15',
      include: ['orders', 'dividends', 'transactions', 'interest'],
    },
    { reportId: '88' },
  ],
  [
    'get_account_summary',
    {},
    {
      currency: 'GBP',
      totalValue: '100.5',
      cash: { availableToTrade: '20' },
      investments: { currentValue: '80.5', unrealizedProfitLoss: '3', realizedProfitLoss: '-1.25' },
    },
  ],
  ['list_positions', { limit: 5 }, { columns: ['name', 'currentValue'], rows: [['Abc plc', '80.5']] }],
  [
    'analyze_portfolio',
    { by: 'currency' },
    {
      columns: ['group', 'value', 'weightPercent'],
      rows: [['GBX', '77.5', '96']],
      concentration: { effectiveNumber: '4.5', largest: 'ABC_EQ', largestWeightPercent: '40' },
    },
  ],
  [
    'search_instruments',
    { query: 'Noonvik Utilities', limit: 3 },
    {
      columns: ['ticker', 'name'],
      rows: [
        ['ABC_EQ', 'Abc plc'],
        ['B_EQ', 'B plc'],
      ],
    },
  ],
  ['list_exchanges', { ticker: 'ABC_EQ' }, { columns: ['exchange', 'state'], rows: [['Night', 'open']] }],
  ['preview_order', { type: 'MARKET', ticker: 'ABC_EQ', side: 'BUY', quantity: 2 }, preview],
  ['preview_order', { type: 'LIMIT', ...order }, { ...preview, checks: [], warnings: [] }],
  ['place_limit_order', order, { orderId: '501', outcome: 'placed', message: 'It waits.' }],
  ['list_orders', { ticker: 'ABC_EQ' }, { columns: ['id', 'limitPrice'], rows: [['501', '8.5']] }],
  ['cancel_order', { orderId: '501' }, { outcome: 'cancelled', message: 'It is gone.' }],
  ['get_order', { orderId: '501', waitSeconds: 10 }, { status: 'CANCELLED' }],
  [
    'place_market_order',
    { ticker: 'ABC_EQ', side: 'BUY', quantity: 2 },
    { intentId: 'i-9', outcome: 'sent', message: 'On its way.', instrument: { currency: 'GBX' } },
  ],
  [
    'get_order',
    { intentId: 'i-9', waitSeconds: 20 },
    { status: 'FILLED', fills: [{ quantity: '2', price: '1001', walletImpact: { netValue: '20.02' } }] },
  ],
  [
    'summarize_dividends',
    { groupBy: 'year', project: true },
    {
      columns: ['year', 'amount', 'count'],
      rows: [['2025', '7.5', '2']],
      yieldOnCostPercent: '1.5',
      projection: { total: '8' },
      trailingTwelveMonths: { amount: '7.5', from: '2025-01-15T15:00:00Z', to: '2026-01-15T15:00:00Z' },
    },
  ],
  [
    'fetch_history',
    { kind: 'dividends', since: '2025-01-15T15:00:00Z', until: '2026-01-15T15:00:00Z', limit: 500, waitSeconds: 20 },
    {
      columns: ['ticker', 'amount'],
      rows: ['P1', 'P2', 'P3', 'P4', 'P5', 'P6'].map((ticker) => [ticker, '1.25']),
      rowCount: 7,
      sums: [
        { amount: '5.1', currency: 'GBP' },
        { amount: '2.4', currency: 'GBP' },
        { amount: '3', currency: 'USD' },
      ],
      complete: true,
    },
  ],
  ['list_exports', { reportId: '88' }, { columns: ['reportId', 'status'], rows: [['88', 'Finished']] }],
  [
    'download_export',
    { reportId: '88', previewRows: 3 },
    { totalRows: '12', columns: ['Action', 'Total'], rows: [['Dividend', '1.25']] },
  ],
];

async function play() {
  const clock = createManualClock({ startAt, auto: true });
  const printed: string[] = [];
  const asked: unknown[] = [];
  await playDemo(
    {
      server: { name: 'server', version: '1.2.3', protocolVersion: '2025-11-25' },
      listTools: async () => [{ name: 'one' }, { name: 'two' }],
      call: async (tool, args) => {
        // The income is asked for ten seconds after the report.
        if (tool === 'summarize_dividends') await clock.advance(10_000);
        const [, , body = {}] = calls[asked.push([tool, args]) - 1] ?? [];
        return { isError: false, body };
      },
    },
    { width: 400, style: createStyle({}, false), zone: 'UTC', clock, print: (line) => printed.push(line.trim()) },
  );
  return { asked, printed, waitedMs: clock.now() - startAt };
}

test('the demo asks with these arguments, some of them of earlier results', async () => {
  expect((await play()).asked).toEqual(calls.map(([tool, args]) => [tool, args]));
});

test('the demo says what the results say, in the currency of the account where an amount has none', async () => {
  const { printed } = await play();
  const said = new Set(printed);
  for (const line of [
    'Connected to server 1.2.3 over stdio (MCP 2025-11-25): 2 tools.',
    'Report 88 is being generated.',
    'Total 100.50 GBP: 80.50 GBP in holdings, 20.00 GBP free cash.',
    'Unrealised result 3.00 GBP, realised so far -1.25 GBP.',
    'As if spread over 4.5 equal positions; the largest, ABC_EQ, weighs 40 %.',
    'About 20.10 GBP at 1000.00 GBX (last price); nothing was sent.',
    '✓ cash: Enough.',
    '✗ hours: Closed.',
    '! It is late.',
    'placed: order 501. It waits.',
    'cancelled: It is gone.',
    'Order 501 is CANCELLED.',
    'sent: On its way.',
    'FILLED: 2 at 1001.00 GBX, 20.02 GBP in all.',
    '7.50 GBP in the twelve months from 15 Jan 2025 to 15 Jan 2026, 1.5 % of what was paid; projected for the next: 8.00 GBP.',
    '7 payments, 7.50 GBP and 3.00 USD in all; all rows were read. The newest five:',
    '12 rows. The first three:',
  ])
    expect(said).toContain(line);
  // A page of a history has more rows than the demo shows.
  expect(printed.filter((line) => /^P\d /.test(line)).map((line) => line.slice(0, 2))).toEqual([
    'P1',
    'P2',
    'P3',
    'P4',
    'P5',
  ]);
});

test('the demo waits for the report 24 s after it asked for it', async () => {
  const { printed, waitedMs } = await play();
  expect(printed).toContain('(14 s until the report is ready: the limit allows one request per minute.)');
  expect(waitedMs).toBe(24_000);
});
