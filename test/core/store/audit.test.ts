/** The chain of the audit trail: what is in a record, and what verifying finds. */
import { expect, test } from 'vitest';
import { appendAudit, createAuditTrail, readHashOf, readHead } from '../../../src/core/store/audit-table.ts';
import { type Engine, writeRecord } from '../../../src/core/store/engine.ts';
import { loadAnew } from '../../support/load-anew.ts';
import { hashOf, openMemory, type Stored } from './support.ts';

const zeros = '0'.repeat(64);

/** A trail with records numbered from 1; record `n` was made at time `n`. */
async function openTrail(count: number) {
  const engine = await openMemory();
  const append = (from: number, to = from) =>
    engine.write(async (db) => {
      for (let n = from; n <= to; n++) await appendAudit(db, { at: n, environment: 'demo', kind: 'note', data: { n } });
    });
  await append(1, count);
  const rows = () => engine.read((db) => db.all<Stored>('SELECT * FROM audit ORDER BY seq'));
  /** As somebody does who can write the file. */
  const tamper = (sql: string, ...values: (string | number)[]) =>
    engine.write(async (db) => {
      await db.run('DROP TRIGGER IF EXISTS audit_is_not_changed');
      await db.run('DROP TRIGGER IF EXISTS audit_is_not_deleted');
      await db.run(sql, ...values);
    });
  const setHead = (head: { readonly seq: number; readonly hash: string }) =>
    engine.write((db) => writeRecord(db, 'audit', 'head', head, ''));
  return { engine, append, rows, tamper, setHead, trail: createAuditTrail(engine) };
}

test('a record holds the hash of the one before, and its own over all that is in it; the first follows 64 zeros', async () => {
  const anew = await loadAnew<typeof import('../../../src/core/store/audit-table.ts')>('src/core/store/audit-table.ts');
  const engine = await openMemory();
  const trail = anew.createAuditTrail(engine);
  expect(await engine.read(anew.readHead)).toEqual({ seq: 0, hash: zeros });
  await engine.write(async (db) => {
    await anew.appendAudit(db, { at: 5, environment: 'demo', kind: 'note', data: { a: 1 } });
    await anew.appendAudit(db, { at: 7, environment: 'live', kind: 'halt', data: {} });
  });
  const one = { seq: 1, at: 5, environment: 'demo', kind: 'note', data: '{"a":1}', previous: zeros };
  const two = { seq: 2, at: 7, environment: 'live', kind: 'halt', data: '{}', previous: hashOf(one) };
  expect(await engine.read((db) => db.all<Stored>('SELECT * FROM audit ORDER BY seq'))).toEqual([
    { ...one, hash: hashOf(one) },
    { ...two, hash: hashOf(two) },
  ]);
  expect(await engine.read(anew.readHead)).toEqual({ seq: 2, hash: hashOf(two) });
  expect(await trail.last(1)).toEqual([
    { seq: 2, at: 7, environment: 'live', kind: 'halt', data: {}, hash: hashOf(two) },
  ]);
  expect(await trail.verify()).toEqual({ holds: true, rows: 2 });
  expect([anew.describeIntactChain(1), anew.describeIntactChain(2)]).toEqual([
    '1 record, the chain is intact',
    '2 records, the chain is intact',
  ]);
});

test('the newest records come first, and those since a time come in the order in which they happened', async () => {
  const { trail } = await openTrail(4);
  const numbers = (rows: readonly { seq: number }[]) => rows.map(({ seq }) => seq);
  expect(numbers(await trail.last(3))).toEqual([4, 3, 2]);
  expect(numbers(await trail.since(2, 10))).toEqual([2, 3, 4]);
  expect(numbers(await trail.since(2, 2))).toEqual([3, 4]);
});

test('a fault of the program is in the trail, and the newest one is found without reading it', async () => {
  const { trail } = await openTrail(0);
  expect(await trail.newestFault()).toBeUndefined();
  const fault = { at: 9, task: 'send an order', code: 'TypeError', place: 'f (src/a.ts)' };
  await trail.keepFault({ ...fault, at: 8 }, 'live');
  await trail.keepFault(fault, 'demo');
  expect(await trail.newestFault()).toEqual(fault);
  const { at, ...data } = fault;
  expect(await trail.last(2)).toMatchObject([
    { seq: 2, at, environment: 'demo', kind: 'fault', data },
    { seq: 1, at: 8, environment: 'live', kind: 'fault', data },
  ]);
  expect((await trail.last(2)).map((row) => row.data)).toEqual([data, data]);
  expect(await trail.verify()).toEqual({ holds: true, rows: 2 });
});

test('a trail without a record is intact', async () => {
  expect(await (await openTrail(0)).trail.verify()).toEqual({ holds: true, rows: 0 });
});

test.each([-1, 0, 1, 2, 3, 4])('an intact chain of three records is intact from record %i on', async (from) => {
  const { trail } = await openTrail(3);
  expect(await trail.verify(from)).toEqual({ holds: true, rows: 3 });
});

test('verifying from a record on does not read those before the one that it follows', async () => {
  const { trail, tamper } = await openTrail(4);
  await tamper("UPDATE audit SET data = '{}' WHERE seq = 2");
  expect(await trail.verify()).toEqual({ holds: false, rows: 1, brokenAt: 2 });
  expect(await trail.verify(2)).toEqual({ holds: false, rows: 1, brokenAt: 2 });
  expect(await trail.verify(3)).toEqual({ holds: true, rows: 4 });
});

test('verifying from a record on, the record before must exist and have the hash that the next one names', async () => {
  const { trail, tamper } = await openTrail(4);
  await tamper("UPDATE audit SET hash = 'other' WHERE seq = 3");
  expect(await trail.verify(4)).toEqual({ holds: false, rows: 3, brokenAt: 4 });
  await tamper('DELETE FROM audit WHERE seq = 3');
  expect(await trail.verify(4)).toEqual({ holds: false, rows: 3, brokenAt: 4 });
  expect(await trail.verify(6)).toEqual({ holds: false, rows: 5, brokenAt: 6 });
});

test('a record that names no record before it does not follow one that is missing', async () => {
  const { trail, rows, tamper, setHead } = await openTrail(3);
  const [, , third] = (await rows()) as [Stored, Stored, Stored];
  const hash = hashOf({ ...third, previous: '' });
  await tamper('DELETE FROM audit WHERE seq = 2');
  await tamper("UPDATE audit SET previous = '', hash = ? WHERE seq = 3", hash);
  await setHead({ seq: 3, hash });
  expect(await trail.verify(3)).toEqual({ holds: false, rows: 2, brokenAt: 3 });
});

test('a record that does not exist has no hash', async () => {
  const { engine, rows } = await openTrail(2);
  const [, last] = (await rows()) as [Stored, Stored];
  expect(await engine.read((db) => readHashOf(db, 2))).toBe(last.hash);
  expect(await engine.read((db) => readHashOf(db, 3))).toBe(undefined);
});

test('a gap in the numbers breaks the chain, although the records on both sides were linked again', async () => {
  const { trail, rows, tamper, setHead } = await openTrail(3);
  const [first, , third] = (await rows()) as [Stored, Stored, Stored];
  const hash = hashOf({ ...third, previous: first.hash });
  await tamper('DELETE FROM audit WHERE seq = 2');
  await tamper('UPDATE audit SET previous = ?, hash = ? WHERE seq = 3', first.hash, hash);
  await setHead({ seq: 3, hash });
  expect(await trail.verify()).toEqual({ holds: false, rows: 1, brokenAt: 2 });
});

test.each([
  ['another number', ({ hash }: Stored) => ({ seq: 4, hash })],
  ['a lower number', ({ hash }: Stored) => ({ seq: 2, hash })],
  ['another hash', ({ seq }: Stored) => ({ seq, hash: zeros })],
])('a stored end with %s than the last record breaks the chain after it', async (_, change) => {
  const { trail, rows, setHead } = await openTrail(3);
  const last = (await rows())[2] as Stored;
  await setHead(change(last));
  expect(await trail.verify()).toEqual({ holds: false, rows: 3, brokenAt: 4 });
});

test('a lost end of the trail is noticed: without the stored end the chain does not hold', async () => {
  const { engine, trail } = await openTrail(3);
  await engine.write((db) => db.run("DELETE FROM records WHERE space = 'audit'"));
  expect(await engine.read(readHead)).toEqual({ seq: 0, hash: zeros });
  expect(await trail.verify()).toEqual({ holds: false, rows: 3, brokenAt: 4 });
});

test('a record after the stored end breaks the chain, also where the end is the last record of a part', async () => {
  const { trail, rows, setHead } = await openTrail(501);
  const { seq, hash } = (await rows())[499] as Stored;
  await setHead({ seq, hash });
  expect(await trail.verify()).toEqual({ holds: false, rows: 501, brokenAt: 502 });
});

test.each([499, 500, 501])('a chain of %i records is verified to its end', async (count) => {
  const { trail, tamper } = await openTrail(count);
  expect(await trail.verify()).toEqual({ holds: true, rows: count });
  await tamper('UPDATE audit SET at = at + 1 WHERE seq = ?', count);
  expect(await trail.verify()).toEqual({ holds: false, rows: count - 1, brokenAt: count });
});

test('records that are appended while the chain is verified are verified as well', async () => {
  const { engine, append } = await openTrail(3);
  let reads = 0;
  const busy: Engine = {
    ...engine,
    read: async (work) => {
      const result = await engine.read(work);
      reads += 1;
      if (reads === 1) await append(4, 5);
      return result;
    },
  };
  expect(await createAuditTrail(busy).verify()).toEqual({ holds: true, rows: 5 });
});

test('other work has a turn between two parts of a long trail', async () => {
  const { trail } = await openTrail(1_001);
  let turns = 0;
  const count = () => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  await trail.verify();
  clearImmediate(waiting);
  expect(turns).toBeGreaterThanOrEqual(2);
});
