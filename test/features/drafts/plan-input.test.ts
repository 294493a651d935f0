/** From the account to what the planner takes. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import type { Order, Position, TradableInstrument } from '../../../src/core/endpoints/index.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import type { RecentFill } from '../../../src/core/orders/account/account-snapshot.ts';
import type { TickerShares } from '../../../src/core/orders/tradable-account.ts';
import { createChargeEstimator } from '../../../src/features/analytics/charge-rates.ts';
import { type DraftFacts, toPlanAsset } from '../../../src/features/drafts/plan-input.ts';

const [instrument] = endpoints.listInstruments.response.parse([
  { ticker: 'A', type: 'STOCK', currencyCode: 'USD', isin: 'US0000000001' },
]) as (TradableInstrument & { ticker: string })[];

const positions = (rows: readonly object[]) => endpoints.listPositions.response.parse(rows) as Position[];
const orders = (rows: readonly object[]) => endpoints.listPendingOrders.response.parse(rows) as Order[];

const held = {
  instrument: { ticker: 'A', currency: 'USD' },
  quantity: 10,
  currentPrice: 12.5,
  walletImpact: { currency: 'GBP', currentValue: 100 },
};
const other = {
  instrument: { ticker: 'B', currency: 'USD' },
  quantity: 1,
  currentPrice: 4,
  walletImpact: { currentValue: 3 },
};

interface Scene {
  readonly positions?: readonly object[];
  readonly pending?: readonly object[];
  readonly fills?: readonly RecentFill[];
  readonly assumed?: string;
  readonly decimals?: number;
  readonly priceDecimals?: number;
  readonly shares?: Partial<Record<keyof TickerShares, number>>;
  readonly currency?: string;
  readonly estimate?: DraftFacts['history']['estimateCharges'];
  readonly lotsOf?: DraftFacts['getLots'];
}

function toAsset({
  positions: rows = [held],
  pending = [],
  fills = [],
  assumed,
  decimals,
  priceDecimals,
  shares = {},
  currency = 'USD',
  estimate = createChargeEstimator([], () => undefined),
  lotsOf,
}: Scene) {
  const { held: count = 10, afterPending = 10, sellable = 10 } = shares;
  const facts: DraftFacts = {
    account: {
      snapshot: {
        summary: endpoints.getAccountSummary.response.parse({ currency: 'GBP' }),
        positions: positions(rows),
        pending: orders(pending),
        askedAt: 0,
        asOf: 0,
        serviceOffsetMs: undefined,
      },
      cash: new Big(0),
      getShares: () => ({ held: new Big(count), afterPending: new Big(afterPending), sellable: new Big(sellable) }),
      countOpen: () => 0,
      findLastSent: () => undefined,
      since: undefined,
    },
    history: {
      version: '1',
      trades: [],
      coverage: undefined,
      asOf: undefined,
      estimateCharges: estimate,
      getTradedDecimals: () => decimals,
      getPriceDecimals: () => priceDecimals,
    },
    fills,
    assumedPrices: new Map(assumed === undefined ? [] : [['A', assumed]]),
    getLots: lotsOf,
  };
  if (!instrument) throw new Error('There is no instrument.');
  return toPlanAsset({ ...instrument, currencyCode: currency }, facts);
}

test('a held ticker has the price and the value of its position', () => {
  // 100 for 10 shares at 12.5.
  expect(toAsset({ positions: [other, held], assumed: '9' })).toMatchObject({
    price: '12.5',
    priceFrom: 'position',
    priceDecimals: 2,
    rate: '0.8',
    held: '10',
    sellable: '10',
  });
});

test('pence and pounds have an exact rate, whatever the rounded value of a position shows', () => {
  // 329.1033 × 10.255 GBP are 3374.9543 GBP, which the service rounds.
  const row = { quantity: 329.1033, currentPrice: 1025.5, walletImpact: { currency: 'GBP', currentValue: 3374.96 } };
  const asset = (currency: string) =>
    toAsset({ currency, positions: [{ ...row, instrument: { ticker: 'A', currency } }] });
  expect([asset('GBX').rate, asset('GBP').rate]).toEqual(['0.01', '1']);
});

test('a ticker that is not held takes the newest own fill, and the rate of its currency', () => {
  const fill = { ticker: 'A', price: '11.25', currency: 'USD', rate: new Big('0.7') };
  expect(toAsset({ positions: [other], fills: [fill], assumed: '9' })).toMatchObject({
    price: '11.25',
    priceFrom: 'fill',
    // 3 for 1 share at 4.
    rate: '0.75',
  });
});

test('an assumed price is the last resort, and without one no price is known', () => {
  expect(toAsset({ positions: [other], assumed: '9' })).toMatchObject({ price: '9', priceFrom: 'assumed' });
  const unknown = toAsset({ positions: [] });
  expect([unknown.price, unknown.priceFrom, unknown.rate]).toEqual([undefined, undefined, undefined]);
});

test('quantities have the decimals that were traded, at most 10, or none', () => {
  expect(
    [undefined, 3, 12].map((decimals) => toAsset(decimals === undefined ? {} : { decimals }).quantityDecimals),
  ).toEqual([0, 3, 10]);
});

test('a limit price has the decimals of the known price and of own orders, and at least two', () => {
  const decimalsOf = (currentPrice: number, priceDecimals?: number) =>
    toAsset({ positions: [{ ...held, currentPrice }], ...(priceDecimals === undefined ? {} : { priceDecimals }) })
      .priceDecimals;
  // The number 19 can be a price of 19.00.
  expect([decimalsOf(19), decimalsOf(12.5), decimalsOf(0.1234), decimalsOf(19, 0), decimalsOf(19, 3)]).toEqual([
    2, 2, 4, 2, 3,
  ]);
});

test('a pending order of a value counts as the shares that it will trade', () => {
  const value = { ticker: 'A', strategy: 'VALUE', value: 50, filledValue: 10 };
  // 40 at 12.5 × 0.8 are 4 shares.
  expect(toAsset({ pending: [{ ...value, side: 'BUY' }] }).held).toBe('14');
  expect(toAsset({ pending: [{ ...value, side: 'SELL' }] }).held).toBe('6');
  // 40 at an assumed 8 × 0.75 are 6.67 shares: the rate is that of the other position.
  const assumed = toAsset({ positions: [other], assumed: '8', pending: [{ ...value, side: 'BUY' }] });
  expect(new Big(assumed.held).toFixed(2)).toBe('16.67');
});

test('what pending orders and pies leave is what can be sold', () => {
  expect(toAsset({ shares: { afterPending: 7, sellable: 2 } })).toMatchObject({ held: '7', sellable: '2' });
});

test('charges are those of each side, for the ticker and instruments of its kind', () => {
  const asked: unknown[] = [];
  const estimate: DraftFacts['history']['estimateCharges'] = (instrument, side) => {
    asked.push([side, instrument]);
    return [{ kind: side === 'BUY' ? 'STAMP_DUTY' : 'FEE', rate: new Big('0.005'), fills: 2 }];
  };
  expect(toAsset({ estimate }).charges).toEqual({
    BUY: [{ kind: 'STAMP_DUTY', rate: '0.005', fills: 2 }],
    SELL: [{ kind: 'FEE', rate: '0.005', fills: 2 }],
  });
  const like = { ticker: 'A', type: 'STOCK', isin: 'US0000000001', currency: 'USD' };
  expect(asked).toEqual([
    ['BUY', like],
    ['SELL', like],
  ]);
  expect(toAsset({}).charges).toEqual({ BUY: undefined, SELL: undefined });
});

test('the lots are those of what can be sold', () => {
  const lotsOf: DraftFacts['getLots'] = (ticker, sellable) => [{ quantity: sellable.toFixed(), cost: ticker }];
  expect(toAsset({ shares: { sellable: 2 }, lotsOf }).lots).toEqual([{ quantity: '2', cost: 'A' }]);
  expect(toAsset({}).lots).toBeUndefined();
});

test('only a pending order of a value counts by its value', () => {
  const order = { ticker: 'A', side: 'BUY' };
  const [byQuantity, unknown] = [{ ...order, quantity: 3, value: 50 }, order];
  // The three shares are in what the account holds after its pending orders.
  expect([toAsset({ pending: [byQuantity] }).held, toAsset({ pending: [unknown] }).held]).toEqual(['10', '10']);
});
