/** The orders that wait for a person: what a channel shows of them, and how they are stored and decided. */
import type { FormRecord } from '../orders/intent/approval-methods.ts';
import type { Approvals, Decision, TicketView, WrongPassphrases } from '../orders/intent/approval-port.ts';
import { approvalDigest, type Intent, isOverdue } from '../orders/intent/intent.ts';
import type { Journal, JournalChange, JournalView } from '../orders/intent/journal-port.ts';
import { toOutcome } from '../orders/intent/outcome.ts';
import { nextState } from '../orders/intent/states.ts';
import { isSameText } from '../text/same-text.ts';
import {
  type ApprovalDeps,
  approve,
  confirm,
  isSameDecimal,
  type NotWaiting,
  reject,
  shownMs,
  type Undecided,
  type Waiting,
  type WaitingStore,
  type Which,
} from './approval-rules.ts';
import { readWrongPassphrases } from './enrollment/enrollment.ts';

export interface OrderApprovalDeps extends Omit<ApprovalDeps, 'waiting'> {
  readonly journal: Journal;
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

/** Creates the service that all approval channels of a process use. */
export function createApprovals({ journal, decided, ...deps }: OrderApprovalDeps): ApprovalService {
  const rules = { ...deps, waiting: storeOf({ journal, decided, clock: deps.clock }) };
  const shown = { journal, clock: deps.clock };
  return {
    view: (intentId) => viewTicket(shown, intentId),
    viewByHandle: (handle) => viewTicketByHandle(shown, handle),
    waiting: () => listWaitingTickets(shown),
    approve: ({ intentId, ...answer }) => approve(rules, { id: intentId, ...answer }),
    reject: ({ intentId, channel }) => reject(rules, { id: intentId }, channel),
    confirm: ({ nonce, ...form }) => confirm(rules, nonce, form),
    noteForm: (nonce, change) => noteForm(journal, nonce, change),
    declineForm: (nonce) => reject(rules, { nonce }, 'elicitation'),
    findByNonce: (nonce) => journal.read((tx) => findByNonce(tx, nonce)),
  };
}

/** The orders that wait, as the rules of an approval read and decide them. */
const storeOf = ({
  journal,
  clock,
  decided,
}: Pick<OrderApprovalDeps, 'journal' | 'clock' | 'decided'>): WaitingStore => ({
  read: (which, work) => journal.read(async (tx) => work(toWaiting(await find(tx, which), clock.now(), () => ({})))),
  change: async (which, work) => {
    const decision = await journal.change(async (tx) => {
      const found = toWaiting(await find(tx, which), clock.now(), (intent) => decisionsOn(tx, intent));
      return work(found, tx);
    });
    decided?.();
    return decision;
  },
});

const find = (tx: JournalView, which: Which): Promise<Intent | undefined> =>
  'id' in which ? tx.find(which.id) : findByNonce(tx, which.nonce);

const findByNonce = async (tx: JournalView, nonce: string): Promise<Intent | undefined> =>
  (await tx.list({ nonce, limit: 1 }))[0];

/** The order as it waits at `now` (ms), with what can be decided of it; otherwise that it does not wait. */
function toWaiting<Decisions>(
  intent: Intent | undefined,
  now: number,
  decisionsOn: (intent: Intent) => Decisions,
): (Waiting & Decisions) | NotWaiting {
  if (intent?.state !== 'AWAITING_APPROVAL' || !intent.approval) return { kind: 'not_waiting', state: intent?.state };
  if (isOverdue(intent, now)) return { kind: 'not_waiting', state: 'EXPIRED' };
  const { approval, environment, method, state, request } = intent;
  return {
    kind: 'waiting',
    state,
    environment,
    method,
    askedAt: approval.askedAt,
    isAsShown: async (digest) =>
      digest === undefined ||
      (isSameText(digest, approval.digest) && approval.digest === approvalDigest(intent, approval)),
    isFilledIn: ({ confirmQuantity }) => isSameDecimal(confirmQuantity, request.quantity),
    ...decisionsOn(intent),
  };
}

const decisionsOn = (tx: JournalChange, { id, approval }: Intent): Pick<Undecided, 'approve' | 'reject'> => {
  const decide = async (event: 'approve' | 'decline', at: number, change: Partial<Intent>): Promise<boolean> => {
    const state = nextState('AWAITING_APPROVAL', event);
    return (await tx.move(id, 'AWAITING_APPROVAL', { state, changedAt: at, ...change })) !== undefined;
  };
  return {
    approve: (by, at) => decide('approve', at, { approval: approval && { ...approval, approvedAt: at, by } }),
    reject: (by, at, reason) => decide('decline', at, { approval: approval && { ...approval, by }, reason }),
  };
};

const noteForm = (
  journal: Journal,
  nonce: string,
  change: (form: FormRecord | undefined) => FormRecord,
): Promise<Intent | undefined> =>
  journal.change(async (tx) => {
    const intent = await findByNonce(tx, nonce);
    if (!intent?.approval) return intent;
    const approval = { ...intent.approval, form: change(intent.approval.form) };
    return (await tx.move(intent.id, 'AWAITING_APPROVAL', { state: 'AWAITING_APPROVAL', approval })) ?? intent;
  });

// What a channel shows of an order that waits, or waited, for a person.

/** The ticket of an intent; undefined when there is none, or when it needs no approval. */
const viewTicket = (
  { journal, clock }: Pick<OrderApprovalDeps, 'journal' | 'clock'>,
  intentId: string,
): Promise<TicketView | undefined> =>
  journal.read(async (tx) => toView(await tx.find(intentId), clock.now(), await readWrongPassphrases(tx)));

/** The ticket with a handle, while its page is shown. */
const viewTicketByHandle = (
  { journal, clock }: Pick<OrderApprovalDeps, 'journal' | 'clock'>,
  handle: string,
): Promise<TicketView | undefined> =>
  journal.read(async (tx) => {
    const now = clock.now();
    const [intent] = await tx.list({ handle, createdSince: now - shownMs, limit: 1 });
    return intent && toView(intent, now, await readWrongPassphrases(tx));
  });

/** The tickets that wait for a person, oldest first. */
const listWaitingTickets = ({ journal, clock }: Pick<OrderApprovalDeps, 'journal' | 'clock'>): Promise<TicketView[]> =>
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
