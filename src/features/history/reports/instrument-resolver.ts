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
