/**
 * How the approval page, the terminal and the form of a host show a draft that waits for a person, and submit the
 * decision. One process serves the page for all accounts of a store, so a draft is found in any of them.
 */

import { isSameDecimal } from '../../../core/approval/approval-service.ts';
import type { Security } from '../../../core/approval/enrollment/enrollment.ts';
import type { TradingSettings } from '../../../core/approval/enrollment/live-origin-guard.ts';
import { approvalInForce, isStrictEnough } from '../../../core/orders/halt/trading-state.ts';
import type { ApprovalMethod, FormRecord, PassphraseRefusal } from '../../../core/orders/intent/approval-port.ts';
import type { DraftApproval } from '../../../core/orders/intent/draft-approval.ts';
import type { Environment } from '../../../core/settings/config.ts';
import { canUseForm, getFormTotal } from './announce-approval.ts';
import { checkWaiting, type DraftTicketView, toDraftTicketView } from './approve-draft.ts';
import { describeSubmission, type SubmissionReport } from './describe-submission.ts';
import { endSubmission } from './end-submission.ts';
import { describeHuman, stoppedBy, stopSubmission } from './stop-submission.ts';
import { type Submission, type SubmissionChange, type SubmissionDeps, submissionMs } from './submission.ts';

/** A draft that waits, or waited, for a person, and what became of it. */
export interface ShownDraftTicket extends DraftTicketView {
  readonly report: SubmissionReport;
}

export type DraftDecision =
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected' }
  | PassphraseRefusal
  /** It was decided elsewhere, it was stopped, or its time is over. */
  | { readonly kind: 'not_waiting' }
  /** It is not what was shown. */
  | { readonly kind: 'changed' };

/** `all_placed`: it came too late, because every order had been placed. */
export type StopDecision = DraftDecision | { readonly kind: 'all_placed' };

/** What the person typed into a form. */
export interface DraftForm {
  readonly nonce: string;
  readonly confirmLegs: unknown;
  readonly confirmTotal: unknown;
}

/** Every method throws `store_unavailable` when the store cannot be used. */
export interface DraftApprovals {
  /** By the random handle in the address of the page; undefined when no recent draft has it. */
  viewByHandle(handle: string): Promise<ShownDraftTicket | undefined>;
  /**
   * Approves exactly what was shown, with the passphrase of the owner. From then on its legs can be sent for 15
   * minutes. `seen` is how many wrong passphrases were shown.
   */
  approve(answer: {
    readonly submissionId: string;
    readonly digest: string;
    readonly passphrase: string;
    readonly channel: 'page' | 'terminal';
    readonly seen?: number | undefined;
  }): Promise<DraftDecision>;
  /** Rejects a draft that waits. It needs no passphrase, and the draft itself stays. */
  reject(answer: { readonly submissionId: string; readonly channel: ApprovalMethod }): Promise<DraftDecision>;
  /** Stops a draft that is being sent: legs that have not left are never sent. It needs no passphrase. */
  stop(answer: { readonly submissionId: string; readonly channel: ApprovalMethod }): Promise<StopDecision>;
  /** Processes an accepted form. The owner chose this convenience, in which no passphrase is required. */
  confirm(form: DraftForm): Promise<DraftDecision>;
  /** Records what became of a form of a draft that waits. */
  noteForm(nonce: string, change: (form: FormRecord | undefined) => FormRecord): Promise<void>;
  /** Processes a form that was declined. */
  declineForm(nonce: string): Promise<DraftDecision>;
  /** The attempt whose approval has this nonce, in any state; undefined when there is none. */
  findByNonce(nonce: string): Promise<Submission | undefined>;
}

export interface DraftApprovalDeps extends Pick<SubmissionDeps, 'store' | 'clock' | 'limits' | 'processes'> {
  readonly security: Security;
  readonly settings: Omit<TradingSettings, 'environment'>;
}

/** The page of a draft shows its outcome for this long. */
const shownMs = 24 * 3_600_000;
/** No person reads a form and responds faster than this, so a faster response is the host's own. */
const fastestPersonMs = 500;

/** Creates the service that all approval channels of a process use. */
export const createDraftApprovals = (deps: DraftApprovalDeps): DraftApprovals => ({
  viewByHandle: (handle) =>
    deps.store.read(async (tx) => {
      const now = deps.clock.now();
      const [submission] = await tx.listSubmissions({ handle, createdSince: now - shownMs });
      const view = submission && (await toDraftTicketView(tx, submission, now));
      return view && { ...view, report: await describeSubmission(deps, tx, submission, 'person') };
    }),
  approve: (answer) => approve(deps, answer),
  reject: ({ submissionId, channel }) => reject(deps, (tx) => tx.findSubmission(submissionId), channel),
  stop: (answer) => stop(deps, answer),
  confirm: (form) => confirm(deps, form),
  noteForm: (nonce, change) => deps.store.change((tx) => noteForm(tx, nonce, change)),
  declineForm: (nonce) => reject(deps, (tx) => findByNonce(tx, nonce), 'elicitation'),
  findByNonce: (nonce) => deps.store.read((tx) => findByNonce(tx, nonce)),
});

async function approve(
  deps: DraftApprovalDeps,
  { submissionId, digest, passphrase, channel, seen }: Parameters<DraftApprovals['approve']>[0],
): Promise<DraftDecision> {
  const { store, clock, security } = deps;
  const before = await store.read(async (tx) =>
    checkWaiting(tx, await tx.findSubmission(submissionId), digest, clock.now()),
  );
  if (before.kind !== 'waiting') return before;
  const checked = await security.check(passphrase, channel, seen);
  if (checked.kind !== 'right') return checked;
  return store.change(async (tx): Promise<DraftDecision> => {
    const found = await checkWaiting(tx, await tx.findSubmission(submissionId), digest, clock.now());
    if (found.kind !== 'waiting') return found;
    // The channel must satisfy both the method required when the person was asked and the one in force here.
    const inForce = await readMethod(deps, tx, found.submission);
    if (!isStrictEnough(channel, found.approval.method) || !isStrictEnough(channel, inForce))
      return { kind: 'not_waiting' };
    return recordApproval(tx, found, channel, clock.now());
  });
}

const confirm = ({ store, clock, ...deps }: DraftApprovalDeps, form: DraftForm): Promise<DraftDecision> =>
  store.change(async (tx): Promise<DraftDecision> => {
    const found = await checkWaiting(tx, await findByNonce(tx, form.nonce), undefined, clock.now());
    if (found.kind !== 'waiting') return found;
    const { approval, submission } = found;
    // The enrolled method may have become stricter since the form was shown.
    const isByForm = approval.method === 'elicitation' && (await readMethod(deps, tx, submission)) === 'elicitation';
    if (!isByForm || !canUseForm(approval.ticket)) return { kind: 'not_waiting' };
    if (!isFilledIn(approval, form)) return { kind: 'changed' };
    return recordApproval(tx, found, 'elicitation', clock.now());
  });

/** Whether the form has the number of legs, and buys plus sells. An empty response has neither. */
function isFilledIn({ ticket }: DraftApproval, { confirmLegs, confirmTotal }: DraftForm): boolean {
  const legs = typeof confirmLegs === 'number' ? String(confirmLegs) : confirmLegs;
  return isSameDecimal(legs, String(ticket.legs.length)) && isSameDecimal(confirmTotal, getFormTotal(ticket));
}

async function noteForm(
  tx: SubmissionChange,
  nonce: string,
  change: (form: FormRecord | undefined) => FormRecord,
): Promise<void> {
  const submission = await findByNonce(tx, nonce);
  if (!submission?.approval) return;
  const approval = { ...submission.approval, form: change(submission.approval.form) };
  await tx.moveSubmission(submission.id, 'awaiting_approval', { approval });
}

async function recordApproval(
  tx: SubmissionChange,
  { submission, approval }: { readonly submission: Submission; readonly approval: DraftApproval },
  by: ApprovalMethod,
  now: number,
): Promise<DraftDecision> {
  const { id: submissionId, draftId, version, environment } = submission;
  const moved = await tx.moveSubmission(submissionId, 'awaiting_approval', {
    state: 'sending',
    endsAt: now + submissionMs,
    approval: { ...approval, approvedAt: now, by },
  });
  if (!moved) return { kind: 'not_waiting' };
  await tx.note(environment, 'submission', { submissionId, draftId, version, state: 'sending', by });
  return { kind: 'approved' };
}

const reject = (
  { store, clock, processes }: DraftApprovalDeps,
  find: (tx: SubmissionChange) => Promise<Submission | undefined>,
  channel: ApprovalMethod,
): Promise<DraftDecision> =>
  store.change(async (tx): Promise<DraftDecision> => {
    const now = clock.now();
    const submission = await find(tx);
    const view = submission && (await toDraftTicketView(tx, submission, now));
    if (!submission?.approval || !view || view.secondsLeft === 0) return { kind: 'not_waiting' };
    const { askedAt } = submission.approval;
    const approval = { ...submission.approval, by: channel };
    await tx.moveSubmission(submission.id, 'awaiting_approval', { approval });
    const reason = channel === 'elicitation' ? describeDeclinedForm(now - askedAt) : describeHuman('Rejected', channel);
    const ended = await endSubmission(tx, submission, { state: 'declined', reason }, { processes, now });
    return { kind: ended ? 'rejected' : 'not_waiting' };
  });

const stop = (
  deps: DraftApprovalDeps,
  { submissionId, channel }: Parameters<DraftApprovals['stop']>[0],
): Promise<StopDecision> =>
  deps.store.change(async (tx): Promise<StopDecision> => {
    const submission = await tx.findSubmission(submissionId);
    if (submission?.state === 'done') return { kind: 'all_placed' };
    // One that waits is rejected on this page, with a button of its own.
    if (submission?.state !== 'sending') return { kind: 'not_waiting' };
    const isStopped = await stopSubmission(tx, deps, submission, stoppedBy(channel));
    return { kind: isStopped ? 'rejected' : 'not_waiting' };
  });

const describeDeclinedForm = (afterMs: number): string =>
  afterMs < fastestPersonMs
    ? 'The response came faster than a person can read: this host responds to forms automatically.'
    : 'The form was declined in the host.';

/** A nonce names one attempt. One that several have names none. */
async function findByNonce(
  tx: Pick<SubmissionChange, 'listSubmissions'>,
  nonce: string,
): Promise<Submission | undefined> {
  const [submission, ...more] = await tx.listSubmissions({ nonce });
  return more.length === 0 ? submission : undefined;
}

const readMethod = (
  { settings }: Pick<DraftApprovalDeps, 'settings'>,
  tx: SubmissionChange,
  { environment }: Submission,
) => approvalInForce({ ...settings, environment: environment as Environment }, tx);
