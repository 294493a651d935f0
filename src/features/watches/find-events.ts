/**
 * Compares what is there now with what was seen before, and names the events between. Pure. Nothing is an event at the
 * first sight of its source, and what was seen once is never an event again.
 */

import { dayMs } from '../../core/clock.ts';
import type { WatchEvent } from './event.ts';
import { comparePrices, type PriceReading, type PriceSight } from './find-moves.ts';
import type { Watch } from './watch-rules.ts';

/** What is read together, and so has a first sight of its own. */
export const sightSources = [
  'approvals',
  'drafts',
  'submissions',
  'intents',
  'halt',
  'orders',
  'dividends',
  'fees',
] as const;
export type SightSource = (typeof sightSources)[number];

/** What is there now. A source that was not read is absent, and stays as it was seen. */
export interface Reading {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What would be an event if it was not there before; of histories all that happened in the last `windowMs`. */
  readonly found: { readonly [Source in SightSource]?: readonly WatchEvent[] };
  readonly prices?: PriceReading | undefined;
  /** Orders that wait at the service, with when they were created (ms). */
  readonly pending?: readonly OpenOrder[] | undefined;
}

export interface OpenOrder {
  readonly id: string;
  readonly createdAt: number;
  /** When it was first missing (ms); undefined while it waits. */
  readonly goneAt?: number | undefined;
}

interface SeenEvents {
  /** What happened earlier (ms) is no event. */
  readonly from: number;
  /** The keys of what was seen, with when it happened. */
  readonly keys: readonly (readonly [key: string, at: number])[];
}

/** What was seen, as the store keeps it. */
export interface Sight {
  readonly at: number;
  readonly sources: { readonly [Source in SightSource]?: SeenEvents };
  readonly prices?: PriceSight | undefined;
  /** Orders that waited, and those that ended and are not in the history yet. */
  readonly open: readonly OpenOrder[];
}

export const emptySight: Sight = { at: 0, sources: {}, open: [] };

/** How far back (ms) an event is news: a machine that was off for longer does not report what happened before. */
export const windowMs = 7 * dayMs;
/** More keys of a source are not kept. */
const maxKeys = 3_000;
const maxOpenOrders = 500;

/** The events since `earlier`, oldest first, and what is kept for the next comparison. */
export function findEvents(
  earlier: Sight,
  reading: Reading,
  watches: readonly Watch[],
): { readonly events: readonly WatchEvent[]; readonly sight: Sight } {
  const events: WatchEvent[] = [];
  const sources: { [Source in SightSource]?: SeenEvents } = { ...earlier.sources };
  for (const source of sightSources) {
    const found = reading.found[source];
    if (!found) continue;
    const before = earlier.sources[source];
    if (before) events.push(...listNew(before, found, reading.at));
    sources[source] = keepSeen(before, found, reading.at);
  }
  const moved = reading.prices && comparePrices(earlier.prices, reading.prices, watches, reading.at);
  if (moved) events.push(...moved.events);
  return {
    events: events.toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1)),
    sight: {
      at: reading.at,
      sources,
      prices: moved?.sight ?? earlier.prices,
      open: keepOpen(earlier.open, reading),
    },
  };
}

function listNew(before: SeenEvents, found: readonly WatchEvent[], now: number): readonly WatchEvent[] {
  const from = getFrom(before, now);
  const seen = new Set(before.keys.map(([key]) => key));
  const fresh = new Map(found.filter(({ key, at }) => at >= from && !seen.has(key)).map((event) => [event.key, event]));
  return [...fresh.values()];
}

/** A beginning of the future was kept under a clock that was ahead. */
const getFrom = (before: SeenEvents | undefined, now: number): number =>
  Math.max(before && before.from <= now ? before.from : 0, now - windowMs);

function keepSeen(before: SeenEvents | undefined, found: readonly WatchEvent[], now: number): SeenEvents {
  const from = getFrom(before, now);
  const present = new Map(found.map(({ key, at }) => [key, at]));
  const past = (before?.keys ?? []).filter(([key, at]) => at >= from && !present.has(key));
  const keys = [...present, ...past].toSorted((a, b) => b[1] - a[1]);
  const cut = keys[maxKeys]?.[1];
  return cut === undefined
    ? { from, keys }
    : { from: Math.max(from, cut + 1), keys: keys.filter(([, at]) => at > cut) };
}

/** An order that ended stays open here until the history has its end, or for as long as that is news. */
function keepOpen(before: readonly OpenOrder[], { at, pending, found }: Reading): readonly OpenOrder[] {
  if (!pending) return before;
  const isPending = new Set(pending.map(({ id }) => id));
  const ended = new Set(found.orders?.map(({ key }) => key));
  const gone = before
    .filter(({ id }) => !isPending.has(id) && !ended.has(nameOrder(id)))
    .map((order) => ({ ...order, goneAt: Math.min(order.goneAt ?? at, at) }))
    .filter(({ goneAt }) => at - goneAt < windowMs);
  return [...pending, ...gone].slice(0, maxOpenOrders);
}

/** The key of what became of an order of the service. */
export const nameOrder = (id: string): string => `order:${id}`;
