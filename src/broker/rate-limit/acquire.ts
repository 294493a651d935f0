/** Taking a slot of a limit, or standing in the queue for one. */
import type { Priority } from '../types.ts';
import type { LimitState, Slot, Waiter } from './limit-state.ts';
import { availableTimes, pruneExpired, releaseDeadOwners, windowMarginMs } from './slot-schedule.ts';

/** A waiter looks again after this long at the latest: somebody ahead of it may have left. */
const pollIntervalMs = 1_000;
/** A waiter that has not looked again for this long after it should have is dead. */
const waiterGraceMs = 5_000;

const ranks: Record<Priority, number> = { cancel: 0, place: 1, lookUp: 2, read: 3, sync: 4 };

export interface AcquireRequest {
  /** Of the request; the same in every attempt to take its slot. */
  readonly id: string;
  readonly owner: string;
  readonly priority: Priority;
  /** How long the request can be on its way at most. */
  readonly inUseMs: number;
  /** Until when the caller waits. */
  readonly waitUntil: number;
  /** An intent is open: background work leaves a slot for it. */
  readonly keepOneFree?: boolean;
  /** Owners that are known to have died. */
  readonly dead?: ReadonlySet<string>;
}

export type AcquireResult =
  | { readonly kind: 'taken' }
  /**
   * Its turn comes in `waitMs` at the earliest; it looks again after `pollInMs`. `blockedBy` are the owners
   * of what it waits for, other than its own.
   */
  | { readonly kind: 'wait'; readonly waitMs: number; readonly pollInMs: number; readonly blockedBy: readonly string[] }
  /** The wait would outlast the caller. */
  | { readonly kind: 'refused'; readonly waitMs: number };

/** Takes a slot, or says how long to wait for one. */
export function acquireSlot(
  before: LimitState,
  now: number,
  request: AcquireRequest,
): { state: LimitState; result: AcquireResult } {
  const state = pruneExpired(releaseDeadOwners(before, now, request.dead), now);
  // The store took it, and its answer to that was lost on the way.
  if (state.slots.some(({ id }) => id === request.id)) return { state, result: { kind: 'taken' } };
  const own = state.waiters.find((waiter) => waiter.id === request.id);
  const rank = ranks[request.priority];
  const since = own?.since ?? now;
  const others = state.waiters.filter((waiter) => waiter.id !== request.id);
  const ahead = others.filter((waiter) => waiter.rank < rank || (waiter.rank === rank && waiter.since < since));
  const someoneWaits = others.some((waiter) => waiter.rank < ranks.sync);
  // Background work never takes the last slot from a person, as long as there is more than one.
  const kept = request.priority === 'sync' && (someoneWaits || request.keepOneFree) && state.requests > 1 ? 1 : 0;

  const freeAt = computeTurn(state, now, ahead.length + kept);
  if (freeAt <= now) {
    const lostAt = now + 2 * request.inUseMs;
    const slot: Slot = { id: request.id, owner: request.owner, takenAt: now, lostAt };
    return { state: { ...state, waiters: others, slots: [...state.slots, slot] }, result: { kind: 'taken' } };
  }
  const waitMs = Math.max(1, Math.ceil(freeAt - now));
  if (now + waitMs > request.waitUntil)
    return { state: { ...state, waiters: others }, result: { kind: 'refused', waitMs } };
  const pollInMs = Math.min(waitMs, pollIntervalMs);
  const waiter: Waiter = {
    id: request.id,
    owner: request.owner,
    rank,
    since,
    expiresAt: now + pollInMs + waiterGraceMs,
  };
  const onTheirWay = state.slots.filter((slot) => slot.answeredAt === undefined);
  const owners = new Set([...onTheirWay, ...ahead].map(({ owner }) => owner));
  owners.delete(request.owner);
  return {
    state: { ...state, waiters: [...others, waiter] },
    result: { kind: 'wait', waitMs, pollInMs, blockedBy: [...owners] },
  };
}

/** When somebody with `ahead` others before it can leave: every slot comes round once per period. */
function computeTurn(state: LimitState, now: number, ahead: number): number {
  const rounds = Math.floor(ahead / state.requests);
  const at = availableTimes(state, now)[ahead % state.requests] ?? now;
  return at + rounds * (state.periodMs + windowMarginMs);
}

/** The caller has gone away. */
export const leaveQueue = (state: LimitState, id: string): LimitState => ({
  ...state,
  waiters: state.waiters.filter((waiter) => waiter.id !== id),
});
