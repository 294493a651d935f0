/** Every rule at its limit and beyond it, with the limits of paper money and of live. */
import { readFileSync } from 'node:fs';
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { OrderContext } from '../../../../src/core/orders/account/account-snapshot.ts';
import type { Approval, Baseline, Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { riskRules } from '../../../../src/core/orders/intent/refusal.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { maxAllowedQuantity } from '../../../../src/core/orders/risk/evaluate-order.ts';
import { firstRefusal, type RiskQuestion } from '../../../../src/core/orders/risk/risk-rules.ts';

test('docs/live-orders.md names every rule', () => {
  const text = readFileSync('docs/live-orders.md', 'utf8');
  expect(riskRules.filter((rule) => !text.includes(`\`${rule}\``))).toEqual([]);
});

test('each rule refuses an order in the table below', () => {
  const refusing = new Set(cases.map(([, , rule]) => rule));
  expect(riskRules.filter((rule) => !refusing.has(rule))).toEqual([]);
});

const now = 1_000_000_000_000;
const order: OrderRequest = {
  type: 'LIMIT',
  ticker: 'ABC_GB_EQ',
  side: 'BUY',
  quantity: '10',
  limitPrice: '20',
  timeValidity: 'DAY',
};

function facts(
  change: { held?: object | null; cash?: string; instrument?: object; pending?: object[]; fills?: object[] } = {},
): OrderContext {
  const held = {
    instrument: { ticker: 'ABC_GB_EQ', currency: 'GBP' },
    quantity: '100',
    quantityAvailableForTrading: '100',
    currentPrice: '20',
    walletImpact: { currentValue: '2000' },
    ...change.held,
  };
  return {
    instrument: {
      ticker: 'ABC_GB_EQ',
      type: 'STOCK',
      currencyCode: 'GBP',
      maxOpenQuantity: '5000',
      ...change.instrument,
    },
    summary: { currency: 'GBP', cash: { availableToTrade: change.cash ?? '50000' } },
    positions: change.held === null ? [] : [held],
    pending: change.pending ?? [],
    fills: change.fills ?? [],
    askedAt: now - 1_000,
    asOf: now - 900,
    serviceOffsetMs: 0,
  } as unknown as OrderContext;
}

let count = 0;
const intent = (change: Partial<Intent> = {}): Intent =>
  ({
    id: `intent-${count++}`,
    state: 'PLACED',
    ticker: 'OTHER_EQ',
    request: { ...order, ticker: 'OTHER_EQ' },
    value: '100',
    createdAt: now - 70_000,
    changedAt: now - 70_000,
    sentAt: now - 70_000,
    baseline: { askedAt: now - 71_000, pendingIds: [], position: '0' },
    ...change,
  }) as Intent;

const ask = (change: Partial<RiskQuestion> = {}) => refusalOf(change)?.rule;

const refusalOf = (change: Partial<RiskQuestion>) => {
  const environment = change.environment ?? 'live';
  return firstRefusal({
    order,
    environment,
    limits: effectiveLimits(environment, {}, {}),
    facts: facts(),
    own: [],
    reserved: [],
    external: [],
    now,
    isReviewedByHuman: true,
    ...change,
  });
};

const times = (n: number, change: Partial<Intent> = {}) => Array.from({ length: n }, () => intent(change));

const others = (n: number) => Array.from({ length: n }, (_, id) => ({ id: String(id), at: now - 30_000, value: '1' }));
const approval = { askedAt: now - 30_000, expiresAt: now + 90_000 } as Approval;

const cases: [string, Partial<RiskQuestion>, string | undefined][] = [
  ['an ordinary order passes', {}, undefined],
  ['an order of 980.39 costs 1,000 at worst and passes', { order: { ...order, quantity: '49.0196' } }, undefined],
  ['an order of over 1,000 with the margin is refused', { order: { ...order, quantity: '49.1' } }, 'max_order_value'],
  [
    'a sale is held against the limit without the margin',
    { order: { ...order, side: 'SELL', quantity: '50' } },
    undefined,
  ],
  ['a day of 5,000 is full', { own: times(49, { value: '100', sentAt: now - 3_700_000 }) }, 'max_day_value'],
  ['what was sent a day ago does not count', { own: times(50, { sentAt: now - 86_400_000 }) }, undefined],
  [
    'what was sent just less than a day ago counts',
    { own: times(49, { value: '100', sentAt: now - 86_399_999 }) },
    'max_day_value',
  ],
  [
    'unknown counts as placed',
    { own: times(4, { state: 'UNKNOWN', value: '1240', sentAt: now - 3_700_000 }) },
    'max_day_value',
  ],
  [
    'what was rejected is not spent',
    { own: times(4, { state: 'REJECTED', value: '1240', sentAt: now - 3_700_000 }) },
    undefined,
  ],
  [
    'an order of unknown value counts as the largest that is allowed',
    { own: times(5, { value: undefined, sentAt: now - 3_700_000 }) },
    'max_day_value',
  ],
  [
    'a thousand shares pass',
    { order: { ...order, quantity: '1000', limitPrice: '0.9' }, facts: facts({ held: { currentPrice: '0.9' } }) },
    undefined,
  ],
  [
    'more than a thousand shares are refused',
    { order: { ...order, quantity: '1000.1', limitPrice: '0.9' }, facts: facts({ held: { currentPrice: '0.9' } }) },
    'max_order_quantity',
  ],
  [
    'more than may be held is refused',
    { facts: facts({ instrument: { maxOpenQuantity: '109' } }) },
    'max_open_quantity',
  ],
  [
    'what is being bought counts towards what may be held',
    {
      facts: facts({
        instrument: { maxOpenQuantity: '115' },
        pending: [{ id: '1', ticker: order.ticker, side: 'BUY', quantity: '6' }],
      }),
    },
    'max_open_quantity',
  ],
  [
    'any number passes where the service sets no maximum',
    { facts: facts({ instrument: { maxOpenQuantity: undefined } }) },
    undefined,
  ],
  ['a sale needs no cash', { order: { ...order, side: 'SELL' }, facts: facts({ cash: '0' }) }, undefined],
  ['as much as may be held passes', { facts: facts({ instrument: { maxOpenQuantity: '110' } }) }, undefined],
  [
    'five orders in a minute are the most',
    { own: times(5, { value: '1', sentAt: now - 30_000 }) },
    'orders_per_minute',
  ],
  ['five orders of a minute ago pass', { own: times(5, { value: '1', sentAt: now - 60_000 }) }, undefined],
  ['orders of other programs count for the pace', { external: others(5) }, 'orders_per_minute'],
  [
    'orders of other programs of a minute ago do not',
    { external: others(5).map((one) => ({ ...one, at: now - 60_000 })) },
    undefined,
  ],
  ['four orders in a minute pass', { own: times(4, { value: '1', sentAt: now - 30_000 }) }, undefined],
  [
    'rejected orders count for the pace',
    { own: times(5, { state: 'REJECTED', sentAt: now - 30_000 }) },
    'orders_per_minute',
  ],
  [
    'orders that wait for a human count for the pace',
    { own: times(5, { state: 'AWAITING_APPROVAL', sentAt: undefined, createdAt: now - 30_000, value: '1' }) },
    'orders_per_minute',
  ],
  [
    'orders that waited for a human in vain count for the pace',
    { own: times(5, { state: 'EXPIRED', sentAt: undefined, createdAt: now - 30_000, approval }) },
    'orders_per_minute',
  ],
  [
    'orders that ended before a human was asked do not',
    { own: times(5, { state: 'NOT_SENT', sentAt: undefined, createdAt: now - 30_000 }) },
    undefined,
  ],
  [
    'twenty legs that wait fill the hour',
    { reserved: Array.from({ length: 20 }, (_, number) => ({ submissionId: 's', number, value: '1' })) },
    'orders_per_hour',
  ],
  [
    'twenty orders in an hour are the most',
    { own: times(20, { value: '1', sentAt: now - 600_000 }) },
    'orders_per_hour',
  ],
  ['fifty orders in a day are the most', { own: times(50, { value: '1', sentAt: now - 7_200_000 }) }, 'orders_per_day'],
  [
    'ten pending orders on a ticker are the most',
    { facts: facts({ pending: Array.from({ length: 10 }, (_, id) => ({ id: String(id), ticker: order.ticker })) }) },
    'pending_orders',
  ],
  [
    'own orders since the account was read count as pending',
    {
      facts: facts({ pending: Array.from({ length: 9 }, (_, id) => ({ id: String(id), ticker: order.ticker })) }),
      own: [intent({ ticker: order.ticker, orderId: '99', changedAt: now, sentAt: now - 500, value: '1' })],
    },
    'pending_orders',
  ],
  ['a price 10 % above the last known one passes', { order: { ...order, limitPrice: '22' } }, undefined],
  ['a price over 10 % above it is refused', { order: { ...order, limitPrice: '22.01' } }, 'price_distance'],
  ['a price over 10 % below it is refused', { order: { ...order, limitPrice: '17.99' } }, 'price_distance'],
  [
    'a stop price is held against it too',
    {
      order: { type: 'STOP', ticker: order.ticker, side: 'SELL', quantity: '1', stopPrice: '17', timeValidity: 'DAY' },
    },
    'price_distance',
  ],
  [
    'a market order without a known price is refused',
    { order: { type: 'MARKET', ticker: order.ticker, side: 'BUY', quantity: '1' }, facts: facts({ held: null }) },
    'no_price',
  ],
  [
    'a market order at the price of a recent fill passes',
    {
      order: { type: 'MARKET', ticker: order.ticker, side: 'BUY', quantity: '1' },
      facts: facts({ held: null, fills: [{ ticker: order.ticker, price: '20' }] }),
    },
    undefined,
  ],
  [
    'the price of a recent fill bounds a limit price too',
    { facts: facts({ held: null, fills: [{ ticker: order.ticker, price: '15' }] }) },
    'price_distance',
  ],
  ['a limit order without a known price passes', { facts: facts({ held: null }) }, undefined],
  [
    'a market order without a rate to the account is refused',
    {
      order: { type: 'MARKET', ticker: order.ticker, side: 'BUY', quantity: '1' },
      facts: facts({ instrument: { currencyCode: 'USD' } }),
    },
    'value_unknown',
  ],
  [
    'a limit order of unknown value passes where a human reads so',
    { facts: facts({ instrument: { currencyCode: 'USD' } }) },
    undefined,
  ],
  // It counts as 1,000, the largest value that an order may have.
  [
    'a limit order of unknown value passes where the day has room for the largest one',
    { facts: facts({ instrument: { currencyCode: 'USD' } }), own: times(40, { sentAt: now - 7_200_000 }) },
    undefined,
  ],
  [
    'a limit order of unknown value is refused where the day has not',
    {
      facts: facts({ instrument: { currencyCode: 'USD' } }),
      own: times(40, { value: '100.01', sentAt: now - 7_200_000 }),
    },
    'max_day_value',
  ],
  [
    'a limit order of unknown value is refused where none does',
    { facts: facts({ instrument: { currencyCode: 'USD' } }), isReviewedByHuman: false },
    'value_unknown',
  ],
  ['a purchase within the cash passes', { facts: facts({ cash: '204' }) }, undefined],
  ['a purchase that needs its margin from nowhere is refused', { facts: facts({ cash: '203.99' }) }, 'cash'],
  [
    'cash that own orders have taken since is gone',
    { facts: facts({ cash: '300' }), own: [intent({ changedAt: now, value: '100' })] },
    'cash',
  ],
  [
    'cash that an own order has taken before the reading is gone while the reading does not show it',
    { facts: facts({ cash: '300' }), own: [intent({ changedAt: now - 5_000, value: '100' })] },
    'cash',
  ],
  [
    'cash that has dropped for an own order since the reading before it is not taken twice',
    {
      facts: facts({ cash: '300' }),
      own: [
        intent({ changedAt: now - 5_000, value: '100', baseline: { askedAt: now - 6_000, cash: '400' } as Baseline }),
      ],
    },
    undefined,
  ],
  [
    'the drop for one order does not stand for two',
    {
      facts: facts({ cash: '300' }),
      own: times(2, {
        changedAt: now - 5_000,
        value: '100',
        baseline: { askedAt: now - 6_000, cash: '400' } as Baseline,
      }),
    },
    'cash',
  ],
  [
    'cash that an own order would have taken is free again once it ended without a fill',
    { facts: facts({ cash: '300' }), own: [intent({ changedAt: now - 5_000, value: '100', endedAs: 'CANCELLED' })] },
    undefined,
  ],
  ['cash that an older order took is not taken twice', { facts: facts({ cash: '300' }), own: [intent()] }, undefined],
  [
    'cash that an unknown order may have taken is gone',
    { facts: facts({ cash: '300' }), own: [intent({ state: 'UNKNOWN' })] },
    'cash',
  ],
  [
    'all that is held can be sold',
    { order: { ...order, side: 'SELL', quantity: '45' }, facts: facts({ held: { quantity: '45' } }) },
    undefined,
  ],
  [
    'more than is held cannot',
    { order: { ...order, side: 'SELL', quantity: '45' }, facts: facts({ held: { quantity: '44' } }) },
    'shares',
  ],
  [
    'shares in pies cannot be sold',
    { order: { ...order, side: 'SELL', quantity: '45' }, facts: facts({ held: { quantityInPies: '60' } }) },
    'shares',
  ],
  [
    'shares in a pending sale cannot be sold twice',
    {
      order: { ...order, side: 'SELL', quantity: '45' },
      facts: facts({ pending: [{ id: '1', ticker: order.ticker, side: 'SELL', quantity: '-60' }] }),
    },
    'shares',
  ],
  [
    'shares that an own sale has taken since cannot be sold',
    {
      order: { ...order, side: 'SELL', quantity: '45' },
      own: [intent({ ticker: order.ticker, changedAt: now, request: { ...order, side: 'SELL', quantity: '60' } })],
    },
    'shares',
  ],
  [
    'shares of an own sale that is among the pending ones are not taken twice',
    {
      order: { ...order, side: 'SELL', quantity: '40' },
      facts: facts({ pending: [{ id: '1', ticker: order.ticker, side: 'SELL', quantity: '-60' }] }),
      own: [
        intent({
          ticker: order.ticker,
          orderId: '1',
          changedAt: now - 5_000,
          request: { ...order, side: 'SELL', quantity: '60' },
          baseline: { askedAt: now - 6_000, free: '100' } as Baseline,
        }),
      ],
    },
    undefined,
  ],
  [
    'shares of an own sale that the broker does not show yet cannot be sold',
    {
      order: { ...order, side: 'SELL', quantity: '45' },
      own: [
        intent({
          ticker: order.ticker,
          orderId: '1',
          changedAt: now - 5_000,
          request: { ...order, side: 'SELL', quantity: '60' },
          baseline: { askedAt: now - 6_000, free: '100' } as Baseline,
        }),
      ],
    },
    'shares',
  ],
  ['what is not held cannot be sold', { order: { ...order, side: 'SELL' }, facts: facts({ held: null }) }, 'shares'],
  ['neither a stock nor an ETF is refused', { facts: facts({ instrument: { type: 'WARRANT' } }) }, 'instrument_type'],
  ['an instrument without a type is refused', { facts: facts({ instrument: { type: undefined } }) }, 'instrument_type'],
  [
    'a ticker that is not on the list is refused',
    { limits: { ...effectiveLimits('live', {}, {}), tickers: ['XYZ_EQ'] } },
    'tickers',
  ],
  [
    'a ticker on the list passes',
    { limits: { ...effectiveLimits('live', {}, {}), tickers: ['ABC_GB_EQ'] } },
    undefined,
  ],
];

describe('in live', () => {
  test.each(cases)('%s', (_, question, rule) => {
    expect(ask(question)).toBe(rule);
  });
});

// 60 shares at 20 are 1,200, and a buy has a margin of 2 %.
const large = { ...order, quantity: '60' };

test.each<[string, Partial<RiskQuestion>, string, string[]]>([
  ['a buy that may cost too much', { order: large }, 'max_order_value', ['At most £1,000.00', 'may cost £1,224.00']],
  ['a sale', { order: { ...large, side: 'SELL' } }, 'max_order_value', ['At most £1,000.00', 'may bring £1,200.00']],
  [
    'a full day',
    { own: times(49, { value: '100', sentAt: now - 3_700_000 }) },
    'max_day_value',
    ['At most £5,000.00', '£4,900.00 is'],
  ],
  [
    'a type that is not allowed',
    { facts: facts({ instrument: { type: 'WARRANT' } }) },
    'instrument_type',
    ['is WARRANT; the owner allows STOCK, ETF\\.'],
  ],
  [
    'an unknown type, where none is allowed',
    {
      facts: facts({ instrument: { type: undefined } }),
      limits: { ...effectiveLimits('live', {}, {}), instrumentTypes: [] },
    },
    'instrument_type',
    ['type of the instrument is unknown; the owner allows none\\.'],
  ],
  [
    'more than may be held',
    { facts: facts({ instrument: { maxOpenQuantity: '109' } }) },
    'max_open_quantity',
    ['At most 109 shares of ABC_GB_EQ', 'to 110\\.'],
  ],
  [
    'the pace',
    { own: times(5, { value: '1', sentAt: now - 30_000 }) },
    'orders_per_minute',
    ['of 5 orders per minute'],
  ],
  [
    'the pending orders',
    { facts: facts({ pending: Array.from({ length: 10 }, (_, id) => ({ id: String(id), ticker: order.ticker })) }) },
    'pending_orders',
    ['At most 10 orders may be pending on ABC_GB_EQ'],
  ],
  [
    'a full day of an account without a currency',
    {
      facts: { ...facts(), summary: { cash: { availableToTrade: '1' } } } as OrderContext,
      own: times(10, { value: undefined }),
      environment: 'demo',
    },
    'max_day_value',
    ['At most 100,000.00 in 24 hours', '100,000.00 is'],
  ],
  ['too little cash', { facts: facts({ cash: '203.99' }) }, 'cash', ['may cost £204.00', 'only £203.99 is']],
  [
    'too little cash, with what sells of the draft are expected to bring',
    { facts: facts({ cash: '100' }), expectedCash: new Big(50) },
    'cash',
    ['may cost £204.00', 'only £150.00 is'],
  ],
])('the refusal of %s names what is compared, amounts with the currency of the account', (_, question, rule, parts) => {
  expect(refusalOf(question)).toEqual({ rule, reason: expect.stringMatching(new RegExp(parts.join('.+'))) });
});

describe('with paper money', () => {
  test.each<[string, Partial<RiskQuestion>, string | undefined]>([
    ['an order of 9,800 passes', { order: { ...order, quantity: '490' } }, undefined],
    ['an order of over 10,000 is refused', { order: { ...order, quantity: '491' } }, 'max_order_value'],
    ['a price 20 % away passes', { order: { ...order, limitPrice: '16' } }, undefined],
    ['a price over 20 % away is refused', { order: { ...order, limitPrice: '15.9' } }, 'price_distance'],
    [
      'a market order without a known price passes',
      { order: { type: 'MARKET', ticker: order.ticker, side: 'BUY', quantity: '1' }, facts: facts({ held: null }) },
      undefined,
    ],
    [
      'thirty orders in a minute are the most',
      { own: times(30, { value: '1', sentAt: now - 1_000 }) },
      'orders_per_minute',
    ],
    [
      'more than the service lets a live account hold passes',
      { facts: facts({ instrument: { maxOpenQuantity: '109' } }) },
      undefined,
    ],
    ['the cash is the limit here too', { facts: facts({ cash: '1' }) }, 'cash'],
  ])('%s', (_, question, rule) => {
    expect(ask({ environment: 'demo', ...question })).toBe(rule);
  });
});

describe('the largest quantity that passes', () => {
  const largest = (change: Partial<RiskQuestion>) => {
    const environment = change.environment ?? 'live';
    const limits = effectiveLimits(environment, {}, {});
    return maxAllowedQuantity({
      order,
      environment,
      limits,
      facts: facts(),
      own: [],
      reserved: [],
      external: [],
      now,
      isReviewedByHuman: true,
      ...change,
    });
  };

  test.each<[string, Partial<RiskQuestion>, string | undefined]>([
    // 49 × 20 × 1.02 = 999.60
    ['whole shares up to the largest value', { order: { ...order, quantity: '60' } }, '49'],
    // 3000 shares at 3 pence, of a value far below the largest.
    [
      'as many shares as are allowed, of a share that costs pence',
      {
        order: { ...order, quantity: '4000', limitPrice: '0.03' },
        facts: facts({ held: { currentPrice: '0.03' }, instrument: { maxOpenQuantity: '50000' } }),
        limits: { ...effectiveLimits('live', {}, {}), maxOrderQuantity: '3000' },
      },
      '3000',
    ],
    // A search that tries one share after the other would take minutes.
    [
      'few shares of an order for a billion',
      {
        order: { ...order, quantity: '1000000000' },
        limits: { ...effectiveLimits('live', {}, {}), maxOrderQuantity: '1000000000' },
      },
      '49',
    ],
    ['what the cash allows, of a few shares', { facts: facts({ cash: '143' }) }, '7'],
    ['what the cash allows', { order: { ...order, quantity: '40' }, facts: facts({ cash: '100' }) }, '4'],
    [
      'whole shares up to the largest value, although fewer are held',
      {
        order: { ...order, quantity: '60' },
        facts: facts({ held: { quantity: '4', quantityAvailableForTrading: '4' } }),
      },
      '49',
    ],
    ['nothing, where no share is free', { order: { ...order, side: 'SELL' }, facts: facts({ held: null }) }, undefined],
    [
      'all that is free of a sale, with its decimals',
      {
        order: { ...order, side: 'SELL', quantity: '30' },
        facts: facts({ held: { quantity: '20.12345678', quantityAvailableForTrading: '20.12345678' } }),
      },
      '20.12345678',
    ],
    [
      'the value, where that is less than what is free',
      { order: { ...order, side: 'SELL', quantity: '90' } },
      // A sale is checked against the limit without the margin.
      '50',
    ],
    ['nothing, where the price is what is wrong', { order: { ...order, limitPrice: '40' } }, undefined],
    ['nothing, where the day is full', { own: times(50, { value: '100', sentAt: now - 3_700_000 }) }, undefined],
    ['nothing, where not one share can be paid', { facts: facts({ cash: '5' }) }, undefined],
  ])('%s', (_, question, quantity) => {
    expect(largest(question)).toBe(quantity);
    if (quantity === undefined) return;
    const asked = question.order ?? order;
    expect(ask({ ...question, order: { ...asked, quantity } })).toBeUndefined();
    expect(ask({ ...question, order: { ...asked, quantity: String(Number(quantity) + 1) } })).toBeDefined();
  });
});
