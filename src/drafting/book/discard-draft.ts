/** Closes a draft. */
import type { Draft } from './draft.ts';
import { findOwnDraft, getPlace } from './find-draft.ts';
import type { DraftDeps } from './ports.ts';

/**
 * Closes a draft, so that it can no longer be sent, and returns it as it is now. A draft that ended before stays as it
 * is. Throws `not_found`.
 */
export async function discardDraft(deps: DraftDeps, draftId: string): Promise<Draft> {
  const place = await getPlace(deps);
  return deps.store.change(async (tx) => {
    const draft = await findOwnDraft(tx, place, draftId);
    if (draft.state !== 'open') return draft;
    await tx.moveDraft(draft, { state: 'discarded' });
    await tx.note(draft.environment, 'draft', { draftId, version: draft.version, state: 'discarded' });
    return { ...draft, state: 'discarded' };
  });
}
