/** The statements of a TOML file with their place in the text. Throws a SyntaxError for what it does not understand. */
import { type Cursor, fail, readKey, readTomlValue, skipBlank, skipSpaces, type TomlValue } from './toml-value.ts';

export interface TomlStatement {
  /** `[a.b]`, `[[a.b]]`, or `a.b = value`. */
  readonly kind: 'table' | 'list' | 'pair';
  /** From the root: of a pair, with the table that it stands in. */
  readonly path: readonly string[];
  /** The table that it stands in. */
  readonly table: readonly string[];
  readonly value: TomlValue | undefined;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The beginning of its line, and the beginning of the next one. */
  readonly start: number;
  readonly end: number;
}

export function readTomlText(text: string): TomlStatement[] {
  const cursor: Cursor = { text, at: 0 };
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (;;) {
    skipBlank(cursor);
    if (cursor.at >= text.length) return statements;
    const start = text.lastIndexOf('\n', cursor.at - 1) + 1;
    if (text[cursor.at] === '[') {
      const kind = text.startsWith('[[', cursor.at) ? 'list' : 'table';
      const [opening, closing] = kind === 'list' ? ['[[', ']]'] : ['[', ']'];
      cursor.at += opening.length;
      const path = readKey(cursor);
      if (!text.startsWith(closing, cursor.at)) fail(cursor, 'a table without an end');
      cursor.at += closing.length;
      table = path;
      statements.push({ kind, path, table, value: undefined, valueStart: 0, valueEnd: 0, start, end: endLine(cursor) });
    } else {
      const path = [...table, ...readKey(cursor)];
      if (text[cursor.at] !== '=') fail(cursor, 'a missing equals sign');
      cursor.at++;
      skipSpaces(cursor);
      const valueStart = cursor.at;
      const value = readTomlValue(cursor);
      const valueEnd = cursor.at;
      statements.push({ kind: 'pair', path, table, value, valueStart, valueEnd, start, end: endLine(cursor) });
    }
  }
}

/** A statement is alone on its line, but for a comment. */
function endLine(cursor: Cursor): number {
  const { text } = cursor;
  skipSpaces(cursor);
  if (text[cursor.at] === '#') while (cursor.at < text.length && text[cursor.at] !== '\n') cursor.at++;
  if (text[cursor.at] === '\r') cursor.at++;
  if (cursor.at < text.length && text[cursor.at] !== '\n') fail(cursor, 'an unexpected character');
  cursor.at = Math.min(cursor.at + 1, text.length);
  return cursor.at;
}
