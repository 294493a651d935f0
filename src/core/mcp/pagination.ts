/** Lists in results: compact tables by default, objects on request, cut at a row and continued with a cursor. */
import { BrokerageError } from '../errors.ts';
import type { responseFormats } from './arguments.ts';

export interface ListPage {
  /** Column names of the compact form; each row is then an array in this order. */
  readonly columns?: readonly string[];
  readonly rows: readonly unknown[];
  /** Whether the rows of a table become objects, in longer pages: a program reads them, and no model. */
  readonly asObjects?: boolean;
  /** Returns the cursor that continues after the first `kept` rows; undefined when no rows follow. */
  readonly cursorAfter: (kept: number) => string | undefined;
  /** Whether the caller has read earlier pages, which had the fields beside the rows. */
  readonly isContinued?: boolean;
  /** Number of rows of the list, on all pages; undefined when unknown. */
  readonly count?: number;
  /** Where to find the remaining rows, for a list that has no cursor and may be cut. */
  readonly rest?: string;
}

/** The columns of a compact table: name, and the function that reads the value. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>;

export type ResponseFormat = (typeof responseFormats)[number];

export interface ListRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly responseFormat?: ResponseFormat | undefined;
}

/**
 * Returns one page, starting at the cursor, of a list that is complete in memory. Throws invalid_argument for an
 * unknown cursor.
 */
export function paginate<Item>(items: readonly Item[], columns: Columns<Item>, request: ListRequest): ListPage {
  const offset = request.cursor === undefined ? 0 : readOffset(request.cursor);
  const limit = request.limit ?? items.length;
  const chosen = items.slice(offset, offset + limit);
  const cursorAfter = (kept: number) => (offset + kept < items.length ? writeOffset(offset + kept) : undefined);
  const rest = { cursorAfter, isContinued: offset > 0, count: items.length };
  if (request.responseFormat === 'detailed') return { rows: chosen, ...rest };
  return { ...toTable(chosen, columns), asObjects: request.responseFormat === 'objects', ...rest };
}

/** Converts items to the compact form. A missing value becomes null, so that columns keep their place. */
export const toTable = <Item>(items: readonly Item[], columns: Columns<Item>) => ({
  columns: Object.keys(columns),
  rows: items.map((item) => Object.values(columns).map((value) => value(item) ?? null)),
});

const writeOffset = (offset: number) => Buffer.from(`row:${offset}`).toString('base64url');

function readOffset(cursor: string): number {
  const match = /^row:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) throw unknownCursor();
  return Number(match[1]);
}

export const unknownCursor = () =>
  new BrokerageError(
    'invalid_argument',
    'cursor is not a nextCursor from this tool.',
    'Omit cursor to start from the first page.',
  );
