/** Properties of every history: no penny and no share appears or disappears, under every method. */
import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import type { RealisedGains } from '../../../src/features/gains/gain-types.ts';
import { runs } from '../../support/runs.ts';
import { action, buy, gainsOf, methods, sell, split } from './trades.ts';

const start = Date.UTC(2024, 0, 1, 9);

interface Step {
  readonly kind: 'buy' | 'sell' | 'split' | 'free' | 'leave' | 'buyBlind' | 'sellBlind';
  readonly ticker: 'A' | 'B';
  readonly hours: number;
  /** 10,000ths of a share, or parts of what is held. */
  readonly size: number;
  readonly pence: number;
}

const steps = (kinds: readonly Step['kind'][]) =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      ticker: fc.constantFrom('A' as const, 'B' as const),
      hours: fc.integer({ min: 0, max: 400 }),
      size: fc.integer({ min: 1, max: 200_000 }),
      pence: fc.integer({ min: 1, max: 900_000 }),
    }),
    // Without `size` most histories would have five steps.
    { minLength: 1, maxLength: 40, size: 'max' },
  );

/** A history in which nothing is sold that is not held, unless `oversell`. Both tickers are one ISIN. */
function historyOf(plan: readonly Step[], oversell: boolean): { trades: Trade[]; held: Map<string, Big>; end: string } {
  const held = new Map<string, Big>();
  const trades: Trade[] = [];
  let at = start;
  const add = (trade: Trade, change: Big) => {
    trades.push(trade);
    held.set(trade.ticker, (held.get(trade.ticker) ?? new Big(0)).plus(change));
  };
  for (const { kind, ticker, hours, size, pence } of plan) {
    at += hours * 3_600_000;
    const when = new Date(at).toISOString();
    const more = { ticker, isin: 'IE0000000001' };
    const value = new Big(pence).div(100).toFixed();
    const quantity = new Big(size).div(10_000);
    const owned = held.get(ticker) ?? new Big(0);
    const part = owned.times(size).div(200_000).round(4, 0);
    const sold = oversell && size % 3 === 0 ? quantity : part;
    if (kind === 'buy') add(buy(when, quantity.toFixed(), value, more), quantity);
    else if (kind === 'buyBlind') add(buy(when, quantity.toFixed(), undefined, more), quantity);
    else if (kind === 'free') add(action(when, 'STOCK_DIVIDENDS', quantity.toFixed(), undefined, more), quantity);
    else if (sold.gt(0) && (kind === 'sell' || kind === 'sellBlind'))
      add(sell(when, sold.toFixed(), kind === 'sell' ? value : undefined, more), sold.neg());
    else if (part.gt(0) && kind === 'leave')
      add(action(when, 'FOP', part.neg().toFixed(), undefined, more), part.neg());
    else if (part.gt(0) && kind === 'split') {
      const added = size % 2 ? part : part.neg();
      if (owned.plus(added).gt(0)) add(split(when, added.toFixed(), more), added);
    }
  }
  return { trades, held, end: new Date(at + 90 * 86_400_000).toISOString() };
}

const sum = (figures: Iterable<Big>): Big => [...figures].reduce((total, figure) => total.plus(figure), new Big(0));
const paidIn = (trades: readonly Trade[]) =>
  sum(trades.filter(({ side, netValue }) => side === 'BUY' && netValue).map(({ netValue }) => netValue as Big));
const receivedFor = (trades: readonly Trade[]) =>
  sum(trades.filter(({ side, netValue }) => side === 'SELL' && netValue).map(({ netValue }) => netValue as Big));
const costIn = ({ disposals, left }: RealisedGains) =>
  sum([...disposals.map(({ cost }) => cost), ...left.flatMap(({ cost, removedCost }) => [cost as Big, removedCost])]);

const everything = ['buy', 'buy', 'buy', 'sell', 'sell', 'split', 'free', 'leave', 'buyBlind', 'sellBlind'] as const;

test.each(methods)(
  'by %s the amount paid equals the cost of disposals and remaining shares, to the last decimal',
  (method) => {
    let disposals = 0;
    fc.assert(
      fc.property(steps(everything), (plan) => {
        const { trades } = historyOf(plan, true);
        const gains = gainsOf(trades, { method });
        disposals += gains.disposals.length;
        expect(costIn(gains).toFixed()).toBe(paidIn(trades).toFixed());
        expect(sum(gains.disposals.flatMap(({ matches }) => matches.map(({ cost }) => cost))).toFixed()).toBe(
          gains.totals.cost.toFixed(),
        );
        const unmatched = gains.unmatched
          .filter(({ side }) => side === 'SELL')
          .map(({ proceeds }) => proceeds ?? new Big(0));
        expect(gains.totals.proceeds.plus(sum(unmatched)).toFixed()).toBe(receivedFor(trades).toFixed());
        expect(gains.totals.gain.toFixed()).toBe(gains.totals.gains.plus(gains.totals.losses).toFixed());
        expect(sum(gains.byTicker.map(({ gain }) => gain)).toFixed()).toBe(gains.totals.gain.toFixed());
      }),
      { numRuns: runs(240) },
    );
    expect(disposals).toBeGreaterThan(runs(150));
  },
);

test.each(methods)('by %s the remaining shares are the sum of the rows, across all splits', (method) => {
  fc.assert(
    fc.property(steps(['buy', 'buy', 'sell', 'free', 'leave']), (plan) => {
      const { trades, held } = historyOf(plan, false);
      const gains = gainsOf(trades, { method });
      expect(gains.unmatched).toEqual([]);
      expect(sum(gains.left.map(({ quantity }) => quantity)).toFixed()).toBe(sum(held.values()).toFixed());
      expect(gains.checks.map(({ residual }) => residual).at(-1)).toBe('0');
    }),
    { numRuns: runs(100) },
  );
});

test.each(['fifo', 'average'] as const)('by %s splits of any ratio leave as many shares as the rows say', (method) => {
  fc.assert(
    fc.property(steps(['buy', 'sell', 'split']), (plan) => {
      const { trades, held } = historyOf(plan, false);
      // The listings of one ISIN would be one holding, and are split together.
      const apart = trades.map((trade) => ({ ...trade, isin: undefined }));
      for (const { tickers, quantity } of gainsOf(apart, { method }).left)
        expect(quantity.toFixed()).toBe(held.get(tickers[0] as string)?.toFixed());
    }),
    { numRuns: runs(100) },
  );
});

test('when everything is sold, every method has the same gain: proceeds less cost', () => {
  fc.assert(
    fc.property(steps(['buy', 'buy', 'sell', 'free']), (plan) => {
      const { trades, held, end } = historyOf(plan, false);
      for (const [ticker, quantity] of held)
        if (quantity.gt(0)) trades.push(sell(end, quantity.toFixed(), '1234.56', { ticker, isin: 'IE0000000001' }));
      const expected = receivedFor(trades).minus(paidIn(trades)).toFixed();
      for (const method of methods) {
        const gains = gainsOf(trades, { method });
        expect(gains.totals.gain.toFixed(), method).toBe(expected);
        expect(gains.left.every(({ quantity, cost }) => quantity.eq(0) && cost?.eq(0))).toBe(true);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('a range shows a part of the same disposals, and adjacent ranges show all of them', () => {
  fc.assert(
    fc.property(steps(['buy', 'sell', 'sell']), fc.integer({ min: 0, max: 2000 }), (plan, hours) => {
      const { trades } = historyOf(plan, true);
      const cut = start + hours * 3_600_000;
      for (const method of methods) {
        const [all, before, after] = [
          gainsOf(trades, { method }),
          gainsOf(trades, { method, until: cut }),
          gainsOf(trades, { method, since: cut }),
        ];
        expect(before.totals.gain.plus(after.totals.gain).toFixed()).toBe(all.totals.gain.toFixed());
        expect(before.disposals.length + after.disposals.length).toBe(all.disposals.length);
      }
    }),
    { numRuns: runs(100) },
  );
});
