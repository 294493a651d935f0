/** The store as the program gets it, without a server. */
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { JournalRow } from '../../../src/core/store/journal-table.ts';
import { openStore } from '../../../src/core/store/open-store.ts';
import { errorOf } from '../../support/error-of.ts';
import { tempFolder } from './support.ts';

const realClock = { ...systemClock, now: () => 1_000_000 };
const base = { realClock, random: () => 0.5, self: 'me', merge: {} };

function openLocal(change: object = {}) {
  const stateDir = join(tempFolder(), 'state');
  const store = openStore<JournalRow, JournalRow>({ ...base, place: { stateDir }, ...change });
  onTestFinished(() => store.close());
  return { stateDir, ...store };
}

function openShared(change: object = {}) {
  // Nothing listens at this port.
  const store = openStore<JournalRow, JournalRow>({
    ...base,
    place: { stateUrl: 'postgres://me@127.0.0.1:9/x' },
    ...change,
  });
  onTestFinished(() => store.close());
  return store;
}

test('a store in a folder makes its file at the first use, and all its parts use that file', async () => {
  const { stateDir, ...store } = openLocal();
  const file = join(stateDir, 'store.sqlite');
  await store.ready();
  expect(existsSync(file)).toBe(false);
  await store.records.update('limit', 'key', () => ({ state: 1, result: undefined }));
  expect(existsSync(file)).toBe(true);
  expect(store.records.failure()).toBeUndefined();
  await store.journal.change((tx) => tx.note('demo', 'halt', {}));
  await store.snapshots.keep('a', { day: '2026-01-01' });
  await store.history.change({ account: 'a', kind: 'orders' }, (tx) => tx.setState({}));
  expect(await store.audit.last(5)).toMatchObject([{ at: 1_000_000, kind: 'halt' }]);
  // The limit, the state of the history and the head of the trail; the record of the trail and the value of the day.
  expect(await store.inspect()).toEqual({ missing: [], unreadable: [], read: 5 });
});

test('closing a store moves everything into its one file', async () => {
  const { stateDir, ...store } = openLocal();
  await store.journal.change((tx) => tx.note('demo', 'halt', {}));
  const log = join(stateDir, 'store.sqlite-wal');
  expect(statSync(log).size).toBeGreaterThan(0);
  await store.close();
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
});

test('in a folder, processes are known by their ids, and the time is that of this machine', () => {
  const store = openLocal();
  expect(store.isAlive).toBeUndefined();
  expect(store.clock).toBe(realClock);
  expect(store.realClock).toBe(realClock);
});

test('stored times are those of the clock that is given, and real time stays real', async () => {
  const clock = { ...systemClock, now: () => 7 };
  const store = openLocal({ clock });
  expect(store.clock).toBe(clock);
  expect(store.realClock).toBe(realClock);
  await store.journal.change((tx) => tx.note('demo', 'halt', {}));
  expect(await store.audit.last(1)).toMatchObject([{ at: 7 }]);
  expect(openShared({ clock }).clock).toBe(clock);
});

test('in a shared database the time and the living processes are those of the database', () => {
  const store = openShared();
  expect(store.isAlive?.('me')).toBe(true);
  expect(store.clock).not.toBe(realClock);
  expect(store.realClock).toBe(store.clock);
  expect(store.clock.now()).toBe(1_000_000);
});

test('a shared database that cannot be reached does not keep the program from starting, and records go on in memory', async () => {
  const store = openShared();
  await store.ready();
  expect((await errorOf(store.audit.last(1))).cause).toEqual({ store: 'unreachable' });
  expect((await errorOf(store.inspect())).cause).toEqual({ store: 'unreachable' });
  expect(await store.records.update('limit', 'key', () => ({ state: 1, result: 'kept' }))).toBe('kept');
  expect(await store.records.read('limit', 'key')).toBe(1);
  expect(store.records.failure()).toContain('shared store');
});

test('what memory kept while the store could not be used is merged by the function of its namespace', async () => {
  let now = 1_000_000;
  const clock = { ...systemClock, now: () => now };
  const store = openShared({ realClock: clock, merge: { limit: () => 2 } });
  await store.records.update('limit', 'key', () => ({ state: 1, result: undefined }));
  now += 1_999;
  expect(await store.records.read('limit', 'key')).toBe(1);
});

test('a shared database is asked for its time before the program is ready, and a store in a folder asks nobody', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const store = openShared({ place: { stateUrl: `postgres://me@127.0.0.1:${port}/x` } });
  expect(connections).toBe(0);
  await store.ready();
  expect(connections).toBeGreaterThan(0);
});
