/** When a note says that rounded gains do not add up. */
import { expect, test } from 'vitest';
import { explainRounding } from '../../src/drafting/sale-outlook.ts';

// Exact: 10.004 + 0.004 = 10.008, each rounded to the penny.
test.each<[string, readonly string[], string, string, number]>([
  ['figures that add up', ['5.00'], '10.00', '15.00', 0],
  ['one gain a penny apart', ['0.00'], '10.00', '10.01', 1],
  ['three gains two pence apart', ['0.00', '0.00', '0.00'], '10.00', '10.02', 1],
  ['a loss a penny apart', ['-0.01'], '0.00', '0.00', 1],
  ['a difference that rounding cannot make', ['5.00'], '10.00', '14.00', 0],
])('%s', (_name, gains, yearGainBefore, yearGainAfter, notes) => {
  expect(explainRounding(gains, { yearGainBefore, yearGainAfter })).toHaveLength(notes);
});

test('an unknown year has no note', () => {
  expect(explainRounding(['5.00'], { yearGainBefore: undefined, yearGainAfter: undefined })).toEqual([]);
});
