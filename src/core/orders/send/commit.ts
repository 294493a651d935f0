/**
 * The commit of an order, after which it may be live. Halt, limits, approval, price drift, age, and the transition from
 * APPROVED to SENDING are checked and written in one durable transaction; if any of them fails, the order is not sent.
 */
import Big from 'big.js';
import { draftApprovalMs, draftApprovalRefusal } from '../../approval/draft-digest.ts';
import type { TradingSettings } from '../../approval/enrollment/live-origin-guard.ts';
import { type Clock, holdsUntil } from '../../clock.ts';
import type { ProcessRegistry } from '../../lease.ts';
import { lastKnownPrice, type OrderContext } from '../account/account-snapshot.ts';
import { applyHaltFile, approvalInForce, currentLimits, isStrictEnough, readHaltCount } from '../halt/trading-state.ts';
import type { ApprovalMethod } from '../intent/approval-methods.ts';
import { approvalDigest, type Intent, isAbandoned, isOverdue, responseTimeoutMs } from '../intent/intent.ts';
import { applyTransition, ConcurrentUpdateError, type Journal, type SubmissionGate } from '../intent/journal-port.ts';
import type { Refusal } from '../intent/refusal.ts';
import { type ConfiguredLimits, completeLimits, stricterLimits } from '../intent/risk-limits.ts';
import { noteExternalOrders, toPendingOrders } from '../reconcile/external-orders.ts';
import { markUnknown } from '../reconcile/reconcile-schedule.ts';
import { damageRefusal, evaluateOrder } from '../risk/evaluate-order.ts';
export interface CommitDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: ProcessRegistry;
  readonly settings: TradingSettings;
  readonly configuredLimits: ConfiguredLimits;
  /** The account that this process sends orders to. */
  readonly accountKey: () => Promise<string>;
}

/** The order expires if the account data is older than this at the commit. */
const maxSnapshotAgeMs = 90_000;
/** Percent that the reference price may move between the approval and the commit. */
const maxPriceDrift = 1;

/**
 * Returns the intent: in SENDING when it may be sent, otherwise in another state. Returns `busy` when another order
 * of the account is in flight. Throws ConcurrentUpdateError when another process has to decide.
 */
export const createCommit =
  (deps: CommitDeps) =>
  async (intentId: string, facts: OrderContext): Promise<Intent | 'busy'> => {
    const accountKey = await deps.accountKey();
    return deps.journal.change(async (tx) => {
      const intent = await tx.find(intentId);
      if (intent?.state !== 'APPROVED') throw new ConcurrentUpdateError();
      // The store is shared by all environments and accounts; this process sends only orders of its own.
      if (intent.environment !== deps.settings.environment || intent.accountKey !== accountKey)
        throw new ConcurrentUpdateError();
      const now = deps.clock.now();
      for (const other of await tx.list({ states: ['SENDING'], accountKey: intent.accountKey })) {
        if (!isAbandoned(other, deps.processes, now)) return 'busy';
        await markUnknown(tx, other, deps.processes, now);
      }
      await applyHaltFile(tx, deps.settings.haltFile, now);
      // The intent keeps the limits it was created under, and also obeys those of this process.
      const limits = stricterLimits(completeLimits(intent.environment, intent.limits), await currentLimits(deps, tx));
      const { environment } = deps.settings;
      await noteExternalOrders(tx, { environment, limits, accountKey, ...toPendingOrders(facts), now });
      const gate = intent.leg && (await tx.findSubmission(intent.leg.submissionId));
      const damage = damageRefusal([intent]);
      if (damage) return applyTransition(tx, intent, 'refuse', now, { ...damage, retryUntil: undefined });
      const stale = staleReason(intent, gate, facts, now);
      if (stale) return applyTransition(tx, intent, 'expire', now, { reason: stale, retryUntil: undefined });
      const refusal =
        submissionRefusal(intent, gate, await readHaltCount(tx), now) ??
        approvalRefusal(intent, gate, await approvalInForce(deps.settings, tx), now) ??
        (await evaluateOrder(tx, {
          settings: deps.settings,
          order: intent.request,
          facts,
          accountKey: intent.accountKey,
          limits,
          now,
          intentId,
          leg: intent.leg,
        }));
      // An order that this process refuses may be allowed in the process that created it, which decides while it is
      // alive.
      if (refusal && intent.owner !== deps.processes.self && deps.processes.isAlive(intent.owner))
        throw new ConcurrentUpdateError();
      if (refusal) return applyTransition(tx, intent, 'refuse', now, { ...refusal, retryUntil: undefined });
      return applyTransition(tx, intent, 'commit', now, {
        sentAt: now,
        sender: deps.processes.self,
        answerBy: now + responseTimeoutMs,
        retryUntil: undefined,
        ...(intent.approval ? { approval: { ...intent.approval, usedAt: now } } : {}),
      });
    });
  };

function staleReason(
  intent: Intent,
  gate: SubmissionGate | undefined,
  facts: OrderContext,
  now: number,
): string | undefined {
  const { approval, request, leg } = intent;
  if (now - facts.askedAt > maxSnapshotAgeMs) return 'The account was read too long ago to send the order now.';
  if (isOverdue(intent, now))
    return approval
      ? 'The approval expired before the order was sent.'
      : 'The order was created too long ago to be sent now.';
  // A leg was approved with its draft, so its price is compared with the one that the person saw.
  const shown = gate?.approval?.ticket.legs.find(({ number }) => number === leg?.number);
  if (!approval && !shown) return undefined;
  if (request.type !== 'MARKET' && request.type !== 'STOP') return undefined;
  const [before, price] = [shown ? shown.priceNow : intent.baseline.price, lastKnownPrice(intent.ticker, facts)];
  if (before === undefined && price === undefined) return undefined;
  const moved =
    before === undefined || price === undefined || new Big(before).eq(0)
      ? undefined
      : new Big(price).div(before).minus(1).times(100).abs();
  if (!moved) return 'A price was not known at the approval or is not known now, so the order needs a new approval.';
  return moved.lte(maxPriceDrift)
    ? undefined
    : `The price moved by ${moved.toFixed(1)}% since the approval, so the order needs a new approval.`;
}

const haltedSince: Refusal = { rule: 'halted', reason: 'Trading was halted after the draft was submitted.' };

/** A leg of a draft leaves only while its submission is being sent: a stop holds up to the last moment. */
function submissionRefusal(
  { leg }: Intent,
  gate: SubmissionGate | undefined,
  haltCount: number,
  now: number,
): Refusal | undefined {
  if (!leg) return undefined;
  if (gate && gate.haltCount !== haltCount) return haltedSince;
  if (gate?.state === 'sending' && holdsUntil(gate.endsAt, now, draftApprovalMs)) return undefined;
  const reason =
    gate?.state === 'sending' ? 'The time to send the draft has passed.' : 'The draft is no longer being sent.';
  return { rule: 'submission_ended', reason };
}

/**
 * An approval holds for exactly what was shown, is used once, and must be at least as strict as the method in force
 * now.
 */
function approvalRefusal(
  intent: Intent,
  gate: SubmissionGate | undefined,
  method: ApprovalMethod | 'none',
  now: number,
): Refusal | undefined {
  const { approval } = intent;
  if (!approval) {
    if (method === 'none') return undefined;
    if (intent.leg) return draftApprovalRefusal(gate, intent, method, now);
    return { rule: 'approval_missing', reason: 'The order needs the approval of a human and has none.' };
  }
  const { by, approvedAt, usedAt, digest } = approval;
  if (
    by === undefined ||
    approvedAt === undefined ||
    usedAt !== undefined ||
    digest !== approvalDigest(intent, approval)
  )
    return { rule: 'approval_invalid', reason: 'The approval does not match this order.' };
  const missing = [method, intent.method].find((required) => !isStrictEnough(by, required));
  if (missing === undefined) return undefined;
  return { rule: 'approval_invalid', reason: `The order was approved by ${by}, but ${missing} is required.` };
}
