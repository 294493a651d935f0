/**
 * What our own orders take from the account as it was read. The broker shows them late, so the journal corrects the
 * figures, always towards caution.
 */

import Big from 'big.js';
import { countOf, secondsOf } from '../../text/count-of.ts';
import { type Baseline, correctTime, getPlacedAt, type Intent, isOpen } from '../intent/intent.ts';
import { unknownStates } from '../intent/states.ts';
import {
  type AccountSnapshot,
  heldQuantity,
  maxHolding,
  pendingOnTicker,
  sellableQuantity,
} from './account-snapshot.ts';

const undecided = new Set<string>(['SENDING', ...unknownStates]);

/**
 * Whether an intent counts towards the limits: unknown orders count as placed, and so do orders that wait for a
 * human.
 */
export const countsInLimits = (intent: Intent, now: number): boolean =>
  intent.state === 'PLACED' || isOpen(intent, now);

/** Own orders of the last day and the undecided ones, with the account as it was read. */
export interface OwnOrders {
  readonly facts: AccountSnapshot;
  readonly own: readonly Intent[];
  readonly now: number;
}

/** Cash for a new order in the account currency; undefined when the service did not report the available cash. */
export function cashLeft({ facts, own, now }: OwnOrders, maxOrderValue: string): Big | undefined {
  const available = facts.summary.cash?.availableToTrade;
  if (available === undefined) return undefined;
  // An order of unknown value counts as the largest value allowed.
  const takes = toOwnTakes(own, now, ({ request, value }) => (request.side === 'BUY' ? (value ?? maxOrderValue) : '0'));
  return amountLeft(
    toReading(facts, available),
    takes,
    toReadings(own, ({ cash }) => cash),
  );
}

/** Shares of the ticker that can be sold. */
export function sharesLeft(ticker: string, { facts, own, now }: OwnOrders): Big {
  const same = own.filter((intent) => intent.ticker === ticker);
  const takes = toOwnTakes(same, now, ({ request }) => (request.side === 'SELL' ? request.quantity : '0'));
  return amountLeft(
    toReading(facts, sellableQuantity(ticker, facts)),
    takes,
    toReadings(same, ({ free }) => free),
  );
}

/** The largest number of shares of the ticker that may be held after all purchases. */
export function holdingWithOwn(ticker: string, { facts, own, now }: OwnOrders): Big {
  const same = own.filter((intent) => intent.ticker === ticker);
  const takes = toOwnTakes(same, now, ({ request }) => (request.side === 'BUY' ? request.quantity : '0'));
  // `amountLeft` expects a figure that orders reduce, like cash or free shares, so the holding is negated.
  const room = toReading(facts, maxHolding(ticker, facts).times(-1));
  const earlier = toReadings(same, ({ bought }) => bought && new Big(bought).times(-1));
  return amountLeft(room, takes, earlier).times(-1);
}

const toReading = ({ askedAt }: Pick<Baseline, 'askedAt'>, amount: Big | string): Reading => ({
  askedAt,
  amount: new Big(amount),
});

/** The readings taken before each of our orders. */
const toReadings = (own: readonly Intent[], getAmount: (baseline: Baseline) => Big | string | undefined): Reading[] =>
  own.flatMap(({ baseline }) => {
    const amount = getAmount(baseline);
    return amount === undefined ? [] : [toReading(baseline, amount)];
  });

/** An order that ended without a fill takes nothing. */
const toOwnTakes = (own: readonly Intent[], now: number, getAmount: (intent: Intent) => string): OwnTake[] =>
  own
    .filter((intent) => countsInLimits(intent, now) && intent.endedAs === undefined)
    .map((intent) => ({ amount: new Big(getAmount(intent)), placedAt: getTakenAt(intent, now) }));

const getTakenAt = (intent: Intent, now: number): OwnTake['placedAt'] => {
  if (intent.state === 'PLACED') return correctTime(intent.changedAt, intent, now);
  return undecided.has(intent.state) ? 'undecided' : undefined;
};

/** Own orders that the list of pending orders may not include, because they are too new or have ended. */
export function unlisted({ facts, own, now }: OwnOrders): Intent[] {
  const listed = new Set(facts.pending.map(({ id }) => id));
  return own.filter((intent) => {
    if (!countsInLimits(intent, now) || intent.endedAs !== undefined) return false;
    if (intent.orderId !== undefined && listed.has(intent.orderId)) return false;
    return intent.state !== 'PLACED' || facts.askedAt < correctTime(intent.changedAt, intent, now) + lagMs;
  });
}

/** How many orders are pending on a ticker, with own ones that the broker does not list yet. */
export const countPending = (ticker: string, question: OwnOrders): number =>
  pendingOnTicker(ticker, question.facts).length +
  unlisted(question).filter((intent) => intent.ticker === ticker).length;

/**
 * A note for a person who reads the account data uncorrected; the rules count these orders. It is kept with a ticket,
 * so its times are relative to each other.
 */
export function staleSnapshotNote(question: OwnOrders): readonly string[] {
  const { facts, now } = question;
  const sent = unlisted(question)
    .filter((intent) => intent.sentAt !== undefined && !isFillShown(intent, facts))
    .map((intent) => ({ ...intent.request, apart: facts.askedAt - getPlacedAt(intent, now) }))
    .toSorted((a, b) => a.apart - b.apart);
  const [newest] = sent;
  if (!newest) return [];
  const { side, quantity, ticker, apart } = newest;
  const others = sent.length === 1 ? '' : ` and ${countOf(sent.length - 1, 'other order')} of it`;
  const read = `Cash, position and pending orders were read ${secondsOf(Math.abs(apart))}`;
  const order = `this program sent ${side} ${quantity} ${ticker}`;
  return [
    apart < 0
      ? `${read} before ${order}: they do not include that order${others}.`
      : `${read} after ${order}: they may not include that order${others} yet.`,
  ];
}

/** Whether the position has moved by the complete order since the reading before it. */
export function isFillShown({ ticker, request, baseline }: Intent, facts: AccountSnapshot): boolean {
  const moved = new Big(heldQuantity(ticker, facts)).minus(baseline.position);
  return moved.eq(new Big(request.quantity).times(request.side === 'SELL' ? -1 : 1));
}

/** In the account currency. Orders of unknown value are not in the sum; `unknown` is their number. */
export function totalValue(intents: readonly Pick<Intent, 'value'>[]): { known: Big; unknown: number } {
  return {
    known: intents.reduce((sum, intent) => sum.plus(intent.value ?? 0), new Big(0)),
    unknown: intents.filter((intent) => intent.value === undefined).length,
  };
}

// Computes how much of a figure of the account is left for a new order, although the broker shows our own orders
// late. Pure.
// A figure that was requested at least `lagMs` after an order was placed is assumed to include that order. A younger
// order is subtracted, except for the part by which the figure has already dropped. The drop is measured from an
// earlier reading, and is attributed to those of our orders that this reading may not include. A drop that another
// program or the app caused cannot be distinguished, so only readings of the last minute are compared.

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
