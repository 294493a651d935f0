/** The database interface of this folder. SQL is written against it, and only here. */
import { BrokerageError, type StoreFault } from '../errors.ts';

export type SqlValue = string | number | null;

export interface Statements {
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
}

/**
 * One database, shared by several processes. A `write` is atomic, isolated from other writers, and on disk before
 * it resolves; its work must wait only for its own statements. Both functions throw `store_unavailable` when the
 * database cannot be used.
 */
export interface Engine {
  write<Result>(work: (db: Statements) => Promise<Result>): Promise<Result>;
  read<Result>(work: (db: Statements) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A newer version wrote the tables. Their contents are unknown here, so nothing is read or written. */
export const newerSchemaError = (which: 'local' | 'shared'): BrokerageError =>
  storeUnavailable('newer_version', 'it was written by a newer version of brokerage-mcp', {
    which,
    next: 'Update brokerage-mcp on this machine; older versions cannot use this store.',
  });

const checkFolder = 'Check the state folder (free space, permissions, another program that locks it).';

/** Builds the error `store_unavailable`. `fault` is for code, `why` completes a sentence for people. */
export const storeUnavailable = (
  fault: StoreFault,
  why: string,
  { which = 'local', next = checkFolder }: { readonly which?: 'local' | 'shared'; readonly next?: string } = {},
): BrokerageError =>
  new BrokerageError('store_unavailable', `The ${which} store cannot be used: ${why}.`, next, {}, { store: fault });
