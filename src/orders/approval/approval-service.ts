/** The rules of an approval, for all channels. */
import { timingSafeEqual } from 'node:crypto';
import Big from 'big.js';
import type { Clock } from '../../clock.ts';
import type { Environment } from '../../config.ts';
import { readWrongPassphrases, type Security } from '../enrollment/enrollment.ts';
import type { TradingSettings } from '../enrollment/trading-settings.ts';
import { approvalInForce, isStrictEnough } from '../halt/trading-state.ts';
import type { ApprovalMethod, Approvals, Decision, TicketView, WrongPassphrases } from '../intent/approval-port.ts';
import { approvalDigest } from '../intent/digest.ts';
import type { Intent } from '../intent/intent.ts';
import { isOverdue } from '../intent/intent-status.ts';
import { toOutcome } from '../intent/outcome.ts';
import type { Journal, JournalChange, JournalView } from '../intent/ports.ts';
import { nextState } from '../intent/states.ts';

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
  /** Processes a form that was declined. */
  declineForm(nonce: string): Promise<Decision>;
  /** The intent whose approval has this nonce, in any state; undefined when there is none. */
  findByNonce(nonce: string): Promise<Intent | undefined>;
}

/** No person reads a form and responds faster than this, so a faster response is the host's own. */
const fastestPersonMs = 500;

/** The page of a ticket shows its outcome for this long. */
const shownMs = 24 * 3_600_000;

/** Creates the service that all approval channels of a process use. */
export function createApprovals(parts: ApprovalDeps): ApprovalService {
  const { journal, clock, security } = parts;

  const byNonce = async (tx: JournalView, nonce: string): Promise<Intent | undefined> =>
    (await tx.list({ nonce, limit: 1 }))[0];

  const view = (intent: Intent | undefined, wrongPassphrases?: WrongPassphrases): TicketView | undefined => {
    if (!intent?.approval) return undefined;
    const { approval } = intent;
    const now = clock.now();
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
  };

  /**
   * Returns the intent if it is still waiting, with this digest when one is given; otherwise the decision that
   * gives the reason.
   */
  const waitingIntent = (intent: Intent | undefined, digest?: string): Intent | Decision => {
    if (intent?.state !== 'AWAITING_APPROVAL' || !intent.approval) return { kind: 'not_waiting', state: intent?.state };
    if (isOverdue(intent, clock.now())) return { kind: 'not_waiting', state: 'EXPIRED' };
    const { approval } = intent;
    if (
      digest !== undefined &&
      (!sameText(digest, approval.digest) || approval.digest !== approvalDigest(intent, approval))
    )
      return { kind: 'changed' };
    return intent;
  };

  const approveNow = async (tx: JournalChange, intent: Intent, by: ApprovalMethod): Promise<Decision> => {
    const approval = intent.approval && { ...intent.approval, approvedAt: clock.now(), by };
    const state = nextState('AWAITING_APPROVAL', 'approve');
    const moved = await tx.move(intent.id, 'AWAITING_APPROVAL', { state, changedAt: clock.now(), approval });
    return moved ? { kind: 'approved' } : { kind: 'not_waiting', state: undefined };
  };

  const decide = async (work: (tx: JournalChange) => Promise<Decision>): Promise<Decision> => {
    const decision = await journal.change(work);
    parts.decided?.();
    return decision;
  };

  const reject = (find: (tx: JournalChange) => Promise<Intent | undefined>, channel: ApprovalMethod) =>
    decide(async (tx) => {
      const intent = waitingIntent(await find(tx));
      if ('kind' in intent && intent.kind !== 'order') return intent;
      const moved = await tx.move(intent.id, 'AWAITING_APPROVAL', {
        state: nextState('AWAITING_APPROVAL', 'decline'),
        changedAt: clock.now(),
        approval: intent.approval && { ...intent.approval, by: channel },
        reason: channel === 'elicitation' ? formReason(intent) : `Rejected by the human (${channel}).`,
      });
      return moved ? { kind: 'rejected' } : { kind: 'not_waiting', state: undefined };
    });

  const formReason = ({ approval }: Intent): string =>
    clock.now() - (approval?.askedAt ?? 0) < fastestPersonMs
      ? 'The response came faster than a person can read: this host responds to forms automatically.'
      : 'The form was declined in the host.';

  return {
    view: (intentId) => journal.read(async (tx) => view(await tx.find(intentId), await readWrongPassphrases(tx))),
    viewByHandle: (handle) =>
      journal.read(async (tx) => {
        const [intent] = await tx.list({ handle, createdSince: clock.now() - shownMs, limit: 1 });
        return intent && view(intent, await readWrongPassphrases(tx));
      }),
    waiting: () =>
      journal.read(async (tx) => {
        const wrong = await readWrongPassphrases(tx);
        const intents = await tx.list({ states: ['AWAITING_APPROVAL'] });
        return intents
          .flatMap((intent) => view(intent, wrong) ?? [])
          .filter(({ secondsLeft }) => secondsLeft > 0)
          .reverse();
      }),
    approve: async ({ intentId, digest, passphrase, channel, seen }) => {
      const before = waitingIntent(await journal.read((tx) => tx.find(intentId)), digest);
      if (before.kind !== 'order') return before;
      // A form proves less than a page or a terminal, so it never replaces them.
      if (channel === 'elicitation') return { kind: 'not_waiting', state: before.state };
      const checked = await security.check(passphrase, channel, seen);
      if (checked.kind !== 'right') return checked;
      return decide(async (tx) => {
        const intent = waitingIntent(await tx.find(intentId), digest);
        if (intent.kind !== 'order') return intent;
        // The channel must satisfy both the method required when the order was created and the one in force here.
        const isEnough = isStrictEnough(channel, intent.method) && isStrictEnough(channel, await getMethod(intent, tx));
        if (!isEnough) return { kind: 'not_waiting', state: intent.state };
        return approveNow(tx, intent, channel);
      });
    },
    reject: ({ intentId, channel }) => reject((tx) => tx.find(intentId), channel),
    confirm: ({ nonce, confirmQuantity }) =>
      decide(async (tx) => {
        const intent = waitingIntent(await byNonce(tx, nonce));
        if (intent.kind !== 'order') return intent;
        // The enrolled method may have become stricter since the form was shown.
        if (intent.method !== 'elicitation' || (await getMethod(intent, tx)) !== 'elicitation')
          return { kind: 'not_waiting', state: intent.state };
        return sameDecimal(confirmQuantity, intent.request.quantity)
          ? approveNow(tx, intent, 'elicitation')
          : { kind: 'changed' };
      }),
    declineForm: (nonce) => reject((tx) => byNonce(tx, nonce), 'elicitation'),
    findByNonce: (nonce) => journal.read((tx) => byNonce(tx, nonce)),
  };

  function getMethod(intent: Intent, tx: JournalChange) {
    return approvalInForce({ ...parts.settings, environment: intent.environment as Environment }, tx);
  }
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Whether a string is the same number. An empty response, which some hosts give automatically, is not. */
function sameDecimal(given: unknown, wanted: string): boolean {
  if (typeof given !== 'string' || !/^\d{1,20}(\.\d{1,20})?$/.test(given.trim())) return false;
  return new Big(given.trim()).eq(wanted);
}
