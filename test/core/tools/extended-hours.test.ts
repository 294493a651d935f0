/** Which orders are refused because their instrument has no extended hours. */
import { expect, test } from 'vitest';
import { lacksExtendedHours, requireExtendedHours } from '../../../src/core/tools/market-wait.ts';

test.each([
  [true, false, true],
  [true, true, false],
  [true, undefined, false],
  [false, false, false],
  [undefined, false, false],
  [false, true, false],
  [undefined, undefined, false],
])('an order with extended hours %s of an instrument with %s lacks them: %s', (wanted, known, lacks) => {
  const [order, instrument] = [{ ticker: 'A_EQ', extendedHours: wanted }, { extendedHours: known }];
  expect(lacksExtendedHours(order, instrument)).toBe(lacks);
  const require = () => requireExtendedHours(order, instrument);
  if (lacks)
    expect(require).toThrow(expect.objectContaining({ code: 'invalid_argument', next: 'Omit extendedHours.' }));
  else expect(require).not.toThrow();
});
