/** What the doctor learns of the tables, without a file; inspect-content.test.ts has both databases. */
import { expect, test } from 'vitest';
import type { Engine } from '../../src/store/engine.ts';
import { getSchema } from '../../src/store/schema.ts';
import { loadAnew } from '../support/load-anew.ts';
import { openMemory } from './support.ts';

const load = () => loadAnew<typeof import('../../src/store/inspect-content.ts')>('src/store/inspect-content.ts');

test('a new store is complete and has no rows', async () => {
  const { inspectContent } = await load();
  expect(await inspectContent(await openMemory(), 'sqlite')).toEqual({ missing: [], unreadable: [], read: 0 });
});

test('legs are not read without the table of submissions, and every other table is', async () => {
  const { inspectContent } = await load();
  const engine = await openMemory();
  await engine.write(async (db) => {
    await db.run("INSERT INTO records VALUES ('a', 'b', '1')");
    await db.run("INSERT INTO snapshots VALUES ('a', '2026-01-01', 'no JSON')");
    await db.run('DROP TABLE submission_legs');
    await db.run('CREATE TABLE submission_legs (submission TEXT, leg INTEGER, state TEXT, data TEXT)');
    await db.run("INSERT INTO submission_legs VALUES ('s', 1, 'waiting', '{}')");
    await db.run('DROP TABLE submissions');
  });
  const found = await inspectContent(engine, 'sqlite');
  expect(found.missing).toContain('submissions');
  expect(found.missing).not.toContain('submission_legs');
  expect(found.unreadable).toEqual([{ table: 'snapshots', rows: 1, of: 1 }]);
  expect(found.read).toBe(2);
});

test('texts of up to a million characters are read, and longer ones are not', async () => {
  const { inspectContent } = await load();
  const engine = await openMemory();
  const insert = (name: string, length: number) =>
    engine.write((db) => db.run("INSERT INTO records VALUES ('a', ?, ?)", name, 'x'.repeat(length)));
  await insert('short', 1_000_000);
  await insert('long', 1_000_001);
  expect(await inspectContent(engine, 'sqlite')).toEqual({
    ...{ missing: [], read: 1 },
    unreadable: [{ table: 'records', rows: 1, of: 1 }],
  });
});

test("in PostgreSQL the catalogue is asked for the program's own schema, and an empty one misses everything", async () => {
  const { inspectContent } = await load();
  const asked: string[] = [];
  const empty = {
    read: (work) => {
      const all = async (sql: string) => {
        asked.push(sql);
        return [];
      };
      return work({ all, run: async () => 0 });
    },
  } as Pick<Engine, 'read'> as Engine;
  const { tables, others } = getSchema('postgres');
  expect(await inspectContent(empty, 'postgres')).toEqual({
    ...{ missing: [...tables.keys(), ...others], unreadable: [], read: 0 },
  });
  expect(asked).toEqual([
    expect.stringMatching(/FROM pg_class .* pg_attribute .*nspname = 'brokerage_mcp' AND c\.relkind = 'r'/s),
    expect.stringMatching(
      /nspname = 'brokerage_mcp' AND c\.relkind = 'i'.* UNION ALL .* pg_trigger .*'brokerage_mcp'/s,
    ),
  ]);
});
