/**
 * The rate limit of one endpoint of one account, as a small state and pure functions over it. Every
 * process that shares the store runs these inside one atomic change of the record, so the account's
 * allowance is one, whoever asks.
 *
 * A slot is taken before the bytes leave and held until the answer plus one period: whichever way the
 * service counts (a fixed window or a sliding one), it has forgotten the request by then.
 */

export interface LimitState {
  readonly requests: number;
  readonly periodMs: number;
  /** Where the two come from: the specification, or the headers of an answer. */
  readonly source: 'spec' | 'headers';
  readonly slots: readonly Slot[];
  readonly waiters: readonly Waiter[];
  readonly blockedUntil: number;
}

/** Owns the requests of other clients of the account. */
export const otherClient = 'foreign';

export interface Slot {
  readonly id: string;
  readonly owner: string;
  readonly takenAt: number;
  /** From here on an unanswered request counts as answered: its owner has died. */
  readonly lostAt: number;
  /** Undefined while the request is on its way. */
  readonly answeredAt?: number;
}

export interface Waiter {
  readonly id: string;
  readonly owner: string;
  readonly rank: number;
  readonly since: number;
  readonly expiresAt: number;
}

export const initialLimit = (limit: { requests: number; periodSeconds: number }): LimitState => ({
  requests: limit.requests,
  periodMs: limit.periodSeconds * 1000,
  source: 'spec',
  slots: [],
  waiters: [],
  blockedUntil: 0,
});

/** Two ledgers of one account as one: every slot of both is held, each once, and the longer block stays. */
export function mergeLimits(a: LimitState, b: LimitState): LimitState {
  const slots = new Map<string, Slot>();
  for (const slot of [...a.slots, ...b.slots]) {
    const other = slots.get(slot.id);
    // The same slot in both: the one that knows of the answer.
    if (!other || other.answeredAt === undefined) slots.set(slot.id, slot);
  }
  const waiters = new Map([...a.waiters, ...b.waiters].map((waiter) => [waiter.id, waiter]));
  const known = a.source === 'spec' && b.source === 'headers' ? b : a;
  return {
    requests: known.requests,
    periodMs: known.periodMs,
    source: known.source,
    slots: [...slots.values()],
    waiters: [...waiters.values()],
    blockedUntil: Math.max(a.blockedUntil, b.blockedUntil),
  };
}
