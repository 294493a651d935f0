/** What the caller learns about an intent. An error invites a retry, so every state is a result and not an error. */
import { accessFixes, type ErrorCode } from '../../errors.ts';
import { toWords } from '../../text/count-of.ts';
import { isByForm } from './approval-methods.ts';
import { type EarlierOrder, type Intent, isOpen, isOverdue } from './intent.ts';
import type { RuleName } from './refusal.ts';
import type { IntentState } from './states.ts';

export const outcomeNames = [
  'placed',
  'pending_approval',
  'declined',
  'expired',
  'refused',
  'rejected',
  'not_sent',
  'unknown',
] as const;
export type OutcomeName = (typeof outcomeNames)[number];

type OutcomeText = { readonly outcome: OutcomeName; readonly message: string; readonly next: string };

const placeAgain = 'Place the order again if the user still wants it.';
const unknown: OutcomeText = {
  outcome: 'unknown',
  message: 'The order MAY be live. Do not place it again.',
  next: 'Call get_order with this intentId.',
};
const notSent: OutcomeText = {
  outcome: 'not_sent',
  message: 'Nothing was sent. No order exists.',
  next: `Tell the user the reason. ${placeAgain}`,
};
const expired: OutcomeText = {
  outcome: 'expired',
  message: 'The time limit expired before the order was sent; nothing was sent.',
  next: placeAgain,
};
const sending: OutcomeText = {
  ...unknown,
  message: 'The order is being sent now and MAY be live. Do not place it again.',
};

const outcomeTexts: Record<IntentState, OutcomeText> = {
  DRAFT: notSent,
  REFUSED: {
    outcome: 'refused',
    message: 'This server refused the order; nothing was sent.',
    next: 'Tell the user which rule refused it.',
  },
  AWAITING_APPROVAL: {
    outcome: 'pending_approval',
    message: 'The order is waiting for the approval of a human; nothing has been sent.',
    next: 'Ask the user to approve or reject it, then call get_order with this intentId. The order is sent automatically once approved.',
  },
  DECLINED: {
    outcome: 'declined',
    message: 'The human rejected the order; nothing was sent.',
    next: 'Ask the user what to do instead.',
  },
  EXPIRED: expired,
  APPROVED: sending,
  NOT_SENT: notSent,
  SENDING: sending,
  PLACED: {
    outcome: 'placed',
    message: 'The broker accepted the order.',
    next: 'Call get_order with the orderId to follow it to the fill.',
  },
  REJECTED: {
    outcome: 'rejected',
    message: 'The broker rejected the order; no order exists.',
    next: 'Correct the problem that the broker names, or tell the user.',
  },
  UNKNOWN: unknown,
  AMBIGUOUS: unknown,
  PROBABLY_ABSENT: unknown,
  CLOSED: {
    outcome: 'unknown',
    message:
      'It could not be determined whether the order exists, and a human closed it. Do not place it again unless the user asks.',
    next: 'Ask the user what they found.',
  },
};

/**
 * The next step after a rejection, by the broker's code; sources: reports of clients of such services. A permanent
 * refusal says so, because a model would otherwise try again.
 */
const fixes: Readonly<Record<string, string>> = {
  'instrument-invisible':
    'This account cannot trade this instrument, now or later. Choose another with search_instruments.',
  'i-s-a-ineligible-instrument':
    'This type of account may not hold this instrument, now or later. Choose another with search_instruments.',
  'instrument-close-only-mode': 'This instrument can only be sold. Choose another instrument to buy.',
  'instrument-disabled': 'This instrument cannot be traded now. Choose another, or ask the user.',
  'max-position-quantity-exceeded':
    'The broker bounds the position in this instrument, and the reason may name the bound. Lower the quantity.',
  'selling-equity-not-owned':
    'Shares in pies, in pending orders or not settled cannot be sold, and a stop above the price was refused like this. Compare with list_positions and list_orders.',
  'insufficient-free-for-stocks-buy': 'Lower the quantity, or ask the user to add money.',
  'min-quantity-exceeded': 'Raise the quantity to what the reason names.',
  'min-opened-position-exceeded': 'Sell the complete position, or leave more of it.',
  'quantity-precision-mismatch': 'Round the quantity to the decimals that the reason names.',
  'price-too-far': 'Choose a price closer to the last one.',
  'extended-hours-trading-not-allowed': 'Place the order without extendedHours.',
};

/** The code as the table has it: one of the error bodies writes `InstrumentInvisible`. */
const toKebabCase = (code: string): string => code.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** The next step after the broker rejected an order with this code; undefined for another code. */
export function getRefusalFix(brokerCode: string | undefined): string | undefined {
  if (brokerCode === undefined) return undefined;
  const name = toKebabCase(brokerCode);
  return Object.hasOwn(fixes, name) ? fixes[name] : undefined;
}

/** A host can decline a form automatically, so a declined form is no evidence of a person's decision. */
export const formDeclined: OutcomeText = {
  outcome: 'declined',
  message: 'The host declined the form; a person may not have seen it. Nothing was sent.',
  next: 'Ask the user. If they saw no form, the owner can approve orders outside this host: start the server with --approval page or --approval terminal.',
};

export interface OrderOutcome {
  readonly outcome: OutcomeName;
  readonly intentId: string;
  readonly orderId?: string | undefined;
  /** The order's status as the broker last reported it. */
  readonly status?: string | undefined;
  readonly rule?: RuleName | undefined;
  /** The number of shares that the rules would let pass now. */
  readonly largestQuantity?: string | undefined;
  /** The nearest price that the rules would let pass now. */
  readonly nearestPrice?: string | undefined;
  readonly brokerCode?: string | undefined;
  readonly mismatch?: readonly string[] | undefined;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly next: string;
  /** The same order, placed before and no longer pending, because of which nothing was sent. */
  readonly earlierOrder?:
    | (Pick<EarlierOrder, 'intentId' | 'orderId' | 'status'> & { readonly pending: false })
    | undefined;
  /** Seconds after which the same call can return more. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Depends on the clock too: a row that was written before a deadline means something else after it. */
function getOutcomeText(intent: Intent, now: number): OutcomeText {
  const { state, approval } = intent;
  if (state === 'AWAITING_APPROVAL' && isOverdue(intent, now)) return expired;
  if (state === 'DECLINED' && isByForm(approval?.by)) return formDeclined;
  if (state === 'APPROVED') {
    // The commit refuses an overdue intent, so nothing can be sent, although the row does not say so yet.
    if (isOverdue(intent, now)) return expired;
    if (approval)
      return {
        ...outcomeTexts.AWAITING_APPROVAL,
        message: 'The human approved the order; it is about to be sent.',
        next: unknown.next,
      };
  }
  if (state === 'REJECTED') {
    const byCode: Partial<Record<ErrorCode, string>> = accessFixes;
    const fix = (intent.errorCode && byCode[intent.errorCode]) ?? getRefusalFix(intent.brokerCode);
    if (fix) return { ...outcomeTexts.REJECTED, next: fix };
  }
  // The sender may try again until `retryUntil`, so it is not yet certain that no order exists.
  if (state === 'NOT_SENT' && isOpen(intent, now)) return sending;
  return outcomeTexts[state];
}

/** Describes the earlier order to the call that tried to place it again. */
function describeEarlier(
  { intentId, orderId, status, readableAt }: EarlierOrder,
  now: number,
): Pick<OrderOutcome, 'message' | 'next' | 'earlierOrder' | 'retryAfterSeconds'> {
  const before = `Nothing new was sent: this equals order ${orderId}, which was placed before.`;
  const earlierOrder = { intentId, orderId, pending: false, status } as const;
  if (status !== undefined)
    return {
      message: `${before} Order ${orderId} ended as ${status} without a fill.`,
      next: 'To place another identical order, send repeatOf with the intentId of earlierOrder.',
      earlierOrder,
    };
  const seconds = Math.ceil(((readableAt ?? now) - now) / 1000);
  return {
    message: `${before} Order ${orderId} is no longer pending; it is not yet known whether it was filled or cancelled.`,
    next: `${seconds > 0 ? `Try again in ${seconds} s` : 'Try again'}: get_order with orderId ${orderId} returns how it ended. Then place the order if the user still wants it.`,
    earlierOrder,
    retryAfterSeconds: seconds > 0 ? seconds : undefined,
  };
}

/**
 * What a tool returns for an intent at the time `now` (ms). An overdue intent counts as expired even if its row
 * does not say so yet.
 */
export function toOutcome(intent: Intent, now: number): OrderOutcome {
  const { outcome, message, next } = getOutcomeText(intent, now);
  const mismatch = intent.mismatch?.length
    ? ` But the broker's response differs from the request in: ${intent.mismatch.map(toWords).join(', ')}.`
    : '';
  return {
    outcome,
    intentId: intent.id,
    orderId: intent.orderId,
    status: intent.orderStatus,
    rule: intent.rule,
    largestQuantity: intent.largestQuantity,
    nearestPrice: intent.nearestPrice,
    brokerCode: intent.brokerCode,
    mismatch: intent.mismatch?.length ? intent.mismatch : undefined,
    message: message + mismatch,
    reason: intent.reason,
    next: mismatch
      ? 'Tell the user immediately; read the order with get_order.'
      : outcome === 'refused' && intent.largestQuantity !== undefined
        ? `${next} A quantity of up to ${intent.largestQuantity} would pass.`
        : next,
    ...(intent.earlier ? describeEarlier(intent.earlier, now) : {}),
  };
}
