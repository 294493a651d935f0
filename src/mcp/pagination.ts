/** Lists in answers: compact tables by default, whole objects when asked, cut at a row and continued. */
import { BrokerageError } from '../errors.ts';

export interface ListPage {
  /** Present for the compact form; rows are then arrays in this order. */
  readonly columns?: readonly string[];
  readonly rows: readonly unknown[];
  /** The cursor that continues after the first `kept` rows; undefined when nothing follows. */
  readonly cursorAfter: (kept: number) => string | undefined;
  /** Where the rest is, for a list that has no cursor and may be cut. */
  readonly rest?: string;
}

/** A column of a compact table: its name and where its value comes from. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>;

export interface ListRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly responseFormat?: 'concise' | 'detailed' | undefined;
}

/** Part of a list that is known whole, from the cursor on. */
export function paginate<Item>(items: readonly Item[], columns: Columns<Item>, request: ListRequest): ListPage {
  const offset = request.cursor === undefined ? 0 : readOffset(request.cursor);
  const limit = request.limit ?? items.length;
  const chosen = items.slice(offset, offset + limit);
  const cursorAfter = (kept: number) => (offset + kept < items.length ? writeOffset(offset + kept) : undefined);
  if (request.responseFormat === 'detailed') return { rows: chosen, cursorAfter };
  return { ...toTable(chosen, columns), cursorAfter };
}

/** The compact form of items. A value that is missing is null, so that columns stay in place. */
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
