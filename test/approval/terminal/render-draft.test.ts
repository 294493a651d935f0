import { expect, test } from 'vitest';
import { draftText } from '../../../src/approval/terminal/render-draft.ts';
import type { Draft } from '../../../src/drafting/book/draft.ts';

const draft = { id: 'd1', environment: 'demo', version: 1, expiresAt: 0, name: 'n' } as Draft;

test.each([
  [0, ['  Buys         12.00 GBP before charges', '  Sells        0.00 GBP before charges']],
  [1, ['  Buys         at least 12.00 GBP before charges', '  Sells        at least 0.00 GBP before charges']],
] as const)('with %i legs of unknown value, the sums are lower bounds or not', (unknownValues, expected) => {
  const totals = {
    currency: 'GBP',
    bought: '12.00',
    sold: '0.00',
    unknownValues,
    cash: undefined,
    isFunded: undefined,
  };
  const text = draftText(draft, 'open', { legs: [], totals, complete: true, asOf: undefined }, undefined);
  expect(text.split('\n').filter((line) => /^ {2}(Buys|Sells)/.test(line))).toEqual(expected);
});
