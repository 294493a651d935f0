/** A draft in a terminal: the money before and after it. */
import { expect, test } from 'vitest';
import { draftText } from '../../../src/approval/terminal/render-draft.ts';
import type { Draft } from '../../../src/drafting/book/draft.ts';
import { sumSheet } from '../../../src/drafting/draft-sheet.ts';

const draft: Draft = {
  id: '0123456789abcdef',
  accountKey: 'account',
  environment: 'demo',
  name: undefined,
  version: 1,
  state: 'open',
  source: 'save_draft',
  createdAt: 0,
  expiresAt: 1,
};
const sums = { currency: 'GBP', bought: '100.00', sold: '40.00', unknownValues: 0, cash: '500', isFunded: true };

const show = (charges: readonly (string | undefined)[], unknownValues = 0) =>
  draftText({
    draft,
    legs: [],
    state: 'open',
    review: {
      legs: [],
      complete: true,
      asOf: 0,
      totals: sumSheet({ ...sums, unknownValues }, charges),
      refused: undefined,
    },
    sent: undefined,
  });

test('a draft shows its charges and the cash after them', () => {
  // 500 + 40 − 100 − 1.50 − 0.50
  const text = show(['1.50', '0.50']);
  expect(text).toMatch(/Charges +2\.00 GBP/);
  expect(text).toMatch(/Cash after +438\.00 GBP/);
});

test('with a charge that is unknown, the cash after is marked as before it', () => {
  const text = show(['1.50', undefined]);
  expect(text).toMatch(/Charges +unknown/);
  // 500 + 40 − 100 − 1.50
  expect(text).toMatch(/Cash after +438\.50 GBP.* unknown/);
});

test.each([
  [0, /Buys +100\.00 GBP/, /Sells +40\.00 GBP/],
  [1, /Buys +at least 100\.00 GBP/, /Sells +at least 40\.00 GBP/],
])('with %i legs of unknown value, the sums are lower bounds or not', (unknownValues, buys, sells) => {
  const text = show([], unknownValues);
  expect(text).toMatch(buys);
  expect(text).toMatch(sells);
});
