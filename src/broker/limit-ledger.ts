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
/** More than this in a header is a mistake, and adopting it would switch the limit off. */
const mostRequests = 10_000;
/** A waiter looks again after this long at the latest: somebody ahead of it may have left. */
const lookEveryMs = 1_000;
/** A waiter that has not looked again for this long after it should have is dead. */
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

/** Owns the requests of other clients of the account. */
const foreigner = 'foreign';

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
  readonly owner: string;
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
  /** Owners that are known to have died. */
  readonly dead?: ReadonlySet<string>;
}

export type TakeResult =
  | { readonly kind: 'taken' }
  /**
   * Its turn comes in `waitMs` at the earliest; it looks again after `lookInMs`. `inTheWay` are the owners
   * of what it waits for, other than its own.
   */
  | { readonly kind: 'wait'; readonly waitMs: number; readonly lookInMs: number; readonly inTheWay: readonly string[] }
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
  const state = withoutEnded(withoutDead(before, now, request.dead), now);
  const own = state.waiters.find((waiter) => waiter.id === request.id);
  const rank = ranks[request.priority];
  const since = own?.since ?? now;
  const others = state.waiters.filter((waiter) => waiter.id !== request.id);
  const ahead = others.filter((waiter) => waiter.rank < rank || (waiter.rank === rank && waiter.since < since));
  const someoneWaits = others.some((waiter) => waiter.rank < ranks.sync);
  // Background work never takes the last slot from a person, as long as there is more than one.
  const kept = request.priority === 'sync' && (someoneWaits || request.keepOneFree) && state.requests > 1 ? 1 : 0;

  const freeAt = turnOf(state, now, ahead.length + kept);
  if (freeAt <= now) {
    const lostAt = now + 2 * request.inUseMs;
    const slot: Slot = { id: request.id, owner: request.owner, takenAt: now, lostAt };
    return { state: { ...state, waiters: others, slots: [...state.slots, slot] }, result: { kind: 'taken' } };
  }
  const waitMs = Math.max(1, Math.ceil(freeAt - now));
  if (now + waitMs > request.waitUntil)
    return { state: { ...state, waiters: others }, result: { kind: 'refused', waitMs } };
  const lookInMs = Math.min(waitMs, lookEveryMs);
  const waiter: Waiter = {
    id: request.id,
    owner: request.owner,
    rank,
    since,
    expiresAt: now + lookInMs + waiterGraceMs,
  };
  const onTheirWay = state.slots.filter((slot) => slot.answeredAt === undefined);
  const owners = new Set([...onTheirWay, ...ahead].map(({ owner }) => owner));
  owners.delete(request.owner);
  return {
    state: { ...state, waiters: [...others, waiter] },
    result: { kind: 'wait', waitMs, lookInMs, inTheWay: [...owners] },
  };
}

/** When somebody with `ahead` others before it can leave: every slot comes round once per period. */
function turnOf(state: LimitState, now: number, ahead: number): number {
  const rounds = Math.floor(ahead / state.requests);
  const at = timesOfFreedom(state, now)[ahead % state.requests] ?? now;
  return at + rounds * (state.periodMs + boundaryMs);
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
  const state = countForeign({ ...adopted, slots }, now, id, end.news);
  return withoutEnded(blockAfter(state, now, end), now);
}

function adopt(state: LimitState, { requests, periodMs }: LimitNews): LimitState {
  const isCount = requests !== undefined && requests >= 1 && requests <= mostRequests;
  const isPeriod = periodMs !== undefined && periodMs > 0 && periodMs <= dayMs;
  if (!isCount && !isPeriod) return state;
  return {
    ...state,
    requests: isCount ? Math.floor(requests) : state.requests,
    periodMs: isPeriod ? periodMs : state.periodMs,
    source: 'headers',
  };
}

/**
 * Requests that the service has counted and that are none of ours: another client of the account. Ours
 * are all that were held when the answered request left, and since: the service may have counted each.
 * What is seen now may have been made just now, so it is held for a period from now.
 */
function countForeign(state: LimitState, now: number, id: string, news: LimitNews): LimitState {
  const counted = news.used ?? (news.remaining === undefined ? 0 : state.requests - news.remaining);
  const sentAt = state.slots.find((slot) => slot.id === id)?.takenAt ?? now;
  const own = state.slots.filter((slot) => slot.owner !== foreigner && endOf(slot, state, now) > sentAt).length;
  const foreign = Math.max(0, Math.min(Math.floor(counted), state.requests) - own);
  if (foreign === 0) return state;
  const seen = Array.from({ length: foreign }, (_, index): Slot => {
    return { id: `foreign-${now}-${index}`, owner: foreigner, takenAt: now, lostAt: now, answeredAt: now };
  });
  const known = state.slots.filter((slot) => slot.owner === foreigner);
  const older = known.sort((a, b) => b.takenAt - a.takenAt).slice(foreign);
  return { ...state, slots: [...state.slots.filter((slot) => slot.owner !== foreigner), ...older, ...seen] };
}

function blockAfter(state: LimitState, now: number, end: SlotEnd & { kind: 'used' }): LimitState {
  // An answer that says "nothing left" needs no block: the slots that say so are held already.
  if (!end.refused) return state;
  // A reset in the past or beyond one period says nothing: then a whole period is waited.
  const { resetInMs } = end.news;
  const isUsable = resetInMs !== undefined && resetInMs > 0 && resetInMs <= state.periodMs;
  const blockMs = (isUsable ? resetInMs : state.periodMs) + boundaryMs;
  return { ...state, blockedUntil: Math.max(state.blockedUntil, now + blockMs) };
}

/** What a dead owner had on its way may be counted as late as now, when its death is noticed; it waits no more. */
function withoutDead(state: LimitState, now: number, dead: ReadonlySet<string> | undefined): LimitState {
  if (!dead?.size) return state;
  return {
    ...state,
    slots: state.slots.map((slot) =>
      slot.answeredAt === undefined && dead.has(slot.owner) ? { ...slot, answeredAt: now } : slot,
    ),
    waiters: state.waiters.filter((waiter) => !dead.has(waiter.owner)),
  };
}

/**
 * Slots and waiters whose time is over are gone. A slot that has ended stays while a request is on its
 * way that left before that: the headers of its answer still count it. A clock that was set back does
 * not hold anything for longer: nothing lies in the future, and no block is longer than one period.
 */
function withoutEnded(state: LimitState, now: number): LimitState {
  const longestBlock = now + state.periodMs + boundaryMs;
  const slots = state.slots.map((slot): Slot => {
    const answered = slot.answeredAt === undefined ? {} : { answeredAt: Math.min(slot.answeredAt, now) };
    if (slot.takenAt <= now) return { ...slot, ...answered };
    return { ...slot, ...answered, takenAt: now, lostAt: slot.lostAt - (slot.takenAt - now) };
  });
  const leftAt = slots.filter((slot) => slot.answeredAt === undefined).map((slot) => slot.takenAt);
  const keepFrom = Math.min(now, ...leftAt);
  return {
    ...state,
    blockedUntil: Math.min(state.blockedUntil, longestBlock),
    slots: slots.filter((slot) => endOf(slot, state, now) > keepFrom),
    waiters: state.waiters.filter((waiter) => waiter.expiresAt > now),
  };
}

function endOf(slot: Slot, state: LimitState, now: number): number {
  if (slot.answeredAt !== undefined) return slot.answeredAt + state.periodMs + boundaryMs;
  // Still on its way: at the earliest it ends a period from now, unless it is twice as old as it can get.
  return Math.min(now, slot.lostAt) + state.periodMs + boundaryMs;
}

/** When the first, second, … request from now on may leave. */
function timesOfFreedom(state: LimitState, now: number): number[] {
  const ends = state.slots
    .map((slot) => endOf(slot, state, now))
    .filter((end) => end > now)
    .sort((a, b) => a - b);
  const free = Math.max(0, state.requests - ends.length);
  // Adopting a stricter limit can leave more slots held than there are: the first ends free nothing.
  const surplus = Math.max(0, ends.length - state.requests);
  return [...Array<number>(free).fill(now), ...ends.slice(surplus)].map((at) => Math.max(at, state.blockedUntil));
}

/** How many requests may leave now, and when the next one may. */
export function freedom(before: LimitState, now: number): { free: number; freeInMs: number } {
  const times = timesOfFreedom(withoutEnded(before, now), now);
  const [first = now + before.periodMs] = times;
  return { free: times.filter((at) => at <= now).length, freeInMs: Math.max(0, first - now) };
}

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
