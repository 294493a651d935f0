import type { Exchange } from '../endpoints/index.ts';

/** WorkingSchedule and TimeEvent of docs/interface.md. */
export type WorkingSchedule = NonNullable<Exchange['workingSchedules']>[number];
type TimeEvent = NonNullable<WorkingSchedule['timeEvents']>[number];

export type SessionState = 'open' | 'closed' | 'break' | 'pre_market' | 'after_hours' | 'overnight';

/**
 * The state that starts with each event. Of events at the same moment the one with the highest precedence decides:
 * a start is applied after an end (close and open of a venue that never pauses).
 */
export const eventTable = {
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

export interface MarketEvent {
  readonly type: MarketEventType;
  /** ISO 8601 in UTC, independent of the offset that the service wrote. */
  readonly at: string;
}

export interface TimedEvent extends MarketEvent {
  readonly atMs: number;
}

export interface ReadEvents {
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
