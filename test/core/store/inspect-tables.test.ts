/** What the doctor learns of the tables, without a file; inspect-content.test.ts has both databases. */
import { expect, test } from 'vitest';
import type { Engine } from '../../../src/core/store/engine.ts';
import { getSchema } from '../../../src/core/store/migrations.ts';
import { loadAnew } from '../../support/load-anew.ts';
import { openMemory } from './support.ts';

const load = () =>
  loadAnew<typeof import('../../../src/core/store/inspect-content.ts')>('src/core/store/inspect-content.ts');

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

/** Each table's values for the nth oldest row, `n`; of records, which have no time, for the nth shortest. */
const values: Readonly<Record<string, string>> = {
  records: "(space, name, value) SELECT 'a', n, text",
  intents: `(id, account, environment, kind, state, fingerprint, created_at, data)
    SELECT n, 'a', 'demo', 'order', 'PLACED', 'f', n, text`,
  submissions: `(id, draft, account, environment, state, created_at, data) SELECT n, 'd', 'a', 'demo', 'done', n, text`,
  submission_legs: "(submission, leg, state, data) SELECT n, 1, 'waiting', text",
  draft_versions: "(draft, version, created_at, channel, legs) SELECT 'd', n, n, 'tool', text",
  audit: "(seq, at, environment, kind, data, previous, hash) SELECT n, 1, 'demo', 'note', text, '', ''",
  history: `(account, kind, source, row_key, at, is_final, stretch, data)
    SELECT 'a', 'orders', 'pages', n, n, 1, 1, text`,
  snapshots: "(account, day, data) SELECT 'a', printf('%04d', n), text",
};

/** 501 rows, of which one is no JSON, in an order that is not that of their time. */
const insert = (table: string, broken: number) => `
  WITH RECURSIVE counted(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < 501),
    numbers AS (SELECT i * 250 % 501 + 1 AS n FROM counted),
    rows AS (SELECT n, CASE n WHEN ${broken} THEN 'x' ELSE '1' END AS letter FROM numbers),
    texts AS (SELECT n, replace(hex(zeroblob(${table === 'records' ? 'n' : 1})), '00', letter) AS text FROM rows)
  INSERT INTO ${table} ${values[table]} FROM texts`;

test.each(Object.keys(values))('of %s the 500 newest rows are read, of records the shortest', async (table) => {
  const { inspectContent } = await load();
  const inspect = async (broken: number) => {
    const engine = await openMemory();
    await engine.write(async (db) => {
      await db.run("INSERT INTO drafts VALUES ('d', 'a', 'demo', NULL, 1, 'open', 'tool', 1, 1)");
      if (table === 'submission_legs') await db.run(insert('submissions', 0));
      await db.run(insert(table, broken));
    });
    return (await inspectContent(engine, 'sqlite')).unreadable;
  };
  const [read, unread] = table === 'records' ? [500, 501] : [2, 1];
  expect(await inspect(unread)).toEqual([]);
  expect(await inspect(read)).toEqual([{ table, rows: 1, of: 500 }]);
});

test.each([
  ['DROP TABLE history', ['history']],
  ['ALTER TABLE snapshots RENAME COLUMN data TO other', ['snapshots.data']],
  ['ALTER TABLE audit RENAME COLUMN hash TO other', ['audit.hash']],
  ['DROP INDEX one_in_flight', ['one_in_flight']],
  ['DROP TRIGGER audit_is_not_deleted', ['audit_is_not_deleted']],
])('after %s what is missing is named, and the other tables are read', async (sql, missing) => {
  const { inspectContent } = await load();
  const engine = await openMemory();
  await engine.write(async (db) => {
    await db.run("INSERT INTO records VALUES ('a', 'b', 'no JSON')");
    await db.run("INSERT INTO records VALUES ('a', 'c', '1')");
    await db.run(sql);
  });
  const found = await inspectContent(engine, 'sqlite');
  // The indexes of a table go with it.
  expect(found.missing.filter((name) => !name.startsWith('history_'))).toEqual(missing);
  expect(found).toMatchObject({ unreadable: [{ table: 'records', rows: 1, of: 2 }], read: 2 });
});
