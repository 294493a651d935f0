import { describe, expect, test } from 'vitest';
import { type AccountReading, toStartingAccount } from '../../src/cli/account-for-simulator.ts';
import type { Order, Position } from '../../src/core/endpoints/index.ts';

const instrument = { ticker: 'A_US_EQ', name: 'A', isin: 'US1', currency: 'USD' };
const position = {
  instrument,
  createdAt: '2026-01-01T00:00:00Z',
  quantity: '10',
  averagePricePaid: '5',
  currentPrice: '6',
  walletImpact: { currency: 'GBP', currentValue: '48', totalCost: '40' },
} as Position;
const order = {
  id: '50000000001',
  ticker: 'A_US_EQ',
  instrument,
  type: 'LIMIT',
  side: 'SELL',
  quantity: '2',
  limitPrice: '9',
  status: 'SOMETHING_NEW',
} as Order;
const summary = { id: '7', currency: 'GBP', cash: { availableToTrade: '100' } } as AccountReading['summary'];
const convert = (change: Partial<AccountReading> = {}) =>
  toStartingAccount({ summary, positions: [position], pending: [order], instruments: [], ...change }, 1000);

describe('an account as the broker reports it', () => {
  test('is converted with what it lacks at zero or at the default', () => {
    expect(convert()).toEqual({
      account: {
        id: 7,
        currency: 'GBP',
        cash: { available: '100', reserved: '0', inPies: '0' },
        realisedProfitLoss: '0',
        positions: [
          {
            ticker: 'A_US_EQ',
            openedAt: Date.parse('2026-01-01T00:00:00Z'),
            quantity: '10',
            quantityInPies: '0',
            averagePricePaid: '5',
            currentPrice: '6',
            currentValue: '48',
            totalCost: '40',
            fxImpact: '0',
          },
        ],
        pendingOrders: [
          {
            id: 50000000001,
            createdAt: 1000,
            ticker: 'A_US_EQ',
            type: 'LIMIT',
            side: 'SELL',
            quantity: '-2',
            limitPrice: '9',
            timeInForce: 'GOOD_TILL_CANCEL',
            extendedHours: false,
            initiatedFrom: 'API',
            status: 'NEW',
            filledQuantity: '0',
            reserved: '0',
          },
        ],
        instruments: [{ ticker: 'A_US_EQ', currency: 'USD', name: 'A', isin: 'US1' }],
      },
      omitted: [],
    });
  });

  test.each([
    [
      'a position without its price',
      { positions: [{ ...position, currentPrice: undefined }] },
      'The position in A_US_EQ',
    ],
    [
      'a position without an instrument',
      { positions: [{ ...position, instrument: undefined }] },
      'The position in row 1',
    ],
    ['an order without its side', { pending: [{ ...order, side: undefined }] }, 'The order 50000000001'],
    ['an order of an unknown type', { pending: [{ ...order, type: 'ICEBERG' }] }, 'The order 50000000001'],
  ] as const)('leaves out and names %s', (_, change, name) => {
    const { account, omitted } = convert(change) ?? {};
    expect(omitted).toEqual([`${name} is left out, because the broker did not report all of it.`]);
    expect((account?.positions.length ?? 0) + (account?.pendingOrders.length ?? 0)).toBe(1);
  });

  test('is not converted when its currency or its cash is unknown', () => {
    expect(convert({ summary: { ...summary, currency: undefined } })).toBeUndefined();
    expect(convert({ summary: { ...summary, cash: undefined } })).toBeUndefined();
  });
});

test('the instruments keep what the list says of them, and an order each of its prices', () => {
  const row = {
    ticker: 'A_US_EQ',
    type: 'STOCK',
    name: 'A of the list',
    shortName: 'A',
    isin: 'US1',
    currencyCode: 'USD',
    addedOn: '2020-01-01T00:00:00Z',
    extendedHours: true,
    maxOpenQuantity: '500',
  } as unknown as AccountReading['instruments'][number];
  const stop = { ...order, type: 'STOP_LIMIT', stopPrice: '8' } as Order;
  const { account } = convert({ instruments: [row], pending: [stop] }) ?? {};
  expect(account?.pendingOrders).toMatchObject([{ type: 'STOP_LIMIT', stopPrice: '8', limitPrice: '9' }]);
  expect(account?.instruments).toEqual([
    {
      ticker: 'A_US_EQ',
      currency: 'USD',
      type: 'STOCK',
      name: 'A',
      shortName: 'A',
      isin: 'US1',
      addedOn: '2020-01-01T00:00:00Z',
      extendedHours: true,
      maxOpenQuantity: 500,
    },
  ]);
});

describe('an order', () => {
  const kept = (change: object) => convert({ pending: [{ ...order, ...change } as Order] });

  test('has its prices, its quantity, its value and what was filled, each under its name', () => {
    const change = { type: 'STOP_LIMIT', stopPrice: '8', quantity: '-3', filledQuantity: '1', filledValue: '9.1' };
    expect(kept(change)?.account.pendingOrders).toMatchObject([
      { quantity: '-3', limitPrice: '9', stopPrice: '8', filledQuantity: '-1', filledValue: '9.1' },
    ]);
    const [one] = kept({ quantity: undefined, value: '50', limitPrice: undefined })?.account.pendingOrders ?? [];
    expect(one).toMatchObject({ value: '50', filledQuantity: '0' });
    for (const name of ['quantity', 'limitPrice', 'stopPrice', 'filledValue']) expect(one).not.toHaveProperty(name);
    expect(kept({ side: 'BUY', quantity: '3' })?.account.pendingOrders).toMatchObject([{ quantity: '3' }]);
  });

  test.each(['id', 'type', 'side', 'quantity', 'instrument'])('without %s is left out', (name) => {
    const { account, omitted } = kept({ [name]: undefined }) ?? {};
    expect(account?.pendingOrders).toEqual([]);
    expect(omitted).toEqual([
      `The order ${name === 'id' ? '1' : '50000000001'} is left out, because the broker did not report all of it.`,
    ]);
  });
});

test.each(['quantity', 'averagePricePaid', 'currentPrice'])('a position without %s is left out', (name) => {
  expect(convert({ positions: [{ ...position, [name]: undefined }] })?.account.positions).toEqual([]);
});

test.each(['currentValue', 'totalCost'])('a position without its %s is left out', (name) => {
  const walletImpact = { ...position.walletImpact, [name]: undefined } as Position['walletImpact'];
  expect(convert({ positions: [{ ...position, walletImpact }] })?.account.positions).toEqual([]);
});

test('the currency of an instrument is that of its position, whatever the list says', () => {
  const row = { ticker: 'A_US_EQ', name: 'A', type: 'STOCK', currencyCode: 'EUR', isin: 'LISTED' };
  expect(convert({ instruments: [row as AccountReading['instruments'][number]] })?.account.instruments).toMatchObject([
    { ticker: 'A_US_EQ', currency: 'USD', isin: 'US1' },
  ]);
});
