/** Finds a draft of this account and environment, and checks that it can still be changed. */

import { BrokerageError } from '../../../core/errors.ts';
import {
  type Draft,
  type DraftDeps,
  type DraftVersion,
  type DraftView,
  isDraftExpired,
  type OpenedDraft,
} from './draft.ts';

/** The account and the environment that a call may see the drafts of. */
export interface DraftPlace {
  readonly accountKey: string;
  readonly environment: string;
}

/**
 * Seconds after which the caller can ask again whether a draft is still being sent. It ends between a second and
 * 15 minutes later, and reading its state costs no request.
 */
export const openRetrySeconds = 10;

/** The place of this process. */
export const getPlace = async ({ accountKey, environment }: DraftDeps): Promise<DraftPlace> => ({
  accountKey: await accountKey(),
  environment,
});

/** Throws `not_found` for an unknown id, and for a draft of another account or environment. */
export async function findOwnDraft(tx: DraftView, place: DraftPlace, draftId: string): Promise<Draft> {
  const draft = await tx.findDraft(draftId);
  if (draft?.environment === place.environment && draft.accountKey === place.accountKey) return draft;
  throw new BrokerageError(
    'not_found',
    'This account has no draft with this id in this environment.',
    'Call list_drafts for the drafts that are open.',
  );
}

/**
 * The draft and its latest version. Throws `not_found`, `draft_closed` for one that was discarded or sent,
 * `draft_expired`, and `submission_open` while it is being sent.
 */
export async function findOpenDraft(
  tx: DraftView,
  place: DraftPlace,
  draftId: string,
  now: number,
): Promise<OpenedDraft> {
  const draft = await findOwnDraft(tx, place, draftId);
  if (draft.state !== 'open')
    throw new BrokerageError(
      'draft_closed',
      `This draft was ${draft.state}; nothing was changed and nothing was sent.`,
      'Make a new draft with plan_orders or save_draft.',
    );
  if (isDraftExpired(draft, now))
    throw new BrokerageError(
      'draft_expired',
      `This draft expired on ${new Date(draft.expiresAt).toISOString()}; nothing was changed and nothing was sent.`,
      'Make a new draft with plan_orders or save_draft.',
    );
  if (await tx.hasOpenSubmission(draftId))
    throw new BrokerageError(
      'submission_open',
      'This draft is being sent, so it cannot be changed.',
      'Wait until list_drafts shows that it ended, or stop it with discard_draft.',
      { retryAfterSeconds: openRetrySeconds },
    );
  return { draft, latest: await findLatest(tx, draft) };
}

/** The latest version of a draft. */
export async function findLatest(tx: DraftView, { id, version }: Draft): Promise<DraftVersion> {
  const latest = await tx.findVersion(id, version);
  if (!latest) throw new Error('A draft has no row for its latest version.');
  return latest;
}

/** Throws `draft_changed` when a caller read another version than the latest. */
export function requireVersion({ version }: Draft, seen: number): void {
  if (version === seen) return;
  throw new BrokerageError(
    'draft_changed',
    `The draft is at version ${version}, not ${seen}; nothing was changed and nothing was sent.`,
    'Read it with list_drafts and its draftId, and call again with its version.',
    { version },
  );
}

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
