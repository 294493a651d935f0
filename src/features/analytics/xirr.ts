/**
 * The money-weighted rate of return: the annual rate at which all payments, compounded to the last day, sum to
 * zero. Days are counted as spreadsheets do: full days, 365 per year. A rate is no amount of money, so doubles are
 * accurate enough.
 */

import { dayMs } from '../../core/clock.ts';

export interface DatedAmount {
  /** Milliseconds since 1970; only its UTC day counts. */
  readonly at: number;
  /** From the investor's view: negative was paid in, positive was taken out or is the final value. */
  readonly amount: number;
}

type Xirr =
  | {
      /**
       * 0.1 is 10 % a year. Very large over a few days: 5 % in one day is a rate of 54 million, so over five
       * billion percent a year.
       */
      readonly annualRate: number;
      /** The return over the complete period, not annualized. */
      readonly periodRate: number;
      readonly days: number;
    }
  | { readonly reason: string };

/** The rate, or the reason why there is none. */
export function xirr(amounts: readonly DatedAmount[]): Xirr {
  const daily = new Map<number, number>();
  for (const { at, amount } of amounts) {
    const day = Math.floor(at / dayMs);
    daily.set(day, (daily.get(day) ?? 0) + amount);
  }
  const flows = [...daily].filter(([, amount]) => amount !== 0).sort(([a], [b]) => a - b);
  const first = flows[0]?.[0];
  const last = flows.at(-1)?.[0];
  if (first === undefined || last === undefined) return { reason: 'There were no cash flows, so there is no return.' };
  if (last === first) return { reason: 'The money was invested for less than one day.' };
  if (!flows.some(([, amount]) => amount < 0) || !flows.some(([, amount]) => amount > 0))
    return { reason: 'All cash flows have the same direction, so no rate fits.' };

  const days = last - first;
  const largest = Math.max(...flows.map(([, amount]) => Math.abs(amount)));
  const terms = flows.map(([day, amount]): Term => ({ amount: amount / largest, time: (day - first) / days }));
  const zeros = isolateRoots(terms);
  const [only] = zeros ?? [];
  if (!zeros || zeros.length > 1) return { reason: 'More than one rate fits these cash flows.' };
  if (!only) return { reason: 'No rate fits these cash flows.' };
  const growth = bisect(terms, only);
  return { annualRate: Math.expm1((growth * 365) / days), periodRate: Math.expm1(growth), days };
}

/**
 * Finds all zeros of a sum of exponentials, and proves that there are no others. Newton's method finds one zero but
 * cannot show that it is the only one. Here an interval is discarded only if the sum cannot be zero in it, and
 * accepted only if the sum is monotonic in it and so has at most one zero.
 */
interface Term {
  readonly amount: number;
  /** 0 to 1. */
  readonly time: number;
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A zero beyond this bound would need an account that loses a fortune down to its last penny within an hour. */
const furthest = 2 ** 20;
const maxIntervals = 20_000;
const narrowest = 1e-10;

/**
 * Intervals of v that each contain exactly one zero of Σ amount · e^(−v·time). Terms are in order of time, the
 * first at 0 and the last at 1. Undefined when zeros are too close to be separated.
 */
function isolateRoots(terms: readonly Term[]): Interval[] | undefined {
  const found: Interval[] = [];
  const open: Interval[] = [{ from: -computeBound(terms, 'last'), to: computeBound(terms, 'first') }];
  for (let looked = 0; open.length > 0; looked++) {
    const stretch = open.pop() as Interval;
    const { from, to } = stretch;
    const { value, slope, atFrom, atTo } = boundsOn(terms, stretch);
    if (!value.hasZero) continue;
    if (!slope.hasZero) {
      // Half open, so that a zero on the border of two intervals is counted once.
      if (atFrom === 0 || Math.sign(atFrom) * Math.sign(atTo) < 0) found.push(stretch);
      continue;
    }
    if (to - from < narrowest || looked > maxIntervals) return undefined;
    const middle = (from + to) / 2;
    open.push({ from: middle, to }, { from, to: middle });
  }
  return found;
}

/** The zero of an interval that has exactly one, by halving until no double is in between. */
function bisect(terms: readonly Term[], stretch: Interval): number {
  let { from, to } = stretch;
  const centre = centreAt(terms, (from + to) / 2);
  const sign = Math.sign(valueAt(terms, from, centre));
  if (sign === 0) return from;
  for (;;) {
    const middle = (from + to) / 2;
    if (middle <= from || middle >= to) return middle;
    if (Math.sign(valueAt(terms, middle, centre)) === sign) from = middle;
    else to = middle;
  }
}

/** The bound beyond which the first (or last) amount outweighs all others, so that no zero is further out. */
function computeBound(terms: readonly Term[], end: 'first' | 'last'): number {
  const own = terms.at(end === 'first' ? 0 : -1) as Term;
  let bound = 1;
  for (; bound < furthest; bound *= 2) {
    let others = -Math.abs(own.amount);
    for (const { amount, time } of terms)
      others += Math.abs(amount) * Math.exp(-bound * (end === 'first' ? time : 1 - time));
    if (others < Math.abs(own.amount)) break;
  }
  return bound;
}

/**
 * Bounds of the sum and its slope on an interval. The sum is multiplied by e^(v·centre), which moves no zero and
 * keeps the relevant terms nearly constant, so that the bounds are tight.
 */
function boundsOn(terms: readonly Term[], { from, to }: Interval) {
  const centre = centreAt(terms, (from + to) / 2);
  const value = { low: 0, high: 0 };
  const slope = { low: 0, high: 0 };
  let atFrom = 0;
  let atTo = 0;
  for (const { amount, time } of terms) {
    const distance = time - centre;
    const begin = amount * Math.exp(-from * distance);
    const end = amount * Math.exp(-to * distance);
    atFrom += begin;
    atTo += end;
    widen(value, begin, end);
    widen(slope, -distance * begin, -distance * end);
  }
  return { value: zeroInside(value), slope: zeroInside(slope), atFrom, atTo };
}

function widen(bounds: { low: number; high: number }, one: number, other: number): void {
  bounds.low += Math.min(one, other);
  bounds.high += Math.max(one, other);
}

/** Powers too large for a double make the bounds infinite or NaN; then a zero is not excluded. */
const zeroInside = ({ low, high }: { low: number; high: number }) => ({ hasZero: !(low > 0 || high < 0) });

function centreAt(terms: readonly Term[], v: number): number {
  let weights = 0;
  let times = 0;
  // Shifted so that the largest power is at most 1 for either sign of v.
  const shift = v < 0 ? 1 : 0;
  for (const { amount, time } of terms) {
    const weight = Math.abs(amount) * Math.exp(-v * (time - shift));
    weights += weight;
    times += weight * time;
  }
  return times / weights;
}

function valueAt(terms: readonly Term[], v: number, centre: number): number {
  let sum = 0;
  for (const { amount, time } of terms) sum += amount * Math.exp(-v * (time - centre));
  return sum;
}
