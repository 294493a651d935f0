/** Closes a draft. */
import type { Draft } from '../book/draft.ts';
import { findOwnDraft, getPlace } from '../book/find-draft.ts';
import { endSubmission } from './end-submission.ts';
import type { SubmissionDeps } from './ports.ts';
import { openStates } from './submission.ts';

export type DiscardDeps = Pick<SubmissionDeps, 'store' | 'clock' | 'processes' | 'environment' | 'accountKey'>;

/**
 * Closes a draft, so that it can no longer be sent, and returns it as it is now. If it is being sent, the legs that
 * have not left are never sent; a leg in flight and orders that were placed stay. A draft that was sent before stays as
 * it is, and an attempt to send it again is stopped. An attempt that waits for a person is declined. Any process may do this, read-only
 * ones too: it can only stop orders. Throws `not_found`.
 */
export async function discardDraft(deps: DiscardDeps, draftId: string): Promise<Draft> {
  const { store, clock, processes } = deps;
  const place = await getPlace(deps);
  return store.change(async (tx) => {
    const draft = await findOwnDraft(tx, place, draftId);
    const isOpen = draft.state === 'open';
    // Closed first, so that the end of the submission makes no further version.
    if (isOpen) {
      await tx.moveDraft(draft, { state: 'discarded' });
      await tx.note(draft.environment, 'draft', { draftId, version: draft.version, state: 'discarded' });
    }
    for (const submission of await tx.listSubmissions({ draftId, states: openStates })) {
      const state = submission.state === 'awaiting_approval' ? 'declined' : 'stopped';
      const how = { state, reason: 'The draft was discarded.' } as const;
      await endSubmission(tx, submission, how, { processes, now: clock.now() });
    }
    return isOpen ? { ...draft, state: 'discarded' } : draft;
  });
}
