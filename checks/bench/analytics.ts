/** How long the analytics take over 100,000 rows of history, generated and deterministic. */
import Big from 'big.js';
import { type Dividend, endpoints, type HistoricalOrder, type Transaction } from '../../src/core/endpoints/index.ts';
import { toCashFlows } from '../../src/features/analytics/cash-flows.ts';
import { summarizeCosts } from '../../src/features/analytics/costs.ts';
import { summarizeDividends } from '../../src/features/analytics/dividends.ts';
import { calculateReturns } from '../../src/features/analytics/returns.ts';
import { toTrades } from '../../src/features/analytics/trades.ts';
import type { GainsMethod } from '../../src/features/gains/gain-types.ts';
import { summarizeRealisedGains } from '../../src/features/gains/summarize.ts';
import { median } from './median.ts';

const rows = 100_000;
const tickers = 200;
const startAt = Date.UTC(2006, 0, 2);
const minuteMs = 60_000;
const now = startAt + rows * 100 * minuteMs;
const iso = (index: number) => new Date(startAt + index * 100 * minuteMs).toISOString();

/** Two buys, then a sale of less than both, instrument after instrument. */
function orders(): readonly HistoricalOrder[] {
  const items = Array.from({ length: rows }, (_, index) => {
    const ticker = `T${index % tickers}_US_EQ`;
    const isSale = Math.floor(index / tickers) % 3 === 2;
    const quantity = isSale ? '-3.25' : '2.125';
    const netValue = new Big(quantity)
      .abs()
      .times(10 + (index % 97) / 10)
      .round(2, 1);
    return {
      order: {
        id: String(50_000_000_000 + index),
        ticker,
        side: isSale ? 'SELL' : 'BUY',
        status: 'FILLED',
        instrument: { ticker, isin: `US${String(index % tickers).padStart(10, '0')}`, currency: 'USD' },
      },
      fill: {
        id: String(9_000_000_000 + index),
        filledAt: iso(index),
        price: '12.5',
        quantity,
        type: 'TRADE',
        walletImpact: {
          currency: 'GBP',
          netValue: netValue.toFixed(),
          realisedProfitLoss: isSale ? '1.25' : '0',
          taxes: [{ name: 'CURRENCY_CONVERSION_FEE', quantity: '0.05', currency: 'GBP' }],
        },
      },
    };
  });
  return endpoints.listHistoricalOrders.response.parse({ items }).items;
}

function dividends(): readonly Dividend[] {
  const items = Array.from({ length: rows }, (_, index) => ({
    ticker: `T${index % tickers}_US_EQ`,
    reference: String(index),
    quantity: '10',
    amount: '1.37',
    currency: 'GBP',
    paidOn: iso(index),
    type: index % 5 === 0 ? 'ORDINARY' : 'DIVIDEND',
  }));
  return endpoints.listDividends.response.parse({ items }).items;
}

function transactions(): readonly Transaction[] {
  const items = Array.from({ length: rows }, (_, index) => ({
    type: index % 10 === 0 ? 'WITHDRAW' : 'DEPOSIT',
    amount: index % 10 === 0 ? '-20' : '25',
    currency: 'GBP',
    dateTime: iso(index),
    reference: String(index),
  }));
  return endpoints.listTransactions.response.parse({ items }).items;
}

/** Medians in milliseconds, by computation. */
export function measureAnalytics(): Readonly<Record<string, number>> {
  const [orderRows, dividendRows, transactionRows] = [orders(), dividends(), transactions()];
  const trades = toTrades(orderRows);
  const flows = toCashFlows(transactionRows);
  const gains = (method: GainsMethod) => () => summarizeRealisedGains(trades, { method });
  const summary = endpoints.getAccountSummary.response.parse({ currency: 'GBP', totalValue: 3_000_000 });
  const work: Record<string, () => unknown> = {
    'rows to trades': () => toTrades(orderRows),
    'gains, broker': gains('broker'),
    'gains, fifo': gains('fifo'),
    'gains, average': gains('average'),
    'gains, UK section 104': gains('uk_section_104'),
    'dividends by month': () => summarizeDividends(dividendRows, { groupBy: 'month', now }),
    'costs by name': () => summarizeCosts(trades, { groupBy: 'name', flows }),
    returns: () => calculateReturns({ flows, summary, snapshots: [], now }),
  };
  return Object.fromEntries(
    Object.entries(work).map(([name, run]) => {
      // One warm-up run, as in a server after its first call.
      const times = [run, run, run, run].map((again) => {
        const from = performance.now();
        again();
        return performance.now() - from;
      });
      return [name, median(times.slice(1))];
    }),
  );
}
