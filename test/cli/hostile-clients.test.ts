/** The built program under hostile clients: what each of them gets, and that a client with the token is served. */
// @module-tag process
// @module-tag slow
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  deepBody,
  type HostileClient,
  halfBodies,
  halfSent,
  openSession,
  post,
  silent,
  statelessRequest,
  type Target,
  unread,
  wideBody,
} from '../support/hostile-clients.ts';
import { rawRequest, sendRaw, token } from '../support/http.ts';
import { startHttpProcess } from '../support/http-process.ts';

/** One server for all: each test checks that it still serves, and leaves it no connection. */
let target: Target = { port: 0, token };
const atEnd: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-hostile-'));
  const { url } = await startHttpProcess({ BROKER_STATE_DIR: folder }, undefined, (end) => atEnd.push(end));
  atEnd.push(() => rm(folder, { recursive: true, force: true }));
  target = { port: Number(url.port), token };
});
afterAll(async () => {
  for (const end of atEnd) await end();
});

const keep = <Client extends HostileClient>(client: Client): Client => {
  onTestFinished(() => client.close());
  return client;
};

const closing = (text: string) => text.replace('connection: keep-alive', 'connection: close');
const host = ({ port }: Target) => ({ host: `127.0.0.1:${port}` });

/** The statuses of a call with the token and of /health, each on a new connection. */
async function askAll(target: Target): Promise<number[]> {
  const call = closing(statelessRequest(target, 'tools/call', { name: 'get_server_status', arguments: {} }));
  const answers = [sendRaw(target.port, call), sendRaw(target.port, rawRequest('GET /health', host(target)))];
  return (await Promise.all(answers)).map(({ status }) => status);
}

async function gauges(target: Target): Promise<Readonly<Record<string, number>>> {
  const headers = { ...host(target), authorization: `Bearer ${token}` };
  const { body } = await sendRaw(target.port, rawRequest('GET /metrics', headers));
  const lines = [...body.matchAll(/^brokerage_mcp_(sessions|connections\S*) (\d+)$/gm)];
  return Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]));
}

/** Waits until the connections with the token, without our own, are as expected. */
async function expectTrusted(target: Target, isExpected: (count: number) => boolean): Promise<void> {
  const look = async () => isExpected(((await gauges(target))['connections{kind="trusted"}'] ?? Number.NaN) - 1);
  await expect.poll(look, { timeout: 20_000 }).toBe(true);
}

test('with 700 silent and half-sent connections, a call and /health succeed, and 512 of the others stay', async () => {
  const quiet = keep(silent(target, 350));
  const half = keep(halfSent(target, 350));
  expect(await askAll(target)).toEqual([200, 200]);
  await expect.poll(() => quiet.open() + half.open(), { timeout: 20_000 }).toBeLessThanOrEqual(512);
  expect(await askAll(target)).toEqual([200, 200]);
});

test('requests that arrive in a burst of silent connections are served', async () => {
  for (let round = 0; round < 3; round++) {
    const asked = askAll(target);
    const burst = keep(silent(target, 900));
    expect(await asked).toEqual([200, 200]);
    burst.close();
  }
});

test('bodies that are too deep or have too many values are refused, and leave no session', async () => {
  const bodies = [deepBody(96_000), wideBody(96_000), deepBody(100_000)];
  const answers = await Promise.all(bodies.map((body) => sendRaw(target.port, closing(post(target, body)))));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 413]);
  expect(await askAll(target)).toEqual([200, 200]);
  expect((await gauges(target)).sessions).toBe(0);
});

test('connections that send 400 requests ahead are closed', async () => {
  keep(await unread(target, 20, 400));
  await expectTrusted(target, (count) => count === 0);
  expect(await askAll(target)).toEqual([200, 200]);
});

test('half-sent bodies hold no more than their shared limit, and give way to a call', async () => {
  const bytes = 96 * 1024;
  const fitting = Math.floor((4 * 1024 * 1024) / (bytes - 1));
  const bodies = keep(halfBodies(target, 270, bytes));
  await expect.poll(bodies.open, { timeout: 20_000 }).toBeLessThan(270);
  await expectTrusted(target, (count) => count <= fitting);
  expect(await askAll(target)).toEqual([200, 200]);
});

test('sessions with a cancelled call and unread streams give way to new ones', async () => {
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const call = { name: 'get_order', arguments: { orderId: '1', waitSeconds: 50 } };
  const useUp = async () => {
    const session = await openSession(target, sockets);
    const listening = await session.listen();
    // Resolves with the head of its stream: the call runs.
    const called = await session.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const params = { requestId: 1 };
    const cancelled = await session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    return [listening, cancelled, called];
  };
  for (let round = 0; round < 8; round++) {
    const statuses = await Promise.all(Array.from({ length: 10 }, useUp));
    expect(statuses).toEqual(statuses.map(() => [200, 202, 200]));
  }
  expect((await gauges(target)).sessions).toBe(64);
  expect(await askAll(target)).toEqual([200, 200]);
});
