import { describeHuman } from '../../../core/approval/approval-rules.ts';
/** Stops what is being sent of a draft, and keeps the draft. */

import type { ApprovalMethod } from '../../../core/orders/intent/approval-methods.ts';
import type { Draft } from '../book/draft.ts';
import { findOwnDraft, getPlace } from '../book/find-draft.ts';
import { endSubmission, type SubmissionEnd } from './end-submission.ts';
import { openStates, type Submission, type SubmissionChange, type SubmissionDeps } from './submission.ts';

export type StopDeps = Pick<SubmissionDeps, 'store' | 'clock' | 'processes' | 'environment' | 'accountKey'>;

/** Ends the attempt to send a draft for a person, and returns whether one was open. Throws `not_found`. */
export async function stopDraft(deps: StopDeps, draftId: string, channel: ApprovalMethod): Promise<boolean> {
  const place = await getPlace(deps);
  return deps.store.change(async (tx) => {
    await findOwnDraft(tx, place, draftId);
    return stopAttempts(tx, deps, draftId, stoppedBy(channel));
  });
}

/** Ends what is open of a draft in a transaction; returns whether anything was. */
async function stopAttempts(
  tx: SubmissionChange,
  deps: Pick<StopDeps, 'processes' | 'clock'>,
  draftId: string,
  why: StopReason,
): Promise<boolean> {
  let isStopped = false;
  for (const submission of await tx.listSubmissions({ draftId, states: openStates }))
    isStopped = (await stopSubmission(tx, deps, submission, why)) || isStopped;
  return isStopped;
}

/**
 * Ends one attempt that is open, and returns whether this call ended it. Legs that have not left are never sent by it
 * and become the next version of the draft, which can be edited again. A leg in flight and orders that were placed
 * stay. An attempt that waits for a person is declined.
 */
export async function stopSubmission(
  tx: SubmissionChange,
  { processes, clock }: Pick<StopDeps, 'processes' | 'clock'>,
  submission: Submission,
  why: StopReason,
): Promise<boolean> {
  const state = submission.state === 'awaiting_approval' ? 'declined' : 'stopped';
  const ended = await endSubmission(tx, submission, { state, ...why }, { processes, now: clock.now() });
  return ended !== undefined;
}

type StopReason = Pick<SubmissionEnd, 'endedBy' | 'reason'>;

/** The end by a person’s Stop. */
export const stoppedBy = (channel: ApprovalMethod): StopReason => ({
  endedBy: 'stop',
  reason: describeHuman('Stopped', channel),
});

/**
 * Closes a draft, so that it can no longer be sent, and returns it as it is now. If it is being sent, the legs that
 * have not left are never sent; a leg in flight and orders that were placed stay. A draft that was sent before stays as
 * it is, and an attempt to send it again is stopped. An attempt that waits for a person is declined. Any process may do
 * this, read-only ones too: it can only stop orders. Throws `not_found`.
 */
export async function discardDraft(deps: StopDeps, draftId: string): Promise<Draft> {
  const place = await getPlace(deps);
  return deps.store.change(async (tx) => {
    const draft = await findOwnDraft(tx, place, draftId);
    const isOpen = draft.state === 'open';
    // Closed first, so that the end of the submission makes no further version.
    if (isOpen) {
      await tx.moveDraft(draft, { state: 'discarded' });
      await tx.note(draft.environment, 'draft', { draftId, version: draft.version, state: 'discarded' });
    }
    await stopAttempts(tx, deps, draftId, { endedBy: 'discard', reason: 'The draft was discarded.' });
    return isOpen ? { ...draft, state: 'discarded' } : draft;
  });
}
