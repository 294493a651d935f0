/** Completes a slot with what the response says about the limit. */

import { dayMs } from '../../clock.ts';
import { type LimitState, otherClient, pruneExpired, type Slot, slotFreeAt, windowMarginMs } from './limit-state.ts';

/** A larger number in a header is an error; adopting it would disable the limit. */
const maxRequests = 10_000;

/** The limit according to the headers of a response; every field may be missing. */
export interface RateLimitHeaders {
  readonly requests?: number | undefined;
  readonly periodMs?: number | undefined;
  readonly remaining?: number | undefined;
  readonly used?: number | undefined;
  /** Milliseconds until the service's window is fully reset. */
  readonly resetInMs?: number | undefined;
}

export type SlotOutcome =
  /** Provably nothing was sent, so the slot is released. */
  | { readonly kind: 'unused' }
  /** A response arrived, or it was lost; `refused` when it was a rate limit error. */
  | { readonly kind: 'used'; readonly headers: RateLimitHeaders; readonly refused: boolean };

/** Completes a slot. Headers can add slots or a block, but never free a slot. */
export function completeSlot(before: LimitState, now: number, id: string, end: SlotOutcome): LimitState {
  if (end.kind === 'unused') return { ...before, slots: before.slots.filter((slot) => slot.id !== id) };
  const adopted = adopt(before, end.headers);
  const slots = adopted.slots.map((slot) => (slot.id === id ? { ...slot, answeredAt: now } : slot));
  const state = countForeign({ ...adopted, slots }, now, id, end.headers);
  return pruneExpired(blockAfter(state, now, end), now);
}

function adopt(state: LimitState, { requests = 0, periodMs = 0 }: RateLimitHeaders): LimitState {
  const isCount = requests >= 1 && requests <= maxRequests;
  const isPeriod = periodMs > 0 && periodMs <= dayMs;
  if (!isCount && !isPeriod) return state;
  return {
    ...state,
    requests: isCount ? Math.floor(requests) : state.requests,
    periodMs: isPeriod ? periodMs : state.periodMs,
    source: 'headers',
  };
}

/**
 * Adds slots for requests of other clients: those that the service has counted beyond ours. Ours are all slots held
 * when this request was sent or later, because the service may have counted each of them. A foreign request may
 * have been made just now, so its slot is held for a period from now.
 */
function countForeign(state: LimitState, now: number, id: string, headers: RateLimitHeaders): LimitState {
  const counted = headers.used ?? state.requests - (headers.remaining ?? state.requests);
  const sentAt = state.slots.find((slot) => slot.id === id)?.takenAt ?? now;
  const own = state.slots.filter((slot) => slot.owner !== otherClient && slotFreeAt(slot, state, now) > sentAt).length;
  const foreign = Math.max(0, Math.min(Math.floor(counted), state.requests) - own);
  const seen = Array.from({ length: foreign }, (_, index): Slot => {
    return { id: `foreign-${now}-${index}`, owner: otherClient, takenAt: now, lostAt: now, answeredAt: now };
  });
  const known = state.slots.filter((slot) => slot.owner === otherClient);
  const older = known.sort((a, b) => b.takenAt - a.takenAt).slice(foreign);
  return { ...state, slots: [...state.slots.filter((slot) => slot.owner !== otherClient), ...older, ...seen] };
}

function blockAfter(state: LimitState, now: number, end: SlotOutcome & { kind: 'used' }): LimitState {
  // A response with no remaining requests needs no block, because the slots already express that.
  if (!end.refused) return state;
  // A reset in the past is unusable, so the block lasts a full period; that is also the longest (`pruneExpired`).
  const { resetInMs = 0 } = end.headers;
  const blockMs = (resetInMs > 0 ? resetInMs : state.periodMs) + windowMarginMs;
  return { ...state, blockedUntil: Math.max(state.blockedUntil, now + blockMs) };
}

/**
 * Parses the rate limit headers (docs/interface.md, Rate limits). The reset is a time of the service's clock, so it
 * is compared with the service's Date header and ignored without one.
 */
export function parseRateLimitHeaders(headers: Readonly<Record<string, string>>): RateLimitHeaders {
  const number = (name: string) => {
    const text = headers[name]?.trim();
    const value = text ? Number(text) : Number.NaN;
    return Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const periodSeconds = number('x-ratelimit-period');
  const resetSeconds = number('x-ratelimit-reset');
  const serverTime = Date.parse(headers.date ?? '');
  const retrySeconds = number('retry-after');
  const resetInMs =
    retrySeconds !== undefined
      ? retrySeconds * 1000
      : resetSeconds === undefined || Number.isNaN(serverTime)
        ? undefined
        : resetSeconds * 1000 - serverTime;
  return {
    requests: number('x-ratelimit-limit'),
    periodMs: periodSeconds === undefined ? undefined : periodSeconds * 1000,
    remaining: number('x-ratelimit-remaining'),
    used: number('x-ratelimit-used'),
    resetInMs,
  };
}
