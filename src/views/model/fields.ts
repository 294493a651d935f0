/** Reading an answer that may lack anything: what is not there, or is of another kind, is undefined. */

export type Fields = Readonly<Record<string, unknown>>;

export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Text with something in it; numbers as they are written. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export const toTexts = (value: unknown): readonly string[] => toList(value).flatMap((item) => toText(item) ?? []);

/** An exact decimal as its string, never through a float. */
export function toDecimal(value: unknown): string | undefined {
  const text = toText(value)?.trim();
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
}

/** The rows of a list in either of its two forms, as objects: `{columns, rows}` or `{items}`. */
export function toRows(list: unknown): readonly Fields[] {
  const { columns, rows, items } = toFields(list);
  if (Array.isArray(items)) return items.map(toFields);
  const names = toList(columns).map((name) => toText(name) ?? '');
  return toList(rows).map((row) =>
    Array.isArray(row) ? Object.fromEntries(names.map((name, index) => [name, row[index]])) : toFields(row),
  );
}

export const hasList = (answer: Fields): boolean => Array.isArray(answer.rows) || Array.isArray(answer.items);

/** A moment as ISO text or as milliseconds, in milliseconds. */
export function toTimestamp(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN;
  // Beyond this no date exists, and formatting one would throw.
  return Math.abs(at) <= 8.64e15 ? at : undefined;
}
