/** What the approval of a draft is bound to, and whether it holds for one of its legs. */

import { createHash } from 'node:crypto';
import { clockSlackMs } from '../clock.ts';
import { isStrictEnough } from '../orders/halt/trading-state.ts';
import type { ApprovalMethod } from '../orders/intent/approval-methods.ts';
import type { DraftApproval } from '../orders/intent/draft-approval.ts';
import type { Intent } from '../orders/intent/intent.ts';
import type { SubmissionGate } from '../orders/intent/journal-port.ts';
import type { OrderRequest } from '../orders/intent/order-request.ts';
import type { Refusal } from '../orders/intent/refusal.ts';

/** Milliseconds after the approval in which legs can be sent. */
export const draftApprovalMs = 15 * 60_000;

const sha256 = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** SHA-256 (hexadecimal) over everything that makes a leg the order that was approved. */
export function legDigest(number: number, order: OrderRequest, repeatOf: string | undefined): string {
  const { type, ticker, side, quantity, limitPrice, stopPrice, timeValidity, extendedHours } = order;
  const fields = [type, ticker, side, quantity, limitPrice, stopPrice, timeValidity, extendedHours ?? false, repeatOf];
  return sha256([number, ...fields]);
}

/**
 * SHA-256 (hexadecimal) that the approval of a draft is bound to: account, environment, draft, version, attempt, the
 * orders in their sequence, the nonce, the expiry time, and everything that the person was shown, totals included.
 */
export const draftDigest = (
  { id, draftId, version, environment, accountKey }: Omit<SubmissionGate, 'state' | 'endsAt' | 'approval'>,
  { nonce, expiresAt, legs, ticket }: Pick<DraftApproval, 'nonce' | 'expiresAt' | 'legs' | 'ticket'>,
): string =>
  sha256([
    environment,
    accountKey,
    draftId,
    version,
    id,
    legs.map(({ number, digest }) => [number, digest]),
    nonce,
    expiresAt,
    ticket,
  ]);

/**
 * Why a leg may not be sent by the approval of its draft; undefined when the approval holds for exactly this order.
 * `method` is the approval in force now.
 */
export function draftApprovalRefusal(
  gate: SubmissionGate | undefined,
  { leg, request, repeatOf, environment, accountKey, method: wanted }: Intent,
  method: ApprovalMethod | 'none',
  now: number,
): Refusal | undefined {
  const { approval } = gate ?? {};
  if (!gate || !leg || approval?.approvedAt === undefined || approval.by === undefined)
    return { rule: 'approval_missing', reason: 'Orders need the approval of a human here, and this draft has none.' };
  const { by } = approval;
  const missing = [method, wanted].find((required) => !isStrictEnough(by, required));
  if (missing !== undefined)
    return { rule: 'approval_invalid', reason: `The draft was approved by ${by}, but ${missing} is required.` };
  const digest = legDigest(leg.number, request, repeatOf);
  const isSound =
    gate.id === leg.submissionId &&
    gate.environment === environment &&
    gate.accountKey === accountKey &&
    approval.digest === draftDigest(gate, approval) &&
    approval.legs.some((other) => other.number === leg.number && other.digest === digest);
  if (!isSound) return { rule: 'approval_invalid', reason: 'The approval of the draft does not match this order.' };
  const isInTime = now < approval.approvedAt + draftApprovalMs && now >= approval.approvedAt - clockSlackMs;
  return isInTime
    ? undefined
    : { rule: 'submission_ended', reason: 'The time to send the draft after its approval has passed.' };
}
