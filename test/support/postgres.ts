/** Databases of a real PostgreSQL: the one that TEST_DATABASE_URL names, or a server of its own for each worker. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { skipTest } from './skip.ts';

/** Its address, or why this machine can run none. */
let server: Promise<{ url: string } | Missing> | undefined;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}

export interface PostgresServer {
  /** The address of its first database. */
  readonly url: string;
  readonly port: number;
  /** Ends it and removes everything in it. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL, as a crash of its machine does; what it had committed stays in its folder `data`. */
  kill(): Promise<void>;
}

interface Missing {
  readonly missing: string;
}

interface ServerOptions {
  readonly port?: number;
  /** A folder in which its tables outlive it. */
  readonly data?: string;
}

/** Skips the running test where no server can run. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const started = await tryToStart(options);
  return 'missing' in started ? skipTest(started.missing) : started;
}

async function tryToStart({ port, data = '' }: ServerOptions): Promise<PostgresServer | Missing> {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, ['test/support/postgres-server.mjs', String(chosen), data], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.unref();
  const [word] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => ['it ended']),
  ])) as unknown[];
  const told = String(word).trim();
  if (told.startsWith('missing: ')) return { missing: told.slice('missing: '.length) };
  const [, pid] = /^ready (\d+)$/.exec(told) ?? [];
  if (pid === undefined) throw new Error(`no PostgreSQL: ${told}`);
  // Neither end of the pipes may keep the worker alive.
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
  return {
    url: `postgres://owner@127.0.0.1:${chosen}/postgres`,
    port: chosen,
    stop: async () => {
      child.ref();
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
    kill: async () => {
      child.ref();
      const ended = once(child, 'exit');
      process.kill(Number(pid), 'SIGKILL');
      await ended;
    },
  };
}

async function sharedServer(): Promise<string> {
  const { TEST_DATABASE_URL: given } = process.env;
  server ??= given ? Promise.resolve({ url: given }) : tryToStart({});
  const started = await server;
  return 'missing' in started ? skipTest(started.missing) : started.url;
}

/** An empty database, which is removed after the test; returns its address. */
export async function createDatabase(atEnd: (work: () => Promise<void>) => void = onTestFinished): Promise<string> {
  const url = await sharedServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(url, `CREATE DATABASE ${name}`);
  atEnd(async () => void (await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** One statement from outside the program. */
export async function administer(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
