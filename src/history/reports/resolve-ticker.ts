/** Reports name an instrument by its short name alone, and one ISIN can have several listings. */
import type { TradableInstrument } from '../../catalogue/index.ts';

export interface ReportedInstrument {
  readonly isin: string | undefined;
  readonly shortName: string | undefined;
  /** Of the price; GBX is pence, and another listing than GBP. */
  readonly currency: string | undefined;
}

/** The full ticker, or undefined when it cannot be told. */
export type TickerResolver = (reported: ReportedInstrument) => string | undefined;

/**
 * Finds the full ticker among the instruments (docs/interface.md, Fields and shapes): the one with the
 * same ISIN and short name, and of several the one in the same currency. Case matters. Where more than one
 * remains, or none, the answer is undefined.
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
