/**
 * Finds full tickers for reports, which have only the short name of an instrument; one ISIN can have several
 * listings.
 */

import type { TradableInstrument } from '../../../core/endpoints/index.ts';
import type { RowCells } from './row-reader.ts';

interface ReportedInstrument {
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

export interface NamedInstrument {
  /** As in the histories. The ticker is the full one if known, otherwise the short name. */
  readonly instrument: {
    readonly ticker: string | undefined;
    readonly name: string | undefined;
    readonly isin: string | undefined;
    readonly currency: string | undefined;
  };
  readonly tickerIsShort: boolean;
}

/** Instruments that are kept. A file with more has a new one in each row, and sharing would cost only memory. */
const maxKnown = 10_000;

/** Returns the instrument of a row. Rows of the same instrument share one object, because reports are long. */
export function createInstrumentResolver(tickerOf: TickerResolver): (cells: RowCells) => NamedInstrument {
  const known = new Map<string, NamedInstrument>();
  return (cells) => {
    const { columns } = cells;
    const shortName = cells.text(columns.ticker);
    const isin = cells.text(columns.isin);
    const name = cells.text(columns.name);
    const { currency } = cells.money(columns.price);
    const key = JSON.stringify([shortName, isin, name, currency]);
    let named = known.get(key);
    if (!named) {
      const full = tickerOf({ isin, shortName, currency });
      named = { instrument: { ticker: full ?? shortName, name, isin, currency }, tickerIsShort: full === undefined };
      if (known.size < maxKnown) known.set(key, named);
    }
    if (named.instrument.ticker === undefined) cells.problems.push('it has no ticker');
    return named;
  };
}
