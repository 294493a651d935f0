import { expect, test } from 'vitest';
import { getRefusalFix } from '../../../src/orders/intent/refusal-fixes.ts';

test.each([
  'instrument-invisible',
  'i-s-a-ineligible-instrument',
  'max-position-quantity-exceeded',
  'instrument-close-only-mode',
])('%s has a next step of its own, in both spellings of a code', (code) => {
  const pascal = code.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  expect(getRefusalFix(code)).toBeDefined();
  expect(getRefusalFix(pascal)).toBe(getRefusalFix(code));
});

test.each([undefined, '', 'toString', '__proto__', 'some-other-code'])('%s has none', (code) => {
  expect(getRefusalFix(code)).toBeUndefined();
});
