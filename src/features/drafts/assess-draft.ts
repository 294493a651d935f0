/** What a draft is now: each leg alone, all legs together, and their sums. Sends and keeps nothing. */

import Big from 'big.js';
import type { CallContext } from '../../core/broker/types.ts';
import { type BrokerageError, isFailure } from '../../core/errors.ts';
import { costMargin, type Estimate } from '../../core/orders/account/estimate.ts';
import type { DraftLegTicket } from '../../core/orders/intent/draft-approval.ts';
import type { Refusal } from '../../core/orders/intent/refusal.ts';
import type { RiskLimits } from '../../core/orders/intent/risk-limits.ts';
import { expectProceeds } from '../../core/orders/risk/evaluate-draft.ts';
import { evaluateOrder } from '../../core/orders/risk/evaluate-order.ts';
import { previewOrder } from '../../core/orders/risk/order-preview.ts';
import { readAfterOrders } from '../../core/orders/tradable-account.ts';
import { foreignCurrency } from '../../core/text/sanitize-text.ts';
import type { DraftLeg } from './book/draft.ts';
import { assumedPriceOf } from './book/legs.ts';
import { findRecentTrade, type RecentTrade } from './book/recent-trade.ts';
import { cashAfterAll, sumCharges } from './order-outlook.ts';
import { type DraftRefusal, getRefusalStep, refuseDraft } from './submission/check-submission.ts';
import {
  createLegTickets,
  type DraftFacts,
  findDependent,
  type LegToCheck,
  type ReadFacts,
  readCharges,
  readFacts,
} from './submission/draft-facts.ts';
import type { SubmissionDeps, SubmissionView } from './submission/submission.ts';

export interface DraftToAssess {
  readonly legs: readonly DraftLeg[];
  /** The version a tool would submit; undefined when it was not saved yet, and for a person, whose attempts have no bound. */
  readonly saved?: { readonly draftId: string; readonly version: number } | undefined;
  /** It waits for approval: the check of all legs together would count its own legs, and passed before. */
  readonly isSubmitted?: boolean | undefined;
  /** A person reads it, who can submit it in a terminal: a few rules for tools do not hold there, and charges are read. */
  readonly isForPerson?: boolean | undefined;
}

/** A leg as it is now. Without an estimate and a ticket the account could not be read for it. */
export interface AssessedLeg {
  readonly leg: DraftLeg;
  readonly estimate?: Estimate | undefined;
  readonly ticket?: DraftLegTicket | undefined;
  /** The currency of the leg's prices (`GBX` is pence); undefined when it is unknown. */
  readonly priceCurrency?: string | undefined;
  /** In the account currency; undefined when no own fill shows what such an order is charged, and for a model. */
  readonly charges?: string | undefined;
  /** The first rule that the leg breaks on its own; undefined when it passes all of them. */
  readonly refusal?: Refusal | undefined;
  /** The trade that this leg seems to repeat: a submission is refused unless it names that one. */
  readonly repeats?: RecentTrade | undefined;
  readonly warnings: readonly string[];
  /** The cash for this buy comes from sells of the draft. */
  readonly dependsOnSells: boolean;
}

/** The sums of a draft, in the account's currency, before charges. */
export interface DraftTotals {
  readonly currency: string | undefined;
  readonly bought: string;
  readonly sold: string;
  /** Legs whose value is unknown or rests on an assumed price; they are in no sum. */
  readonly unknownValues: number;
  /** What our own orders leave of the cash, as the rules count it. */
  readonly cash: string | undefined;
  /** Whether cash and the expected proceeds cover the buys with their margin; undefined when a figure is unknown. */
  readonly isFunded: boolean | undefined;
}

export interface DraftAssessment {
  /** In the sequence of the draft. */
  readonly legs: readonly AssessedLeg[];
  readonly totals: DraftTotals;
  /** Whether every leg could be compared with the account. */
  readonly complete: boolean;
  /** Why not, in one sentence. */
  readonly problem?: string | undefined;
  /** Seconds after which they could be, if that is known. */
  readonly retryAfterSeconds?: number | undefined;
  /** Why the draft would be refused if it was submitted now, with the next step; undefined when it passes or was not checked. */
  readonly refused?: (DraftRefusal & { readonly next: string }) | undefined;
  /** The limits that it was compared with; undefined when the account was not read. */
  readonly limits?: RiskLimits | undefined;
  /** The account's number at the broker; undefined when it was not read. */
  readonly accountId?: string | undefined;
  /** When the account was read (ms); undefined when it could not be read. */
  readonly asOf: number | undefined;
}

/**
 * Compares a draft with the account: by the rules for single orders, and when every leg could be read also by the check
 * that decides when it is submitted. The leg that this check names carries its refusal. A failure to read the account is
 * part of the result; a cancelled call throws.
 */
export async function assessDraft(
  deps: SubmissionDeps,
  draft: DraftToAssess,
  context: CallContext,
): Promise<DraftAssessment> {
  try {
    const read = await readSettledFacts(deps, draft.legs, context);
    // Read after the account data, because the summary identifies the account.
    const accountKey = await deps.accountKey();
    const charges = draft.isForPerson && !read.problem ? await readCharges(deps, read.legs, context) : [];
    const now = deps.clock.now();
    const assessed = await deps.store.read(async (tx) => {
      const facts = await findDependent(tx, deps, read, { accountKey, now });
      return assessFacts(tx, deps, draft, { facts, charges, isComplete: !read.problem, accountKey, now });
    });
    return { ...assessed, ...describeProblem(read.problem) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    const legs = draft.legs.map((leg) => ({ leg, warnings: [], dependsOnSells: false }));
    return { legs, totals: sumLegs(legs, undefined), asOf: undefined, ...describeProblem(error) };
  }
}

const describeProblem = (problem: BrokerageError | undefined) => ({
  complete: problem === undefined,
  problem: problem?.message,
  retryAfterSeconds: problem?.facts.retryAfterSeconds,
});

/** Reads the account once for all legs, after our own orders. */
function readSettledFacts(deps: SubmissionDeps, legs: readonly DraftLeg[], context: CallContext): Promise<ReadFacts> {
  const { store, clock, accountKey, facts } = deps;
  let { notBefore } = context;
  return readFacts(deps, legs, { ...context, notBefore: undefined }, async (instrument, reading) => {
    const { account } = await readAfterOrders(
      { journal: store, clock, accountKey },
      { ...reading, notBefore },
      (bounded, oldest) => facts.read(instrument, bounded, oldest),
    );
    notBefore ??= account.askedAt;
    return account;
  });
}

interface FactsToAssess {
  readonly facts: DraftFacts;
  /** In the sequence of the facts; empty where they were not read. */
  readonly charges: readonly (string | undefined)[];
  /** Whether every leg was read. */
  readonly isComplete: boolean;
  readonly accountKey: string;
  readonly now: number;
}

async function assessFacts(
  tx: SubmissionView,
  deps: SubmissionDeps,
  draft: DraftToAssess,
  { facts, charges, isComplete, accountKey, now }: FactsToAssess,
) {
  const { exchanges, own, limits, cash } = facts;
  const ticketFor = { environment: deps.environment, limits, own, exchanges, now };
  const legs: AssessedLeg[] = draft.legs.map((leg) => ({ leg, warnings: [], dependsOnSells: false }));
  for (const [index, one] of facts.legs.entries()) {
    const assessed = await assessLeg(tx, deps, one, { facts, accountKey, now });
    legs[one.number - 1] = { ...assessed, charges: charges[index] };
  }
  const inDraft = facts.legs.toSorted((a, b) => a.number - b.number);
  for (const ticket of createLegTickets(inDraft, ticketFor)) {
    const leg = legs[ticket.number - 1];
    if (leg) legs[ticket.number - 1] = { ...leg, ticket };
  }
  const refused =
    isComplete && !draft.isSubmitted ? await findRefusal(tx, deps, draft, { facts, accountKey, now }) : undefined;
  const named = refused?.leg === undefined ? undefined : legs[refused.leg - 1];
  if (refused?.leg !== undefined && named) legs[refused.leg - 1] = { ...named, refusal: named.refusal ?? refused };
  return {
    legs,
    totals: sumLegs(legs, isComplete ? cash?.toFixed() : undefined),
    refused: refused && { ...refused, next: getRefusalStep(refused) },
    limits,
    accountId: isComplete ? facts.legs[0]?.facts.summary.id : undefined,
    asOf: facts.legs.length > 0 ? Math.min(...facts.legs.map((one) => one.facts.asOf)) : undefined,
  };
}

type AssessedAgainst = Pick<FactsToAssess, 'facts' | 'accountKey' | 'now'>;

/** A leg alone. The rule about cash sees one order, so it says nothing about a buy that the sells pay for. */
async function assessLeg(
  tx: SubmissionView,
  { settings }: SubmissionDeps,
  { leg, order, facts, isDependent }: LegToCheck,
  { facts: { exchanges, own, limits }, accountKey, now }: AssessedAgainst,
): Promise<AssessedLeg> {
  const { estimate, warnings } = previewOrder(order, facts, exchanges, now, limits, own, assumedPriceOf(leg));
  const refusal = await evaluateOrder(tx, { settings, order, facts, accountKey, limits, now });
  return {
    leg,
    estimate,
    priceCurrency: foreignCurrency(facts.instrument.currencyCode),
    refusal: isDependent && refusal?.rule === 'cash' ? undefined : refusal,
    repeats: await findRecentTrade(tx, leg, { accountKey, now }),
    warnings,
    dependsOnSells: isDependent,
  };
}

/** The first reason to refuse the draft. Without a saved version no attempts are counted. */
const findRefusal = (
  tx: SubmissionView,
  deps: SubmissionDeps,
  { saved = { draftId: '', version: 0 }, isForPerson }: DraftToAssess,
  against: AssessedAgainst,
): Promise<DraftRefusal | undefined> =>
  refuseDraft(tx, deps, { ...against, ...saved, repeatOf: undefined, repeats: new Map(), isInTerminal: isForPerson });

function sumLegs(legs: readonly AssessedLeg[], cash: string | undefined): DraftTotals {
  let [bought, sold, funded] = [new Big(0), new Big(0), new Big(0)];
  let unknownValues = 0;
  for (const { leg, estimate } of legs) {
    const value = estimate?.value;
    if (value === undefined) unknownValues++;
    else if (leg.side === 'BUY') bought = bought.plus(value);
    else {
      sold = sold.plus(value);
      funded = funded.plus(expectProceeds(leg, value));
    }
  }
  const isKnown = unknownValues === 0 && cash !== undefined;
  return {
    currency: legs.flatMap(({ estimate }) => estimate?.currency ?? [])[0],
    bought: bought.toFixed(2),
    sold: sold.toFixed(2),
    unknownValues,
    cash,
    isFunded: isKnown ? funded.plus(cash).gte(bought.times(costMargin)) : undefined,
  };
}

/** For a person: the sums with the charges of the legs. */
export interface SheetTotals extends DraftTotals {
  /** Of all legs; undefined when those of one leg are unknown. */
  readonly charges: string | undefined;
  /** The cash when every leg was filled at its estimate, after known charges; undefined when a value is unknown. */
  readonly cashAfter: string | undefined;
}

/** The sums of a draft whose legs have these charges; undefined is an unknown one. */
export function sumSheet(totals: DraftTotals, charges: readonly (string | undefined)[]): SheetTotals {
  const { bought, sold, cash, unknownValues } = totals;
  const isKnown = cash !== undefined && unknownValues === 0;
  return {
    ...totals,
    charges: sumCharges(charges),
    cashAfter: isKnown ? cashAfterAll(cash, { bought, sold, charges }) : undefined,
  };
}
