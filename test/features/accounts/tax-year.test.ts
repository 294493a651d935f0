/** Tax with an ISA beside an Invest account: what is exempt, what is matched, and what was paid in. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { ukGainsOf } from '../../../evals/expected/uk-gains.ts';
import type { RunTool } from '../../../src/core/mcp/run-tool.ts';
import { parseTaxYear } from '../../../src/core/text/dates.ts';
import { addTaxFacts } from '../../../src/features/accounts/tax-year.ts';
import { names, setupTwoAccounts } from '../../support/two-accounts.ts';

const taxYear = '2024/25';
const year = parseTaxYear(taxYear) as { since: number; until: number };
const toLondonDate = (at: number) => new Date(at).toLocaleDateString('sv', { timeZone: 'Europe/London' });
const isIn = ({ at }: { readonly at: number }) => at >= year.since && at < year.until;
type Accounts = Awaited<ReturnType<typeof setupTwoAccounts>>;

/** Until both histories are read. */
async function ask({ call, clock }: Accounts, name: string, args: Record<string, unknown>) {
  for (let attempt = 0; attempt < 60; attempt++) {
    const { body, isError } = await call(name, args);
    expect(isError, JSON.stringify(body)).toBe(false);
    if (body.complete !== false && body.isaSubscriptions?.complete !== false) return body;
    await clock.advance(120_000);
  }
  throw new Error('not complete');
}

const fast = { quirks: { historyRequests: 1000 } } as const;

test('The dividends of a tax year are those of Invest, and the ISA is named as exempt with what was paid into it', async () => {
  const accounts = await setupTwoAccounts({ simulator: fast, config: { isaAllowance: '20000' } });
  const body = await ask(accounts, 'summarize_dividends', { groupBy: 'ticker', taxYear });
  const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total.plus(amount), new Big(0));
  const expected = sum(
    accounts
      .truth('invest')
      .dividends.filter(isIn)
      .map(({ amount }) => amount),
  );
  expect(new Big(body.total).eq(expected)).toBe(true);
  expect([body.account, body.exempt]).toEqual(['invest', ['isa']]);
  const deposits = accounts.truth('isa').transactions.filter((row) => row.type === 'DEPOSIT' && isIn(row));
  const paid = sum(deposits.map(({ amount }) => amount));
  expect(paid.gt(0)).toBe(true);
  expect(body.isaSubscriptions).toMatchObject({
    ...{ amount: paid.toFixed(2), currency: 'GBP', allowance: '20000', complete: true },
    left: new Big('20000').minus(paid).toFixed(2),
  });
});

test('The gains of a tax year are those of Invest alone, whatever the ISA bought after a sale', async () => {
  const accounts = await setupTwoAccounts({ simulator: fast });
  const alone = await ask(accounts, 'summarize_realised_gains', {
    method: 'uk_section_104',
    taxYear,
    account: 'invest',
  });
  const body = await ask(accounts, 'summarize_realised_gains', { method: 'uk_section_104', taxYear });
  expect([body.account, body.exempt, body.totals, body.taxReturn]).toEqual([
    'invest',
    ['isa'],
    alone.totals,
    alone.taxReturn,
  ]);
  expect('allowance' in body.isaSubscriptions).toBe(false);

  const day = 86_400_000;
  const dayOf = (at: number) =>
    Math.floor(Date.parse(new Date(at).toLocaleDateString('sv', { timeZone: 'Europe/London' })) / day);
  const fills = (name: 'invest' | 'isa', side: 'BUY' | 'SELL') =>
    accounts
      .truth(name)
      .history.flatMap(({ order, fill }) =>
        fill && order.side === side ? [{ ticker: order.ticker, at: fill.filledAt }] : [],
      );
  const sales = fills('invest', 'SELL').filter(isIn);
  const followed = sales.filter((sale) =>
    fills('isa', 'BUY').some(
      ({ ticker, at }) => ticker === sale.ticker && dayOf(at) >= dayOf(sale.at) && dayOf(at) <= dayOf(sale.at) + 30,
    ),
  );
  const first = followed.toSorted((a, b) => a.at - b.at)[0];
  expect(followed.length).toBeGreaterThan(0);
  expect(body.remarks[0]).toMatch(new RegExp(`^${first?.ticker}: sold in invest on `));
});

test('An ISA that is asked for has its figures, no tax return, and the note that they are exempt', async () => {
  const accounts = await setupTwoAccounts({ simulator: fast });
  const body = await ask(accounts, 'summarize_realised_gains', { method: 'uk_section_104', taxYear, account: 'isa' });
  expect([body.account, body.exempt, 'taxReturn' in body, body.totals.disposals > 0]).toEqual([
    'isa',
    ['isa'],
    false,
    true,
  ]);
});

test('The gains of two taxable accounts are matched together, with one tax return and the account of each sale', async () => {
  const accounts = await setupTwoAccounts({ simulator: fast, areTaxable: true });
  const asked = { method: 'uk_section_104', taxYear };
  const body = await ask(accounts, 'summarize_realised_gains', asked);
  const history = names.flatMap((name) => accounts.truth(name).history.map((row) => ({ ...row, name })));
  const byTicker = ukGainsOf({ ...accounts.truth('invest'), history }, { from: year.since, to: year.until });
  const sum = Object.values(byTicker).reduce((total, gain) => total.plus(gain), new Big(0));
  expect([body.account, body.totals.gain, body.complete]).toEqual(['all', sum.toFixed(2), true]);
  expect(new Big(body.taxReturn.gains).plus(body.taxReturn.losses).minus(sum).abs().lte('0.01')).toBe(true);
  expect(body.checks).toEqual({ passed: 2 });
  expect(['exempt' in body, 'isaSubscriptions' in body, body.note]).toEqual([
    false,
    false,
    expect.stringMatching(/The shares of all taxable accounts are matched together, as a tax return needs it\.$/),
  ]);
  expect(body.columns.at(-1)).toBe('account');
  const sold = history.flatMap(({ order, fill, name }) =>
    fill?.type === 'TRADE' && order.side === 'SELL' && isIn({ at: fill.filledAt })
      ? [{ day: toLondonDate(fill.filledAt), ticker: order.ticker, name }]
      : [],
  );
  const rows: string[][] = [...body.rows];
  for (let cursor = body.nextCursor; cursor; ) {
    const next = (await accounts.call('summarize_realised_gains', { ...asked, cursor })).body;
    rows.push(...next.rows);
    cursor = next.nextCursor;
  }
  const found = rows.flatMap((row) => {
    const [day, tickers, account] = [row[0], row[1], row.at(-1)] as [string, string, string];
    return tickers.split(' + ').flatMap((ticker) => account.split(' + ').map((name) => `${day} ${ticker} ${name}`));
  });
  expect(sold.length).toBeGreaterThan(0);
  for (const { day, ticker, name } of sold) expect(found).toContain(`${day} ${ticker} ${name}`);
  expect(new Set(rows.map((row) => row.at(-1))).size).toBeGreaterThan(1);
});

test('One of two taxable accounts is matched alone, without a tax return, and the note says so', async () => {
  const accounts = await setupTwoAccounts({ simulator: fast, areTaxable: true });
  const asked = { method: 'uk_section_104', taxYear, account: 'isa' };
  const body = await ask(accounts, 'summarize_realised_gains', asked);
  const byTicker = ukGainsOf(accounts.truth('isa'), { from: year.since, to: year.until });
  const sum = Object.values(byTicker).reduce((total, gain) => total.plus(gain), new Big(0));
  expect([body.account, body.totals.gain, 'taxReturn' in body]).toEqual(['isa', sum.toFixed(2), false]);
  expect(body.note).toMatch(/A tax return matches the shares of all taxable accounts together/);
});

test('Where one of two taxable accounts cannot be read, the other is matched alone, and the result is not complete', async () => {
  const accounts = await setupTwoAccounts({
    ...{ simulator: fast, areTaxable: true },
    own: { isa: { credentials: { key: 'of nobody', secret: 'of nobody' } } },
  });
  const asked = { method: 'uk_section_104', taxYear };
  const { body } = await accounts.call('summarize_realised_gains', asked);
  expect([body.complete, body.missing[0].account, 'taxReturn' in body, 'totals' in body]).toEqual([
    false,
    'isa',
    false,
    false,
  ]);
  expect(body.note).toMatch(/these figures match each account alone\.$/);
});

test('Gains that are no question of tax are of both accounts, with the totals of both', async () => {
  const accounts = await setupTwoAccounts({ simulator: fast });
  const body = await ask(accounts, 'summarize_realised_gains', { method: 'broker' });
  const realised = ['invest', 'isa'].map((name) => body.accounts[name].totals.gain as string);
  expect(new Big(body.totals.gain).eq(realised.reduce((sum, gain) => sum.plus(gain), new Big(0)))).toBe(true);
  expect('exempt' in body).toBe(false);
});

test.each([
  ['fails', { isError: true, body: { code: 'rate_limited' } }],
  ['is not complete', { isError: false, body: { complete: false, sums: [{ currency: 'GBP', amount: '5' }] } }],
  ['has more rows than are read', { isError: false, body: { complete: true, nextCursor: 'next' } }],
])('Where the history of the ISA %s, the result says that purchases are unknown', async (_, history) => {
  const read =
    (result: object): RunTool =>
    async () =>
      ({ text: '', ...result }) as never;
  const invest = { name: 'invest', kind: 'invest', run: read({ isError: false, body: { complete: true } }) } as const;
  const isa = { name: 'isa', kind: 'isa', run: read(history) } as const;
  const result = { isError: false, text: '', body: { env: 'demo' as const } };
  const call = {
    ...{ tool: 'summarize_realised_gains', args: { taxYear }, allowance: '20000' },
    options: { signal: new AbortController().signal },
  };
  const { body } = await addTaxFacts(result, [invest], [isa], call);
  expect(body.remarks).toEqual([
    'The orders of isa are not completely read, so other sales may have been followed by one.',
  ]);
  expect(body.isaSubscriptions).toEqual(
    'nextCursor' in history.body
      ? expect.objectContaining({ amount: '0.00', left: '20000.00', complete: true })
      : { complete: false, note: 'What was paid in is not completely read yet. Call again later.' },
  );
});
