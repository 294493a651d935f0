/** Waits for the sells that a buy depends on. */
import type { CallContext } from '../../../core/broker/types.ts';
import { endpoints } from '../../../core/endpoints/index.ts';
import { BrokerageError } from '../../../core/errors.ts';
import type { Intent } from '../../../core/orders/intent/intent.ts';
import type { SubmissionDeps } from './ports.ts';
import type { Submission, SubmissionLeg } from './submission.ts';

/** The longest wait for fills. */
const maxWaitMs = 10 * 60_000;
/** Time for each leg that follows. */
const perLegMs = 15_000;
/** The service may not list a new order for about a second. */
const unlistedMs = 2_000;
/** Pending orders can be read once in 5 s. */
const betweenReadsMs = 5_000;
const readMs = 20_000;

type Fills =
  /** None of the sells is pending; the account was read at this time (ms) or later. */
  | { readonly kind: 'seen'; readonly at: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'late'; readonly reason: string };

/** Reads once whether the sells are still pending. A failure to read waits too. */
export async function waitForFills(
  { broker, clock, limits, store }: Pick<SubmissionDeps, 'broker' | 'clock' | 'limits' | 'store'>,
  what: { readonly submission: Submission; readonly leg: SubmissionLeg; readonly sells: readonly Intent[] },
  signal: AbortSignal,
): Promise<Fills> {
  const { submission, leg, sells } = what;
  const now = clock.now();
  // A time of the future would wait for it: the clock was set back since.
  const sentAt = Math.min(now, Math.max(...sells.map(({ changedAt }) => changedAt)));
  const { following, perMinute } = await store.read(async (tx) => {
    const legs = await tx.listSubmissionLegs(submission.id);
    const after = legs.filter(({ position }) => position >= leg.position).length;
    return { following: after, perMinute: (await limits(tx)).ordersPerMinute };
  });
  const needMs = following * Math.max(perLegMs, Math.ceil(60_000 / perMinute));
  const until = Math.min(sentAt + maxWaitMs, submission.endsAt - needMs);
  if (now < sentAt + unlistedMs) return { kind: 'wait', ms: sentAt + unlistedMs - now };
  const context: CallContext = { priority: 'lookUp', deadlineAt: now + readMs, signal, notBefore: now };
  const pending = await broker.call(endpoints.listPendingOrders, {}, context).catch((error: unknown) => {
    if (error instanceof BrokerageError) return undefined;
    throw error;
  });
  const ids = new Set(pending?.data.flatMap(({ id }) => id ?? []));
  if (pending && !sells.some(({ orderId }) => orderId !== undefined && ids.has(orderId)))
    return { kind: 'seen', at: pending.askedAt };
  if (clock.now() >= until)
    return {
      kind: 'late',
      reason: `Leg ${leg.number} waited for the fills of the sells until its time was over.`,
    };
  return { kind: 'wait', ms: betweenReadsMs };
}
