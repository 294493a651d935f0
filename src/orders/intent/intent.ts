import type { ErrorCode } from '../../errors.ts';
import type { ApprovalMethod, Ticket } from './approval-port.ts';
import type { OrderRequest } from './order-request.ts';
import type { RuleName } from './refusal.ts';
import type { RiskLimits } from './risk-limits.ts';
import type { IntentState } from './states.ts';

/** One decision to place one order. The row holds all that recovery needs to know, and no secret. */
export interface Intent {
  /** 128 random bits, made by the server; never by the model. */
  readonly id: string;
  readonly kind: 'order';
  readonly state: IntentState;
  readonly environment: string;
  readonly accountKey: string;
  readonly fingerprint: string;
  readonly ticker: string;
  readonly request: OrderRequest;
  readonly createdAt: number;
  readonly changedAt: number;
  /** The process that made it. */
  readonly owner: string;
  /** The limits it was made under; whoever carries it on obeys these and its own. */
  readonly limits: RiskLimits;
  readonly method: ApprovalMethod | 'none';
  /** Its worst value in the account's currency, held against the limits; undefined when unknown. */
  readonly value?: string | undefined;
  /** The intent that this one wants to repeat. */
  readonly repeatOf?: string | undefined;
  readonly baseline: Baseline;
  readonly approval?: Approval | undefined;
  /** When the bytes were allowed to leave, by whom, and when their answer must be there. */
  readonly sentAt?: number | undefined;
  readonly sender?: string | undefined;
  readonly answerBy?: number | undefined;
  readonly orderId?: string | undefined;
  /** The status that the broker gave in its answer. */
  readonly orderStatus?: string | undefined;
  /** The rule of ours that refused it. */
  readonly rule?: RuleName | undefined;
  /** How many shares would have passed that rule. */
  readonly largestQuantity?: string | undefined;
  /** One sentence on why it is in this state. */
  readonly reason?: string | undefined;
  /** The broker's own code, when it rejected the order. */
  readonly brokerCode?: string | undefined;
  /** What its rejection means; earlier versions kept none. */
  readonly errorCode?: ErrorCode | undefined;
  /** What the broker's echo had different from the request. */
  readonly mismatch?: readonly string[] | undefined;
  /** NOT_SENT: until then its sender may try again by itself. */
  readonly retryUntil?: number | undefined;
  /** The end that the placed order came to without a fill, once it was read. */
  readonly endedAs?: string | undefined;
  /** How many equal orders ended in this way; undefined for what went further than the draft. */
  readonly times?: number | undefined;
  readonly search?: ReconcileState | undefined;
  /** NOT_SENT: the same order, placed before, that kept this one from being sent. */
  readonly earlier?: EarlierOrder | undefined;
}

/** An order that is no longer pending. */
export interface EarlierOrder {
  readonly intentId: string;
  readonly orderId: string;
  /** The status in which it ended without a fill; undefined while its end is not known. */
  readonly status?: string | undefined;
  /** When its end can be read (ms), where it is not known. */
  readonly readableAt?: number | undefined;
}

/** An intent without a human's approval is sent by the call that made it, or not at all. */
export const maxDraftAgeMs = 60_000;

/** What the account looked like before the order left: a lost order is found by what has changed since. */
export interface Baseline {
  readonly askedAt: number;
  readonly pendingIds: readonly string[];
  /** Shares held of the ticker. */
  readonly position: string;
  /** Account currency. */
  readonly cash: string | undefined;
  /** Shares of the ticker that could be sold. */
  readonly free?: string | undefined;
  /** Shares of the ticker that were held or pending to be bought. */
  readonly bought?: string | undefined;
  /** The last known price of the instrument. */
  readonly price: string | undefined;
  /** How far the service's clock was ahead of ours (ms). */
  readonly serviceOffsetMs: number | undefined;
}

/** An approval is bound to one intent by `digest`, ends at `expiresAt`, and is used once. */
export interface Approval {
  /** Names the ticket in the page's address. */
  readonly handle: string;
  readonly nonce: string;
  readonly digest: string;
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly ticket: Ticket;
  readonly approvedAt?: number | undefined;
  readonly by?: ApprovalMethod | undefined;
  readonly usedAt?: number | undefined;
}

/** The search for an order whose answer was lost. */
export interface ReconcileState {
  readonly lostAt: number;
  readonly round: number;
  readonly nextAt: number;
  /** Who looks now, and until when nobody else does. */
  readonly owner?: string | undefined;
  readonly until?: number | undefined;
}
