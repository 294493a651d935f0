/** Events of a schedule: their times, and which of several at one moment decides. */
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/core/endpoints/index.ts';
import {
  eventsWithin,
  type MarketEventType,
  marketHours,
  parseEvents,
} from '../../../src/core/instruments/market-hours.ts';

const moment = '2030-03-04T08:00:00Z';
const at = Date.parse(moment);
const dayMs = 86_400_000;
const exchangeOf = (...events: readonly (readonly [string, string])[]): Exchange[] => [
  {
    id: '2',
    name: 'Port Exchange',
    workingSchedules: [{ id: '70', timeEvents: events.map(([date, type]) => ({ date, type })) }],
  },
];
const iso = (ms: number) => new Date(ms).toISOString();

test.each<[MarketEventType, MarketEventType, string]>([
  ['CLOSE', 'OPEN', 'open'],
  ['AFTER_HOURS_CLOSE', 'PRE_MARKET_OPEN', 'pre_market'],
  ['AFTER_HOURS_CLOSE', 'OVERNIGHT_OPEN', 'overnight'],
  ['CLOSE', 'AFTER_HOURS_OPEN', 'after_hours'],
  ['PRE_MARKET_OPEN', 'OPEN', 'open'],
  ['OVERNIGHT_OPEN', 'PRE_MARKET_OPEN', 'pre_market'],
  ['BREAK_END', 'CLOSE', 'closed'],
  ['BREAK_START', 'CLOSE', 'closed'],
  ['BREAK_START', 'AFTER_HOURS_CLOSE', 'closed'],
])('after %s and %s at one moment, in either order, a market is in the state of the second', (one, other, state) => {
  for (const types of [
    [one, other],
    [other, one],
  ]) {
    const exchanges = exchangeOf(...types.map((type) => [moment, type] as const));
    expect(marketHours(exchanges, '70', at).state).toBe(state);
  }
});

test.each<[MarketEventType, string]>([
  ['OPEN', 'open'],
  ['BREAK_START', 'break'],
  ['BREAK_END', 'open'],
  ['CLOSE', 'closed'],
  ['PRE_MARKET_OPEN', 'pre_market'],
  ['AFTER_HOURS_OPEN', 'after_hours'],
  ['AFTER_HOURS_CLOSE', 'closed'],
  ['OVERNIGHT_OPEN', 'overnight'],
])('after %s a market is %s, for a day where nothing follows', (type, state) => {
  const exchanges = exchangeOf([iso(at - dayMs), 'CLOSE'], [moment, type]);
  const stateAfter = (ms: number) => marketHours(exchanges, '70', at + ms).state;
  expect([stateAfter(0), stateAfter(dayMs), stateAfter(dayMs + 1)]).toEqual([state, state, 'unknown']);
});

test.each<[MarketEventType, string]>([
  ['OPEN', 'unknown'],
  ['CLOSE', 'closed'],
  ['AFTER_HOURS_CLOSE', 'closed'],
  ['PRE_MARKET_OPEN', 'unknown'],
])('only a closed market stays so for longer than a day until the next event: after %s it is %s', (type, state) => {
  const exchanges = exchangeOf([moment, type], [iso(at + 3 * dayMs), 'OPEN'], [iso(at + 4 * dayMs), 'CLOSE']);
  expect(marketHours(exchanges, '70', at + dayMs + 1).state).toBe(state);
});

test('a venue whose only readable events are openings is not taken for one that is always open', () => {
  const later = at + 2 * dayMs;
  expect(marketHours(exchangeOf([moment, 'OPEN']), '70', later)).toMatchObject({ state: 'open', openNow: true });
  expect(marketHours(exchangeOf([moment, 'OPEN'], [moment, 'OTHER']), '70', later)).toMatchObject({
    state: 'unknown',
    openNow: undefined,
    ignoredEvents: 1,
  });
});

test('at a moment that is no number nothing is known', () => {
  expect(marketHours(exchangeOf([moment, 'OPEN']), '70', Number.NaN)).toMatchObject({ state: 'unknown' });
});

test('the next opening is a later one, and the end of a break counts', () => {
  const exchanges = exchangeOf([moment, 'CLOSE'], [iso(at + 1), 'BREAK_END'], [iso(at + 2), 'OPEN']);
  expect(marketHours(exchanges, '70', at)).toMatchObject({
    next: { type: 'BREAK_END', at: iso(at + 1) },
    nextOpenAt: iso(at + 1),
  });
  expect(marketHours(exchanges, '70', at + 1)).not.toHaveProperty('nextOpenAt');
  expect(marketHours(exchanges, '70', at + 1)).not.toHaveProperty('horizonEndsAt');
  expect(marketHours(exchanges, '70', at + 2)).toMatchObject({ horizonEndsAt: iso(at + 2) });
});

test('the events of some days are those after now and no later than their end', () => {
  const [exchange] = exchangeOf(
    [moment, 'OPEN'],
    [iso(at + 1), 'CLOSE'],
    [iso(at + 2 * dayMs), 'OPEN'],
    [iso(at + 2 * dayMs + 1), 'CLOSE'],
  );
  const schedule = exchange?.workingSchedules?.[0];
  expect(schedule && eventsWithin(schedule, at, 2)).toEqual([
    { type: 'CLOSE', at: iso(at + 1) },
    { type: 'OPEN', at: iso(at + 2 * dayMs) },
  ]);
});

describe('the time of an event', () => {
  const read = (date: string) => parseEvents({ id: '70', timeEvents: [{ date, type: 'OPEN' }] });
  test.each([
    ['2030-03-04T08:00:00Z', moment],
    ['2030-03-04T08:00Z', moment],
    ['2030-03-04t08:00:00.000z', moment],
    [' 2030-03-04T08:00:00 ', moment],
    ['2030-03-04T10:30:00+02:30', moment],
    ['2030-03-04T10:30:00+0230', moment],
    ['2030-03-04T10:00:00+02', moment],
    ['2030-03-04T03:00:00-05:00', moment],
    ['2030-03-04T08:00:00.5Z', '2030-03-04T08:00:00.500Z'],
  ])('%s is %s', (text, expected) => {
    const ms = Date.parse(expected);
    expect(read(text)).toEqual({ events: [{ type: 'OPEN', at: iso(ms), atMs: ms }], ignored: 0 });
  });
  test.each([
    '',
    '2030-03-04',
    '08:00:00Z',
    '2030-13-04T08:00:00Z',
    '2030-03-04T08:00:00Z or so',
    'x2030-03-04T08:00:00Z',
    '2030-03-04T8:00:00Z',
    '2030-03-04T08:00:00+2',
  ])('%j cannot be read', (text) => {
    expect(read(text)).toEqual({ events: [], ignored: 1 });
  });
});

test('a schedule that is not there has no events', () => {
  expect(parseEvents(undefined)).toEqual({ events: [], ignored: 0 });
});
