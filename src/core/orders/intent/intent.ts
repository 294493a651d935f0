import { createHash } from 'node:crypto';
import { clockSlackMs, holdsUntil } from '../../clock.ts';
import type { ErrorCode } from '../../errors.ts';
import type { ProcessRegistry } from '../../lease.ts';
import type { ApprovalMethod, FormRecord } from './approval-methods.ts';
import type { Ticket } from './approval-port.ts';
import type { OrderRequest } from './order-request.ts';
import type { RuleName } from './refusal.ts';
import type { RiskLimits } from './risk-limits.ts';
import { type IntentState, openStates } from './states.ts';

/**
 * One decision to place one order. The row holds everything that recovery needs, and no secret. Times are
 * milliseconds since 1970.
 */
export interface Intent {
  /** 128 random bits, created by the server; never by the model. */
  readonly id: string;
  readonly kind: 'order';
  readonly state: IntentState;
  readonly environment: string;
  readonly accountKey: string;
  /** What the owner calls the account, where there are several. */
  readonly accountName?: string | undefined;
  readonly fingerprint: string;
  readonly ticker: string;
  readonly request: OrderRequest;
  readonly createdAt: number;
  readonly changedAt: number;
  /** The process that created it. */
  readonly owner: string;
  /** The limits in force when it was created. A process that continues it obeys these and its own. */
  readonly limits: RiskLimits;
  readonly method: ApprovalMethod | 'none';
  /** The worst-case value in the account currency, counted against the limits; undefined when unknown. */
  readonly value?: string | undefined;
  /** The leg of a draft that it was made for; undefined for a single order. */
  readonly leg?: LegReference | undefined;
  /** The intent that this one repeats on purpose. */
  readonly repeatOf?: string | undefined;
  readonly baseline: Baseline;
  readonly approval?: Approval | undefined;
  /** When the request was allowed to leave, the process that sent it, and when the response is due. */
  readonly sentAt?: number | undefined;
  readonly sender?: string | undefined;
  readonly answerBy?: number | undefined;
  readonly orderId?: string | undefined;
  /** The status in the broker's response. */
  readonly orderStatus?: string | undefined;
  /** The rule of this server that refused it. */
  readonly rule?: RuleName | undefined;
  /** The number of shares that would have passed that rule. */
  readonly largestQuantity?: string | undefined;
  /** The nearest price that would have passed that rule. */
  readonly nearestPrice?: string | undefined;
  /** One sentence on why it is in this state. */
  readonly reason?: string | undefined;
  /** The broker's own code, when the broker rejected the order. */
  readonly brokerCode?: string | undefined;
  /** The error code of the rejection. */
  readonly errorCode?: ErrorCode | undefined;
  /** The fields in which the broker's response differs from the request. */
  readonly mismatch?: readonly string[] | undefined;
  /** NOT_SENT: the sender may automatically try again until then. */
  readonly retryUntil?: number | undefined;
  /** The final status of a placed order that ended without a fill, once it was read. */
  readonly endedAs?: string | undefined;
  /** How many equal orders ended in this way; undefined for an intent that got further than a draft. */
  readonly times?: number | undefined;
  readonly search?: ReconcileState | undefined;
  /** When a process saw that the times of this row are in the future (ms). */
  readonly seenAheadAt?: number | undefined;
  /** NOT_SENT: the same order, placed before, because of which this one was not sent. */
  readonly earlier?: EarlierOrder | undefined;
}

/** One leg of one attempt to send a draft. A leg becomes an intent at most once for each attempt. */
export interface LegReference {
  readonly submissionId: string;
  /** The number of the leg in its draft, from 1. */
  readonly number: number;
}

/** An order that is no longer pending. */
export interface EarlierOrder {
  readonly intentId: string;
  readonly orderId: string;
  /** The status in which it ended without a fill; undefined while its end is unknown. */
  readonly status?: string | undefined;
  /** When its end can be read (ms), if it is unknown. */
  readonly readableAt?: number | undefined;
}

/**
 * Milliseconds. An intent without a human's approval is sent by the call that created it within this time, or
 * never.
 */
export const maxDraftAgeMs = 60_000;

/** The account before the order was sent. The search for a lost order compares the account with it. */
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
  /** The last known price of the instrument, in its currency. */
  readonly price: string | undefined;
  /** How far the service's clock was ahead of ours (ms); undefined when unknown. */
  readonly serviceOffsetMs: number | undefined;
}

/** An approval is bound to one intent by `digest`, expires at `expiresAt`, and is used once. */
export interface Approval {
  /** The random part of the page's address, which identifies the ticket. */
  readonly handle: string;
  readonly nonce: string;
  readonly digest: string;
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly ticket: Ticket;
  readonly approvedAt?: number | undefined;
  readonly by?: ApprovalMethod | undefined;
  readonly usedAt?: number | undefined;
  /** Undefined when no form of a host was sent. */
  readonly form?: FormRecord | undefined;
}

/** The search for an order whose response was lost. */
export interface ReconcileState {
  readonly lostAt: number;
  readonly round: number;
  readonly nextAt: number;
  /** The process that searches now, and the time until which no other process may. */
  readonly owner?: string | undefined;
  readonly until?: number | undefined;
}

/**
 * Returns the SHA-256 (hexadecimal) that an approval is bound to. It covers the order, the account, the intent, the
 * expiry time and everything that the human was shown, and changes with any of them.
 */
export function approvalDigest(
  intent: Pick<Intent, 'id' | 'environment' | 'accountKey' | 'request' | 'fingerprint'>,
  approval: Pick<NonNullable<Intent['approval']>, 'nonce' | 'expiresAt' | 'ticket'>,
): string {
  const { type, ticker, side, quantity, limitPrice, stopPrice, timeValidity, extendedHours } = intent.request;
  const order = [type, ticker, side, quantity, limitPrice, stopPrice, timeValidity, extendedHours ?? false];
  const bound = [
    intent.environment,
    intent.accountKey,
    intent.id,
    intent.fingerprint,
    order,
    approval.nonce,
    approval.expiresAt,
    approval.ticket,
  ];
  return createHash('sha256').update(JSON.stringify(bound)).digest('hex');
}

// The status of an intent at a given time: open, overdue, or abandoned by its sender. Pure.

const open = new Set<string>(openStates);
const unsent = new Set<string>(['AWAITING_APPROVAL', 'APPROVED']);

/**
 * Undecided, or its sender may still send it again. An order that is overdue has ended, although its row does not say
 * so yet.
 */
export function isOpen(intent: Intent, now: number): boolean {
  const { state } = intent;
  if (state === 'NOT_SENT') return holdsUntil(intent.retryUntil, now, maxRetryMs);
  return open.has(state) && !(unsent.has(state) && isOverdue(intent, now));
}

/**
 * Whether the time limit of an intent that was not sent has passed. Written so that a time that cannot be read has
 * passed.
 */
export const isOverdue = ({ approval, createdAt }: Intent, now: number): boolean =>
  approval ? isApprovalOver(approval, now) : !holdsUntil(createdAt + maxDraftAgeMs, now, maxDraftAgeMs);

/** Whether the time of an approval is over. A clock that was set back must not make it last longer. */
export const isApprovalOver = ({ askedAt, expiresAt }: Pick<Approval, 'askedAt' | 'expiresAt'>, now: number): boolean =>
  !holdsUntil(expiresAt, now, maxApprovalMs) || !(now >= askedAt - clockSlackMs);

/** The longest (ms) that a person has to approve an order or a draft. */
export const maxApprovalMs = 300_000;
/** Longer (ms) than a call that may try an order again. */
const maxRetryMs = 120_000;

/** Milliseconds from the commit to the last byte of the response. */
export const responseTimeoutMs = 15_000;

/** Whether the sender is dead, or twice the time for the response has passed. A time that cannot be read has passed. */
export const isAbandoned = (intent: Intent, processes: ProcessRegistry, now: number): boolean => {
  const { sentAt = intent.changedAt, answerBy = sentAt + responseTimeoutMs, sender } = intent;
  const isGone = sender !== undefined && !processes.isAlive(sender);
  return isGone || !holdsUntil(answerBy + (answerBy - sentAt), now, 2 * responseTimeoutMs);
};

// When orders were placed, by a clock that may have been ahead at that time. An order of the future would count in each
// limit until its time comes. It counts as placed at the moment when a process first saw that its time is wrong: what it
// blocks ends as late as after an order of that moment.

type Times = Pick<Intent, 'createdAt' | 'sentAt' | 'seenAheadAt'>;

/** A time of the row (ms) as it counts now. */
export const correctTime = (at: number, { seenAheadAt }: Pick<Intent, 'seenAheadAt'>, now: number): number =>
  at <= now + clockSlackMs ? at : Math.min(seenAheadAt ?? now, now);

/** When an order was sent, or else created (ms). */
export const getPlacedAt = (intent: Times, now: number): number =>
  correctTime(intent.sentAt ?? intent.createdAt, intent, now);
