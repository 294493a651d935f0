/** The three histories, seen alike: where a row is read, when it happened, what makes it that row. */

import { createHash } from 'node:crypto';
import type { PagedEndpoint } from '../broker/types.ts';
import { type Dividend, endpoints, type HistoricalOrder, type Transaction } from '../catalogue/index.ts';
import { tickerOf } from '../catalogue/ticker-of.ts';

export const historyKinds = ['orders', 'dividends', 'transactions'] as const;
export type HistoryKind = (typeof historyKinds)[number];

export interface RowOf {
  orders: HistoricalOrder;
  dividends: Dividend;
  transactions: Transaction;
}

export interface KindFacts<Row> {
  readonly endpoint: PagedEndpoint;
  /** The date that `since` and `until` look at. */
  readonly dateOf: (row: Row) => string | undefined;
  readonly tickerOf: (row: Row) => string | undefined;
  readonly typeOf: (row: Row) => string | undefined;
  /** What is unique about the row; undefined when the service gave nothing unique. */
  readonly identityOf: (row: Row) => string | undefined;
}

export const kinds: { readonly [Kind in HistoryKind]: KindFacts<RowOf[Kind]> } = {
  orders: {
    endpoint: endpoints.listHistoricalOrders,
    dateOf: (row) => row.fill?.filledAt ?? row.order?.createdAt,
    tickerOf: (row) => tickerOf(row.order),
    typeOf: (row) => row.order?.type,
    identityOf: (row) => row.order?.id && `${row.order.id}/${row.fill?.id ?? ''}`,
  },
  dividends: {
    endpoint: endpoints.listDividends,
    dateOf: (row) => row.paidOn,
    tickerOf,
    typeOf: (row) => row.type,
    identityOf: (row) => row.reference,
  },
  transactions: {
    endpoint: endpoints.listTransactions,
    dateOf: (row) => row.dateTime,
    tickerOf: () => undefined,
    typeOf: (row) => row.type,
    identityOf: (row) => row.reference,
  },
};

/**
 * A key for each row of one page, the same whenever the same row is read again. Rows without a
 * unique identity are told apart by their content and their number among equals in the page, so that
 * two equal rows stay two.
 */
export function keysOf<Row>(facts: KindFacts<Row>, rows: readonly Row[]): string[] {
  const equals = new Map<string, number>();
  return rows.map((row) => {
    const identity = facts.identityOf(row);
    const name = identity === undefined ? `content:${JSON.stringify(row)}` : `id:${identity}`;
    const nth = (equals.get(name) ?? 0) + 1;
    equals.set(name, nth);
    return shortHash(identity === undefined ? `${name}#${nth}` : name);
  });
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
