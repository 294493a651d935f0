/** The names of drafts that were saved without one. */
import { expect, test } from 'vitest';
import { foreignName } from '../../../../src/core/text/sanitize-text.ts';
import type { Draft, DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import { nameDraft, namePlan, type PlanName } from '../../../../src/features/drafts/book/draft-plan.ts';

const plan = { goal: 'invest', amount: '500', currency: 'GBP', tickers: 3 } as const;

test.each<[Partial<PlanName>, string]>([
  [{}, 'Invest 500.00 GBP in 3 instruments'],
  [{ tickers: 1, amount: '12.345' }, 'Invest 12.345 GBP in one instrument'],
  [{ tickers: undefined }, 'Invest 500.00 GBP in all holdings'],
  [{ goal: 'raise', amount: '2000.5' }, 'Raise 2000.50 GBP'],
  [{ goal: 'raise', currency: undefined }, 'Raise 500.00'],
  [{ goal: 'rebalance', amount: undefined, tickers: 5 }, 'Rebalance 5 instruments'],
  [{ goal: 'rebalance', amount: '0', tickers: 5 }, 'Rebalance 5 instruments'],
  [{ goal: 'rebalance', tickers: 30 }, 'Rebalance 30 instruments with 500.00 GBP'],
])('a plan %o is named %s', (change, name) => {
  expect(namePlan({ ...plan, ...change })).toBe(name);
  // A name that is cleaned, as every name is, stays the same.
  expect(foreignName(name)).toBe(name);
});

test('the longest name of a plan fits the longest name that is shown', () => {
  const longest = namePlan({ goal: 'rebalance', amount: `${'9'.repeat(13)}.1234567890`, currency: 'GBP', tickers: 30 });
  expect(foreignName(longest)).toBe(longest);
});

const draft = { name: undefined, source: 'save_draft', version: 1 } as Draft;
const legs = (...sides: readonly ('BUY' | 'SELL')[]) => sides.map((side) => ({ side }) as DraftLeg);

test.each<[Partial<Draft>, readonly DraftLeg[], string]>([
  [{}, legs('BUY'), '1 buy'],
  [{}, legs('SELL', 'SELL'), '2 sells'],
  [{ version: 3 }, legs('SELL', 'BUY', 'BUY'), '2 buys and 1 sell'],
  [{ name: 'Mine', version: 3 }, legs('BUY'), 'Mine'],
  [{ name: 'Raise 5.00 GBP', source: 'plan_orders' }, legs('SELL'), 'Raise 5.00 GBP'],
  [{ name: 'Raise 5.00 GBP', source: 'plan_orders', version: 2 }, legs('SELL'), 'Raise 5.00 GBP (edited)'],
  [{ name: 'savings 2026-01-01', source: 'plan savings', version: 2 }, legs('BUY'), 'savings 2026-01-01'],
])('a draft %o is shown by a name', (change, shown, name) => {
  expect(nameDraft({ ...draft, ...change }, shown)).toBe(name);
});
