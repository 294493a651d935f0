/** The orders of a draft, checked together: each counts for those after it, and sells pay for buys. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { OrderContext } from '../../../../src/core/orders/account/account-snapshot.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import type { RiskLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import {
  type DraftOrder,
  evaluateDraft,
  expectProceeds,
  listDependentOrders,
} from '../../../../src/core/orders/risk/evaluate-draft.ts';
import { account, accountWithCash, buy, makeIntent, now, openJournal, paper, sell, ticker } from './example-account.ts';

const withFacts = (orders: readonly OrderRequest[], facts: OrderContext): DraftOrder[] =>
  orders.map((order) => ({ order, facts }));
/** Nothing shows the rate from dollars to the account. */
const ofUnknownValue = account({ instrument: { ticker, type: 'STOCK', currencyCode: 'USD' } });
const market = (side: 'BUY' | 'SELL'): OrderRequest => ({ type: 'MARKET', ticker, side, quantity: '10' });
const stop: OrderRequest = { type: 'STOP', ticker, side: 'SELL', quantity: '10', stopPrice: '19', timeValidity: 'DAY' };

interface Case {
  readonly orders: readonly OrderRequest[];
  readonly facts?: OrderContext;
  readonly limits?: Partial<RiskLimits>;
  /** How many orders were sent in the last minute. */
  readonly sent?: number;
  readonly withinMs?: number;
}

async function evaluate({ orders, facts = account(), limits, sent = 0, withinMs = 600_000 }: Case) {
  const journal = await openJournal([
    ...Array.from({ length: sent }, (_, n) => makeIntent({ id: String(n), sentAt: now - 30_000 })),
    makeIntent({ id: 'of a minute ago', sentAt: now - 60_000, value: '0.00' }),
  ]);
  return journal.read((tx) =>
    evaluateDraft(tx, {
      settings: {
        environment: 'sandbox',
        origin: undefined,
        liveTrading: false,
        approval: undefined,
        haltFile: () => false,
      },
      orders: withFacts(orders, facts),
      accountKey: 'account',
      limits: { ...paper, ...limits },
      now,
      withinMs,
    }),
  );
}

/** Two buys of 204 each with the margin of 2 %. */
const twoBuys = [buy, { ...buy, limitPrice: '20.00' }];
const twoSells = (quantity: string) => [sell, { ...sell, quantity }];

test.each<[string, Case, string | undefined, number | undefined]>([
  ['an ordinary draft', { orders: [sell, buy] }, undefined, undefined],
  ['a first order that is too large', { orders: [{ ...buy, quantity: '600' }, buy] }, 'max_order_value', 0],
  ['a last order that is too large', { orders: [buy, { ...buy, quantity: '600' }] }, 'max_order_value', 1],
  ['buys that together fill the day', { orders: twoBuys, limits: { maxDayValue: '408' } }, undefined, undefined],
  ['buys that together exceed the day', { orders: twoBuys, limits: { maxDayValue: '407.99' } }, 'max_day_value', 1],
  [
    'an order of unknown value ahead, which counts as the largest allowed',
    { orders: twoBuys, facts: ofUnknownValue, limits: { maxOrderValue: '300', maxDayValue: '599' } },
    'max_day_value',
    1,
  ],
  ['sells of all that is held', { orders: twoSells('90') }, undefined, undefined],
  ['sells of more than is held', { orders: twoSells('90.1') }, 'shares', 1],
  ['buys of all cash', { orders: twoBuys, facts: accountWithCash('408') }, undefined, undefined],
  ['buys of more than the cash', { orders: twoBuys, facts: accountWithCash('407.99') }, 'cash', 1],
  // A sell at a limit of 20 brings 200.
  ['a buy that the sell before it pays', { orders: [sell, buy], facts: accountWithCash('4') }, undefined, undefined],
  ['a buy that it does not pay', { orders: [sell, buy], facts: accountWithCash('3.99') }, 'cash', 1],
  ['a buy that two sells pay', { orders: [sell, sell, ...twoBuys], facts: accountWithCash('8') }, undefined, undefined],
])('%s', async (_, given, rule, index) => {
  const found = await evaluate(given);
  expect([found?.refusal.rule, found?.index]).toEqual([rule, index]);
});

describe('the limit of orders per minute', () => {
  const orders = (n: number) => Array.from({ length: n }, () => ({ ...buy, quantity: '1' }));
  const limits = { ordersPerMinute: 2 };

  // One leaves now, two a minute later, and two after another minute.
  test.each([
    [1, 0, true],
    [2, 0, false],
    [3, 60_000, true],
    [4, 60_000, false],
    [5, 120_000, true],
    [6, 179_999, false],
  ])('permits that %i orders after one of the last minute take %i ms: %s', async (n, withinMs, passes) => {
    const found = await evaluate({ orders: orders(n), limits, sent: 1, withinMs });
    expect(found && [found.refusal.rule, found.index]).toEqual(passes ? undefined : ['orders_per_minute', n - 1]);
  });

  test('is named with the time that is needed and the time that is there', async () => {
    expect((await evaluate({ orders: orders(4), limits, sent: 1, withinMs: 60_000 }))?.refusal.reason).toBe(
      'At 2 orders per minute, sending 4 orders takes 2 minutes; at most 1 are allowed.',
    );
  });
});

test.each<[string, OrderRequest, string | undefined, string]>([
  ['a sell with a limit brings its value', sell, '200', '200'],
  ['a market sell brings 98 % of it', market('SELL'), '200', '196'],
  ['a stop brings nothing', stop, '190', '0'],
  ['a stop with a limit brings nothing', { ...stop, type: 'STOP_LIMIT', limitPrice: '19' }, '190', '0'],
  ['a sell of unknown value brings nothing', sell, undefined, '0'],
  ['a buy brings nothing', buy, '200', '0'],
])('%s', (_, order, value, proceeds) => {
  expect(expectProceeds(order, value).toFixed()).toBe(proceeds);
});

describe('the buys that wait for the sells', () => {
  test.each<[string, readonly OrderRequest[], string, readonly number[]]>([
    ['none, when there is no sell', [buy], '0', []],
    ['none, when only a stop sells', [stop, buy], '0', []],
    ['none, when the cash is enough', [sell, ...twoBuys], '408', []],
    ['the one that the cash does not pay', [sell, ...twoBuys], '407.99', [2]],
    ['both, when the cash pays none', [sell, ...twoBuys], '203.99', [1, 2]],
  ])('%s', (_, orders, cash, indexes) => {
    expect([...listDependentOrders(withFacts(orders, account()), new Big(cash))]).toEqual(indexes);
  });

  test('are not those of unknown value', () => {
    const orders = [...withFacts([sell], account()), ...withFacts([buy], ofUnknownValue)];
    expect([...listDependentOrders(orders, new Big(0))]).toEqual([]);
  });
});
