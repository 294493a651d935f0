/** The three histories behind one interface: the endpoint of each, and the date, ticker, type and identity of a row. */

import { createHash } from 'node:crypto';
import type { PagedEndpoint } from '../../core/broker/types.ts';
import {
  type Dividend,
  dividendTypes,
  endpoints,
  type HistoricalOrder,
  orderTypes,
  type Transaction,
  transactionTypes,
} from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';

export const historyKinds = ['orders', 'dividends', 'transactions'] as const;
/** The name of a history. */
export type HistoryKind = (typeof historyKinds)[number];

/** The row type of each history. */
export interface RowOf {
  orders: HistoricalOrder;
  dividends: Dividend;
  transactions: Transaction;
}

export interface HistoryDefinition<Row> {
  readonly endpoint: PagedEndpoint;
  /** The date that `since` and `until` filter by. */
  readonly getDate: (row: Row) => string | undefined;
  /** The date that determines the row's position in the list; undefined when no field has it. */
  readonly getSortDate: (row: Row) => string | undefined;
  readonly getTicker: (row: Row) => string | undefined;
  readonly getType: (row: Row) => string | undefined;
  /** A text unique to the row; undefined when the service returned nothing unique. */
  readonly getIdentity: (row: Row) => string | undefined;
  /** Whether no other row can have the same identity. */
  readonly isUnique: (row: Row) => boolean;
  /** False while the service can still change the row. */
  readonly isFinal: (row: Row) => boolean;
  /**
   * False when rows have been seen far below the position of their date, so that a few pages cannot prove the
   * newest rows complete.
   */
  readonly isListedByDate: boolean;
  /**
   * The number of known rows that a page needs to prove that it overlaps earlier pages; larger where rows can
   * arrive late.
   */
  readonly overlap: number;
}

/** Every other status counts as final, so that a status added later is not requested again and again. */
const openStatuses = new Set([
  'LOCAL',
  'UNCONFIRMED',
  'CONFIRMED',
  'NEW',
  'CANCELLING',
  'PARTIALLY_FILLED',
  'REPLACING',
]);

/** The definition of each history. */
export const kinds: { readonly [Kind in HistoryKind]: HistoryDefinition<RowOf[Kind]> } = {
  orders: {
    endpoint: endpoints.listHistoricalOrders,
    getDate: (row) => row.fill?.filledAt ?? row.order?.createdAt,
    // An order that was never filled is listed by when it ended, and no field has that time.
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
      row.reference && [row.reference, getTicker(row), row.type, toEpochText(row.paidOn), row.amount].join('/'),
    // A payment, its reversal and its correction can share one reference, even with equal amounts.
    isUnique: () => false,
    isFinal: () => true,
    // Dividends have been seen out of order.
    isListedByDate: false,
    overlap: 20,
  },
  transactions: {
    endpoint: endpoints.listTransactions,
    getDate: (row) => row.dateTime,
    getSortDate: (row) => row.dateTime,
    getTicker: () => undefined,
    getType: (row) => row.type,
    // Both legs of a currency conversion can have the same reference.
    getIdentity: (row) =>
      row.reference && [row.reference, row.type, toEpochText(row.dateTime), row.currency, row.amount].join('/'),
    isUnique: () => false,
    isFinal: () => true,
    isListedByDate: true,
    overlap: 5,
  },
};

/** What a tool reads that needs every history. */
export const historyEndpoints = historyKinds.map((kind) => kinds[kind].endpoint);

/** A fill without an id is identified within its order by its time, quantity and price. */
const fillName = ({ fill }: HistoricalOrder): string =>
  fill ? (fill.id ?? `${toEpochText(fill.filledAt)}:${fill.quantity}:${fill.price}`) : '';

/** Milliseconds since 1970, so that the same moment in another UTC offset gives the same identity. */
const toEpochText = (date: string | undefined): string => String(Date.parse(date ?? ''));

/**
 * A key for each row of one page; the same row has the same key in every read. Rows without an identity are
 * distinguished by their content. Equal rows of one page are distinguished by their position among them, so that two
 * stay two; equal rows on two pages are one row that was read twice.
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

/** The key that an order's row had before its first fill. */
export const unfilledKey = (orderId: string): string => shortHash(`id:${orderId}/`);

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

// What a filter by type means in a history: one type in any case, or all that begin with the text.

export interface TypeMatch {
  /** The text that was given, in the form of a type: `INTEREST_ON`. */
  readonly asked: string;
  /** Types of this history that are meant; empty when no row has one. */
  readonly matched: readonly string[];
  /** Further types that begin with the one that is meant. */
  readonly longer: readonly string[];
  /** Every type of the rows read so far. */
  readonly existing: readonly string[];
  /** Types that the service documents and no row has. */
  readonly documented: readonly string[];
  /** Whether the service documents a type that is meant, although no row has it. */
  readonly isDocumented: boolean;
}

const documentedTypes: Readonly<Record<HistoryKind, readonly string[]>> = {
  orders: orderTypes,
  dividends: dividendTypes,
  transactions: transactionTypes,
};

export function matchTypes(text: string, kind: HistoryKind, existing: readonly string[]): TypeMatch {
  const asked = toTypeName(text);
  const beginning = existing.filter((type) => toTypeName(type).startsWith(asked));
  const exact = beginning.filter((type) => toTypeName(type) === asked);
  const matched = exact.length > 0 ? exact : beginning;
  return {
    asked,
    matched,
    longer: beginning.filter((type) => !matched.includes(type)),
    existing,
    documented: documentedTypes[kind].filter((type) => !existing.includes(type) && !isVariant(type)).toSorted(),
    isDocumented: documentedTypes[kind].some((type) => type.startsWith(asked)),
  };
}

/** Each type of dividend has this variant, which would double the list. */
const isVariant = (type: string): boolean => type.endsWith('_MANUFACTURED_PAYMENT');

/** `Interest on free cash` is `INTEREST_ON_FREE_CASH`. */
const toTypeName = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, '_');
