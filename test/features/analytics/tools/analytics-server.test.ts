/** The four tools through the complete server, against the books of the simulator. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { type Setup, setup } from '../../../support/setup.ts';

/** The first load of a history takes minutes of the limit; until it is complete, results say that they are partial. */
async function whole({ call, clock }: Setup, name: string, args: Record<string, unknown>) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { isError, body } = await call(name, args);
    expect(isError, JSON.stringify(body)).toBe(false);
    if (body.complete) return body;
    expect(body.note).toMatch(/missing/);
    await clock.advance(60_000);
  }
  throw new Error(`${name} does not become complete.`);
}

interface DividendItem {
  readonly instrument: { readonly isin: string };
  readonly quantity: string;
  readonly grossAmountPerShare: string;
  readonly amount: string;
  readonly withholdingTax: string;
}

const sum = (amounts: Iterable<string>): string => {
  let total = new Big(0);
  for (const amount of amounts) total = total.plus(amount);
  return total.toFixed(2);
};

test('every check of the simulated account holds, and the figures are those of its books', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const returns = await whole(made, 'calculate_returns', {});
  const books = made.simulator.groundTruth();
  expect(returns.checks.passed).toBeGreaterThanOrEqual(2);
  const amountsOf = (type: string) => books.transactions.filter((row) => row.type === type).map(({ amount }) => amount);
  expect(returns.netDeposits).toBe(sum([...amountsOf('DEPOSIT'), ...amountsOf('WITHDRAW')]));
  expect(returns.realised).toBe(new Big(books.realisedProfitLoss).toFixed(2));
  expect(Number(returns.moneyWeighted.annualPercent)).not.toBeNaN();
  expect(returns.timeWeighted.reason).toMatch(/daily value/);

  const dividends = await whole(made, 'summarize_dividends', { groupBy: 'year', project: true });
  expect(dividends.total).toBe(sum(books.dividends.map(({ amount }) => amount)));
  expect(Number(dividends.yieldOnCostPercent)).toBeGreaterThan(0);
  expect(dividends.projection.rows).toHaveLength(13);

  const costs = await whole(made, 'summarize_costs', { groupBy: 'name' });
  const taxes = books.history.flatMap(({ fill }) => fill?.taxes.map(({ quantity }) => quantity) ?? []);
  expect(costs.total).toBe(sum([...taxes, ...amountsOf('FEE').map((amount) => new Big(amount).neg().toFixed())]));

  for (const by of ['instrument', 'currency', 'country', 'type']) {
    const portfolio = await whole(made, 'analyze_portfolio', { by });
    expect(portfolio.checks).toEqual({ passed: 4 });
    expect(portfolio.rows.reduce((all: number, row: unknown[]) => all + Number(row.at(-1)), 0)).toBe(
      books.positions.length,
    );
    expect(portfolio.rows.map(([group]: string[]) => group)).not.toContain('unknown');
  }
});

test('an unknown ticker is not reported as paying no dividends', async () => {
  const { call } = await setup();
  const { body } = await call('summarize_dividends', { groupBy: 'month', ticker: 'QNOON_GB_EX' });
  expect(body.code).toBe('unknown_ticker');
});

test('dividends of a report have their gross amount and tax in the account’s currency, by the rate of each payment', {
  tags: ['slow'],
}, async () => {
  // Pages end after the first, so the rows of 2025 are those of the report.
  const { call, clock, simulator } = await setup({ quirks: { failPage: { page: 2, status: 404 } } });
  const include = ['orders', 'dividends', 'transactions', 'interest'];
  const { body: requested } = await call('request_export', { timeFrom: '2025-01-01', timeTo: '2026-01-01', include });
  await clock.advance(60_000);
  await call('list_exports', { reportId: requested.reportId, waitSeconds: 50 });
  await call('download_export', { reportId: requested.reportId });
  simulator.faults.length = 0;
  await clock.advance(60_000);
  const range = { since: '2025-01-01', until: '2025-07-01' };
  const { body } = await call('summarize_dividends', { groupBy: 'country', ...range });
  const american: DividendItem[] = [];
  let cursor: string | undefined;
  do {
    const question = { kind: 'dividends', ...range, responseFormat: 'detailed', limit: 500, cursor };
    const { body: page } = await call('fetch_history', question);
    american.push(...page.items.filter(({ instrument }: DividendItem) => instrument.isin.startsWith('US')));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(american.length).toBeGreaterThan(0);
  let [gross, paid] = [0, 0];
  for (const row of american) {
    const inDollars = Number(row.quantity) * Number(row.grossAmountPerShare);
    gross += (Number(row.amount) * inDollars) / (inDollars - Number(row.withholdingTax));
    paid += Number(row.amount);
  }
  const [, , amount, count, ownGross, withheld, unknown] = body.rows.find(([country]: string[]) => country === 'US');
  expect([amount, count, ownGross, withheld, unknown]).toEqual([
    paid.toFixed(2),
    american.length,
    gross.toFixed(2),
    (gross - paid).toFixed(2),
    0,
  ]);
  expect(Number(withheld)).toBeGreaterThan(0);
});
