/** The arguments that several tools share: what each reads, what it refuses, and what is shown of it to the model. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  boundedNumber,
  flag,
  id,
  integer,
  isValidRange,
  limit,
  money,
  moneyOrNone,
  plainNumber,
  quantity,
  type RangeArguments,
  since,
  sinceUntilOrTaxYear,
  timestamp,
  waitSeconds,
  withOneRange,
} from '../../../src/core/mcp/arguments.ts';

/** The value that an argument gets, or what is wrong with what was sent. */
function read(schema: z.ZodType, sent: unknown): unknown {
  const { success, data, error } = schema.safeParse(sent);
  return success ? data : { wrong: error.issues.map(({ message }) => message).join('; ') };
}
const wrong = (message: string) => ({ wrong: message });

const inText = { type: 'number', description: 'WHAT IT IS' };

describe('a quantity', () => {
  test.each([
    [2, '2'],
    [0.1, '0.1'],
    ['2.50', '2.5'],
    ['1e-7', '0.0000001'],
    ['123456789012345.0123456789', '123456789012345.0123456789'],
    // 15 digits are exact in a JSON number, and the point is none of them.
    [12345678.1234567, '12345678.1234567'],
  ])('%j is read as the exact decimal %s', (sent, expected) => {
    expect(read(quantity(), sent)).toBe(expected);
  });

  test.each([
    [true, 'must be a number'],
    ['ten', 'must be a number; "ten" is not'],
    [' ', 'must be a number; " " is not'],
    [-2, 'must be positive: use side "SELL" with a positive quantity to sell'],
    ['0.0', 'must be greater than 0'],
    ['1.00000000001', 'has too many decimals; at most 10 are allowed'],
    ['1e-31', 'has too many decimals; at most 10 are allowed'],
    ['1234567890123456', 'is too large; at most 15 digits are allowed before the decimal point'],
    ['1e40', 'is too large; at most 15 digits are allowed before the decimal point'],
    [123456.7890123456, 'has too many digits for a JSON number; send quantity as a string'],
  ])('%j is refused: it %s', (sent, message) => {
    expect(read(quantity(), sent)).toEqual(wrong(message));
  });

  test('is shown as a number above zero', () => {
    expect(quantity().meta()?.shown).toEqual({ type: 'number', description: 'Shares, above 0' });
  });
});

describe('an amount of money', () => {
  const amounts = [
    ['above zero', money('amount', 'WHAT IT IS'), 'must be greater than 0', wrong('must be greater than 0')],
    ['of zero or more', moneyOrNone('amount', 'WHAT IT IS'), 'must be 0 or more', '0'],
    ['from -5 to 5', boundedNumber('amount', { min: -5, max: 5 }, 'WHAT IT IS'), 'must be -5 to 5', '0'],
  ] as const;

  test.each(amounts)('%s is exact, and says which values it takes', (_, schema, message, ofZero) => {
    expect(read(schema, '1.50')).toBe('1.5');
    expect(read(schema, '-6')).toEqual(wrong(message));
    expect(read(schema, '0')).toEqual(ofZero);
    expect(schema.meta()?.shown).toEqual(inText);
  });

  test('with more digits than a JSON number keeps is asked for by its name', () => {
    const tooLong = wrong('has too many digits for a JSON number; send amount as a string');
    expect(read(money('amount', 'WHAT IT IS'), 123456.7890123456)).toEqual(tooLong);
    expect(read(moneyOrNone('amount', 'WHAT IT IS'), 123456.7890123456)).toEqual(tooLong);
    expect(read(boundedNumber('amount', { min: 0, max: 1e6 }, 'WHAT IT IS'), 123456.7890123456)).toEqual(tooLong);
  });

  test.each([
    ['9.99', wrong('must be 10 to 20')],
    ['10', '10'],
    ['20', '20'],
    ['20.01', wrong('must be 10 to 20')],
  ])('within bounds: %s', (sent, expected) => {
    expect(read(boundedNumber('share', { min: 10, max: 20 }, 'WHAT IT IS'), sent)).toEqual(expected);
  });
});

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  [1, wrong('must be true or false')],
  ['yes', wrong('must be true or false')],
])('a flag: %j', (sent, expected) => {
  expect(read(flag('WHAT IT IS'), sent)).toEqual(expected);
});

test.each([
  [7, '7'],
  [0, '0'],
  [' 007 ', '7'],
  ['0', '0'],
  ['9223372036854775807', '9223372036854775807'],
  [2 ** 53, wrong('must be sent as a string of digits')],
  [-1, wrong('must be sent as a string of digits')],
  ['12345678901234567890', wrong('must be an id, a string of digits')],
  ['7a', wrong('must be an id, a string of digits')],
  [true, wrong('must be an id, a string of digits')],
])('an id of the service: %j', (sent, expected) => {
  expect(read(id('WHAT IT IS'), sent)).toEqual(expected);
});

test.each([
  [2, 2],
  ['5', 5],
  [1, wrong('must be 2 to 5')],
  [6, wrong('must be 2 to 5')],
  [2.5, wrong('must be an integer')],
  ['02', wrong('must be an integer')],
  [true, wrong('must be an integer')],
])('an integer from 2 to 5: %j', (sent, expected) => {
  expect(read(integer({ min: 2, max: 5 }, 'WHAT IT IS'), sent)).toEqual(expected);
});

test('the number of rows has a bound, which its description names beside what holds without it', () => {
  const rows = limit(500, 50);
  expect([0, 1, 500, 501].map((sent) => read(rows, sent))).toEqual([
    wrong('must be 1 to 500'),
    1,
    500,
    wrong('must be 1 to 500'),
  ]);
  expect(rows.unwrap().meta()?.shown).toEqual({ type: 'integer', description: '1 to 500, default 50' });
});

test.each([
  ['2.5', 2.5],
  [10, 10],
  [0, wrong('must be greater than 0')],
  [11, wrong('must be at most 10')],
  ['ten', wrong('must be a number')],
])('a number up to 10 that is no amount of an order: %j', (sent, expected) => {
  expect(read(plainNumber(10), sent)).toEqual(expected);
});

test.each([
  ['5', 5],
  [60, 50],
  [-1, wrong('must be 0 to 50')],
])('seconds to wait: %j', (sent, expected) => {
  expect(read(waitSeconds('WHAT IT IS'), sent)).toEqual(expected);
});

describe('a time', () => {
  const unreadable = wrong('must be an ISO date such as 2025-04-06, or a date-time such as 2025-04-06T09:30:00Z');

  test.each([
    ['2025-04-06', Date.UTC(2025, 3, 6)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2025-04-06T09:30:00Z', Date.UTC(2025, 3, 6, 9, 30)],
    ['2025-02-29', unreadable],
    ['2025-04-31T09:30:00Z', unreadable],
    ['2025-13-01', unreadable],
    ['2025-04-06T25:00:00Z', unreadable],
    ['6 April 2025', unreadable],
    [1_700_000_000_000, unreadable],
  ])('%j', (sent, expected) => {
    expect(read(timestamp('WHAT IT IS'), sent)).toEqual(expected);
  });

  test.each([
    ['2025-04-06', { at: Date.UTC(2025, 3, 6), day: '2025-04-06' }],
    ['2025-04-06T09:30:00Z', { at: Date.UTC(2025, 3, 6, 9, 30), day: undefined }],
    ['2025-02-29', unreadable],
    [5, unreadable],
  ])('of a range keeps whether it is a day: %j', (sent, expected) => {
    expect(read(since(), sent)).toEqual(expected);
  });
});

describe('a range', () => {
  const day = (at: number) => ({ at, day: `DAY ${at}` });
  const time = (at: number) => ({ at, day: undefined });

  test.each<[string, RangeArguments, boolean]>([
    ['without an end', { since: day(5) }, true],
    ['without a start', { until: day(5) }, true],
    ['of days', { since: day(1), until: day(2) }, true],
    ['of one day twice', { since: day(2), until: day(2) }, false],
    ['of days, backwards', { since: day(2), until: day(1) }, false],
    ['of times, backwards', { since: time(2), until: time(1) }, false],
    // When a day begins depends on the zone.
    ['from a time to a day, backwards', { since: time(2), until: day(1) }, true],
    ['from a day to a time, backwards', { since: day(2), until: time(1) }, true],
  ])('%s', (_, range, expected) => {
    expect(isValidRange(range)).toBe(expected);
  });

  const range = withOneRange(z.strictObject(sinceUntilOrTaxYear()));
  test.each([
    [{ taxYear: '2025/26' }],
    [{ since: '2025-04-06' }],
    [{ since: '2025-04-06', until: '2025-05-06' }],
    [{}],
  ])('is %j', (sent) => {
    expect(range.safeParse(sent).success).toBe(true);
  });

  test.each([
    [{ taxYear: '2025/26', since: '2025-04-06' }, 'Give either taxYear or since and until'],
    [{ taxYear: '2025/26', until: '2025-05-06' }, 'Give either taxYear or since and until'],
    [{ since: '2025-05-06', until: '2025-04-06' }, 'since must be before until'],
  ])('is not %j', (sent, message) => {
    expect(read(range, sent)).toEqual(wrong(message));
  });
});
