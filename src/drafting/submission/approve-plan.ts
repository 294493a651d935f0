/** The decision of a person on a draft that waits for approval, in a terminal. */
import { timingSafeEqual } from 'node:crypto';
import { legDigest, planDigest } from '../../orders/approval/plan-approval.ts';
import { readWrongPassphrases, type Security } from '../../orders/enrollment/enrollment.ts';
import type { PassphraseRefusal, WrongPassphrases } from '../../orders/intent/approval-port.ts';
import type { PlanTicket } from '../../orders/intent/plan-approval.ts';
import { findOwnDraft, getPlace } from '../book/find-draft.ts';
import { toOrder } from '../book/legs.ts';
import { endSubmission } from './end-submission.ts';
import type { SubmissionChange, SubmissionDeps, SubmissionView } from './ports.ts';
import { openStates, type Submission, submissionMs } from './submission.ts';

export type ApprovePlanDeps = Pick<SubmissionDeps, 'store' | 'clock' | 'processes' | 'environment' | 'accountKey'>;

/** A draft that waits for a decision, as it is shown. The digest names everything that was shown. */
export interface PlanView {
  readonly ticket: PlanTicket;
  readonly digest: string;
  readonly secondsLeft: number;
  readonly wrongPassphrases: WrongPassphrases | undefined;
}

export type PlanDecision =
  | { readonly kind: 'approved' }
  | PassphraseRefusal
  /** It was decided elsewhere, it was stopped, or its time is over. */
  | { readonly kind: 'not_waiting' }
  /** It is not what was shown. */
  | { readonly kind: 'changed' };

const clockSlackMs = 5_000;

/** Whether the approval can no longer be given. A clock that was set back must not make it last longer. */
export const isPastApproval = ({ approval }: Submission, now: number): boolean =>
  approval === undefined || now >= approval.expiresAt || now < approval.askedAt - clockSlackMs;

/**
 * The draft as it waits for approval; undefined when it does not. With `submissionId` only that attempt counts, so that a
 * person is not shown another one that began in the meantime. Throws `not_found`.
 */
export async function viewPlan(
  deps: ApprovePlanDeps,
  draftId: string,
  submissionId?: string,
): Promise<PlanView | undefined> {
  const place = await getPlace(deps);
  return deps.store.read(async (tx) => {
    await findOwnDraft(tx, place, draftId);
    const now = deps.clock.now();
    const [submission] = await tx.listSubmissions({ draftId, states: ['awaiting_approval'] });
    if (!submission?.approval || isPastApproval(submission, now)) return undefined;
    if (submissionId !== undefined && submission.id !== submissionId) return undefined;
    const { ticket, digest, expiresAt } = submission.approval;
    const secondsLeft = Math.ceil((expiresAt - now) / 1000);
    return { ticket, digest, secondsLeft, wrongPassphrases: await readWrongPassphrases(tx) };
  });
}

/**
 * Approves exactly what was shown, with the passphrase of the owner. From then on its legs can be sent for 15 minutes.
 * `seen` is how many wrong passphrases were shown.
 */
export async function approvePlan(
  deps: ApprovePlanDeps,
  security: Security,
  given: {
    readonly submissionId: string;
    readonly digest: string;
    readonly passphrase: string;
    readonly seen?: number | undefined;
  },
): Promise<PlanDecision> {
  const { store, clock } = deps;
  const { submissionId, digest, passphrase, seen } = given;
  const place = await getPlace(deps);
  const before = await store.read((tx) => checkWaiting(tx, place, submissionId, digest, clock.now()));
  if (before.kind !== 'waiting') return before;
  const checked = await security.check(passphrase, 'terminal', seen);
  if (checked.kind !== 'right') return checked;
  return store.change(async (tx): Promise<PlanDecision> => {
    const now = clock.now();
    const found = await checkWaiting(tx, place, submissionId, digest, now);
    if (found.kind !== 'waiting') return found;
    const { approval, environment, draftId, version } = found.submission;
    const moved = await tx.moveSubmission(submissionId, 'awaiting_approval', {
      state: 'sending',
      endsAt: now + submissionMs,
      approval: approval && { ...approval, approvedAt: now, by: 'terminal' },
    });
    if (!moved) return { kind: 'not_waiting' };
    const note = { submissionId, draftId, version, state: 'sending', by: 'terminal' };
    await tx.note(environment, 'submission', note);
    return { kind: 'approved' };
  });
}

/** Ends the attempts of an account whose time to be approved is over. */
export async function expireWaiting(
  tx: SubmissionChange,
  place: { readonly accountKey: string; readonly environment: string },
  { processes, clock }: Pick<SubmissionDeps, 'processes' | 'clock'>,
): Promise<void> {
  const now = clock.now();
  const how = { state: 'expired', reason: 'The draft was not approved in time.' } as const;
  for (const submission of await tx.listSubmissions({ ...place, states: openStates }))
    if (submission.state === 'awaiting_approval' && isPastApproval(submission, now))
      await endSubmission(tx, submission, how, { processes, now });
}

/** Whether the attempt waits, and what would be approved is what was shown and what is stored now. */
async function checkWaiting(
  tx: SubmissionView,
  place: { readonly accountKey: string; readonly environment: string },
  submissionId: string,
  shown: string,
  now: number,
): Promise<{ kind: 'waiting'; submission: Submission } | { kind: 'not_waiting' } | { kind: 'changed' }> {
  const submission = await tx.findSubmission(submissionId);
  const isOwn = submission?.accountKey === place.accountKey && submission.environment === place.environment;
  if (!isOwn || submission.state !== 'awaiting_approval' || isPastApproval(submission, now))
    return { kind: 'not_waiting' };
  return (await isAsShown(tx, submission, shown)) ? { kind: 'waiting', submission } : { kind: 'changed' };
}

/** Compares the digest that was shown with one that is computed from the version and the legs as they are stored. */
async function isAsShown(tx: SubmissionView, submission: Submission, shown: string): Promise<boolean> {
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
  return isSameText(shown, planDigest(submission, { ...approval, legs: digests }));
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
