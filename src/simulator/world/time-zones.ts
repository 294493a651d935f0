/** Local times of exchanges: everything that knows about offsets and daylight saving. */

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/**
 * Milliseconds to add to UTC to get the zone's local time. Asking the platform is slow, so the answer is
 * kept: for a month where its two ends agree, else for the hour (offsets change on full hours of UTC).
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

/** The day number (days since the epoch) of the zone's local date. */
export const localDay = (zone: string, atMs: number): number => Math.floor((atMs + offsetAt(zone, atMs)) / dayMs);

/** The moment at which it is `minutes` after midnight of the local day. */
export function toTimestamp(zone: string, day: number, minutes: number): number {
  const local = day * dayMs + minutes * minuteMs;
  // The first guess can be on the other side of a change of the offset; the second is not.
  return local - offsetAt(zone, local - offsetAt(zone, local));
}

/** Midnight that ends the local day of this moment. */
export const nextMidnight = (zone: string, atMs: number): number => toTimestamp(zone, localDay(zone, atMs) + 1, 0);
