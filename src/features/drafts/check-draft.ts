/** The legs of a draft checked as `submit_draft` checks them: each on its own, and all together. Sends and keeps nothing. */
import type { CallContext } from '../../core/broker/types.ts';
import { BrokerageError } from '../../core/errors.ts';
import type { DraftLeg } from './book/draft.ts';
import { type DraftReview, type ReviewDeps, reviewLegs } from './book/review-draft.ts';
import { type DraftRefusal, refuseDraft } from './submission/check-submission.ts';
import { readDraftFacts } from './submission/draft-facts.ts';
import type { SubmissionDeps } from './submission/ports.ts';
import { getRefusalStep } from './submission/refusal-steps.ts';

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
    if (!(error instanceof BrokerageError) || error.code === 'cancelled') throw error;
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
