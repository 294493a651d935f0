/**
 * What is specific to PostgreSQL: a server that goes and comes, its time, its strings, and live processes on other
 * machines.
 */
// @module-tag process

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { createRecords } from '../../../src/core/store/engine.ts';
import { createHistoryTable } from '../../../src/core/store/history-table.ts';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { migrationsFor } from '../../../src/core/store/migrations.ts';
import { openStore } from '../../../src/core/store/open-store.ts';
import {
  createCircuitBreaker,
  createDatabaseClock,
  createPostgresEngine,
} from '../../../src/core/store/postgres/postgres-engine.ts';
import { sharedStoreUnavailable } from '../../../src/core/store/postgres/postgres-errors.ts';
import { errorOf } from '../../support/error-of.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { administer, createDatabase, startPostgres } from '../../support/postgres.ts';
import { openPostgres } from './support.ts';

test('a server that is shut down is reported, and used again when it is back', { tags: ['slow'] }, async () => {
  const first = await startPostgres();
  const engine = openPostgres(first.url);
  const records = createRecords(engine);
  await records.update('space', 'key', () => ({ state: 1, result: undefined }));
  await first.stop();
  for (let round = 0; round < 3; round++) {
    const error = await errorOf(records.read('space', 'key'));
    expect(error).toMatchObject({ code: 'store_unavailable', next: expect.stringContaining('BROKER_STATE_URL') });
    expect(error.message).toMatch(/^The shared store cannot be used: .+\.$/);
  }
  const second = await startPostgres({ port: first.port });
  onTestFinished(() => second.stop());
  // Its tables are made again, without a restart of this program.
  await records.update('space', 'key', () => ({ state: 2, result: undefined }));
  expect(await records.read('space', 'key')).toBe(2);
});

test('a server that accepts connections and does not respond costs one timeout, not one per call', async () => {
  let connections = 0;
  const hole = createServer(() => connections++).listen(0, '127.0.0.1');
  await once(hole, 'listening');
  onTestFinished(() => void hole.close());
  const own = createManualClock({ startAt: 1_000_000 });
  const { port } = hole.address() as AddressInfo;
  const engine = createPostgresEngine({ url: `postgres://owner@127.0.0.1:${port}/x`, clock: own, self: 'test' });
  onTestFinished(() => engine.close());
  const ask = () => errorOf(engine.read(async () => undefined));
  const first = await ask();
  expect(first.message).toContain('does not respond in time');
  const tried = connections;
  for (let n = 0; n < 20; n++) {
    await own.advance(200);
    expect(await ask()).toBe(first);
  }
  expect(connections).toBe(tried);
  // The refused calls in between have not extended the wait.
  await own.advance(1_500);
  const again = engine.read(async () => undefined);
  await expect(Promise.race([again, systemClock.sleep(300).then(() => 'waits')])).resolves.toBe('waits');
  hole.close();
  await again.catch(() => undefined);
});

test('one dead connection does not count as a server that does not respond', async () => {
  const own = createManualClock({ startAt: 1_000_000 });
  const silence = createCircuitBreaker(own);
  const error = sharedStoreUnavailable('no_answer', 'said in any words');
  silence.recordSuccess();
  silence.recordFailure(error);
  expect(silence.throwIfOpen).not.toThrow();
  await own.advance(10_000);
  silence.recordFailure(sharedStoreUnavailable('connection_broken', 'it does not respond in time'));
  expect(silence.throwIfOpen).not.toThrow();
  silence.recordFailure(error);
  expect(silence.throwIfOpen).toThrow(error);
  silence.recordSuccess();
  expect(silence.throwIfOpen).not.toThrow();
});

test('a connection that is cut during a change leaves nothing of it, and the next change succeeds', async () => {
  const url = await createDatabase();
  const engine = openPostgres(url);
  const records = createRecords(engine);
  await records.update('space', 'key', () => ({ state: 1, result: undefined }));
  const cut = engine.write(async (db) => {
    await db.run("UPDATE records SET value = '2'");
    await administer(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'",
    );
    await db.run("UPDATE records SET value = '3'");
  });
  expect(await errorOf(cut)).toMatchObject({ code: 'store_unavailable' });
  expect(await records.read('space', 'key')).toBe(1);
});

test('a failed statement whose error was ignored does not count as a change', async () => {
  const engine = openPostgres(await createDatabase());
  const careless = engine.write(async (db) => {
    await db.run('INSERT INTO records VALUES (NULL)').catch(() => undefined);
  });
  await expect(careless).rejects.toThrow(/failed/);
});

test.each([
  ['nothing listens there', () => 'postgres://owner@127.0.0.1:9/x', 'unreachable'],
  ['a host that is not known', () => 'postgres://owner@nowhere.invalid/x', 'unreachable'],
  ['a database that is not there', (url: string) => url.replace(/[^/]+$/, 'missing'), 'no_database'],
])('%s is reported without the password', async (_, change, store) => {
  const url = new URL(change(await createDatabase()));
  url.password = 'planted-secret';
  const error = await errorOf(openPostgres(url.href).write(async () => undefined));
  expect(error.cause).toEqual({ store });
  expect(JSON.stringify([error.message, error.next, error.facts])).not.toContain('planted-secret');
});

test('a server that would lose commits in a crash is not used', { tags: ['slow'] }, async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  await administer(server.url, 'ALTER SYSTEM SET fsync = off');
  await administer(server.url, 'SELECT pg_reload_conf()');
  await expect.poll(async () => (await administer(server.url, 'SHOW fsync'))[0]).toEqual({ fsync: 'off' });
  expect((await errorOf(openPostgres(server.url).write(async () => undefined))).cause).toEqual({ store: 'fsync_off' });
});

test('commits are durable even where the server was set to lose some', async () => {
  const url = await createDatabase();
  await administer(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
  const [setting] = await openPostgres(url).write((db) => db.all('SHOW synchronous_commit'));
  expect(setting).toEqual({ synchronous_commit: 'on' });
});

test.each(['repeatable read', 'serializable'])(
  'in a database whose transactions are usually %s, writers see what was written before their turn',
  async (level) => {
    const url = await createDatabase();
    const database = new URL(url).pathname.slice(1);
    await administer(url, `ALTER DATABASE ${database} SET default_transaction_isolation = '${level}'`);
    // They make the tables at the same time, too.
    const programs = ['a', 'b', 'c'].map((self) => createRecords(openPostgres(url, self)));
    const addOne = (records: ReturnType<typeof createRecords>) =>
      records.update<number, void>('space', 'key', (count = 0) => ({ state: count + 1, result: undefined }));
    await Promise.all(programs.flatMap((records) => Array.from({ length: 10 }, () => addOne(records))));
    expect(await programs[0]?.read('space', 'key')).toBe(30);
  },
);

test('a store of a newer version is left unchanged', async () => {
  const url = await createDatabase();
  await openPostgres(url).read(async () => undefined);
  await administer(url, 'UPDATE brokerage_mcp.version SET version = 999');
  const error = await errorOf(openPostgres(url).read(async () => undefined));
  expect(error.message).toContain('The shared store cannot be used: it was written by a newer version');
  expect(error.next).toContain('Update brokerage-mcp');
});

test('eight programs that open an empty database at once make its tables once', { tags: ['slow'] }, async () => {
  const url = await createDatabase();
  const engines = Array.from({ length: 8 }, (_, n) => openPostgres(url, `m${n}`));
  await Promise.all(engines.map((engine) => engine.read(async () => undefined)));
  expect(await administer(url, 'SELECT version FROM brokerage_mcp.version')).toEqual([
    { version: migrationsFor('postgres').length },
  ]);
});

test('the trail cannot be truncated either', async () => {
  const url = await createDatabase();
  await openPostgres(url).read(async () => undefined);
  await expect(administer(url, 'TRUNCATE brokerage_mcp.audit')).rejects.toThrow(/append-only/);
});

test('text that PostgreSQL cannot hold is stored as closely as possible', async () => {
  const engine = openPostgres(await createDatabase());
  await engine.write((db) => db.run("INSERT INTO records VALUES ('text', 'odd', ?)", 'a\0b\uD800'));
  const rows = await engine.read((db) => db.all("SELECT value FROM records WHERE space = 'text'"));
  expect(rows).toEqual([{ value: 'a\uFFFDb\uFFFD' }]);
});

test('rows are ordered by their bytes, whatever the language of the server', async () => {
  const history = createHistoryTable(openPostgres(await createDatabase()));
  const place = { account: 'a', kind: 'orders' };
  const rows = ['b', 'B', 'a', 'A', 'ä', '_'].map((key) => ({
    ...{ key, at: 5, ticker: undefined, type: undefined, isFinal: true, segment: 1, data: '{}' },
  }));
  await history.change(place, (tx) => tx.put('pages', rows));
  const spans = [{ source: 'pages', from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];
  const found = await history.read(place, (tx) => tx.rows({ spans }));
  expect(found.map(({ key }) => key)).toEqual(['ä', 'b', 'a', '_', 'B', 'A']);
  expect(found[0]?.at).toBe(5);
});

test('machines whose clocks are minutes apart have one time', { tags: ['slow'] }, async () => {
  const url = await createDatabase();
  const apart = [0, 300_000, -3_600_000].map((wrong) =>
    createPostgresEngine({ url, clock: { ...systemClock, now: () => Date.now() + wrong }, self: `m${wrong}` }),
  );
  for (const engine of apart) {
    onTestFinished(() => engine.close());
    const askedAt = Date.now();
    await engine.write(async () => undefined);
    // The delay of the response bounds the unknown part of the difference.
    const unknownMs = Date.now() - askedAt + 2;
    const [before, time, after] = [Date.now(), engine.clock.now(), Date.now()];
    expect(time).toBeGreaterThanOrEqual(before - unknownMs);
    expect(time).toBeLessThanOrEqual(after + unknownMs);
  }
});

test('the time follows a clock that is set while the program runs', () => {
  const own = createManualClock({ startAt: 1_000_000 });
  const clock = createDatabaseClock(own);
  expect(clock.now()).toBe(1_000_000);
  clock.recordTimestamp({ stampedAt: 5_000, askedAt: 1_000_000, answeredAt: 1_000_010 });
  expect(clock.now()).toBe(5_000 - 5);
  // A slow response is imprecise, and changes nothing that it does not contradict.
  clock.recordTimestamp({ stampedAt: 5_500, askedAt: 1_000_000, answeredAt: 1_001_000 });
  expect(clock.now()).toBe(5_000 - 5);
  // The machine's clock was set: a difference this large cannot come from the delay.
  clock.recordTimestamp({ stampedAt: 9_000, askedAt: 1_000_000, answeredAt: 1_000_004 });
  expect(clock.now()).toBe(9_000 - 5);
});

test('a process that ends is known to have ended, and one without a heartbeat is taken for dead', {
  tags: ['slow'],
}, async () => {
  const url = await createDatabase();
  const [here, ending] = [openPostgres(url, 'here'), openPostgres(url, 'ending')];
  for (const engine of [ending, here]) await engine.read(async () => undefined);
  expect([here.isAlive('here'), here.isAlive('ending'), here.isAlive('nobody yet')]).toEqual([true, true, true]);
  await administer(
    url,
    `INSERT INTO brokerage_mcp.processes VALUES
       ('killed', (extract(epoch FROM now()) * 1000)::bigint - 9000), ('paused', (extract(epoch FROM now()) * 1000)::bigint - 4000)`,
  );
  await ending.close();
  await expect.poll(() => here.isAlive('ending')).toBe(false);
  expect([here.isAlive('killed'), here.isAlive('paused'), here.isAlive('here')]).toEqual([false, true, true]);
});

test('an empty list selects nothing, and is no mistake in a statement', async () => {
  const engine = openPostgres(await createDatabase());
  const journal = createJournal(engine, systemClock);
  const states: string[] = [];
  const found = await journal.read(async (tx) => [
    await tx.list({ states }),
    await tx.listSubmissions({ states }),
    await tx.listDrafts({ accountKey: 'account', environment: 'demo', states }),
  ]);
  expect(found).toEqual([[], [], []]);
  const spans = [{ source: 'pages', from: 0, to: 1 }];
  const rows = await createHistoryTable(engine).read({ account: 'a', kind: 'orders' }, async (tx) => [
    await tx.known([]),
    await tx.rows({ spans, types: [] }),
    await tx.rows({ spans: [] }),
  ]);
  expect(rows).toEqual([[], [], []]);
});

test('tables that vanished are reported, and made again at the next use', async () => {
  const url = await createDatabase();
  const records = createRecords(openPostgres(url));
  await records.update('space', 'key', () => ({ state: 1, result: undefined }));
  await administer(url, 'DROP SCHEMA brokerage_mcp CASCADE');
  expect((await errorOf(records.read('space', 'key'))).cause).toEqual({ store: 'no_tables' });
  expect(await records.read('space', 'key')).toBeUndefined();
});

test('an engine that is closed has no connection left, and its process says that it ended', async () => {
  const url = await createDatabase();
  const engine = openPostgres(url, 'ending');
  await engine.read(async () => undefined);
  const name = new URL(url).pathname.slice(1);
  const count = () =>
    administer(
      url,
      `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
    );
  expect(await count()).toEqual([{ open: expect.any(Number) }]);
  expect(await count()).not.toEqual([{ open: 0 }]);
  await engine.close();
  await expect.poll(count).toEqual([{ open: 0 }]);
  expect(await administer(url, 'SELECT id, beat_at FROM brokerage_mcp.processes')).toEqual([
    { id: 'ending', beat_at: '0' },
  ]);
});

test('the time of a shared store is known after its first transaction', async () => {
  const engine = openPostgres(await createDatabase());
  expect(engine.clock.ahead()).toBeUndefined();
  await engine.read(async () => undefined);
  expect(Math.abs(engine.clock.ahead() ?? Number.NaN)).toBeLessThan(60_000);
});

test('a shared store that the program made is complete, by the catalogue of its database', async () => {
  const stateUrl = await createDatabase();
  const store = openStore({ place: { stateUrl }, realClock: systemClock, random: Math.random, self: 'me', merge: {} });
  onTestFinished(() => store.close());
  await store.ready();
  expect(await store.inspect()).toEqual({ missing: [], unreadable: [], read: 0 });
});
