/** Times as people say them. */
import { toZoneDate } from '../analytics/zone-day.ts';
import { dayMs } from '../clock.ts';

const format = (at: number, zone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(at);

/** A coming moment (ms) in a time zone: `today 14:30`, `tomorrow 08:00`, `on Monday 08:00`, `on 24 November 08:00`. */
export function sayTime(at: number, now: number, zone: string): string {
  const time = format(at, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const days = (Date.parse(toZoneDate(at, zone)) - Date.parse(toZoneDate(now, zone))) / dayMs;
  if (days === 0) return `today ${time}`;
  if (days === 1) return `tomorrow ${time}`;
  const day = format(at, zone, days > 1 && days < 7 ? { weekday: 'long' } : { day: 'numeric', month: 'long' });
  return `on ${day} ${time}`;
}
