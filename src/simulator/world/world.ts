import { generateInstruments, ofEveryWorld } from './generate-instruments.ts';
import type { Instrument, OwnMarket } from './instrument.ts';
import { createPrices, type Prices } from './prices.ts';
import type { PublishedDays } from './trading-sessions.ts';

/** Everything outside the account. The same seed and the same own market give the same world. */
export interface World {
  readonly seed: number;
  /** The account's currency. */
  readonly currency: string;
  /** Whether an exchange rate applies between this currency and the account's. GBX counts as GBP. */
  isForeign(currency: string): boolean;
  readonly prices: Prices;
  /** Undefined: six weeks. */
  readonly publishedDays: PublishedDays | undefined;
  /** Built on first use. */
  readonly instruments: readonly Instrument[];
  find(ticker: string): Instrument | undefined;
  /** Like find, but throws when there is none. For tickers that were checked before. */
  get(ticker: string): Instrument;
}

export function createWorld(
  seed: number,
  instrumentCount: number,
  own?: OwnMarket,
  publishedDays?: PublishedDays,
): World {
  const currency = own?.currency ?? 'GBP';
  let list: readonly Instrument[] | undefined;
  let others: Map<string, Instrument> | undefined;
  const ownTickers = new Map(own?.instruments.map((instrument) => [instrument.ticker, instrument]));
  const first = new Map(ofEveryWorld.slice(0, instrumentCount).map((instrument) => [instrument.ticker, instrument]));
  const all = () => {
    if (list) return list;
    const generated = generateInstruments(seed, instrumentCount);
    list = own ? [...ownTickers.values(), ...generated.filter(({ ticker }) => !ownTickers.has(ticker))] : generated;
    return list;
  };
  // The seeded account holds only featured instruments, so most calls never need the long list.
  const find = (ticker: string) => {
    const known = ownTickers.get(ticker) ?? first.get(ticker);
    if (known) return known;
    others ??= new Map(all().map((instrument) => [instrument.ticker, instrument]));
    return others.get(ticker);
  };
  return {
    seed,
    currency,
    isForeign: (other) => other !== currency && !(other === 'GBX' && currency === 'GBP'),
    prices: createPrices(seed, own),
    publishedDays,
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
