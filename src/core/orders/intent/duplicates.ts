/**
 * Detection of repeated orders. A host calls again after a lost stream, and a model calls again because it is
 * unsure: neither wants a second order. A caller that does want one names the intent that it repeats.
 */

import { createHash } from 'node:crypto';
import { dayMs } from '../../clock.ts';
import { BrokerageError } from '../../errors.ts';
import { getPlacedAt, type Intent, isOpen, maxApprovalMs } from './intent.ts';
import type { JournalChange, JournalView } from './journal-port.ts';
import { exposureStates, nextState, openStates, unsentStates } from './states.ts';

/** Milliseconds in which an equal order counts as the same order. */
export const duplicateWindowMs = 600_000;

type Duplicate =
  | { readonly kind: 'new' }
  /** The same order exists: the caller receives this intent, and nothing is placed. */
  | { readonly kind: 'existing'; readonly intent: Intent }
  /** An intended repetition of this intent. */
  | { readonly kind: 'repetition'; readonly of: Intent };

/**
 * Finds the intent that an order would duplicate. Throws `invalid_argument` when `repeatOf` does not name an
 * earlier placement of exactly this order.
 */
export async function findDuplicate(
  tx: JournalView,
  question: {
    readonly fingerprint: string;
    readonly repeatOf: string | undefined;
    readonly now: number;
    /** Ids of the orders that are pending at the broker, as far as they were read. */
    readonly pendingIds: readonly string[];
  },
): Promise<Duplicate> {
  const { fingerprint, repeatOf, now, pendingIds } = question;
  if (repeatOf !== undefined) return findRepetition(tx, repeatOf, fingerprint, now);
  const same = await tx.list({ fingerprint, states: exposureStates });
  const existing = same.find((intent) => isOpen(intent, now) || isLiveOrder(intent, now, pendingIds));
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
function isLiveOrder(intent: Intent, now: number, pendingIds: readonly string[]): boolean {
  if (intent.state !== 'PLACED' || intent.endedAs !== undefined) return false;
  const isRecent = getPlacedAt(intent, now) > now - duplicateWindowMs;
  return isRecent || pendingIds.some((id) => id === intent.orderId);
}

async function findRepetition(tx: JournalView, repeatOf: string, fingerprint: string, now: number): Promise<Duplicate> {
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

// Orders that ended before anything was sent: refused by a rule, or missing the facts to check them. A model that
// repeats an order in a loop must not fill the disk. Equal orders therefore share one row with a count, the number
// of rows per minute, hour and day is limited, and old rows are removed. Orders beyond these limits get a result
// too, and are counted in one row per rule.

/** Maximum number of rows of one account in each period. */
const maxRowsOfDay = 300;
const maxRows = [
  { withinMs: 60_000, rows: 10 },
  { withinMs: 3_600_000, rows: 60 },
  { withinMs: dayMs, rows: maxRowsOfDay },
];

const retentionMs = 30 * dayMs;
/** At most this many old rows are removed with each new one, so that no order waits for a long deletion. */
const maxRemoved = 100;

/** Writes a new intent in its final state, or counts it with an earlier equal one and returns that row, with its id. */
export async function keepUnsent(
  tx: JournalChange,
  draft: Intent,
  event: 'refuse' | 'failBeforeSending',
  why: Pick<Intent, 'rule' | 'reason' | 'largestQuantity' | 'nearestPrice' | 'earlier'>,
  now: number,
): Promise<Intent> {
  const state = nextState('DRAFT', event);
  // Pending orders are recorded to find a lost order; here nothing was sent.
  const baseline = { ...draft.baseline, pendingIds: [] };
  const intent: Intent = { ...draft, ...why, state, baseline, changedAt: now, times: 1 };
  // A leg has a row of its own, because its submission must know how it ended. There are few of them.
  if (intent.leg) return insert(tx, intent, now);
  const equal = await find(tx, intent, duplicateWindowMs, now);
  if (equal) return count(tx, equal, why, now);
  if (await hasRoom(tx, intent, now)) return insert(tx, intent, now);
  // One row counts all further refusals of the rule. The caller still receives the reason for its own order.
  const rest: Intent = { ...intent, repeatOf: undefined, fingerprint: restFingerprint(intent), reason: restReason };
  const known = await find(tx, rest, dayMs, now);
  const kept = known ? await count(tx, known, {}, now) : await insert(tx, rest, now);
  return { ...kept, ...why };
}

const restReason =
  'More orders ended unsent than are stored individually; this record represents the rest. Nothing was sent for any of them.';

async function find(tx: JournalChange, intent: Intent, withinMs: number, now: number): Promise<Intent | undefined> {
  const { fingerprint, state, rule } = intent;
  const rows = await tx.list({ fingerprint, states: [state], createdSince: now - withinMs, limit: 20 });
  return rows.find((row) => row.times !== undefined && row.rule === rule);
}

async function count(tx: JournalChange, row: Intent, why: Partial<Intent>, now: number): Promise<Intent> {
  const { id, state } = row;
  const change = { ...why, state, times: (row.times ?? 1) + 1, changedAt: now };
  return (await tx.move(id, state, change)) ?? row;
}

async function hasRoom(tx: JournalChange, { accountKey, environment }: Intent, now: number): Promise<boolean> {
  const filter = { accountKey, environment, states: unsentStates, createdSince: now - dayMs, limit: maxRowsOfDay };
  const times = (await tx.list(filter)).map((intent) => getPlacedAt(intent, now)).toSorted((a, b) => b - a);
  // The newest come first, so the one at the limit shows whether the period is full.
  return maxRows.every(({ withinMs, rows }) => (times[rows - 1] ?? 0) <= now - withinMs);
}

async function insert(tx: JournalChange, intent: Intent, now: number): Promise<Intent> {
  await tx.removeUnsent(unsentStates, now - retentionMs, maxRemoved);
  await tx.insert(intent);
  return intent;
}

const restFingerprint = ({ environment, accountKey, state, rule }: Intent): string =>
  createHash('sha256')
    .update(JSON.stringify(['unsent', environment, accountKey, state, rule]))
    .digest('hex');
