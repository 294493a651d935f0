/** Prices that cross a level, and values that move since the day before. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparePrices, type PriceReading, type PriceSight } from '../../../src/features/watches/find-moves.ts';
import type { Watch } from '../../../src/features/watches/watch-rules.ts';
import { above, below, holding, hour, move, prices, start } from './support.ts';

interface Step {
  readonly at: number;
  readonly reading: PriceReading;
}

/** The keys that each step reported. */
function run(watches: readonly Watch[], steps: readonly Step[]): string[][] {
  let sight: PriceSight | undefined;
  return steps.map(({ at, reading }) => {
    const compared = comparePrices(sight, reading, watches, at);
    sight = JSON.parse(JSON.stringify(compared.sight));
    return compared.events.map(({ key }) => key);
  });
}

const series = (...texts: readonly string[]): Step[] =>
  texts.map((text, index) => ({ at: start + index * 2 * hour, reading: prices(text) }));

describe('a price level', () => {
  test('is crossed when the price reaches it from the other side, with the facts of the holding', () => {
    const before = comparePrices(undefined, prices('99.99'), [above('100')], start).sight;
    expect(comparePrices(before, prices('100'), [above('100')], start + 1).events).toEqual([
      {
        key: 'price:w1:1',
        kind: 'price',
        at: start + 1,
        facts: {
          ticker: 'QNOON_GB_EQ',
          name: 'Noon',
          price: '100',
          currency: 'GBX',
          level: '100',
          direction: 'above',
        },
      },
    ]);
  });

  test('is no event at the first sight, nor while the price stays beyond it', () => {
    expect(run([above('100')], series('120', '121', '99', '100', '130'))).toEqual([[], [], [], ['price:w1:1'], []]);
    expect(run([below('100')], series('90', '101', '100', '99', '101', '1'))).toEqual([
      [],
      [],
      ['price:w1:1'],
      [],
      [],
      ['price:w1:2'],
    ]);
  });

  test('that a price swings over is reported once within an hour', () => {
    const at = (minutes: number, price: string) => ({ at: start + minutes * 60_000, reading: prices(price) });
    expect(
      run([above('100')], [at(0, '99'), at(1, '101'), at(2, '99'), at(3, '101'), at(4, '99'), at(62, '101')]),
    ).toEqual([[], ['price:w1:1'], [], [], [], ['price:w1:2']]);
  });

  test('is not crossed by a split, nor by a holding that was sold and bought again', () => {
    const split = prices('50', { holdings: [holding('50', { quantity: '20', averagePrice: '50' })] });
    expect(
      run(
        [below('60')],
        [
          { at: start, reading: prices('100') },
          { at: start + hour, reading: split },
          { at: start + 2 * hour, reading: split },
        ],
      ),
    ).toEqual([[], [], []]);
    const none = prices('0', { holdings: [] });
    expect(
      run(
        [below('60')],
        [
          { at: start, reading: prices('100') },
          { at: start + hour, reading: none },
          { at: start + 2 * hour, reading: prices('50') },
        ],
      ),
    ).toEqual([[], [], []]);
  });

  test('is reported as often as the price comes to it from the other side, for any prices hours apart', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 1, maxLength: 30 }), (values) => {
        const crossings = values.filter((value, index) => index > 0 && value >= 100 && (values[index - 1] ?? 0) < 100);
        const reported = run([above('100')], series(...values.map(String))).flat();
        expect(reported).toEqual(crossings.map((_, index) => `price:w1:${index + 1}`));
      }),
    );
  });

  test('reported under a clock that was ahead is reported again', () => {
    const { sight } = comparePrices(undefined, prices('99'), [above('100')], start);
    const wrong = { ...sight, sides: [{ id: 'w1', isBeyond: false, firedAt: start + 900 * 24 * hour, times: 4 }] };
    expect(comparePrices(wrong, prices('100'), [above('100')], start).events.map(({ key }) => key)).toEqual([
      'price:w1:5',
    ]);
  });
});

describe('a move since the day before', () => {
  const on = (day: string, at: number, price: string, change: Partial<PriceReading> = {}): Step => ({
    at,
    reading: prices(price, { day, ...change }),
  });

  test('is measured from the last price of the day before, and reported once a day in each direction', () => {
    const watch = move('5', 'QNOON_GB_EQ');
    expect(
      run(
        [watch],
        [
          on('2026-01-15', 1, '90'),
          on('2026-01-15', 2, '100'),
          on('2026-01-16', 3, '104.99'),
          on('2026-01-16', 4, '105'),
          on('2026-01-16', 5, '110'),
          on('2026-01-16', 6, '95'),
          on('2026-01-16', 7, '106'),
          on('2026-01-17', 8, '111.3'),
        ],
      ),
    ).toEqual([[], [], [], ['move:w2:2026-01-16:up'], [], ['move:w2:2026-01-16:down'], [], ['move:w2:2026-01-17:up']]);
  });

  test('has its percentage and the day that it is measured from', () => {
    const watch = move('5', 'QNOON_GB_EQ');
    const first = comparePrices(undefined, prices('100', { day: '2026-01-12' }), [watch], 1).sight;
    const [event] = comparePrices(first, prices('93.333'), [watch], 2).events;
    expect(event?.facts).toEqual({ ticker: 'QNOON_GB_EQ', name: 'Noon', percent: '-6.67', since: '2026-01-12' });
  });

  test('that was there when the watch was added is no event', () => {
    const base = comparePrices(undefined, prices('100', { day: '2026-01-14' }), [], 1).sight;
    const moved = comparePrices(base, prices('120'), [], 2).sight;
    const watch = move('5', 'QNOON_GB_EQ');
    const added = comparePrices(moved, prices('121'), [watch], 3);
    expect(added.events).toEqual([]);
    expect(comparePrices(added.sight, prices('122'), [watch], 4).events).toEqual([]);
  });

  test('is none of a split, and none of a clock that was set back', () => {
    const watch = move('5', 'QNOON_GB_EQ');
    const holdings = [holding('51', { quantity: '20', averagePrice: '50' })];
    expect(run([watch], [on('2026-01-15', 1, '100'), on('2026-01-16', 2, '51', { holdings })])).toEqual([[], []]);
    expect(run([watch], [on('2026-01-15', 1, '100'), on('2026-01-14', 2, '200')])).toEqual([[], []]);
  });

  test('of the portfolio is its result in percent of its value then, so a deposit is none', () => {
    const day = (name: string, at: number, value: string, result: string) =>
      on(name, at, '1', { portfolio: { value, result } });
    expect(
      run(
        [move('2')],
        [
          day('2026-01-15', 1, '1000', '50'),
          day('2026-01-16', 2, '5000', '50'),
          day('2026-01-16', 3, '5020', '69.99'),
          day('2026-01-16', 4, '5020', '70'),
          day('2026-01-17', 5, '4000', '-10'),
          day('2026-01-17', 6, '4000', '-30.4'),
        ],
      ),
    ).toEqual([[], [], [], ['move:w2:2026-01-16:up'], [], ['move:w2:2026-01-17:down']]);
    expect(
      comparePrices(undefined, prices('1', { portfolio: { value: '0', result: '0' } }), [move('2')], 1).events,
    ).toEqual([]);
  });
});
