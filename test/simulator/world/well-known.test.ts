/** The real companies and funds of the sandbox: first in searches, with their own names, currencies and ISINs. */
// @module-tag server
// @module-tag slow
import { describe, expect, test } from 'vitest';
import { openAccount } from '../../../src/simulator/account/simulated-account.ts';
import { symbolAt } from '../../../src/simulator/world/company-names.ts';
import { featured } from '../../../src/simulator/world/fixed-instruments.ts';
import { generateInstruments, ofEveryWorld } from '../../../src/simulator/world/generate-instruments.ts';
import { wellKnown } from '../../../src/simulator/world/well-known.ts';
import { createWorld } from '../../../src/simulator/world/world.ts';
import { setup } from '../../support/setup.ts';

describe('the well-known instruments', () => {
  test('are about a hundred, with tickers in the forms of the interface, each once', () => {
    expect(wellKnown.length).toBeGreaterThanOrEqual(100);
    for (const { ticker } of wellKnown) expect(ticker).toMatch(/^[A-Z\d]+(?:[/.][A-Z])?(?:_[A-Z]{2}|[a-z])_EQ$/);
    expect(new Set(wellKnown.map(({ ticker }) => ticker)).size).toBe(wellKnown.length);
  });

  test.each(wellKnown)('$name has an ISIN whose check digits are right: $isin', ({ isin }) => {
    expect(isin).toMatch(/^[A-Z]{2}[A-Z\d]{9}\d$/);
    expect(luhnSum(isin) % 10).toBe(0);
    // The national number inside has a check digit of its own.
    if (/^(?:US|CA)/.test(isin)) expect(isin[10]).toBe(cusipDigit(isin.slice(2, 10)));
    if (/^(?:GB|IE|JE)00/.test(isin)) expect(isin[10]).toBe(sedolDigit(isin.slice(4, 10)));
  });

  test('share an ISIN only where they are listings of one company, and with no simulated instrument', () => {
    const names = new Map<string, Set<string>>();
    for (const { isin, name } of wellKnown) names.set(isin, (names.get(isin) ?? new Set()).add(name));
    for (const same of names.values()) expect(same.size).toBe(1);
    const real = new Set(wellKnown.map(({ ticker }) => ticker));
    for (const seed of [1, 2, 7]) {
      const invented = generateInstruments(seed, 15_000).filter(({ ticker }) => !real.has(ticker));
      expect(invented).toHaveLength(15_000 - wellKnown.length);
      expect(invented.filter(({ isin }) => names.has(isin))).toEqual([]);
    }
  });

  test('are the same in every world, and the seeded account never traded them', async () => {
    const known = new Set(wellKnown.map(({ ticker }) => ticker));
    for (const seed of [1, 2]) {
      const world = createWorld(seed, 300);
      expect(world.instruments.filter(({ ticker }) => known.has(ticker))).toEqual(wellKnown);
      const { history, dividends } = await openAccount(world, Date.parse('2026-11-20T15:00:00Z'));
      const traded = [...history.map(({ order }) => order.ticker), ...dividends.map(({ ticker }) => ticker)];
      expect(traded.length).toBeGreaterThan(100);
      expect(traded.filter((ticker) => known.has(ticker))).toEqual([]);
    }
  });

  test('take their symbols from simulated instruments, and change no other one', () => {
    const real = new Set(wellKnown.map(({ shortName }) => shortName));
    const symbols = generateInstruments(1, 15_000)
      .slice(ofEveryWorld.length)
      .map(({ shortName }) => shortName.replace(/\/[AB]$/, '').replace('.', ''));
    const owned = new Set(featured.map(({ shortName }) => shortName));
    const inTurn = Array.from({ length: 15_000 }, (_, index) => symbolAt(index, 1))
      .filter((symbol) => !owned.has(symbol))
      .slice(0, symbols.length);
    const changed = symbols.filter((symbol, index) => symbol !== inTurn[index]);
    expect(symbols.filter((symbol) => real.has(symbol))).toEqual([]);
    expect(changed).toHaveLength(inTurn.filter((symbol) => real.has(symbol)).length);
    expect(new Set(symbols).size).toBe(symbols.length);
  });

  test.each([
    ['AAPL_US_EQ', 'USD'],
    ['SHELl_EQ', 'GBX'],
    ['VWRPl_EQ', 'GBP'],
    ['SWDAl_EQ', 'GBX'],
    ['SAPd_EQ', 'EUR'],
    ['NESNs_EQ', 'CHF'],
    ['VOLV.Bk_EQ', 'SEK'],
    ['SHOP_CA_EQ', 'CAD'],
    ['7203_JP_EQ', 'JPY'],
  ])('%s trades in %s', (ticker, currency) => {
    expect(wellKnown.find((one) => one.ticker === ticker)?.currency).toBe(currency);
  });
});

async function expectFoundFirst(instrumentCount: number) {
  const { call } = await setup({ instrumentCount });
  const first = async (query: string) => (await call('search_instruments', { query })).body.rows[0][0];
  expect(await first('apple')).toBe('AAPL_US_EQ');
  expect(await first('AAPL')).toBe('AAPL_US_EQ');
  expect(await first('microsoft')).toBe('MSFT_US_EQ');
  expect(await first('vanguard all-world')).toBe('VWRPl_EQ');
  expect(await first('Vanguard FTSE All-World')).toBe('VWRPl_EQ');
  expect(await first('VWRL')).toBe('VWRLl_EQ');
  expect(await first('toyota')).toBe('7203_JP_EQ');
  expect(await first('berkshire')).toBe('BRK/B_US_EQ');
  expect(await first('nestle')).toBe('NESNs_EQ');
  expect(await first('roche')).toBe('ROPs_EQ');
  expect(await first("l'oreal")).toBe('ORp_EQ');
}

test('searches list them first among 300 instruments', () => expectFoundFirst(300));

test('searches list them first among 15,000 instruments', { tags: ['slow'] }, () => expectFoundFirst(15_000));

/** Letters become two digits; from the right, every second digit is doubled (ISO 6166). */
const luhnSum = (isin: string): number =>
  [...[...isin].map((letter) => Number.parseInt(letter, 36)).join('')].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);

/** From the left, every second character counts twice; the digits of each product are added. */
function cusipDigit(base: string): string {
  const values = [...base].map((letter, place) => Number.parseInt(letter, 36) * (place % 2 === 0 ? 1 : 2));
  const sum = values.reduce((total, value) => total + Math.floor(value / 10) + (value % 10), 0);
  return String((10 - (sum % 10)) % 10);
}

function sedolDigit(base: string): string {
  const weights = [1, 3, 1, 7, 3, 9];
  const sum = [...base].reduce(
    (total, letter, place) => total + Number.parseInt(letter, 36) * (weights[place] ?? 0),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
