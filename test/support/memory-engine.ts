/** SQLite in memory. Its work takes no turn of the event loop, so that a test knows when nothing more happens by itself. */
import type { Engine, Statements } from '../../src/store/engine.ts';
import { migrationsFor } from '../../src/store/migrations.ts';
import { openDatabase } from '../../src/store/sqlite/binding.ts';

export async function createMemoryEngine(): Promise<Engine> {
  const db = await openDatabase(':memory:');
  for (const sql of migrationsFor('sqlite').flat()) db.exec(sql);
  const prepared = new Map<string, ReturnType<typeof db.prepare>>();
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
      db.exec('BEGIN');
      try {
        const result = await work(statements);
        db.exec('COMMIT');
        return result;
      } catch (error) {
        db.exec('ROLLBACK');
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
    close: async () => {
      await turn;
      db.close();
    },
  };
}
