/** Charges of an order, estimated from own fills. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { createChargeEstimator } from '../../../src/features/analytics/charge-rates.ts';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import { buy, sell } from '../gains/trades.ts';

const charged = (amounts: Readonly<Record<string, string>>, more: Partial<Trade> = {}) => ({
  isin: 'GB0000000001',
  ...more,
  charges: Object.entries(amounts).map(([name, amount]) => ({ name, amount: new Big(amount), currency: 'GBP' })),
});
const stock = { ticker: 'A', currency: 'GBP', isin: 'GB0000000001', type: 'STOCK' };
const isStock = (ticker: string) => (ticker === 'E' ? 'ETF' : 'STOCK');

const ratesOf = (trades: readonly Trade[], side: 'BUY' | 'SELL', instrument = stock) =>
  createChargeEstimator(trades, isStock)(instrument, side)?.map(
    ({ kind, rate, fills }) => `${kind} ${rate.toFixed()} of ${fills}`,
  );

test('a rate is the charges of the ticker over its values before charges, by side', () => {
  // 100 with 0.50 and 1.00, 300 with 1.50: 2 / 400 and 1 / 400. A sale of 200 brings 199 after 1.
  const trades = [
    buy('2025-01-06', 10, '101.5', charged({ STAMP_DUTY: '0.5', FEE: '1' })),
    buy('2025-01-07', 30, '301.5', charged({ STAMP_DUTY: '1.5' })),
    sell('2025-01-08', 20, '199', charged({ FEE: '1' })),
  ];
  expect(ratesOf(trades, 'BUY')).toEqual(['FEE 0.0025 of 2', 'STAMP_DUTY 0.005 of 2']);
  expect(ratesOf(trades, 'SELL')).toEqual(['FEE 0.005 of 1']);
});

test('a ticker without fills takes those of the same currency, country and type', () => {
  const trades = [
    buy('2025-01-06', 10, '100.5', charged({ STAMP_DUTY: '0.5' }, { ticker: 'B' })),
    buy('2025-01-07', 10, '100', charged({}, { ticker: 'E' })),
    buy('2025-01-08', 10, '110', charged({ FEE: '10' }, { ticker: 'U', currency: 'USD', isin: 'US0000000001' })),
  ];
  expect(ratesOf(trades, 'BUY')).toEqual(['STAMP_DUTY 0.005 of 1']);
  expect(ratesOf(trades, 'BUY', { ...stock, type: 'ETF' })).toEqual([]);
  expect(ratesOf(trades, 'BUY', { ...stock, isin: 'IE0000000001' })).toBeUndefined();
  expect(ratesOf(trades, 'SELL')).toBeUndefined();
});

test('only the newest 20 fills count', () => {
  const old = Array.from({ length: 5 }, () => buy('2020-01-06', 1, '20', charged({ FEE: '10' })));
  const recent = Array.from({ length: 20 }, () => buy('2025-01-06', 1, '11', charged({ FEE: '1' })));
  expect(ratesOf([...old, ...recent], 'BUY')).toEqual(['FEE 0.1 of 20']);
});

test('a corporate action, a fill without a value and a charge in another currency show no rate', () => {
  const foreign = { ...charged({ FEE: '1' }), valueCurrency: 'EUR' };
  const trades = [
    buy('2025-01-06', 1, '20', { ...charged({ FEE: '10' }), type: 'FOP' }),
    buy('2025-01-06', 1, undefined, charged({ FEE: '10' })),
    buy('2025-01-06', 1, '20', foreign),
  ];
  expect(ratesOf(trades, 'BUY')).toBeUndefined();
});

test('a refund is no charge', () => {
  expect(ratesOf([buy('2025-01-06', 1, '9', charged({ FEE: '-1' }))], 'BUY')).toEqual([]);
});
