/** Filters of fetch_history: what a filter means is named in the result, and one that means nothing is an error. */
// @module-tag server
import { expect, test } from 'vitest';
import { against, deposit, dividend, filled, pageOf } from '../../support/fake-history.ts';
import { setup } from '../../support/setup.ts';

const day = (text: string) => Date.parse(`${text}T12:00:00Z`);

/** Newest first, as the service lists them. */
const transactions = [
  deposit(day('2026-01-10'), 5, { type: 'FEE', amount: -2 }),
  deposit(day('2026-01-08'), 4, { type: 'INTEREST_ON_FREE_CASH', amount: 3 }),
  deposit(day('2025-12-08'), 3, { type: 'INTEREST_ON_LENT_SHARES', amount: 4 }),
  deposit(day('2025-11-01'), 2),
  deposit(day('2025-10-01'), 1),
];
const dividends = [
  dividend(day('2026-01-09'), 2, { type: 'ORDINARY_MANUFACTURED_PAYMENT' }),
  dividend(day('2026-01-05'), 1),
];
const orders = [filled(day('2026-01-06'), 2, { type: 'STOP_LIMIT' }), filled(day('2026-01-04'), 1)];
const instruments = [
  { ticker: 'A_US_EQ', name: 'Alder', type: 'STOCK', currencyCode: 'USD' },
  { ticker: 'B_US_EQ', name: 'Birch', type: 'STOCK', currencyCode: 'USD' },
];

const account = () =>
  against((path, query) => {
    if (path.endsWith('/metadata/instruments')) return { body: instruments };
    if (path.endsWith('/positions')) return { body: [] };
    if (path.endsWith('/summary')) return { body: { id: 1, currency: 'GBP' } };
    const rows = path.endsWith('transactions') ? transactions : path.endsWith('dividends') ? dividends : orders;
    return { body: pageOf(rows, path, query) };
  });

const fetchHistory = async (args: Record<string, unknown>) => (await account()).call('fetch_history', args);

test.each([
  ['interest', ['INTEREST_ON_FREE_CASH', 'INTEREST_ON_LENT_SHARES'], 2],
  ['INTEREST_ON_FREE_CASH', ['INTEREST_ON_FREE_CASH'], 1],
  ['interest on free cash', ['INTEREST_ON_FREE_CASH'], 1],
  ['deposit', ['DEPOSIT'], 2],
  ['Dep', ['DEPOSIT'], 2],
])('the type %s of transactions means %j', async (type, matchedTypes, count) => {
  const { body } = await fetchHistory({ kind: 'transactions', type });
  expect(body).toMatchObject({ complete: true, matchedTypes });
  expect(body.rows).toHaveLength(count);
});

test('a type of the history means itself alone, and the result names the longer ones', async () => {
  const { body } = await fetchHistory({ kind: 'dividends', type: 'ordinary' });
  expect(body).toMatchObject({ matchedTypes: ['ORDINARY'], longerTypes: ['ORDINARY_MANUFACTURED_PAYMENT'] });
  expect(body.rows).toHaveLength(1);
});

test('an unknown type is an error that lists the types of the history and those that the service documents', async () => {
  const { isError, body } = await fetchHistory({ kind: 'transactions', type: 'REWARD' });
  expect(isError).toBe(true);
  expect(body).toMatchObject({
    code: 'invalid_argument',
    types: ['DEPOSIT', 'FEE', 'INTEREST_ON_FREE_CASH', 'INTEREST_ON_LENT_SHARES'],
    otherTypes: ['TRANSFER', 'WITHDRAW'],
  });
});

test('a documented type without a row is no error, and one sentence lists the types that exist', async () => {
  const { isError, body } = await fetchHistory({ kind: 'transactions', type: 'withdraw' });
  expect(isError).toBe(false);
  expect(body).toMatchObject({ complete: true, rows: [], matchedTypes: [] });
  expect(body.note).toBe(
    'No row of transactions has the type WITHDRAW. Types of this history: DEPOSIT, FEE, INTEREST_ON_FREE_CASH, INTEREST_ON_LENT_SHARES.',
  );
});

test('an unknown type is no error while rows are unread, because one of them can have it', async () => {
  const made = await setup();
  const { isError, body } = await made.call('fetch_history', { kind: 'orders', type: 'REWARD', waitSeconds: 0 });
  expect(isError).toBe(false);
  expect(body).toMatchObject({ complete: false, rows: [], matchedTypes: [] });
  expect(body.note).toContain('No row that was read has the type REWARD.');
});

test.each([
  [
    'with a type that has rows in other months',
    { type: 'fee', until: '2025-12-01' },
    'The range ends before the first row of transactions of the type FEE (2026-01-10).',
  ],
  [
    'before the first row',
    { until: '2025-10-01' },
    'The range ends before the first row of transactions (2025-10-01).',
  ],
  [
    'between two rows',
    { since: '2025-11-05', until: '2025-12-01' },
    'No row of transactions is in this range; the oldest is of 2025-10-01, the newest of 2026-01-10.',
  ],
])('an empty range %s says so', async (_, args, note) => {
  const { body } = await fetchHistory({ kind: 'transactions', ...args });
  expect(body).toMatchObject({ complete: true, rows: [], note });
});

test.each([
  ['fetch_history', { kind: 'orders', since: '2026-01-16' }],
  ['fetch_history', { kind: 'orders', since: '2026-01-15T15:30:00Z' }],
  ['summarize_dividends', { groupBy: 'month', since: '2026-01-16' }],
  ['summarize_dividends', { groupBy: 'month', taxYear: '2026/27' }],
  ['summarize_costs', { groupBy: 'name', since: '2026-01-16' }],
  ['summarize_costs', { groupBy: 'name', taxYear: '2026/27' }],
  ['summarize_realised_gains', { method: 'fifo', since: '2026-01-16' }],
  ['summarize_realised_gains', { method: 'uk_section_104', taxYear: '2026/27' }],
  ['calculate_returns', { since: '2026-01-16' }],
])('%s refuses %j, a range of the future, before it reads a history', async (tool, args) => {
  const { call, log } = await account();
  const { isError, body } = await call(tool, args);
  expect(isError).toBe(true);
  expect(body).toMatchObject({ code: 'invalid_argument', today: '2026-01-15' });
  expect(log.filter((path) => path.includes('/history/'))).toEqual([]);
});

test.each([
  ['fetch_history', { kind: 'orders' }],
  ['summarize_dividends', { groupBy: 'month' }],
  ['summarize_costs', { groupBy: 'name' }],
  ['summarize_realised_gains', { method: 'fifo' }],
  ['calculate_returns', {}],
])('%s accepts a range that starts today, and it is complete', async (tool, args) => {
  const { isError, body } = await (await account()).call(tool, { ...args, since: '2026-01-15' });
  expect(isError, JSON.stringify(body)).toBe(false);
  expect(body.complete).toBe(true);
});

test('a ticker that exists and has no row says so', async () => {
  const { body } = await fetchHistory({ kind: 'dividends', ticker: 'B_US_EQ' });
  expect(body).toMatchObject({ complete: true, rows: [], note: 'No row of dividends has the ticker B_US_EQ.' });
});

test('a ticker with rows outside the range says that they are outside', async () => {
  const { body } = await fetchHistory({ kind: 'dividends', ticker: 'A_US_EQ', until: '2026-01-01' });
  expect(body).toMatchObject({
    rows: [],
    note: 'The range ends before the first row of dividends of A_US_EQ (2026-01-05).',
  });
});

test.each([
  ['summarize_dividends', { groupBy: 'month', until: '2025-01-01' }, 'The range has no dividends.'],
  ['summarize_dividends', { groupBy: 'month', ticker: 'B_US_EQ' }, 'The account has no dividends of B_US_EQ.'],
  ['summarize_costs', { groupBy: 'name', until: '2025-01-01' }, 'The range has no trades and no charges.'],
  ['summarize_realised_gains', { method: 'fifo' }, 'The account has no sales.'],
])('%s with %j says that no row is behind its zeros', async (tool, args, note) => {
  const { isError, body } = await (await account()).call(tool, args);
  expect(isError, JSON.stringify(body)).toBe(false);
  expect(body.note.split('. ').map((text: string) => text.replace(/\.?$/, '.'))).toContain(note);
});
