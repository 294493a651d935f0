/** First in first out, average cost and the broker's own figures, worked out by hand. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { action, at, buy, gainsOf, leftLines, lines, sell, split } from './trades.ts';

const lots = [
  buy('2024-01-02', 10, 100),
  buy('2024-02-02', 10, 150),
  buy('2024-03-02', 5, 100),
  // 10 shares at 10.00 and 5 at 15.00.
  sell('2024-04-02', 15, 300),
  // The other 5 at 15.00 and 5 at 20.00.
  sell('2024-05-02', 10, 90),
];

describe('first in, first out', () => {
  test('sells the oldest lots first, then a part of the next', () => {
    const gains = gainsOf(lots, { method: 'fifo' });
    expect(lines(gains)).toEqual([
      '15 A: 300.00 - 175.00 = 125.00 (fifo 15)',
      '10 A: 90.00 - 175.00 = -85.00 (fifo 10)',
    ]);
    expect(
      gains.disposals.map(({ matches }) =>
        matches.map((match) => [match.quantity.toFixed(), match.cost.toFixed(), match.acquiredAt]),
      ),
    ).toEqual([
      [
        ['10', '100', at('2024-01-02')],
        ['5', '75', at('2024-02-02')],
      ],
      [
        ['5', '75', at('2024-02-02')],
        ['5', '100', at('2024-03-02')],
      ],
    ]);
    expect(leftLines(gains)).toEqual(['A 0: 0.00']);
  });

  test('splits a cost that does not divide evenly without losing a penny', () => {
    const thirds = [buy('2024-01-02', 3, 10), ...['05', '06', '07'].map((day) => sell(`2024-02-${day}`, 1, 4))];
    const costs = gainsOf(thirds, { method: 'fifo' }).disposals.map(({ cost }) => cost);
    expect(costs.map((cost) => cost.toFixed(6))).toEqual(['3.333333', '3.333333', '3.333333']);
    expect(costs.reduce((sum, cost) => sum.plus(cost)).toFixed()).toBe('10');
  });
});

describe('average cost', () => {
  test('uses the average cost of the holding, and a sale leaves that average unchanged', () => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 10, 100),
        buy('2024-02-02', 10, 150),
        // At 12.50 each.
        sell('2024-03-02', 4, 60),
        // 16 at 12.50 and 4 for 90 are 20 for 290.
        buy('2024-04-02', 4, 90),
        sell('2024-05-02', 5, 72.5),
      ],
      { method: 'average' },
    );
    expect(lines(gains)).toEqual(['4 A: 60.00 - 50.00 = 10.00 (average 4)', '5 A: 72.50 - 72.50 = 0.00 (average 5)']);
    expect(leftLines(gains)).toEqual(['A 15: 217.50']);
  });

  test('follows the order of trades within a day', () => {
    const held = buy('2024-01-02', 100, 100);
    const [saleFirst, purchaseFirst] = [
      [held, sell('2024-06-03T09:00:00Z', 30, 60), buy('2024-06-03T15:00:00Z', 20, 50)],
      // 120 for 150 are 1.25 each.
      [held, buy('2024-06-03T09:00:00Z', 20, 50), sell('2024-06-03T15:00:00Z', 30, 60)],
    ].map((trades) => lines(gainsOf(trades, { method: 'average' })));
    expect(saleFirst).toEqual(['30 A: 60.00 - 30.00 = 30.00 (average 30)']);
    expect(purchaseFirst).toEqual(['30 A: 60.00 - 37.50 = 22.50 (average 30)']);
  });

  test('holds all listings of an ISIN together, with one average', () => {
    const isin = 'IE0000000001';
    const trades = [
      buy('2024-01-02', 10, 100, { isin }),
      buy('2024-01-03', 10, 200, { isin, ticker: 'B' }),
      sell('2024-02-02', 5, 100, { isin }),
    ];
    // 300 for 20 are 15 each.
    expect(lines(gainsOf(trades, { method: 'average' }))).toEqual(['5 A: 100.00 - 75.00 = 25.00 (average 5)']);
    expect(lines(gainsOf(trades, { method: 'fifo' }))).toEqual(['5 A: 100.00 - 50.00 = 50.00 (fifo 5)']);
  });

  test('of a ticker that was renamed has the cost of its purchase', () => {
    const isin = 'IE0000000001';
    const trades = [buy('2024-01-02', 10, 100, { isin }), sell('2024-02-02', 4, 60, { isin, ticker: 'B' })];
    expect(lines(gainsOf(trades, { method: 'average' }))).toEqual(['4 B: 60.00 - 40.00 = 20.00 (average 4)']);
  });
});

describe('the broker’s own results', () => {
  const trades = [buy('2024-01-02', 10, 100, { realised: 0 }), sell('2024-02-02', 4, 60, { realised: '19.99' })];

  test('are used unchanged, and the cost is the proceeds less the result', () => {
    const gains = gainsOf(trades, { method: 'broker' });
    expect(lines(gains)).toEqual(['4 A: 60.00 - 40.01 = 19.99 (broker 4)']);
    expect(gains.left).toEqual([]);
  });

  test('are left out where the service gave none', () => {
    const gains = gainsOf([...trades, sell('2024-03-02', 1, 20)], { method: 'broker' });
    expect(gains.totals.proceeds.toFixed(2)).toBe('60.00');
    expect(
      gains.unmatched.map(({ quantity, proceeds, reason }) => [Number(quantity), Number(proceeds), reason]),
    ).toEqual([[1, 20, 'no_broker_result']]);
  });

  test('are compared with average cost, within a penny per sale', () => {
    const oneOff = gainsOf(trades, { method: 'fifo' }).checks;
    expect(oneOff).toMatchObject([{ expected: '19.99', actual: '20', residual: '0.01', holds: true }]);
    const wrong = gainsOf([buy('2024-01-02', 10, 100), sell('2024-02-02', 4, 60, { realised: 21 })], {
      method: 'broker',
    });
    expect(wrong.checks[0]).toMatchObject({ expected: '21', actual: '20', residual: '-1', holds: false });
    expect(wrong.checks[0]?.note).toContain('corporate actions');
  });
});

describe('splits', () => {
  test('keep the cost and change the number of shares', () => {
    const trades = [
      buy('2024-01-02', 10, 100),
      split('2024-02-02', 20),
      buy('2024-03-02', 3, 60),
      // First the 30 that cost 100; then 2 of the 3 at 20.00. On average 33 cost 160.
      sell('2024-04-02', 32, 400),
    ];
    const fifo = gainsOf(trades, { method: 'fifo' });
    expect(lines(fifo)).toEqual(['32 A: 400.00 - 140.00 = 260.00 (fifo 32)']);
    expect(leftLines(fifo)).toEqual(['A 1: 20.00']);
    expect(fifo.disposals[0]?.matches.map(({ quantity }) => quantity.toFixed())).toEqual(['30', '2']);
    expect(lines(gainsOf(trades, { method: 'average' }))).toEqual(['32 A: 400.00 - 155.15 = 244.85 (average 32)']);
  });

  test('may reduce the number of shares', () => {
    const gains = gainsOf([buy('2024-01-02', 30, 90), split('2024-02-02', -20), sell('2024-03-02', 4, 50)], {
      method: 'fifo',
    });
    expect(lines(gains)).toEqual(['4 A: 50.00 - 36.00 = 14.00 (fifo 4)']);
    expect(leftLines(gains)).toEqual(['A 6: 54.00']);
  });

  test('may have any ratio, and the lots still add up to the last decimal', () => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 2, 20),
        buy('2024-01-03', 5, 70),
        // 7 become 9: the first lot is 2.571428… shares now.
        split('2024-02-02', 2),
        sell('2024-03-02', 3, 50),
        sell('2024-03-03', 6, 100),
      ],
      { method: 'fifo' },
    );
    // 20 for the first lot, and of the second 3 × 7/9 − 2 = 1/3 of a share at 14.00.
    expect(lines(gains)).toEqual(['3 A: 50.00 - 24.67 = 25.33 (fifo 3)', '6 A: 100.00 - 65.33 = 34.67 (fifo 6)']);
    expect(gains.totals.cost.toFixed()).toBe('90');
    expect(gains.left[0]?.quantity.toFixed()).toBe('0');
  });
});

describe('the range', () => {
  test('selects the disposals, whose cost may come from before it', () => {
    const edge = { since: at('2024-04-02'), until: at('2024-05-02') };
    expect(lines(gainsOf(lots, { method: 'fifo', ...edge }))).toEqual(['15 A: 300.00 - 175.00 = 125.00 (fifo 15)']);
    const later = gainsOf(lots, { method: 'fifo', since: at('2024-05-02') });
    expect(lines(later)).toEqual(['10 A: 90.00 - 175.00 = -85.00 (fifo 10)']);
  });

  test('has totals, also by ticker', () => {
    const gains = gainsOf(
      [...lots, buy('2024-01-02', 1, 5, { ticker: 'B' }), sell('2024-04-03', 1, 7, { ticker: 'B' })],
      {
        method: 'fifo',
      },
    );
    const figures = (row: object) =>
      Object.fromEntries(
        Object.entries(row)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, typeof value === 'string' ? value : Number(value)]),
      );
    expect(figures(gains.totals)).toEqual({
      disposals: 3,
      proceeds: 397,
      cost: 355,
      gain: 42,
      gains: 127,
      losses: -85,
    });
    expect(gains.byTicker.map(figures)).toEqual([
      { ticker: 'A', disposals: 2, proceeds: 390, cost: 350, gain: 40 },
      { ticker: 'B', disposals: 1, proceeds: 7, cost: 5, gain: 2 },
    ]);
    expect(
      lines(gainsOf([...lots, sell('2024-04-03', 1, 7, { ticker: 'B' })], { method: 'fifo', ticker: 'B' })),
    ).toEqual([]);
  });
});

describe('a cost is unknown', () => {
  test('for a sale before any known purchase', () => {
    for (const method of ['fifo', 'average', 'uk_section_104'] as const) {
      const gains = gainsOf([sell('2024-01-02', 10, 100), buy('2024-06-02', 4, 40)], { method });
      expect(gains.disposals).toEqual([]);
      expect(gains.totals.gain.toFixed()).toBe('0');
      expect(gains.unmatched).toMatchObject([{ ticker: 'A', side: 'SELL', at: at('2024-01-02') }]);
      expect(gains.unmatched[0]?.reason).toBe('not_held');
      expect(gains.checks).toEqual([]);
      expect(gains.remarks.join()).toContain('The gains were not checked');
    }
  });

  test('for the part of a sale beyond the holding, with its share of the proceeds', () => {
    for (const method of ['fifo', 'average', 'uk_section_104'] as const) {
      const gains = gainsOf([buy('2024-01-02', 4, 20), sell('2024-06-02', 10, 100)], { method });
      expect(gains.disposals.map((row) => [row.quantity, row.proceeds, row.cost, row.gain].map(Number))).toEqual([
        [4, 40, 20, 20],
      ]);
      expect(gains.unmatched.map(({ quantity, proceeds }) => [Number(quantity), Number(proceeds)])).toEqual([[6, 60]]);
    }
  });

  test('for a trade without a value: a sale removes its shares and their cost, a purchase adds none', () => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 10, 100),
        sell('2024-02-02', 4, undefined),
        buy('2024-03-02', 5, undefined),
        sell('2024-04-02', 6, 90),
      ],
      { method: 'average' },
    );
    expect(lines(gains)).toEqual(['6 A: 90.00 - 60.00 = 30.00 (average 6)']);
    expect(gains.unmatched.map(({ side, proceeds, reason }) => [side, proceeds, reason])).toEqual([
      ['SELL', undefined, 'no_value_of_sale'],
      ['BUY', undefined, 'no_value_of_purchase'],
    ]);
    expect(gains.left[0]?.removedCost.toFixed()).toBe('40');
  });
});

describe('first in, first out', () => {
  const returned = (when: string, netValue: number) => action(when, 'CAPITAL_RETURNED', 0, netValue);

  test('spreads a change of cost over the shares that are left, and not over those that were sold', () => {
    const rows = [
      buy('2024-01-02', 10, 100),
      buy('2024-02-02', 30, 600),
      sell('2024-03-02', 15, 300),
      returned('2024-04-02', -50),
      sell('2024-05-02', 5, 100),
    ];
    const gains = gainsOf(rows, { method: 'fifo' });
    // 5 of the 25 left, which cost 500 − 50.
    expect(gains.disposals.map(({ cost }) => Number(cost))).toEqual([200, 90]);
    expect(leftLines(gains)).toEqual(['A 20: 360.00']);
  });

  test.each([
    [-50, [50]],
    [50, []],
  ])('a change of %i without shares is beyond the cost where it deducts', (amount, beyond) => {
    const gains = gainsOf([returned('2024-04-02', amount)], { method: 'fifo' });
    expect(gains.unmatched.map(({ reason, side, proceeds }) => [reason, side, Number(proceeds)])).toEqual(
      beyond.map((money) => ['capital_beyond_cost', 'SELL', money]),
    );
  });

  test('shares of one moment are sold in the order of their rows', () => {
    const rows = [
      buy('2024-01-02', 5, 50, { fillId: '1' }),
      buy('2024-01-02', 5, 100, { fillId: '2' }),
      sell('2024-02-02', 5, 75),
    ];
    expect(lines(gainsOf(rows, { method: 'fifo' }))).toEqual(['5 A: 75.00 - 50.00 = 25.00 (fifo 5)']);
  });

  test('older shares that come after some were sold are the next to be sold', () => {
    const costBasis = () => ({ acquiredAt: at('2020-01-02'), cost: new Big(20) });
    const rows = [
      buy('2024-01-02', 5, 50),
      buy('2024-01-03', 5, 60),
      sell('2024-02-02', 5, 75),
      action('2024-03-02', 'FOP', 5, 0),
      sell('2024-04-02', 5, 80),
    ];
    expect(lines(gainsOf(rows, { method: 'fifo', costBasis }))).toEqual([
      '5 A: 75.00 - 50.00 = 25.00 (fifo 5)',
      '5 A: 80.00 - 20.00 = 60.00 (fifo 5)',
    ]);
  });

  test('shares of an unknown cost among those left make their cost unknown', () => {
    const rows = [buy('2024-01-02', 5, 50), action('2024-03-02', 'FOP', 5, 0)];
    expect(leftLines(gainsOf(rows, { method: 'fifo' }))).toEqual(['A 10: unknown']);
  });
});

describe('the broker’s own results', () => {
  test('compare with average cost before capital was returned, and ours are after it', () => {
    const rows = [
      buy('2024-01-02', 10, 100),
      action('2024-02-02', 'CAPITAL_RETURNED', 0, -30),
      sell('2024-03-02', 5, 75, { realised: 25 }),
    ];
    for (const method of ['fifo', 'average', 'uk_section_104'] as const) {
      const gains = gainsOf(rows, { method });
      expect(gains.totals.gain.toFixed(2)).toBe('40.00');
      expect(gains.checks[0]).toMatchObject({ expected: '25', actual: '25', residual: '0' });
    }
  });

  test('of a purchase count for nothing', () => {
    const rows = [buy('2024-01-02', 10, 100, { realised: 5 }), sell('2024-03-02', 5, 75, { realised: 25 })];
    expect(gainsOf(rows, { method: 'broker' }).totals.gain.toFixed(2)).toBe('25.00');
    expect(gainsOf(rows, { method: 'broker' }).checks[0]).toMatchObject({ expected: '25', actual: '25' });
  });

  test('are of each listing, which the broker averages apart', () => {
    const isin = 'IE0000000001';
    const rows = [
      buy('2024-01-02', 10, 100, { isin }),
      buy('2024-01-03', 10, 200, { isin, ticker: 'B' }),
      sell('2024-02-02', 5, 100, { isin, realised: 50 }),
    ];
    const gains = gainsOf(rows, { method: 'average' });
    // Ours is 100 − 5 × 15.
    expect([gains.totals.gain.toFixed(2), gains.checks[0]]).toMatchObject(['25.00', { expected: '50', actual: '50' }]);
  });

  test('have no check while one listing of two cannot be matched', () => {
    const isin = 'IE0000000001';
    const rows = [
      buy('2024-01-02', 10, 100, { isin }),
      sell('2024-02-02', 5, 100, { isin, ticker: 'B', realised: 50 }),
    ];
    expect(gainsOf(rows, { method: 'average' }).checks).toEqual([]);
  });
});

describe('the currency', () => {
  const pounds = { valueCurrency: 'GBP' };
  const dollars = { valueCurrency: 'USD' };

  test.each([
    ['an amount of nothing', buy('2024-01-03', 1, 0, dollars)],
    ['a change of cost', action('2024-01-03', 'CAPITAL_RETURNED', 0, 5, dollars)],
  ])('of %s makes no second one of the holding', (_, row) => {
    const gains = gainsOf([buy('2024-01-02', 10, 100, pounds), row, sell('2024-02-02', 5, 75, pounds)], {
      method: 'fifo',
    });
    expect(gains.totalsByCurrency.map(({ currency, disposals }) => [currency, disposals])).toEqual([['GBP', 1]]);
  });

  test('of a holding of nothing but changes of cost is none, and that of a purchase for nothing is its own', () => {
    const change = action('2024-01-02', 'CAPITAL_RETURNED', 0, -5, dollars);
    expect(gainsOf([change], { method: 'fifo' }).totalsByCurrency.map(({ currency }) => currency)).toEqual([undefined]);
    const free = buy('2024-01-03', 1, 0, pounds);
    expect(gainsOf([change, free], { method: 'fifo' }).totalsByCurrency.map(({ currency }) => currency)).toEqual([
      'GBP',
    ]);
  });

  test.each([
    ['GBP', 'GBP', '3'],
    [undefined, 'GBP', '3'],
    ['GBP', undefined, '3'],
    ['USD', 'GBP', undefined],
  ])('of a charge in %s of a sale in %s', (ofCharge, ofSale, sum) => {
    const charge = { name: 'FEE', amount: new Big('1.5'), currency: ofCharge };
    const rows = [
      buy('2024-01-02', 10, 100, { valueCurrency: ofSale }),
      sell('2024-02-02', 5, 75, { valueCurrency: ofSale, charges: [charge, charge] }),
    ];
    const [disposal] = gainsOf(rows, { method: 'fifo' }).disposals;
    expect([disposal?.charges?.toFixed(), disposal?.currency]).toEqual([sum, ofSale]);
  });
});

test('a sale of which a part came by transfer and a part was never held has both parts with their proceeds', () => {
  const rows = [buy('2024-01-02', 5, 50), action('2024-01-03', 'FOP', 2, 0), sell('2024-02-02', 10, 100)];
  const gains = gainsOf(rows, { method: 'fifo' });
  expect(lines(gains)).toEqual(['5 A: 50.00 - 50.00 = 0.00 (fifo 5)']);
  expect(gains.unmatched.slice(1)).toEqual([
    {
      at: at('2024-02-02'),
      ticker: 'A',
      side: 'SELL',
      quantity: new Big(2),
      proceeds: new Big(20),
      reason: 'original_cost_unknown',
    },
    {
      at: at('2024-02-02'),
      ticker: 'A',
      side: 'SELL',
      quantity: new Big(3),
      proceeds: new Big(30),
      reason: 'not_held',
    },
  ]);
});
