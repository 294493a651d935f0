/** Adds, changes and removes one table of a TOML file as text; all other lines stay unchanged. */
import { isDeepStrictEqual } from 'node:util';
import { UnsupportedLayoutError } from './jsonc-edit.ts';
import { renderTomlKey, renderTomlTable, renderTomlValue } from './render.ts';
import { expandDottedKeys, rawText, readTomlText, type TomlStatement, type TomlValue } from './toml-parse.ts';

type Path = readonly string[];

/**
 * Returns the table at the path in any notation, or undefined. Throws a UnsupportedLayoutError for a notation that
 * cannot be edited safely.
 */
export function readTable(text: string, path: Path): unknown {
  const entries = readStatements(text, path)
    .filter(({ kind }) => kind === 'pair')
    .map(({ path: whole, value }) => [whole.slice(path.length), value as TomlValue] as const);
  const [only] = entries;
  if (only && entries.length === 1 && only[0].length === 0) return only[1];
  const isThere = readStatements(text, path).length > 0;
  const table = expandDottedKeys(entries);
  if (table === undefined) throw new UnsupportedLayoutError(`has a setting of ${path.join('.')} twice`);
  return isThere ? table : undefined;
}

/** Adds the table at the end; `gap` is the text that was inserted before it. */
export function addTable(text: string, path: Path, value: object): { text: string; gap: string } {
  // A table in an unusual notation must not be added a second time.
  if (readStatements(text, path).length > 0) throw new UnsupportedLayoutError(`has ${path.join('.')} already`);
  const eol = detectEol(text);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return { text: text + gap + renderTomlTable(path, value, eol), gap };
}

/** Sets one setting of the table, or removes it when the value is undefined. */
export function changeSetting(text: string, table: Path, setting: Path, value: unknown): string {
  const path = [...table, ...setting];
  const ours = readStatements(text, table);
  const holder = ours.find((one) => one.kind === 'pair' && startsWith(path, one.path));
  if (holder) return changeInside(text, holder, path.slice(holder.path.length), value);
  // Includes the blank line that an insertion puts before a subtable.
  if (value === undefined) return cut(text, readStatements(text, path), detectEol(text));
  const candidates = ours.filter((one) => startsWith(path, getTable(one)));
  const longest = Math.max(...candidates.map((one) => getTable(one).length));
  const after = candidates.findLast((one) => getTable(one).length === longest);
  if (!after) throw new UnsupportedLayoutError(`has ${table.join('.')} in a syntax that cannot be edited`);
  const eol = detectEol(text);
  const line = `${path.slice(longest).map(renderTomlKey).join('.')} = ${renderTomlValue(value)}${eol}`;
  const before = text.slice(0, after.end);
  return before + (before.endsWith('\n') ? '' : eol) + line + text.slice(after.end);
}

/** Removes the table in any notation; `gap` is the text that an insertion put before it. */
export function removeTable(text: string, path: Path, gap?: string): string {
  return cut(text, readStatements(text, path), gap ?? '');
}

/** Returns everything except the table, for comparison. */
export const withoutTable = (text: string, path: Path): string[] =>
  readTomlText(text)
    .filter((one) => !startsWith(one.path, path))
    .map(({ start, end }) => text.slice(start, end).trimEnd());

/** Returns the statements that define the table. */
function readStatements(text: string, path: Path): TomlStatement[] {
  const all = readTomlText(text);
  const above = all.find((one) => one.path.length < path.length && startsWith(path, one.path) && one.kind !== 'table');
  if (above) throw new UnsupportedLayoutError(`has ${above.path.join('.')} in a syntax that cannot be edited`);
  const ours = all.filter((one) => startsWith(one.path, path));
  if (ours.some(({ kind, path: { length } }) => kind === 'list' && length === path.length))
    throw new UnsupportedLayoutError(`has ${path.join('.')} as a list of tables`);
  return ours;
}

function changeInside(text: string, holder: TomlStatement, inner: Path, value: unknown): string {
  const written = text.slice(holder.valueStart, holder.valueEnd);
  if (inner.length === 0 && value === undefined) return text.slice(0, holder.start) + text.slice(holder.end);
  if (inner.length > 0 && written.includes('#'))
    throw new UnsupportedLayoutError(`has a comment inside ${holder.path.join('.')}`);
  const next = inner.length === 0 ? value : setInside(holder.value, inner, value);
  if (isDeepStrictEqual(next, holder.value)) return text;
  return text.slice(0, holder.valueStart) + renderTomlValue(next) + text.slice(holder.valueEnd);
}

function setInside(table: unknown, [first = '', ...rest]: Path, value: unknown): unknown {
  if (typeof table !== 'object' || table === null || Array.isArray(table) || rawText in table)
    throw new UnsupportedLayoutError('holds something else where a table should be');
  const members = new Map(Object.entries(table));
  const next = rest.length === 0 ? value : setInside(members.get(first) ?? {}, rest, value);
  if (next === undefined) members.delete(first);
  else members.set(first, next);
  return Object.fromEntries(members);
}

/** Removes the statements, including the text between two adjacent ones. */
function cut(text: string, statements: readonly TomlStatement[], gap: string): string {
  const all = readTomlText(text);
  const gone = all.map((one) => statements.some(({ start }) => start === one.start));
  let result = '';
  let at = 0;
  for (const [index, one] of all.entries()) {
    if (!gone[index]) continue;
    const followsAnother = gone[index - 1];
    const before = text.slice(at, one.start);
    if (!followsAnother) result += at === 0 ? withoutGap(before, gap) : before;
    at = one.end;
  }
  const rest = text.slice(at);
  // The text before the table may have had no line end at the end of the file.
  const eol = result !== '' && rest !== '' && !result.endsWith('\n') ? detectEol(text) : '';
  return result + eol + rest;
}

/** Removes one of two line ends, unless the text had none at its end when the table was added. */
function withoutGap(before: string, gap: string): string {
  if (gap === '' || !before.endsWith(gap)) return before;
  const rest = before.slice(0, -gap.length);
  const hadNone = gap.indexOf('\n') < gap.length - 1;
  return hadNone || rest.endsWith('\n') ? rest : before;
}

const getTable = (one: TomlStatement): Path => (one.kind === 'pair' ? one.table : one.path);

const startsWith = (path: Path, beginning: Path): boolean => beginning.every((part, index) => path[index] === part);

const detectEol = (text: string): string => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n');
