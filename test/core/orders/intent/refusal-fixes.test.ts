import { expect, test } from 'vitest';
import { getRefusalFix } from '../../../../src/core/orders/intent/outcome.ts';

// The codes of docs/interface.md (Errors) after which another order may pass, and a code with single letters.
test.each([
  'insufficient-free-for-stocks-buy',
  'selling-equity-not-owned',
  'min-quantity-exceeded',
  'quantity-precision-mismatch',
  'price-too-far',
  'max-position-quantity-exceeded',
  'instrument-close-only-mode',
  'instrument-disabled',
  'extended-hours-trading-not-allowed',
  'instrument-invisible',
  'i-s-a-ineligible-instrument',
  'min-opened-position-exceeded',
])('%s has a next step of its own, in both spellings of a code', (code) => {
  const pascal = code.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  expect(getRefusalFix(code)).toMatch(/\.$/);
  expect(getRefusalFix(pascal)).toBe(getRefusalFix(code));
});

test.each([undefined, '', 'toString', '__proto__', 'some-other-code'])('%s has none', (code) => {
  expect(getRefusalFix(code)).toBeUndefined();
});
