/** What one cell of a report says, as the exact text that rows are made of. */
import { toDecimalString } from '../../catalogue/decimal.ts';

const momentText = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z?$/;

export interface Moment {
  /** ISO 8601 in UTC, to the millisecond. */
  readonly iso: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** `2025-06-01 09:30:00`, with or without a fraction, in UTC. Undefined when there is no such time. */
export function readMoment(cell: string): Moment | undefined {
  const match = momentText.exec(cell);
  if (!match) return undefined;
  const [, date, time, fraction = ''] = match;
  const at = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  if (Number.isNaN(at)) return undefined;
  const iso = new Date(at).toISOString();
  // Dates that the calendar does not have (30 February) come out as later ones.
  return iso.startsWith(`${date}T${time}`) ? { iso, at } : undefined;
}

/** Thousands are told from decimals only where both separators stand: `1,234` can be either. */
const grouped = /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/;

/** The exact decimal, without trailing zeros; undefined when the cell is not a number. */
export const readDecimal = (cell: string): string | undefined =>
  toDecimalString(grouped.test(cell) ? cell.replaceAll(',', '') : cell);

/** `Stamp duty reserve tax` as `STAMP_DUTY_RESERVE_TAX`: the interface's way to write a word. */
export const constantCase = (words: string): string =>
  words
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
