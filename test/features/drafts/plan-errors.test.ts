/** What is said when there is no plan: a code, one sentence, and a step that the reader can take. */
import { expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { toPlanError } from '../../../src/features/drafts/plan-errors.ts';
import type { PlanProblem, PlanSide } from '../../../src/features/planner/plan-types.ts';

const ticker = 'A_US_EQ';
const explain = (problem: PlanProblem, currency?: string, priceCurrency?: string, side: PlanSide = 'BUY') => {
  const { code, message, next, facts } = toPlanError(problem, side, currency, priceCurrency);
  return { code, message, next, facts };
};

test.each<[PlanProblem, code: string, message: string, next: string]>([
  [
    { code: 'weights_over_100', total: '110' },
    'weights_over_100',
    'The weights of the targets add up to 110%, and at most 100% can be invested.',
    'Give weights that add up to at most 100; a remainder stays cash.',
  ],
  [
    { code: 'no_rate', ticker },
    'no_price',
    'The exchange rate of A_US_EQ is unknown: nothing in its currency is held or was traded in the last 30 days.',
    'Leave the ticker out; after a first single order in this currency its rate is known.',
  ],
  [
    { code: 'amount_over_cash', most: '12.50' },
    'amount_over_cash',
    'The amount is larger than the cash that may be spent, which is €12.50.',
    'Give an amount of at most €12.50, or a smaller keepCash.',
  ],
  [
    { code: 'amount_over_cash', most: '0.00' },
    'amount_over_cash',
    'The amount is larger than the cash that may be spent, which is €0.00.',
    'Give a smaller keepCash, raise cash first, or wait for a deposit.',
  ],
  [
    { code: 'amount_over_holdings', most: '12.50' },
    'amount_over_holdings',
    'Selling everything that can be sold brings about €12.50 after charges, which is less than the amount.',
    'Give an amount of at most €12.50, or more tickers.',
  ],
  [
    { code: 'amount_over_holdings', most: '0.00' },
    'amount_over_holdings',
    'Selling everything that can be sold brings about €0.00 after charges, which is less than the amount.',
    'Give other tickers or a smaller minOrderValue; shares in pies and in pending orders cannot be sold.',
  ],
  [
    { code: 'assumed_price_needs_limit', ticker },
    'invalid_argument',
    'The price of A_US_EQ is assumed, so its order has to be a limit order in live.',
    'Set orderType to LIMIT.',
  ],
  [
    { code: 'targets_missing', goal: 'rebalance' },
    'invalid_argument',
    'The targets are missing: the goal rebalance needs at least one ticker.',
    'Give targets with weightPercent.',
  ],
  [
    { code: 'amount_missing', goal: 'invest' },
    'invalid_argument',
    'The amount is missing: the goal invest needs one above 0.',
    'Give amount in the account currency.',
  ],
  [
    { code: 'goal_needs_sells', goal: 'raise' },
    'invalid_argument',
    'The goal raise sells, and no sales are allowed.',
    'Omit allowSells, or choose another goal.',
  ],
  [
    { code: 'nothing_held' },
    'invalid_argument',
    'Nothing with a known price is held.',
    'Give targets with the tickers to buy.',
  ],
  [
    { code: 'too_many_targets', most: 30 },
    'invalid_argument',
    'There are more than 30 targets.',
    'Plan the tickers in several parts.',
  ],
  [
    { code: 'duplicate_target', ticker },
    'invalid_argument',
    'The targets have A_US_EQ twice.',
    'Give each ticker once.',
  ],
  [
    { code: 'limit_offset_too_large' },
    'invalid_argument',
    'The offset leaves no limit price above 0.',
    'Give a smaller limitOffsetPercent.',
  ],
  [
    { code: 'unknown_asset', ticker },
    'invalid_argument',
    'A_US_EQ is not an instrument of this account.',
    'Find the ticker with search_instruments.',
  ],
])('$code: its sentence, its step, and its facts', (problem, code, message, next) => {
  const { code: name, ...facts } = problem;
  // A unit of prices is only for a price that a person is asked for.
  expect(explain(problem, 'EUR', 'USD')).toEqual({ code, message, next, facts: { problem: name, ...facts } });
  expect(toPlanError(problem, 'BUY', 'EUR')).toBeInstanceOf(BrokerageError);
});

test.each([
  [undefined, 'the instrument’s currency', {}],
  ['USD', 'USD', { priceCurrency: 'USD' }],
  ['GBX', 'GBX, which is pence: 100 GBX are 1 GBP', { priceCurrency: 'GBX' }],
])('a price that is missing is asked for in the unit of the instrument: %s', (priceCurrency, unit, facts) => {
  expect(explain({ code: 'no_price', ticker }, 'EUR', priceCurrency)).toEqual({
    code: 'no_price',
    message: 'No price of A_US_EQ is known: it is not held and was not traded in the last 30 days.',
    next: `Ask the user for a price in ${unit}. Plan again with it in assumedPrices and orderType LIMIT, which bounds what is paid, or leave the ticker out.`,
    facts: { problem: 'no_price', ticker, ...facts },
  });
});

test('a missing price of what a goal sells is not said to bound what is paid', () => {
  expect(explain({ code: 'no_price', ticker }, 'EUR', 'USD', 'SELL')).toEqual({
    code: 'no_price',
    message: 'No price of A_US_EQ is known: no holding has one, and it was not traded in the last 30 days.',
    next: 'Leave the ticker out if it is not held. Otherwise ask the user for a price in USD, and plan again with it in assumedPrices and orderType LIMIT, which bounds what the sale brings.',
    facts: { problem: 'no_price', ticker, priceCurrency: 'USD' },
  });
});

test('an amount has no currency where the one of the account is unknown', () => {
  expect(explain({ code: 'amount_over_cash', most: '5.00' })).toMatchObject({
    message: 'The amount is larger than the cash that may be spent, which is 5.00.',
    next: 'Give an amount of at most 5.00, or a smaller keepCash.',
  });
});
