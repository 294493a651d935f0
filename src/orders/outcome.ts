/** What the caller is told about an intent. The words matter: an error invites a retry, so these are results. */
import type { Intent } from './intent.ts';
import type { IntentState } from './states.ts';

export type OutcomeName =
  | 'placed'
  | 'pending_approval'
  | 'declined'
  | 'expired'
  | 'refused'
  | 'rejected'
  | 'not_sent'
  | 'unknown';

const names: Record<IntentState, OutcomeName> = {
  DRAFT: 'not_sent',
  REFUSED: 'refused',
  AWAITING_APPROVAL: 'pending_approval',
  DECLINED: 'declined',
  EXPIRED: 'expired',
  APPROVED: 'not_sent',
  NOT_SENT: 'not_sent',
  // Until the answer is classified the order may be live.
  SENDING: 'unknown',
  PLACED: 'placed',
  REJECTED: 'rejected',
  UNKNOWN: 'unknown',
  AMBIGUOUS: 'unknown',
  PROBABLY_ABSENT: 'unknown',
  CLOSED: 'unknown',
};

const sentences: Record<OutcomeName, { message: string; next: string }> = {
  placed: {
    message: 'The broker accepted the order.',
    next: 'Call get_order with the orderId to follow it to the fill.',
  },
  pending_approval: {
    message: 'The order waits for the approval of a human; nothing has been sent.',
    next: 'Ask the user to approve or reject it, then call get_order with this intentId.',
  },
  declined: { message: 'The human rejected the order; nothing was sent.', next: 'Ask the user what to do instead.' },
  expired: {
    message: 'The approval ran out before the order was released; nothing was sent.',
    next: 'Place the order anew if the user still wants it.',
  },
  refused: { message: 'The order was refused here; nothing was sent.', next: 'Tell the user which rule refused it.' },
  rejected: {
    message: 'The broker rejected the order; no order exists.',
    next: 'Correct what the broker names, or tell the user.',
  },
  not_sent: {
    message: 'The order never left: no connection was made. No order exists.',
    next: 'Check the connection with get_server_status, then place it anew if the user still wants it.',
  },
  unknown: {
    message: 'The order MAY be live. Do not place it again.',
    next: 'Call get_order with this intentId.',
  },
};

export interface OrderOutcome {
  readonly outcome: OutcomeName;
  readonly intentId: string;
  readonly orderId?: string | undefined;
  /** The order's status as the broker last gave it. */
  readonly status?: string | undefined;
  readonly rule?: string | undefined;
  readonly brokerCode?: string | undefined;
  readonly mismatch?: readonly string[] | undefined;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly next: string;
}

export function describeIntent(intent: Intent): OrderOutcome {
  const outcome = names[intent.state];
  const { message, next } = sentences[outcome];
  const mismatch = intent.mismatch?.length
    ? ` But its echo differs from what was asked in: ${intent.mismatch.join(', ')}.`
    : '';
  return {
    outcome,
    intentId: intent.id,
    orderId: intent.orderId,
    status: intent.orderStatus,
    rule: intent.rule,
    brokerCode: intent.brokerCode,
    mismatch: intent.mismatch?.length ? intent.mismatch : undefined,
    message: message + mismatch,
    reason: intent.reason,
    next: mismatch ? 'Tell the user at once; read the order with get_order.' : next,
  };
}
