import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { StartingAccount } from '../../../src/simulator/index.ts';
import { fridayAfternoon, setup } from '../support.ts';

const order = {
  createdAt: fridayAfternoon - 86_400_000,
  type: 'LIMIT',
  side: 'BUY',
  timeInForce: 'GOOD_TILL_CANCEL',
  extendedHours: false,
  initiatedFrom: 'IOS',
  status: 'NEW',
  filledQuantity: '0',
  reserved: '0',
} as const;

/** An account in euros with shares in dollars, pence and zlotys. The prices and rates follow from its figures. */
const account: StartingAccount = {
  id: 1234567,
  currency: 'EUR',
  cash: { available: '5000.00', reserved: '300.00', inPies: '12.50' },
  realisedProfitLoss: '-40.25',
  positions: [
    {
      ticker: 'AAPL_US_EQ',
      openedAt: fridayAfternoon - 86_400_000,
      quantity: '10',
      quantityInPies: '4',
      averagePricePaid: '180',
      currentPrice: '220',
      currentValue: '2000',
      totalCost: '1650',
      fxImpact: '-30',
    },
    {
      ticker: 'TESTl_EQ',
      openedAt: fridayAfternoon,
      quantity: '100',
      quantityInPies: '0',
      averagePricePaid: '250',
      currentPrice: '260',
      currentValue: '300',
      totalCost: '290',
      fxImpact: '0',
    },
    {
      ticker: 'CDRp_EQ',
      openedAt: fridayAfternoon,
      quantity: '5',
      quantityInPies: '0',
      averagePricePaid: '120',
      currentPrice: '130',
      currentValue: '150.12',
      totalCost: '140',
      fxImpact: '0',
    },
  ],
  pendingOrders: [
    { ...order, id: 60_000_000_001, ticker: 'AAPL_US_EQ', quantity: '1', limitPrice: '110' },
    { ...order, id: 60_000_000_002, ticker: 'NEW_EQ', quantity: '2', limitPrice: '100' },
    { ...order, id: 60_000_000_003, ticker: 'NEW_EQ', type: 'MARKET', value: '50' },
  ],
  instruments: [
    { ticker: 'AAPL_US_EQ', currency: 'USD', name: 'Own name', isin: 'US0378331005' },
    { ticker: 'TESTl_EQ', currency: 'GBX' },
    { ticker: 'CDRp_EQ', currency: 'PLN', type: 'ETF' },
    { ticker: 'NEW_EQ', currency: 'EUR' },
  ],
};

describe('a simulator that starts with an account', () => {
  test('has its cash, positions and orders, in its currency', async () => {
    const { get } = await setup({ account });
    const summary = (await get('/equity/account/summary')).json;
    expect(summary).toMatchObject({
      id: 1234567,
      currency: 'EUR',
      cash: { availableToTrade: 5000, reservedForOrders: 300, inPies: 12.5 },
      investments: { currentValue: 2450.12, realizedProfitLoss: -40.25, totalCost: 2080 },
    });
    const [apple] = (await get('/equity/positions?ticker=AAPL_US_EQ')).json;
    expect(apple).toMatchObject({
      instrument: { name: 'Own name', currency: 'USD' },
      quantity: 10,
      quantityInPies: 4,
      quantityAvailableForTrading: 6,
      averagePricePaid: 180,
      currentPrice: 220,
      walletImpact: { currency: 'EUR', currentValue: 2000, totalCost: 1650, unrealizedProfitLoss: 350, fxImpact: -30 },
    });
    const orders = (await get('/equity/orders')).json;
    expect(orders.map(({ id }: { id: number }) => id)).toEqual([60_000_000_001, 60_000_000_002, 60_000_000_003]);
    expect(orders[2]).toMatchObject({ value: 50, strategy: 'VALUE', currency: 'EUR' });
    expect((await get('/equity/history/orders')).json).toEqual({ items: [], nextPagePath: null });
  });

  test('divides the reserved cash among the buys by their worth', async () => {
    const { simulator } = await setup({ account });
    // Worth 100 (110 dollars at 1.1), 200 and 50 euros.
    expect(simulator.groundTruth().pendingOrders.map(({ reserved }) => reserved)).toEqual(['85.71', '171.42', '42.87']);
  });

  test('lists its instruments before those of the seed, each ticker once', async () => {
    const { get } = await setup({ account });
    const tickers = (await get('/equity/metadata/instruments')).json.map(({ ticker }: { ticker: string }) => ticker);
    expect(tickers.slice(0, 4)).toEqual(['AAPL_US_EQ', 'TESTl_EQ', 'CDRp_EQ', 'NEW_EQ']);
    expect(new Set(tickers).size).toBe(tickers.length);
  });

  test('trades from there: prices move, and an order takes cash at the exchange rate', async () => {
    const { simulator, clock, market, get } = await setup({ account });
    const { id } = (await market('AAPL_US_EQ', 1)).json;
    expect(id).toBeGreaterThan(60_000_000_003);
    await clock.advance(3_600_000);
    const { history, cash } = simulator.groundTruth();
    const fill = history.find(({ order }) => order.id === String(id))?.fill;
    // 220 dollars are 200 euros, and the conversion fee is 0.15 percent.
    expect(fill).toMatchObject({ price: '220', netValue: '200.3', taxes: [{ quantity: '0.30' }] });
    expect(new Big(cash.total).toFixed(2)).toBe('5112.20');
    const [apple] = (await get('/equity/positions?ticker=AAPL_US_EQ')).json;
    expect(apple.currentPrice).not.toBe(220);
    expect(Math.abs(apple.currentPrice / 220 - 1)).toBeLessThan(0.05);
  });

  test('keeps an order by value pending, because its shares are not known', async () => {
    const { clock, get } = await setup({ account });
    await clock.advance(86_400_000 * 4);
    const ids = (await get('/equity/orders')).json.map(({ id }: { id: number }) => id);
    expect(ids).toContain(60_000_000_003);
  });
});
