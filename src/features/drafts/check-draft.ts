/** The legs of a draft checked as `submit_draft` checks them: each on its own, and all together. Sends and keeps nothing. */

import Big from 'big.js';
import type { CallContext } from '../../core/broker/types.ts';
import { isFailure } from '../../core/errors.ts';
import type { TimeValidity } from '../../core/orders/intent/order-request.ts';
import type { Plan, PlanGoal, PlanLeg } from '../planner/plan-types.ts';
import type { DraftLeg, LegWeight } from './book/draft.ts';
import { type DraftReview, type ReviewDeps, reviewLegs } from './book/review-draft.ts';
import { type DraftRefusal, getRefusalStep, refuseDraft } from './submission/check-submission.ts';
import { readDraftFacts } from './submission/draft-facts.ts';
import type { SubmissionDeps } from './submission/submission.ts';

export type CheckDeps = ReviewDeps & { readonly drafts: SubmissionDeps };

export interface DraftToCheck {
  readonly legs: readonly DraftLeg[];
  /** The version that would be submitted; undefined when it was not saved yet. */
  readonly saved?: { readonly draftId: string; readonly version: number } | undefined;
  /** It waits for approval: the check of all legs together would count its own legs, and passed before. */
  readonly isSubmitted?: boolean | undefined;
  /** A person reads it, who can submit it in a terminal: a few rules for tools do not hold there. */
  readonly isInTerminal?: boolean | undefined;
}

export interface DraftCheck extends DraftReview {
  /** Why the draft would be refused if it was submitted now, with the next step; undefined when it passes or was not checked. */
  readonly refused?: (DraftRefusal & { readonly next: string }) | undefined;
}

/**
 * Reviews the legs, and runs the check of all legs together when all of them could be read. The leg that the check names
 * carries its refusal. A failure to read the account is part of the result; a cancelled call throws.
 */
export async function checkDraft(deps: CheckDeps, draft: DraftToCheck, context: CallContext): Promise<DraftCheck> {
  const review = await reviewLegs(deps, draft.legs, context);
  if (!review.complete || draft.isSubmitted) return review;
  try {
    const refusal = await findRefusal(deps.drafts, draft, context);
    if (!refusal) return review;
    const legs = review.legs.map((leg, index) =>
      index + 1 === refusal.leg ? { ...leg, refusal: leg.refusal ?? refusal } : leg,
    );
    return { ...review, legs, refused: { ...refusal, next: getRefusalStep(refusal) } };
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { message, facts } = error;
    return { ...review, complete: false, problem: message, retryAfterSeconds: facts.retryAfterSeconds };
  }
}

/** The first reason to refuse the draft, by the check that decides when it is submitted. */
async function findRefusal(
  deps: SubmissionDeps,
  { legs, saved, isInTerminal }: DraftToCheck,
  context: CallContext,
): Promise<DraftRefusal | undefined> {
  // The charges are for a person who approves; no rule reads them.
  const facts = await readDraftFacts(deps, legs, false, context);
  const accountKey = await deps.accountKey();
  // A draft that was not saved has no attempts.
  const { draftId, version } = saved ?? { draftId: '', version: 0 };
  const check = { facts, accountKey, now: deps.clock.now(), draftId, version, repeatOf: undefined, repeats: new Map() };
  return deps.store.read((tx) => refuseDraft(tx, deps, { ...check, isInTerminal }));
}

// Turns the legs of a plan into the legs of a draft.

/**
 * The legs with the price that they were sized with, and one sentence on why each is there. `prices` are by ticker,
 * in the instrument's currency. A limit order without `timeValidity` ends with the day.
 */
export function toDraftLegs(
  { legs, weights, base }: Plan,
  {
    goal,
    prices,
    timeValidity = 'DAY',
  }: {
    readonly goal: PlanGoal;
    readonly prices: ReadonlyMap<string, string | undefined>;
    readonly timeValidity?: TimeValidity | undefined;
  },
): DraftLeg[] {
  return legs.map((leg): DraftLeg => {
    const { type, ticker, side, quantity, limitPrice } = leg;
    return {
      type,
      ticker,
      side,
      quantity,
      ...(type === 'LIMIT' ? { limitPrice, timeValidity } : {}),
      reason: explain(leg, goal, weights),
      price: prices.get(ticker),
      ...(leg.priceFrom === 'assumed' ? { isPriceAssumed: true as const } : {}),
      weight: toWeight(leg, weights, base),
    };
  });
}

/** As many decimals as the percentages of a plan have. */
const percentDecimals = 4;

function toWeight({ ticker }: PlanLeg, weights: Plan['weights'], base: string): LegWeight | undefined {
  const row = weights.find((one) => one.ticker === ticker);
  if (!row || !new Big(base).gt(0)) return undefined;
  const change = new Big(row.valueAfter).minus(row.valueBefore).div(base).times(100).toFixed(percentDecimals);
  return { before: row.percentBefore, target: row.percentTarget, after: row.percentAfter, change };
}

function explain({ ticker }: PlanLeg, goal: PlanGoal, weights: Plan['weights']): string {
  const weight = weights.find((row) => row.ticker === ticker);
  if (!weight) return goal;
  const { percentBefore, percentAfter, percentTarget } = weight;
  const target = percentTarget === undefined ? '' : `, target ${percentTarget} %`;
  return `${goal}: from ${percentBefore} % to ${percentAfter} %${target}.`;
}
