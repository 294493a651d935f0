/**
 * The rate limit of one endpoint of one account, as a small state and pure functions over it. Every
 * process that shares the store runs these inside one atomic change of the record, so the account's
 * allowance is one, whoever asks.
 *
 * A slot is taken before the bytes leave and held until the answer plus one period: whichever way the
 * service counts (a fixed window or a sliding one), it has forgotten the request by then.
 */
import type { Priority } from './types.ts';

/** Refusals have been seen exactly at the boundary of a window. */
export const boundaryMs = 50;
const dayMs = 86_400_000;
/** A waiter that has not come back this long after its turn is dead. */
const waiterGraceMs = 5_000;

export interface LimitState {
  readonly requests: number;
  readonly periodMs: number;
  /** Where the two come from: the specification, or the headers of an answer. */
  readonly source: 'spec' | 'headers';
  readonly slots: readonly Slot[];
  readonly waiters: readonly Waiter[];
  readonly blockedUntil: number;
}

interface Slot {
  readonly id: string;
  readonly owner: string;
  readonly takenAt: number;
  /** From here on an unanswered request counts as answered: its owner has died. */
  readonly lostAt: number;
  /** Undefined while the request is on its way. */
  readonly answeredAt?: number;
}

interface Waiter {
  readonly id: string;
  readonly rank: number;
  readonly since: number;
  readonly expiresAt: number;
}

const ranks: Record<Priority, number> = { cancel: 0, place: 1, read: 2, sync: 3 };

export interface TakeRequest {
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
}

export type TakeResult =
  | { readonly kind: 'taken' }
  /** Come back after this long. */
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** The wait would outlast the caller. */
  | { readonly kind: 'refused'; readonly waitMs: number };

export const initialLimit = (limit: { requests: number; periodSeconds: number }): LimitState => ({
  requests: limit.requests,
  periodMs: limit.periodSeconds * 1000,
  source: 'spec',
  slots: [],
  waiters: [],
  blockedUntil: 0,
});

/** Takes a slot, or says how long to wait for one. */
export function takeSlot(
  before: LimitState,
  now: number,
  request: TakeRequest,
): { state: LimitState; result: TakeResult } {
  const state = withoutEnded(before, now);
  const own = state.waiters.find((waiter) => waiter.id === request.id);
  const rank = ranks[request.priority];
  const since = own?.since ?? now;
  const others = state.waiters.filter((waiter) => waiter.id !== request.id);
  const ahead = others.filter((waiter) => waiter.rank < rank || (waiter.rank === rank && waiter.since < since)).length;
  const someoneWaits = others.some((waiter) => waiter.rank < ranks.sync);
  // Background work never takes the last slot from a person, as long as there is more than one.
  const kept = request.priority === 'sync' && (someoneWaits || request.keepOneFree) && state.requests > 1 ? 1 : 0;

  const freeAt = timesOfFreedom(state, now)[ahead + kept] ?? now + state.periodMs;
  if (freeAt <= now) {
    const lostAt = now + 2 * request.inUseMs;
    const slot: Slot = { id: request.id, owner: request.owner, takenAt: now, lostAt };
    return { state: { ...state, waiters: others, slots: [...state.slots, slot] }, result: { kind: 'taken' } };
  }
  const waitMs = Math.max(1, Math.ceil(freeAt - now));
  if (now + waitMs > request.waitUntil)
    return { state: { ...state, waiters: others }, result: { kind: 'refused', waitMs } };
  const waiter: Waiter = { id: request.id, rank, since, expiresAt: now + waitMs + waiterGraceMs };
  return { state: { ...state, waiters: [...others, waiter] }, result: { kind: 'wait', waitMs } };
}

/** The caller has gone away. */
export const leaveQueue = (state: LimitState, id: string): LimitState => ({
  ...state,
  waiters: state.waiters.filter((waiter) => waiter.id !== id),
});

/** What the headers of an answer say about the limit; every part may be missing. */
export interface LimitNews {
  readonly requests?: number | undefined;
  readonly periodMs?: number | undefined;
  readonly remaining?: number | undefined;
  readonly used?: number | undefined;
  /** Until the service's window is fully reset. */
  readonly resetInMs?: number | undefined;
}

export type SlotEnd =
  /** Provably no byte left: the slot is given back. */
  | { readonly kind: 'unused' }
  /** Answered, or lost on the way; `refused` when the answer was that there were too many. */
  | { readonly kind: 'used'; readonly news: LimitNews; readonly refused: boolean };

/** Settles a slot. What the headers say may take slots away or block, and never frees one. */
export function settleSlot(before: LimitState, now: number, id: string, end: SlotEnd): LimitState {
  if (end.kind === 'unused') return { ...before, slots: before.slots.filter((slot) => slot.id !== id) };
  const adopted = adopt(before, end.news);
  const slots = adopted.slots.map((slot) => (slot.id === id ? { ...slot, answeredAt: now } : slot));
  const state = withoutEnded({ ...adopted, slots }, now);
  return blockAfter(countForeign(state, now, end.news), now, end);
}

function adopt(state: LimitState, { requests, periodMs }: LimitNews): LimitState {
  if (!requests || !periodMs || requests < 1 || periodMs <= 0 || periodMs > dayMs) return state;
  return { ...state, requests: Math.floor(requests), periodMs, source: 'headers' };
}

/** Requests that the service has counted and that are none of ours: another client of the account. */
function countForeign(state: LimitState, now: number, news: LimitNews): LimitState {
  const counted = news.used ?? (news.remaining === undefined ? 0 : state.requests - news.remaining);
  const foreign = Math.min(Math.floor(counted), state.requests) - state.slots.length;
  if (!(foreign > 0)) return state;
  const slots = Array.from({ length: foreign }, (_, index): Slot => {
    return { id: `foreign-${now}-${index}`, owner: 'foreign', takenAt: now, lostAt: now, answeredAt: now };
  });
  return { ...state, slots: [...state.slots, ...slots] };
}

function blockAfter(state: LimitState, now: number, end: SlotEnd & { kind: 'used' }): LimitState {
  const resetInMs = Math.min(Math.max(end.news.resetInMs ?? state.periodMs, 0), state.periodMs);
  const empty = end.news.remaining !== undefined && end.news.remaining <= 0 && end.news.resetInMs !== undefined;
  if (!end.refused && !empty) return state;
  // A reset in the past says nothing when the refusal is fresh: then a whole period is waited.
  const blockMs = end.refused && resetInMs === 0 ? state.periodMs : resetInMs;
  return { ...state, blockedUntil: Math.max(state.blockedUntil, now + blockMs + boundaryMs) };
}

/** Slots and waiters whose time is over are gone. */
function withoutEnded(state: LimitState, now: number): LimitState {
  return {
    ...state,
    slots: state.slots.filter((slot) => endOf(slot, state, now) > now),
    waiters: state.waiters.filter((waiter) => waiter.expiresAt > now),
  };
}

function endOf(slot: Slot, state: LimitState, now: number): number {
  if (slot.answeredAt !== undefined) return slot.answeredAt + state.periodMs + boundaryMs;
  // Still on its way: at the earliest it ends a period from now, unless its owner has died.
  return Math.min(now, slot.lostAt) + state.periodMs + boundaryMs;
}

/** When the first, second, … request from now on may leave. */
function timesOfFreedom(state: LimitState, now: number): number[] {
  const free = Math.max(0, state.requests - state.slots.length);
  const ends = state.slots.map((slot) => endOf(slot, state, now)).sort((a, b) => a - b);
  // Adopting a stricter limit can leave more slots held than there are: the first ends free nothing.
  const surplus = Math.max(0, state.slots.length - state.requests);
  return [...Array<number>(free).fill(now), ...ends.slice(surplus)].map((at) => Math.max(at, state.blockedUntil));
}

/** How many requests may leave now, and when the next one may. */
export function freedom(before: LimitState, now: number): { free: number; freeInMs: number } {
  const times = timesOfFreedom(withoutEnded(before, now), now);
  const [first = now + before.periodMs] = times;
  return { free: times.filter((at) => at <= now).length, freeInMs: Math.max(0, first - now) };
}
