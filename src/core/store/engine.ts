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

// Small records in the database. They implement the broker's port (core/broker/types.ts) by structure.

export function createRecords(engine: Engine) {
  return {
    update: <State, Result>(
      namespace: string,
      key: string,
      change: (state: State | undefined) => { state: State | undefined; result: Result },
    ): Promise<Result> =>
      engine.write(async (db) => {
        const before = await readRecord(db, namespace, key);
        const { state, result } = change(parse<State>(before));
        await writeRecord(db, namespace, key, state, before);
        return result;
      }),
    read: <State>(namespace: string, key: string): Promise<State | undefined> =>
      engine.read(async (db) => parse<State>(await readRecord(db, namespace, key))),
  };
}

const parse = <State>(text: string | undefined): State | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as State);

/** The JSON text of a record; undefined when there is none. */
export async function readRecord(db: Statements, namespace: string, key: string): Promise<string | undefined> {
  const [row] = await db.all<{ value: string }>(
    'SELECT value FROM records WHERE space = ? AND name = ?',
    namespace,
    key,
  );
  return row?.value;
}

/**
 * Writes a record only if it changed, because an unchanged one needs no disk write. An undefined `state` deletes
 * it.
 */
export async function writeRecord(
  db: Statements,
  namespace: string,
  key: string,
  state: unknown,
  before: string | undefined,
): Promise<void> {
  if (state === undefined) {
    if (before !== undefined) await db.run('DELETE FROM records WHERE space = ? AND name = ?', namespace, key);
    return;
  }
  const text = JSON.stringify(state);
  if (text === before) return;
  await db.run(
    `INSERT INTO records (space, name, value) VALUES (?, ?, ?)
     ON CONFLICT (space, name) DO UPDATE SET value = excluded.value`,
    namespace,
    key,
    text,
  );
}
