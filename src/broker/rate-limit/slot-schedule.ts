/** When the slots of a limit end, and so when the next request may leave. */
import type { LimitState, Slot } from './limit-state.ts';

/** Refusals have been seen exactly at the boundary of a window. */
export const windowMarginMs = 50;

/**
 * Slots and waiters whose time is over are gone. A slot that has ended stays while a request is on its
 * way that left before that: the headers of its answer still count it. A clock that was set back does
 * not hold anything for longer: nothing lies in the future, and no block is longer than one period.
 */
export function pruneExpired(state: LimitState, now: number): LimitState {
  const maxBlockedUntil = now + state.periodMs + windowMarginMs;
  const slots = state.slots.map((slot): Slot => {
    const answered = slot.answeredAt === undefined ? {} : { answeredAt: Math.min(slot.answeredAt, now) };
    if (slot.takenAt <= now) return { ...slot, ...answered };
    return { ...slot, ...answered, takenAt: now, lostAt: slot.lostAt - (slot.takenAt - now) };
  });
  const leftAt = slots.filter((slot) => slot.answeredAt === undefined).map((slot) => slot.takenAt);
  const keepFrom = Math.min(now, ...leftAt);
  return {
    ...state,
    blockedUntil: Math.min(state.blockedUntil, maxBlockedUntil),
    slots: slots.filter((slot) => slotFreeAt(slot, state, now) > keepFrom),
    waiters: state.waiters.filter((waiter) => waiter.expiresAt > now),
  };
}

export function slotFreeAt(slot: Slot, state: LimitState, now: number): number {
  if (slot.answeredAt !== undefined) return slot.answeredAt + state.periodMs + windowMarginMs;
  // Still on its way: at the earliest it ends a period from now, unless it is twice as old as it can get.
  return Math.min(now, slot.lostAt) + state.periodMs + windowMarginMs;
}

/** When the first, second, … request from now on may leave. */
export function availableTimes(state: LimitState, now: number): number[] {
  const ends = state.slots
    .map((slot) => slotFreeAt(slot, state, now))
    .filter((end) => end > now)
    .sort((a, b) => a - b);
  const free = Math.max(0, state.requests - ends.length);
  // Adopting a stricter limit can leave more slots held than there are: the first ends free nothing.
  const surplus = Math.max(0, ends.length - state.requests);
  return [...Array<number>(free).fill(now), ...ends.slice(surplus)].map((at) => Math.max(at, state.blockedUntil));
}

/** How many requests may leave now, and when the next one may. */
export function availability(before: LimitState, now: number): { free: number; freeInMs: number } {
  const times = availableTimes(pruneExpired(before, now), now);
  const [first = now + before.periodMs] = times;
  return { free: times.filter((at) => at <= now).length, freeInMs: Math.max(0, first - now) };
}

/** What a dead owner had on its way may be counted as late as now, when its death is noticed; it waits no more. */
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
