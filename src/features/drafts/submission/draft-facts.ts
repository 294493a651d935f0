/** Reads what a draft is checked against: the instruments, the account, and the opening hours. */

import Big from 'big.js';
import { type ApprovalRequestInput, createTicket } from '../../../core/approval/approval-request.ts';
import type { CallContext } from '../../../core/broker/types.ts';
import type { Exchange, TradableInstrument } from '../../../core/endpoints/index.ts';
import { type BrokerageError, isFailure } from '../../../core/errors.ts';
import { describeOpening, marketHours } from '../../../core/instruments/market-hours.ts';
import { lastKnownPrice, type OrderContext } from '../../../core/orders/account/account-snapshot.ts';
import { estimateOrder } from '../../../core/orders/account/estimate.ts';
import { cashLeft } from '../../../core/orders/account/exposure.ts';
import type { Ticket } from '../../../core/orders/intent/approval-port.ts';
import type { DraftLegTicket } from '../../../core/orders/intent/draft-approval.ts';
import type { Intent } from '../../../core/orders/intent/intent.ts';
import type { JournalView } from '../../../core/orders/intent/journal-port.ts';
import type { Refusal } from '../../../core/orders/intent/refusal.ts';
import type { RiskLimits } from '../../../core/orders/intent/risk-limits.ts';
import { type DraftOrder, expectProceeds, listDependentOrders } from '../../../core/orders/risk/evaluate-draft.ts';
import { listOwn } from '../../../core/orders/risk/evaluate-order.ts';
import { resolveZone } from '../../../core/text/dates.ts';
import type { DraftLeg } from '../book/draft.ts';
import { assumedPriceOf, toOrder } from '../book/legs.ts';
import { readLegCharges } from '../order-outlook.ts';
import type { SubmissionDeps } from './submission.ts';

/** A leg with its order, and the account as it was read. */
export interface ReadLeg extends DraftOrder {
  /** In the draft, from 1. */
  readonly number: number;
  readonly leg: DraftLeg;
}

export interface LegToCheck extends ReadLeg {
  /** The cash for this buy comes from the sells. */
  readonly isDependent: boolean;
}

/** What was read. The legs are in the sequence in which they are sent: sells first. */
export interface ReadFacts {
  readonly legs: readonly ReadLeg[];
  readonly exchanges: readonly Exchange[];
  /** Why the legs after these could not be read. */
  readonly problem?: BrokerageError | undefined;
}

/** What a draft is checked against: the account as it was read, and what the store knows of own orders. */
export interface DraftFacts {
  readonly legs: readonly LegToCheck[];
  readonly exchanges: readonly Exchange[];
  /** Own orders that the account data may not include yet. */
  readonly own: readonly Intent[];
  readonly limits: RiskLimits;
  /** What own orders leave of the cash; undefined when the service did not report it, or no leg was read. */
  readonly cash: Big | undefined;
}

/** Reads the account for the legs until one fails; the failure is part of the result. A cancelled call throws. */
export async function readFacts(
  { directory, facts }: SubmissionDeps,
  legs: readonly DraftLeg[],
  context: CallContext,
  read: (instrument: TradableInstrument, context: CallContext) => Promise<OrderContext> = facts.read,
): Promise<ReadFacts> {
  const numbered = legs.map((leg, index) => ({ leg, number: index + 1 }));
  const sequence = [
    ...numbered.filter(({ leg }) => leg.side === 'SELL'),
    ...numbered.filter(({ leg }) => leg.side === 'BUY'),
  ];
  const known: ReadLeg[] = [];
  let exchanges: readonly Exchange[] = [];
  try {
    ({ exchanges } = await directory.exchanges(context));
    for (const one of sequence) {
      const instrument = await directory.getOrThrow(one.leg.ticker, context);
      known.push({ ...one, order: toOrder(one.leg), facts: await read(instrument, context) });
    }
    return { legs: known, exchanges };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { legs: known, exchanges, problem: error };
  }
}

/** What each leg is likely to be charged in the account currency; undefined when unknown. */
export const readCharges = (
  deps: SubmissionDeps,
  legs: readonly ReadLeg[],
  context: CallContext,
): Promise<readonly (string | undefined)[]> =>
  readLegCharges(
    deps,
    legs.map(({ order, facts }) => ({ order, value: estimateOrder(order, facts).value })),
    context,
  );

/** Adds what the store knows, and finds the buys that wait for the sells. */
export async function findDependent(
  tx: JournalView,
  deps: Pick<SubmissionDeps, 'limits'>,
  { legs, exchanges }: ReadFacts,
  { accountKey, now }: { readonly accountKey: string; readonly now: number },
): Promise<DraftFacts> {
  const limits = await deps.limits(tx);
  const own = await listOwn(tx, accountKey, now);
  const account = legs[0]?.facts;
  const cash = account && cashLeft({ facts: account, own, now }, limits.maxOrderValue);
  const dependent = listDependentOrders(legs, cash ?? new Big(0));
  return {
    legs: legs.map((leg, index) => ({ ...leg, isDependent: dependent.has(index) })),
    exchanges,
    own,
    limits,
    cash,
  };
}

/** Percent that the price of a leg may differ from the price that sized it. */
const maxPriceMove = 5;

/** Why a leg is too old to be sent: its price moved since the version was made. */
export function refuseStale({ leg, facts }: LegToCheck): Refusal | undefined {
  const price = lastKnownPrice(leg.ticker, facts);
  if (leg.price === undefined || leg.isPriceAssumed || price === undefined || new Big(leg.price).eq(0))
    return undefined;
  const moved = new Big(price).div(leg.price).minus(1).times(100);
  if (moved.abs().lte(maxPriceMove)) return undefined;
  return {
    rule: 'draft_stale',
    reason: `The price of ${leg.ticker} moved by ${moved.toFixed(1)}% since the draft was made; at most ${maxPriceMove}% is allowed. Plan again.`,
  };
}

/** Milliseconds that the market of a sell must stay open, if a buy waits for its fill. */
const openForMs = 15 * 60_000;

/** Why the fill of a sell that buys wait for cannot be expected in time. */
export function refuseClosedMarket(
  { order, facts }: LegToCheck,
  { legs, exchanges }: Pick<DraftFacts, 'legs' | 'exchanges'>,
  now: number,
): (Refusal & { readonly retryAfterSeconds?: number }) | undefined {
  if (!legs.some(({ isDependent }) => isDependent) || !expectProceeds(order, '1').gt(0)) return undefined;
  const { workingScheduleId } = facts.instrument;
  const closesAt = findClosing(exchanges, workingScheduleId, now);
  if (closesAt === undefined || closesAt > now + openForMs) return undefined;
  const { openNow } = marketHours(exchanges, workingScheduleId, now);
  if (openNow === undefined)
    return {
      rule: 'market_unknown',
      reason: `Buys of this draft wait for the sale of ${order.ticker}, and whether its market is open is unknown.`,
    };
  const { nextOpenAt } = marketHours(exchanges, workingScheduleId, closesAt);
  return {
    ...(nextOpenAt === undefined ? {} : { retryAfterSeconds: Math.ceil((Date.parse(nextOpenAt) - now) / 1000) }),
    rule: 'market_closed',
    reason: `Buys of this draft wait for the sale of ${order.ticker}, whose market is ${openNow ? 'about to close' : 'closed'}; it ${sayOpening(nextOpenAt, facts)}.`,
  };
}

/**
 * From when a market is not open (ms): `from`, if it is not open then; undefined if no end of its session is published.
 * A venue that never pauses is open after an event too.
 */
function findClosing(exchanges: readonly Exchange[], scheduleId: string | undefined, from: number): number | undefined {
  const { openNow, next } = marketHours(exchanges, scheduleId, from);
  if (!openNow) return from;
  return next && findClosing(exchanges, scheduleId, Date.parse(next.at));
}

/**
 * What the owner should know about closed markets: a sentence for each moment of opening, with the legs that wait for
 * it. The sentences are kept with the attempt, so they have the full date.
 */
export function warnClosedMarkets({ legs, exchanges }: ReadFacts, now: number): readonly string[] {
  const closed = legs.flatMap(({ number, order, facts }) => {
    const { openNow, nextOpenAt } = marketHours(exchanges, facts.instrument.workingScheduleId, now);
    return openNow === false ? [{ number, ticker: order.ticker, opens: sayOpening(nextOpenAt, facts) }] : [];
  });
  return [...new Set(closed.map(({ opens }) => opens))].map((opens) => {
    const waiting = closed.filter((one) => one.opens === opens);
    const names = waiting.map(({ number, ticker }) => `${number} (${ticker})`).join(', ');
    return `The market of ${waiting.length === 1 ? 'order' : 'orders'} ${names} is closed. It ${opens}.`;
  });
}

const sayOpening = (nextOpenAt: string | undefined, facts: LegToCheck['facts']): string =>
  describeOpening(nextOpenAt, { now: undefined, zone: resolveZone(facts.zone, facts.summary.currency) });

// What a person sees of each leg of a draft, from facts alone and without text of the model.

/** What the tickets of all legs share. `repeats` has the repeated intents by the number of the leg. */
interface LegTicketInput extends Omit<ApprovalRequestInput, 'facts'> {
  readonly environment: string;
  readonly limits: RiskLimits;
  readonly repeats?: ReadonlyMap<number, string>;
  readonly now: number;
}

/** The tickets in the sequence of `legs`; each position is the one after the legs before it. */
export function createLegTickets(
  legs: readonly LegToCheck[],
  { environment, limits, repeats, now, ...known }: LegTicketInput,
): DraftLegTicket[] {
  const shares = new Map<string, string>();
  return legs.map(({ number, leg, facts, isDependent }): DraftLegTicket => {
    const asked = { id: '', environment, request: toOrder(leg), limits, repeatOf: repeats?.get(number) };
    const { intentId: _, cash: __, ...ticket } = createTicket(asked, { ...known, facts }, now, assumedPriceOf(leg));
    const position = toPositionInDraft(ticket.position, shares.get(leg.ticker));
    shares.set(leg.ticker, position.after);
    return {
      number,
      ticket: { ...ticket, position },
      priceThen: leg.price,
      priceNow: lastKnownPrice(leg.ticker, facts),
      isPriceAssumed: leg.isPriceAssumed ?? false,
      isDependent,
    };
  });
}

/** The position of a leg after those before it, so that the last leg of a ticker shows what the draft leaves. */
function toPositionInDraft({ before, after }: Ticket['position'], earlier: string | undefined): Ticket['position'] {
  if (earlier === undefined) return { before, after };
  return { before: earlier, after: new Big(earlier).plus(after).minus(before).toFixed() };
}
