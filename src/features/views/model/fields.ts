/** Reads results in which any field can be missing: a missing field or one of another type is undefined. */

export type Fields = Readonly<Record<string, unknown>>;

export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a non-empty string; a number as it is written. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export const toTexts = (value: unknown): readonly string[] => toList(value).flatMap((item) => toText(item) ?? []);

/** Returns an exact decimal as its string, never through a float. This program writes none that is longer. */
export function toDecimal(value: unknown): string | undefined {
  const text = toText(value)?.trim();
  return text !== undefined && /^-?\d{1,40}(\.\d{1,80})?$/.test(text) ? text : undefined;
}

/** Returns the rows of a list as objects, from either form: `{columns, rows}` or `{items}`. */
export function toRows(list: unknown): readonly Fields[] {
  const { columns, rows, items } = toFields(list);
  if (Array.isArray(items)) return items.map(toFields);
  const names = toList(columns).map((name) => toText(name) ?? '');
  return toList(rows).map((row) =>
    Array.isArray(row) ? Object.fromEntries(names.map((name, index) => [name, row[index]])) : toFields(row),
  );
}

export const hasList = (answer: Fields): boolean => Array.isArray(answer.rows) || Array.isArray(answer.items);

/** Returns a time, given as ISO text or milliseconds, in milliseconds since 1970. */
export function toTimestamp(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN;
  // Formatting a date beyond this range would throw.
  return Math.abs(at) <= 8.64e15 ? at : undefined;
}
