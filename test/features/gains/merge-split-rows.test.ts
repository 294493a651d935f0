/** The rows of a split that is booked as a close of all shares and an open of the new ones. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { mergeSplitRows } from '../../../src/features/gains/summarize.ts';
import { action, at, buy } from './trades.ts';

const closed = (when: string, quantity: number, value: number | undefined, more = {}) =>
  action(when, 'STOCK_SPLIT', quantity, value, { side: 'SELL', ...more });
const opened = (when: string, quantity: number, value: number | undefined, more = {}) =>
  action(when, 'STOCK_SPLIT', quantity, value, more);

test('the joined row has the change, the difference of the values and the facts of the first row, and no result', () => {
  const facts = { isin: 'GB1', currency: 'GBX', valueCurrency: 'GBP', orderId: '5', fillId: '6', price: new Big(12) };
  const rows = [
    closed('2024-01-02T12:00:00Z', 10, 120, { ...facts, realised: 20 }),
    opened('2024-01-02T12:00:01Z', 4, 100, { isin: 'GB2', valueCurrency: 'USD', orderId: '7', fillId: '8' }),
  ];
  expect(mergeSplitRows(rows)).toEqual([
    {
      at: at('2024-01-02T12:00:00Z'),
      ticker: 'A',
      isin: 'GB1',
      currency: 'GBX',
      side: 'SELL',
      type: 'STOCK_SPLIT',
      quantity: new Big(-6),
      price: undefined,
      netValue: new Big(20),
      valueCurrency: 'GBP',
      realisedProfitLoss: undefined,
      charges: [],
      orderId: '5',
      fillId: '6',
    },
  ]);
});

test.each([
  ['more shares than before', 25, 120, 'BUY', '15', undefined],
  ['as many as before', 10, 120, 'BUY', '0', undefined],
  ['a value that was paid', 25, 150, 'BUY', '15', '30'],
  ['no value', 25, undefined, 'BUY', '15', '120'],
])('a split into %s', (_, quantity, value, side, change, money) => {
  const [row, ...others] = mergeSplitRows([
    closed('2024-01-02', 10, 120),
    opened('2024-01-02', quantity, value, { fillId: '2' }),
  ]);
  expect([row?.side, row?.quantity.toFixed(), row?.netValue?.toFixed(), others]).toEqual([side, change, money, []]);
});

const changes = (rows: Parameters<typeof mergeSplitRows>[0]) =>
  mergeSplitRows(rows).map(({ ticker, quantity }) => `${ticker} ${quantity.toFixed()}`);

test.each([
  ['2024-01-02T12:00:01.000Z', ['A 10']],
  ['2024-01-02T12:00:01.001Z', ['A 10', 'A 20']],
])('rows are one split up to a second apart: the second at %s', (when, expected) => {
  expect(changes([closed('2024-01-02T12:00:00Z', 10, 120), opened(when, 20, 120)])).toEqual(expected);
});

test('a third row within a second of the second belongs to the split, and rows between them keep their place', () => {
  const rows = [
    closed('2024-01-02T12:00:00.000Z', 10, 120),
    buy('2024-01-02T12:00:00.500Z', 7, 70, { ticker: 'B' }),
    opened('2024-01-02T12:00:01.000Z', 12, 90),
    opened('2024-01-02T12:00:02.000Z', 8, 30),
    buy('2024-01-02T12:00:02.000Z', 3, 70),
  ];
  expect(changes(rows)).toEqual(['A 10', 'B 7', 'A 3']);
});

test('rows of two tickers are two splits', () => {
  const rows = [closed('2024-01-02', 10, 120), opened('2024-01-02', 20, 120, { ticker: 'B' })];
  expect(changes(rows)).toEqual(['A 10', 'B 20']);
});
