/**
 * Exchanges of shares for shares. The new shares stand in the place of the old, so they have their cost (TCGA 1992
 * ss 127 and 135). Expected figures are worked out by hand.
 */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { compareExecution, type Trade } from '../../../src/features/analytics/trades.ts';
import { createSaleBooks, createSaleSimulator } from '../../../src/features/gains/what-if-sale.ts';
import { action, at, buy, gainsOf, leftLines, lines, methods, sell } from './trades.ts';

const type = 'STOCK_ACQUISITION';
const exchangedAt = '2024-03-01T09:00:00Z';
const out = (quantity: number, more = {}) => sell(exchangedAt, quantity, 0, { ticker: 'OLD', type, ...more });
const into = (quantity: number | string, more = {}) => buy(exchangedAt, quantity, 0, { ticker: 'NEW', type, ...more });
const old = { ticker: 'OLD' };
const fresh = { ticker: 'NEW' };

describe.each(methods)('by %s', (method) => {
  test.each([
    ['one for one', 10, 10, '170.00 - 100.00 = 70.00'],
    // 10 × 3 / 7; all of it is sold, so all of the cost goes.
    ['three for seven', 10, '4.2857142857', '170.00 - 100.00 = 70.00'],
    ['two for one', 10, 20, '170.00 - 100.00 = 70.00'],
  ])('an exchange %s carries the cost over', (_, before, after, line) => {
    const gains = gainsOf(
      [buy('2024-01-02', 10, 100, old), out(before), into(after), sell('2024-06-03', after, 170, fresh)],
      {
        method,
      },
    );
    const rule = method === 'uk_section_104' ? 'section_104' : method;
    expect(lines(gains)).toEqual([`${after} NEW: ${line} (${rule} ${after})`]);
    expect([gains.unmatched, leftLines(gains)]).toEqual([[], ['OLD 0: 0.00', 'NEW 0: 0.00']]);
  });

  test('the rows of an exchange can come in either order, and a remark says what happened', () => {
    const rows = [into(10, { fillId: '1' }), out(10, { fillId: '2' })];
    const gains = gainsOf([buy('2024-01-02', 10, 100, old), ...rows, sell('2024-06-03', 10, 170, fresh)], { method });
    expect(gains.totals.gain.toFixed(2)).toBe('70.00');
    expect(gains.remarks).toEqual([
      'OLD (2024-03-01): 10 shares were exchanged by stock acquisition for 10 of NEW, which stand in their place (TCGA 1992 ss 127 and 135).',
    ]);
  });

  test('the new shares join those held before', () => {
    const rows = [buy('2024-01-02', 10, 100, old), buy('2024-02-02', 10, 300, fresh), out(10), into(10)];
    const gains = gainsOf([...rows, sell('2024-06-03', 10, 350, fresh)], { method });
    // By FIFO the shares of the exchange are the older ones; otherwise 400 for 20 are 20 each.
    expect(gains.totals.cost.toFixed(2)).toBe(method === 'fifo' ? '100.00' : '200.00');
  });

  test('a part of the shares takes its part of the cost along', () => {
    const gains = gainsOf([buy('2024-01-02', 10, 100, old), out(4), into(8), sell('2024-06-03', 8, 90, fresh)], {
      method,
    });
    expect(gains.totals.gain.toFixed(2)).toBe('50.00');
    expect(leftLines(gains)).toEqual(['OLD 6: 60.00', 'NEW 0: 0.00']);
  });

  test('a second exchange carries the cost further', () => {
    const second = '2024-04-01T09:00:00Z';
    const gains = gainsOf(
      [
        buy('2024-01-02', 10, 100, old),
        out(10),
        into(5),
        sell(second, 5, 0, { ...fresh, type }),
        buy(second, 20, 0, { ticker: 'LAST', type }),
        sell('2024-06-03', 10, 80, { ticker: 'LAST' }),
      ],
      { method },
    );
    expect(gains.totals.cost.toFixed(2)).toBe('50.00');
    expect(leftLines(gains).at(-1)).toBe('LAST 10: 50.00');
  });

  test.each([
    ['the same ISIN', 'IE0000000001', 10],
    ['the same ISIN, and more of them', 'IE0000000001', 30],
  ])('%s on both tickers changes no cost', (_, isin, after) => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 10, 100, { ...old, isin }),
        out(10, { isin }),
        into(after, { isin }),
        sell('2024-06-03', after / 2, 120, { ...fresh, isin }),
      ],
      { method },
    );
    expect([gains.totals.gain.toFixed(2), gains.unmatched, gains.remarks]).toEqual(['70.00', [], []]);
    expect(leftLines(gains)).toEqual([`OLD NEW ${after / 2}: 50.00`]);
  });

  test('the same ticker with another ISIN changes no cost', () => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 10, 100, { ...old, isin: 'IE1' }),
        out(10, { isin: 'IE1' }),
        into(4, { ...old, isin: 'IE2' }),
        sell('2024-06-03', 2, 120, { ...old, isin: 'IE2' }),
      ],
      { method },
    );
    expect([gains.totals.gain.toFixed(2), gains.unmatched]).toEqual(['70.00', []]);
  });

  test.each([
    ['two tickers leave', [buy('2024-01-02', 10, 100, { ticker: 'MORE' }), out(10, { ticker: 'MORE' })]],
    ['two tickers come', [into(3, { ticker: 'MORE' })]],
  ])('where %s no row says whose cost belongs to which shares', (_, more) => {
    const gains = gainsOf(
      [buy('2024-01-02', 10, 100, old), out(10), into(10), ...more, sell('2024-06-03', 10, 170, fresh)],
      {
        method,
      },
    );
    expect(gains.disposals).toEqual([]);
    expect(
      gains.unmatched.filter(({ ticker }) => ticker === 'NEW').map(({ side, reason, next }) => [side, reason, next]),
    ).toEqual([
      [
        'BUY',
        'exchanged_cost_unknown',
        'brokerage-mcp cost-basis set --ticker NEW --at 2024-03-01T09:00:00.000Z --acquired YYYY-MM-DD --cost AMOUNT --currency CURRENCY',
      ],
      ['SELL', 'original_cost_unknown', undefined],
    ]);
  });

  test('shares that are not known to have been held have no cost to carry', () => {
    const gains = gainsOf([buy('2024-01-02', 6, 60, old), out(10), into(10), sell('2024-06-03', 10, 170, fresh)], {
      method,
    });
    expect(gains.unmatched.map(({ reason }) => reason)).toEqual(['exchanged_cost_unknown', 'original_cost_unknown']);
    // Only FIFO tells the shares of a known cost from the others.
    expect(gains.totals.proceeds.toFixed(2)).toBe(method === 'fifo' ? '102.00' : '0.00');
  });

  test('a cost in another currency is not carried', () => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 10, 100, { ...old, valueCurrency: 'GBP' }),
        out(10),
        into(10),
        sell('2024-06-03', 10, 170, { ...fresh, valueCurrency: 'USD' }),
      ],
      { method },
    );
    expect(gains.disposals).toEqual([]);
    expect(gains.unmatched.map(({ reason }) => reason)).toEqual(['exchanged_cost_unknown', 'original_cost_unknown']);
  });

  test('a range or a ticker shows the same gain', () => {
    const rows = [buy('2024-01-02', 10, 100, old), out(10), into(10), sell('2024-06-03', 10, 170, fresh)];
    const gains = gainsOf(rows, { method, ticker: 'NEW', since: at('2024-06-01') });
    expect(gains.totals.gain.toFixed(2)).toBe('70.00');
    expect(gains.left.map(({ tickers }) => tickers)).toEqual([['NEW']]);
  });

  test('a sale that was not made has the same cost', () => {
    const trades = [buy('2024-01-02', 10, 100, old), out(10), into(10)].sort(compareExecution);
    const simulator = createSaleSimulator({
      books: createSaleBooks(trades, { method, since: 0, until: Number.POSITIVE_INFINITY }),
      at: at('2024-06-03'),
      currency: undefined,
      getHeld: (ticker) => new Big(ticker === 'NEW' ? 10 : 0),
    });
    const { figures } = simulator.sell({ ticker: 'NEW', quantity: new Big(5), netProceeds: new Big(85) });
    expect([figures?.gain, figures?.costLeft].map((figure) => figure?.toFixed(2))).toEqual(['35.00', '50.00']);
    const sales = [{ ticker: 'NEW', quantity: new Big(5), netProceeds: new Big(85) }];
    expect(simulator.sumRange(sales)?.toFixed(2)).toBe('35.00');
  });
});

test('by FIFO the new shares keep the days on which the old were acquired', () => {
  const rows = [buy('2024-01-02', 4, 40, old), buy('2024-02-02', 6, 120, old), out(10), into(5)];
  const [disposal] = gainsOf([...rows, sell('2024-06-03', 3, 100, fresh)], { method: 'fifo' }).disposals;
  // Two new shares for the four that cost 40, and three for the six that cost 120.
  expect(
    disposal?.matches.map(({ quantity, cost, acquiredAt }) => [Number(quantity), cost.toFixed(2), acquiredAt]),
  ).toEqual([
    [2, '40.00', at('2024-01-02')],
    [1, '40.00', at('2024-02-02')],
  ]);
});

test('by the UK rules new shares are no purchase that a sale of the 30 days before is matched with', () => {
  const rows = [
    buy('2024-01-02', 10, 100, old),
    buy('2024-01-02', 10, 200, fresh),
    sell('2024-02-20', 5, 150, fresh),
    out(10),
    into(10),
  ];
  expect(lines(gainsOf(rows, { method: 'uk_section_104' }))).toEqual([
    '5 NEW: 150.00 - 100.00 = 50.00 (section_104 5)',
  ]);
});

test('the broker’s own results are compared with the carried cost', () => {
  const sale = sell('2024-06-03', 10, 170, { ...fresh, realised: 70 });
  const gains = gainsOf([buy('2024-01-02', 10, 100, old), out(10), into(10), sale], { method: 'average' });
  expect(gains.checks.map(({ holds }) => holds)).toEqual([true]);
});

test('shares that were exchanged in a circle have no known cost', () => {
  const back = '2024-04-01T09:00:00Z';
  const rows: Trade[] = [
    buy('2024-01-02', 10, 100, old),
    out(10),
    into(10),
    sell(back, 10, 0, { ...fresh, type }),
    buy(back, 10, 0, { ...old, type }),
    sell('2024-06-03', 10, 170, old),
  ];
  expect(gainsOf(rows, { method: 'fifo' }).disposals).toEqual([]);
});

describe('the rows of an exchange', () => {
  const held = buy('2024-01-02', 10, 100, old);
  const day = 86_400_000;
  const later = (ms: number) => new Date(at(exchangedAt) + ms).toISOString();
  const cameAt = (ms: number, ticker = 'NEW') => buy(later(ms), 10, 0, { ticker, type });
  const costs = (rows: readonly Trade[]) => leftLines(gainsOf(rows, { method: 'fifo' }));

  test.each([
    [7 * day, 'NEW 10: 100.00'],
    [7 * day + 1, 'NEW 10: unknown'],
  ])('are up to a week apart: %i ms', (ms, line) => {
    expect(costs([held, out(10), cameAt(ms)])[1]).toBe(line);
  });

  test.each([
    [1000, 'NEW 10: 100.00'],
    [1001, 'NEW 10: unknown'],
  ])('of one moment, up to a second, are told apart from others of the week: %i ms', (ms, line) => {
    const others = [
      buy('2024-01-02', 5, 25, { ticker: 'MORE' }),
      sell(later(3 * day), 5, 0, { ticker: 'MORE', type }),
      // No moment explains these two.
      buy(later(3 * day + 2000), 5, 0, { ticker: 'OTHER', type }),
    ];
    const all = costs([held, ...others, out(10), cameAt(ms)]);
    expect(all.find((one) => one.startsWith('NEW'))).toBe(line);
    // Once those of the moment are known, the others are the only ones of the week.
    expect(all.find((one) => one.startsWith('OTHER'))).toBe(ms > 1000 ? 'OTHER 5: unknown' : 'OTHER 5: 25.00');
  });

  test('that are of money carry no cost', () => {
    const paid = sell(exchangedAt, 10, '0.01', { ...old, type });
    expect(costs([held, paid, into(10)])).toContain('NEW 10: unknown');
    const withMoney = buy(exchangedAt, 10, '0.01', { ...fresh, type });
    expect(gainsOf([held, out(10), withMoney], { method: 'fifo' }).remarks.join()).not.toContain('were exchanged');
  });

  test('of another type than an exchange for shares alone carry no cost', () => {
    const cashType = { type: 'CASH_AND_STOCK_ACQUISITION' };
    expect(costs([held, out(10, cashType), into(10)])).toEqual(['OLD 0: 0.00', 'NEW 10: unknown']);
    expect(costs([held, out(10), into(10, cashType)])).toEqual(['OLD 0: 0.00', 'NEW 10: unknown']);
  });

  test('with one of no shares carry no cost', () => {
    expect(costs([held, out(10), into(10), into(0, { ticker: 'NEW' })])).toContain('NEW 10: unknown');
  });

  test('can bring the new shares in several, of which each has its part of the cost and of the days', () => {
    const rows = [
      buy('2024-01-02', 4, 40, old),
      buy('2024-02-02', 6, 120, old),
      out(10),
      into(2, { fillId: '1' }),
      into(6, { fillId: '2' }),
      into(12, { fillId: '3' }),
      sell('2024-06-03', 20, 400, fresh),
    ];
    const matches = (method: 'fifo' | 'average') =>
      gainsOf(rows, { method }).disposals[0]?.matches.map(({ quantity, cost, acquiredAt }) => [
        Number(quantity),
        Number(cost),
        acquiredAt,
      ]);
    // A tenth, three tenths and six tenths of each lot.
    expect(matches('fifo')).toEqual([
      [0.8, 4, at('2024-01-02')],
      [2.4, 12, at('2024-01-02')],
      [4.8, 24, at('2024-01-02')],
      [1.2, 12, at('2024-02-02')],
      [3.6, 36, at('2024-02-02')],
      [7.2, 72, at('2024-02-02')],
    ]);
    expect(matches('average')).toEqual([[20, 160, undefined]]);
  });

  test('can bring shares in several of which a part has no known cost', () => {
    const rows = [
      buy('2024-01-02', 6, 60, old),
      out(10),
      into(5, { fillId: '1' }),
      into(5, { fillId: '2' }),
      sell('2024-06-03', 10, 170, fresh),
    ];
    const gains = gainsOf(rows, { method: 'fifo' });
    expect(gains.totals.cost.toFixed(2)).toBe('60.00');
    expect(gains.unmatched.map(({ reason, quantity }) => [reason, Number(quantity)])).toEqual([
      ['exchanged_cost_unknown', 5],
      ['exchanged_cost_unknown', 5],
      ['original_cost_unknown', 4],
    ]);
  });

  test('whose cost was entered carry none', () => {
    const costBasis = (trade: Trade) =>
      trade.ticker === 'NEW' && trade.side === 'BUY' ? { acquiredAt: trade.at, cost: new Big(30) } : undefined;
    const gains = gainsOf([held, out(10), into(10)], { method: 'fifo', costBasis });
    expect(leftLines(gains)).toEqual(['OLD 0: 0.00', 'NEW 10: 30.00']);
    expect(gains.left[0]?.removedCost.toFixed()).toBe('100');
  });

  test('of a part of the shares that keep their ISIN change nothing if as many come back', () => {
    const isin = 'IE0000000001';
    const rows = [buy('2024-01-02', 10, 100, { ...old, isin }), out(4, { isin }), into(4, { isin })];
    for (const method of methods) {
      const gains = gainsOf(rows, { method });
      expect([leftLines(gains), gains.remarks]).toEqual([['OLD NEW 10: 100.00'], []]);
    }
  });

  test('of a part of the shares that keep their ISIN are no split if others come back', () => {
    const isin = 'IE0000000001';
    const rows = [
      buy('2024-01-02', 10, 100, { ...old, isin }),
      out(4, { isin }),
      into(8, { isin }),
      sell('2024-06-03', 6, 90, { ...old, isin }),
    ];
    const gains = gainsOf(rows, { method: 'fifo' });
    // The 4 left with their 40; the 6 that stayed cost 60, and were not split.
    expect(lines(gains)).toEqual(['6 OLD: 90.00 - 60.00 = 30.00 (fifo 6)']);
  });
});

test.each(methods)('what leaves in an exchange and is not known to be held prevents the check, by %s', (method) => {
  const sale = sell('2024-02-01', 2, 30, { ...old, realised: 10 });
  const known = [buy('2024-01-02', 12, 120, old), sale, out(10), into(10)];
  expect(gainsOf(known, { method }).checks).toHaveLength(1);
  const short = [buy('2024-01-02', 11, 120, old), sale, out(10), into(10)];
  expect(gainsOf(short, { method }).checks).toEqual([]);
});

test.each(methods)('what leaves otherwise and is not known to be held prevents the check, by %s', (method) => {
  const rows = (left: number) => [buy('2024-01-02', 12, 120), action('2024-03-01', 'FOP', -left)];
  expect(gainsOf(rows(12), { method }).checks).toHaveLength(1);
  expect(gainsOf(rows(13), { method }).checks).toEqual([]);
});

test('trades between the rows of an exchange are no part of it', () => {
  const rows = [
    buy('2024-01-02', 10, 100, old),
    out(10),
    buy('2024-03-01T10:00:00Z', 1, 50, { ticker: 'MORE' }),
    action('2024-03-01T11:00:00Z', 'STOCK_DIVIDENDS', 1, 0, { ticker: 'MORE' }),
    buy('2024-03-02T09:00:00Z', 10, 0, { ticker: 'NEW', type }),
  ];
  expect(leftLines(gainsOf(rows, { method: 'average' }))).toContain('NEW 10: 100.00');
});

test.each(methods)('the cost of a renamed ticker goes on in a later exchange, by %s', (method) => {
  const isin = 'IE0000000001';
  const next = '2024-04-01T09:00:00Z';
  const rows = [
    buy('2024-01-02', 10, 100, { ...old, isin }),
    out(10, { isin }),
    into(10, { isin }),
    sell(next, 10, 0, { ...fresh, isin, type }),
    buy(next, 5, 0, { ticker: 'LAST', type }),
  ];
  expect(leftLines(gainsOf(rows, { method })).at(-1)).toBe('LAST 5: 100.00');
});

test.each(methods)('shares of an unknown cost give shares of an unknown cost, by %s', (method) => {
  const gains = gainsOf([action('2024-01-02', 'FOP', 10, 0, old), out(10), into(10)], { method });
  expect(leftLines(gains)).toEqual(['OLD 0: 0.00', 'NEW 10: unknown']);
});

test.each(methods)('a cost in the one currency of both is carried, by %s', (method) => {
  const pounds = { valueCurrency: 'GBP' };
  const rows = [
    buy('2024-01-02', 10, 100, { ...old, ...pounds }),
    out(10),
    into(10),
    sell('2024-06-03', 4, 60, { ...fresh, ...pounds }),
  ];
  expect(gainsOf(rows, { method }).totals.cost.toFixed(2)).toBe('40.00');
});

test('the shares that came are named once where the old ones left in several rows', () => {
  const rows = [buy('2024-01-02', 10, 100, old), out(4, { fillId: '1' }), out(6, { fillId: '2' }), into(5)];
  expect(gainsOf(rows, { method: 'fifo' }).remarks).toEqual([
    'OLD (2024-03-01): 10 shares were exchanged by stock acquisition for 5 of NEW, which stand in their place (TCGA 1992 ss 127 and 135).',
  ]);
});

test('shares of which a part has no known cost are asked for', () => {
  const rows = [buy('2024-01-02', 6, 60, old), out(10), into(10)];
  expect(gainsOf(rows, { method: 'fifo' }).remarks.filter((remark) => remark.startsWith('NEW'))).toEqual([
    'NEW (2024-03-01): 10 shares came by stock acquisition, and the rows do not show the cost of the shares that were exchanged for them (TCGA 1992 ss 127 and 135); enter it: brokerage-mcp cost-basis set --ticker NEW --at 2024-03-01T09:00:00.000Z --acquired YYYY-MM-DD --cost AMOUNT --currency CURRENCY',
  ]);
});

test.each(methods)('the broker’s results are compared with the average that was carried, by %s', (method) => {
  const rows = [
    buy('2024-01-02', 10, 100, old),
    buy('2024-02-02', 10, 300, old),
    out(10),
    into(10),
    // The average of the old shares was 20.
    sell('2024-06-03', 5, 170, { ...fresh, realised: 70 }),
  ];
  expect(gainsOf(rows, { method }).checks).toMatchObject([{ expected: '70', actual: '70', holds: true }]);
});
