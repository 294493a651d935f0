/** What an order is estimated to cost or bring. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { endpoints, type Position, type TradableInstrument } from '../../../../src/core/endpoints/index.ts';
import type { RecentFill } from '../../../../src/core/orders/account/account-snapshot.ts';
import {
  costMargin,
  crossesMarket,
  estimateOrder,
  rateToAccount,
  stopFiresAtOnce,
  worstCaseValue,
} from '../../../../src/core/orders/account/estimate.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';

const [instrument] = endpoints.listInstruments.response.parse([
  { ticker: 'A', type: 'STOCK', currencyCode: 'USD', isin: 'US0000000001' },
]) as [TradableInstrument];

const position = (ticker: string, currentPrice: number, currentValue: number) => ({
  instrument: { ticker, currency: 'USD' },
  quantity: 10,
  currentPrice,
  walletImpact: { currency: 'GBP', currentValue },
});

const facts = {
  summary: endpoints.getAccountSummary.response.parse({ currency: 'GBP' }),
  // Rates of 75 / (10 × 10) and of 80 / (10 × 10).
  positions: endpoints.listPositions.response.parse([position('B', 10, 75), position('A', 10, 80)]) as Position[],
  pending: [],
  fills: [],
  instrument,
  askedAt: 0,
  asOf: 0,
  serviceOffsetMs: undefined,
};

const order = (terms: Partial<OrderRequest>): OrderRequest => ({
  type: 'MARKET',
  ticker: 'A',
  side: 'BUY',
  quantity: '5',
  ...terms,
});

test('the rate is that of the ticker’s own position before another one in its currency', () => {
  // 5 × 10 × 0.8.
  expect(estimateOrder(order({}), facts)).toMatchObject({ value: '40.00', rate: '0.8' });
});

test('an assumed price is a value to show where no price is known, and no limit counts it', () => {
  const unpriced = { ...facts, positions: facts.positions.slice(0, 1) };
  // 5 × 20 × 0.75.
  expect(estimateOrder(order({}), unpriced, '20')).toMatchObject({
    value: undefined,
    assumed: { price: '20', value: '75.00' },
  });
  expect(worstCaseValue(order({}), unpriced)).toBeUndefined();
  expect(estimateOrder(order({}), facts, '20')).not.toHaveProperty('assumed');
  expect(estimateOrder(order({ type: 'LIMIT', limitPrice: '9' }), unpriced, '20')).not.toHaveProperty('assumed');
  expect(estimateOrder(order({}), { ...facts, positions: [] }, '20')).not.toHaveProperty('assumed');
});

test.each<[string, Partial<OrderRequest>, string, string]>([
  // 5 × 9 × 0.8, and 5 × 10 × 0.8 at the last price.
  ['a sale below the last price', { side: 'SELL', limitPrice: '9' }, '36.00', '40.00'],
  // 5 × 11 × 0.8.
  ['a sale above it', { side: 'SELL', limitPrice: '11' }, '44.00', '44.00'],
  // 44 × 1.02.
  ['a purchase above it', { side: 'BUY', limitPrice: '11' }, '44.00', '44.88'],
  // 36 × 1.02.
  ['a purchase below it', { side: 'BUY', limitPrice: '9' }, '36.00', '36.72'],
])('a limit order is estimated at its limit, and limits never count less: %s', (_, terms, value, worst) => {
  const limited = order({ type: 'LIMIT', ...terms });
  expect([estimateOrder(limited, facts).value, worstCaseValue(limited, facts)?.toFixed(2)]).toEqual([value, worst]);
});

test.each<[string, Partial<OrderRequest>, string, string]>([
  // 5 × 8 × 0.8; a limit counts the last price, 5 × 10 × 0.8.
  ['a sale below the last price, at its stop', { side: 'SELL', type: 'STOP', stopPrice: '8' }, '32.00', '40.00'],
  // It triggers immediately, at 10; a limit counts 5 × 12 × 0.8.
  ['a sale above the last price, at that', { side: 'SELL', type: 'STOP', stopPrice: '12' }, '40.00', '48.00'],
  // 5 × 7 × 0.8.
  [
    'a sale with a limit, at the limit',
    { side: 'SELL', type: 'STOP_LIMIT', stopPrice: '8', limitPrice: '7' },
    '28.00',
    '40.00',
  ],
  // The limit is not reached yet: 5 × 12 × 0.8; a limit counts the stop, 5 × 13 × 0.8.
  [
    'a sale with a limit above the last price, at the limit',
    { side: 'SELL', type: 'STOP_LIMIT', stopPrice: '13', limitPrice: '12' },
    '48.00',
    '52.00',
  ],
  // 5 × 12 × 0.8, and × 1.02.
  ['a purchase above the last price, at its stop', { side: 'BUY', type: 'STOP', stopPrice: '12' }, '48.00', '48.96'],
  // It triggers immediately, at 10: 40 × 1.02.
  ['a purchase below the last price, at that', { side: 'BUY', type: 'STOP', stopPrice: '8' }, '40.00', '40.80'],
  // 5 × 13 × 0.8, and × 1.02.
  [
    'a purchase with a limit, at the limit',
    { side: 'BUY', type: 'STOP_LIMIT', stopPrice: '12', limitPrice: '13' },
    '52.00',
    '53.04',
  ],
])('a stop order is estimated where it would trade, and limits never count less: %s', (_, terms, value, worst) => {
  const stop = order(terms);
  expect([estimateOrder(stop, facts).value, worstCaseValue(stop, facts)?.toFixed(2)]).toEqual([value, worst]);
});

test('without a last price, a stop sale is estimated at its stop', () => {
  const unpriced = { ...facts, positions: facts.positions.slice(0, 1) };
  const stop = order({ side: 'SELL', type: 'STOP', stopPrice: '8' });
  // 5 × 8 × 0.75.
  expect([estimateOrder(stop, unpriced).value, worstCaseValue(stop, unpriced)?.toFixed(2)]).toEqual(['30.00', '30.00']);
});

const sale = { side: 'SELL', type: 'MARKET' } as const;

test.each<[string, Partial<OrderRequest>, string, string]>([
  ['a market order at the last one', {}, '10', 'lastKnownPrice'],
  ['an order with a limit at that', { type: 'LIMIT', limitPrice: '9' }, '9', 'limitPrice'],
  [
    'an order with a limit and a stop at the limit',
    { type: 'STOP_LIMIT', limitPrice: '13', stopPrice: '12' },
    '13',
    'limitPrice',
  ],
  ['a stop order at its stop', { type: 'STOP', stopPrice: '12' }, '12', 'stopPrice'],
  ['a stop order that triggers immediately at the last one', { type: 'STOP', stopPrice: '8' }, '10', 'lastKnownPrice'],
])('an estimate says its price and where that is from: %s', (_, terms, price, priceFrom) => {
  expect(estimateOrder(order(terms), facts)).toMatchObject({
    price,
    priceFrom,
    lastKnownPrice: '10',
    currency: 'GBP',
    rate: '0.8',
    rateFrom: 'a position in this currency',
  });
});

test('an order without any price has no estimate', () => {
  expect(estimateOrder(order({}), { ...facts, positions: facts.positions.slice(0, 1) })).toEqual({
    value: undefined,
    currency: 'GBP',
    price: undefined,
    priceFrom: undefined,
    lastKnownPrice: undefined,
    rate: '0.75',
    rateFrom: 'a position in this currency',
  });
});

test('an order without a rate has a price and no value', () => {
  const unrated = { ...facts, positions: [{ instrument: { ticker: 'A' }, currentPrice: '10' } as Position] };
  expect(estimateOrder(order({}), unrated)).toEqual({
    value: undefined,
    currency: 'GBP',
    price: '10',
    priceFrom: 'lastKnownPrice',
    lastKnownPrice: '10',
    rate: undefined,
    rateFrom: undefined,
  });
  expect(worstCaseValue(order({}), unrated)).toBeUndefined();
  expect(worstCaseValue(order(sale), unrated)).toBeUndefined();
});

test('a currency that is no code is not shown', () => {
  const summary = { ...facts.summary, currency: 'GBP 5' };
  expect(estimateOrder(order({}), { ...facts, summary }).currency).toBeUndefined();
});

/** Ten shares at 1.11 dollars are worth 9 pounds, a rate of 0.81081081…. */
const atRepeatingRate = {
  ...facts,
  positions: endpoints.listPositions.response.parse([{ ...position('A', 1.11, 9), quantity: 10 }]) as Position[],
};

test('a value has two decimals and a rate at most eight', () => {
  // 5 × 1.11 × 9 / 11.1 = 4.5.
  expect(estimateOrder(order({}), atRepeatingRate)).toMatchObject({ value: '4.50', rate: '0.81081081' });
  // 7 × 1.115 × 0.8 = 6.244.
  expect(estimateOrder(order({ quantity: '7', limitPrice: '1.115' }), facts).value).toBe('6.24');
  // 7 × 1.116 × 0.8 = 6.2496.
  expect(estimateOrder(order({ quantity: '7', limitPrice: '1.116' }), facts).value).toBe('6.25');
});

test('limits count a sale rounded to two decimals, like its estimate, and a purchase with 2 % more', () => {
  const sold = order({ ...sale, quantity: '7', limitPrice: '1.116' });
  // The last price, 10, is the higher one: 7 × 10 × 0.8.
  expect(worstCaseValue(sold, facts)?.toFixed()).toBe('56');
  // 7 × 1.116 × 9 / 11.1 = 6.33405…, and less at the last price.
  expect(worstCaseValue(sold, atRepeatingRate)?.toFixed()).toBe('6.33');
  expect(costMargin.toFixed()).toBe('1.02');
  // 6.33 × 1.02.
  expect(worstCaseValue({ ...sold, side: 'BUY' }, atRepeatingRate)?.toFixed()).toBe('6.4566');
});

describe('a stop triggers immediately', () => {
  test.each<[OrderRequest['side'], string | undefined, string | undefined, boolean]>([
    ['BUY', '9.99', '10', true],
    ['BUY', '10.0', '10', true],
    ['BUY', '10.01', '10', false],
    ['SELL', '9.99', '10', false],
    ['SELL', '10.0', '10', true],
    ['SELL', '10.01', '10', true],
    ['BUY', undefined, '10', false],
    ['SELL', undefined, '10', false],
    ['BUY', '9', undefined, false],
    ['SELL', '11', undefined, false],
  ])('%s with the stop %s at the last price %s: %s', (side, stopPrice, last, expected) => {
    expect(stopFiresAtOnce(order({ type: 'STOP', side, stopPrice }), last)).toBe(expected);
  });
});

describe('a limit order trades immediately', () => {
  test.each<[OrderRequest['type'], OrderRequest['side'], string | undefined, string | undefined, boolean]>([
    ['LIMIT', 'BUY', '10.01', '10', true],
    ['LIMIT', 'BUY', '10.0', '10', false],
    ['LIMIT', 'BUY', '9.99', '10', false],
    ['LIMIT', 'SELL', '10.01', '10', false],
    ['LIMIT', 'SELL', '10.0', '10', false],
    ['LIMIT', 'SELL', '9.99', '10', true],
    ['STOP_LIMIT', 'BUY', '11', '10', false],
    ['STOP_LIMIT', 'SELL', '9', '10', false],
    ['LIMIT', 'BUY', undefined, '10', false],
    ['LIMIT', 'SELL', undefined, '10', false],
    ['LIMIT', 'BUY', '11', undefined, false],
    ['LIMIT', 'SELL', '9', undefined, false],
  ])('%s %s with the limit %s at the last price %s: %s', (type, side, limitPrice, last, expected) => {
    expect(crossesMarket(order({ type, side, limitPrice }), last)).toBe(expected);
  });
});

describe('the rate of an instrument', () => {
  const held = (fields: object) =>
    ({
      instrument: { ticker: 'B', currency: 'USD' },
      quantity: '10',
      currentPrice: '10',
      walletImpact: { currentValue: '75' },
      ...fields,
    }) as unknown as Position;
  const fill = (currency: string, rate: string | undefined): RecentFill => ({
    ticker: 'C',
    price: '5',
    currency,
    rate: rate === undefined ? undefined : new Big(rate),
  });
  const rateOf = (of: {
    readonly account?: string | undefined;
    readonly currency?: string | undefined;
    readonly positions?: Position[];
    readonly fills?: RecentFill[];
  }) => {
    const { positions = [], fills = [] } = of;
    const { rate, rateFrom } = rateToAccount({
      summary: { currency: 'account' in of ? of.account : 'GBP' } as typeof facts.summary,
      instrument: { ticker: 'A', currencyCode: 'currency' in of ? of.currency : 'USD' } as TradableInstrument,
      positions,
      fills,
    });
    return [rate?.toNumber(), rateFrom];
  };
  const fromPosition = 'a position in this currency';

  test.each<[string, Parameters<typeof rateOf>[0], unknown[]]>([
    ['in the account currency is 1', { currency: 'GBP', positions: [held({})] }, [1, 'same currency']],
    ['in pence of a pound is a hundredth', { currency: 'GBX', fills: [fill('GBX', '0.011')] }, [0.01, 'pence']],
    ['in pence of an account in pence is 1', { account: 'GBX', currency: 'GBX' }, [1, 'same currency']],
    [
      'in pence of another currency is that of a fill',
      { account: 'USD', currency: 'GBX', fills: [fill('GBX', '0.013')] },
      [0.013, 'a recent fill'],
    ],
    ['is unknown without the account currency', { account: undefined, positions: [held({})] }, [undefined, undefined]],
    [
      'is unknown without its own currency',
      { currency: undefined, fills: [fill('USD', '0.7')] },
      [undefined, undefined],
    ],
    [
      'is unknown beside a position without one',
      { currency: undefined, positions: [held({ instrument: { ticker: 'A' } })] },
      [undefined, undefined],
    ],
    ['is unknown without both', { account: undefined, currency: undefined }, [undefined, undefined]],
    ['is unknown without a position and a fill', {}, [undefined, undefined]],
    // 75 / (10 × 10).
    [
      'is that of another position before a fill',
      { positions: [held({})], fills: [fill('USD', '0.7')] },
      [0.75, fromPosition],
    ],
    [
      'is not that of a position in another currency',
      { positions: [held({ instrument: { ticker: 'A', currency: 'EUR' } })] },
      [undefined, undefined],
    ],
    [
      'is not that of a position without an instrument',
      { positions: [held({ instrument: undefined })] },
      [undefined, undefined],
    ],
    [
      'is that of the next position where its own shows none',
      { positions: [held({ instrument: { ticker: 'A', currency: 'USD' }, quantity: undefined }), held({})] },
      [0.75, fromPosition],
    ],
    [
      'is that of the newest fill in its currency with a rate',
      { fills: [fill('EUR', '0.9'), fill('USD', undefined), fill('USD', '0.7'), fill('USD', '0.6')] },
      [0.7, 'a recent fill'],
    ],
  ])('%s', (_, of, expected) => {
    expect(rateOf(of)).toEqual(expected);
  });

  test.each<[string, object]>([
    ['without a quantity', { quantity: undefined }],
    ['without a price', { currentPrice: undefined }],
    ['without a value', { walletImpact: {} }],
    ['without an impact on the cash', { walletImpact: undefined }],
    ['of no shares', { quantity: '0' }],
    ['at a price of zero', { currentPrice: '0' }],
    ['worth nothing', { walletImpact: { currentValue: '0' } }],
    ['worth less than nothing', { walletImpact: { currentValue: '-75' } }],
  ])('is not that of a position %s', (_, fields) => {
    expect(rateOf({ positions: [held(fields)] })).toEqual([undefined, undefined]);
  });
});
