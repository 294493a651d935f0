/** Everything that a person sees of a draft before changing it: the facts of each leg, the sums and the history. */
import Big from 'big.js';
import type { CallContext } from '../../core/broker/types.ts';
import { isFailure } from '../../core/errors.ts';
import type { DraftLegTicket } from '../../core/orders/intent/draft-approval.ts';
import type { Refusal } from '../../core/orders/intent/refusal.ts';
import { listOwn } from '../../core/orders/risk/evaluate-order.ts';
import type { History } from '../history/history-port.ts';
import type { Draft, DraftLeg, DraftVersion } from './book/draft.ts';
import { type DraftWeight, listDraftWeights } from './book/draft-plan.ts';
import { readDraft } from './book/find-draft.ts';
import type { DraftReview, DraftTotals } from './book/review-draft.ts';
import { type CheckDeps, checkDraft, type DraftCheck } from './check-draft.ts';
import { readLegCharges, sumCharges } from './order-outlook.ts';
import {
  type DraftPhase,
  describeDraftState,
  isChecked,
  openOutcomes,
  reportLatest,
  type SubmissionReport,
} from './submission/describe-submission.ts';
import { createLegTickets, type LegWithFacts } from './submission/draft-facts.ts';

/** What the reader of a sheet needs. */
export interface SheetDeps extends CheckDeps {
  readonly history: History;
}

/** A leg as it is now. Without a ticket the account was not read for it. */
export interface SheetLeg {
  readonly number: number;
  readonly leg: DraftLeg;
  readonly ticket?: DraftLegTicket | undefined;
  /** In the account currency; undefined when no own fill shows what such an order is charged. */
  readonly charges?: string | undefined;
  /** The first rule that the leg breaks on its own; undefined when it passes all of them, or was not checked. */
  readonly refusal?: Refusal | undefined;
}

/** In the account currency. */
export interface SheetTotals extends DraftTotals {
  /** Of all legs; undefined when those of one leg are unknown. */
  readonly charges: string | undefined;
  /** The cash when every leg was filled at its estimate, after known charges; undefined when a value is unknown. */
  readonly cashAfter: string | undefined;
}

export interface DraftSheet {
  readonly draft: Draft;
  readonly phase: DraftPhase;
  /** When it was made (ms), for times in texts. */
  readonly now: number;
  /** Oldest first. */
  readonly versions: readonly DraftVersion[];
  readonly legs: readonly SheetLeg[];
  /** Undefined when the legs were not compared with the account: while they are sent, and when the draft has ended. */
  readonly totals?: SheetTotals | undefined;
  readonly weights?: readonly DraftWeight[] | undefined;
  /** The account's number at the broker; undefined when it was not read. */
  readonly accountId?: string | undefined;
  /** Why not every leg could be compared with the account, in one sentence. */
  readonly problem?: string | undefined;
  /** Why submitting it would send none of it; undefined when it passes, or was not checked. */
  readonly refused?: DraftCheck['refused'];
  /** When the account was read (ms). */
  readonly asOf?: number | undefined;
  /** The newest attempt to send it. */
  readonly sent: SubmissionReport | undefined;
}

/** Whether legs of the draft can still leave. */
export const isOpenPhase = (phase: DraftPhase): boolean => openOutcomes.has(phase);

/** Whether the draft can neither be changed nor sent any more. */
export const isEndedPhase = (phase: DraftPhase): boolean => phase !== 'open' && !isOpenPhase(phase);

/** Reads a draft of this account and environment with the account as it is now. Throws `not_found` and `cancelled`. */
export async function readDraftSheet(deps: SheetDeps, draftId: string, context: CallContext): Promise<DraftSheet> {
  const sent = await reportLatest(deps.drafts, draftId, 'person');
  const { draft, versions } = await readDraft(deps.drafts, draftId);
  const now = deps.drafts.clock.now();
  const phase = describeDraftState(draft, sent, now);
  const legs = versions.at(-1)?.legs ?? [];
  const base = { draft, phase, now, versions, sent };
  if (!isChecked(phase)) return { ...base, legs: legs.map((leg, index) => ({ number: index + 1, leg })) };
  const review = await checkDraft(
    deps,
    { legs, saved: { draftId, version: draft.version }, isInTerminal: true, isSubmitted: phase !== 'open' },
    context,
  );
  const read = await readTickets(deps, draft, review, context);
  const { directory, history, drafts } = deps;
  const valued = read.tickets.map(({ ticket: { order, estimate } }) => ({ order, value: estimate.value }));
  const charges =
    valued.length > 0
      ? await readLegCharges({ directory, history, clock: drafts.clock }, valued, context)
      : legs.map(() => undefined);
  return {
    ...base,
    legs: legs.map((leg, index) => ({
      number: index + 1,
      leg,
      ticket: read.tickets[index],
      charges: charges[index],
      refusal: review.legs[index]?.refusal,
    })),
    totals: sumSheet(review.totals, charges),
    weights: listDraftWeights(versions),
    accountId: read.accountId,
    problem: review.problem ?? read.problem,
    refused: review.refused,
    asOf: review.asOf,
  };
}

interface ReadTickets {
  readonly tickets: readonly DraftLegTicket[];
  readonly accountId?: string | undefined;
  readonly problem?: string | undefined;
}

/** The facts of each leg, by its place in the draft; without any after a failure, which is part of the result. */
async function readTickets(
  deps: SheetDeps,
  draft: Draft,
  review: DraftReview,
  context: CallContext,
): Promise<ReadTickets> {
  if (review.problem !== undefined) return { tickets: [] };
  try {
    return await createTickets(deps, draft, review, context);
  } catch (error) {
    if (isFailure(error)) return { tickets: [], problem: error.message };
    throw error;
  }
}

async function createTickets(
  { drafts, directory }: SheetDeps,
  { accountKey, environment }: Draft,
  review: DraftReview,
  context: CallContext,
): Promise<ReadTickets> {
  const now = drafts.clock.now();
  const { limits, own } = await drafts.store.read(async (tx) => ({
    limits: await drafts.limits(tx),
    own: await listOwn(tx, accountKey, now),
  }));
  const { exchanges } = await drafts.directory.exchanges(context);
  const legs: LegWithFacts[] = [];
  for (const [index, { leg, dependsOnSells: isDependent }] of review.legs.entries()) {
    const instrument = await directory.getOrThrow(leg.ticker, context);
    legs.push({ number: index + 1, leg, facts: await drafts.facts.read(instrument, context), isDependent });
  }
  const tickets = createLegTickets(legs, { environment, limits, own, exchanges, now });
  return { tickets, accountId: legs.at(-1)?.facts.summary.id };
}

/** The sums of a draft whose legs have these charges; undefined is an unknown one. */
export function sumSheet(totals: DraftTotals, charges: readonly (string | undefined)[]): SheetTotals {
  const known = charges.reduce<Big>((sum, amount) => sum.plus(amount ?? 0), new Big(0));
  const { bought, sold, cash, unknownValues } = totals;
  const isKnown = cash !== undefined && unknownValues === 0;
  return {
    ...totals,
    charges: sumCharges(charges),
    cashAfter: isKnown ? new Big(cash).plus(sold).minus(bought).minus(known).toFixed(2) : undefined,
  };
}
