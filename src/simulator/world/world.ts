import type { Instrument } from './instrument.ts';
import { generateInstruments, ofEveryWorld } from './instruments.ts';
import { createPrices, type Prices } from './prices.ts';

/** Everything outside the account. The same seed gives the same world. */
export interface World {
  readonly seed: number;
  readonly prices: Prices;
  /** Built on first use. */
  readonly instruments: readonly Instrument[];
  find(ticker: string): Instrument | undefined;
  /** Like find, but throws when there is none. For tickers that were checked before. */
  get(ticker: string): Instrument;
}

export function createWorld(seed: number, instrumentCount: number): World {
  let list: readonly Instrument[] | undefined;
  let others: Map<string, Instrument> | undefined;
  const first = new Map(ofEveryWorld.slice(0, instrumentCount).map((instrument) => [instrument.ticker, instrument]));
  const all = () => {
    list ??= generateInstruments(seed, instrumentCount);
    return list;
  };
  // The seeded account holds only featured instruments, so most calls never need the long list.
  const find = (ticker: string) => {
    const known = first.get(ticker);
    if (known) return known;
    others ??= new Map(all().map((instrument) => [instrument.ticker, instrument]));
    return others.get(ticker);
  };
  return {
    seed,
    prices: createPrices(seed),
    get instruments() {
      return all();
    },
    find,
    get(ticker) {
      const instrument = find(ticker);
      if (!instrument) throw new RangeError(`no instrument ${ticker}`);
      return instrument;
    },
  };
}
