/** Differences between PostgreSQL and SQLite: numbered placeholders, no NUL in text, and the collation of text. */
import type { SqlValue } from '../engine.ts';

const numbered = new Map<string, string>();

/** Replaces `?` by `$1`, `$2`, … The statements of this folder have no other question mark. */
export function toNumberedPlaceholders(sql: string): string {
  let ready = numbered.get(sql);
  if (ready === undefined) {
    let count = 0;
    ready = sql.replace(/\?/g, () => `$${++count}`);
    numbered.set(sql, ready);
  }
  return ready;
}

/** PostgreSQL rejects NUL in text, so it is replaced by the replacement character. */
export const replaceNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

/** Compares text byte by byte, as SQLite does, so that the order of rows does not depend on the server's locale. */
export const withPlainText = (sql: string): string => sql.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"');
