/**
 * The rate limit of one endpoint of one account, as a small state and pure functions on it. All processes that
 * share the store run them inside one atomic change of the record, so that the account has one allowance.
 * A slot is taken before the request is sent and held until one period after the response. By then the service no
 * longer counts the request, whether it uses a fixed or a sliding window.
 */

export interface LimitState {
  readonly requests: number;
  readonly periodMs: number;
  /** The source of both numbers: the specification, or the headers of a response. */
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
  /** From this time (ms) a request without a response counts as ended, because its owner must have died. */
  readonly lostAt: number;
  /** Undefined while the request is in flight. */
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

/** Merges two states of one account: it contains every slot of both once, and the later end of a block. */
export function mergeLimits(a: LimitState, b: LimitState): LimitState {
  const slots = new Map<string, Slot>();
  for (const slot of [...a.slots, ...b.slots]) {
    const other = slots.get(slot.id);
    // A slot in both states: keep the one that has the response time.
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
