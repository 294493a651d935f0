/** The result of a tool for a person: which facts are said as sentences, and which as fields. */
import { expect, test } from 'vitest';
import { formatResult } from '../../src/cli/format-result.ts';
import { createManualClock } from '../support/manual-clock.ts';

const format = (body: Record<string, unknown>) =>
  formatResult(body, {
    width: 100,
    zone: 'UTC',
    clock: createManualClock({ startAt: Date.parse('2026-01-15T15:00:00Z') }),
    style: (_, text) => text,
  });

test('a result begins with its environment, and ends with its message, its note, its step and its cursor', () => {
  const noise = { noteForm: 'X', nextAt: 'X', postMessage: 'X', brokerCode: 'X' };
  const lines = format({
    env: 'demo',
    ...noise,
    message: 'MESSAGE.',
    note: 'NOTE.',
    next: 'NEXT.',
    nextCursor: 'CURSOR',
  });
  expect(lines[0]).toBe('demo');
  expect(lines.slice(-4)).toEqual(['MESSAGE.', 'NOTE.', 'NEXT.', 'There are more rows: add "cursor": "CURSOR".']);
});

test('an error begins with its code and its message, which is not said again', () => {
  expect(format({ code: 'not_found', message: 'MESSAGE.', next: 'NEXT.' })).toEqual(['not_found: MESSAGE.', 'NEXT.']);
});

test('a message of a result that has the code of the broker is said', () => {
  expect(format({ brokerCode: 'B1', message: 'MESSAGE.' }).at(-1)).toBe('MESSAGE.');
});

test('the first line has the environment and the time, which are no fields', () => {
  expect(format({ env: 'sandbox', simulated: true, asOf: '2026-01-15T14:30:00Z', positions: 2 })).toEqual([
    'sandbox · today 14:30',
    'positions  2',
  ]);
});

test('limits have their units, and a number of orders has none', () => {
  const riskLimits = { maxOrderValue: '500', maxDayValue: '1000.50', maxPriceDistance: '5', ordersPerDay: 7 };
  expect(format({ riskLimits })).toEqual([
    'risk limits',
    '  max order value     500 in the currency of the account',
    '  max day value       1000.50 in the currency of the account',
    '  max price distance  5 %',
    '  orders per day      7',
  ]);
});

test('a range of days in the zone of a result is said as days, and its other times in that zone', () => {
  const range = { since: '2025-04-05T23:00:00.000Z', until: '2026-04-05T23:00:00.000Z' };
  const lines = format({ ...range, timeZone: 'Europe/London', at: '2025-07-01T12:00:00Z' });
  expect(lines.slice(0, 2)).toEqual(['since      6 Apr 2025', 'until      the end of 5 Apr 2026']);
  expect(lines[3]).toMatch(/^at +1 Jul 2025 13:00/);
  const times = format({ since: '2025-04-06T09:30:00Z', until: '2025-04-07T09:30:00Z', timeZone: 'UTC' });
  expect(times.slice(0, 2)).toEqual(['since      6 Apr 2025 09:30', 'until      7 Apr 2025 09:30']);
});

test('what is unknown is a dash, and yes and no are words', () => {
  const lines = ['a  –', 'b  –', 'c  yes', 'd  no', 'f  0'];
  expect(format({ a: null, b: '', c: true, d: false, e: undefined, f: 0 })).toEqual(lines);
});

test('each table has the columns of its own name, and an empty list says that it is empty', () => {
  const lines = format({
    rows: [['A_EQ', '5', null]],
    columns: ['ticker', 'amount', 'price'],
    limits: [['orders', 3]],
    limitColumns: ['endpoint', 'free'],
    items: [],
    intents: [{ order: 'o1', outcome: 'placed' }],
  });
  expect(lines).toEqual([
    'ticker  amount  price',
    'A_EQ         5  –',
    'limits',
    '  endpoint  free',
    '  orders       3',
    'none',
    'intents',
    '  order  outcome',
    '  o1     placed',
  ]);
});

test('a list of sentences has a line for each, and one of words is one line', () => {
  expect(format({ notes: ['The market is closed.', 'In pence'], toolsets: ['trading', 'v1.2'] })).toEqual([
    ...['notes     The market is closed.', '          In pence'],
    'toolsets  trading, v1.2',
  ]);
});

test('objects that have lists are shown one after the other', () => {
  expect(format({ legs: [{ leg: 1, warnings: [{ text: 'A' }] }, { leg: 2 }] })).toEqual([
    ...['legs', '  leg  1', '  warnings', '    text', '    A', '', '  leg  2', ''],
  ]);
});
