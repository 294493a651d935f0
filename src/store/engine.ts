/** What the rest of the store asks of a database. SQL is written against this, and only in this folder. */
import { BrokerageError, type StoreFault } from '../errors.ts';

export type SqlValue = string | number | null;

export interface Statements {
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** How many rows were changed. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
}

/**
 * One database, shared by several processes. Everything inside one `write` happens or does not, is on
 * the disk before it resolves, and sees no change of anybody else; it must wait for nothing but its
 * own statements. Both throw `store_unavailable` when the database cannot do it.
 */
export interface Engine {
  write<Result>(work: (db: Statements) => Promise<Result>): Promise<Result>;
  read<Result>(work: (db: Statements) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Tables of a later version: what they hold is not known here, so nothing is read or written. */
export const newerSchemaError = (which: 'local' | 'shared'): BrokerageError =>
  storeUnavailable('newer_version', 'it was written by a newer version of brokerage-mcp', {
    which,
    next: 'Update brokerage-mcp on this machine; older versions cannot use this store.',
  });

const checkFolder = 'Check the state folder (free space, permissions, another program that locks it).';

export const storeUnavailable = (
  fault: StoreFault,
  why: string,
  { which = 'local', next = checkFolder }: { readonly which?: 'local' | 'shared'; readonly next?: string } = {},
): BrokerageError =>
  new BrokerageError('store_unavailable', `The ${which} store cannot be used: ${why}.`, next, {}, { store: fault });
