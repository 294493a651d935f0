/** What the doctor learns of the tables and rows of a store, in either database. */
// @module-tag process
import { describe, expect, test } from 'vitest';
import { createRecords } from '../../../src/core/store/engine.ts';
import { inspectContent } from '../../../src/core/store/inspect-content.ts';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { databases, type TestDatabase } from './support.ts';

const row = (id: string, createdAt: number) => ({
  id,
  kind: 'order',
  accountKey: 'account',
  environment: 'demo',
  state: 'PLACED',
  fingerprint: id,
  createdAt,
});

async function fill({ open }: TestDatabase) {
  const engine = open();
  await createJournal<ReturnType<typeof row>, never>(engine, { now: () => 1 }).change(async (tx) => {
    for (let index = 0; index < 3; index++) await tx.insert(row(`i${index}`, index));
    await tx.set('halt-count', 1);
  });
  await createRecords(engine).update('limit', 'x', () => ({ state: { slots: [] }, result: undefined }));
  return engine;
}

describe.each(databases)('in %s', (name, make) => {
  const dialect = name === 'SQLite' ? 'sqlite' : 'postgres';

  test('a store of this program is complete, and its rows can be read', async () => {
    const engine = await fill(await make());
    // Three intents, three records of the audit trail; its head, the count and the limit.
    expect(await inspectContent(engine, dialect)).toEqual({ missing: [], unreadable: [], read: 9 });
  });

  test.each([
    [`UPDATE intents SET data = '{"id":' WHERE id = 'i1'`, [{ table: 'intents', rows: 1, of: 3 }]],
    [`UPDATE records SET value = 'x' WHERE space = 'desk'`, [{ table: 'records', rows: 1, of: 3 }]],
    [`UPDATE audit SET data = ''`, [{ table: 'audit', rows: 3, of: 3 }]],
  ])('%s is reported by table and number', async (sql, unreadable) => {
    const database = await make();
    const engine = await fill(database);
    await database.tamper(sql);
    expect((await inspectContent(engine, dialect)).unreadable).toEqual(unreadable);
  });

  test.each([
    ['DROP TABLE submission_legs', ['submission_legs']],
    ['ALTER TABLE snapshots RENAME COLUMN data TO other', ['snapshots.data']],
    ['DROP INDEX one_in_flight', ['one_in_flight']],
  ])('%s is reported by name', async (sql, missing) => {
    const database = await make();
    const engine = await fill(database);
    await database.tamper(sql);
    const found = (await inspectContent(engine, dialect)).missing;
    // Tampering removes the guards of the audit trail in SQLite first.
    expect(found.filter((one) => !one.startsWith('audit_is_not_'))).toEqual(missing);
  });
});
