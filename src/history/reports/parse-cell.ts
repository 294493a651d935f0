/** What one cell of a report says, as the exact text that rows are made of. */
import { maxNumberLength, toDecimalString } from '../../catalogue/decimal.ts';

const timestampPattern = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?$/;

export interface Timestamp {
  /** ISO 8601 in UTC, to the millisecond. */
  readonly iso: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** `2025-06-01 09:30:00`, with or without a fraction, in UTC. Undefined when there is no such time. */
export function parseTimestamp(cell: string): Timestamp | undefined {
  if (!timestampPattern.test(cell)) return undefined;
  const milliseconds = cell.slice(20, 23).replace('Z', '').padEnd(3, '0');
  const iso = `${cell.slice(0, 10)}T${cell.slice(11, 19)}.${milliseconds}Z`;
  const at = Date.parse(iso);
  // What the calendar does not have (30 February, 24:00) comes out as another day.
  return new Date(at).getUTCDate() === Number(iso.slice(8, 10)) ? { iso, at } : undefined;
}

/** Thousands are told from decimals only where both separators stand: `1,234` can be either. */
const grouped = /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/;

/** Most cells are in the exact form already: nothing before or behind the digits that could be left out. */
const exact = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;

/** Digits that are within the bounds of `toDecimalString`, whatever they are. */
const surelyBounded = 30;

/** The exact decimal, without trailing zeros; undefined when the cell is not a number, or longer than one can be. */
export function readDecimal(cell: string): string | undefined {
  if (cell.length > maxNumberLength) return undefined;
  if (cell.length <= surelyBounded && exact.test(cell)) return cell;
  return toDecimalString(grouped.test(cell) ? cell.replaceAll(',', '') : cell);
}

/** `Stamp duty reserve tax` as `STAMP_DUTY_RESERVE_TAX`: the interface's way to write a word. */
export const constantCase = (words: string): string =>
  words
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
