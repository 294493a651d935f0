/** Keeps legs that a model or a user chose, as a new draft or as the next version of one. */

import { randomBytes } from 'node:crypto';
import { dayMs, isWithin } from '../../../core/clock.ts';
import { BrokerageError } from '../../../core/errors.ts';
import { foreignName } from '../../../core/text/sanitize-text.ts';
import {
  type Draft,
  type DraftChange,
  type DraftDeps,
  type DraftLeg,
  type DraftVersion,
  draftLifeMs,
  isDraftExpired,
} from './draft.ts';
import { type DraftPlace, findLatest, findOpenDraft, getPlace, requireVersion } from './find-draft.ts';
import { checkLegs, isSameOrders, isSamePlan } from './legs.ts';

/** Legs to keep. `seen` is the version that the caller read; undefined for a new draft. */
interface DraftToSave {
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

/** A draft to keep. `source` names the tool or plan that computed the legs. */
interface NewDraft {
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

// Adds versions to drafts: each goes through here, so that all of them are counted and in the audit trail.

/** Versions of one account in 24 hours: a model that saves in a loop must not fill the disk. */
const maxPerDay = 200;

/**
 * Writes a version of a draft; the first one creates the draft. Throws `rate_limited` after 200 versions in 24 hours
 * unless a person or a submission makes it, and `draft_changed` when another process changed the draft first.
 */
export async function addVersion(
  tx: DraftChange,
  draft: Draft,
  content: Pick<DraftVersion, 'channel' | 'edit' | 'legs'>,
  now: number,
): Promise<void> {
  const { id, version, environment, source } = draft;
  const { channel, edit, legs } = content;
  if (channel === 'tool') await requireRoom(tx, draft, now);
  if (version === 1) await tx.insertDraft(draft);
  else if (!(await tx.moveDraft({ ...draft, version: version - 1 }, { version })))
    requireVersion((await tx.findDraft(id)) ?? draft, version - 1);
  await tx.insertVersion({ draftId: id, version, createdAt: now, channel, edit, legs });
  await tx.note(environment, 'draft', { draftId: id, version, channel, source, edit, legs: legs.length });
}

async function requireRoom(tx: DraftChange, { accountKey }: Draft, now: number): Promise<void> {
  const times = (await tx.listVersionTimes(accountKey, now - dayMs)).filter((at) => isWithin(at, now, dayMs));
  const oldest = times[maxPerDay - 1];
  if (oldest === undefined) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest + dayMs - now) / 1000));
  throw new BrokerageError(
    'rate_limited',
    `${maxPerDay} versions of drafts were saved in 24 hours, which is the most that is kept.`,
    `Use a draft that list_drafts shows, or save again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
