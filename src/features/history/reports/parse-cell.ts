/** Parses one cell of a report to the exact text that history rows contain. */
import { maxNumberLength, toDecimalString } from '../../../core/endpoints/decimal.ts';

const timestampPattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?$/;

export interface Timestamp {
  /** ISO 8601 in UTC, to the millisecond. */
  readonly iso: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Parses `2025-06-01 09:30:00`, with or without a fraction, in UTC unless it ends in another offset such as `+01:00`.
 * Undefined for anything else or a time that does not exist.
 */
export function parseTimestamp(cell: string): Timestamp | undefined {
  const [, day, time, fraction = '', offset = 'Z'] = timestampPattern.exec(cell) ?? [];
  if (!day || !time) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = Date.parse(`${day}T${time}.${milliseconds}Z`);
  // A date that does not exist (30 February, 24:00) parses as another day.
  if (new Date(local).getUTCDate() !== Number(day.slice(8))) return undefined;
  const at = Date.parse(`${day}T${time}.${milliseconds}${offset}`);
  return Number.isNaN(at) ? undefined : { iso: new Date(at).toISOString(), at };
}

/** A comma counts as a thousands separator only if a decimal point follows, because `1,234` is ambiguous. */
const grouped = /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/;

/** Most cells already have the exact form: no leading or trailing characters to remove. */
const exact = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;

/** A text of at most this length is always within the bounds of `toDecimalString`. */
const surelyBounded = 30;

/** The exact decimal without trailing zeros; undefined when the cell is not a number or is too long to be one. */
export function readDecimal(cell: string): string | undefined {
  if (cell.length > maxNumberLength) return undefined;
  if (cell.length <= surelyBounded && exact.test(cell)) return cell;
  return toDecimalString(grouped.test(cell) ? cell.replaceAll(',', '') : cell);
}

/** Writes `Stamp duty reserve tax` as `STAMP_DUTY_RESERVE_TAX`, the format of the API's constants. */
export const constantCase = (words: string): string =>
  words
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
