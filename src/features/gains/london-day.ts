/** Calendar days in the United Kingdom, which the rules for capital gains tax use. */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The day in Europe/London as days since 1970. Summer time lasts from the last Sunday of March to the last Sunday
 * of October, 01:00 UTC each, as since 1996. Computed here, because Intl takes a microsecond or more per trade.
 */
export function toLondonDay(at: number): number {
  const { startsAt, endsAt } = getSummerTime(new Date(at).getUTCFullYear());
  return Math.floor((at + (at >= startsAt && at < endsAt ? hourMs : 0)) / dayMs);
}

/** The date in Europe/London, `YYYY-MM-DD`. */
export const toLondonDate = (at: number): string => new Date(toLondonDay(at) * dayMs).toISOString().slice(0, 10);

interface SummerTime {
  readonly startsAt: number;
  readonly endsAt: number;
}

const summerTimes = new Map<number, SummerTime>();

function getSummerTime(year: number): SummerTime {
  const known = summerTimes.get(year);
  if (known) return known;
  const times = { startsAt: lastSunday(year, 2) + hourMs, endsAt: lastSunday(year, 9) + hourMs };
  summerTimes.set(year, times);
  return times;
}

/** UTC midnight of the month's last Sunday; March and October both have 31 days. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31));
  return last.setUTCDate(31 - last.getUTCDay());
}
