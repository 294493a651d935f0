import Big from 'big.js';
import { hashNumbers, hashText } from '../random.ts';
import { generateInstruments, ofEveryWorld } from './generate-instruments.ts';
import { type Instrument, type OwnMarket, priceDecimals } from './instrument.ts';
import { dayMs, hourMs, minuteMs } from './time-zones.ts';
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

// Prices and exchange rates as pure functions of seed, name and minute: nothing is stored, and past prices can be
// computed like present ones.

/** Periods and amplitudes of the waves that form a price; the shortest changes each minute. */
const waves: readonly (readonly [periodMs: number, size: number])[] = [
  [410 * dayMs, 0.34],
  [67 * dayMs, 0.12],
  [9 * dayMs, 0.05],
  [1.3 * dayMs, 0.018],
  [2.1 * hourMs, 0.006],
  [11 * minuteMs, 0.0025],
  [minuteMs, 0.0012],
];

/** Returns a value from about -1 to 1: lattice noise with smooth interpolation. */
function noise(key: number, wave: number, position: number): number {
  const cell = Math.floor(position);
  const within = position - cell;
  const left = hashNumbers(key, cell, wave) / 0x8000_0000 - 1;
  const right = hashNumbers(key, cell + 1, wave) / 0x8000_0000 - 1;
  return left + (right - left) * within * within * (3 - 2 * within);
}

function walk(key: number, atMs: number, scale: number): number {
  const minute = Math.floor(atMs / minuteMs) * minuteMs;
  let sum = 0;
  for (let wave = 0; wave < waves.length; wave++) {
    const [period, size] = waves[wave] as readonly [number, number];
    sum += noise(key, wave, minute / period + wave * 17.3) * size;
  }
  return Math.exp(sum * scale);
}

/** Units per pound. */
const unitsPerPound: Readonly<Record<string, number>> = {
  USD: 1.27,
  EUR: 1.17,
  CHF: 1.11,
  SEK: 13.3,
  CAD: 1.74,
  HKD: 9.9,
  JPY: 191,
  AUD: 1.95,
  BGN: 2.29,
  CZK: 29,
  DKK: 8.7,
  HUF: 470,
  NOK: 13.6,
  PLN: 5.0,
  RON: 5.9,
};

interface Prices {
  /** Returns the price of one share in the instrument's currency; constant within a minute. */
  priceAt(instrument: { ticker: string; currency: string; basePrice: number; isin: string }, atMs: number): Big;
  /** Returns units of the currency per unit of the account's. */
  rateAt(currency: string, atMs: number): Big;
  /** Fixes the price of the ticker from this time; undefined restores the simulated price. */
  override(ticker: string, price: Big | undefined, fromMs: number): void;
  /** Returns the times between the two at which a test set a price. */
  overridesBetween(ticker: string, fromMs: number, toMs: number): number[];
}

/** Creates the prices of a seed; those of `own` start at the values given there. */
export function createPrices(seed: number, own?: OwnMarket): Prices {
  const keys = new Map<string, number>();
  const overrides = new Map<string, { from: number; price: Big | undefined }[]>();
  const getKey = (name: string) => {
    let key = keys.get(name);
    if (key === undefined) {
      key = hashText(name, seed);
      keys.set(name, key);
    }
    return key;
  };

  const isSameMinute = (atMs: number, otherMs: number) =>
    Math.floor(atMs / minuteMs) === Math.floor(otherMs / minuteMs);
  /** The factor by which the walk of a name has moved between the time of the own market and another. */
  const moved = (name: string, market: OwnMarket, atMs: number, scale: number) =>
    walk(getKey(name), atMs, scale) / walk(getKey(name), market.at, scale);
  const account = own?.currency ?? 'GBP';
  const perPound = (currency: string, atMs: number): number => {
    if (currency === 'GBP') return 1;
    if (currency === 'GBX') return 100;
    const middle = unitsPerPound[currency];
    if (middle === undefined) throw new RangeError(`no exchange rate for ${currency}`);
    return middle * walk(getKey(`rate ${currency}`), atMs, 0.2);
  };

  return {
    priceAt(instrument, atMs) {
      const set = overrides.get(instrument.ticker)?.findLast(({ from }) => from <= atMs);
      if (set?.price) return set.price;
      // Keyed by ISIN, so that all instruments of one fund move together.
      const name = instrument.isin || instrument.ticker;
      const start = own?.prices.get(instrument.ticker);
      if (own && start && isSameMinute(atMs, own.at)) return start;
      const price =
        own && start ? Number(start) * moved(name, own, atMs, 1) : instrument.basePrice * walk(getKey(name), atMs, 1);
      return new Big(price.toFixed(priceDecimals(instrument.currency, price)));
    },
    rateAt(currency, atMs) {
      if (currency === account) return new Big(1);
      if (account === 'GBP' && currency === 'GBX') return new Big(100);
      const start = own?.rates.get(currency);
      if (own && start) {
        if (isSameMinute(atMs, own.at)) return start;
        return new Big((Number(start) * moved(`rate ${currency}`, own, atMs, 0.2)).toPrecision(8));
      }
      if (account === 'GBP') return new Big(perPound(currency, atMs).toFixed(5));
      return new Big((perPound(currency, atMs) / perPound(account, atMs)).toPrecision(8));
    },
    override(ticker, price, fromMs) {
      overrides.set(ticker, [...(overrides.get(ticker) ?? []), { from: fromMs, price }]);
    },
    overridesBetween: (ticker, fromMs, toMs) =>
      (overrides.get(ticker) ?? []).map(({ from }) => from).filter((from) => from > fromMs && from <= toMs),
  };
}
