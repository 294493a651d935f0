/** How the tables of a shared store are made: under a lock, once, and only by a program that knows them. */
import { expect, test } from 'vitest';
import { migrationsFor } from '../../../../src/core/store/migrations.ts';
import { withPlainText } from '../../../../src/core/store/postgres/postgres-connection.ts';
import { errorOf } from '../../../support/error-of.ts';
import { loadAnew } from '../../../support/load-anew.ts';
import { type Answer, createFakePool } from './fake-pool.ts';

const newest = migrationsFor('postgres').length;
const textsFrom = (version: number) => migrationsFor('postgres').slice(version).flat().map(withPlainText);

/** Migrates a database whose version is the next of these at each look; undefined is one without tables. */
async function run(
  versions: (number | undefined | null)[],
  { fsync = 'on', answer = (() => undefined) as Answer } = {},
) {
  const { migrate } = await loadAnew<typeof import('../../../../src/core/store/postgres/migrate.ts')>(
    'src/core/store/postgres/migrate.ts',
  );
  let look = -1;
  const fake = createFakePool((sent) => {
    const version = () => versions[Math.min(look, versions.length - 1)];
    if (sent.sql.includes('pg_tables')) {
      look += 1;
      return { rows: [{ exists: version() !== undefined, fsync }] };
    }
    if (sent.sql.startsWith('SELECT version')) {
      if (version() === undefined) throw new Error('There is no such table.');
      return { rows: version() === null ? [] : [{ version: version() }] };
    }
    return answer(sent);
  });
  const result = migrate(fake.pool);
  await result.catch(() => undefined);
  const sent = fake.sent.map(({ sql }) => sql.replace(/\s+/g, ' ').trim());
  return { result, sent, changes: sent.filter((sql) => !sql.startsWith('SELECT')), released: fake.released };
}

const begin =
  'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 5000; SELECT pg_advisory_xact_lock(7236415001)';
const prepare =
  'CREATE SCHEMA IF NOT EXISTS brokerage_mcp; SET LOCAL search_path = brokerage_mcp; CREATE TABLE IF NOT EXISTS version (version INTEGER NOT NULL)';
const finish = [`DELETE FROM version; INSERT INTO version VALUES (${newest})`, 'COMMIT'];
const squeeze = (texts: readonly string[]) => texts.map((sql) => sql.replace(/\s+/g, ' ').trim());

test('an empty database gets every version in one transaction', async () => {
  const { result, changes, released } = await run([undefined]);
  await result;
  expect(changes).toEqual([begin, prepare, ...squeeze(textsFrom(0)), ...finish]);
  expect(released).toHaveLength(1);
});

test('an earlier version gets what is new', async () => {
  const { result, changes } = await run([0]);
  await result;
  expect(changes).toEqual([begin, prepare, ...squeeze(textsFrom(0)), ...finish]);
});

test('a table of the version without a row is that of no version', async () => {
  const { result, changes } = await run([null]);
  await result;
  expect(changes).toEqual([begin, prepare, ...squeeze(textsFrom(0)), ...finish]);
});

test('the current version is left alone, without a lock', async () => {
  const { result, sent, changes } = await run([newest]);
  await result;
  expect(changes).toEqual([]);
  expect(sent).toEqual([
    expect.stringMatching(
      /FROM pg_catalog\.pg_tables WHERE schemaname = 'brokerage_mcp' AND tablename = 'version'.*current_setting\('fsync'\)/,
    ),
    'SELECT version FROM brokerage_mcp.version',
  ]);
});

test('what another machine made while this one waited for the lock is not made again', async () => {
  const { result, changes } = await run([undefined, newest]);
  await result;
  expect(changes).toEqual([begin, prepare, ...finish]);
});

test('a newer version is refused, and nothing is changed', async () => {
  const { result, changes, released } = await run([newest + 1]);
  const error = await errorOf(result);
  expect(error.message).toMatch(/^The shared store cannot be used: it was written by a newer version/);
  expect(error.cause).toEqual({ store: 'newer_version' });
  expect(changes).toEqual([begin, 'ROLLBACK']);
  expect(released).toHaveLength(1);
});

test.each([undefined, newest])(
  'a server that loses commits in a crash is refused, also with tables of version %s',
  async (version) => {
    const { result, changes, released } = await run([version], { fsync: 'off' });
    expect((await errorOf(result)).cause).toEqual({ store: 'fsync_off' });
    expect(changes).toEqual([]);
    expect(released).toHaveLength(1);
  },
);

test('a statement that fails takes everything back, and its error is the one that is thrown', async () => {
  const error = new Error('no space');
  const { result, sent, released } = await run([undefined], {
    answer: ({ sql }) => {
      if (sql.startsWith('CREATE TABLE audit')) throw error;
      if (sql === 'ROLLBACK') throw new Error('Connection terminated');
      return undefined;
    },
  });
  await expect(result).rejects.toBe(error);
  expect(sent.at(-1)).toBe('ROLLBACK');
  expect(sent).not.toContain('COMMIT');
  expect(released).toHaveLength(1);
});
