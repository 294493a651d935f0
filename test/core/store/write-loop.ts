/** A process that writes to a store until it is killed or done: `write-loop.ts ADDRESS COUNT NAME`. */
import { systemClock } from '../../../src/core/clock.ts';
import { createRecords } from '../../../src/core/store/engine.ts';
import { createPostgresEngine } from '../../../src/core/store/postgres/postgres-engine.ts';
import { createSqliteEngine } from '../../../src/core/store/sqlite/sqlite-engine.ts';

const [, , address = '', count = '0', name = ''] = process.argv;
const engine = address.startsWith('postgres:')
  ? createPostgresEngine({ url: address, clock: systemClock, self: name })
  : createSqliteEngine({ path: address, clock: systemClock, random: Math.random });
const records = createRecords(engine);
process.stdout.write('ready\n');
for (let n = 1; n <= Number(count); n++) {
  // Two records that must always change together are changed in one transaction.
  await engine.write(async (db) => {
    const read = async (key: string) =>
      Number(
        (await db.all<{ value: string }>("SELECT value FROM records WHERE space = 'n' AND name = ?", key))[0]?.value ??
          0,
      );
    for (const key of ['left', 'right']) {
      const next = (await read(key)) + 1;
      await db.run(
        `INSERT INTO records (space, name, value) VALUES ('n', ?, ?)
         ON CONFLICT (space, name) DO UPDATE SET value = excluded.value`,
        key,
        String(next),
      );
    }
  });
  await records.update<number, void>('own', name, () => ({ state: n, result: undefined }));
  process.stdout.write(`${n}\n`);
}
await engine.close();
