/** Small records in the database. They implement the broker's port (broker/ports.ts) by structure. */
import type { Engine, Statements } from './engine.ts';

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
