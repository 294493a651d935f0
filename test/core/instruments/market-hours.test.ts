import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/core/endpoints/index.ts';
import { eventsWithin, findSchedule, marketHours } from '../../../src/core/instruments/market-hours.ts';

type Event = [date: string | undefined, type: string | undefined];

const exchangeOf = (...events: Event[]): Exchange[] => [
  { id: '1', name: 'Elsewhere', workingSchedules: undefined },
  {
    id: '2',
    name: 'Port Exchange',
    workingSchedules: [{ id: '70', timeEvents: events.map(([date, type]) => ({ date, type })) }],
  },
];
const at = (exchanges: Exchange[], moment: string) => marketHours(exchanges, '70', Date.parse(moment));

const twoDays = exchangeOf(
  ['2030-03-04T08:00:00Z', 'OPEN'],
  ['2030-03-04T16:30:00Z', 'CLOSE'],
  ['2030-03-05T08:00:00Z', 'OPEN'],
  ['2030-03-05T16:30:00Z', 'CLOSE'],
);
/** As some venues are published: the regular session ends where the after-hours session begins. */
const withoutClose = exchangeOf(
  ['2030-03-04T09:00:00Z', 'PRE_MARKET_OPEN'],
  ['2030-03-04T14:30:00Z', 'OPEN'],
  ['2030-03-04T21:00:00Z', 'AFTER_HOURS_OPEN'],
  ['2030-03-05T01:00:00Z', 'AFTER_HOURS_CLOSE'],
  ['2030-03-05T01:00:00Z', 'OVERNIGHT_OPEN'],
  ['2030-03-05T09:00:00Z', 'PRE_MARKET_OPEN'],
  ['2030-03-05T14:30:00Z', 'OPEN'],
  ['2030-03-05T21:00:00Z', 'AFTER_HOURS_OPEN'],
  ['2030-03-06T01:00:00Z', 'AFTER_HOURS_CLOSE'],
  ['2030-03-08T14:30:00Z', 'OPEN'],
);
const withBreak = exchangeOf(
  ['2030-03-04T01:30:00Z', 'OPEN'],
  ['2030-03-04T04:00:00Z', 'BREAK_START'],
  ['2030-03-04T05:00:00Z', 'BREAK_END'],
  ['2030-03-04T08:00:00Z', 'CLOSE'],
);

describe('the last event at or before now decides', () => {
  test.each([
    ['a session', twoDays, '2030-03-04T12:00:00Z', 'open'],
    ['the moment of opening', twoDays, '2030-03-04T08:00:00Z', 'open'],
    ['the moment of closing', twoDays, '2030-03-04T16:30:00Z', 'closed'],
    ['the night', twoDays, '2030-03-05T02:00:00Z', 'closed'],
    ['before the regular session', withoutClose, '2030-03-04T10:00:00Z', 'pre_market'],
    ['a session that no CLOSE ends', withoutClose, '2030-03-04T20:59:59Z', 'open'],
    ['after hours', withoutClose, '2030-03-04T21:00:00Z', 'after_hours'],
    ['overnight, though after hours end at the same moment', withoutClose, '2030-03-05T01:00:00Z', 'overnight'],
    ['a long weekend', withoutClose, '2030-03-08T10:00:00Z', 'closed'],
    ['a break', withBreak, '2030-03-04T04:30:00Z', 'break'],
    ['after the break', withBreak, '2030-03-04T05:00:00Z', 'open'],
  ])('%s', (_, exchanges, moment, state) => {
    const hours = at(exchanges, moment);
    expect(hours.state).toBe(state);
    expect(hours.openNow).toBe(state === 'open');
    expect(hours.exchangeName).toBe('Port Exchange');
  });
});

test('the result names the events around now, and the next opening', () => {
  expect(at(twoDays, '2030-03-04T18:00:00+01:00')).toEqual({
    exchangeName: 'Port Exchange',
    scheduleId: '70',
    state: 'closed',
    openNow: false,
    since: { type: 'CLOSE', at: '2030-03-04T16:30:00.000Z' },
    next: { type: 'OPEN', at: '2030-03-05T08:00:00.000Z' },
    nextOpenAt: '2030-03-05T08:00:00.000Z',
    ignoredEvents: 0,
  });
});

test('after hours the next opening is that of the next regular session', () => {
  expect(at(withoutClose, '2030-03-04T22:00:00Z').nextOpenAt).toBe('2030-03-05T14:30:00.000Z');
});

test('in a break the session continues when the break ends', () => {
  expect(at(withBreak, '2030-03-04T04:30:00Z').nextOpenAt).toBe('2030-03-04T05:00:00.000Z');
});

test('an open market has no next opening', () => {
  expect(at(twoDays, '2030-03-04T12:00:00Z')).not.toHaveProperty('nextOpenAt');
});

describe('the state is unknown where nothing is published', () => {
  test('before the first event', () => {
    const hours = at(twoDays, '2030-03-04T07:59:59Z');
    expect(hours).toMatchObject({ state: 'unknown', openNow: undefined, nextOpenAt: '2030-03-04T08:00:00.000Z' });
    expect(hours).not.toHaveProperty('since');
  });

  test('for a day after the last event its state still applies, and the end of the data is given', () => {
    expect(at(twoDays, '2030-03-06T10:00:00Z')).toMatchObject({
      state: 'closed',
      horizonEndsAt: '2030-03-05T16:30:00.000Z',
    });
  });

  test('after that day the state is unknown', () => {
    expect(at(twoDays, '2030-03-06T17:00:00Z')).toMatchObject({
      state: 'unknown',
      openNow: undefined,
      since: { type: 'CLOSE', at: '2030-03-05T16:30:00.000Z' },
      horizonEndsAt: '2030-03-05T16:30:00.000Z',
    });
  });

  test('a session of several days has lost its end', () => {
    const lost = exchangeOf(['2030-03-04T08:00:00Z', 'OPEN'], ['soon', 'CLOSE'], ['2030-03-08T08:00:00Z', 'OPEN']);
    expect(at(lost, '2030-03-04T12:00:00Z')).toMatchObject({ state: 'open', ignoredEvents: 1 });
    expect(at(lost, '2030-03-06T12:00:00Z')).toMatchObject({ state: 'unknown', ignoredEvents: 1 });
  });

  test('an unknown schedule, and a schedule without events', () => {
    expect(marketHours(twoDays, '71', 0)).toEqual({
      exchangeName: undefined,
      scheduleId: '71',
      state: 'unknown',
      openNow: undefined,
      ignoredEvents: 0,
    });
    expect(marketHours(twoDays, undefined, 0).state).toBe('unknown');
    expect(at(exchangeOf(), '2030-03-04T12:00:00Z').state).toBe('unknown');
  });
});

test('a venue with only opening events is open around the clock', () => {
  const always = exchangeOf(['2030-03-01T00:00:00Z', 'OPEN']);
  expect(at(always, '2030-03-09T12:00:00Z')).toMatchObject({ state: 'open', openNow: true });
  expect(at(always, '2030-02-01T12:00:00Z').state).toBe('unknown');
});

test('a venue that closes and opens at the same moment is open', () => {
  const midnight = exchangeOf(['2030-03-05T00:00:00Z', 'OPEN'], ['2030-03-05T00:00:00Z', 'CLOSE']);
  expect(at(midnight, '2030-03-05T00:00:00Z').state).toBe('open');
});

describe('events as services write them', () => {
  test('offsets are mixed', () => {
    const mixed = exchangeOf(
      ['2030-03-04T10:00:00.000+02:00', 'OPEN'],
      ['2030-03-04T16:30:00Z', 'CLOSE'],
      ['2030-03-05T11:00:00+03:00', 'OPEN'],
      ['2030-03-05T18:30:00+0200', 'CLOSE'],
    );
    for (const moment of [
      '2030-03-04T08:00:00Z',
      '2030-03-04T16:30:00Z',
      '2030-03-05T07:59:59Z',
      '2030-03-05T08:00:00Z',
    ]) {
      expect(at(mixed, moment)).toEqual(at(twoDays, moment));
    }
  });

  test('a time without an offset is UTC, wherever this runs', () => {
    expect(at(exchangeOf(['2030-03-04T08:00:00', 'OPEN']), '2030-03-04T08:00:00Z').since?.at).toBe(
      '2030-03-04T08:00:00.000Z',
    );
  });

  test('an event that cannot be parsed is skipped and counted', () => {
    const odd = exchangeOf(
      ['2030-03-04T08:00:00Z', 'OPEN'],
      ['2030-03-04T09:00:00Z', 'LUNAR_SESSION'],
      ['2030-03-04T09:30:00Z', 'constructor'],
      ['2030-99-99T10:00:00Z', 'CLOSE'],
      ['1', 'CLOSE'],
      [undefined, 'CLOSE'],
      ['2030-03-04T11:00:00Z', undefined],
    );
    expect(at(odd, '2030-03-04T12:00:00Z')).toMatchObject({ state: 'open', ignoredEvents: 6 });
  });

  test('their order does not matter', () => {
    const events = withoutClose[1]?.workingSchedules?.[0]?.timeEvents ?? [];
    const moment = fc.integer({ min: Date.parse('2030-03-03'), max: Date.parse('2030-03-10') });
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: events.length }), moment, (shuffled, nowMs) => {
        const exchanges = exchangeOf(...shuffled.map(({ date, type }): Event => [date, type]));
        expect(marketHours(exchanges, '70', nowMs)).toEqual(marketHours(withoutClose, '70', nowMs));
      }),
    );
  });
});

test('a listing has the events of the coming days, in order', () => {
  const schedule = findSchedule(twoDays, '70')?.schedule;
  expect(schedule && eventsWithin(schedule, Date.parse('2030-03-04T08:00:00Z'), 1)).toEqual([
    { type: 'CLOSE', at: '2030-03-04T16:30:00.000Z' },
    { type: 'OPEN', at: '2030-03-05T08:00:00.000Z' },
  ]);
  expect(schedule && eventsWithin(schedule, Date.parse('2030-03-04T08:00:00Z'), 0)).toEqual([]);
});

test('a schedule is returned with its exchange', () => {
  expect(findSchedule(twoDays, '70')?.exchange.id).toBe('2');
  expect(findSchedule(twoDays, '7')).toBeUndefined();
  expect(findSchedule([], undefined)).toBeUndefined();
});
