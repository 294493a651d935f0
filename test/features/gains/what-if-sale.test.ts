/** What a sale would realise, worked out by hand. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { compareExecution, type Trade } from '../../../src/features/analytics/trades.ts';
import { summarizeRealisedGains } from '../../../src/features/gains/summarize.ts';
import { createSaleBooks, createSaleSimulator, type SaleQuestion } from '../../../src/features/gains/what-if-sale.ts';
import { at, buy, sell, split } from './trades.ts';

const year = { since: at('2025-04-05T23:00:00Z'), until: at('2026-04-05T23:00:00Z') };

function simulate(
  trades: readonly Trade[],
  method: 'fifo' | 'average' | 'uk_section_104',
  held: Readonly<Record<string, number>> = { A: 30 },
) {
  return createSaleSimulator({
    books: createSaleBooks(trades.toSorted(compareExecution), { method, ...year }),
    at: at('2026-01-15'),
    currency: 'GBP',
    getHeld: (ticker) => new Big(held[ticker] ?? 0),
  });
}

const sale = (quantity: number, netProceeds: number, ticker = 'A'): SaleQuestion => ({
  ticker,
  quantity: new Big(quantity),
  netProceeds: new Big(netProceeds),
});

/** `gain, cost, quantity left = cost left, change of the year`. */
const line = ({ figures, missing }: ReturnType<ReturnType<typeof simulate>['sell']>) =>
  figures
    ? `${figures.gain.toFixed(2)}, ${figures.cost.toFixed(2)}, ${figures.quantityLeft.toFixed()} = ${figures.costLeft?.toFixed(2)}, ${figures.gainChange.toFixed(2)}`
    : missing;

// 20 at 10 and 10 at 16: 360 for 30, 12 each.
const bought = [buy('2020-01-06', 20, 200), buy('2021-01-06', 10, 160)];

describe('a sale of 15 for 225', () => {
  test.each([
    ['average', '45.00, 180.00, 15 = 180.00, 45.00'],
    // The oldest 15 cost 150.
    ['fifo', '75.00, 150.00, 15 = 210.00, 75.00'],
    ['uk_section_104', '45.00, 180.00, 15 = 180.00, 45.00'],
  ] as const)('by %s', (method, expected) => {
    expect(line(simulate(bought, method).sell(sale(15, 225)))).toBe(expected);
  });

  test('names the lots in the order in which they are sold', () => {
    const { figures } = simulate(bought, 'fifo').sell(sale(25, 375));
    expect(figures?.matches.map(({ quantity, cost }) => `${quantity} = ${cost}`)).toEqual(['20 = 200', '5 = 80']);
  });
});

test('a purchase of the same day is sold first under the UK rules', () => {
  const trades = [...bought, buy('2026-01-15T09:00:00Z', 5, 100)];
  // 5 cost 100, the other 10 of the pool 120.
  expect(line(simulate(trades, 'uk_section_104', { A: 35 }).sell(sale(15, 225)))).toBe(
    '5.00, 220.00, 20 = 240.00, 5.00',
  );
});

test('a sale of the same day is joined with it, and the figures are what this one adds', () => {
  const trades = [...bought, sell('2026-01-15T09:00:00Z', 10, 130)];
  const { figures } = simulate(trades, 'uk_section_104', { A: 20 }).sell(sale(10, 150));
  expect(figures?.isJoined).toBe(true);
  expect(line(simulate(trades, 'uk_section_104', { A: 20 }).sell(sale(10, 150)))).toBe(
    '30.00, 120.00, 10 = 120.00, 30.00',
  );
});

test('the cost of shares that were in part taken over for cash and other shares stays unknown', () => {
  const type = 'CASH_AND_STOCK_ACQUISITION';
  const simulator = simulate(
    [
      buy('2024-01-01', 10, 100),
      sell('2025-06-01T09:00:00Z', 5, 80, { type }),
      buy('2025-06-01T09:00:00Z', 5, 0, { type, ticker: 'B' }),
    ],
    'fifo',
    { A: 5 },
  );
  expect(simulator.sell(sale(5, 75)).missing).toBe('apportionment_needed');
  expect(simulator.sumRange([sale(5, 75)])).toBeUndefined();
});

test('gains of other shares in another currency are not added', () => {
  const dollars = { ticker: 'B', valueCurrency: 'USD' };
  const pounds = { valueCurrency: 'GBP' };
  const simulator = simulate(
    [buy('2024-01-01', 30, 300, pounds), buy('2024-01-01', 10, 100, dollars), sell('2025-06-01', 10, 170, dollars)],
    'fifo',
  );
  expect(simulator.sumRange()?.toFixed(2)).toBe('70.00');
  expect(simulator.sumRange([{ ticker: 'A', quantity: new Big(5), netProceeds: new Big(75) }])).toBeUndefined();
});

test('the tax year counts its own sales, and several new ones together', () => {
  const trades = [...bought, sell('2025-06-02', 5, 70), sell('2024-06-03', 5, 100)];
  const simulator = simulate(trades, 'average', { A: 20 });
  // 60 of 70 is cost.
  expect(simulator.sumRange()?.toFixed(2)).toBe('10.00');
  expect(simulator.sumRange([sale(5, 75), sale(5, 80)])?.toFixed(2)).toBe('45.00');
});

test('shares of one class are one holding', () => {
  const isin = 'GB0000000001';
  const trades = [buy('2020-01-06', 10, 100, { isin }), buy('2021-01-06', 10, 200, { isin, ticker: 'B' })];
  const held = { A: 10, B: 10 };
  expect(line(simulate(trades, 'fifo', held).sell(sale(10, 300, 'B')))).toBe('200.00, 100.00, 10 = 200.00, 200.00');
  expect(line(simulate(trades, 'average', held).sell(sale(10, 300, 'B')))).toBe('150.00, 150.00, 10 = 150.00, 150.00');
});

test('a split multiplies the shares and not their cost', () => {
  const trades = [buy('2020-01-06', 10, 100), split('2022-01-06', 20)];
  expect(line(simulate(trades, 'average').sell(sale(15, 225)))).toBe('175.00, 50.00, 15 = 50.00, 175.00');
});

describe('no figure', () => {
  test.each<[string, readonly Trade[], Readonly<Record<string, number>>, string]>([
    ['no trade of the ticker', [buy('2020-01-06', 1, 1, { ticker: 'B' })], { A: 30 }, 'no_trades'],
    ['the fills do not add up to the shares held', bought, { A: 31 }, 'quantity_differs'],
    ['more was sold than bought', [...bought, sell('2019-01-07', 5, 70)], { A: 25 }, 'not_held'],
    ['a purchase has no value', [...bought, buy('2022-01-06', 5, undefined)], { A: 35 }, 'no_value_of_purchase'],
    ['another currency', [buy('2020-01-06', 30, 300, { valueCurrency: 'EUR' })], { A: 30 }, 'several_currencies'],
  ])('when %s', (_name, trades, held, code) => {
    expect(simulate(trades, 'average', held).sell(sale(15, 225)).missing).toBe(code);
  });
});

test.each(['fifo', 'average', 'uk_section_104'] as const)(
  'the year with sales of several holdings, by %s, is that of all trades with these sales',
  (method) => {
    const trades = [
      ...bought,
      buy('2020-02-03', 9, 100, { ticker: 'B' }),
      sell('2025-06-02', 2, 50, { ticker: 'B' }),
      sell('2025-12-20', 4, 70),
      buy('2025-12-22', 3, 66),
    ].toSorted(compareExecution);
    const sales = [sale(5, 80), sale(3, 90, 'B'), sale(6, 91)];
    const asTrades = sales.map(({ ticker, quantity, netProceeds }) =>
      sell('2026-01-15', Number(quantity), Number(netProceeds), { ticker }),
    );
    const { totals } = summarizeRealisedGains([...trades, ...asTrades], { method, ...year });
    expect(simulate(trades, method).sumRange(sales)?.toFixed(10)).toBe(totals?.gain.toFixed(10));
  },
);

describe('the change of the year', () => {
  const held = { A: 20 };
  const sellAt = (moment: string, more = {}) =>
    createSaleSimulator({
      books: createSaleBooks(bought, { method: 'average', ...year }),
      at: at(moment),
      currency: 'GBP',
      getHeld: () => new Big(30),
      ...more,
    });

  // 15 at 12 for 225.
  test.each([
    ['2025-04-05T22:59:59.999Z', '0.00'],
    ['2025-04-05T23:00:00.000Z', '45.00'],
    ['2026-04-05T22:59:59.999Z', '45.00'],
    ['2026-04-05T23:00:00.000Z', '0.00'],
  ])('by a sale at %s is %s', (moment, change) => {
    expect(sellAt(moment).sell(sale(15, 225)).figures?.gainChange.toFixed(2)).toBe(change);
  });

  test('is of the sale and of those before it that it changes', () => {
    // Sold on 10 January, 5 bought again on the 12th; the sale of the same day takes the 5 from it.
    const trades = [...bought, sell('2026-01-10', 5, 75), buy('2026-01-15T09:00:00Z', 5, 100)];
    const { figures } = simulate(trades, 'uk_section_104', { A: 30 }).sell(sale(5, 90));
    // Before: 75 − 100. After: 75 − 60 and 90 − 100.
    expect([figures?.gain.toFixed(2), figures?.gainChange.toFixed(2)]).toEqual(['-10.00', '30.00']);
  });

  test('leaves out sales of other years', () => {
    const trades = [...bought, sell('2024-06-03', 5, 100), sell('2025-06-02', 5, 70)];
    expect(simulate(trades, 'average', held).sell(sale(5, 75)).figures?.gainChange.toFixed(2)).toBe('15.00');
  });
});

test('a clock behind the last trade sells after it', () => {
  const late = [...bought, buy('2026-01-16', 10, 240)];
  const simulator = simulate(late, 'average', { A: 40 });
  // 600 for 40 are 15 each.
  expect(line(simulator.sell(sale(10, 200)))).toBe('50.00, 150.00, 30 = 450.00, 50.00');
});

test.each([
  [30, undefined],
  ['30.000000001', undefined],
  ['30.0000000011', 'quantity_differs'],
  ['29.999999999', undefined],
  ['29.9999999989', 'quantity_differs'],
])('fills of 30 shares explain a holding of %s: %s', (shares, missing) => {
  const simulator = createSaleSimulator({
    books: createSaleBooks(bought, { method: 'fifo', ...year }),
    at: at('2026-01-15'),
    currency: 'GBP',
    getHeld: () => new Big(shares),
  });
  expect(simulator.sell(sale(15, 225)).missing).toBe(missing);
});

test('a sale that is not joined has its own parts, and one that is has none', () => {
  const alone = simulate(bought, 'uk_section_104').sell(sale(10, 150)).figures;
  expect([alone?.isJoined, alone?.matches.length, alone?.proceeds.toFixed(), alone?.tickers]).toEqual([
    false,
    1,
    '150',
    ['A'],
  ]);
  const joined = simulate([...bought, sell('2026-01-15T09:00:00Z', 10, 130)], 'uk_section_104', { A: 20 });
  expect(joined.sell(sale(10, 150)).figures?.matches).toEqual([]);
  // At the very moment of another sale, the quantity tells that it is joined.
  const same = simulate([...bought, sell('2026-01-15', 10, 130)], 'uk_section_104', { A: 20 });
  expect(same.sell(sale(10, 150)).figures?.isJoined).toBe(true);
});

test('the gain of the year is known although a purchase has no value, and not where a sale has none', () => {
  const blind = [...bought, buy('2025-05-02', 1, undefined), sell('2025-06-02', 5, 70)];
  expect(simulate(blind, 'average').sumRange()?.toFixed(2)).toBe('10.00');
  const blindSale = [...bought, sell('2025-06-02', 5, undefined)];
  expect(simulate(blindSale, 'average').sumRange()).toBeUndefined();
  expect(
    simulate([...bought, sell('2024-06-02', 5, undefined)], 'average')
      .sumRange()
      ?.toFixed(2),
  ).toBe('0.00');
});

test('a new sale without a known cost leaves the year without a gain, and no sale leaves it as it is', () => {
  const simulator = simulate(bought, 'average');
  expect(simulator.sumRange([sale(31, 400)])).toBeUndefined();
  expect(simulator.sumRange([sale(5, 75), sale(1, 9, 'NONE')])).toBeUndefined();
  expect(simulator.sumRange([])?.toFixed(2)).toBe('0.00');
  expect(simulator.sell(sale(31, 400)).missing).toBe('not_held');
});

test('sales of nothing for nothing have no currency that could differ', () => {
  const free = { ticker: 'B' };
  const trades = [
    ...bought.map((trade) => ({ ...trade, valueCurrency: 'GBP' })),
    buy('2024-01-01', 1, 0, free),
    sell('2025-06-02', 1, 0, free),
  ];
  expect(
    simulate(trades, 'average')
      .sumRange([sale(5, 75)])
      ?.toFixed(2),
  ).toBe('15.00');
});

test('an account without trades knows of none', () => {
  const simulator = simulate([], 'average');
  expect([simulator.sell(sale(1, 9)).missing, simulator.sumRange()?.toFixed(2)]).toEqual(['no_trades', '0.00']);
});
