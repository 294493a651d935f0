/** Adds versions to drafts: each goes through here, so that all of them are counted and in the audit trail. */
import { dayMs } from '../../../core/clock.ts';
import { BrokerageError } from '../../../core/errors.ts';
import { isWithin } from '../../../core/stored-times.ts';
import type { Draft, DraftVersion } from './draft.ts';
import { requireVersion } from './find-draft.ts';
import type { DraftChange } from './ports.ts';

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
