/** Real PostgreSQL servers, and the one that all workers of a run share: `initdb` takes seconds of processor time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { findFreePort } from './free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a worker asks for the address of the shared server; undefined where the run has none. */
    readonly sharedPostgres: string | undefined;
  }
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

export interface Missing {
  readonly missing: string;
}

export interface ServerOptions {
  readonly port?: number;
  /** A folder in which its tables outlive it. */
  readonly data?: string;
}

/** Starts a server, or returns why this machine can run none. */
export async function tryToStart({ port, data = '' }: ServerOptions): Promise<PostgresServer | Missing> {
  const chosen = port ?? (await findFreePort());
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

/** Answers each request with the address of the shared server, or why there is none. The first request starts it. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  let started: ReturnType<typeof tryToStart> | undefined;
  const http = createHttpServer((_, response) => {
    started ??= tryToStart({});
    started.then(
      (server) => response.end(JSON.stringify(server)),
      (error: Error) => response.destroy(error),
    );
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  provide('sharedPostgres', `http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  return async () => {
    http.close();
    http.closeAllConnections();
    const server = await started?.catch(() => undefined);
    if (server && 'stop' in server) await server.stop();
  };
};
