/** The three histories, seen alike: where a row is read, when it happened, what makes it that row. */
import { createHash } from 'node:crypto';
import type { PagedEndpoint } from '../broker/types.ts';
import { getTicker } from '../catalogue/get-ticker.ts';
import { type Dividend, endpoints, type HistoricalOrder, type Transaction } from '../catalogue/index.ts';

export const historyKinds = ['orders', 'dividends', 'transactions'] as const;
export type HistoryKind = (typeof historyKinds)[number];

export interface RowOf {
  orders: HistoricalOrder;
  dividends: Dividend;
  transactions: Transaction;
}

export interface HistoryDefinition<Row> {
  readonly endpoint: PagedEndpoint;
  /** The date that `since` and `until` look at. */
  readonly getDate: (row: Row) => string | undefined;
  /** The date that its place in the list follows, where the row tells it. */
  readonly getSortDate: (row: Row) => string | undefined;
  readonly getTicker: (row: Row) => string | undefined;
  readonly getType: (row: Row) => string | undefined;
  /** What is unique about the row; undefined when the service gave nothing unique. */
  readonly getIdentity: (row: Row) => string | undefined;
  /** Whether nothing else can have its identity. */
  readonly isUnique: (row: Row) => boolean;
  /** False while the row can still become another one. */
  readonly isFinal: (row: Row) => boolean;
  /** False where a row has been seen far below the place of its date, so that a few pages say little of the newest rows. */
  readonly isListedByDate: boolean;
  /** So many known rows in a page prove that it meets what was read before; more where rows come late. */
  readonly overlap: number;
}

/** Whatever is not known to be open has ended: a word of tomorrow must not be asked for again and again. */
const openStatuses = new Set([
  'LOCAL',
  'UNCONFIRMED',
  'CONFIRMED',
  'NEW',
  'CANCELLING',
  'PARTIALLY_FILLED',
  'REPLACING',
]);

export const kinds: { readonly [Kind in HistoryKind]: HistoryDefinition<RowOf[Kind]> } = {
  orders: {
    endpoint: endpoints.listHistoricalOrders,
    getDate: (row) => row.fill?.filledAt ?? row.order?.createdAt,
    // One that was never filled stands where it ended, and no field says when that was.
    getSortDate: (row) => row.fill?.filledAt,
    getTicker: (row) => getTicker(row.order),
    getType: (row) => row.order?.type,
    getIdentity: (row) => row.order?.id && `${row.order.id}/${fillName(row)}`,
    isUnique: ({ fill }) => !fill || fill.id !== undefined,
    isFinal: (row) => !openStatuses.has(row.order?.status ?? ''),
    isListedByDate: true,
    overlap: 5,
  },
  dividends: {
    endpoint: endpoints.listDividends,
    getDate: (row) => row.paidOn,
    getSortDate: (row) => row.paidOn,
    getTicker,
    getType: (row) => row.type,
    getIdentity: (row) =>
      row.reference &&
      [row.reference, getTicker(row), row.type, toEpochText(row.paidOn), getSign(row.amount)].join('/'),
    isUnique: () => true,
    isFinal: () => true,
    // They have been seen out of order.
    isListedByDate: false,
    overlap: 20,
  },
  transactions: {
    endpoint: endpoints.listTransactions,
    getDate: (row) => row.dateTime,
    getSortDate: (row) => row.dateTime,
    getTicker: () => undefined,
    getType: (row) => row.type,
    // Both legs of a conversion can have one reference.
    getIdentity: (row) =>
      row.reference &&
      [row.reference, row.type, toEpochText(row.dateTime), row.currency, getSign(row.amount)].join('/'),
    isUnique: () => true,
    isFinal: () => true,
    isListedByDate: true,
    overlap: 5,
  },
};

/** A fill without an id is told from others of its order by what it did. */
const fillName = ({ fill }: HistoricalOrder): string =>
  fill ? (fill.id ?? `${toEpochText(fill.filledAt)}:${fill.quantity}:${fill.price}`) : '';

const getSign = (amount: string | undefined): string => (amount?.startsWith('-') ? '-' : '+');

/** The same moment in whatever offset the service writes it. */
const toEpochText = (date: string | undefined): string => String(Date.parse(date ?? ''));

/**
 * A key for each row of one page, the same whenever the same row is read again. Rows without a
 * unique identity are told apart by their content and their number among equals in the page, so that
 * two equal rows stay two; fills without an id by their number as well.
 */
export function rowKeys<Row>(facts: HistoryDefinition<Row>, rows: readonly Row[]): string[] {
  const equals = new Map<string, number>();
  return rows.map((row) => {
    const identity = facts.getIdentity(row);
    const name = identity === undefined ? `content:${JSON.stringify(row)}` : `id:${identity}`;
    const nth = (equals.get(name) ?? 0) + 1;
    equals.set(name, nth);
    const isUnique = identity !== undefined && facts.isUnique(row);
    return shortHash(isUnique || (identity !== undefined && nth === 1) ? name : `${name}#${nth}`);
  });
}

/** The key of an order's row as it was before anything of it was filled. */
export const unfilledKey = (orderId: string): string => shortHash(`id:${orderId}/`);

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
