/**
 * Builds the result of a call from a reply: the same JSON as structuredContent and as text, within the size that hosts
 * accept.
 */

import type { Environment } from '../settings/config.ts';
import { toIsoTimestamp } from '../text/dates.ts';
import { sanitizeDeep } from '../text/sanitize-text.ts';
import type { ListPage } from './pagination.ts';
import type { ToolReply } from './tool.ts';

/** The part of a result that the fields beside the rows may take, so that a page has many rows. */
const fieldShares = {
  first: 0.6,
  /** The first page had these fields. */
  continued: 0.25,
  /** Rows without a cursor cannot be read later. */
  withoutCursor: 0.4,
} as const;

/** The most that a result may have, in the measure of `buildToolResult`. */
export const longestFor = ({ list }: Pick<ToolReply, 'list'>): number =>
  list?.asObjects ? maxObjectCharacters : maxCharacters;

/** The JSON object of a result. */
export type ResponseBody = Record<string, unknown>;

/** `most` is in the measure of `hostLength`, or of characters for a list of objects; a single row can be longer. */
export function buildToolResult(
  reply: ToolReply & { readonly asOf: number },
  environment: Environment,
  most = longestFor(reply),
): { body: ResponseBody; text: string } {
  const head = sanitizeDeep({
    env: environment,
    ...(environment === 'sandbox' ? { simulated: true } : {}),
    asOf: toIsoTimestamp(reply.asOf),
    ...reply.fields,
  }) as ResponseBody;
  if (!reply.list) return withText(fitFields(head, most));

  const list = { ...reply.list, rows: sanitizeDeep(reply.list.rows) as unknown[] };
  const whole = assemble(head, list, list.rows.length);
  const lengthOf = (body: ResponseBody) =>
    list.asObjects ? JSON.stringify(body).length : hostLength(JSON.stringify(body));
  if (lengthOf(whole) <= most) return withText(whole);
  const fields = fitFields(head, most * fieldShare(list));
  const measure = (kept: number) => lengthOf(assemble(fields, list, kept));
  return withText(assemble(fields, list, list.rows.length === 0 ? 0 : countFitting(list.rows.length, most, measure)));
}

function fieldShare({ rows, cursorAfter, isContinued }: ListPage): number {
  if (rows.length === 0) return 0.9;
  if (isContinued) return fieldShares.continued;
  return cursorAfter(0) === undefined ? fieldShares.withoutCursor : fieldShares.first;
}

const withText = (body: ResponseBody) => {
  // JSON drops undefined fields; parsing the text keeps both forms equal.
  const text = JSON.stringify(body);
  return { body: JSON.parse(text) as ResponseBody, text };
};

function assemble(head: ResponseBody, list: ListPage, kept: number): ResponseBody {
  const rows = list.rows.slice(0, kept);
  const nextCursor = list.cursorAfter(kept);
  // A cut is always reported, also for a list without a cursor.
  const isCut = kept > 0 && kept < list.rows.length && nextCursor === undefined;
  const cut = isCut
    ? `Only the first ${kept} of ${list.rows.length} rows fit; ${list.rest ?? 'request fewer rows'}.`
    : undefined;
  return {
    ...head,
    ...(cut === undefined ? {} : { note: [head.note, cut].filter(Boolean).join(' ') }),
    // Before the rows, so that a host that cuts the text still shows it.
    ...(list.count !== undefined && kept < list.count ? { rowCount: list.count } : {}),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    // Also on the last page, which has no cursor.
    ...(list.columns && !list.asObjects ? { columns: list.columns, rows } : { items: toObjects(list.columns, rows) }),
  };
}

/** The rows of a table as objects, without the missing values; rows that are objects already stay as they are. */
const toObjects = (columns: readonly string[] | undefined, rows: readonly unknown[]): readonly unknown[] =>
  columns === undefined
    ? rows
    : rows.map((row) =>
        Object.fromEntries(
          (row as unknown[]).flatMap((value, index) => (value === null ? [] : [[columns[index], value]])),
        ),
      );

// Shortens lists in the fields of a result, which stand beside its rows and have no cursor of their own.

type Fields = Record<string, unknown>;

interface FieldList {
  readonly name: string;
  readonly length: number;
  items: unknown[];
  replace(items: unknown[]): void;
}

/** The outcome of each order decides what to do next, so these lists are shortened last. */
const isEssential = ({ name }: FieldList): boolean => /(^|\.)legs$/.test(name);

/**
 * Removes items from the end of the longest lists until the fields have at most `most` characters as JSON, in the measure
 * of `hostLength`. Each list that lost items is named in `shortened`. Changes the given fields.
 */
export function fitFields(fields: Fields, most: number): Fields {
  if (hostLength(JSON.stringify(fields)) <= most) return fields;
  const lists = findLists(fields);
  for (;;) {
    const shortened = describeShortened(lists);
    const result = Object.keys(shortened).length > 0 ? { ...fields, shortened } : fields;
    const over = hostLength(JSON.stringify(result)) - most;
    const longest = findLongest(lists.filter((list) => !isEssential(list))) ?? findLongest(lists);
    if (over <= 0 || !longest) return result;
    cut(longest, over);
  }
}

/** The longest list with items; undefined when there is none. */
const findLongest = (lists: readonly FieldList[]): FieldList | undefined =>
  lists
    .filter(({ items }) => items.length > 0)
    .reduce<FieldList | undefined>((a, b) => (a && measure(a.items) >= measure(b.items) ? a : b), undefined);

const measure = (value: unknown): number => JSON.stringify(value).length;

/** Removes enough items, but at most half of them: then another list can be the longest. */
function cut(list: FieldList, characters: number): void {
  let kept = list.items.length;
  const least = Math.floor(kept / 2);
  for (let removed = 0; kept > least && removed < characters; kept--) removed += measure(list.items[kept - 1]) + 1;
  list.items = list.items.slice(0, kept);
  list.replace(list.items);
}

/** Every list that is a field, or a field of an object in the fields. The rows of a table are named as their table. */
function findLists(parent: Fields, path: readonly string[] = []): FieldList[] {
  return Object.entries(parent).flatMap(([key, value]): FieldList[] => {
    if (Array.isArray(value)) {
      if (key === 'columns') return [];
      const isTable = key === 'rows' && 'columns' in parent;
      const replace = (items: unknown[]) => {
        parent[key] = items;
      };
      return [{ name: (isTable ? path : [...path, key]).join('.'), length: value.length, items: value, replace }];
    }
    return typeof value === 'object' && value !== null ? findLists(value as Fields, [...path, key]) : [];
  });
}

const describeShortened = (lists: readonly FieldList[]): Record<string, string> =>
  Object.fromEntries(
    lists
      .filter(({ items, length }) => items.length < length)
      .map(({ name, items, length }) => [name, `${items.length} of ${length}`]),
  );

/** How long a text is for a host. Hosts cut longer texts in the middle, which a model cannot notice. */

/** The most characters that the text of a result or of a page may have. */
export const maxCharacters = 6_800;

/** A program that asks for objects shows them to no model, so a page of them is longer. */
const maxObjectCharacters = 20_000;

/**
 * The shortest limit of known hosts, less what is around the text. They count the response as JSON, where the text is a
 * string: a quote in it has two characters. A result can also be a resource, with its URI twice and a note; the URI of a
 * page has a cursor.
 */
const maxQuotedCharacters = { result: 8_000 - 250, page: 8_000 - 500 } as const;

/**
 * Returns the length of a text in the measure of `maxCharacters`: as it is or as hosts quote it, whichever is nearer to
 * its limit.
 */
export function hostLength(text: string, of: keyof typeof maxQuotedCharacters = 'result'): number {
  const quoted = JSON.stringify(text).length;
  return Math.max(text.length, Math.ceil((quoted * maxCharacters) / maxQuotedCharacters[of]));
}

/**
 * Returns how many of `count` rows fit into `most`, where `lengthOf` measures a page with a number of them. At least one,
 * because a page without rows would never advance.
 */
export function countFitting(count: number, most: number, lengthOf: (kept: number) => number): number {
  let [fits, tooMany] = [1, count + 1];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (lengthOf(middle) <= most) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

/** The text block of a tool result: JSON, with a prefix when it is an error. */

/**
 * Some hosts validate a bare JSON text against the output schema. No error matches it, so the model would see the
 * host's own complaint instead of the error; this prefix prevents that.
 */
const errorPrefix = 'Error: ';

export const formatErrorText = (body: object): string => errorPrefix + JSON.stringify(body);

/** Returns the JSON object of a text block of ours, result or error. Throws a SyntaxError for any other text. */
export const parseResponseText = (text: string): Record<string, unknown> =>
  JSON.parse(text.startsWith(errorPrefix) ? text.slice(errorPrefix.length) : text) as Record<string, unknown>;
