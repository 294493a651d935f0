/** Creates drafts. */
import { randomBytes } from 'node:crypto';
import { foreignName } from '../../../core/text/untrusted-text.ts';
import { addVersion } from './add-version.ts';
import { type Draft, type DraftLeg, draftLifeMs, isDraftExpired } from './draft.ts';
import { type DraftPlace, findLatest, getPlace } from './find-draft.ts';
import { checkLegs, isSamePlan } from './legs.ts';
import type { DraftChange, DraftDeps } from './ports.ts';

/** A draft to keep. `source` names the tool or plan that computed the legs. */
export interface NewDraft {
  readonly name?: string | undefined;
  readonly legs: readonly DraftLeg[];
  readonly source: string;
}

/** Where the legs were kept. `expiresAt` is in milliseconds since 1970. */
export interface SavedDraft {
  readonly draftId: string;
  readonly version: number;
  readonly expiresAt: number;
}

/** Drafts that were never sent are removed this long after they were created. */
const retentionMs = 37 * 86_400_000;
/** At most this many are removed with each new one, so that no call waits for a long deletion. */
const maxRemoved = 20;

/**
 * Keeps legs as a draft. If the same source made an open draft with the same name and orders before, with prices
 * within 1 %, and that draft was not edited since, returns that one. Throws `invalid_argument` for legs that break a
 * rule of drafts, `rate_limited` after too many drafts in a day, and `store_unavailable`.
 */
export async function createDraft(deps: DraftDeps, { name, legs, source }: NewDraft): Promise<SavedDraft> {
  const { store, clock } = deps;
  const checked = checkLegs(legs);
  const shownName = foreignName(name);
  const place = await getPlace(deps);
  return store.change(async (tx) => {
    const now = clock.now();
    const equal = await findEqual(tx, place, { name: shownName, legs: checked, source }, now);
    if (equal) return toSaved(equal);
    await tx.removeDrafts(now - retentionMs, maxRemoved);
    const draft: Draft = {
      ...place,
      id: randomBytes(8).toString('hex'),
      name: shownName,
      version: 1,
      state: 'open',
      source,
      createdAt: now,
      expiresAt: now + draftLifeMs,
    };
    await addVersion(tx, draft, { channel: 'tool', legs: checked }, now);
    return toSaved(draft);
  });
}

/** The part of a draft that the caller needs to name it again. */
export const toSaved = ({ id, version, expiresAt }: Draft): SavedDraft => ({ draftId: id, version, expiresAt });

/** The same plan, if its draft is as the source made it: a call that a host sends twice makes one draft. */
async function findEqual(
  tx: DraftChange,
  place: DraftPlace,
  { name, legs, source }: NewDraft,
  now: number,
): Promise<Draft | undefined> {
  for (const draft of await tx.listDrafts({ ...place, states: ['open'] })) {
    if (draft.source !== source || draft.name !== name || isDraftExpired(draft, now)) continue;
    const latest = await findLatest(tx, draft);
    const isUnsent = latest.channel === 'tool' && !(await tx.hasOpenSubmission(draft.id));
    if (isUnsent && isSamePlan(latest.legs, legs)) return draft;
  }
  return undefined;
}
