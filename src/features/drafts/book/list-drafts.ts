/** Reads drafts. */
import { type Draft, type DraftVersion, isDraftExpired, type OpenedDraft } from './draft.ts';
import { findLatest, findOwnDraft, getPlace } from './find-draft.ts';
import type { DraftDeps } from './ports.ts';

/** The drafts that can still be sent, newest first, each with its latest version. */
export async function listOpenDrafts(deps: DraftDeps): Promise<readonly OpenedDraft[]> {
  const place = await getPlace(deps);
  return deps.store.read(async (tx) => {
    const now = deps.clock.now();
    const open = (await tx.listDrafts({ ...place, states: ['open'] })).filter((draft) => !isDraftExpired(draft, now));
    const found: OpenedDraft[] = [];
    for (const draft of open) found.push({ draft, latest: await findLatest(tx, draft) });
    return found;
  });
}

/** One draft in any state with all its versions, oldest first. Throws `not_found`. */
export async function readDraft(
  deps: DraftDeps,
  draftId: string,
): Promise<{ readonly draft: Draft; readonly versions: readonly DraftVersion[] }> {
  const place = await getPlace(deps);
  return deps.store.read(async (tx) => {
    const draft = await findOwnDraft(tx, place, draftId);
    return { draft, versions: await tx.listVersions(draftId) };
  });
}
