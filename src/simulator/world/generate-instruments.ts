/**
 * One invented instrument for each type that the specification names and that neither the account nor the generated
 * instruments have.
 */

import { hashNumbers } from '../random.ts';
import { buildIsin, companyName, fundName, lastSymbol, symbolAt } from './company-names.ts';
import { featured } from './fixed-instruments.ts';
import type { Instrument } from './instrument.ts';
import { segmentId } from './venues.ts';
import { wellKnown } from './well-known.ts';

const rows: readonly (readonly [type: Instrument['type'], ticker: string, name: string, price: number])[] = [
  ['CRYPTOCURRENCY', 'ZEPHN_CRYPTO', 'Zephnel Coin', 310],
  ['CRYPTO', 'QUOLT_EQ', 'Quolter Coin Tracker', 42],
  ['FOREX', 'XGBPXUSD', 'Pound to Dollar', 1.27],
  ['FUTURES', 'XBRENF_FUT', 'Brennish Oil Future', 78],
  ['INDEX', 'XALBI_IND', 'Albion Hundred Index', 8200],
  ['CORPACT', 'QRIGHT_CA', 'Ormelath Insurance plc Rights', 0.9],
];

const rareInstruments: readonly Instrument[] = rows.map(([type, ticker, name, basePrice], index) => ({
  ticker,
  type,
  name,
  shortName: /^[A-Z]+/.exec(ticker)?.[0] ?? ticker,
  isin: buildIsin('XS', 7_900_000 + index * 131),
  currency: 'USD',
  addedOn: new Date(Date.UTC(2024, 2, 4 + index, 7)).toISOString(),
  extendedHours: false,
  maxOpenQuantity: 1000,
  scheduleId: segmentId('Meridian Continuous Market'),
  basePrice,
  precision: 4,
  trading: 'open',
}));

// The list of instruments: first those of every world, then those generated from the seed.

/** Independent of the seed. */
export const ofEveryWorld: readonly Instrument[] = [...featured, ...wellKnown, ...rareInstruments];

interface Segment {
  /** Number per thousand instruments. */
  readonly share: number;
  readonly country: string;
  readonly currency: string;
  readonly suffix: string;
  readonly exchanges: readonly string[];
  readonly type?: Instrument['type'];
  readonly fundPercent?: number;
}

const segments: readonly Segment[] = [
  {
    share: 470,
    country: 'US',
    currency: 'USD',
    suffix: '_US_EQ',
    exchanges: ['Hudson Exchange', 'Palisade Electronic Market'],
    fundPercent: 18,
  },
  { share: 20, country: 'CA', currency: 'CAD', suffix: '_CA_EQ', exchanges: ['Rideau Exchange'] },
  { share: 12, country: 'US', currency: 'USD', suffix: '', exchanges: ['Hudson Over the Counter'] },
  {
    share: 5,
    country: 'US',
    currency: 'USD',
    suffix: '_US_WT',
    exchanges: ['Palisade Electronic Market'],
    type: 'WARRANT',
  },
  { share: 2, country: 'US', currency: 'USD', suffix: '_US_CVR', exchanges: ['Hudson Exchange'], type: 'CVR' },
  {
    share: 150,
    country: 'GB',
    currency: 'GBX',
    suffix: 'l_EQ',
    exchanges: ['Albion Exchange', 'Albion Growth Market'],
    fundPercent: 40,
  },
  { share: 45, country: 'IE', currency: 'GBP', suffix: 'l_EQ', exchanges: ['Albion Exchange'], fundPercent: 100 },
  { share: 110, country: 'DE', currency: 'EUR', suffix: 'd_EQ', exchanges: ['Rhine Exchange'], fundPercent: 45 },
  { share: 55, country: 'FR', currency: 'EUR', suffix: 'p_EQ', exchanges: ['Lutetia Bourse'], fundPercent: 10 },
  { share: 25, country: 'NL', currency: 'EUR', suffix: 'a_EQ', exchanges: ['Polder Exchange'], fundPercent: 20 },
  { share: 12, country: 'BE', currency: 'EUR', suffix: 'b_EQ', exchanges: ['Schelde Bourse'] },
  { share: 8, country: 'PT', currency: 'EUR', suffix: 'u_EQ', exchanges: ['Tagus Exchange'] },
  { share: 20, country: 'ES', currency: 'EUR', suffix: 'e_EQ', exchanges: ['Meseta Exchange'] },
  { share: 22, country: 'CH', currency: 'CHF', suffix: 's_EQ', exchanges: ['Limmat Exchange'] },
  { share: 18, country: 'SE', currency: 'SEK', suffix: 'k_EQ', exchanges: ['Maelar Exchange'] },
  { share: 13, country: 'HK', currency: 'HKD', suffix: '_HK_EQ', exchanges: ['Victoria Harbour Exchange'] },
  { share: 13, country: 'JP', currency: 'JPY', suffix: '_JP_EQ', exchanges: ['Musashi Exchange'] },
];

const shareTotal = segments.reduce((sum, { share }) => sum + share, 0);

const segmentTable: Segment[] = segments.flatMap((segment) => Array<Segment>(segment.share).fill(segment));

/** Approximate units per pound, so that prices have a realistic size in their currency. */
const sizes: Readonly<Record<string, number>> = { GBX: 40, JPY: 150, HKD: 8, SEK: 10 };

let newest: { readonly seed: number; readonly count: number; readonly list: readonly Instrument[] } | undefined;

/** The same seed gives the same list, so the newest one is kept. */
export function generateInstruments(seed: number, count: number): readonly Instrument[] {
  if (newest?.seed !== seed || newest.count !== count) newest = { seed, count, list: generateList(seed, count) };
  return newest.list;
}

function generateList(seed: number, count: number): readonly Instrument[] {
  const list = ofEveryWorld.slice(0, count);
  const symbols = symbolSource(seed);
  for (let index = 0; list.length < count; index++) {
    const one = generate(seed, index, symbols);
    list.push(one);
    // One fund in pence and in pounds: two instruments with one ISIN.
    if (one.type === 'ETF' && one.currency === 'GBX' && index % 3 === 0 && list.length < count) {
      const shortName = symbols();
      list.push({
        ...one,
        ticker: `${shortName}l_EQ`,
        shortName,
        currency: 'GBP',
        basePrice: one.basePrice / 100,
      });
    }
  }
  return list;
}

function symbolSource(seed: number): () => string {
  const taken = new Set(featured.map(({ shortName }) => shortName));
  const real = new Set(wellKnown.map(({ shortName }) => shortName));
  let next = 0;
  let spare = lastSymbol;
  return () => {
    let symbol = symbolAt(next++, seed);
    while (taken.has(symbol)) symbol = symbolAt(next++, seed);
    // Takes a replacement from the far end, so that the other symbols, which a saved account may hold, do not change.
    while (real.has(symbol)) symbol = symbolAt(spare--, seed);
    return symbol;
  };
}

function generate(seed: number, index: number, symbols: () => string): Instrument {
  const a = hashNumbers(seed, index, 11);
  const b = hashNumbers(seed, index, 12);
  const segment = segmentTable[a % shareTotal] as Segment;
  const isFund = !segment.type && (a >>> 12) % 100 < (segment.fundPercent ?? 0);
  const isUs = segment.country === 'US';
  const symbol = symbols();
  const special = (b >>> 4) % 100;
  const shortName =
    !isFund && segment.suffix === '_US_EQ' && special < 2
      ? `${symbol}/${special === 0 ? 'A' : 'B'}`
      : segment.currency === 'GBX' && special < 3
        ? `${symbol.slice(0, 3)}.${symbol.slice(3)}`
        : symbol;
  const exchange = segment.exchanges[b % segment.exchanges.length] as string;
  const country = isFund && !isUs ? 'IE' : segment.country;
  return {
    ticker: shortName + segment.suffix,
    type: segment.type ?? (isFund ? 'ETF' : 'STOCK'),
    name: isFund ? fundName(index, seed) : companyName(index, seed, segment.country),
    shortName,
    isin: buildIsin(country, 20_000_000 + index * 977 + (b % 977)),
    currency: segment.currency,
    addedOn: addedOnDates[b % addedOnDates.length] as string,
    extendedHours: isUs && segment.suffix === '_US_EQ' && special < 60,
    maxOpenQuantity: 100 + ((b >>> 10) % 400) * 50 + (special < 20 ? 0.25 : 0),
    scheduleId: segmentId(exchange, (a >>> 20) % 3),
    basePrice: basePrice(a, segment),
    precision: segment.type === 'WARRANT' ? 0 : (b >>> 18) % 25 === 0 ? 2 : 4,
    trading: (a >>> 6) % 397 === 0 ? 'closeOnly' : (a >>> 6) % 499 === 0 ? 'disabled' : 'open',
  };
}

function basePrice(hash: number, segment: Segment): number {
  const magnitude = 10 ** (0.3 + ((hash >>> 8) % 1000) / 450);
  return segment.type ? magnitude / 50 : magnitude * (sizes[segment.currency] ?? 1);
}

const addedOnDates = Array.from({ length: 500 }, (_, day) =>
  new Date(Date.UTC(2018, 5, 1 + day * 5, 6, 30)).toISOString(),
);
