/** Questions about two accounts at once: the figures are those of the simulator's books. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { names, setupTwoAccounts } from '../../support/two-accounts.ts';

const sum = (amounts: readonly (string | number)[]) =>
  amounts.reduce<Big>((total, amount) => total.plus(amount), new Big(0)).toFixed(2);

test('The summary has each account and the totals of both', async () => {
  const { call, truth } = await setupTwoAccounts();
  const { body } = await call('get_account_summary');
  const books = names.map((name) => truth(name));
  expect(Object.keys(body.accounts)).toEqual(['invest', 'isa']);
  expect(names.map((name) => body.accounts[name].id)).toEqual(books.map(({ accountId }) => accountId));
  expect(new Big(body.cash.availableToTrade).toFixed(2)).toBe(sum(books.map(({ cash }) => cash.available)));
  expect(new Big(body.cash.inPies).toFixed(2)).toBe(sum(books.map(({ cash }) => cash.inPies)));
  const values = books.flatMap(({ positions, cash }) => [
    cash.total,
    ...positions.map(({ currentValue }) => currentValue),
  ]);
  expect(new Big(body.totalValue).toFixed(2)).toBe(sum(values));
  expect([body.account, body.complete, body.currency]).toEqual(['all', true, 'GBP']);
});

test('Positions of both accounts are one list in one order, each with its account, on pages of one cursor', async () => {
  const { call, truth } = await setupTwoAccounts();
  const books = names.flatMap((account) => truth(account).positions.map((position) => ({ ...position, account })));
  const expected = books
    .toSorted((a, b) => new Big(b.currentValue).cmp(a.currentValue))
    .map(({ account, ticker, currentValue }) => [account, ticker, new Big(currentValue).toFixed(2)]);
  const found: string[][] = [];
  let args: Record<string, unknown> | undefined = { limit: 7 };
  const first = await call('list_positions', args);
  while (args) {
    const { body } = await call('list_positions', args);
    const [ticker, value, account] = ['ticker', 'currentValue', 'account'].map((name) => body.columns.indexOf(name));
    for (const row of body.rows)
      found.push([row[account as number], row[ticker as number], new Big(row[value as number]).toFixed(2)]);
    args = body.nextCursor && { limit: 7, cursor: body.nextCursor };
  }
  expect(found).toEqual(expected);
  expect([first.body.positions, first.body.rowCount]).toEqual([books.length, books.length]);
  expect((await call('list_positions', { limit: '7' })).body.rows).toEqual(first.body.rows);
  for (const limit of [0, 501, 'many'])
    expect((await call('list_positions', { limit })).body.code).toBe('invalid_argument');
  expect(first.body.currentValue).toBe(sum(books.map(({ currentValue }) => currentValue)));
});

test('The history of both accounts is one, newest first, and has every row once', async () => {
  const { call, truth } = await setupTwoAccounts();
  const books = names.flatMap((account) =>
    truth(account).transactions.map(({ reference, at }) => ({ account, reference, at })),
  );
  const found: string[] = [];
  const times: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { body } = await call('fetch_history', {
      kind: 'transactions',
      limit: 60,
      waitSeconds: 40,
      ...(cursor && { cursor }),
    });
    const [time, account] = ['dateTime', 'account'].map((name) => body.columns.indexOf(name));
    for (const row of body.rows) {
      times.push(row[time as number]);
      found.push(row[account as number]);
    }
    cursor = body.nextCursor;
    if (!cursor) break;
  }
  expect(times).toEqual(times.toSorted().reverse());
  for (const name of names)
    expect(found.filter((one) => one === name)).toHaveLength(books.filter(({ account }) => account === name).length);
});

test.each(names)('A question with the name %s is answered by this account alone', async (account) => {
  const { call, truth } = await setupTwoAccounts();
  const { body } = await call('get_account_summary', { account });
  expect([body.account, body.id]).toEqual([account, truth(account).accountId]);
  const page = await call('list_positions', { account, limit: 3 });
  const rest = await call('list_positions', { cursor: page.body.nextCursor, limit: 500 });
  expect(rest.body.account).toBe(account);
  expect(page.body.rows.length + rest.body.rows.length).toBe(truth(account).positions.length);
});

test('A cursor of one account is refused for the other', async () => {
  const { call } = await setupTwoAccounts();
  const page = await call('list_positions', { account: 'isa', limit: 3 });
  const { isError, body } = await call('list_positions', { account: 'invest', cursor: page.body.nextCursor });
  expect([isError, body.code]).toEqual([true, 'invalid_argument']);
});

test('Where one account fails, the answer names it and has no figure of all accounts', async () => {
  const { call, simulator } = await setupTwoAccounts({
    own: { isa: { credentials: { key: 'revoked', secret: 'x' } } },
  });
  const { body } = await call('get_account_summary');
  expect(body.complete).toBe(false);
  expect(body.missing).toEqual([expect.objectContaining({ account: 'isa', code: 'unauthorized' })]);
  expect('totalValue' in body || 'cash' in body).toBe(false);
  expect(body.accounts.invest.id).toBe(simulator.groundTruth().accountId);
  const positions = await call('list_positions');
  expect([positions.body.complete, 'currentValue' in positions.body, 'rowCount' in positions.body]).toEqual([
    false,
    false,
    false,
  ]);
});

test('Two names with keys of one account are refused, because every total would count it twice', async () => {
  const key = { key: 'invest-key', secret: 'invest-secret' };
  const { call } = await setupTwoAccounts({ own: { isa: { credentials: key } } });
  await call('get_account_summary', { account: 'invest' });
  await call('get_account_summary', { account: 'isa' });
  expect((await call('get_account_summary')).body.code).toBe('not_configured');
});

test('Every question of the list returns what its schema says, for all accounts', async () => {
  const { call } = await setupTwoAccounts();
  const questions: [string, Record<string, unknown>][] = [
    ['list_orders', {}],
    ['list_drafts', {}],
    ['list_exports', {}],
    ['list_pies', {}],
    ['analyze_portfolio', {}],
    ['analyze_portfolio', { by: 'currency' }],
    ['fetch_history', { kind: 'orders' }],
    ['fetch_history', { kind: 'dividends', responseFormat: 'objects' }],
    ['summarize_dividends', { groupBy: 'year' }],
    ['summarize_costs', { groupBy: 'year' }],
    ['summarize_realised_gains', { method: 'broker' }],
    ['calculate_returns', {}],
    ['get_changes', { since: '2026-01-01' }],
    ['get_server_status', {}],
  ];
  for (const [name, args] of questions) {
    const { isError, body } = await call(name, args);
    expect([name, isError, body.account]).toEqual([name, false, 'all']);
    expect(Object.keys(body.accounts), name).toEqual(['invest', 'isa']);
  }
});

test('The weights of a portfolio of all accounts are said to be of each account', async () => {
  const { call } = await setupTwoAccounts();
  const { body } = await call('analyze_portfolio', {});
  expect(body.note).toBe('Each weight is of its own account.');
});
