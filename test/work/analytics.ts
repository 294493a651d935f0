import Big from 'big.js';
import { type Dividend, endpoints, type Position, type Transaction } from '../../src/core/endpoints/index.ts';
import { toCashFlows } from '../../src/features/analytics/cash-flows.ts';
import { summarizeCosts } from '../../src/features/analytics/costs.ts';
import { summarizeDividends } from '../../src/features/analytics/dividends.ts';
import { analyzePortfolio } from '../../src/features/analytics/portfolio.ts';
import { checkCash, checkHoldings } from '../../src/features/analytics/reconciliation.ts';
import { calculateReturns } from '../../src/features/analytics/returns.ts';
import type { Trade } from '../../src/features/analytics/trades.ts';
import type { GainsMethod } from '../../src/features/gains/gain-types.ts';
import { summarizeRealisedGains } from '../../src/features/gains/summarize.ts';
import type { WorkCase, WorkCases } from './case.ts';

const now = Date.UTC(2026, 10, 21);
const hourMs = 3_600_000;
const each = <Row>(count: number, make: (n: number) => Row): Row[] => Array.from({ length: count }, (_, n) => make(n));
const dateOf = (n: number) => new Date(now - (100_000 - n) * hourMs).toISOString();
/** One fortieth of the rows belongs to each instrument. */
const tickerOf = (n: number, count: number) => `T${n % (count / 40)}`;

const summary = endpoints.getAccountSummary.response.parse({
  currency: 'GBP',
  totalValue: '9000000',
  cash: { availableToTrade: '1', inPies: '0', reservedForOrders: '0' },
  investments: { currentValue: '1', totalCost: '1', realizedProfitLoss: '0', unrealizedProfitLoss: '0' },
});

const dividends = (count: number): readonly Dividend[] =>
  endpoints.listDividends.response.parse({
    items: each(count, (n) => ({
      ticker: tickerOf(n, count),
      reference: String(n),
      quantity: `${1 + (n % 70)}.125`,
      amount: `${n % 90}.${10 + (n % 90)}`,
      currency: 'GBP',
      paidOn: dateOf(n),
      type: 'DIVIDEND',
    })),
  }).items;

const transactions = (count: number): readonly Transaction[] =>
  endpoints.listTransactions.response.parse({
    items: each(count, (n) => ({
      type: n % 9 ? 'DEPOSIT' : 'WITHDRAW',
      amount: n % 9 ? '100.25' : '-312.5',
      currency: 'GBP',
      dateTime: dateOf(n),
      reference: String(n),
    })),
  }).items;

const positions = (count: number): readonly Position[] =>
  endpoints.listPositions.response.parse(
    each(count, (n) => ({
      instrument: { ticker: `T${n}`, name: `T${n} plc`, isin: 'GB0000000001', currency: 'GBP' },
      quantity: '1',
      walletImpact: { currency: 'GBP', currentValue: `${n}.25`, totalCost: `${n}.5`, unrealizedProfitLoss: '-0.25' },
    })),
  );

const trades = (count: number): Trade[] =>
  each(count, (n) => ({
    at: now - (100_000 - n) * hourMs,
    ticker: tickerOf(n, count),
    isin: undefined,
    currency: 'GBX',
    side: n % 3 === 0 ? 'SELL' : 'BUY',
    type: 'TRADE',
    quantity: new Big(`${1 + (n % 90)}.1234`),
    price: new Big('123.4'),
    netValue: new Big(`${n % 1000}.37`),
    valueCurrency: 'GBP',
    realisedProfitLoss: new Big(n % 3 === 0 ? '1.23' : '0'),
    charges: [{ name: n % 2 ? 'STAMP_DUTY' : 'CURRENCY_CONVERSION_FEE', amount: new Big('0.37'), currency: 'GBP' }],
    orderId: String(n),
    fillId: String(n),
  }));

const overHistory = (prepare: WorkCase['prepare']): WorkCase => ({ counted: [400, 3_200], full: 20_000, prepare });

/** One ticker: purchases pile up before the first sale, then one follows the other, `everyMs` apart. */
const gains = (method: GainsMethod, everyMs: number): WorkCase => ({
  counted: [400, 3_200],
  full: 50_000,
  prepare: (count) => {
    const list = trades(count).map((trade, n) => ({
      ...trade,
      ticker: 'A',
      at: Date.UTC(2020, 0, 1, 12) + n * everyMs,
      side: n > count * 0.4 && n % 2 ? ('SELL' as const) : ('BUY' as const),
      quantity: new Big(n % 2 ? '2.5' : '3.25'),
    }));
    return () => summarizeRealisedGains(list, { method });
  },
});

export const analyticsCases: WorkCases = {
  'the portfolio': {
    ...overHistory((count) => {
      const held = positions(count);
      return () => analyzePortfolio(held, summary, { by: 'instrument', top: 20, getType: () => undefined });
    }),
    full: 2_000,
  },
  'dividends by month, projected': overHistory((count) => {
    const [paid, held] = [dividends(count), positions(count / 40)];
    return () => summarizeDividends(paid, { groupBy: 'month', now, positions: held, project: true });
  }),
  'dividends by ticker': overHistory((count) => {
    const [paid, held] = [dividends(count), positions(count / 40)];
    return () => summarizeDividends(paid, { groupBy: 'ticker', now, positions: held });
  }),
  'costs by name': overHistory((count) => {
    const made = trades(count);
    return () => summarizeCosts(made, { groupBy: 'name', flows: [], currency: 'GBP' });
  }),
  'costs by month': overHistory((count) => {
    const made = trades(count);
    return () => summarizeCosts(made, { groupBy: 'month', flows: [], currency: 'GBP' });
  }),
  returns: overHistory((count) => {
    const flows = toCashFlows(transactions(count));
    return () => calculateReturns({ flows, summary, dividends: [], trades: [], snapshots: [], now });
  }),
  'the cash of the books': overHistory((count) => {
    const made = trades(count);
    return () => checkCash({ flows: [], dividends: [], trades: made }, summary);
  }),
  'the shares of the books': overHistory((count) => {
    const [made, held] = [trades(count), positions(count / 40)];
    return () => checkHoldings(made, held);
  }),
  'gains of one ticker, fifo': gains('fifo', 1_000),
  'gains of one ticker, average': gains('average', 1_000),
  'gains of one ticker, UK section 104, within hours': gains('uk_section_104', 1_000),
  'gains of one ticker, UK section 104, within years': gains('uk_section_104', (24 * hourMs) / 20),
  'gains of one ticker, UK section 104, over a life': gains('uk_section_104', 24 * hourMs),
};
