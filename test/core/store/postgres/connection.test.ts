/** One transaction on a connection: what is sent, and what becomes of the connection. */
import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Statements } from '../../../../src/core/store/engine.ts';
import { openPool, transaction } from '../../../../src/core/store/postgres/postgres-connection.ts';
import { errorOf } from '../../../support/error-of.ts';
import { loadAnew } from '../../../support/load-anew.ts';
import { type Answer, createFakePool, serverError } from './fake-pool.ts';

const oneLine = (sql: string) => sql.replace(/\s+/g, ' ').trim();

/** Runs a transaction against answers; the clock of this machine shows 100, then 200. */
async function run<Result>(
  work: (db: Statements) => Promise<Result>,
  { answer = () => undefined, kind = 'write', pool }: { answer?: Answer; kind?: 'write' | 'read'; pool?: Pool } = {},
) {
  const fake = createFakePool(
    (sent) => answer(sent) ?? (sent.sql.startsWith('BEGIN') ? [{ rows: [{ now: 1 }] }] : undefined),
  );
  const stamps: object[] = [];
  let now = 0;
  const own = { now: () => (now += 100), sleep: async () => undefined };
  const result = transaction(pool ?? fake.pool, kind, own, (stamp) => void stamps.push(stamp), work);
  await result.catch(() => undefined);
  return {
    result,
    stamps,
    released: fake.released,
    sent: fake.sent,
    words: fake.sent.map(({ sql }) => sql.trim().split(/\s/)[0]),
  };
}

test('a transaction for changes takes the lock of writers, is durable, and its settings end with it', async () => {
  const { beginStatements, beginUnderLock } = await loadAnew<
    typeof import('../../../../src/core/store/postgres/postgres-connection.ts')
  >('src/core/store/postgres/postgres-connection.ts');
  const settings = [
    'SET LOCAL search_path = brokerage_mcp;',
    'SET LOCAL lock_timeout = 5000;',
    'SET LOCAL statement_timeout = 10000;',
    'SET LOCAL idle_in_transaction_session_timeout = 10000;',
  ];
  const stamp = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now;';
  expect(beginUnderLock).toBe('BEGIN ISOLATION LEVEL READ COMMITTED;');
  expect(oneLine(beginStatements.write)).toBe(
    [
      ...['BEGIN ISOLATION LEVEL READ COMMITTED;', ...settings],
      "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';",
      ...['SELECT pg_advisory_xact_lock(7236415002);', stamp],
    ].join(' '),
  );
  expect(oneLine(beginStatements.read)).toBe(
    ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;', ...settings, stamp].join(' '),
  );
});

test.each(['write', 'read'] as const)(
  'a %s is begun, done and committed on one connection, which is used again',
  async (kind) => {
    const { beginStatements } = await import('../../../../src/core/store/postgres/postgres-connection.ts');
    const rows = [{ a: 1 }];
    const { result, sent, released } = await run(
      async (db) => [
        await db.all('SELECT ? WHERE ?', 'x\0', 2),
        await db.run('UPDATE a SET b = ?', null),
        await db.run('SET x'),
      ],
      {
        kind,
        answer: ({ sql }) => {
          if (sql.startsWith('SELECT')) return { rows };
          if (sql.startsWith('UPDATE')) return { rows: [], rowCount: 3 };
          return sql.startsWith('SET') ? { rows: [], rowCount: null } : undefined;
        },
      },
    );
    expect(await result).toEqual([rows, 3, 0]);
    expect(sent).toEqual([
      { sql: beginStatements[kind] },
      { sql: 'SELECT $1 WHERE $2', values: ['x\uFFFD', 2] },
      { sql: 'UPDATE a SET b = $1', values: [null] },
      { sql: 'SET x', values: [] },
      { sql: 'COMMIT' },
    ]);
    expect(released).toEqual([false]);
  },
);

test.each([
  ['the last statement', [{ rows: [{ now: 1 }] }, { rows: [{ now: 2 }] }, { rows: [{ now: 7 }] }], 7],
  ['no row', [{ rows: [] }], Number.NaN],
  ['nothing', [], Number.NaN],
])('the time of the database is what %s of the beginning returns', async (_, answers, stampedAt) => {
  const { stamps } = await run(async () => undefined, {
    answer: ({ sql }) => (sql.startsWith('BEGIN') ? answers : undefined),
  });
  expect(stamps).toEqual([{ stampedAt, askedAt: 100, answeredAt: 200 }]);
});

test('an error of the work is thrown as it is, after the changes are taken back', async () => {
  const error = new Error('Connection of thoughts');
  const { result, words, released } = await run(async () => {
    throw error;
  });
  await expect(result).rejects.toBe(error);
  expect(words).toEqual(['BEGIN', 'ROLLBACK']);
  expect(released).toEqual([false]);
});

test('an error that the server sent ends the transaction and not the connection', async () => {
  const { result, words, released } = await run((db) => db.run('UPDATE a'), {
    answer: ({ sql }) => {
      if (sql.startsWith('UPDATE')) throw serverError('57014');
      return undefined;
    },
  });
  expect((await errorOf(result)).cause).toEqual({ store: 'too_slow' });
  expect(words).toEqual(['BEGIN', 'UPDATE', 'ROLLBACK']);
  expect(released).toEqual([false]);
});

test.each([
  ['an error of the driver', new Error('Connection terminated unexpectedly')],
  ['something that is no error, whatever it has', { severity: 'ERROR' }],
  ['a text', 'broken'],
])('after %s the connection is not used again', async (_, error) => {
  const { result, words, released } = await run((db) => db.run('UPDATE a'), {
    answer: ({ sql }) => {
      if (sql.startsWith('UPDATE')) throw error;
      return undefined;
    },
  });
  await expect(result).rejects.toBeDefined();
  expect(words).toEqual(['BEGIN', 'UPDATE']);
  expect(released).toEqual([true]);
});

test('a connection that broke stays discarded, whatever the server says of the next statement', async () => {
  const { released } = await run(
    async (db) => {
      await db.run('UPDATE a').catch(() => undefined);
      await db.run('DELETE a');
    },
    {
      answer: ({ sql }) => {
        if (sql.startsWith('UPDATE')) throw new Error('Connection terminated unexpectedly');
        if (sql.startsWith('DELETE')) throw serverError('25P02');
        return undefined;
      },
    },
  );
  expect(released).toEqual([true]);
});

test('a beginning that fails is taken back, and nothing is done', async () => {
  let isDone = false;
  const { result, words, stamps } = await run(
    async () => {
      isDone = true;
    },
    {
      answer: ({ sql }) => {
        if (sql.startsWith('BEGIN')) throw serverError('55P03');
        return undefined;
      },
    },
  );
  expect((await errorOf(result)).cause).toEqual({ store: 'held' });
  expect(words).toEqual(['BEGIN', 'ROLLBACK']);
  expect([isDone, stamps]).toEqual([false, []]);
});

test('a commit that the server turned into a rollback is an error', async () => {
  const { result, words, released } = await run(async () => 'done', {
    answer: ({ sql }) => (sql === 'COMMIT' ? { command: 'ROLLBACK', rows: [] } : undefined),
  });
  await expect(result).rejects.toThrow('a statement of this change failed');
  expect(words).toEqual(['BEGIN', 'COMMIT', 'ROLLBACK']);
  expect(released).toEqual([false]);
});

test('when taking back fails, the caller has the first error, and the connection is not used again', async () => {
  const first = new Error('first');
  const { result, released } = await run(
    async () => {
      throw first;
    },
    {
      answer: ({ sql }) => {
        if (sql === 'ROLLBACK') throw new Error('Connection terminated');
        return undefined;
      },
    },
  );
  await expect(result).rejects.toBe(first);
  expect(released).toEqual([true]);
});

test('without a connection the store cannot be used', async () => {
  const pool = {
    connect: async () => {
      throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    },
  } as unknown as Pool;
  const { result } = await run(async () => undefined, { pool });
  expect((await errorOf(result)).cause).toEqual({ store: 'unreachable' });
});

test('the pool has five connections with limits of time, says its name, and does not keep the program running', async () => {
  const pool = await openPool('postgres://me@127.0.0.1:9/x');
  onTestFinished(() => pool.end());
  const { options } = pool as unknown as { options: Record<string, unknown> };
  expect(options).toMatchObject({
    ...{ connectionString: 'postgres://me@127.0.0.1:9/x', max: 5, connectionTimeoutMillis: 5_000 },
    ...{ query_timeout: 12_000, idleTimeoutMillis: 30_000, allowExitOnIdle: true, keepAlive: true },
    application_name: 'brokerage-mcp',
  });
});

test('integers of the database are numbers, and other types are read as the driver does', async () => {
  const pool = await openPool('postgres://me@127.0.0.1:9/x');
  onTestFinished(() => pool.end());
  const { types } = (
    pool as unknown as {
      options: { types: { getTypeParser(oid: number, format?: string): (text: string) => unknown } };
    }
  ).options;
  expect(types.getTypeParser(20, 'text')('1768489200000')).toBe(1_768_489_200_000);
  expect(types.getTypeParser(25, 'text')('12')).toBe('12');
  expect(types.getTypeParser(16, 'text')('t')).toBe(true);
});

test('a connection that breaks while nobody uses it is no fault', async () => {
  const pool = await openPool('postgres://me@127.0.0.1:9/x');
  onTestFinished(() => pool.end());
  const client = new EventEmitter();
  pool.emit('connect', client as never);
  expect(() => client.emit('error', new Error('cut'))).not.toThrow();
  expect(() => pool.emit('error', new Error('cut'), client as never)).not.toThrow();
});
