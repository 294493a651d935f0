import { holdsUntil } from '../../clock.ts';

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

// Computes when the slots of a limit become free, and so when the next request can be sent.

/** Services have rejected requests sent exactly at the end of a window. */
export const windowMarginMs = 50;
/** A waiter renews itself more often than this (ms). */
export const maxWaiterMs = 6_000;
/** No request is in flight for longer (ms). */
const maxInUseMs = 600_000;

/**
 * Removes expired slots and waiters. An expired slot stays while an older request is in flight, because the headers
 * of its response still count it. After the clock was set back, times in the future are reduced to now and a block
 * to one period, so that nothing is held for longer.
 */
export function pruneExpired(state: LimitState, now: number): LimitState {
  const maxBlockedUntil = now + state.periodMs + windowMarginMs;
  const slots = state.slots.map((slot): Slot => {
    const answered = slot.answeredAt === undefined ? {} : { answeredAt: Math.min(slot.answeredAt, now) };
    const takenAt = Math.min(slot.takenAt, now);
    // The longest that a request can take moves with the time of its start.
    const lostAt = takenAt + Math.min(slot.lostAt - slot.takenAt, maxInUseMs);
    return { ...slot, ...answered, takenAt, lostAt };
  });
  // A lost request gets no response, so it keeps nothing.
  const isInFlight = (slot: Slot) => slot.answeredAt === undefined && slot.lostAt > now;
  const leftAt = slots.filter(isInFlight).map((slot) => slot.takenAt);
  const keepFrom = Math.min(now, ...leftAt);
  return {
    ...state,
    blockedUntil: Math.min(state.blockedUntil, maxBlockedUntil),
    slots: slots.filter((slot) => slotFreeAt(slot, state, now) > keepFrom),
    waiters: state.waiters
      .filter((waiter) => holdsUntil(waiter.expiresAt, now, maxWaiterMs))
      .map((waiter) => ({ ...waiter, since: Math.min(waiter.since, now) })),
  };
}

export function slotFreeAt(slot: Slot, state: LimitState, now: number): number {
  if (slot.answeredAt !== undefined) return slot.answeredAt + state.periodMs + windowMarginMs;
  // In flight: it becomes free one period from now at the earliest, unless it counts as lost.
  return Math.min(now, slot.lostAt) + state.periodMs + windowMarginMs;
}

/** The times (ms) at which the first, second, … request from now can be sent. */
export function availableTimes(state: LimitState, now: number): number[] {
  const ends = state.slots
    .map((slot) => slotFreeAt(slot, state, now))
    .filter((end) => end > now)
    .sort((a, b) => a - b);
  const free = Math.max(0, state.requests - ends.length);
  // After a stricter limit was adopted, more slots can be held than exist; the first of them to end free nothing.
  const surplus = Math.max(0, ends.length - state.requests);
  return [...Array<number>(free).fill(now), ...ends.slice(surplus)].map((at) => Math.max(at, state.blockedUntil));
}

/** How many requests can be sent now, and in how many ms the next one can. */
export function availability(before: LimitState, now: number): { free: number; freeInMs: number } {
  const times = availableTimes(pruneExpired(before, now), now);
  return { free: times.filter((at) => at <= now).length, freeInMs: Math.max(0, Math.min(...times) - now) };
}

/**
 * Marks the requests of dead owners as ended now, because the service may count them as late as this, and removes
 * their waiters.
 */
export function releaseDeadOwners(state: LimitState, now: number, dead: ReadonlySet<string> | undefined): LimitState {
  if (!dead?.size) return state;
  return {
    ...state,
    slots: state.slots.map((slot) =>
      slot.answeredAt === undefined && dead.has(slot.owner) ? { ...slot, answeredAt: now } : slot,
    ),
    waiters: state.waiters.filter((waiter) => !dead.has(waiter.owner)),
  };
}
