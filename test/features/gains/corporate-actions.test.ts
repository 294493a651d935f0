/** How corporate actions are classified, and that the result says so. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { action, buy, gainsOf, leftLines, lines, methods, sell, split } from './trades.ts';

test.each(methods)('shares received without a price cost nothing, by %s', (method) => {
  const gains = gainsOf(
    [
      buy('2024-01-02', 10, 100),
      action('2024-02-02', 'STOCK_DIVIDENDS', 2),
      action('2024-03-02', 'STOCK_DIVIDENDS', 3, 0),
      action('2024-03-03', 'SPIN_OFF', 4, undefined, { ticker: 'B' }),
      sell('2024-06-02', 15, 240),
    ],
    { method },
  );
  expect(lines(gains)).toEqual([
    `15 A: 240.00 - 100.00 = 140.00 (${method === 'uk_section_104' ? 'section_104' : method} 15)`,
  ]);
  expect(gains.remarks).toEqual([
    'A (2024-02-02, 2024-03-02): 5 shares from stock dividends are treated as shares received at no cost; the true cost basis may differ. Enter what they cost, if they did: brokerage-mcp cost-basis set --ticker A --at 2024-02-02T12:00:00.000Z --acquired YYYY-MM-DD --cost AMOUNT --currency CURRENCY',
    'B (2024-03-03): 4 shares from a spin-off of a company that the rows do not name are treated as shares received at no cost, and that company keeps all of its cost; a tax return needs the cost apportioned between the two. Enter the part of B: brokerage-mcp cost-basis set --ticker B --at 2024-03-03T12:00:00.000Z --parent TICKER --cost AMOUNT --currency CURRENCY',
  ]);
});

test.each(methods)('shares received for a price cost that price, by %s', (method) => {
  const gains = gainsOf(
    [buy('2024-01-02', 10, 100), action('2024-02-02', 'EQUITY_RIGHTS', 5, 20), sell('2024-06-02', 15, 240)],
    {
      method,
    },
  );
  expect(gains.totals.cost.toFixed()).toBe('120');
  expect(gains.remarks).toEqual([]);
});

test.each(methods)('shares that an action removed are no disposal, and their cost goes with them, by %s', (method) => {
  const gains = gainsOf(
    [
      buy('2024-01-02', 10, 100),
      action('2024-02-02', 'STOCK_ACQUISITION', -4),
      // Without a minus, but on the selling side.
      sell('2024-03-02', 1, 12.5, { type: 'SPIN_OFF' }),
      sell('2024-06-02', 5, 90),
    ],
    { method },
  );
  expect(gains.disposals.map(({ quantity, cost }) => [Number(quantity), Number(cost)])).toEqual([[5, 50]]);
  expect(gains.left[0]?.removedCost.toFixed()).toBe('50');
  expect(gains.remarks).toEqual([
    'A (2024-02-02): 4 shares removed by stock acquisition are deducted with their cost and are not treated as a disposal.',
    'A (2024-03-02): 1 share removed by spin off are deducted with their cost and are not treated as a disposal; the value of 12.50 in the row is in no gain.',
  ]);
});

test.each(methods)('a split of shares that are not known to be held has no ratio and is left out, by %s', (method) => {
  const gains = gainsOf([split('2024-01-02', 20), buy('2024-02-02', 10, 100), sell('2024-06-02', 10, 150)], { method });
  expect(gains.totals.gain.toFixed()).toBe('50');
  expect(gains.remarks[0]).toBe(
    'A (2024-01-02): a stock split of 20 shares is omitted, because no shares are known to have been held before it.',
  );
  expect(gains.checks).toEqual([]);
});

test.each(methods)('a consolidation that leaves no share removes all of them, by %s', (method) => {
  const gains = gainsOf([buy('2024-01-02', 3, 9), split('2024-02-02', -3)], { method });
  expect(leftLines(gains)).toEqual(['A 0: 0.00']);
  expect(gains.left[0]?.removedCost.toFixed()).toBe('9');
  expect(gains.remarks).toEqual([
    'A (2024-02-02): 3 shares removed by stock split are deducted with their cost and are not treated as a disposal.',
  ]);
});

test('actions after the range are not mentioned, and the broker’s results need none', () => {
  const trades = [
    buy('2024-01-02', 10, 100),
    action('2024-02-02', 'STOCK_DIVIDENDS', 2),
    sell('2024-06-02', 1, 9, { realised: 1 }),
  ];
  expect(gainsOf(trades, { method: 'fifo', until: Date.UTC(2024, 0, 31) }).remarks).toEqual([]);
  expect(gainsOf(trades, { method: 'broker' }).remarks).toEqual([]);
});

test('a row with a value and without a quantity enters no figure, and is reported', () => {
  const gains = gainsOf([buy('2024-01-02', 10, 100), sell('2024-02-02', 0, 3)], { method: 'fifo' });
  expect(gains.disposals).toEqual([]);
  expect(gains.unmatched.map(({ proceeds, reason }) => [Number(proceeds), reason])).toEqual([[3, 'no_quantity']]);
});

test.each(methods)('money in the row of a split is in no gain, and a remark names it, by %s', (method) => {
  // HMRC CG57836: cash for a part of a share is a capital distribution.
  const withCash = split('2024-02-02', -95, { side: 'SELL' });
  const gains = gainsOf([buy('2024-01-02', 105, 1050), { ...withCash, netValue: new Big('5.2') }], { method });
  expect(leftLines(gains)).toEqual(['A 10: 1050.00']);
  expect(gains.remarks).toEqual([
    'A (2024-02-02): a stock split has a value of 5.20, which no gain includes. If it is cash for a part of a share, it is capital, and reduces the cost of the shares while it is small (TCGA 1992 s 122).',
  ]);
});

test.each([
  [120, []],
  [
    112.5,
    [
      'A (2024-02-02): a stock split has a value of 7.50, which no gain includes. If it is cash for a part of a share, it is capital, and reduces the cost of the shares while it is small (TCGA 1992 s 122).',
    ],
  ],
])('a split in two rows of 120 and %s has a value only if they differ', (value, remarks) => {
  const gains = gainsOf(
    [
      buy('2024-01-02', 10, 100),
      action('2024-02-02', 'STOCK_SPLIT', 10, 120, { side: 'SELL', fillId: '1' }),
      action('2024-02-02', 'STOCK_SPLIT', 20, value, { fillId: '2' }),
    ],
    { method: 'fifo' },
  );
  expect([leftLines(gains), gains.remarks]).toEqual([['A 20: 100.00'], remarks]);
});

test.each([
  ['a transfer of no shares', action('2024-02-02', 'FOP', 0)],
  ['a spin-off of no shares', action('2024-02-02', 'SPIN_OFF', 0)],
  ['a sale for nothing', sell('2024-02-02', 1, 0)],
  ['a row of neither shares nor money', buy('2024-02-02', 0, 0)],
])('%s is no event that is named', (_, row) => {
  const gains = gainsOf([buy('2024-01-02', 10, 100), row], { method: 'fifo' });
  expect([gains.remarks, gains.unmatched]).toEqual([[], []]);
});

test('a purchase without a value is not taken for one at no cost', () => {
  const { remarks, unmatched } = gainsOf([buy('2024-01-02', 10, undefined)], { method: 'fifo' });
  expect(remarks.join()).not.toContain('at no cost');
  expect(unmatched.map(({ reason }) => reason)).toEqual(['no_value_of_purchase']);
});

test.each([
  ['with a value', 3],
  ['without a value', undefined],
])('a purchase without a quantity, %s, has no proceeds', (_, value) => {
  const { unmatched } = gainsOf([buy('2024-01-02', 0, value)], { method: 'fifo' });
  expect(unmatched.map(({ reason, side, proceeds }) => [reason, side, proceeds])).toEqual([
    ['no_quantity', 'BUY', undefined],
  ]);
});

test.each(methods)('shares that leave a holding of an unknown cost are no sale, by %s', (method) => {
  const rows = [action('2024-01-02', 'FOP', 10, 0), action('2024-02-02', 'FOP', -4)];
  const gains = gainsOf(rows, { method });
  expect(gains.unmatched.map(({ side }) => side)).toEqual(['BUY']);
  expect(leftLines(gains)).toEqual(['A 6: unknown']);
});
