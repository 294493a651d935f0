import { describe, expect, test } from 'vitest';
import { generateInstruments } from '../../../src/simulator/world/generate-instruments.ts';
import { publishedEvents, sessionAt } from '../../../src/simulator/world/trading-sessions.ts';
import { getSchedule, venues } from '../../../src/simulator/world/venues.ts';
import { createPrices } from '../../../src/simulator/world/world.ts';
import { setup } from '../support.ts';

const list = generateInstruments(1, 15_000);
const share = (matches: (one: (typeof list)[number]) => boolean) => list.filter(matches).length / list.length;

describe('the instruments', () => {
  test('are 15,000 with unique tickers, the same for the same seed', () => {
    expect(new Set(list.map(({ ticker }) => ticker)).size).toBe(15_000);
    expect(generateInstruments(1, 15_000)).toEqual(list);
    expect(generateInstruments(2, 300).at(-1)).not.toEqual(list[299]);
  });

  test('have a realistic mix of shapes, types and currencies', () => {
    expect(share(({ ticker }) => /^[A-Z/]+_[A-Z]{2}_[A-Z]+$/.test(ticker))).toBeGreaterThan(0.45);
    expect(share(({ ticker }) => /^[A-Z.]+[a-z]_EQ$/.test(ticker))).toBeGreaterThan(0.4);
    for (const mark of ['/', '.'])
      expect(list.filter(({ ticker }) => ticker.includes(mark)).length).toBeGreaterThan(20);
    expect(list.filter(({ ticker }) => !ticker.includes('_')).length).toBeGreaterThan(50);
    expect(share(({ currency }) => currency === 'GBX')).toBeGreaterThan(0.12);
    expect(share(({ currency }) => currency === 'GBX')).toBeLessThan(0.18);
    for (const type of ['STOCK', 'ETF', 'WARRANT', 'CVR']) expect(list.some((one) => one.type === type)).toBe(true);
  });

  test('have valid ISINs, and funds with a line in pence and one in pounds', () => {
    expect(list.every(({ isin }) => isValidIsin(isin))).toBe(true);
    const currencies = new Map<string, Set<string>>();
    for (const { isin, currency } of list) currencies.set(isin, (currencies.get(isin) ?? new Set()).add(currency));
    const both = [...currencies.values()].filter((set) => set.has('GBX') && set.has('GBP'));
    expect(both.length).toBeGreaterThan(100);
  });

  test('name schedules that exist', { tags: ['slow'] }, () => {
    for (const { scheduleId } of list) expect(getSchedule(scheduleId).id).toBe(scheduleId);
  });

  test('make a list of three to five megabytes', { tags: ['slow'] }, async () => {
    const { get } = await setup({ instrumentCount: 15_000 });
    const { text, json } = await get('/equity/metadata/instruments');
    expect(json).toHaveLength(15_000);
    expect(text.length).toBeGreaterThan(3e6);
    expect(text.length).toBeLessThan(5e6);
  });
});

describe('the exchanges', () => {
  const now = Date.parse('2026-11-20T15:00:00Z');
  const typesOf = (name: string) =>
    new Set(
      venues
        .find((venue) => venue.name === name)
        ?.schedules.flatMap((one) => publishedEvents(one, now).map(({ type }) => type)),
    );

  test('are seventeen with about fifty schedules and six weeks of events around now', () => {
    expect(venues).toHaveLength(17);
    expect(venues.flatMap(({ schedules }) => schedules)).toHaveLength(50);
    for (const schedule of venues.flatMap(({ schedules }) => schedules)) {
      const events = publishedEvents(schedule, now).map(({ at }) => at);
      expect(events).toEqual([...events].sort((a, b) => a - b));
      expect((events[0] ?? 0) < now && (events.at(-1) ?? 0) > now + 30 * 86_400_000).toBe(true);
    }
  });

  test('differ in their events: no CLOSE in America, breaks in Asia', () => {
    expect([...typesOf('Hudson Exchange')].sort()).toEqual([
      'AFTER_HOURS_CLOSE',
      'AFTER_HOURS_OPEN',
      'OPEN',
      'OVERNIGHT_OPEN',
      'PRE_MARKET_OPEN',
    ]);
    expect(typesOf('Albion Exchange')).toEqual(new Set(['OPEN', 'CLOSE']));
    expect(typesOf('Musashi Exchange').has('BREAK_START')).toBe(true);
    expect(typesOf('Meridian Continuous Market')).toEqual(new Set(['OPEN']));
  });

  test('keep local time when the clocks change', () => {
    const london = venues[0]?.schedules[0];
    const openings =
      london && publishedEvents(london, Date.parse('2026-10-24T12:00:00Z')).filter(({ type }) => type === 'OPEN');
    const hours = new Set(openings?.map(({ at }) => new Date(at).getUTCHours()));
    expect(hours).toEqual(new Set([7, 8]));
  });

  test('have one that is open at every moment', () => {
    const always = getSchedule(venues.at(-1)?.schedules[0]?.id ?? 0);
    for (let hour = 0; hour < 24 * 400; hour += 7) {
      expect(sessionAt(always, Date.parse('2026-01-01T00:00:00Z') + hour * 3_600_000).kind).toBe('regular');
    }
  });
});

describe('prices', () => {
  const prices = createPrices(1);
  const one = { ticker: 'A', isin: 'A', currency: 'USD', basePrice: 100 };

  test('are the same for the same minute, and move', () => {
    const at = Date.parse('2026-11-20T15:00:00Z');
    expect(createPrices(1).priceAt(one, at).toFixed()).toBe(prices.priceAt(one, at + 59_999).toFixed());
    const walk = Array.from({ length: 200 }, (_, minute) => Number(prices.priceAt(one, at + minute * 60_000)));
    expect(new Set(walk).size).toBeGreaterThan(50);
    for (let index = 1; index < walk.length; index++) {
      expect(Math.abs((walk[index] ?? 0) / (walk[index - 1] ?? 1) - 1)).toBeLessThan(0.02);
    }
  });

  test('can be set by hand and restored', () => {
    const mine = createPrices(1);
    mine.override('A', prices.rateAt('GBX', 0), 1000);
    mine.override('A', undefined, 2000);
    expect(mine.priceAt(one, 999).eq(prices.priceAt(one, 999))).toBe(true);
    expect(mine.priceAt(one, 1500).toFixed()).toBe('100');
    expect(mine.priceAt(one, 2000).eq(prices.priceAt(one, 2000))).toBe(true);
  });

  test('have rates for every currency of the list', () => {
    for (const currency of new Set(list.map((one) => one.currency))) {
      expect(Number(prices.rateAt(currency, 0))).toBeGreaterThan(0);
    }
  });
});

function isValidIsin(isin: string): boolean {
  if (!/^[A-Z]{2}[A-Z\d]{9}\d$/.test(isin)) return false;
  const digits = [...isin].map((letter) => Number.parseInt(letter, 36)).join('');
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
