/** Pages of a history: newest first, with an inclusive cursor that names the first row of the next page. */
import { ApiError, invalid } from '../api-error.ts';
import { hashText, toUuid } from '../random.ts';
import type { Quirks } from '../testing/quirks.ts';

/** A row with its position; `cursor` is unique and, if numeric, decreases with each row. */
export interface PositionedRow<Row> {
  readonly row: Row;
  readonly at: number;
  readonly cursor: string;
}

export interface PageRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly quirks: Quirks;
  /** Whether the cursor is sent together with the time of its row. */
  readonly withTime: boolean;
  /** Second pages that were already returned without rows. */
  readonly emptied: Set<string>;
}

const defaultRows = 20;
const maxRows = 50;

export function buildPage<Row>(
  rows: readonly PositionedRow<Row>[],
  request: PageRequest,
): { items: Row[]; nextPagePath?: string | null } {
  const { query, quirks } = request;
  const limit = readLimit(query.get('limit'));
  const cursor = readCursor(query.get('cursor'), request.withTime);
  const time = query.get('time') || undefined;
  if (request.withTime && (cursor === undefined) !== (time === undefined))
    throw invalid('cursor and time must be given together');
  if (cursor !== undefined && !request.withTime && !/^\d{1,19}$/.test(cursor)) throw invalid('cursor is not a number');

  const start = cursor === undefined ? 0 : findStart(rows, cursor, time, quirks);
  const page = cursor === undefined ? 1 : Math.max(2, Math.floor(start / limit) + 1);
  if (quirks.failPage?.page === page) {
    const { status } = quirks.failPage;
    throw new ApiError(status, status === 404 ? 'entity-not-found' : 'internal-error', 'this page cannot be read');
  }
  const path = (place: PositionedRow<Row>, name = formatCursor(place, quirks, request.withTime)) =>
    writePath(request, limit, name, request.withTime ? new Date(place.at).toISOString() : undefined);

  const first = rows[start];
  if (quirks.emptyPage && page === 2 && first && !request.emptied.has(request.path)) {
    request.emptied.add(request.path);
    // Another name for the same position, so that the path is not a repetition.
    const name = request.withTime ? toUuid(`again ${first.cursor}`) : String(BigInt(first.cursor) + 1n);
    return { items: [], nextPagePath: path(first, name) };
  }
  const items = rows.slice(start, start + limit).map(({ row }) => row);
  if (quirks.repeatPage === page && first) return { items, nextPagePath: path(first, cursor) };
  const following = rows[start + limit];
  if (following) return { items, nextPagePath: path(following) };
  request.emptied.delete(request.path);
  switch (quirks.lastPage) {
    case 'null':
      return { items, nextPagePath: null };
    case 'empty':
      return { items, nextPagePath: '' };
    case 'absent':
      return { items };
    case 'nullCursor':
      return { items, nextPagePath: writePath(request, limit, 'null', undefined) };
  }
}

/** Returns undefined for the first page. Observed: 0 is the first page too, and several clients begin with it. */
const readCursor = (text: string | null, withTime: boolean): string | undefined =>
  !text || (!withTime && /^0+$/.test(text)) ? undefined : text;

function readLimit(text: string | null): number {
  if (text === null || text === '') return defaultRows;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxRows) throw invalid(`limit must be 1 to ${maxRows}`);
  return limit;
}

function findStart<Row>(
  rows: readonly PositionedRow<Row>[],
  cursor: string,
  time: string | undefined,
  quirks: Quirks,
): number {
  if (time !== undefined) {
    const exact = rows.findIndex((row) => row.cursor === cursor);
    if (exact >= 0) return exact;
    const at = Date.parse(time);
    if (Number.isNaN(at)) throw invalid('time is not a date-time');
    return orEnd(rows, (row) => row.at <= at);
  }
  const wanted = BigInt(cursor);
  if (quirks.sameSecondPaging === 'exact') {
    const exact = rows.findIndex((row) => row.cursor === cursor);
    return exact >= 0 ? exact : orEnd(rows, (row) => BigInt(row.cursor) <= wanted);
  }
  const second = (row: PositionedRow<Row>) => BigInt(truncateToSecond(row.at));
  if (quirks.sameSecondPaging === 'repeat') return orEnd(rows, (row) => second(row) <= wanted);
  const last = rows.findLastIndex((row) => second(row) === wanted);
  return last >= 0 ? last : orEnd(rows, (row) => second(row) <= wanted);
}

const orEnd = <Row>(rows: readonly PositionedRow<Row>[], test: (row: PositionedRow<Row>) => boolean): number => {
  const index = rows.findIndex(test);
  return index >= 0 ? index : rows.length;
};

const truncateToSecond = (atMs: number) => Math.floor(atMs / 1000) * 1000;

const formatCursor = <Row>(row: PositionedRow<Row>, quirks: Quirks, withTime: boolean): string =>
  quirks.sameSecondPaging === 'exact' || withTime ? row.cursor : String(truncateToSecond(row.at));

function writePath({ path, quirks }: PageRequest, limit: number, cursor: string, time: string | undefined): string {
  const tail = quirks.valuelessParameter ? '&ticker' : '';
  const query = `limit=${limit}&cursor=${cursor}${time ? `&time=${encodeURIComponent(time)}` : ''}${tail}`;
  switch (quirks.nextPagePath) {
    case 'full':
      return `/api/v0${path}?${query}`;
    case 'withoutPrefix':
      return `${path}?${query}`;
    case 'bareQuery':
      return query;
    case 'questionMarkQuery':
      return `?${query}`;
    case 'otherOrigin':
      return `http://elsewhere.invalid/api/v0${path}?${query}`;
    case 'otherPath':
      return `/api/v0/equity/account/summary?${query}`;
  }
}

/** Sorts newest first. A numeric cursor is the row's second in milliseconds plus its number within that second. */
export function placeRows<Row extends { at: number }>(
  oldestFirst: readonly Row[],
  name: (row: Row) => string | undefined,
): PositionedRow<Row>[] {
  let second = -1;
  let nth = 0;
  return oldestFirst
    .map((row) => {
      nth = truncateToSecond(row.at) === second ? nth + 1 : 0;
      second = truncateToSecond(row.at);
      return { row, at: row.at, cursor: name(row) ?? String(second + nth) };
    })
    .reverse();
}

/** Moves rows by up to four positions, the same way each time. */
export const shuffleLocally = <Row>(rows: readonly PositionedRow<Row>[]): PositionedRow<Row>[] =>
  rows
    .map((placed, index) => ({ placed, key: index + (hashText(placed.cursor) % 40) / 10 }))
    .sort((a, b) => a.key - b.key)
    .map(({ placed }) => placed);
