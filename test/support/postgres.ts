/** Databases of a real PostgreSQL: the one that TEST_DATABASE_URL names, or a server that the workers of a run share. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';
import { type Missing, type PostgresServer, type ServerOptions, tryToStart } from './shared-postgres.ts';
import { skipTest } from './skip.ts';

type Address = Pick<PostgresServer, 'url'>;
const { TEST_DATABASE_URL: given } = process.env;
/** The address of the server, or why this machine can run none. */
let server: Promise<Address | Missing> | undefined;

/** A server of its own. Skips the running test where none can run. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const started = await tryToStart(options);
  return 'missing' in started ? skipTest(started.missing) : started;
}

const askForServer = async (): Promise<Address | Missing> =>
  given ? { url: given } : ((await (await fetch(String(inject('sharedPostgres')))).json()) as Address | Missing);

async function sharedServer(): Promise<string> {
  server ??= askForServer();
  const started = await server;
  return 'missing' in started ? skipTest(started.missing) : started.url;
}

/** An empty database, which is removed after the test where the server outlives the run; returns its address. */
export async function createDatabase(atEnd: (work: () => Promise<void>) => void = onTestFinished): Promise<string> {
  const url = await sharedServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(url, `CREATE DATABASE ${name}`);
  if (given) atEnd(async () => void (await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
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
