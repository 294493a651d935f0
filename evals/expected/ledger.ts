/**
 * Expected figures, added up from the rows of the service's own books. It shares no code with the program under test.
 */
import Big from 'big.js';
import type { GroundTruth } from '../../src/simulator/index.ts';
import { sumOf } from '../bodies.ts';

export const yearOf = (year: number): Range => ({ from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) });

/** Milliseconds, from inclusive, to exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export const always: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

const within =
  ({ from, to }: Range) =>
  ({ at }: { readonly at: number }) =>
    at >= from && at < to;

/** Fills that moved money, with the order they belong to. */
export const tradesOf = ({ history }: GroundTruth, range: Range = always) =>
  history.filter(within(range)).flatMap(({ order, fill, at }) => (fill?.type === 'TRADE' ? [{ order, fill, at }] : []));

export const dividendsOf = ({ dividends }: GroundTruth, range: Range = always, ticker?: string) =>
  dividends.filter(within(range)).filter((row) => ticker === undefined || row.ticker === ticker);

export const transactionsOf = ({ transactions }: GroundTruth, type: string, range: Range = always) =>
  transactions.filter(within(range)).filter((row) => row.type === type);

/** Sums by a key, to the penny, in the order of the keys' first rows. */
export function sumsBy<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  amountOf: (row: Row) => string,
): Record<string, string> {
  const sums = new Map<string, Big>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? new Big(0)).plus(amountOf(row)));
  return Object.fromEntries([...sums].map(([key, sum]) => [key, sum.toFixed(2)]));
}

/** The key with the largest sum. */
export function largestOf(sums: Readonly<Record<string, string>>): readonly [key: string, sum: string] {
  const [first] = Object.entries(sums).sort(([, a], [, b]) => new Big(b).cmp(a));
  if (!first) throw new Error('nothing to choose from');
  return first;
}

/** Each charge separately: of the trades, and account fees. */
export const chargesOf = (books: GroundTruth, range: Range = always) => [
  ...tradesOf(books, range).flatMap(({ order, fill }) =>
    fill.taxes.map(({ name, quantity }) => ({ name: name as string, ticker: order.ticker, amount: quantity })),
  ),
  ...transactionsOf(books, 'FEE', range).map(({ amount }) => ({
    name: 'ACCOUNT_FEE',
    ticker: undefined,
    amount: new Big(amount).neg().toFixed(),
  })),
];

/** What all holdings are worth now. */
export const marketValueOf = ({ positions }: GroundTruth): string =>
  sumOf(positions.map(({ currentValue }) => currentValue));

/** One holding; throws when it does not exist. */
export function holdingOf({ positions }: GroundTruth, ticker: string) {
  const holding = positions.find((position) => position.ticker === ticker);
  if (!holding) throw new Error(`${ticker} is not held`);
  return holding;
}

/** A share of a total in percent, two decimals. */
export const percentOf = (part: string | Big, whole: string | Big): string =>
  new Big(part).div(whole).times(100).toFixed(2);

/** Net deposits, the total value of cash and holdings, and the yearly rate that turns one into the other. */
export function lifeOf(books: GroundTruth, now: number) {
  const flows = [...transactionsOf(books, 'DEPOSIT'), ...transactionsOf(books, 'WITHDRAW')];
  const paidIn = sumOf(transactionsOf(books, 'DEPOSIT').map(({ amount }) => amount));
  const takenOut = new Big(sumOf(transactionsOf(books, 'WITHDRAW').map(({ amount }) => amount))).neg();
  const value = new Big(books.cash.total).plus(marketValueOf(books));
  const net = new Big(paidIn).minus(takenOut);
  const yearMs = 365 * 86_400_000;
  const future = (rate: number) =>
    flows.reduce((sum, { amount, at }) => sum + Number(amount) * (1 + rate) ** ((now - at) / yearMs), 0);
  let low = -0.99;
  let high = 10;
  for (let round = 0; round < 100; round++) {
    const middle = (low + high) / 2;
    if (future(middle) > Number(value)) high = middle;
    else low = middle;
  }
  return {
    paidIn,
    takenOut: takenOut.toFixed(2),
    value: value.toFixed(2),
    gain: value.minus(net).toFixed(2),
    yearlyPercent: (low * 100).toFixed(2),
  };
}
