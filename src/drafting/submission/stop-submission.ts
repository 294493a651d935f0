/** Stops what is being sent of a draft, and keeps the draft. */
import { findOwnDraft, getPlace } from '../book/find-draft.ts';
import { endSubmission } from './end-submission.ts';
import type { SubmissionChange, SubmissionDeps } from './ports.ts';
import { openStates } from './submission.ts';

export type StopDeps = Pick<SubmissionDeps, 'store' | 'clock' | 'processes' | 'environment' | 'accountKey'>;

/**
 * Ends the attempt to send a draft, and returns whether one was open. Legs that have not left are never sent by it and
 * become the next version of the draft, which can be edited again. A leg in flight and orders that were placed stay.
 * Throws `not_found`.
 */
export async function stopSubmission(deps: StopDeps, draftId: string, reason: string): Promise<boolean> {
  const place = await getPlace(deps);
  return deps.store.change(async (tx) => {
    await findOwnDraft(tx, place, draftId);
    return endOpenSubmissions(tx, deps, draftId, reason);
  });
}

/** Ends what is open in a transaction; returns whether anything was. */
export async function endOpenSubmissions(
  tx: SubmissionChange,
  { processes, clock }: Pick<StopDeps, 'processes' | 'clock'>,
  draftId: string,
  reason: string,
): Promise<boolean> {
  const open = await tx.listSubmissions({ draftId, states: openStates });
  for (const submission of open) {
    const state = submission.state === 'awaiting_approval' ? 'declined' : 'stopped';
    await endSubmission(tx, submission, { state, reason }, { processes, now: clock.now() });
  }
  return open.length > 0;
}
