/** Local times of exchanges: all code that depends on offsets and daylight saving time. */

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/**
 * Returns the milliseconds from UTC to the zone's local time. The platform call is slow, so its result is cached: for a
 * month whose ends agree, else for the hour (offsets change at full hours of UTC).
 */
function offsetAt(zone: string, atMs: number): number {
  if (zone === 'UTC') return 0;
  const date = new Date(atMs);
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const atStart = computeOffset(zone, monthStart);
  const atEnd = computeOffset(zone, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
  return atStart === atEnd ? atStart : computeOffset(zone, Math.floor(atMs / hourMs) * hourMs);
}

function computeOffset(zone: string, hour: number): number {
  const key = `${zone}${hour}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const part = Object.fromEntries(
    getDateFormat(zone)
      .formatToParts(hour)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute);
  if (offsets.size > 50_000) offsets.clear();
  offsets.set(key, local - hour);
  return local - hour;
}

function getDateFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const [year, month, day, hour, minute] = Array<'numeric'>(5).fill('numeric');
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year, month, day, hour, minute });
    formats.set(zone, format);
  }
  return format;
}

/** Returns the day number (days since the epoch) of the zone's local date. */
export const localDay = (zone: string, atMs: number): number => Math.floor((atMs + offsetAt(zone, atMs)) / dayMs);

/** Returns the time that is `minutes` after midnight of the local day. */
export function toTimestamp(zone: string, day: number, minutes: number): number {
  const local = day * dayMs + minutes * minuteMs;
  // The first guess can be on the other side of an offset change; the second is not.
  return local - offsetAt(zone, local - offsetAt(zone, local));
}

/** Returns the midnight that ends the local day of this time. */
export const nextMidnight = (zone: string, atMs: number): number => toTimestamp(zone, localDay(zone, atMs) + 1, 0);
