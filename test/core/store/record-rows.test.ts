/** How records are stored; what the broker requires of them is in records.test.ts. */
import { expect, test } from 'vitest';
import { createRecords, type Engine } from '../../../src/core/store/engine.ts';
import { loadAnew } from '../../support/load-anew.ts';
import { openMemory } from './support.ts';

/** Records with the statements that changed something. */
async function open() {
  const engine = await openMemory();
  const writes: string[] = [];
  const counting: Engine = {
    ...engine,
    write: (work) =>
      engine.write((db) =>
        work({
          ...db,
          run: (sql, ...values) => {
            writes.push(sql.split(' ')[0] ?? '');
            return db.run(sql, ...values);
          },
        }),
      ),
  };
  return { engine: counting, writes, rows: () => engine.read((db) => db.all('SELECT * FROM records ORDER BY name')) };
}

test('a record is one row with its state as JSON', async () => {
  const { createRecords } =
    await loadAnew<typeof import('../../../src/core/store/engine.ts')>('src/core/store/engine.ts');
  const { engine, rows } = await open();
  const records = createRecords(engine);
  await records.update('space', 'a', () => ({ state: { n: 1 }, result: undefined }));
  await records.update('space', 'b', () => ({ state: null, result: undefined }));
  await records.update<{ n: number }, void>('space', 'a', (before) => ({
    state: { n: (before?.n ?? 0) + 1 },
    result: undefined,
  }));
  expect(await rows()).toEqual([
    { space: 'space', name: 'a', value: '{"n":2}' },
    { space: 'space', name: 'b', value: 'null' },
  ]);
  expect(await records.read('space', 'a')).toEqual({ n: 2 });
  expect(await records.read('space', 'b')).toBeNull();
});

test('only a record that changes needs a write', async () => {
  const { engine, writes, rows } = await open();
  const records = createRecords(engine);
  const set = (state: unknown) => records.update('space', 'key', () => ({ state, result: undefined }));
  await set(undefined);
  expect(writes).toEqual([]);
  await set({ n: 1 });
  await set({ n: 1 });
  expect(writes).toEqual(['INSERT']);
  await set({ n: 2 });
  await records.update('space', 'other', () => ({ state: 1, result: undefined }));
  await set(undefined);
  await set(undefined);
  expect(writes).toEqual(['INSERT', 'INSERT', 'INSERT', 'DELETE']);
  expect(await rows()).toEqual([{ space: 'space', name: 'other', value: '1' }]);
});
