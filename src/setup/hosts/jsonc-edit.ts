/**
 * Sets and removes one member of a JSON file as text. Comments, order, indentation, line ends and trailing commas of
 * everything else stay, and a removal reverts exactly what an insertion added.
 */
import { isDeepStrictEqual } from 'node:util';
import { ExpectedError } from '../../core/errors.ts';
import { type JsonMember, type JsonNode, type JsonObject, readJsonText, toValue } from './jsonc-parse.ts';
import { renderJson } from './render.ts';

/** A file whose members cannot be edited safely. The message is the end of a sentence that begins with the file. */
export class UnsupportedLayoutError extends ExpectedError {
  override readonly name = 'ShapeError';
}

export interface Insertion {
  readonly text: string;
  /** How many objects were created around the member. */
  readonly made: number;
  /** The white space that the insertion replaced in an empty object; a removal restores it. */
  readonly gap: string | undefined;
}

/**
 * Returns the value at the path, or undefined. Throws a UnsupportedLayoutError when a parent is not an object, or a key
 * occurs twice.
 */
export function readMember(text: string, path: readonly string[]): unknown {
  const { member } = walk(text, path);
  return member === undefined ? undefined : toValue(member.value);
}

/** Sets the member at the path and creates missing parents. Throws a UnsupportedLayoutError. */
export function setMember(text: string, path: readonly string[], value: unknown): Insertion {
  const style = detectStyle(text);
  const { objects, member } = walk(text, path);
  if (member) {
    if (isDeepStrictEqual(toValue(member.value), value)) return { text, made: 0, gap: undefined };
    const indent = indentAt(text, member.keyStart) ?? '';
    const rendered = renderJson(value, { ...style, indent });
    return { text: splice(text, [[member.value.start, member.value.end, rendered]]), made: 0, gap: undefined };
  }
  const missing = path.slice(objects.length);
  const last = objects.at(-1);
  const nested = (keys: readonly string[]): unknown =>
    keys.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
  if (!last)
    return { text: `${renderJson(nested(path), { ...style, indent: '' })}${style.eol}`, made: path.length, gap: text };
  const [key = '', ...deeper] = [path[objects.length - 1] ?? '', ...missing];
  return { ...insert(text, last, key, nested(deeper), style), made: deeper.length };
}

/**
 * Removes the member at the path if it exists; `gap` is the white space that its insertion replaced in an empty object.
 */
export function removeMember(text: string, path: readonly string[], gap?: string): string {
  const { objects, member } = walk(text, path);
  const object = objects.at(-1);
  if (!member || !object) return text;
  const at = object.members.indexOf(member);
  const before = object.members[at - 1];
  if (object.members.length === 1) {
    // A comment after the member stays, so the white space around the comment stays too.
    const end = member.comma === undefined ? member.value.end : member.comma + 1;
    const isAlone = text.slice(end, object.end - 1).trim() === '';
    const rest = gap ?? (member.from === object.start + 1 ? '' : text.slice(end, object.end - 1));
    if (isAlone) return splice(text, [[member.from, object.end - 1, rest]]);
  }
  const cut: Edit[] = [[member.from, member.value.end, '']];
  const comma = member.comma ?? before?.comma;
  if (comma !== undefined) cut.push([comma, comma + 1, '']);
  return splice(text, cut);
}

/** Whether the object at the path has neither members nor comments. */
export function isEmptyObject(text: string, path: readonly string[]): boolean {
  const root = readJsonText(text);
  const node = path.length === 0 ? root : walk(text, path).member?.value;
  return node?.kind === 'object' && text.slice(node.start + 1, node.end - 1).trim() === '';
}

const commentsOfLine = /^(?:[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/))*/;

interface Style {
  readonly eol: string;
  readonly unit: string;
}

type Edit = readonly [start: number, end: number, replacement: string];

/**
 * Returns the objects from the root to the parent of the member, and the member if it exists. None when the text is
 * empty.
 */
function walk(text: string, path: readonly string[]): { objects: JsonObject[]; member: JsonMember | undefined } {
  let node: JsonNode | undefined = readJsonText(text);
  const objects: JsonObject[] = [];
  let member: JsonMember | undefined;
  for (const [depth, key] of path.entries()) {
    if (!node) break;
    const name = depth === 0 ? 'it' : `"${path[depth - 1]}"`;
    if (node.kind !== 'object')
      throw new UnsupportedLayoutError(`holds something else where ${name} should be an object`);
    objects.push(node);
    const found: JsonMember[] = node.members.filter((one) => one.key === key);
    // Hosts differ in which duplicate they use.
    if (found.length > 1) throw new UnsupportedLayoutError(`has "${key}" twice`);
    member = found[0];
    node = member?.value;
  }
  return { objects, member: objects.length === path.length ? member : undefined };
}

function insert(text: string, object: JsonObject, key: string, value: unknown, style: Style): Omit<Insertion, 'made'> {
  const last = object.members.at(-1);
  const property = (indent: string) => `${JSON.stringify(key)}: ${renderJson(value, { ...style, indent })}`;
  if (!last) {
    const base = indentOfLine(text, object.start);
    const indent = base + style.unit;
    const filled = `${style.eol}${indent}${property(indent)}${style.eol}${base}`;
    return {
      text: splice(text, [[object.tail, object.end - 1, filled]]),
      gap: text.slice(object.tail, object.end - 1),
    };
  }
  const indent = indentAt(text, last.keyStart);
  const trailing = last.comma !== undefined ? ',' : '';
  const afterLast = last.comma === undefined ? last.value.end : last.comma + 1;
  const edits: Edit[] = last.comma === undefined ? [[last.value.end, last.value.end, ',']] : [];
  if (indent === undefined) {
    const inLine = `${JSON.stringify(key)}: ${renderJson(value)}`;
    edits.push([afterLast, afterLast, ` ${inLine}${trailing}`]);
  } else {
    // A comment at the end of the last member's line belongs to that member.
    const anchor = afterLast + (commentsOfLine.exec(text.slice(afterLast, object.end))?.[0].length ?? 0);
    edits.push([anchor, anchor, `${style.eol}${indent}${property(indent)}${trailing}`]);
  }
  return { text: splice(text, edits), gap: undefined };
}

function detectStyle(text: string): Style {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const unit = /[\r\n]([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return { eol, unit };
}

/** Returns the white space before a key at the start of its line; undefined when other text precedes the key. */
function indentAt(text: string, keyStart: number): string | undefined {
  const before = text.slice(lineStart(text, keyStart), keyStart);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

const indentOfLine = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';

const lineStart = (text: string, at: number): number =>
  Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;

/** Applies all edits at once, so that no edit moves the position of another. */
function splice(text: string, edits: readonly Edit[]): string {
  const inOrder = edits
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => a.edit[0] - b.edit[0] || a.index - b.index);
  let result = '';
  let at = 0;
  for (const {
    edit: [start, end, replacement],
  } of inOrder) {
    result += text.slice(at, start) + replacement;
    at = Math.max(at, end);
  }
  return result + text.slice(at);
}
