/** Settling a slot: what an answer says about the limit. It may take slots away or block, and never frees one. */
import { type LimitState, otherClient, type Slot } from './limit-state.ts';
import { pruneExpired, slotFreeAt, windowMarginMs } from './slot-schedule.ts';

const dayMs = 86_400_000;
/** More than this in a header is a mistake, and adopting it would switch the limit off. */
const maxRequests = 10_000;

/** What the headers of an answer say about the limit; every part may be missing. */
export interface RateLimitHeaders {
  readonly requests?: number | undefined;
  readonly periodMs?: number | undefined;
  readonly remaining?: number | undefined;
  readonly used?: number | undefined;
  /** Until the service's window is fully reset. */
  readonly resetInMs?: number | undefined;
}

export type SlotOutcome =
  /** Provably no byte left: the slot is given back. */
  | { readonly kind: 'unused' }
  /** Answered, or lost on the way; `refused` when the answer was that there were too many. */
  | { readonly kind: 'used'; readonly news: RateLimitHeaders; readonly refused: boolean };

/** Settles a slot. What the headers say may take slots away or block, and never frees one. */
export function completeSlot(before: LimitState, now: number, id: string, end: SlotOutcome): LimitState {
  if (end.kind === 'unused') return { ...before, slots: before.slots.filter((slot) => slot.id !== id) };
  const adopted = adopt(before, end.news);
  const slots = adopted.slots.map((slot) => (slot.id === id ? { ...slot, answeredAt: now } : slot));
  const state = countForeign({ ...adopted, slots }, now, id, end.news);
  return pruneExpired(blockAfter(state, now, end), now);
}

function adopt(state: LimitState, { requests, periodMs }: RateLimitHeaders): LimitState {
  const isCount = requests !== undefined && requests >= 1 && requests <= maxRequests;
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
function countForeign(state: LimitState, now: number, id: string, news: RateLimitHeaders): LimitState {
  const counted = news.used ?? (news.remaining === undefined ? 0 : state.requests - news.remaining);
  const sentAt = state.slots.find((slot) => slot.id === id)?.takenAt ?? now;
  const own = state.slots.filter((slot) => slot.owner !== otherClient && slotFreeAt(slot, state, now) > sentAt).length;
  const foreign = Math.max(0, Math.min(Math.floor(counted), state.requests) - own);
  if (foreign === 0) return state;
  const seen = Array.from({ length: foreign }, (_, index): Slot => {
    return { id: `foreign-${now}-${index}`, owner: otherClient, takenAt: now, lostAt: now, answeredAt: now };
  });
  const known = state.slots.filter((slot) => slot.owner === otherClient);
  const older = known.sort((a, b) => b.takenAt - a.takenAt).slice(foreign);
  return { ...state, slots: [...state.slots.filter((slot) => slot.owner !== otherClient), ...older, ...seen] };
}

function blockAfter(state: LimitState, now: number, end: SlotOutcome & { kind: 'used' }): LimitState {
  // An answer that says "nothing left" needs no block: the slots that say so are held already.
  if (!end.refused) return state;
  // A reset in the past or beyond one period says nothing: then a whole period is waited.
  const { resetInMs } = end.news;
  const isUsable = resetInMs !== undefined && resetInMs > 0 && resetInMs <= state.periodMs;
  const blockMs = (isUsable ? resetInMs : state.periodMs) + windowMarginMs;
  return { ...state, blockedUntil: Math.max(state.blockedUntil, now + blockMs) };
}
