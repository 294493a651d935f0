/**
 * Which event goes to which channel now. Pure. An attempt is claimed in the store before anything is sent and finished
 * after it, so that every event is sent at least once, and never twice within an hour although a process died between.
 */

import { clockSlackMs, dayMs, holdsUntil } from '../../core/clock.ts';

/** The attempts to send one item through one channel. */
export interface Delivery {
  /** The key of an event, or the name of a digest. */
  readonly item: string;
  readonly channel: string;
  /**
   * `claimed`: it may have been sent. `waiting`: it was not, and is tried again at `nextAt`. `begun`: no attempt, but a
   * note that the channel is used since then.
   */
  readonly state: 'claimed' | 'waiting' | 'done' | 'abandoned' | 'begun';
  /** The number of attempts that failed. One whose process died is none of them. */
  readonly tries: number;
  /** Milliseconds since 1970. */
  readonly claimedAt: number;
  readonly nextAt: number;
}

/**
 * What an attempt ended with: `unknown` where the message may have arrived, `blocked` where the way needs other settings,
 * and how long (ms) the receiver asked to wait where it did not arrive.
 */
export type DeliveryResult = 'delivered' | 'unknown' | 'blocked' | { readonly waitMs: number };

/** What may have been sent is not sent again within this time (ms). */
export const onceMs = 3_600_000;
/** An item is given up after this number of attempts that failed, or at this age (ms). */
export const maxTries = 8;
export const maxAgeMs = 7 * dayMs;

const minuteMs = 60_000;
/** The pauses (ms) after the first attempts that did not send; the last one repeats. */
const pauses = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * minuteMs);
const longestPauseMs = Math.max(...pauses, onceMs);

export interface DueItem {
  readonly foundAt: number;
  /** Sent in quiet hours too. */
  readonly isUrgent: boolean;
}

/** Whether the item is sent now. `isQuiet`: only what is urgent is. */
export function isDue(
  delivery: Delivery | undefined,
  { foundAt, isUrgent }: DueItem,
  { now, isQuiet }: { readonly now: number; readonly isQuiet: boolean },
): boolean {
  if (isQuiet && !isUrgent) return false;
  if (foundAt < now - maxAgeMs) return false;
  if (!delivery) return true;
  if (delivery.state === 'done' || delivery.state === 'abandoned') return false;
  // A time that is further ahead than it can be was stored under a clock that was ahead, and has passed.
  return !holdsUntil(delivery.nextAt, now, longestPauseMs);
}

/** The next attempt. It holds for an hour, because a process that died may have sent it. */
export const claimDelivery = (
  before: Delivery | undefined,
  { item, channel }: Pick<Delivery, 'item' | 'channel'>,
  now: number,
): Delivery => ({
  item,
  channel,
  state: 'claimed',
  tries: before?.tries ?? 0,
  claimedAt: now,
  nextAt: now + onceMs,
});

/** Whether the claim is still that of this attempt: after an hour another process may have taken it. */
export const isSameClaim = (a: Delivery, b: Delivery | undefined): boolean =>
  b?.state === 'claimed' && a.claimedAt === b.claimedAt;

/** The end of an attempt. */
export function finishDelivery(claimed: Delivery, result: DeliveryResult, now: number): Delivery {
  if (result === 'delivered') return { ...claimed, state: 'done', nextAt: now };
  // The way failed and not the item, which waits for the next process.
  if (result === 'blocked') return { ...claimed, state: 'waiting', nextAt: now };
  const tries = claimed.tries + 1;
  if (tries >= maxTries) return { ...claimed, tries, state: 'abandoned', nextAt: now };
  if (result === 'unknown') return { ...claimed, tries };
  const pause = Math.max(pauses[Math.min(tries, pauses.length) - 1] ?? onceMs, result.waitMs);
  return { ...claimed, tries, state: 'waiting', nextAt: now + Math.min(pause, longestPauseMs) };
}

/** Whether an attempt may still begin (ms): a process that was suspended since its claim must not send. */
export const mayStillSend = ({ claimedAt }: Delivery, now: number): boolean =>
  now - claimedAt < onceMs / 2 && now - claimedAt > -clockSlackMs;

/** Whether a time of day (`HH:MM`) is in the quiet hours; `until` is exclusive, and may be of the next day. */
export function isInQuietHours(
  timeOfDay: string,
  hours: { readonly from: string; readonly until: string } | undefined,
): boolean {
  if (!hours) return false;
  const { from, until } = hours;
  return from < until ? timeOfDay >= from && timeOfDay < until : timeOfDay >= from || timeOfDay < until;
}

// A flood of events becomes few messages.

/** More events than this at once become one message. */
export const maxSingleMessages = 5;
/** After this number of messages within an hour, a channel sends one in ten minutes. */
const maxHourlyMessages = 20;
const floodPauseMs = 10 * minuteMs;

/** Which items are sent in one message each. `sentAt`: when the messages of the last hour were claimed (ms). */
export function groupItems<Item>(due: readonly Item[], sentAt: readonly number[], now: number): readonly Item[][] {
  const isFlood = sentAt.length >= maxHourlyMessages;
  if (due.length === 0 || (isFlood && now - Math.max(...sentAt) < floodPauseMs)) return [];
  return isFlood || due.length > maxSingleMessages ? [[...due]] : due.map((item) => [item]);
}

/** When messages of the last hour were claimed (ms), each once: the items of one message have one time. */
export const listMessageTimes = (deliveries: readonly Delivery[], now: number): readonly number[] => [
  ...new Set(
    deliveries
      .filter(({ state, claimedAt }) => state !== 'begun' && claimedAt > now - onceMs && claimedAt <= now)
      .map(({ claimedAt }) => claimedAt),
  ),
];
