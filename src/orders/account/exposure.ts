/**
 * What our own orders take from the account as it was read. The broker shows them late, so the facts are
 * corrected by the journal, always to the careful side.
 */
import Big from 'big.js';
import type { Baseline, Intent } from '../intent/intent.ts';
import { isOpen } from '../intent/intent-status.ts';
import { unknownStates } from '../intent/states.ts';
import type { AccountSnapshot } from './account-snapshot.ts';
import { maxHolding, sellableQuantity } from './holdings.ts';
import { amountLeft, lagMs, type OwnTake, type Reading } from './unreflected-orders.ts';

const undecided = new Set<string>(['SENDING', ...unknownStates]);

/** Unknown counts as placed, and what waits for a human is held as if it were. */
export const countsInLimits = (intent: Intent, now: number): boolean =>
  intent.state === 'PLACED' || isOpen(intent, now);

/** Our orders of the last day and the undecided ones, beside the account as it was read. */
export interface OwnOrders {
  readonly facts: AccountSnapshot;
  readonly own: readonly Intent[];
  readonly now: number;
}

/** Cash for a new order (account currency); undefined when the service did not say how much there is. */
export function cashLeft({ facts, own, now }: OwnOrders, maxOrderValue: string): Big | undefined {
  const available = facts.summary.cash?.availableToTrade;
  if (available === undefined) return undefined;
  // What nobody knows the value of counts as the largest that is allowed.
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

/** Shares that may be held of the ticker in the end, with everything that is being bought. */
export function holdingWithOwn(ticker: string, { facts, own, now }: OwnOrders): Big {
  const same = own.filter((intent) => intent.ticker === ticker);
  const takes = toOwnTakes(same, now, ({ request }) => (request.side === 'BUY' ? request.quantity : '0'));
  // Room is what shrinks, as cash and free shares do.
  const room = toReading(facts, maxHolding(ticker, facts).times(-1));
  const earlier = toReadings(same, ({ bought }) => bought && new Big(bought).times(-1));
  return amountLeft(room, takes, earlier).times(-1);
}

const toReading = ({ askedAt }: Pick<Baseline, 'askedAt'>, amount: Big | string): Reading => ({
  askedAt,
  amount: new Big(amount),
});

/** What was read before each of our orders. */
const toReadings = (own: readonly Intent[], getAmount: (baseline: Baseline) => Big | string | undefined): Reading[] =>
  own.flatMap(({ baseline }) => {
    const amount = getAmount(baseline);
    return amount === undefined ? [] : [toReading(baseline, amount)];
  });

/** An order that ended without a fill takes nothing. */
const toOwnTakes = (own: readonly Intent[], now: number, getAmount: (intent: Intent) => string): OwnTake[] =>
  own
    .filter((intent) => countsInLimits(intent, now) && intent.endedAs === undefined)
    .map((intent) => ({ amount: new Big(getAmount(intent)), placedAt: getPlacedAt(intent) }));

const getPlacedAt = (intent: Intent): OwnTake['placedAt'] => {
  if (intent.state === 'PLACED') return intent.changedAt;
  return undecided.has(intent.state) ? 'undecided' : undefined;
};

/** Those that the list of pending orders may miss, or never had because they have ended since. */
export function unlisted({ facts, own, now }: OwnOrders): Intent[] {
  const listed = new Set(facts.pending.map(({ id }) => id));
  return own.filter((intent) => {
    if (!countsInLimits(intent, now) || intent.endedAs !== undefined) return false;
    if (intent.orderId !== undefined && listed.has(intent.orderId)) return false;
    return intent.state !== 'PLACED' || facts.askedAt < intent.changedAt + lagMs;
  });
}

/** For a person who reads the facts as they are; the rules count these orders. */
export function staleSnapshotNote(question: OwnOrders): readonly string[] {
  const since = unlisted(question).length;
  if (since === 0) return [];
  const orders = since === 1 ? 'one order from this program' : `${since} orders from this program`;
  const asOf = new Date(question.facts.asOf).toISOString();
  return [`Cash, position and pending orders were read at ${asOf}; they may not include ${orders}.`];
}

/** Account currency; an order of unknown value has none, and `unknown` says how many there are. */
export function totalValue(intents: readonly Intent[]): { known: Big; unknown: number } {
  return {
    known: intents.reduce((sum, intent) => sum.plus(intent.value ?? 0), new Big(0)),
    unknown: intents.filter((intent) => intent.value === undefined).length,
  };
}
