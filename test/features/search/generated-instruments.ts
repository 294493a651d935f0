import type { TradableInstrument } from '../../../src/core/endpoints/index.ts';

/** A repeatable stream of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const syllables = 'ka lo mi ter van dor sel ba rin qu ost fen gal hu pra nex tol ul zan wi cre by mar ist'.split(' ');
const trades =
  'Foods Energy Mining Bank Software Steel Pharma Logistics Media Rail Water Robotics Insurance Paper Optics'.split(
    ' ',
  );
const forms = ['Inc', 'PLC', 'AG', 'SA', 'Corp', 'Holdings Ltd', 'Group', 'NV', ''];
const fundWords = 'World Bond Dividend Small Cap 500 Growth Clean Minimum Volatility UCITS ETF (Acc) (Dist)'.split(' ');

/** Invented instruments in the shapes that observed services use: suffixes, venue letters, pence, funds. */
export function generateInstruments(count: number, seed = 1): TradableInstrument[] {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise;
  const letters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(65 + Math.floor(random() * 26))).join('');
  const made = () => {
    const word = Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(syllables, 'ka')).join('');
    return word.charAt(0).toUpperCase() + word.slice(1);
  };

  return Array.from({ length: count }, (_, index) => {
    const fund = random() < 0.25;
    const symbol = letters(fund ? 4 : 3 + Math.floor(random() * 3));
    const suffix = pick(['_US_EQ', '_US_EQ', 'l_EQ', 'd_EQ', '_CA_EQ', ''], '');
    const words = fund
      ? [made(), ...Array.from({ length: 4 }, () => pick(fundWords, 'World'))]
      : [made(), random() < 0.4 ? made() : '', pick(trades, 'Foods'), pick(forms, 'Inc')];
    return instrument({
      ticker: `${symbol}${suffix}`,
      type: fund ? 'ETF' : random() < 0.05 ? 'WARRANT' : 'STOCK',
      name: words.filter(Boolean).join(' '),
      shortName: symbol,
      isin: `${pick(['US', 'GB', 'DE', 'IE'], 'US')}${String(index).padStart(9, '0')}${index % 10}`,
      currencyCode: suffix === 'l_EQ' ? pick(['GBX', 'GBP'], 'GBX') : pick(['USD', 'EUR'], 'USD'),
    });
  });
}

/** An instrument with the given fields; the others are missing, as they may be from the service. */
export const instrument = (fields: Partial<TradableInstrument>): TradableInstrument => ({
  ticker: undefined,
  type: undefined,
  name: undefined,
  shortName: undefined,
  isin: undefined,
  currencyCode: undefined,
  addedOn: undefined,
  extendedHours: undefined,
  maxOpenQuantity: undefined,
  workingScheduleId: undefined,
  ...fields,
});
