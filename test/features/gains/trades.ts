/** Trades made by hand, and gains in a compact form for comparison. */
import Big from 'big.js';
import { compareExecution, type Trade } from '../../../src/features/analytics/trades.ts';
import { formatMatchRules, formatQuantity } from '../../../src/features/gains/format-gains.ts';
import type { GainsTotals, RealisedGains, RealisedGainsOptions } from '../../../src/features/gains/gain-types.ts';
import { summarizeRealisedGains } from '../../../src/features/gains/summarize.ts';

/** The methods that match sales with purchases themselves. */
export const methods = ['fifo', 'average', 'uk_section_104'] as const;

type Figure = string | number;
type More = Partial<Omit<Trade, 'at' | 'side' | 'quantity' | 'netValue' | 'realisedProfitLoss'>> & {
  readonly realised?: Figure;
  readonly side?: 'BUY' | 'SELL';
};

/** A date is noon in UTC. */
export const at = (text: string): number => Date.parse(text.includes('T') ? text : `${text}T12:00:00Z`);

function trade(
  side: 'BUY' | 'SELL',
  when: string,
  quantity: Figure,
  netValue: Figure | undefined,
  { realised, ...more }: More,
): Trade {
  return {
    at: at(when),
    ticker: 'A',
    isin: undefined,
    currency: 'GBP',
    side,
    type: 'TRADE',
    quantity: new Big(quantity),
    price: undefined,
    valueCurrency: undefined,
    netValue: netValue === undefined ? undefined : new Big(netValue),
    realisedProfitLoss: realised === undefined ? undefined : new Big(realised),
    charges: [],
    orderId: undefined,
    fillId: undefined,
    ...more,
  };
}

export const buy = (when: string, quantity: Figure, netValue: Figure | undefined, more: More = {}) =>
  trade('BUY', when, quantity, netValue, more);
export const sell = (when: string, quantity: Figure, netValue: Figure | undefined, more: More = {}) =>
  trade('SELL', when, quantity, netValue, more);
export const split = (when: string, added: Figure, more: More = {}) =>
  trade('BUY', when, added, 0, { type: 'STOCK_SPLIT', ...more });
export const action = (when: string, type: string, quantity: Figure, netValue?: Figure, more: More = {}) =>
  trade('BUY', when, quantity, netValue, { type, ...more });

/** The gains of trades in one currency. */
export function gainsOf(
  trades: readonly Trade[],
  options: RealisedGainsOptions,
): RealisedGains & { readonly totals: GainsTotals } {
  const gains = summarizeRealisedGains(trades.toSorted(compareExecution), options);
  if (!gains.totals) throw new Error('the trades are in several currencies');
  return { ...gains, totals: gains.totals };
}

/** `quantity: proceeds - cost = gain (rules)`, to the penny, oldest first. */
export const lines = ({ disposals }: RealisedGains): string[] =>
  disposals.map((row) => {
    const [proceeds, cost, gain] = [row.proceeds, row.cost, row.gain].map((figure) => figure.toFixed(2));
    return `${formatQuantity(row.quantity)} ${row.ticker}: ${proceeds} - ${cost} = ${gain} (${formatMatchRules(row)})`;
  });

/** `tickers quantity: cost` of the remaining shares. */
export const leftLines = ({ left }: RealisedGains): string[] =>
  left.map((row) => `${row.tickers.join(' ')} ${formatQuantity(row.quantity)}: ${row.cost?.toFixed(2) ?? 'unknown'}`);
