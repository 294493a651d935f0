/** What is said of a question that no row answers. */
import { describe, expect, test } from 'vitest';
import {
  describeEmpty,
  describeEmptyRange,
  requireKnownType,
  typeFields,
} from '../../../src/features/history/empty-history.ts';
import type { Coverage } from '../../../src/features/history/history-port.ts';

const whole: Coverage = { from: null, complete: true, rows: 9 };
const late: Coverage = { ...whole, from: '2025-01-01T00:00:00Z' };
const part: Coverage = { ...whole, complete: false };
const match = {
  asked: 'FEE',
  matched: ['FEE', 'FEE_REFUND'],
  longer: ['FEE_LONG'],
  existing: ['DEPOSIT', 'FEE'],
  documented: ['WITHDRAW'],
  isDocumented: false,
};
const unmatched = { ...match, asked: 'FEES', matched: [], longer: [] };
const outside = { oldest: Date.parse('2025-02-01T10:00:00Z'), newest: Date.parse('2025-11-01T10:00:00Z') };

const describeOf = (question: object, of: object) =>
  describeEmpty({ kind: 'orders', ...question } as never, {
    typeMatch: undefined,
    outside: undefined,
    coverage: whole,
    ...of,
  });

describe('an empty answer', () => {
  test.each<[string, object, object, string | undefined]>([
    ['of an empty account', {}, {}, 'The account has no orders.'],
    ['of a ticker', { ticker: 'A' }, {}, 'No row of orders has the ticker A.'],
    ['of a type', {}, { typeMatch: match }, 'No row of orders of the type FEE or FEE_REFUND exists.'],
    [
      'of a type and a ticker',
      { ticker: 'A' },
      { typeMatch: match },
      'No row of orders of the type FEE or FEE_REFUND of A exists.',
    ],
    [
      'of a type that no row has',
      {},
      { typeMatch: unmatched },
      'No row of orders has the type FEES. Types of this history: DEPOSIT, FEE.',
    ],
    [
      'of such a type, while rows are unread',
      {},
      { typeMatch: unmatched, coverage: part },
      'No row that was read has the type FEES.',
    ],
    ['while rows are unread', {}, { coverage: part }, undefined],
    ['of rows from a day on', {}, { coverage: late }, 'No row of orders is in this range.'],
    [
      'before the first row',
      { ticker: 'A', until: outside.oldest },
      { outside },
      'The range ends before the first row of orders of A (2025-02-01).',
    ],
    [
      'from the last row on',
      { since: outside.newest },
      { outside },
      'No row of orders is in this range; the oldest is of 2025-02-01, the newest of 2025-11-01.',
    ],
    [
      'until after the first row',
      { until: outside.oldest + 1 },
      { outside },
      'No row of orders is in this range; the oldest is of 2025-02-01, the newest of 2025-11-01.',
    ],
    [
      'of a type, in a history without rows',
      {},
      { typeMatch: { ...unmatched, existing: [] } },
      'No row of orders has the type FEES.',
    ],
    [
      'after the last row',
      { since: outside.newest + 1 },
      { outside },
      'The range starts after the last row of orders (2025-11-01).',
    ],
    [
      'between rows',
      { since: outside.oldest + 1, until: outside.newest },
      { outside },
      'No row of orders is in this range; the oldest is of 2025-02-01, the newest of 2025-11-01.',
    ],
    [
      'before the first row that was read',
      { until: outside.oldest },
      { outside, coverage: late },
      'No row of orders is in this range; the oldest that was read is of 2025-02-01, the newest of 2025-11-01.',
    ],
  ])('%s', (_, question, of, expected) => {
    expect(describeOf(question, of)).toBe(expected);
  });
});

test.each([
  [{}, 0, [whole], 'The account has no trades.'],
  [{ since: 1 }, 0, [whole], 'The range has no trades.'],
  [{ until: 1 }, 0, [whole], 'The range has no trades.'],
  [{}, 1, [whole], undefined],
  [{}, 0, [whole, part], undefined],
])('figures of the range %j over %i rows', (range, count, coverages, expected) => {
  expect(describeEmptyRange('no trades', count, range, coverages)).toBe(expected);
});

test('a type that no row and no documentation has is refused with those that it may mean', () => {
  expect(() => requireKnownType(unmatched, 'transactions', whole)).toThrow(
    expect.objectContaining({
      code: 'invalid_argument',
      message: 'No row of transactions has the type FEES.',
      next: 'The closest types are: FEE. Types of this history: DEPOSIT, FEE.',
      facts: { types: ['DEPOSIT', 'FEE'], otherTypes: ['WITHDRAW'] },
    }),
  );
  const empty = { ...unmatched, asked: 'ZZZZZZZZZZ', existing: [] };
  expect(() => requireKnownType(empty, 'transactions', whole)).toThrow(
    expect.objectContaining({ next: 'This history has no rows.', facts: { types: [], otherTypes: ['WITHDRAW'] } }),
  );
});

test.each([
  ['that a row has', match, whole],
  ['that the documentation has', { ...unmatched, isDocumented: true }, whole],
  ['that an unread row can have', unmatched, part],
  ['that was not asked for', undefined, whole],
])('a type %s is not refused', (_, typeMatch, coverage) => {
  expect(() => requireKnownType(typeMatch, 'transactions', coverage)).not.toThrow();
});

test('the types that a filter means are named, and longer ones apart', () => {
  expect(typeFields(match)).toEqual({ matchedTypes: ['FEE', 'FEE_REFUND'], longerTypes: ['FEE_LONG'] });
  expect(typeFields({ ...match, longer: [] })).toEqual({ matchedTypes: ['FEE', 'FEE_REFUND'] });
  expect(typeFields(undefined)).toEqual({});
});

test('at most 40 types are named', () => {
  const many = Array.from({ length: 41 }, (_, n) => `TYPE_${n}`);
  const typeMatch = { ...match, matched: many, longer: many, existing: many, documented: many };
  const first40 = many.slice(0, 40);
  expect(typeFields(typeMatch)).toEqual({ matchedTypes: first40, longerTypes: first40 });
  const none = { ...typeMatch, asked: 'ZZZZZZZZZZ', matched: [] };
  expect(() => requireKnownType(none, 'transactions', whole)).toThrow(
    expect.objectContaining({
      next: `Types of this history: ${first40.join(', ')}.`,
      facts: { types: first40, otherTypes: first40 },
    }),
  );
  expect(describeOf({}, { typeMatch: none })).toBe(
    `No row of orders has the type ZZZZZZZZZZ. Types of this history: ${first40.join(', ')}.`,
  );
});
