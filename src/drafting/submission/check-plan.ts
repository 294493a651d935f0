/** Decides in one transaction whether the legs of a draft may be sent, all of them. */
import { approvalInForce } from '../../orders/halt/trading-state.ts';
import { duplicateWindowMs, findDuplicate } from '../../orders/intent/duplicates.ts';
import type { Intent } from '../../orders/intent/intent.ts';
import { orderFingerprint } from '../../orders/intent/order-request.ts';
import type { Refusal } from '../../orders/intent/refusal.ts';
import { evaluatePlan } from '../../orders/risk/evaluate-plan.ts';
import { type PlanFacts, type PlannedLeg, refuseClosedMarket, refuseStale } from './plan-facts.ts';
import type { SubmissionDeps, SubmissionView } from './ports.ts';
import { submissionMs } from './submission.ts';

/** A refusal, and the number of the leg that it is about; undefined when it is about the plan. */
export type PlanRefusal = Refusal & { readonly leg?: number | undefined };

export interface PlanCheck {
  readonly facts: PlanFacts;
  readonly accountKey: string;
  readonly now: number;
  /** The attempt that this one repeats, and the intents that its legs repeat, by the number of the leg. */
  readonly repeatOf: string | undefined;
  readonly repeats: ReadonlyMap<number, string>;
}

/** The first reason not to send the plan; undefined when every leg may be sent. */
export async function refusePlan(
  tx: SubmissionView,
  deps: SubmissionDeps,
  check: PlanCheck,
): Promise<PlanRefusal | undefined> {
  const { settings, limits } = deps;
  const { facts, accountKey, now } = check;
  if ((await approvalInForce(settings, tx)) !== 'none')
    return {
      rule: 'approval_missing',
      reason: 'Orders need the approval of a human here, and a draft cannot be approved at once.',
    };
  for (const leg of facts.legs) {
    const refusal =
      refuseStale(leg) ??
      refuseClosedMarket(leg, facts, now) ??
      (await refuseDuplicate(tx, deps, leg, check)) ??
      (await refuseRepeatedTrade(tx, leg, check));
    if (refusal) return { ...refusal, leg: leg.number };
  }
  const found = await evaluatePlan(tx, {
    settings,
    orders: facts.legs,
    accountKey,
    limits: await limits(tx),
    now,
    withinMs: submissionMs,
  });
  return found && { ...found.refusal, leg: facts.legs[found.index]?.number };
}

/** A leg that equals an order of the last ten minutes would place nothing, so it refuses the plan. */
async function refuseDuplicate(
  tx: SubmissionView,
  { environment }: SubmissionDeps,
  { number, order, facts }: PlannedLeg,
  { accountKey, now, repeats }: PlanCheck,
): Promise<Refusal | undefined> {
  const fingerprint = orderFingerprint(order, { environment, accountKey });
  const pendingIds = facts.pending.flatMap(({ id }) => id ?? []);
  const found = await findDuplicate(tx, { fingerprint, repeatOf: repeats.get(number), now, pendingIds });
  if (found.kind !== 'existing') return undefined;
  const { id, orderId } = found.intent;
  return {
    rule: 'duplicate_order',
    reason: `The same order exists${orderId === undefined ? '' : ` as order ${orderId}`} (intent ${id}); the draft would place it a second time.`,
  };
}

/** Two drafts that trade a ticker in the same direction within minutes are often one intention, sent twice. */
async function refuseRepeatedTrade(
  tx: SubmissionView,
  { order }: PlannedLeg,
  { accountKey, now, repeatOf }: PlanCheck,
): Promise<Refusal | undefined> {
  const sent = await tx.list({ accountKey, ticker: order.ticker, createdSince: now - 2 * duplicateWindowMs });
  const other = sent.find((intent) => isRecentLeg(intent, now) && intent.request.side === order.side);
  if (!other?.leg || other.leg.submissionId === repeatOf) return undefined;
  return {
    rule: 'repeated_submission',
    reason: `Another draft sent ${order.side} ${other.request.quantity} ${order.ticker} less than ten minutes ago. To send this one as well, give repeatOf ${other.leg.submissionId}.`,
  };
}

const isRecentLeg = ({ leg, sentAt }: Intent, now: number): boolean =>
  leg !== undefined && sentAt !== undefined && sentAt > now - duplicateWindowMs;
