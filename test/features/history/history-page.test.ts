/** What fetch_history asks the history for, and what it returns of a page. */
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { fetchHistory } from '../../../src/features/history/fetch-history.ts';
import type { Coverage } from '../../../src/features/history/history-port.ts';
import type { HistoryPage, PageOptions } from '../../../src/features/history/mirror.ts';
import { contextOf, runWith, toolCall } from '../../core/tools/tool-call.ts';
import { openMarketsAt } from '../../support/setup.ts';

const whole: Coverage = { from: null, to: '2026-01-15T15:00:00.000Z', complete: true, rows: 9 };
const row = (type: string, amount: string) => ({ type, amount, currency: 'GBP', dateTime: '2026-01-10T08:00:00Z' });
const page: HistoryPage<object> = {
  rows: [
    { row: row('DEPOSIT', '100'), place: { at: 20, key: 'b' } },
    { row: row('FEE', '-1.5'), place: { at: 10, key: 'a' } },
  ],
  matching: [row('DEPOSIT', '100'), row('FEE', '-1.5')],
  isComplete: true,
  coverage: whole,
  asOf: 5,
  before: 0,
  after: 3,
  typeMatch: undefined,
  outside: undefined,
};

function callOf(change: Partial<HistoryPage<object>> = {}) {
  const asked: [question: object, options: PageOptions][] = [];
  const progress: string[] = [];
  const call = toolCall({
    config: { readOnly: true },
    historyImport: {},
    getLimit: async () => ({}),
    progress: (message: string) => void progress.push(message),
    history: {
      page: async (question: object, options: PageOptions) => {
        asked.push([question, options]);
        return { ...page, ...change };
      },
    },
  });
  return { call, asked, progress };
}

describe('the question has', () => {
  test('the filters, 50 rows, a wait of ten seconds and the sums', async () => {
    const { call, asked, progress } = callOf();
    await runWith(fetchHistory, { kind: 'dividends', ticker: 'A_EQ', type: 'ORDINARY' }, call);
    expect(asked).toEqual([
      [
        { kind: 'dividends', since: undefined, until: undefined, ticker: 'A_EQ', type: 'ORDINARY' },
        {
          after: undefined,
          most: 50,
          wantsAll: false,
          alsoMatching: true,
          context: contextOf({ waitUntil: openMarketsAt + 10_000 }),
          onProgress: expect.any(Function),
        },
      ],
    ]);
    asked[0]?.[1].onProgress?.({ kind: 'dividends', rows: 50, from: '2025-03-01T00:00:00Z' });
    expect(progress).toEqual(['Read 50 rows of dividends, back to 2025-03-01']);
  });

  test('the rows and the wait that the caller wants; orders have no sums', async () => {
    const { call, asked } = callOf();
    await runWith(fetchHistory, { kind: 'orders', limit: 7, waitSeconds: 3 }, call);
    expect(asked[0]?.[1]).toMatchObject({
      most: 7,
      wantsAll: true,
      alsoMatching: false,
      context: { waitUntil: openMarketsAt + 3_000 },
    });
  });

  test('the place of the last row that was returned, and no sums again', async () => {
    const { call } = callOf();
    const { list } = await runWith(fetchHistory, { kind: 'transactions' }, call);
    const next = callOf({ before: 5, matching: undefined });
    const reply = await runWith(fetchHistory, { kind: 'transactions', cursor: list?.cursorAfter(2) }, next.call);
    expect(next.asked[0]?.[1]).toMatchObject({ after: { at: 10, key: 'a' }, alsoMatching: false });
    // Two rows were returned before, and five are before this place now.
    expect(reply.fields?.rowsArrived).toBe('3 newer rows arrived. Call again without cursor to see them.');
    expect(reply.list?.isContinued).toBe(true);
  });
});

test('a complete page has its rows, their sums by type, how many match, and a cursor for the rest', async () => {
  const { asOf, fields, list } = await runWith(fetchHistory, { kind: 'transactions' }, callOf().call);
  expect({ asOf, fields }).toEqual({
    asOf: 5,
    fields: {
      kind: 'transactions',
      complete: true,
      coverage: whole,
      sums: [
        { type: 'DEPOSIT', currency: 'GBP', count: 1, amount: '100' },
        { type: 'FEE', currency: 'GBP', count: 1, amount: '-1.5' },
      ],
    },
  });
  expect(list).toMatchObject({
    columns: ['dateTime', 'type', 'amount', 'currency'],
    rows: [
      ['2026-01-10T08:00:00Z', 'DEPOSIT', '100', 'GBP'],
      ['2026-01-10T08:00:00Z', 'FEE', '-1.5', 'GBP'],
    ],
    count: 5,
    isContinued: false,
  });
});

test('an incomplete page says what is missing, and that its sums will change', async () => {
  const coverage = { from: '2025-06-01T00:00:00Z', complete: false, rows: 2, missing: ['OLDER ROWS ARE UNREAD.'] };
  const { fields, list } = await runWith(fetchHistory, { kind: 'transactions' }, callOf({ coverage }).call);
  expect(fields).toMatchObject({
    complete: false,
    coverage,
    note: 'Not complete. OLDER ROWS ARE UNREAD.',
    next: 'Call again later.',
    rowsComplete: 'These rows have no gap; only older rows are missing.',
    provisional: true,
  });
  expect(list).not.toHaveProperty('count');
});

test('a page without rows says why', async () => {
  const empty = { rows: [], matching: [], after: 0 };
  const { fields } = await runWith(fetchHistory, { kind: 'transactions' }, callOf(empty).call);
  expect(fields).toMatchObject({ complete: true, note: 'The account has no transactions.', sums: [] });
});

test('a long history that is being read names both next steps: when to call again, and that reports are faster', async () => {
  const { call } = callOf({ coverage: { complete: false, reading: true, rows: 100 } });
  // 1,000 rows are 20 pages of 50, at 6 pages a minute; a year is one report.
  const getLimit = async ({ id }: { id: string }) =>
    id === endpoints.requestReport.id ? { requests: 1, periodMs: 30_000 } : { requests: 6, periodMs: 60_000 };
  const parts = {
    config: { readOnly: false, toolsets: ['exports'] },
    historyImport: { progress: async () => undefined },
    getLimit,
    history: call.history,
  };
  const { fields } = await runWith(fetchHistory, { kind: 'transactions' }, toolCall(parts));
  expect(fields?.next).toBe(
    'The rest is loading in the background: call again in 10 s. Pages take about 200 s per 1000 rows; import_history takes about 30 s per year, through reports.',
  );
});

describe('a row has its own facts:', () => {
  const rowOf = async (kind: 'orders' | 'dividends', row: object) => {
    const change = { rows: [{ row, place: { at: 1, key: 'a' } }], matching: undefined };
    const { list } = await runWith(fetchHistory, { kind }, callOf(change).call);
    const [cells] = (list?.rows ?? []) as unknown[][];
    return Object.fromEntries((list?.columns ?? []).map((name, at) => [name, cells?.[at]]));
  };

  const order = {
    id: '7',
    createdAt: 'CREATED',
    ticker: 'A_EQ',
    side: 'SELL',
    type: 'LIMIT',
    status: 'FILLED',
    quantity: '-5',
    currency: 'GBP',
    instrument: { ticker: 'A_EQ', currency: 'GBX' },
  };
  const fill = {
    filledAt: 'FILLED AT',
    quantity: '-2',
    price: '110',
    type: 'TRADE',
    walletImpact: { netValue: '2.2', realisedProfitLoss: '0.3', currency: 'GBP' },
  };

  test('an order that was filled in part has the quantity of the fill, and prices in the currency of the share', async () => {
    expect(await rowOf('orders', { order, fill })).toEqual({
      orderId: '7',
      filledAt: 'FILLED AT',
      createdAt: 'CREATED',
      ticker: 'A_EQ',
      side: 'SELL',
      type: 'LIMIT',
      status: 'FILLED',
      quantity: '2',
      price: '110',
      currency: 'GBX',
      fillType: 'TRADE',
      netValue: '2.2',
      realisedProfitLoss: '0.3',
      accountCurrency: 'GBP',
    });
  });

  test('an order without a fill has its own quantity', async () => {
    expect(await rowOf('orders', { order })).toMatchObject({ quantity: '5', price: null });
  });

  test('a dividend has its gross per share and its amount, each in its currency', async () => {
    const dividend = {
      paidOn: 'PAID',
      ticker: 'A_EQ',
      type: 'ORDINARY',
      quantity: '10',
      grossAmountPerShare: '0.5',
      tickerCurrency: 'USD',
      amount: '3.4',
      amountInEuro: '4.1',
      currency: 'GBP',
    };
    const { amountInEuro: _, ...shown } = dividend;
    expect(await rowOf('dividends', dividend)).toEqual(shown);
  });
});

describe('a cursor', () => {
  const day = (text: string) => ({ at: Date.parse(text), day: undefined });
  const question = {
    kind: 'dividends',
    since: day('2025-01-01'),
    until: day('2025-06-01'),
    ticker: 'A',
    type: 'ORDINARY',
  } as const;

  test.each([
    ['since', { since: day('2025-02-01') }],
    ['until', { until: day('2025-07-01') }],
    ['ticker', { ticker: 'B' }],
    ['type', { type: 'BONUS' }],
    ['kind', { kind: 'orders' }],
  ])('of another %s is refused', async (_, change) => {
    const cursor = (await runWith(fetchHistory, question, callOf().call)).list?.cursorAfter(1);
    await expect(runWith(fetchHistory, { ...question, cursor }, callOf().call)).resolves.toMatchObject({ asOf: 5 });
    await expect(runWith(fetchHistory, { ...question, ...change, cursor }, callOf().call)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('follows as long as rows were left out, or follow, or are being read', async () => {
    const hasNext = async (kept: number, change: Partial<HistoryPage<object>>) =>
      (
        await runWith(fetchHistory, { kind: 'transactions' }, callOf({ before: 5, after: 0, ...change }).call)
      ).list?.cursorAfter(kept) !== undefined;
    expect(await hasNext(1, {})).toBe(true);
    expect(await hasNext(2, {})).toBe(false);
    expect(await hasNext(2, { after: 1 })).toBe(true);
    expect(await hasNext(2, { coverage: { complete: false, reading: true, rows: 2 } })).toBe(true);
  });
});

test('a page without rows names no next step', async () => {
  const empty = { rows: [], matching: [], after: 0 };
  const { fields } = await runWith(fetchHistory, { kind: 'transactions' }, callOf(empty).call);
  expect(fields).not.toHaveProperty('next');
});

test.each([
  [{ since: { at: 1, day: '2025-07-01' } }, 'Europe/London'],
  [{ until: { at: 1, day: '2025-07-01' } }, 'Europe/London'],
  [{ since: { at: 1, day: undefined } }, undefined],
])('the zone of a range with a day is named: %j', async (range, timeZone) => {
  const { call } = callOf();
  Object.assign(call.config, { taxZone: 'Europe/London' });
  const { fields } = await runWith(fetchHistory, { kind: 'transactions', ...range }, call);
  expect(fields?.timeZone).toBe(timeZone);
});

test.each([
  [{ kind: 'orders', ticker: 'A_EQ' }, true],
  [{ kind: 'dividends', ticker: 'A_EQ' }, true],
  [{ kind: 'transactions' }, true],
  [{ kind: 'transactions', ticker: 'A_EQ' }, false],
  [{ kind: 'orders', since: '2025-05-06', until: '2025-04-06' }, false],
])('the arguments %j are allowed: %s', (args, isAllowed) => {
  expect(fetchHistory.input.safeParse(args).success).toBe(isAllowed);
});

const none = { rows: [], matching: undefined, before: 0, after: 0 };

test.each<[string, Partial<HistoryPage<object>>, string | undefined, boolean]>([
  ['that no row has', none, 'A_EQ', true],
  ['that rows outside the range have', { ...none, outside: { oldest: 1, newest: 2 } }, 'A_EQ', false],
  ['that an unread row can have', { ...none, coverage: { ...whole, complete: false } }, 'A_EQ', false],
  ['that a row before the page has', { ...none, before: 1 }, 'A_EQ', false],
  ['that was not asked for', none, undefined, false],
])('whether a ticker exists is checked for one %s: %4$s', async (_, change, ticker, isChecked) => {
  const { call } = callOf(change);
  const checked: string[] = [];
  const getOrThrow = async (name: string) => void checked.push(name);
  await runWith(fetchHistory, { kind: 'orders', ticker }, Object.assign(call, { directory: { getOrThrow } }));
  expect(checked).toEqual(isChecked ? ['A_EQ'] : []);
});

test('the detailed form has the rows as the service sent them', async () => {
  const { call } = callOf();
  const { list } = await runWith(fetchHistory, { kind: 'transactions', responseFormat: 'detailed' }, call);
  expect([list?.columns, list?.rows]).toEqual([undefined, page.rows.map(({ row }) => row)]);
});
