/**
 * How the approval page, the terminal and the form of a host show a draft that waits for a person, and submit the
 * decision. One process serves the page for all accounts of a store, so a draft is found in any of them.
 */

import {
  type ApprovalDeps,
  approve,
  confirm,
  type FormFields,
  isSameDecimal,
  type NotWaiting,
  reject,
  shownMs,
  type Undecided,
  type Waiting,
  type WaitingStore,
  type Which,
} from '../../../core/approval/approval-rules.ts';
import type { ApprovalMethod, FormRecord, PassphraseChannel } from '../../../core/orders/intent/approval-methods.ts';
import type { Decision, OwnerProof } from '../../../core/orders/intent/approval-port.ts';
import type { DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { canUseForm, getFormTotal } from './announce-approval.ts';
import { type DraftTicketView, isAsShown, isPastApproval, toDraftTicketView } from './approve-draft.ts';
import { describeSubmission, type SubmissionReport } from './describe-submission.ts';
import { endSubmission } from './end-submission.ts';
import { stoppedBy, stopSubmission } from './stop-submission.ts';
import {
  type Submission,
  type SubmissionChange,
  type SubmissionDeps,
  type SubmissionView,
  submissionMs,
} from './submission.ts';

/** A draft that waits, or waited, for a person, and what became of it. */
export interface ShownDraftTicket extends DraftTicketView {
  readonly report: SubmissionReport;
}

/** `all_placed`: it came too late, because every order had been placed. */
export type StopDecision = Decision | { readonly kind: 'all_placed' };

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
    /** Takes the place of the passphrase. */
    readonly proof?: OwnerProof | undefined;
    readonly channel: PassphraseChannel;
    readonly seen?: number | undefined;
  }): Promise<Decision>;
  /** Rejects a draft that waits. It needs no passphrase, and the draft itself stays. */
  reject(answer: { readonly submissionId: string; readonly channel: ApprovalMethod }): Promise<Decision>;
  /** Stops a draft that is being sent: legs that have not left are never sent. It needs no passphrase. */
  stop(answer: { readonly submissionId: string; readonly channel: ApprovalMethod }): Promise<StopDecision>;
  /** Processes an accepted form. The owner chose this convenience, in which no passphrase is required. */
  confirm(form: DraftForm): Promise<Decision>;
  /** Records what became of a form of a draft that waits. */
  noteForm(nonce: string, change: (form: FormRecord | undefined) => FormRecord): Promise<void>;
  /** Processes a form that was declined. */
  declineForm(nonce: string): Promise<Decision>;
  /** The attempt whose approval has this nonce, in any state; undefined when there is none. */
  findByNonce(nonce: string): Promise<Submission | undefined>;
}

export type DraftApprovalDeps = Omit<ApprovalDeps, 'waiting'> &
  Pick<SubmissionDeps, 'store' | 'clock' | 'limits' | 'processes'>;

/** Creates the service that all approval channels of a process use. */
export function createDraftApprovals(deps: DraftApprovalDeps): DraftApprovals {
  const rules = { ...deps, waiting: storeOf(deps) };
  return {
    viewByHandle: (handle) =>
      deps.store.read(async (tx) => {
        const now = deps.clock.now();
        const [submission] = await tx.listSubmissions({ handle, createdSince: now - shownMs });
        const view = submission && (await toDraftTicketView(tx, submission, now));
        return view && { ...view, report: await describeSubmission(deps, tx, submission, 'person') };
      }),
    approve: ({ submissionId, ...answer }) => approve(rules, { id: submissionId, ...answer }),
    reject: ({ submissionId, channel }) => reject(rules, { id: submissionId }, channel),
    stop: (answer) => stop(deps, answer),
    confirm: ({ nonce, ...form }) => confirm(rules, nonce, form),
    noteForm: (nonce, change) => deps.store.change((tx) => noteForm(tx, nonce, change)),
    declineForm: (nonce) => reject(rules, { nonce }, 'elicitation'),
    findByNonce: (nonce) => deps.store.read((tx) => findByNonce(tx, nonce)),
  };
}

/** The drafts that wait, as the rules of an approval read and decide them. */
const storeOf = ({ store, clock, processes }: DraftApprovalDeps): WaitingStore => ({
  read: (which, work) => store.read(async (tx) => work(toWaiting(tx, await find(tx, which), clock.now(), () => ({})))),
  change: (which, work) =>
    store.change(async (tx) => {
      const submission = await find(tx, which);
      return work(
        toWaiting(tx, submission, clock.now(), (found) => decisionsOn(tx, found, processes)),
        tx,
      );
    }),
});

const find = (tx: SubmissionView, which: Which): Promise<Submission | undefined> =>
  'id' in which ? tx.findSubmission(which.id) : findByNonce(tx, which.nonce);

/** The draft as it waits at `now` (ms), with what can be decided of it; otherwise that it does not wait. */
export function toWaiting<Decisions>(
  tx: SubmissionView,
  submission: Submission | undefined,
  now: number,
  decisionsOn: (submission: Submission) => Decisions,
): (Waiting & Decisions) | NotWaiting {
  const { approval } = submission ?? {};
  if (!submission || !approval || submission.state !== 'awaiting_approval' || isPastApproval(submission, now))
    return { kind: 'not_waiting' };
  const { ticket, method, askedAt } = approval;
  return {
    kind: 'waiting',
    environment: submission.environment,
    method,
    askedAt,
    isAsShown: (digest = approval.digest) => isAsShown(tx, submission, digest),
    isFilledIn: canUseForm(ticket) ? (form) => isFilledIn(ticket, form) : undefined,
    ...decisionsOn(submission),
  };
}

const decisionsOn = (
  tx: SubmissionChange,
  submission: Submission,
  processes: DraftApprovalDeps['processes'],
): Pick<Undecided, 'approve' | 'reject'> => ({
  approve: async (by, at) => {
    const { id: submissionId, draftId, version, environment, approval } = submission;
    const moved = await tx.moveSubmission(submissionId, 'awaiting_approval', {
      state: 'sending',
      endsAt: at + submissionMs,
      approval: approval && { ...approval, approvedAt: at, by },
    });
    if (!moved) return false;
    await tx.note(environment, 'submission', { submissionId, draftId, version, state: 'sending', by });
    return true;
  },
  reject: async (by, at, reason) => {
    const approval = submission.approval && { ...submission.approval, by };
    await tx.moveSubmission(submission.id, 'awaiting_approval', { approval });
    return (await endSubmission(tx, submission, { state: 'declined', reason }, { processes, now: at })) !== undefined;
  },
});

/** Whether the form has the number of legs, and buys plus sells. An empty response has neither. */
function isFilledIn(ticket: DraftTicket, { confirmLegs, confirmTotal }: FormFields): boolean {
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

/** A nonce names one attempt. One that several have names none. */
async function findByNonce(
  tx: Pick<SubmissionChange, 'listSubmissions'>,
  nonce: string,
): Promise<Submission | undefined> {
  const [submission, ...more] = await tx.listSubmissions({ nonce });
  return more.length === 0 ? submission : undefined;
}
