/** The report of an attempt to send a draft. */

import { isHeld, type ProcessRegistry } from '../../../core/lease.ts';
import { type ApprovalMethod, isByForm } from '../../../core/orders/intent/approval-methods.ts';
import type { DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { isAbandoned } from '../../../core/orders/intent/intent.ts';
import { formDeclined, type OutcomeName, toOutcome } from '../../../core/orders/intent/outcome.ts';
import type { RuleName } from '../../../core/orders/intent/refusal.ts';
import { type Draft, type DraftState, isDraftExpired } from '../book/draft.ts';
import { endOverdue, isPastApproval } from './approve-draft.ts';
import { readLegs } from './end-submission.ts';
import { inSequence, isUnsent, isWaitingIntent, type LegState, readPace } from './next-step.ts';
import {
  isOpenSubmission,
  isPastEnd,
  leaseMs,
  type OpenOutcome,
  type Submission,
  type SubmissionDeps,
  type SubmissionOutcome,
  type SubmissionView,
  submissionMs,
  type UnsentCause,
} from './submission.ts';
import { getNextStepFor, type Reader } from './submission-steps.ts';

/**
 * A leg: the outcome of its order; `waiting` before its request leaves, with an `intentId` when it is next; `not_sent`
 * when it never got an order.
 */
export interface LegReport {
  /** The number of the leg in the version. */
  readonly leg: number;
  readonly order: string;
  readonly outcome: OutcomeName | 'waiting';
  readonly intentId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly status?: string | undefined;
  /** Its request has left or is leaving, and its process waits for the response. */
  readonly inFlight?: true | undefined;
  /** What ended the attempt before the leg was sent. */
  readonly unsentBecause?: UnsentCause | undefined;
  readonly rule?: RuleName | undefined;
  readonly reason?: string | undefined;
}

export interface WaitingApproval {
  readonly method: ApprovalMethod;
  readonly how: string;
  /** The address of the page, where this process knows one. */
  readonly address?: string | undefined;
  readonly secondsLeft: number;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly totals: DraftTicket['totals'];
}

export interface SubmissionReport {
  readonly submissionId: string;
  readonly draftId: string;
  readonly version: number;
  readonly outcome: SubmissionOutcome;
  /** It is being sent, but the process that sent it has ended and no other has carried on. */
  readonly sender?: 'gone' | undefined;
  readonly rule?: RuleName | undefined;
  readonly reason?: string | undefined;
  /** A host declined the form, so perhaps no person decided. */
  readonly formDeclined?: true | undefined;
  readonly message: string;
  readonly next: string;
  /** Seconds after which the same call can return more, while it waits for a person, a limit or fills. */
  readonly retryAfterSeconds?: number | undefined;
  /** ISO 8601. No leg leaves after this time. */
  readonly endsAt: string;
  readonly warnings: readonly string[];
  /** While it waits for a person. */
  readonly approval?: WaitingApproval | undefined;
  readonly legs: readonly LegReport[];
  /** The version of the draft that holds the legs that were not sent; undefined when there is none. */
  readonly remainingVersion?: number | undefined;
}

type ReportDeps = Pick<SubmissionDeps, 'store' | 'clock' | 'limits' | 'processes'>;

/** Reads an attempt as it is now; undefined for an unknown id. */
export const reportSubmission = (
  deps: ReportDeps,
  submissionId: string,
  reader: Reader,
): Promise<SubmissionReport | undefined> =>
  deps.store.read(async (tx) => {
    const submission = await tx.findSubmission(submissionId);
    return submission && describeSubmission(deps, tx, submission, reader);
  });

/**
 * The newest attempt to send a draft; undefined when there was none. Ends one whose time has passed first, which can
 * make a version of the draft: read the draft after it.
 */
export async function reportLatest(
  deps: ReportDeps,
  draftId: string,
  reader: Reader,
): Promise<SubmissionReport | undefined> {
  const { store, clock, processes } = deps;
  const found = await store.read(async (tx) => (await tx.listSubmissions({ draftId }))[0]);
  if (found?.state === 'sending' && isPastEnd(found, clock.now()))
    await store.change((tx) => endOverdue(tx, found, { processes, now: clock.now() }));
  return store.read(async (tx) => {
    const [submission] = await tx.listSubmissions({ draftId });
    return submission && describeSubmission(deps, tx, submission, reader);
  });
}

/** What a draft is now: `open` when it can be edited and sent. */
export type DraftPhase = DraftState | OpenOutcome | 'expired';

/**
 * The state of a draft as a person sees it: that of the attempt to send it while one is open, and `expired` for an open
 * draft whose time has passed. `latest` is its newest attempt.
 */
export function describeDraftState(
  draft: Draft,
  latest: Pick<SubmissionReport, 'outcome'> | undefined,
  now: number,
): DraftPhase {
  const { outcome } = latest ?? {};
  // Before the state of the draft, because one that was sent can be sent again.
  if (outcome && isOpenOutcome(outcome)) return outcome;
  if (draft.state !== 'open') return draft.state;
  return isDraftExpired(draft, now) ? 'expired' : draft.state;
}

/**
 * Whether a draft that is shown is compared with the account. The requests would delay the orders of one that is being
 * sent, and serve nothing when it has ended.
 */
export const isChecked = (phase: DraftPhase): boolean => phase === 'open' || phase === 'pending_approval';

/** The report in a transaction that reads more, with the next step of its reader. */
export async function describeSubmission(
  deps: ReportDeps,
  tx: SubmissionView,
  submission: Submission,
  reader: Reader,
): Promise<SubmissionReport> {
  const now = deps.clock.now();
  const states = await readLegs(tx, submission.id);
  const sent = await tx.findVersion(submission.draftId, submission.version);
  const draft = await tx.findDraft(submission.draftId);
  const hasUnsent = states.some((state) => isUnsent(state, now));
  const remaining = !isOpenSubmission(submission) && hasUnsent && draft?.state === 'open' ? draft.version : undefined;
  const outcome = getOutcome(submission, states, now);
  const isGone = submission.state === 'sending' && isSenderGone(submission, deps.processes, now);
  const areAllPlaced = outcome === 'stopped' && states.every(({ intent }) => intent?.state === 'PLACED');
  const isFormDeclined = outcome === 'declined' && isByForm(submission.approval?.by);
  const paceMs = outcome === 'sending' ? await readPace(deps, tx, submission.accountKey) : 0;
  return {
    submissionId: submission.id,
    draftId: submission.draftId,
    version: submission.version,
    outcome,
    sender: isGone ? 'gone' : undefined,
    rule: submission.rule,
    reason: submission.reason,
    formDeclined: isFormDeclined || undefined,
    message: isGone ? senderGone : areAllPlaced ? placedAfterStop : describeOutcome(outcome, isFormDeclined, paceMs),
    next: getNextStepFor(reader, {
      draftId: submission.draftId,
      outcome: areAllPlaced ? 'done' : outcome,
      legs: states,
      remaining,
      now,
      isSenderGone: isGone,
      isFormDeclined,
    }),
    retryAfterSeconds: openOutcomes.has(outcome) ? Math.max(minRetrySeconds, Math.ceil(paceMs / 1000)) : undefined,
    endsAt: new Date(submission.endsAt).toISOString(),
    warnings: submission.warnings ?? [],
    approval: outcome === 'pending_approval' ? describeApproval(submission, now) : undefined,
    legs: states.map((state) => {
      const leg = sent?.legs[state.leg.number - 1];
      const order = leg ? `${leg.side} ${leg.quantity} ${leg.ticker}` : '';
      return { leg: state.leg.number, order, ...getLegOutcome(state, submission, deps.processes, now) };
    }),
    remainingVersion: remaining,
  };
}

const describeApproval = ({ approval, draftId }: Submission, now: number): WaitingApproval | undefined =>
  approval && {
    method: approval.method,
    how: `The owner must run "brokerage-mcp drafts submit ${draftId}" in a terminal.`,
    secondsLeft: Math.ceil((approval.expiresAt - now) / 1000),
    expiresAt: new Date(approval.expiresAt).toISOString(),
    totals: approval.ticket.totals,
  };

function getOutcome(submission: Submission, legs: readonly LegState[], now: number): SubmissionOutcome {
  const { state } = submission;
  if (state === 'awaiting_approval') return isPastApproval(submission, now) ? 'expired' : 'pending_approval';
  if (state !== 'sending') return state;
  const waiting = inSequence(legs).find(({ leg }) => leg.state === 'waiting');
  const isFirst = legs.every(({ intent }) => intent === undefined || intent.state === 'PLACED');
  return waiting?.leg.isDependent && isFirst ? 'waiting_for_fills' : 'sending';
}

function getLegOutcome(
  { leg, intent }: LegState,
  submission: Submission,
  processes: ProcessRegistry,
  now: number,
): Omit<LegReport, 'leg' | 'order'> {
  const isOpen = isOpenSubmission(submission);
  if (leg.state === 'waiting')
    return isOpen
      ? { outcome: 'waiting' }
      : { outcome: 'not_sent', unsentBecause: getUnsentCause(submission, undefined) };
  // Records of orders that were not sent are kept for 30 days.
  if (!intent) return { outcome: 'not_sent' };
  if (isOpen && isWaitingIntent(intent, now)) return { outcome: 'waiting', intentId: intent.id };
  const { outcome, intentId, orderId, status, rule, reason } = toOutcome(intent, now);
  const isAwaited = intent.state === 'SENDING' && !isAbandoned(intent, processes, now);
  const inFlight = isAwaited ? true : undefined;
  const unsentBecause = isUnsent({ leg, intent }, now) ? getUnsentCause(submission, rule) : undefined;
  return { outcome, intentId, orderId, status, rule, reason: reason ?? (inFlight && leaving), inFlight, unsentBecause };
}

const leaving = 'It is being sent now; the broker has not responded yet.';

/** `rule` is the one that ended the order of the leg; undefined for a leg without an order. */
function getUnsentCause({ rule: ended, endedBy }: Submission, rule: RuleName | undefined): UnsentCause | undefined {
  if ((rule ?? ended) === 'halted') return 'halted';
  if (rule !== undefined && rule !== 'submission_ended') return undefined;
  if (endedBy !== undefined) return endedBy === 'stop' ? 'stopped' : 'discarded';
  return ended === 'submission_ended' ? 'time' : undefined;
}

const messages: Record<SubmissionOutcome, string> = {
  pending_approval: 'The draft is waiting for the approval of a human; nothing has been sent.',
  declined: 'The draft was rejected or discarded before it was approved; nothing was sent.',
  expired: 'The draft was not approved in time; nothing was sent.',
  refused: 'This server refused the draft; nothing was sent.',
  sending: 'The legs are being sent, one after the other. Do not place any of them again.',
  waiting_for_fills: 'The remaining buys wait for the fills of the sells. Do not place any of them again.',
  done: 'The broker accepted the order of every leg.',
  stopped: 'Sending stopped. Orders that had not left were not sent, and stay unsent.',
};

const pacedMessage =
  'The limit of orders per minute lets the next leg wait. Legs are sent one after the other; do not place any of them again.';

const senderGone =
  'No process is sending the legs now: the one that did has ended. A server with trading that runs carries on. Do not place any of them again.';

/** The last order was unknown when sending stopped, and was found since. */
const placedAfterStop = 'Sending stopped, but the orders of all legs were placed, as was found since.';

/** Longer than a process with trading takes to notice what is to be sent. */
const noticeMs = 10_000;

/** Whether no process is known to send an attempt that is being sent. */
function isSenderGone({ owner, leaseUntil, endsAt }: Submission, processes: ProcessRegistry, now: number): boolean {
  if (owner === undefined) return now > endsAt - submissionMs + noticeMs;
  return !isHeld({ owner, until: leaseUntil }, processes, now, leaseMs);
}

/** Whether legs are leaving, of each outcome that changes without a call. */
const legsLeave: Record<OpenOutcome, boolean> = { pending_approval: false, sending: true, waiting_for_fills: true };

export const openOutcomes: ReadonlySet<string> = new Set(Object.keys(legsLeave));

const isOpenOutcome = (outcome: SubmissionOutcome): outcome is OpenOutcome => openOutcomes.has(outcome);

/** Whether legs are leaving. */
export const isBeingSent = ({ outcome }: Pick<SubmissionReport, 'outcome'>): boolean =>
  isOpenOutcome(outcome) && legsLeave[outcome];

/** As often as the pending orders can be read. */
const minRetrySeconds = 5;

function describeOutcome(outcome: SubmissionOutcome, isFormDeclined: boolean, paceMs: number): string {
  if (paceMs > 0) return pacedMessage;
  return isFormDeclined ? formDeclined.message : messages[outcome];
}
