/** SQLite in memory with the tables of the program: a transaction costs no disk. */
import type { Engine, SqlValue, Statements } from '../../../../src/store/engine.ts';
import { migrationsFor } from '../../../../src/store/migrations.ts';
import { openDatabase, type Statement } from '../../../../src/store/sqlite/binding.ts';

export async function openMemoryEngine(): Promise<Engine> {
  const db = await openDatabase(':memory:');
  for (const statements of migrationsFor('sqlite')) for (const sql of statements) db.exec(sql);
  const prepared = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    const ready = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, ready);
    return ready;
  };
  const tx: Statements = {
    all: async <Row>(sql: string, ...values: SqlValue[]) => statement(sql).all(...values) as Row[],
    run: async (sql, ...values) => Number(statement(sql).run(...values).changes),
  };
  let turn: Promise<unknown> = Promise.resolve();
  const transaction: Engine['write'] = (work) => {
    const mine = turn.then(async () => {
      db.exec('BEGIN');
      try {
        const result = await work(tx);
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
  return { write: transaction, read: transaction, close: async () => db.close() };
}
