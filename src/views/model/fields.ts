/** Reading an answer that may lack anything: what is not there, or is of another kind, is undefined. */

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Text with something in it; numbers as they are written. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export const textsOf = (value: unknown): readonly string[] => listOf(value).flatMap((item) => textOf(item) ?? []);

/** An exact decimal as its string, never through a float. */
export function decimalOf(value: unknown): string | undefined {
  const text = textOf(value)?.trim();
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
}

/** The rows of a list in either of its two forms, as objects: `{columns, rows}` or `{items}`. */
export function rowsOf(list: unknown): readonly Fields[] {
  const { columns, rows, items } = fieldsOf(list);
  if (Array.isArray(items)) return items.map(fieldsOf);
  const names = listOf(columns).map((name) => textOf(name) ?? '');
  return listOf(rows).map((row) =>
    Array.isArray(row) ? Object.fromEntries(names.map((name, index) => [name, row[index]])) : fieldsOf(row),
  );
}

export const hasList = (answer: Fields): boolean => Array.isArray(answer.rows) || Array.isArray(answer.items);

/** A moment as ISO text or as milliseconds, in milliseconds. */
export function timestampField(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN;
  // Beyond this no date exists, and formatting one would throw.
  return Math.abs(at) <= 8.64e15 ? at : undefined;
}
