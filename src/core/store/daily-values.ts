/** Stores the account's value, one row per day; the last value of a day is kept. */
import type { Engine } from './engine.ts';

export function createDailyValues<Snapshot extends { readonly day: string }>(engine: Engine) {
  return {
    /** Stores the value of a day and replaces an earlier one. */
    keep: (account: string, snapshot: Snapshot): Promise<void> =>
      engine.write(async (db) => {
        await db.run(
          `INSERT INTO snapshots (account, day, data) VALUES (?, ?, ?)
           ON CONFLICT (account, day) DO UPDATE SET data = excluded.data`,
          account,
          snapshot.day,
          JSON.stringify(snapshot),
        );
      }),
    /** Oldest first. */
    list: (account: string): Promise<readonly Snapshot[]> =>
      engine.read(async (db) => {
        const rows = await db.all<{ data: string }>(
          'SELECT data FROM snapshots WHERE account = ? ORDER BY day',
          account,
        );
        return rows.map(({ data }) => JSON.parse(data) as Snapshot);
      }),
  };
}
