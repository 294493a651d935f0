/** The rules of an approval, for all channels. */

import Big from 'big.js';
import type { Clock } from '../clock.ts';
import { approvalInForce, isStrictEnough } from '../orders/halt/trading-state.ts';
import type {
  ApprovalMethod,
  Approvals,
  Decision,
  FormRecord,
  TicketView,
  WrongPassphrases,
} from '../orders/intent/approval-port.ts';
import { type Approval, approvalDigest, type Intent } from '../orders/intent/intent.ts';
import { isOverdue } from '../orders/intent/intent-status.ts';
import type { Journal, JournalChange, JournalView } from '../orders/intent/journal-port.ts';
import { toOutcome } from '../orders/intent/outcome.ts';
import { nextState } from '../orders/intent/states.ts';
import type { Environment } from '../settings/config.ts';
import { isSameText } from '../text/same-text.ts';
import { readWrongPassphrases, type Security } from './enrollment/enrollment.ts';
import type { TradingSettings } from './enrollment/live-origin-guard.ts';

export interface ApprovalDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly security: Security;
  readonly settings: Omit<TradingSettings, 'environment'>;
  /** Called after a decision, so that waiting calls continue without waiting for the next poll. */
  readonly decided?: (() => void) | undefined;
}

export interface ApprovalService extends Approvals {
  /** Processes an accepted form. The owner chose this convenience, in which no passphrase is required. */
  confirm(answer: { readonly nonce: string; readonly confirmQuantity: unknown }): Promise<Decision>;
  /** Records what became of a form of an order that waits, and returns the order as it is then. */
  noteForm(nonce: string, change: (form: FormRecord | undefined) => FormRecord): Promise<Intent | undefined>;
  /** Processes a form that was declined. */
  declineForm(nonce: string): Promise<Decision>;
  /** The intent whose approval has this nonce, in any state; undefined when there is none. */
  findByNonce(nonce: string): Promise<Intent | undefined>;
}

/** No person reads a form and responds faster than this, so a faster response is the host's own. */
const fastestPersonMs = 500;

/** Creates the service that all approval channels of a process use. */
export const createApprovals = (deps: ApprovalDeps): ApprovalService => ({
  view: (intentId) => viewTicket(deps, intentId),
  viewByHandle: (handle) => viewTicketByHandle(deps, handle),
  waiting: () => listWaitingTickets(deps),
  approve: (approval) => approve(deps, approval),
  reject: ({ intentId, channel }) => reject(deps, (tx) => tx.find(intentId), channel),
  confirm: (form) => confirm(deps, form),
  noteForm: (nonce, change) => noteForm(deps, nonce, change),
  declineForm: (nonce) => reject(deps, (tx) => findByNonce(tx, nonce), 'elicitation'),
  findByNonce: (nonce) => deps.journal.read((tx) => findByNonce(tx, nonce)),
});

async function approve(
  deps: ApprovalDeps,
  { intentId, digest, passphrase, channel, seen }: Parameters<Approvals['approve']>[0],
): Promise<Decision> {
  const { journal, clock, security } = deps;
  const before = checkWaiting(await journal.read((tx) => tx.find(intentId)), clock.now(), digest);
  if (before.kind !== 'order') return before;
  // A form proves less than a page or a terminal, so it never replaces them.
  if (channel === 'elicitation') return { kind: 'not_waiting', state: before.state };
  const checked = await security.check(passphrase, channel, seen);
  if (checked.kind !== 'right') return checked;
  return decide(deps, async (tx) => {
    const intent = checkWaiting(await tx.find(intentId), clock.now(), digest);
    if (intent.kind !== 'order') return intent;
    // The channel must satisfy both the method required when the order was created and the one in force here.
    const inForce = await readMethod(deps, intent, tx);
    if (!isStrictEnough(channel, intent.method) || !isStrictEnough(channel, inForce))
      return { kind: 'not_waiting', state: intent.state };
    return recordApproval(tx, intent, channel, clock.now());
  });
}

const confirm = (
  deps: ApprovalDeps,
  { nonce, confirmQuantity }: Parameters<ApprovalService['confirm']>[0],
): Promise<Decision> =>
  decide(deps, async (tx) => {
    const intent = checkWaiting(await findByNonce(tx, nonce), deps.clock.now());
    if (intent.kind !== 'order') return intent;
    // The enrolled method may have become stricter since the form was shown.
    if (intent.method !== 'elicitation' || (await readMethod(deps, intent, tx)) !== 'elicitation')
      return { kind: 'not_waiting', state: intent.state };
    return isSameDecimal(confirmQuantity, intent.request.quantity)
      ? recordApproval(tx, intent, 'elicitation', deps.clock.now())
      : { kind: 'changed' };
  });

const noteForm = (
  { journal }: ApprovalDeps,
  nonce: string,
  change: (form: FormRecord | undefined) => FormRecord,
): Promise<Intent | undefined> =>
  journal.change(async (tx) => {
    const intent = await findByNonce(tx, nonce);
    if (!intent?.approval) return intent;
    const approval = { ...intent.approval, form: change(intent.approval.form) };
    return (await tx.move(intent.id, 'AWAITING_APPROVAL', { state: 'AWAITING_APPROVAL', approval })) ?? intent;
  });

const reject = (
  deps: ApprovalDeps,
  find: (tx: JournalChange) => Promise<Intent | undefined>,
  channel: ApprovalMethod,
): Promise<Decision> =>
  decide(deps, async (tx) => {
    const now = deps.clock.now();
    const intent = checkWaiting(await find(tx), now);
    if (intent.kind !== 'order') return intent;
    const moved = await tx.move(intent.id, 'AWAITING_APPROVAL', {
      state: nextState('AWAITING_APPROVAL', 'decline'),
      changedAt: now,
      approval: { ...intent.approval, by: channel },
      reason: channel === 'elicitation' ? describeDeclinedForm(intent, now) : `Rejected by the human (${channel}).`,
    });
    return moved ? { kind: 'rejected' } : { kind: 'not_waiting', state: undefined };
  });

async function decide(
  { journal, decided }: ApprovalDeps,
  work: (tx: JournalChange) => Promise<Decision>,
): Promise<Decision> {
  const decision = await journal.change(work);
  decided?.();
  return decision;
}

async function recordApproval(
  tx: JournalChange,
  intent: WaitingIntent,
  by: ApprovalMethod,
  now: number,
): Promise<Decision> {
  const approval = { ...intent.approval, approvedAt: now, by };
  const state = nextState('AWAITING_APPROVAL', 'approve');
  const moved = await tx.move(intent.id, 'AWAITING_APPROVAL', { state, changedAt: now, approval });
  return moved ? { kind: 'approved' } : { kind: 'not_waiting', state: undefined };
}

type WaitingIntent = Intent & { readonly approval: Approval };

/**
 * Returns the intent if it is still waiting at `now` (ms), with this digest when one is given; otherwise the decision
 * that gives the reason.
 */
function checkWaiting(intent: Intent | undefined, now: number, digest?: string): WaitingIntent | Decision {
  if (intent?.state !== 'AWAITING_APPROVAL' || !intent.approval) return { kind: 'not_waiting', state: intent?.state };
  if (isOverdue(intent, now)) return { kind: 'not_waiting', state: 'EXPIRED' };
  const { approval } = intent;
  if (
    digest !== undefined &&
    (!isSameText(digest, approval.digest) || approval.digest !== approvalDigest(intent, approval))
  )
    return { kind: 'changed' };
  return { ...intent, approval };
}

const findByNonce = async (tx: JournalView, nonce: string): Promise<Intent | undefined> =>
  (await tx.list({ nonce, limit: 1 }))[0];

const readMethod = ({ settings }: ApprovalDeps, intent: Intent, tx: JournalChange) =>
  approvalInForce({ ...settings, environment: intent.environment as Environment }, tx);

const describeDeclinedForm = ({ approval }: WaitingIntent, now: number): string =>
  now - approval.askedAt < fastestPersonMs
    ? 'The response came faster than a person can read: this host responds to forms automatically.'
    : 'The form was declined in the host.';

/** Whether a string is the same number. An empty response, which some hosts give automatically, is not. */
export function isSameDecimal(given: unknown, wanted: string): boolean {
  if (typeof given !== 'string' || !/^\d{1,20}(\.\d{1,20})?$/.test(given.trim())) return false;
  return new Big(given.trim()).eq(wanted);
}

// What a channel shows of an order that waits, or waited, for a person.

interface TicketDeps {
  readonly journal: Journal;
  readonly clock: Clock;
}

/** The page of a ticket shows its outcome for this long. */
const shownMs = 24 * 3_600_000;

/** The ticket of an intent; undefined when there is none, or when it needs no approval. */
const viewTicket = ({ journal, clock }: TicketDeps, intentId: string): Promise<TicketView | undefined> =>
  journal.read(async (tx) => toView(await tx.find(intentId), clock.now(), await readWrongPassphrases(tx)));

/** The ticket with a handle, while its page is shown. */
const viewTicketByHandle = ({ journal, clock }: TicketDeps, handle: string): Promise<TicketView | undefined> =>
  journal.read(async (tx) => {
    const now = clock.now();
    const [intent] = await tx.list({ handle, createdSince: now - shownMs, limit: 1 });
    return intent && toView(intent, now, await readWrongPassphrases(tx));
  });

/** The tickets that wait for a person, oldest first. */
const listWaitingTickets = ({ journal, clock }: TicketDeps): Promise<TicketView[]> =>
  journal.read(async (tx) => {
    const wrong = await readWrongPassphrases(tx);
    const now = clock.now();
    const intents = await tx.list({ states: ['AWAITING_APPROVAL'] });
    return intents
      .filter((intent) => !isOverdue(intent, now))
      .flatMap((intent) => toView(intent, now, wrong) ?? [])
      .reverse();
  });

function toView(
  intent: Intent | undefined,
  now: number,
  wrongPassphrases: WrongPassphrases | undefined,
): TicketView | undefined {
  if (!intent?.approval) return undefined;
  const { approval } = intent;
  const waits = intent.state === 'AWAITING_APPROVAL' && !isOverdue(intent, now);
  const { message, reason } = toOutcome(intent, now);
  return {
    ticket: approval.ticket,
    state: intent.state === 'AWAITING_APPROVAL' && !waits ? 'EXPIRED' : intent.state,
    message: waits ? 'The order is waiting for your decision; nothing has been sent.' : message,
    reason,
    orderId: intent.orderId,
    digest: approval.digest,
    secondsLeft: waits ? Math.ceil((approval.expiresAt - now) / 1000) : 0,
    wrongPassphrases: waits ? wrongPassphrases : undefined,
  };
}
