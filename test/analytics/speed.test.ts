/**
 * Nobody should wait for sums over decades of trading: the bench measures a hundred thousand rows in
 * milliseconds, and here they are held against what the machine does now.
 */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { checkCash, checkHoldings } from '../../src/analytics/books-checks.ts';
import { cashFlowsOf } from '../../src/analytics/cash-flows.ts';
import { summarizeCosts } from '../../src/analytics/costs.ts';
import { summarizeDividends } from '../../src/analytics/dividends.ts';
import { analyzePortfolio } from '../../src/analytics/portfolio.ts';
import { calculateReturns } from '../../src/analytics/returns.ts';
import type { Trade } from '../../src/analytics/trades.ts';
import type { Transaction } from '../../src/catalogue/index.ts';
import { dividend, position, summaryOf } from './support.ts';

const rows = 20_000;
const now = Date.UTC(2026, 10, 21);
const timeOf = (n: number) => now - (rows - n) * 3_600_000;
const dateOf = (n: number) => new Date(timeOf(n)).toISOString();
const each = <Row>(make: (n: number) => Row): Row[] => Array.from({ length: rows }, (_, n) => make(n));

const dividends = each((n) =>
  dividend({
    ticker: `T${n % 400}`,
    amount: `${n % 90}.${10 + (n % 90)}`,
    paidOn: dateOf(n),
    quantity: `${1 + (n % 70)}.125`,
  }),
);
const trades = each(
  (n): Trade => ({
    at: timeOf(n),
    ticker: `T${n % 400}`,
    isin: undefined,
    currency: 'GBX',
    side: n % 3 === 0 ? 'SELL' : 'BUY',
    type: 'TRADE',
    quantity: new Big(`${1 + (n % 90)}.1234`),
    price: new Big('123.4'),
    netValue: new Big(`${n % 1000}.37`),
    realisedProfitLoss: new Big(n % 3 === 0 ? '1.23' : '0'),
    charges: [{ name: n % 2 ? 'STAMP_DUTY' : 'CURRENCY_CONVERSION_FEE', amount: new Big('0.37'), currency: 'GBP' }],
    orderId: String(n),
    fillId: String(n),
  }),
);
const transactions = each(
  (n) =>
    ({
      type: n % 9 ? 'DEPOSIT' : 'WITHDRAW',
      amount: n % 9 ? '100.25' : '-312.5',
      currency: 'GBP',
      dateTime: dateOf(n),
    }) as Transaction,
);
const flows = cashFlowsOf(transactions);
// Nobody owns more: positions are no history.
const positions = each((n) => n)
  .slice(0, 2000)
  .map((n) => position({ ticker: `T${n}`, value: `${n}.25`, cost: `${n}.5`, profitLoss: '-0.25' }));
const summary = summaryOf({ cash: '1', value: '1', cost: '1', totalValue: '9000000' });
const held = positions.slice(0, 400);

function bestOf(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4; attempt++) {
    const begin = performance.now();
    work();
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}

/** What this machine needs, now, to write the dividends as JSON and to read them again. */
const yardstickMs = bestOf(() => JSON.parse(JSON.stringify(dividends)));

test.each([
  [
    'a portfolio of 2,000 positions',
    () => analyzePortfolio(positions, summary, { by: 'instrument', top: 20, typeOf: () => undefined }),
  ],
  [
    'dividends by month',
    () => summarizeDividends(dividends, { groupBy: 'month', now, positions: held, project: true }),
  ],
  ['dividends by ticker', () => summarizeDividends(dividends, { groupBy: 'ticker', now, positions: held })],
  ['costs by name', () => summarizeCosts(trades, { groupBy: 'name', flows: [], currency: 'GBP' })],
  ['costs by month', () => summarizeCosts(trades, { groupBy: 'month', flows: [], currency: 'GBP' })],
  ['returns', () => calculateReturns({ flows, summary, dividends: [], trades: [], snapshots: [], now })],
  ['the cash of the books', () => checkCash({ flows: [], dividends: [], trades }, summary)],
  ['the shares of the books', () => checkHoldings(trades, held)],
])('%s, costs no more than reading the rows some times over', (name, work) => {
  const ratio = bestOf(work) / yardstickMs;
  if (process.env.SHOW_TIMES) process.stderr.write(`${name}: ${ratio.toFixed(1)}\n`);
  expect(ratio).toBeLessThan(20);
});
