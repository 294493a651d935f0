/** When a market is open: builds time events from the schedules, and derives the session for orders. */

import { dayMs, localDay, toTimestamp } from './time-zones.ts';
import { type EventType, type Schedule, venues } from './venues.ts';

export type SessionKind = 'regular' | 'extended' | 'closed';

export interface SessionEvent {
  readonly at: number;
  readonly type: EventType;
}

const sessionKinds: Readonly<Record<EventType, SessionKind>> = {
  OPEN: 'regular',
  BREAK_END: 'regular',
  BREAK_START: 'closed',
  CLOSE: 'closed',
  AFTER_HOURS_CLOSE: 'closed',
  PRE_MARKET_OPEN: 'extended',
  AFTER_HOURS_OPEN: 'extended',
  OVERNIGHT_OPEN: 'extended',
};

function isTradingDay(schedule: Schedule, day: number): boolean {
  if (schedule.always) return true;
  const date = new Date(day * dayMs);
  const weekday = date.getUTCDay();
  const monthDay = date.toISOString().slice(5, 10);
  return weekday !== 0 && weekday !== 6 && monthDay !== '01-01' && monthDay !== '12-25';
}

const cache = new Map<string, readonly SessionEvent[]>();

/** Returns the events of one local day in time order. */
export function eventsOfDay(schedule: Schedule, day: number): readonly SessionEvent[] {
  const key = `${schedule.id}/${day}`;
  const known = cache.get(key);
  if (known) return known;
  const events: SessionEvent[] = [];
  if (isTradingDay(schedule, day)) {
    for (const [minutes, type] of schedule.events) events.push({ at: toTimestamp(schedule.zone, day, minutes), type });
    // The night before a day without trading has no session, so the evening session ends here.
    if (schedule.events.at(-1)?.[1] === 'OVERNIGHT_OPEN' && !isTradingDay(schedule, day + 1)) {
      events[events.length - 1] = { at: toTimestamp(schedule.zone, day, 20 * 60), type: 'AFTER_HOURS_CLOSE' };
    }
  }
  if (cache.size > 20_000) cache.clear();
  cache.set(key, events);
  return events;
}

/** Returns the session at a time, and when it changes next. */
export function sessionAt(schedule: Schedule, atMs: number): { kind: SessionKind; until: number } {
  const today = localDay(schedule.zone, atMs);
  let kind: SessionKind = 'closed';
  for (let day = today - 5; day <= today + 10; day++) {
    for (const event of eventsOfDay(schedule, day)) {
      if (event.at > atMs) return { kind, until: event.at };
      kind = sessionKinds[event.type];
    }
  }
  return { kind, until: atMs + dayMs };
}

export const isOpen = (kind: SessionKind, extendedHours: boolean): boolean =>
  kind === 'regular' || (extendedHours && kind === 'extended');

/** The days before and after today of which the exchanges endpoint publishes the events. */
export interface PublishedDays {
  readonly before: number;
  readonly after: number;
}

/** From a week ago to five weeks ahead. */
const sixWeeks: PublishedDays = { before: 7, after: 35 };

/** Returns the events of these days, as the exchanges endpoint publishes them. */
export function publishedEvents(schedule: Schedule, nowMs: number, days = sixWeeks): SessionEvent[] {
  const today = localDay(schedule.zone, nowMs);
  const events: SessionEvent[] = [];
  for (let day = today - days.before; day <= today + days.after; day++) events.push(...eventsOfDay(schedule, day));
  return events;
}

/** Returns all exchanges as currently published. */
export const publishedExchanges = (nowMs: number, days?: PublishedDays) =>
  venues.map((venue) => ({
    id: venue.id,
    name: venue.name,
    workingSchedules: venue.schedules.map((schedule) => ({
      id: schedule.id,
      timeEvents: publishedEvents(schedule, nowMs, days),
    })),
  }));
