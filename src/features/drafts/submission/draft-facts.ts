/** Reads what a draft is checked against: the instruments, the account, and the opening hours. */

import Big from 'big.js';
import { type ApprovalRequestInput, createTicket } from '../../../core/approval/approval-request.ts';
import type { CallContext } from '../../../core/broker/types.ts';
import type { Exchange } from '../../../core/endpoints/index.ts';
import { describeOpening, marketHours } from '../../../core/instruments/market-hours.ts';
import { lastKnownPrice, type OrderContext } from '../../../core/orders/account/account-snapshot.ts';
import { estimateOrder } from '../../../core/orders/account/estimate.ts';
import type { Ticket } from '../../../core/orders/intent/approval-port.ts';
import type { DraftLegTicket } from '../../../core/orders/intent/draft-approval.ts';
import type { Refusal } from '../../../core/orders/intent/refusal.ts';
import type { RiskLimits } from '../../../core/orders/intent/risk-limits.ts';
import { type DraftOrder, expectProceeds, listDependentOrders } from '../../../core/orders/risk/evaluate-draft.ts';
import { resolveZone } from '../../../core/text/dates.ts';
import type { DraftLeg } from '../book/draft.ts';
import { assumedPriceOf, toOrder } from '../book/legs.ts';
import { readLegCharges } from '../order-outlook.ts';
import type { SubmissionDeps } from './submission.ts';

/** A leg with its order, and the account as it was read. */
export interface LegToCheck extends DraftOrder, LegWithFacts {
  /** Estimated, in the account currency; undefined when unknown, or when no person is asked. */
  readonly charges?: string | undefined;
}

export interface DraftFacts {
  /** In the sequence in which they are sent: sells first. */
  readonly legs: readonly LegToCheck[];
  readonly exchanges: readonly Exchange[];
}

type FactDeps = Pick<SubmissionDeps, 'directory' | 'facts' | 'history' | 'clock'>;

/** Reads the account for all legs, and for a person what they are likely to be charged. Throws when it cannot be read. */
export async function readDraftFacts(
  deps: FactDeps,
  legs: readonly DraftLeg[],
  isForPerson: boolean,
  context: CallContext,
): Promise<DraftFacts> {
  const { directory, facts } = deps;
  const reading: CallContext = { ...context, priority: 'lookUp' };
  const numbered = legs.map((leg, index) => ({ leg, number: index + 1 }));
  const sequence = [
    ...numbered.filter(({ leg }) => leg.side === 'SELL'),
    ...numbered.filter(({ leg }) => leg.side === 'BUY'),
  ];
  const withFacts: Omit<LegToCheck, 'isDependent'>[] = [];
  for (const one of sequence) {
    const instrument = await directory.getOrThrow(one.leg.ticker, reading);
    withFacts.push({ ...one, order: toOrder(one.leg), facts: await facts.read(instrument, reading) });
  }
  const dependent = listDependentOrders(withFacts);
  const valued = withFacts.map(({ order, facts: account }) => ({ order, value: estimateOrder(order, account).value }));
  const charges = isForPerson ? await readLegCharges(deps, valued, context) : [];
  const { exchanges } = await directory.exchanges(reading);
  const known = withFacts.map((one, index) => ({ ...one, isDependent: dependent.has(index), charges: charges[index] }));
  return { legs: known, exchanges };
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
    reason: `The price of ${leg.ticker} moved by ${moved.toFixed(1)} % since the draft was made; at most ${maxPriceMove} % is allowed. Plan again.`,
  };
}

/** Milliseconds that the market of a sell must stay open, if a buy waits for its fill. */
const openForMs = 15 * 60_000;

/** Why the fill of a sell that buys wait for cannot be expected in time. */
export function refuseClosedMarket(
  { order, facts }: LegToCheck,
  { legs, exchanges }: DraftFacts,
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
export function warnClosedMarkets({ legs, exchanges }: DraftFacts, now: number): readonly string[] {
  const closed = legs.flatMap(({ number, order, facts }) => {
    const { openNow, nextOpenAt } = marketHours(exchanges, facts.instrument.workingScheduleId, now);
    return openNow === false ? [{ number, ticker: order.ticker, opens: sayOpening(nextOpenAt, facts) }] : [];
  });
  return [...new Set(closed.map(({ opens }) => opens))].map((opens) => {
    const waiting = closed.filter((one) => one.opens === opens);
    const names = waiting.map(({ number, ticker }) => `${number} (${ticker})`).join(', ');
    return `The market of ${waiting.length === 1 ? 'leg' : 'legs'} ${names} is closed. It ${opens}.`;
  });
}

const sayOpening = (nextOpenAt: string | undefined, facts: LegToCheck['facts']): string =>
  describeOpening(nextOpenAt, { now: undefined, zone: resolveZone(facts.zone, facts.summary.currency) });

// What a person sees of each leg of a draft, from facts alone and without text of the model.

/** A leg with its number in the draft, and the account as it was read. */
export interface LegWithFacts {
  readonly number: number;
  readonly leg: DraftLeg;
  readonly facts: OrderContext;
  /** The cash for this buy comes from the sells. */
  readonly isDependent: boolean;
}

/** What the tickets of all legs share. `repeats` has the repeated intents by the number of the leg. */
interface LegTicketInput extends Omit<ApprovalRequestInput, 'facts'> {
  readonly environment: string;
  readonly limits: RiskLimits;
  readonly repeats?: ReadonlyMap<number, string>;
  readonly now: number;
}

/** The tickets in the sequence of `legs`; each position is the one after the legs before it. */
export function createLegTickets(
  legs: readonly LegWithFacts[],
  { environment, limits, repeats, now, ...known }: LegTicketInput,
): DraftLegTicket[] {
  const shares = new Map<string, string>();
  return legs.map(({ number, leg, facts, isDependent }): DraftLegTicket => {
    const asked = { id: '', environment, request: toOrder(leg), limits, repeatOf: repeats?.get(number) };
    const { intentId: _, ...ticket } = createTicket(asked, { ...known, facts }, now, assumedPriceOf(leg));
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
