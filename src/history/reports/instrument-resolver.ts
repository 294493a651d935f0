import type { TickerResolver } from './resolve-ticker.ts';
import type { RowCells } from './row-reader.ts';

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

/** Returns the instrument of a row. Rows of the same instrument share one object, because reports are long. */
export function createInstrumentResolver(tickerOf: TickerResolver): (cells: RowCells) => NamedInstrument {
  const known = new Map<string | undefined, NamedInstrument[]>();
  return (cells) => {
    const { columns } = cells;
    const shortName = cells.text(columns.ticker);
    const isin = cells.text(columns.isin);
    const name = cells.text(columns.name);
    const { currency } = cells.money(columns.price);
    const namesakes = known.get(shortName) ?? [];
    let named = namesakes.find(
      ({ instrument }) => instrument.isin === isin && instrument.name === name && instrument.currency === currency,
    );
    if (!named) {
      const full = tickerOf({ isin, shortName, currency });
      named = { instrument: { ticker: full ?? shortName, name, isin, currency }, tickerIsShort: full === undefined };
      known.set(shortName, [...namesakes, named]);
    }
    if (named.instrument.ticker === undefined) cells.problems.push('it has no ticker');
    return named;
  };
}
