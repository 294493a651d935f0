/** What a result says about the histories behind it. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { coverageFields, formatSum } from '../../../../src/features/analytics/tools/coverage-fields.ts';
import type { Coverage } from '../../../../src/features/history/history-port.ts';

const whole = { complete: true, rows: 2 } as Coverage;
const part = { complete: false, rows: 2, missing: ['OLD ROWS ARE UNREAD.'] } as unknown as Coverage;

test('a whole history has no note and no step without a remark and a hint', () => {
  const coverage = { orders: whole };
  expect(coverageFields(coverage)).toEqual({ complete: true, coverage });
  expect(coverageFields(coverage, [undefined])).toEqual({ complete: true, coverage });
  expect(coverageFields(coverage, ['REMARK.'])).toEqual({ complete: true, coverage, note: 'REMARK.' });
  expect(coverageFields(coverage, [], 'HINT.')).toEqual({ complete: true, coverage, next: 'HINT.' });
});

test('a history with unread rows says which, before the remarks, and what to do, before the hint', () => {
  const coverage = { orders: whole, dividends: part };
  const note = 'Not complete. OLD ROWS ARE UNREAD. The figures will change when these rows arrive.';
  expect(coverageFields(coverage)).toEqual({ complete: false, coverage, note, next: 'Call again later.' });
  expect(coverageFields(coverage, ['ONE.', undefined, 'TWO.'], 'HINT.')).toEqual({
    complete: false,
    coverage,
    note: `${note} ONE. TWO.`,
    next: 'Call again later. HINT.',
  });
});

test.each([
  ['of no rows, while rows are unread, is unknown', 0, [whole, part], undefined],
  ['of no rows of a whole history is zero', 0, [whole, whole], '0.00'],
  ['of some rows is known as far as they go', 1, [part], '0.00'],
] as const)('a sum %s', (_, count, coverages, expected) => {
  expect(formatSum(new Big(0), count, ...coverages)).toBe(expected);
});
