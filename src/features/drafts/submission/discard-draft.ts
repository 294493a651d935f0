/** Closes a draft. */
import type { Draft } from '../book/draft.ts';
import { findOwnDraft, getPlace } from '../book/find-draft.ts';
import { type StopDeps, stopAttempts } from './stop-submission.ts';

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
