/** No search grows with the square of the history: a busy trader has tens of thousands of trades in one ticker. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { summarizeRealisedGains } from '../../../src/analytics/realised/summarize.ts';
import type { GainsMethod } from '../../../src/analytics/realised/types.ts';
import type { Trade } from '../../../src/analytics/trades.ts';
import { buy } from './trades.ts';

const trades = 50_000;
const day = 86_400_000;

/** Twenty thousand purchases pile up before the first sale; then one follows the other, `everyMs` apart. */
const history = (everyMs: number): Trade[] => {
  const model = buy('2020-01-01', 3, '10.01');
  return Array.from({ length: trades }, (_, n) => ({
    ...model,
    at: model.at + n * everyMs,
    side: n > 20_000 && n % 2 ? ('SELL' as const) : ('BUY' as const),
    quantity: new Big(n % 2 ? '2.5' : '3.25'),
  }));
};

test.each<[GainsMethod, string, number]>([
  ['fifo', 'within hours', 1000],
  ['average', 'within hours', 1000],
  ['uk_section_104', 'within hours', 1000],
  ['uk_section_104', 'within years', day / 20],
  ['uk_section_104', 'over a life', day],
])('%s over 50,000 trades of one ticker, %s', (method, _, everyMs) => {
  const list = history(everyMs);
  const begin = performance.now();
  const { totals, unmatched } = summarizeRealisedGains(list, { method });
  const took = performance.now() - begin;
  expect(unmatched).toEqual([]);
  expect(totals.disposals).toBeGreaterThan(0);
  // Alone about a tenth of this; a square would be minutes.
  expect(took).toBeLessThan(3000);
});
