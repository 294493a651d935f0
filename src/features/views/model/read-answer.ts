/** The fields that every result has. */

import { viewDataKey } from '../../../core/mcp/view-data.ts';
import { toWords } from '../../../core/text/count-of.ts';

export interface Envelope {
  readonly environment: string | undefined;
  /** Invented by the simulator, not real data. */
  readonly simulated: boolean;
  /** Time of the service's data (ms since 1970). */
  readonly asOf: number | undefined;
  /** False when part of the data behind the result is missing. */
  readonly complete: boolean;
  /** Of a result with a part of the rows: `of` is the number of all, undefined when unknown. Undefined: it has all. */
  readonly cut: { readonly of: number | undefined } | undefined;
  /** What a reader must know to interpret the figures. */
  readonly notes: readonly string[];
}

const unread = 'Part of the data for this result is missing, so its figures can change.';

export function readFrame(answer: Fields): Envelope {
  const complete = answer.complete !== false;
  const note = toText(answer.note);
  return {
    environment: toText(answer.env),
    simulated: answer.simulated === true,
    asOf: toTimestamp(answer.asOf),
    complete,
    cut: readCut(answer),
    notes: [
      ...(note !== undefined ? [note] : complete ? [] : [unread]),
      ...toTexts(answer.remarks),
      ...describeMoreRemarks(answer),
      ...describeShortened(answer.shortened),
      ...readFailedChecks(answer.checks),
    ],
  };
}

function describeMoreRemarks({ remarks, remarksCount }: Fields): readonly string[] {
  const more = typeof remarksCount === 'number' ? remarksCount - toTexts(remarks).length : 0;
  return more > 0 ? [`Remarks that are not shown: ${more}.`] : [];
}

/** A result names the lists beside its rows that it shortens: `{ byTicker: '12 of 49' }`. */
const describeShortened = (shortened: unknown): readonly string[] =>
  Object.entries(toFields(shortened)).flatMap(([name, count]) =>
    typeof count === 'string' ? [`Shortened: ${toWords(name)}, ${count}.`] : [],
  );

/** The name of a field as the head of a column: `matchedCost` is `Matched cost`. */
export const humanize = (name: string): string => {
  const words = toWords(name).replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function readCut({ rowCount, nextCursor }: Fields): Envelope['cut'] {
  const of = typeof rowCount === 'number' ? rowCount : undefined;
  return of === undefined && nextCursor === undefined ? undefined : { of };
}

/** Describes the checks that do not hold. A result lists all of its checks, or counts those that hold. */
function readFailedChecks(checks: unknown): readonly string[] {
  const listed = toList(checks).map(toFields);
  return [...listed.filter(({ holds }) => holds === false), ...toList(toFields(checks).failed).map(toFields)].map(
    ({ name, residual, note }) =>
      [`A check failed: ${toText(name) ?? 'unnamed'}, off by ${toText(residual) ?? 'an unknown amount'}.`, toText(note)]
        .filter((part) => part !== undefined)
        .join(' '),
  );
}

// Reads a CallToolResult of the host as a result or an error.

export interface ErrorResult {
  readonly kind: 'error';
  /** Its `next` and `code` are for the caller, and no view shows them. */
  readonly message: string;
}

export type ToolResultView = { readonly kind: 'answer'; readonly body: Fields } | ErrorResult;

/**
 * Returns the body of a tool result. Some hosts strip structuredContent and some strip the text; both contain the same
 * JSON, so either is enough. An error is also detected by its fields, because a host may drop `isError`.
 */
export function readResult(result: unknown): ToolResultView {
  const { structuredContent, content, isError, _meta } = toFields(result);
  const texts = toList(content).flatMap((block) => toText(toFields(block).text) ?? []);
  const bodies = [structuredContent, ...texts.map(parseJson)].map(toFields);
  const body = bodies.find((candidate) => Object.keys(candidate).length > 0);
  if (body && isError !== true && !isErrorBody(body))
    return { kind: 'answer', body: { ...body, ...toFields(toFields(_meta)[viewDataKey]) } };
  return readError(body ?? {}, texts[0]);
}

export const isErrorBody = (body: Fields): boolean =>
  typeof body.code === 'string' && typeof body.message === 'string' && body.env === undefined;

export const readError = (body: Fields, text?: string): ErrorResult => ({
  kind: 'error',
  message: toText(body.message) ?? text ?? 'The result of the tool cannot be read.',
});

/** Removes the prefix of an error (src/core/mcp/tool-result.ts) before parsing. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^Error: (?=\{)/, ''));
  } catch {
    // The text is no JSON.
    return undefined;
  }
}

// What a result lacks, as sentences for a person.

/** Returns a sentence for each thing that is missing or fails in a result; none for a complete one. */
export function listGaps(answer: unknown): readonly string[] {
  const body = toFields(answer);
  if (isErrorBody(body)) return [`Missing: ${readError(body).message}`];
  const { cut, notes } = readFrame(body);
  return [
    ...(body.complete === false ? notes.slice(0, 1) : []),
    ...(cut === undefined ? [] : [describeCut(toRows(body).length, cut, 'rows')]),
    ...describeUnmatched(body),
    ...readFailedChecks(body.checks),
  ];
}

/** `Showing 43 of 49 sales.` */
export const describeCut = (shown: number, { of }: NonNullable<Envelope['cut']>, what: string): string =>
  of === undefined ? `Showing ${shown} ${what}; there are more.` : `Showing ${shown} of ${of} ${what}.`;

function describeUnmatched({ unmatchedCount }: Fields): readonly string[] {
  const count = toDecimal(unmatchedCount) ?? '0';
  if (count === '0') return [];
  return [count === '1' ? 'One trade is in no figure.' : `${count} trades are in no figure.`];
}

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

/** The name of an instrument, where the result came with names (src/core/mcp/view-data.ts). */
export const readName = (answer: Fields, ticker: unknown): string | undefined =>
  typeof ticker === 'string' ? toText(toFields(answer.names)[ticker]) : undefined;

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
