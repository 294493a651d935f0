/** What a person sees of each leg of a draft, from facts alone and without text of the model. */
import Big from 'big.js';
import { type ApprovalRequestInput, createTicket } from '../../../core/approval/approval-request.ts';
import { lastKnownPrice, type OrderContext } from '../../../core/orders/account/account-snapshot.ts';
import type { Ticket } from '../../../core/orders/intent/approval-port.ts';
import type { DraftLegTicket } from '../../../core/orders/intent/draft-approval.ts';
import type { RiskLimits } from '../../../core/orders/intent/risk-limits.ts';
import type { DraftLeg } from '../book/draft.ts';
import { assumedPriceOf, toOrder } from '../book/legs.ts';

/** A leg with its number in the draft, and the account as it was read. */
export interface LegWithFacts {
  readonly number: number;
  readonly leg: DraftLeg;
  readonly facts: OrderContext;
  /** The cash for this buy comes from the sells. */
  readonly isDependent: boolean;
}

/** What the tickets of all legs share. `repeats` has the repeated intents by the number of the leg. */
export interface LegTicketInput extends Omit<ApprovalRequestInput, 'facts'> {
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
