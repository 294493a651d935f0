/** The simulated service as a process of its own, with a clock that moves only with requests. */
// @module-tag process
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';

const binary = 'dist/brokerage-mcp.cjs';
const authorization = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`;
const env = { PATH: process.env.PATH ?? '' };

/** Starts the service and returns its origin; the test ends it. */
async function simulate(...flags: string[]) {
  const child = spawn(process.execPath, [binary, 'simulate', '--clock', 'fixed', ...flags], { env });
  const end = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'close');
  };
  onTestFinished(end);
  let out = '';
  while (!out.includes('\n')) out += String((await once(child.stdout, 'data'))[0]);
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '';
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(new URL(path, origin), {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const names = [...response.headers.keys()].filter((name) => name.startsWith('x-ratelimit') || name === 'date');
    const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name) ?? '']));
    // The port of the link is another one in each run.
    const text = (await response.text()).replaceAll(origin, '');
    return { status: response.status, headers, text, json: text && JSON.parse(text) };
  };
  return { origin, send, end };
}

const api = '/api/v0/equity';

/** A session of a client that never waits. */
async function session(flags: string[]) {
  const { send, end } = await simulate(...flags);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const answers: any[] = [];
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await send(method, path, body);
    answers.push({ method, path, ...answer });
    return answer.json;
  };
  await ask('GET', `${api}/account/summary`);
  await ask('GET', `${api}/account/summary`);
  const [position] = await ask('GET', `${api}/positions`);
  const { ticker } = position.instrument;
  for (let path = `${api}/history/orders?limit=50`, page = 0; path && page < 8; page++)
    path = (await ask('GET', path)).nextPagePath;
  const order = await ask('POST', `${api}/orders/market`, { ticker, quantity: 1 });
  await ask('GET', `${api}/orders/${order.id}`);
  await ask('GET', `${api}/history/orders?limit=1`);
  const range = { timeFrom: '2025-01-01T00:00:00Z', timeTo: '2025-06-01T00:00:00Z' };
  const dataIncluded = {
    includeDividends: true,
    includeInterest: true,
    includeOrders: true,
    includeTransactions: true,
  };
  await ask('POST', `${api}/history/exports`, { ...range, dataIncluded });
  await ask('GET', `${api}/history/exports`);
  await end();
  return answers;
}

let kept: ReturnType<typeof session> | undefined;
/** One session for all tests that only read its results. */
const sessionOfSeed7 = (): ReturnType<typeof session> => (kept ??= session(['--seed', '7']));

test('with a fixed clock the same requests get the same responses and headers, and none is refused for its rate', {
  tags: ['slow'],
}, async () => {
  const first = await sessionOfSeed7();
  expect(await session(['--seed', '7'])).toEqual(first);
  expect(first.map(({ status }) => status)).not.toContain(429);
  expect(first.filter(({ path }) => path.startsWith(`${api}/history/orders`)).length).toBeGreaterThan(3);
});

test('another seed gets other responses', { tags: ['slow'] }, async () => {
  expect(await session(['--seed', '8'])).not.toEqual(await sessionOfSeed7());
});

test('orders fill and reports finish as requests arrive', { tags: ['slow'] }, async () => {
  const answers = await sessionOfSeed7();
  const order = answers.find(({ path }) => path === `${api}/orders/market`)?.json;
  const newest = answers.find(({ path }) => path.endsWith('limit=1'))?.json.items[0];
  expect(newest).toMatchObject({ order: { id: order.id, status: 'FILLED' } });
  expect(answers.at(-1)?.json).toMatchObject([{ status: 'Finished', downloadLink: expect.stringContaining('.csv') }]);
});

test('the times in the headers come from one clock: each reset is within one period of its Date', {
  tags: ['slow'],
}, async () => {
  for (const { headers, path } of await sessionOfSeed7()) {
    const inSeconds = Number(headers['x-ratelimit-reset']) - Date.parse(headers.date ?? '') / 1000;
    expect(inSeconds, path).toBeGreaterThan(0);
    expect(inSeconds, path).toBeLessThanOrEqual(Number(headers['x-ratelimit-period']) + 1);
  }
});

test('a server completes a full session against it: positions, pages of history, orders and a report', {
  tags: ['slow'],
  timeout: 120_000,
}, async () => {
  const { origin } = await simulate('--seed', '7');
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-simulate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const client = new Client({ name: 't', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary, '--env', 'demo', '--state-dir', join(folder, 'state')],
    env: {
      ...env,
      HOME: folder,
      BROKER_DEMO_BASE_URL: origin,
      BROKER_API_KEY: 'sandbox',
      BROKER_API_SECRET: 'sandbox',
    },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const ok = async (name: string, args: object = {}): Promise<any> => {
    const result = await client.callTool({ name, arguments: { ...args } }, { timeout: 60_000 });
    expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
    return result.structuredContent;
  };
  const range = { timeFrom: '2025-01-01', timeTo: '2025-06-01', include: ['orders', 'dividends'] };
  const { reportId } = await ok('request_export', range);
  const positions = await ok('list_positions');
  expect(positions.positions).toBeGreaterThan(3);
  const ticker = positions.rows[0][positions.columns.indexOf('ticker')];
  const placed = await ok('place_market_order', { ticker, side: 'BUY', quantity: 1 });
  expect(placed.outcome).toBe('placed');
  const filled = await ok('get_order', { orderId: placed.orderId, waitSeconds: 30 });
  expect([filled.status, filled.fills.length]).toEqual(['FILLED', 1]);
  const history = await ok('fetch_history', { kind: 'orders', limit: 120, waitSeconds: 20 });
  expect(history.coverage.rows).toBeGreaterThanOrEqual(120);
  const listed = await ok('list_exports', { reportId });
  expect(listed.rows[0][listed.columns.indexOf('status')]).toBe('Finished');
  expect((await ok('download_export', { reportId })).totalRows).toBeGreaterThan(10);
});
