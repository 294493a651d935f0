/**
 * How much of a figure of the account is left for a new order, when the broker shows our own orders late. Pure.
 *
 * An order is taken to be in every figure that is asked for `lagMs` after it was placed. A younger one counts as
 * if it were shown, as far as the figure has not dropped for it yet. The drop is measured from an earlier reading,
 * and our orders that this reading may miss are all that can explain it. A drop that another program or the app
 * caused cannot be told apart, so only readings of the last minute are compared.
 */
import Big from 'big.js';

/** Cash, free shares or room for more shares, as the broker gave it. */
export interface Reading {
  /** When it was asked for (ms). */
  readonly askedAt: number;
  readonly amount: Big;
}

/** What one order of ours takes from the figure. */
export interface OwnTake {
  readonly amount: Big;
  /** When the broker took it (ms); `undecided` while that is not known; undefined when it has not been sent. */
  readonly placedAt: number | 'undecided' | undefined;
}

/** Ten times the longest delay that has been reported. After it the broker's figures are believed as they are. */
export const lagMs = 30_000;

/** A reading from before the orders that may be missing: these are at most `lagMs` old, and their facts as much older. */
const comparedMs = 60_000;

/** What is left, with what has not been sent held back. `earlier` are readings of the same figure; below 0 is too much. */
export function amountLeft(reading: Reading, own: readonly OwnTake[], earlier: readonly Reading[]): Big {
  const heldBack = sumAmounts(own.filter(({ placedAt }) => placedAt === undefined));
  const comparable = earlier.filter(
    ({ askedAt }) => askedAt <= reading.askedAt && askedAt >= reading.askedAt - comparedMs,
  );
  const lefts = [reading, ...comparable].map((before) => {
    const dropped = before.amount.minus(reading.amount);
    const shown = dropped.gt(0) ? dropped : new Big(0);
    const unshown = sumAmounts(own.filter((take) => mayMissIn(before, take))).minus(shown);
    return unshown.gt(0) ? reading.amount.minus(unshown) : reading.amount;
  });
  // Each is a lower bound of what is left in truth.
  return lefts.reduce((most, left) => (left.gt(most) ? left : most)).minus(heldBack);
}

const mayMissIn = ({ askedAt }: Reading, { placedAt }: OwnTake): boolean =>
  placedAt === 'undecided' || (placedAt !== undefined && askedAt < placedAt + lagMs);

const sumAmounts = (takes: readonly OwnTake[]): Big => takes.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
