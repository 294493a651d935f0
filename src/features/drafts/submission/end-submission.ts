/** Reads an attempt to send a draft, and ends it. */

import type { ProcessRegistry } from '../../../core/lease.ts';
import { applyTransition } from '../../../core/orders/intent/journal-port.ts';
import { expireOverdue } from '../../../core/orders/reconcile/reconcile-schedule.ts';
import type { Draft } from '../book/draft.ts';
import { addVersion } from '../book/save-draft.ts';
import { isUnsent, isWaitingIntent, type LegState } from './next-step.ts';
import { isOpenSubmission, type Submission, type SubmissionChange, type SubmissionView } from './submission.ts';

/** The legs of an attempt with their intents, in the order of their numbers. */
export async function readLegs(tx: SubmissionView, submissionId: string): Promise<readonly LegState[]> {
  const intents = await tx.list({ submissionId });
  const legs = await tx.listSubmissionLegs(submissionId);
  return legs.map((leg) => ({ leg, intent: intents.find((intent) => intent.leg?.number === leg.number) }));
}

/** How an attempt ended, and why if it was stopped. */
export type SubmissionEnd = Pick<Submission, 'state' | 'rule' | 'reason' | 'endedBy'>;

/**
 * Ends an attempt that is open, and returns it; undefined when another process ended it first. Legs that were provably
 * not sent become the next version of the draft. The others are never sent again by it, so a draft without such legs is
 * closed. A draft of which nothing was sent keeps its version.
 */
export async function endSubmission(
  tx: SubmissionChange,
  submission: Submission,
  end: SubmissionEnd,
  { processes, now }: { readonly processes: ProcessRegistry; readonly now: number },
): Promise<Submission | undefined> {
  const { id, draftId, version, environment, accountKey } = submission;
  const ended = await tx.moveSubmission(id, submission.state, { ...end, owner: undefined, leaseUntil: undefined });
  if (!ended) return undefined;
  await tx.note(environment, 'submission', { submissionId: id, draftId, version, ...end });
  await expireOverdue(tx, accountKey, processes, now);
  // Ended in this transaction, so that the version after it and the commit of the order agree: the order cannot leave.
  const why = { rule: end.rule ?? 'submission_ended', reason: end.reason } as const;
  for (const intent of await tx.list({ submissionId: id }))
    if (isWaitingIntent(intent, now)) await applyTransition(tx, intent, 'stop', now, { ...why, retryUntil: undefined });
  await keepUnsentLegs(tx, submission, now);
  return ended;
}

async function keepUnsentLegs(tx: SubmissionChange, { id, draftId, version }: Submission, now: number): Promise<void> {
  const draft = await tx.findDraft(draftId);
  if (draft?.state !== 'open' || draft.version !== version) return;
  const states = await readLegs(tx, id);
  const unsent = listUnsent(states, now);
  if (unsent.length === states.length) return;
  if (unsent.length === 0) await tx.moveDraft(draft, { state: 'sent' });
  else await addUnsent(tx, { draft, sentVersion: version, unsent }, now);
}

/**
 * Adds to the next version a leg that was in flight when the attempt ended and came out as not sent, because the broker
 * refused the request for its limit or no byte of it was written. A draft that was changed or submitted since stays as
 * it is.
 */
export async function keepLateLeg(tx: SubmissionChange, submissionId: string, now: number): Promise<void> {
  const submission = await tx.findSubmission(submissionId);
  // A repetition makes no version of the draft, which was sent before.
  if (!submission || isOpenSubmission(submission) || submission.repeatOf !== undefined) return;
  const { draftId, version } = submission;
  const draft = await tx.findDraft(draftId);
  if (!draft || (await tx.hasOpenSubmission(draftId))) return;
  const unsent = listUnsent(await readLegs(tx, submissionId), now);
  if (draft.state === 'sent' && draft.version === version && unsent.length > 0) {
    await tx.moveDraft(draft, { state: 'open' });
    await addUnsent(tx, { draft: { ...draft, state: 'open' }, sentVersion: version, unsent }, now);
  }
  const latest =
    draft.state === 'open' && draft.version === version + 1 && (await tx.findVersion(draftId, version + 1));
  if (latest && latest.channel === 'submission' && latest.legs.length < unsent.length)
    await addUnsent(tx, { draft, sentVersion: version, unsent }, now);
}

/** The numbers of the legs that were provably not sent. */
const listUnsent = (states: readonly LegState[], now: number): readonly number[] =>
  states.filter((state) => isUnsent(state, now)).map(({ leg }) => leg.number);

async function addUnsent(
  tx: SubmissionChange,
  what: { readonly draft: Draft; readonly sentVersion: number; readonly unsent: readonly number[] },
  now: number,
): Promise<void> {
  const { draft, sentVersion, unsent } = what;
  const sent = await tx.findVersion(draft.id, sentVersion);
  const legs = (sent?.legs ?? []).filter((_, index) => unsent.includes(index + 1));
  await addVersion(tx, { ...draft, version: draft.version + 1 }, { channel: 'submission', legs }, now);
}
