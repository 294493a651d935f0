import { dayMs } from '../clock.ts';
import type { Exchange } from '../endpoints/index.ts';
import {
  eventTable,
  type MarketEvent,
  parseEvents,
  type ReadEvents,
  type SessionState,
  type TimedEvent,
  type WorkingSchedule,
} from './market-events.ts';

export type { MarketEvent, SessionState, WorkingSchedule } from './market-events.ts';

/** The state of an exchange at a moment. */
export interface MarketHours {
  readonly exchangeName: string | undefined;
  readonly scheduleId: string | undefined;
  readonly state: SessionState | 'unknown';
  /** Whether the regular session is open; undefined when the state is unknown. */
  readonly openNow: boolean | undefined;
  /** The event that started the state. */
  readonly since?: MarketEvent;
  readonly next?: MarketEvent;
  /** When the regular session starts or resumes, if it is not open now. */
  readonly nextOpenAt?: string;
  /** The time of the last published event, if none is published after now. */
  readonly horizonEndsAt?: string;
  /** Events that could not be parsed; if there are any, the state may be wrong. */
  readonly ignoredEvents: number;
}

/** The schedule with this id and its exchange; undefined when there is none. */
export function findSchedule(
  exchanges: readonly Exchange[],
  id: string | undefined,
): { exchange: Exchange; schedule: WorkingSchedule } | undefined {
  if (id === undefined) return undefined;
  for (const exchange of exchanges) {
    const schedule = exchange.workingSchedules?.find((candidate) => candidate.id === id);
    if (schedule) return { exchange, schedule };
  }
  return undefined;
}

/**
 * The state of the published schedule (docs/interface.md, Exchanges) at a moment (ms). The service returns only
 * events, so the last event at or before that moment decides. Before the first event and long after the last one
 * the state is `unknown`.
 */
export function marketHours(
  exchanges: readonly Exchange[],
  workingScheduleId: string | undefined,
  nowMs: number,
): MarketHours {
  const found = findSchedule(exchanges, workingScheduleId);
  const read = parseEvents(found?.schedule);
  const { events } = read;
  const since = events.findLast(({ atMs }) => atMs <= nowMs);
  const next = events.find(({ atMs }) => atMs > nowMs);
  const state = stateAt(read, since, next, nowMs);
  const nextOpen = events.find((event) => event.atMs > nowMs && eventTable[event.type].state === 'open');
  const horizonEnd = next ? undefined : events.at(-1);

  return {
    exchangeName: found?.exchange.name,
    scheduleId: workingScheduleId,
    state,
    openNow: state === 'unknown' ? undefined : state === 'open',
    ...(since && { since: toPublicEvent(since) }),
    ...(next && { next: toPublicEvent(next) }),
    ...(nextOpen && state !== 'open' && { nextOpenAt: nextOpen.at }),
    ...(horizonEnd && { horizonEndsAt: horizonEnd.at }),
    ignoredEvents: read.ignored,
  };
}

function stateAt(read: ReadEvents, since: TimedEvent | undefined, next: TimedEvent | undefined, nowMs: number) {
  if (!since || Number.isNaN(nowMs)) return 'unknown';
  const { state } = eventTable[since.type];
  // A venue whose only events are openings is open around the clock.
  if (read.ignored === 0 && read.events.every(({ type }) => type === 'OPEN')) return state;
  // No session lasts over a day, so after a day its end is missing or unreadable. A closed state can last longer, as
  // long as a later event shows that the schedule continues.
  const lastsUntilNext = state === 'closed' && next !== undefined;
  return lastsUntilNext || nowMs - since.atMs <= dayMs ? state : 'unknown';
}

/** The events after `nowMs` (ms) and within `days` of it, sorted by time. */
export function eventsWithin(schedule: WorkingSchedule, nowMs: number, days: number): MarketEvent[] {
  return parseEvents(schedule)
    .events.filter(({ atMs }) => atMs > nowMs && atMs <= nowMs + days * dayMs)
    .map(toPublicEvent);
}

const toPublicEvent = ({ type, at }: TimedEvent): MarketEvent => ({ type, at });
