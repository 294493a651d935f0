/** What PostgreSQL wants otherwise than SQLite: numbered places, text without NUL, names of its own for types. */
import type { SqlValue } from '../engine.ts';

const numbered = new Map<string, string>();

/** `?` becomes `$1`, `$2`, … The statements of this folder's tables have no other question mark. */
export function toNumberedPlaceholders(sql: string): string {
  let ready = numbered.get(sql);
  if (ready === undefined) {
    let count = 0;
    ready = sql.replace(/\?/g, () => `$${++count}`);
    numbered.set(sql, ready);
  }
  return ready;
}

/** A text with a NUL would be refused; it is shown with the sign for what cannot be shown. */
export const replaceNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

/** Text is compared byte by byte, as SQLite does: the order of rows must not hang on a server's language. */
export const withPlainText = (sql: string): string => sql.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"');
