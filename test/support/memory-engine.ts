/**
 * SQLite in memory. Its work takes no turn of the event loop, so that a test knows when nothing more happens
 * automatically. A test is one transaction, which is rolled back for the next: most tests are shorter than the creation
 * of the tables.
 */
import type { Engine, Statements } from '../../src/core/store/engine.ts';
import { migrationsFor } from '../../src/core/store/migrations.ts';
import { type Database, openDatabase, type Statement } from '../../src/core/store/sqlite/binding.ts';

interface Opened {
  readonly db: Database;
  readonly prepared: Map<string, Statement>;
}

const unused: Opened[] = [];

async function openEmpty(): Promise<Opened> {
  const db = await openDatabase(':memory:');
  for (const sql of migrationsFor('sqlite').flat()) db.exec(sql);
  return { db, prepared: new Map() };
}

export async function createMemoryEngine(): Promise<Engine> {
  const opened = unused.pop() ?? (await openEmpty());
  const { db, prepared } = opened;
  let isClosed = false;
  db.exec('BEGIN');
  const prepare = (sql: string) => {
    const ready = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, ready);
    return ready;
  };
  const statements: Statements = {
    all: async <Row>(sql: string, ...values: unknown[]) => prepare(sql).all(...values) as Row[],
    run: async (sql, ...values) => Number(prepare(sql).run(...values).changes),
  };
  let turn: Promise<unknown> = Promise.resolve();
  const transaction = <Result>(work: (db: Statements) => Promise<Result>): Promise<Result> => {
    const mine = turn.then(async () => {
      if (isClosed) throw new Error('The database is closed.');
      db.exec('SAVEPOINT change');
      try {
        const result = await work(statements);
        db.exec('RELEASE change');
        return result;
      } catch (error) {
        db.exec('ROLLBACK TO change');
        db.exec('RELEASE change');
        throw error;
      }
    });
    // The caller has the error.
    turn = mine.catch(() => undefined);
    return mine;
  };
  return {
    write: transaction,
    read: transaction,
    close: () => {
      turn = turn.then(() => {
        if (isClosed) return;
        isClosed = true;
        db.exec('ROLLBACK');
        unused.push(opened);
      });
      return turn.then(() => undefined);
    },
  };
}
