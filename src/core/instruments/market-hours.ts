import { dayMs } from '../clock.ts';
import type { Exchange } from '../endpoints/index.ts';
import { getMachineZone } from '../text/dates.ts';
import { formatMoment } from '../text/format-moment.ts';

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

/** WorkingSchedule and TimeEvent of docs/interface.md. */
type WorkingSchedule = NonNullable<Exchange['workingSchedules']>[number];
type TimeEvent = NonNullable<WorkingSchedule['timeEvents']>[number];

export const sessionStates = ['open', 'closed', 'break', 'pre_market', 'after_hours', 'overnight'] as const;
type SessionState = (typeof sessionStates)[number];

/**
 * The state that starts with each event. Of events at the same moment the one with the highest precedence decides:
 * a start is applied after an end (close and open of a venue that never pauses).
 */
const eventTable = {
  BREAK_START: { state: 'break', precedence: 0 },
  BREAK_END: { state: 'open', precedence: 0 },
  CLOSE: { state: 'closed', precedence: 1 },
  AFTER_HOURS_CLOSE: { state: 'closed', precedence: 1 },
  // Some schedules have no CLOSE; there this event ends the regular session.
  AFTER_HOURS_OPEN: { state: 'after_hours', precedence: 2 },
  OVERNIGHT_OPEN: { state: 'overnight', precedence: 2 },
  PRE_MARKET_OPEN: { state: 'pre_market', precedence: 3 },
  OPEN: { state: 'open', precedence: 4 },
} as const satisfies Record<string, { state: SessionState; precedence: number }>;

export type MarketEventType = keyof typeof eventTable;

interface MarketEvent {
  readonly type: MarketEventType;
  /** ISO 8601 in UTC, independent of the offset that the service wrote. */
  readonly at: string;
}

interface TimedEvent extends MarketEvent {
  readonly atMs: number;
}

interface ReadEvents {
  /** Sorted by time. */
  readonly events: readonly TimedEvent[];
  /** Events with an unknown type or an unreadable date. */
  readonly ignored: number;
}

export function parseEvents(schedule: WorkingSchedule | undefined): ReadEvents {
  const all = schedule?.timeEvents ?? [];
  const events = all.flatMap(readEvent);
  events.sort((a, b) => a.atMs - b.atMs || eventTable[a.type].precedence - eventTable[b.type].precedence);
  return { events, ignored: all.length - events.length };
}

function readEvent({ type, date }: TimeEvent): TimedEvent[] {
  const atMs = parseTimestamp(date);
  if (atMs === undefined || !isKnownType(type)) return [];
  return [{ type, at: new Date(atMs).toISOString(), atMs }];
}

const isKnownType = (type: string | undefined): type is MarketEventType =>
  type !== undefined && Object.hasOwn(eventTable, type);

const dateTime = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)([Zz]|[+-]\d\d(?::?\d\d)?)?$/;

/** Milliseconds since the epoch; undefined when unreadable. Stricter than Date.parse, which accepts `1` and `may 5`. */
function parseTimestamp(text: string | undefined): number | undefined {
  const [, day, time, offset = 'Z'] = dateTime.exec(text?.trim() ?? '') ?? [];
  if (!day || !time) return undefined;
  // spec: not shown what a date-time without an offset means; read as UTC, so that it does not depend on this computer.
  const zone = offset.length === 1 ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
  const ms = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(ms) ? undefined : ms;
}

// Says when a closed market opens, in the time zone of the account.

interface OpeningMoment {
  /** The time of reading (ms), for a text that is read at once. Undefined: the text is kept, so it has the full date. */
  readonly now: number | undefined;
  readonly zone: string;
}

/** `opens today 08:00`; the zone is named where this machine shows another time. */
export function describeOpening(nextOpenAt: string | undefined, { now = 0, zone }: OpeningMoment): string {
  if (nextOpenAt === undefined) return 'opens at an unknown time';
  const at = Date.parse(nextOpenAt);
  const moment = formatMoment(at, now, zone);
  return `opens ${moment}${moment === formatMoment(at, now, getMachineZone()) ? '' : ` ${nameZone(zone)}`}`;
}

/**
 * The warning that an order waits for the market, which `opens` as `describeOpening` says. A market order is then
 * executed at a price that is not known, and one for extended hours can be executed before the market opens.
 */
export function warnOfWait(
  opens: string,
  { type, extendedHours }: { readonly type?: string | undefined; readonly extendedHours?: boolean | undefined },
): string {
  const closed = `The market is closed. It ${opens}.`;
  if (type !== 'MARKET') return `${closed} The order waits at the broker until then.`;
  const when = extendedHours
    ? 'can be executed before, in extended hours,'
    : 'waits at the broker until then, and is executed';
  return `${closed} The order ${when} at a price that is not yet known.`;
}

/** `Europe/London` is `London time`. */
const nameZone = (zone: string): string =>
  zone.includes('/') ? `${zone.split('/').at(-1)?.replace(/_/g, ' ')} time` : zone;
