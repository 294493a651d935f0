/** Reads an attempt to send a draft, and ends it. */
import type { ProcessRegistry } from '../../orders/intent/ports.ts';
import { expireOverdue } from '../../orders/reconcile/expiry.ts';
import { addVersion } from '../book/add-version.ts';
import { isUnsent, type LegState } from './next-step.ts';
import type { SubmissionChange, SubmissionView } from './ports.ts';
import type { Submission } from './submission.ts';

/** The legs of an attempt with their intents, in the order of their numbers. */
export async function readLegs(tx: SubmissionView, submissionId: string): Promise<readonly LegState[]> {
  const intents = await tx.list({ submissionId });
  const legs = await tx.listSubmissionLegs(submissionId);
  return legs.map((leg) => ({ leg, intent: intents.find((intent) => intent.leg?.number === leg.number) }));
}

/** How an attempt ended, and why if it was stopped. */
export type SubmissionEnd = Pick<Submission, 'state' | 'rule' | 'reason'>;

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
  await keepUnsentLegs(tx, submission, now);
  return ended;
}

async function keepUnsentLegs(tx: SubmissionChange, { id, draftId, version }: Submission, now: number): Promise<void> {
  const draft = await tx.findDraft(draftId);
  if (draft?.state !== 'open' || draft.version !== version) return;
  const states = await readLegs(tx, id);
  const unsent = states.filter((state) => isUnsent(state, now)).map(({ leg }) => leg.number);
  if (unsent.length === states.length) return;
  if (unsent.length === 0) {
    await tx.moveDraft(draft, { state: 'sent' });
    return;
  }
  const sent = await tx.findVersion(draftId, version);
  const legs = (sent?.legs ?? []).filter((_, index) => unsent.includes(index + 1));
  await addVersion(tx, { ...draft, version: version + 1 }, { channel: 'submission', legs }, now);
}
