/**
 * Detection of repeated orders. A host calls again after a lost stream, and a model calls again because it is
 * unsure: neither wants a second order. A caller that does want one names the intent that it repeats.
 */
import { BrokerageError } from '../../errors.ts';
import type { Intent } from './intent.ts';
import { isOpen, maxApprovalMs } from './intent-status.ts';
import { getPlacedAt } from './order-time.ts';
import type { JournalView } from './ports.ts';
import { exposureStates, openStates } from './states.ts';

/** Milliseconds in which an equal order counts as the same order. */
export const duplicateWindowMs = 600_000;

export type Duplicate =
  | { readonly kind: 'new' }
  /** The same order exists: the caller receives this intent, and nothing is placed. */
  | { readonly kind: 'existing'; readonly intent: Intent }
  /** An intended repetition of this intent. */
  | { readonly kind: 'repetition'; readonly of: Intent };

export interface DuplicateQuestion {
  readonly fingerprint: string;
  readonly repeatOf: string | undefined;
  readonly now: number;
  /** Ids of the orders that are pending at the broker, as far as they were read. */
  readonly pendingIds: readonly string[];
}

/**
 * Finds the intent that an order would duplicate. Throws `invalid_argument` when `repeatOf` does not name an
 * earlier placement of exactly this order.
 */
export async function findDuplicate(tx: JournalView, question: DuplicateQuestion): Promise<Duplicate> {
  if (question.repeatOf !== undefined) return findRepetition(tx, question.repeatOf, question);
  const same = await tx.list({ fingerprint: question.fingerprint, states: exposureStates });
  const existing = same.find((intent) => isOpen(intent, question.now) || isLiveOrder(intent, question));
  return existing ? { kind: 'existing', intent: existing } : { kind: 'new' };
}

/**
 * Whether an order of ours may need a lookup soon, including in the history: an intent is undecided, or an order
 * was placed so recently that a repeated call must learn how it ended.
 */
export async function needsLookUp(tx: JournalView, environment: string, now: number): Promise<boolean> {
  const [open] = await tx.list({ states: openStates, limit: 1 });
  return open !== undefined || wasPlacedRecently(tx, environment, now);
}

/** Whether an order was placed in the last ten minutes. */
export async function wasPlacedRecently(tx: JournalView, environment: string, now: number): Promise<boolean> {
  // The row is older than the placement, because a person may take time to approve the order.
  const createdSince = now - duplicateWindowMs - maxApprovalMs;
  const placed = await tx.list({ states: ['PLACED'], environment, createdSince });
  return placed.some((intent) => getPlacedAt(intent, now) > now - duplicateWindowMs);
}

/** Placed recently, or still pending, unless it is known to have ended without a fill. */
function isLiveOrder(intent: Intent, { now, pendingIds }: DuplicateQuestion): boolean {
  if (intent.state !== 'PLACED' || intent.endedAs !== undefined) return false;
  const isRecent = getPlacedAt(intent, now) > now - duplicateWindowMs;
  return isRecent || pendingIds.some((id) => id === intent.orderId);
}

async function findRepetition(
  tx: JournalView,
  repeatOf: string,
  { fingerprint, now }: DuplicateQuestion,
): Promise<Duplicate> {
  const first = await tx.find(repeatOf);
  if (first?.fingerprint !== fingerprint) {
    throw new BrokerageError(
      'invalid_argument',
      `repeatOf does not name an earlier placement of exactly this order.`,
      'Omit repeatOf for a new order; to repeat an order, send the same arguments and its intentId.',
    );
  }
  // Each order can be repeated once, so that a call that is sent twice creates one repetition.
  const [repetition] = await tx.list({ repeatOf, limit: 1 });
  if (repetition) return { kind: 'existing', intent: repetition };
  return isOpen(first, now) ? { kind: 'existing', intent: first } : { kind: 'repetition', of: first };
}
