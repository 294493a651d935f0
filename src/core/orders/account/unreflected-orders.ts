/**
 * Computes how much of a figure of the account is left for a new order, although the broker shows our own orders
 * late. Pure.
 *
 * A figure that was requested at least `lagMs` after an order was placed is assumed to include that order. A younger
 * order is subtracted, except for the part by which the figure has already dropped. The drop is measured from an
 * earlier reading, and is attributed to those of our orders that this reading may not include. A drop that another
 * program or the app caused cannot be distinguished, so only readings of the last minute are compared.
 */
import Big from 'big.js';

/** Cash, free shares, or room for more shares, as reported by the broker. */
export interface Reading {
  /** When it was requested (ms). */
  readonly askedAt: number;
  readonly amount: Big;
}

/** What one of our orders takes from the figure. */
export interface OwnTake {
  readonly amount: Big;
  /** When the broker took it (ms); `undecided` while that is unknown; undefined when the order was not sent. */
  readonly placedAt: number | 'undecided' | undefined;
}

/** Ten times the longest delay that has been reported. After it the broker's figures are used uncorrected. */
export const lagMs = 30_000;

/**
 * How old a reading may be for the comparison. It has to be from before the orders that may be missing; these are
 * at most `lagMs` old, and their own readings up to `lagMs` older.
 */
const comparedMs = 60_000;

/**
 * What is left of a figure after subtracting orders that were not sent yet and those it does not show. `earlier`
 * are readings of the same figure. A negative result means that too much is already taken.
 */
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
  // Each value is a lower bound of what is really left, so the largest one is used.
  return lefts.reduce((most, left) => (left.gt(most) ? left : most)).minus(heldBack);
}

const mayMissIn = ({ askedAt }: Reading, { placedAt }: OwnTake): boolean =>
  placedAt === 'undecided' || (placedAt !== undefined && askedAt < placedAt + lagMs);

const sumAmounts = (takes: readonly OwnTake[]): Big => takes.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
