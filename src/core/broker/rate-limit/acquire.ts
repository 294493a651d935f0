/** Acquires a slot of a limit, or queues for one. */
import type { Priority } from '../types.ts';
import {
  availableTimes,
  type LimitState,
  maxWaiterMs,
  pruneExpired,
  releaseDeadOwners,
  type Slot,
  type Waiter,
  windowMarginMs,
} from './limit-state.ts';

/** A waiter tries again after at most this time, because a waiter ahead of it may have left. */
const pollIntervalMs = 1_000;
/** A waiter that is overdue by this time counts as dead. */
const waiterGraceMs = maxWaiterMs - pollIntervalMs;

const ranks: Record<Priority, number> = { cancel: 0, place: 1, lookUp: 2, read: 3, sync: 4 };

export type AcquireResult =
  | { readonly kind: 'taken' }
  /**
   * A slot is free in `waitMs` at the earliest; try again after `pollInMs`. `blockedBy` are the other owners of the
   * slots and waiters ahead.
   */
  | { readonly kind: 'wait'; readonly waitMs: number; readonly pollInMs: number; readonly blockedBy: readonly string[] }
  /** The wait would exceed the caller's limit. */
  | { readonly kind: 'refused'; readonly waitMs: number };

/** Acquires a slot, or returns how long to wait for one. */
export function acquireSlot(
  before: LimitState,
  now: number,
  request: {
    /** The id of the request, the same in every attempt to acquire its slot. */
    readonly id: string;
    readonly owner: string;
    readonly priority: Priority;
    /** The longest time that the request can take (ms). */
    readonly inUseMs: number;
    /** How long the caller waits (ms since 1970). */
    readonly waitUntil: number;
    /** Set while an intent is open: background requests then leave a slot free for it. */
    readonly keepOneFree?: boolean;
    /** Owners known to have died. */
    readonly dead?: ReadonlySet<string>;
  },
): { state: LimitState; result: AcquireResult } {
  const state = pruneExpired(releaseDeadOwners(before, now, request.dead), now);
  // An earlier attempt took the slot, and the store's confirmation was lost.
  if (state.slots.some(({ id }) => id === request.id)) return { state, result: { kind: 'taken' } };
  const own = state.waiters.find((waiter) => waiter.id === request.id);
  const rank = ranks[request.priority];
  const since = own?.since ?? now;
  const others = state.waiters.filter((waiter) => waiter.id !== request.id);
  const ahead = others.filter((waiter) => waiter.rank < rank || (waiter.rank === rank && waiter.since < since));
  const someoneWaits = others.some((waiter) => waiter.rank < ranks.sync);
  // Background requests leave the last free slot to other requests, if the limit has more than one.
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

/** When a request with `ahead` others before it can be sent: every slot becomes free once per period. */
function computeTurn(state: LimitState, now: number, ahead: number): number {
  const rounds = Math.floor(ahead / state.requests);
  const at = availableTimes(state, now)[ahead % state.requests] ?? now;
  return at + rounds * (state.periodMs + windowMarginMs);
}

/** Removes a waiter whose caller no longer waits. */
export const leaveQueue = (state: LimitState, id: string): LimitState => ({
  ...state,
  waiters: state.waiters.filter((waiter) => waiter.id !== id),
});
