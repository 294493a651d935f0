/** A draft that waits for approval: what is shown of it, and whether it is still what was shown. */
import { draftDigest, legDigest } from '../../../core/approval/draft-digest.ts';
import { readWrongPassphrases } from '../../../core/approval/enrollment/enrollment.ts';
import type { WrongPassphrases } from '../../../core/orders/intent/approval-port.ts';
import type { DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { isApprovalOver } from '../../../core/orders/intent/intent.ts';
import { expireOverdue } from '../../../core/orders/reconcile/reconcile-schedule.ts';
import { isSameText } from '../../../core/text/same-text.ts';
import { type DraftPlace, findOwnDraft, getPlace } from '../book/find-draft.ts';
import { toOrder } from '../book/legs.ts';
import { endSubmission, readLegs } from './end-submission.ts';
import { getNextStep, pastEnd } from './next-step.ts';
import {
  isPastEnd,
  openStates,
  type Submission,
  type SubmissionChange,
  type SubmissionDeps,
  type SubmissionView,
} from './submission.ts';

/** A draft that waits for a decision, as it is shown. The digest names everything that was shown. */
export interface DraftTicketView {
  readonly ticket: DraftTicket;
  readonly digest: string;
  /** 0 when it no longer waits. */
  readonly secondsLeft: number;
  /** Undefined when there are none, and when it no longer waits. */
  readonly wrongPassphrases: WrongPassphrases | undefined;
}

/** Whether the approval can no longer be given. */
export const isPastApproval = ({ approval }: Pick<Submission, 'approval'>, now: number): boolean =>
  approval === undefined || isApprovalOver(approval, now);

/**
 * The draft as it waits for approval; undefined when it does not. With `submissionId` only that attempt counts, so that a
 * person is not shown another one that began in the meantime. Throws `not_found`.
 */
export async function viewDraftTicket(
  deps: Pick<SubmissionDeps, 'store' | 'clock' | 'environment' | 'accountKey'>,
  draftId: string,
  submissionId?: string,
): Promise<DraftTicketView | undefined> {
  const place = await getPlace(deps);
  return deps.store.read(async (tx) => {
    await findOwnDraft(tx, place, draftId);
    const [submission] = await tx.listSubmissions({ draftId, states: ['awaiting_approval'] });
    if (submissionId !== undefined && submission?.id !== submissionId) return undefined;
    const view = submission && (await toDraftTicketView(tx, submission, deps.clock.now()));
    return view && view.secondsLeft > 0 ? view : undefined;
  });
}

/** What is shown of an attempt that waits or waited; undefined where no person is asked. */
export async function toDraftTicketView(
  tx: SubmissionView,
  submission: Submission,
  now: number,
): Promise<DraftTicketView | undefined> {
  if (!submission.approval) return undefined;
  const { ticket, digest, expiresAt } = submission.approval;
  const waits = submission.state === 'awaiting_approval' && !isPastApproval(submission, now);
  return {
    ticket,
    digest,
    secondsLeft: waits ? Math.ceil((expiresAt - now) / 1000) : 0,
    wrongPassphrases: waits ? await readWrongPassphrases(tx) : undefined,
  };
}

/**
 * Ends the attempts of an account whose time to be approved or to be sent is over: no process may be left that does it.
 * This sends nothing. An attempt with an order in flight is left to its process while that is alive.
 */
export async function expireWaiting(
  tx: SubmissionChange,
  place: DraftPlace,
  { processes, clock }: Pick<SubmissionDeps, 'processes' | 'clock'>,
): Promise<void> {
  const now = clock.now();
  const how = { state: 'expired', reason: 'The draft was not approved in time.' } as const;
  for (const submission of await tx.listSubmissions({ ...place, states: openStates })) {
    if (submission.state === 'sending') await endOverdue(tx, submission, { processes, now });
    else if (isPastApproval(submission, now)) await endSubmission(tx, submission, how, { processes, now });
  }
}

/** Ends an attempt that is being sent when its time has passed, as the process that sends it would. */
export async function endOverdue(
  tx: SubmissionChange,
  submission: Submission,
  { processes, now }: { readonly processes: SubmissionDeps['processes']; readonly now: number },
): Promise<void> {
  const { id, state, owner, accountKey } = submission;
  if (state !== 'sending' || !isPastEnd(submission, now)) return;
  await expireOverdue(tx, accountKey, processes, now);
  const step = getNextStep(submission, await readLegs(tx, id), now);
  if (step.kind === 'done') await endSubmission(tx, submission, { state: 'done' }, { processes, now });
  if (step.kind === 'stop')
    await endSubmission(tx, submission, { state: 'stopped', rule: step.rule, reason: step.reason }, { processes, now });
  if (step.kind === 'wait' && (owner === undefined || !processes.isAlive(owner)))
    await endSubmission(tx, submission, { state: 'stopped', ...pastEnd }, { processes, now });
}

/** Compares the digest that was shown with one that is computed from the version and the legs as they are stored. */
export async function isAsShown(tx: SubmissionView, submission: Submission, shown: string): Promise<boolean> {
  const { approval, draftId } = submission;
  if (!approval || !isSameText(shown, approval.digest)) return false;
  const draft = await tx.findDraft(draftId);
  // A repetition sends a version that was sent before.
  const state = submission.repeatOf !== undefined && draft?.state === 'sent' ? 'sent' : 'open';
  if (draft?.state !== state || draft.version !== submission.version) return false;
  const version = await tx.findVersion(draftId, submission.version);
  const legs = (await tx.listSubmissionLegs(submission.id)).toSorted((a, b) => a.position - b.position);
  if (!version || version.legs.length !== legs.length) return false;
  const digests = legs.map(({ number, repeatOf }) => {
    const leg = version.legs[number - 1];
    return { number, digest: leg ? legDigest(number, toOrder(leg), repeatOf) : '' };
  });
  return isSameText(shown, draftDigest(submission, { ...approval, legs: digests }));
}
