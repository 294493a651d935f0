/** Sends what is due through each channel: claims it in the store, sends it, and notes how that ended. */

import { type Clock, dayMs } from '../../core/clock.ts';
import { ExpectedError } from '../../core/errors.ts';
import { log } from '../../core/log.ts';
import type { NotifySettings } from '../../core/settings/notify-settings.ts';
import { toZoneDate, toZoneTime } from '../../core/text/dates.ts';
import {
  claimDelivery,
  type Delivery,
  type DeliveryResult,
  finishDelivery,
  groupItems,
  isDue,
  isInQuietHours,
  isSameClaim,
  listMessageTimes,
  maxAgeMs,
  mayStillSend,
} from './delivery-rules.ts';
import type { WatchEvent } from './event.ts';
import type { FailedWays } from './failed-ways.ts';
import { type Channel, DeliveryError, type Message } from './notify/channel.ts';
import { type Digest, type Manner, sayDigest, sayEvent, sayEvents } from './say-event.ts';
import { watchedKinds } from './watch-rules.ts';
import type { WatchStore } from './watch-store.ts';

export interface DeliveryDeps {
  readonly store: WatchStore;
  readonly clock: Clock;
  readonly channels: readonly Channel[];
  readonly failed: FailedWays;
  readonly settings: Pick<NotifySettings, 'detail' | 'quietHours' | 'digestAt'>;
  readonly place: Pick<Manner, 'environment' | 'account'>;
  /** What changed since a time (ms). */
  readonly readDigest: (since: number, signal: AbortSignal) => Promise<Digest>;
}

/** Whose events are sent, and in which time zone that person lives. */
export interface Recipient {
  readonly account: string;
  readonly zone: string;
}

/** More events are not read at once; the rest is sent in the next round. */
const maxEvents = 1_000;
/** One attempt is ended after this time (ms). */
const sendMs = 60_000;
/** The item that notes since when a channel is used: what was found before is not sent through it. */
const beginning = 'beginning';

/** Sends what is due now through every channel. Resolves when each attempt has ended; throws `store_unavailable`. */
export async function deliverEvents(deps: DeliveryDeps, recipient: Recipient, signal: AbortSignal): Promise<void> {
  const outcomes = await Promise.allSettled(
    deps.channels.map((channel) => deliverThrough(deps, recipient, channel, signal)),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

async function deliverThrough(deps: DeliveryDeps, recipient: Recipient, channel: Channel, signal: AbortSignal) {
  if (deps.failed.isBlocked(channel.name)) return;
  const { messages, digest } = await claimDue(deps, recipient, channel.name);
  for (const { events, claims } of messages) {
    const say = (manner: Manner) =>
      events[0] && events.length === 1 ? sayEvent(events[0], manner) : sayEvents(events, manner);
    await attempt(deps, recipient, { channel, claims, say: async (manner) => say(manner) }, signal);
  }
  if (!digest) return;
  const say = async (manner: Manner) => sayDigest(await deps.readDigest(digest.since, signal), manner);
  await attempt(deps, recipient, { channel, claims: [digest.claim], say }, signal);
}

interface Claimed {
  readonly messages: readonly { readonly events: readonly WatchEvent[]; readonly claims: readonly Delivery[] }[];
  readonly digest: { readonly claim: Delivery; readonly since: number } | undefined;
}

/** Claims in one transaction all that this process sends next, so that no other process sends it too. */
const claimDue = (deps: DeliveryDeps, { account, zone }: Recipient, channel: string): Promise<Claimed> =>
  deps.store.change(async (tx) => {
    const now = deps.clock.now();
    const begun = await tx.findDelivery(account, beginning, channel);
    if (!begun) {
      const mark = { item: beginning, channel, state: 'begun', tries: 0, claimedAt: now, nextAt: now } as const;
      await tx.keepDelivery(account, mark);
    }
    // A beginning of the future was kept under a clock that was ahead.
    const since = Math.min(begun?.claimedAt ?? now, now);
    const time = toZoneTime(now, zone);
    const isQuiet = isInQuietHours(time, deps.settings.quietHours);
    const kept = await tx.listEvents(account, { foundSince: Math.max(since, now - maxAgeMs), most: maxEvents });
    const earlier = (await tx.listDeliveries(account, now - 2 * maxAgeMs)).filter((row) => row.channel === channel);
    const byItem = new Map(earlier.map((delivery) => [delivery.item, delivery]));
    const due = kept
      .toReversed()
      .map(({ event, foundAt }) => ({ event, foundAt, isUrgent: watchedKinds[event.kind].isUrgent }))
      .filter((item) => isDue(byItem.get(item.event.key), item, { now, isQuiet }))
      .toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
    const claim = async (item: string, claimedAt: number) => {
      const claimed = claimDelivery(byItem.get(item), { item, channel }, claimedAt);
      await tx.keepDelivery(account, claimed);
      return claimed;
    };
    const messages: Claimed['messages'][number][] = [];
    for (const [index, group] of groupItems(due, listMessageTimes(earlier, now), now).entries()) {
      const claims: Delivery[] = [];
      // Each message has a time of its own, by which messages are counted.
      for (const { event } of group) claims.push(await claim(event.key, now - index));
      messages.push({ events: group.map(({ event }) => event), claims });
    }
    const { digestAt } = deps.settings;
    const item = `digest:${toZoneDate(now, zone)}`;
    const wasUsed = digestAt !== undefined && isBeforeDigest(since, { now, zone, digestAt });
    const isDigestDue =
      wasUsed && time >= digestAt && isDue(byItem.get(item), { foundAt: now, isUrgent: false }, { now, isQuiet });
    const digest = isDigestDue ? { claim: await claim(item, now), since: now - dayMs } : undefined;
    return { messages, digest };
  });

/** Whether the channel was used before today's digest: the first digest is that of the next day. */
function isBeforeDigest(
  since: number,
  { now, zone, digestAt }: { readonly now: number; readonly zone: string; readonly digestAt: string },
): boolean {
  const [day, today] = [toZoneDate(since, zone), toZoneDate(now, zone)];
  return day < today || (day === today && toZoneTime(since, zone) < digestAt);
}

interface Attempt {
  readonly channel: Channel;
  readonly claims: readonly Delivery[];
  readonly say: (manner: Manner) => Promise<Message>;
}

async function attempt(
  deps: DeliveryDeps,
  { account, zone }: Recipient,
  { channel, claims, say }: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const { clock, settings, place, failed } = deps;
  const manner = { detail: settings.detail, ...place, zone, now: clock.now() };
  const isBlocked = failed.isBlocked(channel.name);
  const result = isBlocked ? 'blocked' : await send({ channel, say: () => say(manner), claims }, deps, signal);
  if (result === 'delivered') await failed.clear(channel.name);
  await deps.store.change(async (tx) => {
    for (const claimed of claims) {
      const now = await tx.findDelivery(account, claimed.item, claimed.channel);
      if (isSameClaim(claimed, now)) await tx.keepDelivery(account, finishDelivery(claimed, result, clock.now()));
    }
  });
}

const unsent: DeliveryResult = { waitMs: 0 };

async function send(
  { channel, say, claims }: Omit<Attempt, 'say'> & { readonly say: () => Promise<Message> },
  { clock, failed }: Pick<DeliveryDeps, 'clock' | 'failed'>,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  try {
    if (signal.aborted) return unsent;
    const message = await say();
    if (!claims.every((claimed) => mayStillSend(claimed, clock.now()))) return 'unknown';
    await channel.send(message, AbortSignal.any([signal, AbortSignal.timeout(sendMs)]));
    return 'delivered';
  } catch (error) {
    if (!(error instanceof DeliveryError)) {
      // What the message says could not be read, so nothing was sent.
      if (error instanceof ExpectedError) return unsent;
      log.fault('send a notification', error);
      return 'unknown';
    }
    log.warn('notification', { channel: channel.name, code: error.code, status: error.facts.status });
    if (error.needsSettings) {
      await failed.block(error);
      return 'blocked';
    }
    if (error.mayHaveArrived) return 'unknown';
    return { waitMs: (error.facts.retryAfterSeconds ?? 0) * 1_000 };
  }
}
