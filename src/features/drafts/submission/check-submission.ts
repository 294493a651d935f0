/** Decides in one transaction whether the legs of a draft may be sent, all of them. */
import type { TradingSettings } from '../../../core/approval/enrollment/trading-settings.ts';
import { approvalInForce } from '../../../core/orders/halt/trading-state.ts';
import { findDuplicate } from '../../../core/orders/intent/duplicates.ts';
import { orderFingerprint } from '../../../core/orders/intent/order-request.ts';
import type { Refusal } from '../../../core/orders/intent/refusal.ts';
import { evaluateDraft } from '../../../core/orders/risk/evaluate-draft.ts';
import { isWithin } from '../../../core/stored-times.ts';
import { findRecentTrade } from '../book/recent-trade.ts';
import { type DraftFacts, type LegToCheck, refuseClosedMarket, refuseStale } from './draft-facts.ts';
import type { SubmissionDeps, SubmissionView } from './ports.ts';
import { submissionMs } from './submission.ts';

/** A refusal, and the number of the leg that it is about; undefined when it is about the draft. */
export type DraftRefusal = Refusal & {
  readonly leg?: number | undefined;
  /** Seconds after which this rule lets the same draft pass, if that is known. */
  readonly retryAfterSeconds?: number | undefined;
  /** The submissions that the draft repeats, when they are several: `repeatOf` can name only one. */
  readonly submissionIds?: readonly string[] | undefined;
};

const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000));

export interface SubmissionCheck {
  readonly facts: DraftFacts;
  readonly accountKey: string;
  readonly now: number;
  readonly draftId: string;
  readonly version: number;
  /** The attempt that this one repeats, and the intents that its legs repeat, by the number of the leg. */
  readonly repeatOf: string | undefined;
  readonly repeats: ReadonlyMap<number, string>;
  /** The owner submits it in a terminal: the limits of how often a person is asked are for tools. */
  readonly isInTerminal?: boolean | undefined;
}

/** The first reason not to send the draft; undefined when every leg may be sent. */
export async function refuseDraft(
  tx: SubmissionView,
  deps: SubmissionDeps,
  check: SubmissionCheck,
): Promise<DraftRefusal | undefined> {
  const { settings, limits } = deps;
  const { facts, accountKey, now } = check;
  const isAsked = !check.isInTerminal && (await approvalInForce(settings, tx)) !== 'none';
  const asked = isAsked ? await refuseApproval(tx, check) : undefined;
  if (asked) return asked;
  const several = await refuseSeveral(tx, check);
  for (const leg of facts.legs) {
    const refusal =
      refuseStale(leg) ??
      refuseAssumedPrice(leg, settings) ??
      refuseClosedMarket(leg, facts, now) ??
      (several?.leg === leg.number ? several : undefined) ??
      (await refuseDuplicate(tx, deps, leg, check)) ??
      (await refuseRepeatedTrade(tx, leg, check));
    if (refusal) return { ...refusal, leg: leg.number };
  }
  const found = await evaluateDraft(tx, {
    settings,
    orders: facts.legs,
    accountKey,
    limits: await limits(tx),
    now,
    withinMs: submissionMs,
  });
  return found && { ...found.refusal, leg: facts.legs[found.index]?.number };
}

/** How often a person is asked for one version of a draft, and for all drafts of an account in an hour. */
const maxPerVersion = 3;
const maxPerHour = 10;
const hourMs = 3_600_000;

/** A person who does not approve a draft is not asked for ever. */
async function refuseApproval(
  tx: SubmissionView,
  { accountKey, draftId, version, now }: SubmissionCheck,
): Promise<DraftRefusal | undefined> {
  const attempts = await tx.listSubmissions({ accountKey, draftId });
  if (attempts.filter((attempt) => attempt.version === version && attempt.approval).length >= maxPerVersion)
    return {
      rule: 'approvals_used',
      reason: `A person was asked ${maxPerVersion} times to approve this version of the draft.`,
    };
  const recent = await tx.listSubmissions({ accountKey, createdSince: now - hourMs });
  // Newest first.
  const asked = recent.filter(({ approval, createdAt }) => approval && isWithin(createdAt, now, hourMs));
  const oldest = asked[maxPerHour - 1]?.createdAt;
  if (oldest === undefined) return undefined;
  return {
    retryAfterSeconds: secondsUntil(oldest + hourMs, now),
    rule: 'approvals_used',
    reason: `A person was asked ${maxPerHour} times to approve a draft in the last hour.`,
  };
}

/** With live money an assumed price may size a leg, but the price that is paid must be bounded. */
const refuseAssumedPrice = ({ leg }: LegToCheck, { environment }: TradingSettings): Refusal | undefined =>
  environment === 'live' && leg.isPriceAssumed && leg.type !== 'LIMIT'
    ? { rule: 'no_price', reason: 'The price of this leg was assumed, so it must be a limit order.' }
    : undefined;

/** A leg that equals an order of the last ten minutes would place nothing, so it refuses the draft. */
async function refuseDuplicate(
  tx: SubmissionView,
  { environment }: SubmissionDeps,
  { number, order, facts }: LegToCheck,
  { accountKey, now, repeats, repeatOf }: SubmissionCheck,
): Promise<Refusal | undefined> {
  const fingerprint = orderFingerprint(order, { environment, accountKey });
  const pendingIds = facts.pending.flatMap(({ id }) => id ?? []);
  const found = await findDuplicate(tx, { fingerprint, repeatOf: repeats.get(number), now, pendingIds });
  if (found.kind !== 'existing') return undefined;
  const { id, orderId, leg, state } = found.intent;
  // Only an order that was placed, by an attempt that is not repeated already, can be sent again by naming the attempt.
  const sender = state === 'PLACED' && leg?.submissionId !== repeatOf ? leg?.submissionId : undefined;
  return {
    rule: 'duplicate_order',
    reason: `The same order exists${orderId === undefined ? '' : ` as order ${orderId}`} (intent ${id}); the draft would place it a second time.${sender === undefined ? '' : ` A draft sent it, in submission ${sender}.`}`,
  };
}

/** A draft that repeats trades of several submissions: naming one of them would refuse it for another. */
async function refuseSeveral(tx: SubmissionView, check: SubmissionCheck): Promise<DraftRefusal | undefined> {
  const repeated = [];
  for (const { number, order } of check.facts.legs) {
    const recent = await findRecentTrade(tx, order, check);
    if (recent) repeated.push({ number, ...recent });
  }
  const submissionIds = [...new Set(repeated.map(({ submissionId }) => submissionId))];
  if (submissionIds.length < 2) return undefined;
  const legs = repeated.map(({ number }) => number);
  return {
    leg: legs[0],
    submissionIds,
    retryAfterSeconds: secondsUntil(Math.max(...repeated.map(({ until }) => until)), check.now),
    rule: 'repeated_submission',
    reason: `Legs ${legs.join(', ')} trade tickers that ${submissionIds.length} submissions traded in the same direction less than ten minutes ago.`,
  };
}

/** A second draft that trades a ticker in the same direction needs `repeatOf`. */
async function refuseRepeatedTrade(
  tx: SubmissionView,
  { order }: LegToCheck,
  check: SubmissionCheck,
): Promise<DraftRefusal | undefined> {
  const recent = await findRecentTrade(tx, order, check);
  if (!recent || recent.submissionId === check.repeatOf) return undefined;
  const retryAfterSeconds = secondsUntil(recent.until, check.now);
  return { retryAfterSeconds, rule: 'repeated_submission', reason: recent.text };
}
