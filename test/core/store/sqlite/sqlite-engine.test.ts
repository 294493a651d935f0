/** The engine in detail: what its errors mean, how it waits, and what it does to files. */
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import { migrationsFor } from '../../../../src/core/store/migrations.ts';
import { openDatabase } from '../../../../src/core/store/sqlite/binding.ts';
import { errorOf } from '../../../support/error-of.ts';
import { loadAnew } from '../../../support/load-anew.ts';
import { openEngine, tempFolder } from '../support.ts';

const load = () =>
  loadAnew<typeof import('../../../../src/core/store/sqlite/sqlite-engine.ts')>(
    'src/core/store/sqlite/sqlite-engine.ts',
  );
const newPath = () => join(tempFolder(), 'state', 'store.sqlite');

/** Another program with the file open. */
async function openOther(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  const db = await openDatabase(path);
  onTestFinished(() => {
    try {
      db.close();
    } catch {
      // The test has closed it.
    }
  });
  return db;
}

/** An engine whose time moves only while it sleeps. */
async function openSlow(path: string, { stepMs = 1, onSleep = () => undefined as unknown, random = 0.25 } = {}) {
  let now = 0;
  const sleeps: number[] = [];
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      sleeps.push(ms);
      now += stepMs;
      onSleep();
    },
  };
  const { createSqliteEngine } = await load();
  const engine = createSqliteEngine({ path, clock, random: () => random });
  onTestFinished(() => engine.close());
  return { engine, sleeps };
}

describe('an error', () => {
  const throwing = async (error: unknown) => {
    const { createSqliteEngine } = await load();
    const engine = createSqliteEngine({ path: newPath(), clock: systemClock, random: () => 0.5 });
    onTestFinished(() => engine.close());
    return engine.write(async () => {
      throw error;
    });
  };

  test.each([
    [{ errcode: 5 }, 'held'],
    [{ errcode: 6 }, 'held'],
    [{ errcode: 8 }, 'not_writable'],
    [{ errcode: 10 }, 'disk_trouble'],
    [{ errcode: 11 }, 'damaged'],
    [{ errcode: 13 }, 'disk_full'],
    [{ errcode: 14 }, 'folder_unusable'],
    [{ errcode: 26 }, 'damaged'],
    // The upper bits say more precisely what failed.
    [{ errcode: 10 + 3 * 256 }, 'disk_trouble'],
    [{ errcode: 5 + 2 * 256 }, 'held'],
    [{ sqliteCode: 13 }, 'disk_full'],
    [{ errcode: 11, sqliteCode: 13 }, 'damaged'],
    [{ code: 'ENOSPC' }, 'disk_full'],
    [{ code: 'EACCES' }, 'not_writable'],
    [{ code: 'EROFS' }, 'read_only_disk'],
    [{ code: 'ENOENT' }, 'no_folder'],
    [{ code: 'ENOTDIR' }, 'no_folder'],
    [{ code: 'EEXIST' }, 'no_folder'],
    [{ code: 'EISDIR' }, 'no_folder'],
    [{ code: 'EPERM' }, 'folder_unusable'],
    [{ code: 'EMFILE' }, 'folder_unusable'],
    [{ code: 'EIO' }, 'folder_unusable'],
    [{ code: 'EDQUOT' }, 'folder_unusable'],
  ])('with %o means that the store cannot be used: %s', async (details, store) => {
    const error = await errorOf(throwing(Object.assign(new Error('x'), details)));
    expect(error).toMatchObject({ code: 'store_unavailable', cause: { store } });
    expect(error.message).toMatch(/^The local store cannot be used: .+\.$/);
  });

  test.each([
    ['of an SQL statement', Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode: 1 })],
    ['of a constraint', Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode: 19 + 8 * 256 })],
    ['with a code as text', Object.assign(new Error('x'), { errcode: '13' })],
    ['with a code that is not of the file system', Object.assign(new Error('x'), { code: 'toString' })],
    ['without a code', new Error('x')],
    ['that is undefined', undefined],
    ['that is null', null],
  ])('%s is a mistake of the program, and stays as it is', async (_, error) => {
    await expect(throwing(error)).rejects.toBe(error);
  });
});

describe('while another program holds the file', () => {
  test('a change is tried again after pauses that grow, until it can be made', async () => {
    const path = newPath();
    await openEngine(path).write(async () => undefined);
    const other = await openOther(path);
    let rounds = 0;
    const { engine, sleeps } = await openSlow(path, { onSleep: () => ++rounds === 3 && other.exec('COMMIT') });
    await engine.read(async () => undefined);
    other.exec('BEGIN IMMEDIATE');
    expect(await engine.write(async () => 'made')).toBe('made');
    // Two milliseconds more in each round, times a random factor between a half and one and a half.
    expect(sleeps).toEqual([1.5, 3, 4.5]);
  });

  test('a change waits for five seconds and not longer', async () => {
    const path = newPath();
    await openEngine(path).write(async () => undefined);
    const other = await openOther(path);
    const { engine, sleeps } = await openSlow(path, { stepMs: 2_500 });
    await engine.read(async () => undefined);
    other.exec('BEGIN IMMEDIATE');
    const error = await errorOf(engine.write(async () => undefined));
    expect(error).toMatchObject({ code: 'store_unavailable', cause: { store: 'held' } });
    expect(sleeps).toHaveLength(3);
    other.exec('ROLLBACK');
    expect(await engine.write(async () => 'made')).toBe('made');
  });

  test('a store of this version is opened and read without waiting', async () => {
    const path = newPath();
    await openEngine(path).write((db) => db.run("INSERT INTO records VALUES ('a', 'b', '1')"));
    const other = await openOther(path);
    other.exec('BEGIN IMMEDIATE');
    const { engine, sleeps } = await openSlow(path);
    expect(await engine.read((db) => db.all('SELECT * FROM records'))).toHaveLength(1);
    expect(sleeps).toEqual([]);
  });

  test('an error that has another reason is not tried again', async () => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x'.repeat(5_000));
    const { engine, sleeps } = await openSlow(path);
    expect((await errorOf(engine.read(async () => undefined))).cause).toEqual({ store: 'damaged' });
    expect(sleeps).toEqual([]);
  });
});

describe('the tables', () => {
  test('that another program made in the meantime are used as they are', async () => {
    const path = newPath();
    const other = await openOther(path);
    other.exec('PRAGMA journal_mode = WAL');
    other.exec('BEGIN IMMEDIATE');
    const { engine, sleeps } = await openSlow(path, {
      onSleep: () => {
        for (const sql of migrationsFor('sqlite').flat()) other.exec(sql);
        other.exec(`PRAGMA user_version = ${migrationsFor('sqlite').length}`);
        other.exec("INSERT INTO records VALUES ('a', 'b', '1')");
        other.exec('COMMIT');
      },
    });
    expect(await engine.read((db) => db.all('SELECT value FROM records'))).toEqual([{ value: '1' }]);
    expect(sleeps).toHaveLength(1);
  });

  test('of a newer version are refused with a sentence about this store, and can be used by that program', async () => {
    const path = newPath();
    const other = await openOther(path);
    other.exec('PRAGMA user_version = 999');
    const error = await errorOf(openEngine(path).write(async () => undefined));
    expect(error.message).toBe('The local store cannot be used: it was written by a newer version of brokerage-mcp.');
    other.exec('BEGIN IMMEDIATE; PRAGMA user_version = 1000; COMMIT');
    expect(other.prepare('PRAGMA user_version').all()).toEqual([{ user_version: 1_000 }]);
  });
});

test('a connection waits for 20 ms by itself, asks the disk to keep what it wrote, and checks references', async () => {
  const engine = openEngine(newPath());
  const settings = ['busy_timeout', 'synchronous', 'fullfsync', 'checkpoint_fullfsync', 'foreign_keys'];
  const found = await engine.read(async (db) => {
    const values: unknown[] = [];
    for (const name of settings) values.push(...Object.values((await db.all<object>(`PRAGMA ${name}`))[0] ?? {}));
    return values;
  });
  expect(found).toEqual([20, 2, 1, 1, 1]);
  await expect(
    engine.write((db) => db.run("INSERT INTO draft_versions VALUES ('x', 1, 1, 'tool', NULL, '[]')")),
  ).rejects.toThrow(/FOREIGN KEY/);
});

test('the trail in a file accepts additions only', async () => {
  const { engine } = await openSlow(newPath());
  await engine.write((db) => db.run("INSERT INTO audit VALUES (1, 1, 'demo', 'note', '{}', '', '')"));
  await expect(engine.write((db) => db.run("UPDATE audit SET data = ''"))).rejects.toThrow(/append-only/);
  await expect(engine.write((db) => db.run('DELETE FROM audit'))).rejects.toThrow(/append-only/);
});

test('a statement returns its rows, or how many rows it changed', async () => {
  const engine = openEngine(newPath());
  const counts = await engine.write(async (db) => [
    await db.run("INSERT INTO records VALUES ('a', 'b', ?), ('a', 'c', ?)", '1', '2'),
    await db.run('UPDATE records SET value = ? WHERE space = ?', '3', 'a'),
    await db.run('DELETE FROM records WHERE name = ?', 'missing'),
  ]);
  expect(counts).toEqual([2, 2, 0]);
  expect(
    await engine.read((db) => db.all('SELECT name, value FROM records WHERE value = ? ORDER BY name', '3')),
  ).toEqual([
    { name: 'b', value: '3' },
    { name: 'c', value: '3' },
  ]);
});

test('callers take turns, also after one that failed, and other work has a turn after each four of them', async () => {
  const { engine } = await openSlow(newPath());
  await engine.read(async () => undefined);
  const order: number[] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  const work = Array.from({ length: 40 }, (_, n) =>
    engine[n % 2 ? 'read' : 'write'](async (db) => {
      await db.all('SELECT 1');
      order.push(n);
      if (n === 5) throw new Error('the fifth');
    }),
  );
  const ends = await Promise.allSettled(work);
  clearImmediate(waiting);
  expect(order).toEqual(Array.from({ length: 40 }, (_, n) => n));
  expect(ends.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([5]);
  expect(turns).toBeGreaterThanOrEqual(8);
  expect(turns).toBeLessThanOrEqual(12);
});

describe('closing', () => {
  test('moves everything into the one file, also while another program has it open', async () => {
    const path = newPath();
    const engine = openEngine(path);
    await engine.write((db) => db.run("INSERT INTO records VALUES ('a', 'b', '1')"));
    const other = await openOther(path);
    expect(other.prepare('SELECT COUNT(*) AS n FROM records').all()).toEqual([{ n: 1 }]);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    await engine.close();
    expect(statSync(`${path}-wal`).size).toBe(0);
  });

  test('waits for the work before it; a later use is refused and makes no file, and closing twice is no error', async () => {
    const path = newPath();
    const engine = openEngine(path);
    const writing = engine.write((db) => db.run("INSERT INTO records VALUES ('a', 'b', '1')"));
    await engine.close();
    expect(await writing).toBe(1);
    rmSync(dirname(path), { recursive: true });
    expect((await errorOf(engine.read(async () => 1))).cause).toEqual({ store: 'ending' });
    expect((await errorOf(engine.write(async () => 1))).cause).toEqual({ store: 'ending' });
    expect(existsSync(dirname(path))).toBe(false);
    await engine.close();
  });

  test('a store that was never opened, or could not be, is no error', async () => {
    await openEngine(newPath()).close();
    const file = join(tempFolder(), 'in-the-way');
    writeFileSync(file, '');
    const engine = openEngine(join(file, 'store.sqlite'));
    await errorOf(engine.read(async () => undefined));
    await engine.close();
  });
});

test('a store that could not be opened is opened at the next use, by the same program', async () => {
  const folder = join(tempFolder(), 'state');
  writeFileSync(folder, '');
  const engine = openEngine(join(folder, 'store.sqlite'));
  expect((await errorOf(engine.write(async () => 1))).cause).toEqual({ store: 'no_folder' });
  rmSync(folder);
  expect(await engine.write(async () => 1)).toBe(1);
});

describe('the modes', () => {
  test('of a folder that all users share stay as they are, and the file is private', async () => {
    const folder = join(tempFolder(), 'shared');
    mkdirSync(folder);
    chmodSync(folder, 0o1777);
    const path = join(folder, 'store.sqlite');
    await openEngine(path).read(async () => undefined);
    expect(statSync(folder).mode & 0o7777).toBe(0o1777);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('of a folder that is private stay as they are', async () => {
    const folder = join(tempFolder(), 'private');
    mkdirSync(folder);
    chmodSync(folder, 0o2700);
    await openEngine(join(folder, 'store.sqlite')).read(async () => undefined);
    expect(statSync(folder).mode & 0o7777).toBe(0o2700);
  });

  test('of a file that others could read are restricted', async () => {
    const path = newPath();
    (await openOther(path)).close();
    chmodSync(path, 0o644);
    await openEngine(path).read(async () => undefined);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
