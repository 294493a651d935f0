/** Calendar days in a time zone. */
import { resolveZone } from '../account-zone.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date of a moment (ms) in a time zone (IANA name), `YYYY-MM-DD`. Throws a RangeError for an unknown zone. */
export function toZoneDate(at: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    // Swedish dates are written as ISO 8601 writes them.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(zone, format);
  }
  return format.format(at);
}

/** The zone of tax days: the owner's setting, London for an account in pounds, else that of the machine. */
export const resolveTaxZone = resolveZone;
