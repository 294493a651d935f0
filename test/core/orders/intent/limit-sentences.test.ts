/** The limits as the person who enrols them reads them. */
import { expect, test } from 'vitest';
import { describeLimits, effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';

test('each limit is one sentence with its unit', () => {
  expect(describeLimits(effectiveLimits('live', {}, undefined))).toEqual([
    'An order is worth at most 1000, in the currency of the account.',
    'The orders of 24 hours are worth at most 5000 together.',
    'An order is for at most 1000 shares.',
    'At most 5 orders in a minute.',
    'At most 20 orders in an hour.',
    'At most 50 orders in 24 hours.',
    'At most 10 orders are pending on one ticker.',
    'A limit or stop price is within 10% of the last price.',
    'Tickers: all.',
    'Types of instruments: STOCK, ETF.',
    'An order that another program places halts trading.',
  ]);
});

test('a list that is empty allows nothing, and is not said as all', () => {
  const limits = effectiveLimits('demo', { tickers: [], haltOnForeignOrders: false }, undefined);
  expect(describeLimits(limits).slice(-3)).toEqual([
    'Tickers: none.',
    'Types of instruments: STOCK, ETF.',
    'An order that another program places does not halt trading.',
  ]);
});
