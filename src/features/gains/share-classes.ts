/** Determines which tickers are the same class of shares. */
import type { Trade } from '../analytics/trades.ts';

export interface ShareClasses {
  /** Returns the name of a trade's class, the same for all its tickers. */
  readonly getClass: (trade: Pick<Trade, 'ticker'>) => string;
  /** Tickers that have had more than one ISIN. */
  readonly renamed: readonly string[];
}

/**
 * Tickers with the same ISIN are one class. So are all ISINs of one ticker, because a consolidation usually creates
 * a new ISIN, and the shares before and after it are the same holding.
 */
export function findShareClasses(trades: readonly Trade[]): ShareClasses {
  const parents = new Map<string, string>();
  const firstOfIsin = new Map<string, string>();
  const lastIsin = new Map<string, string>();
  const renamed = new Set<string>();

  const findRoot = (ticker: string): string => {
    const parent = parents.get(ticker);
    return parent === undefined ? ticker : findRoot(parent);
  };

  for (const { ticker, isin } of trades) {
    if (!isin || lastIsin.get(ticker) === isin) continue;
    if (lastIsin.has(ticker)) renamed.add(ticker);
    lastIsin.set(ticker, isin);
    const first = firstOfIsin.get(isin);
    if (first === undefined) firstOfIsin.set(isin, ticker);
    else if (findRoot(first) !== findRoot(ticker)) parents.set(findRoot(ticker), findRoot(first));
  }
  return { getClass: ({ ticker }) => findRoot(ticker), renamed: [...renamed].sort() };
}
