/** Keeps legs that a model or a user chose, as a new draft or as the next version of one. */
import { foreignName } from '../../../core/text/untrusted-text.ts';
import { addVersion } from './add-version.ts';
import { createDraft, type SavedDraft, toSaved } from './create-draft.ts';
import type { Draft, DraftLeg } from './draft.ts';
import { findOpenDraft, getPlace, requireVersion } from './find-draft.ts';
import { checkLegs, isSameOrders } from './legs.ts';
import type { DraftChange, DraftDeps } from './ports.ts';

/** Legs to keep. `seen` is the version that the caller read; undefined for a new draft. */
export interface DraftToSave {
  readonly seen?: { readonly draftId: string; readonly version: number } | undefined;
  readonly name?: string | undefined;
  readonly legs: readonly DraftLeg[];
}

/**
 * Keeps the legs and returns where. Equal orders make no new version. A name replaces the one before; without one it
 * stays. Throws as `createDraft` does, and for an existing draft `not_found`, `draft_changed`, `draft_closed` and
 * `draft_expired`; then nothing is saved.
 */
export async function saveDraft(deps: DraftDeps, { seen, name, legs }: DraftToSave): Promise<SavedDraft> {
  if (!seen) return createDraft(deps, { name, legs, source: 'save_draft' });
  const checked = checkLegs(legs);
  const shownName = foreignName(name);
  const place = await getPlace(deps);
  return deps.store.change(async (tx) => {
    const now = deps.clock.now();
    const { draft, latest } = await findOpenDraft(tx, place, seen.draftId, now);
    // First, so that a save that a host sends twice succeeds twice.
    const isRenamed = shownName !== undefined && shownName !== draft.name;
    const isSame = isSameOrders(latest.legs, checked);
    if (isSame && !isRenamed) return toSaved(draft);
    requireVersion(draft, seen.version);
    if (isRenamed) await rename(tx, draft, shownName);
    if (isSame) return toSaved(draft);
    const next = { ...draft, version: draft.version + 1 };
    await addVersion(tx, next, { channel: 'tool', legs: checked }, now);
    return toSaved(next);
  });
}

/** The name is part of no version: a person approves orders, never a name. */
async function rename(tx: DraftChange, { id, version, environment }: Draft, name: string): Promise<void> {
  await tx.renameDraft(id, name);
  await tx.note(environment, 'draft', { draftId: id, version, channel: 'tool', renamed: true });
}
