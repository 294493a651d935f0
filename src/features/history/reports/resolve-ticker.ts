/**
 * Finds full tickers for reports, which have only the short name of an instrument; one ISIN can have several
 * listings.
 */
import type { TradableInstrument } from '../../../core/endpoints/index.ts';

export interface ReportedInstrument {
  readonly isin: string | undefined;
  readonly shortName: string | undefined;
  /** The price's currency. GBX is pence, and another listing than GBP. */
  readonly currency: string | undefined;
}

/** Returns the full ticker, or undefined when it cannot be determined. */
export type TickerResolver = (reported: ReportedInstrument) => string | undefined;

/**
 * Creates a resolver that searches the instruments (docs/interface.md, Fields and shapes) for the same ISIN and
 * short name, and among several matches for the same currency. Matching is case-sensitive. Returns undefined unless
 * exactly one instrument remains.
 */
export function tickerResolver(instruments: readonly TradableInstrument[]): TickerResolver {
  const listings = new Map<string, { readonly ticker: string; readonly currency: string | undefined }[]>();
  for (const { isin, shortName, ticker, currencyCode } of instruments) {
    if (!isin || !shortName || !ticker) continue;
    const key = toKey(isin, shortName);
    const known = listings.get(key);
    if (known) known.push({ ticker, currency: currencyCode });
    else listings.set(key, [{ ticker, currency: currencyCode }]);
  }
  return ({ isin, shortName, currency }) => {
    if (!isin || !shortName) return undefined;
    const all = listings.get(toKey(isin, shortName)) ?? [];
    const [only, ...others] = all.length > 1 ? all.filter((listing) => listing.currency === currency) : all;
    return others.length === 0 ? only?.ticker : undefined;
  };
}

const toKey = (isin: string, shortName: string) => `${isin} ${shortName}`;
