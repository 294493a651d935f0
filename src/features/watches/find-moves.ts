/** Prices that crossed a level, and values that moved by a percentage since the day before. Pure and exact. */

import Big from 'big.js';
import type { WatchEvent } from './event.ts';
import type { MoveWatch, PriceWatch, Watch } from './watch-rules.ts';

export interface HeldPrice {
  readonly ticker: string;
  readonly name?: string | undefined;
  /** Decimal texts; prices in `currency`. */
  readonly price: string;
  readonly currency: string;
  readonly quantity: string;
  readonly averagePrice?: string | undefined;
}

/** Decimal texts in the account currency. */
export interface PortfolioValue {
  readonly value: string;
  /** Realised and unrealised result so far: deposits and withdrawals do not change it. */
  readonly result: string;
}

export interface PriceReading {
  /** Of the account's time zone (YYYY-MM-DD). */
  readonly day: string;
  readonly holdings: readonly HeldPrice[];
  readonly portfolio?: PortfolioValue | undefined;
}

interface Side {
  /** Of the watch. */
  readonly id: string;
  /** Whether the price is beyond the level. */
  readonly isBeyond: boolean;
  /** When it was reported (ms), and how often. */
  readonly firedAt?: number | undefined;
  readonly times: number;
}

export interface PriceSight {
  readonly last: PriceReading;
  /** The last reading of an earlier day. */
  readonly base?: PriceReading | undefined;
  readonly sides: readonly Side[];
  /** The moves of the day that were reported, or were there when the watch was first compared. */
  readonly moves: readonly { readonly id: string; readonly keys: readonly string[] }[];
}

/** A price that goes back and forth over a level is reported once in this time. */
const againMs = 3_600_000;

interface Compared {
  readonly events: readonly WatchEvent[];
  readonly sight: PriceSight;
}

/** Compares a reading of prices with the one before. `now` in ms. */
export function comparePrices(
  before: PriceSight | undefined,
  reading: PriceReading,
  watches: readonly Watch[],
  now: number,
): Compared {
  // A day of the past is that of a clock that was set back; its values are not those of the day before.
  const isNewDay = before !== undefined && before.last.day < reading.day;
  const base = isNewDay ? before.last : before?.base;
  const events: WatchEvent[] = [];
  const sides: Side[] = [];
  const moves: PriceSight['moves'][number][] = [];
  for (const watch of watches) {
    if (watch.kind === 'price') {
      const { side, event } = compareLevel(watch, before, reading, now);
      if (side) sides.push(side);
      if (event) events.push(event);
    } else {
      const known = before?.moves.find(({ id }) => id === watch.id)?.keys;
      const move = findMove(watch, base, reading, now);
      const reported = isNewDay ? known && [] : known;
      if (move && reported && !reported.includes(move.key)) events.push(move);
      moves.push({ id: watch.id, keys: [...new Set([...(reported ?? []), ...(move ? [move.key] : [])])] });
    }
  }
  return { events, sight: { last: reading, base, sides, moves } };
}

const findHolding = (reading: PriceReading | undefined, ticker: string): HeldPrice | undefined =>
  reading?.holdings.find((holding) => holding.ticker === ticker);

function compareLevel(
  watch: Watch & PriceWatch,
  before: PriceSight | undefined,
  reading: PriceReading,
  now: number,
): { readonly side?: Side | undefined; readonly event?: WatchEvent | undefined } {
  const { id, ticker, level, direction } = watch;
  const known = before?.sides.find((side) => side.id === id);
  const holding = findHolding(reading, ticker);
  // What is not held any more has no price: the watch begins again with the next holding.
  if (!holding) return {};
  const { name, price, currency } = holding;
  const isBeyond = direction === 'above' ? new Big(price).gte(level) : new Big(price).lte(level);
  const side: Side = { ...known, id, isBeyond, times: known?.times ?? 0 };
  const hasCrossed = known !== undefined && isBeyond && !known.isBeyond;
  const isRepeated = known?.firedAt !== undefined && Math.abs(now - known.firedAt) < againMs;
  const earlier = findHolding(before?.last, ticker);
  if (!hasCrossed || isRepeated || getSplitFactor(earlier, holding) !== undefined) return { side };
  return {
    side: { id, isBeyond, firedAt: now, times: side.times + 1 },
    event: {
      key: `price:${id}:${side.times + 1}`,
      kind: 'price',
      at: now,
      facts: { ticker, name, price, currency, level, direction },
    },
  };
}

function findMove(
  { id, ticker, percent }: Watch & MoveWatch,
  base: PriceReading | undefined,
  reading: PriceReading,
  now: number,
): WatchEvent | undefined {
  if (!base) return undefined;
  const moved = ticker === undefined ? movePortfolio(base, reading) : moveHolding(base, reading, ticker);
  if (!moved?.abs().gte(percent)) return undefined;
  return {
    key: `move:${id}:${reading.day}:${moved.gt(0) ? 'up' : 'down'}`,
    kind: 'move',
    at: now,
    facts: {
      ticker,
      name: ticker === undefined ? undefined : findHolding(reading, ticker)?.name,
      percent: moved.round(2).toFixed(),
      since: base.day,
    },
  };
}

/** The result of the investments since the base, in percent of the value then. */
function movePortfolio({ portfolio: then }: PriceReading, { portfolio: now }: PriceReading): Big | undefined {
  if (!then || !now || !new Big(then.value).gt(0)) return undefined;
  return new Big(now.result).minus(then.result).div(then.value).times(100);
}

function moveHolding(base: PriceReading, reading: PriceReading, ticker: string): Big | undefined {
  const [then, now] = [findHolding(base, ticker), findHolding(reading, ticker)];
  if (!then || !now || then.currency !== now.currency) return undefined;
  const comparable = new Big(then.price).times(getSplitFactor(then, now) ?? 1);
  return comparable.gt(0) ? new Big(now.price).div(comparable).minus(1).times(100) : undefined;
}

/** Costs that differ by less are equal: average prices are rounded. */
const costTolerance = '0.001';

/**
 * What a split did to the price of one share; undefined without a split. A split changes the number of shares and
 * leaves their cost as it was; a trade changes the cost too.
 */
function getSplitFactor(then: HeldPrice | undefined, now: HeldPrice): Big | undefined {
  if (then?.averagePrice === undefined || now.averagePrice === undefined) return undefined;
  const [before, after] = [new Big(then.quantity), new Big(now.quantity)];
  if (!before.gt(0) || !after.gt(0) || before.eq(after)) return undefined;
  const [spent, spentNow] = [before.times(then.averagePrice), after.times(now.averagePrice)];
  return spent.gt(0) && spentNow.minus(spent).abs().lte(spent.times(costTolerance)) ? before.div(after) : undefined;
}
