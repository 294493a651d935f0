/** The built program over HTTP: a real process, real clients, a real service behind it, and signals. */
// @module-tag process
// @module-tag slow
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSecurity } from '../../src/core/approval/enrollment/enrollment.ts';
import { systemClock } from '../../src/core/clock.ts';
import { parseResponseText } from '../../src/core/mcp/tool-result.ts';
import type { Intent } from '../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../src/core/orders/intent/journal-port.ts';
import { addPasskey } from '../../src/features/passkeys/kept-passkeys.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { loadForm, sendForm } from '../core/approval/page/support.ts';
import { findFreePort } from '../support/free-port.ts';
import { clients, rawRequest, sendRaw, token } from '../support/http.ts';
import { runProgram, startHttpProcess } from '../support/http-process.ts';
import { createSoftwarePasskey, readPasskeyOptions } from '../support/software-passkey.ts';
import { openStateStore } from '../support/state-store.ts';

const credentials = { key: 'http-key-of-the-account', secret: 'http-secret-of-the-account' };
const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11.5, timeValidity: 'GOOD_TILL_CANCEL' };

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'brokerage-mcp-http-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function demoAccount(environment: 'demo' | 'live' = 'demo', limitScale = 1) {
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 200, limitScale });
  onTestFinished(() => simulator.close());
  simulator.inject.setPrice(order.ticker, 12);
  const stateDir = await folder();
  const env = {
    BROKER_ENV: environment,
    [`BROKER_${environment.toUpperCase()}_BASE_URL`]: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
    BROKER_STATE_DIR: stateDir,
  };
  return { simulator, env, stateDir };
}

const [[, newer], [, older]] = clients as unknown as [(typeof clients)[0], (typeof clients)[0]];
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
const bodyOf = (result: object): any =>
  parseResponseText((result as { content: { text: string }[] }).content[0]?.text ?? '');
const placed = ({ log }: Simulator) => log.filter(({ endpoint }) => endpoint === 'placeLimitOrder').length;

async function journal(stateDir: string): Promise<readonly Intent[]> {
  const store = openStateStore(stateDir);
  const intents = await store.journal.read((tx) => tx.list());
  await store.close();
  return intents as readonly Intent[];
}

test('one process serves every client, counts its work and exposes the token to none', async () => {
  const { simulator, env } = await demoAccount('demo', 0.1);
  const { child, url, output, ended } = await startHttpProcess(env);
  for (const [, connect] of clients) {
    const client = await connect(url);
    expect(bodyOf(await client.callTool({ name: 'get_account_summary', arguments: {} }))).toMatchObject({
      env: 'demo',
    });
    expect((await client.callTool({ name: 'get_pie', arguments: {} })).isError).toBe(true);
  }
  const client = await older(url);
  const listOrders = async () => bodyOf(await client.callTool({ name: 'list_orders', arguments: {} }));
  const first = await listOrders();
  simulator.faults.push({ endpoint: 'listPendingOrders', kind: 'rateLimitedWithoutHeaders' });
  // A response is shared for the period of the limit, which the service sets to half a second.
  await expect.poll(async () => (await listOrders()).asOf, { interval: 100 }).not.toBe(first.asOf);

  expect(bodyOf(await client.callTool({ name: 'place_limit_order', arguments: order }))).toMatchObject({
    outcome: 'placed',
  });

  const host = `127.0.0.1:${url.port}`;
  const asked = rawRequest('GET /metrics', { host, authorization: `Bearer ${token}` });
  const { body: text } = await sendRaw(Number(url.port), asked);
  const value = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  const calls = (tool: string, result: string) =>
    value(`brokerage_mcp_tool_calls_total{tool="${tool}",result="${result}"}`);
  expect([calls('get_account_summary', 'ok'), calls('get_pie', 'error')]).toEqual([3, 3]);
  expect(value('brokerage_mcp_tool_call_duration_seconds_count{tool="get_account_summary"}')).toBe(3);
  // The service has seen the same number of requests.
  const seen = new Map<string, number>();
  for (const { endpoint, status } of simulator.log) {
    const series = `brokerage_mcp_upstream_requests_total{endpoint="${endpoint}",status="${Math.floor(status / 100)}xx"}`;
    seen.set(series, (seen.get(series) ?? 0) + 1);
  }
  expect(seen.size).toBeGreaterThan(2);
  for (const [series, count] of seen) expect([series, value(series)]).toEqual([series, count]);
  expect(text.match(/^brokerage_mcp_upstream_requests_total/gm)).toHaveLength(seen.size);
  expect(value('brokerage_mcp_upstream_refused_total{endpoint="listPendingOrders"}')).toBe(1);
  expect(value('brokerage_mcp_limit_waits_total{endpoint="listPendingOrders"}')).toBeGreaterThan(0);
  expect(value('brokerage_mcp_sessions')).toBe(3);
  expect(value('brokerage_mcp_orders_open{outcome="unknown"}')).toBe(0);
  expect(value('brokerage_mcp_store_trouble')).toBe(0);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(text).toContain('environment="demo"} 1');

  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const secrets = [token, credentials.key, credentials.secret];
  for (const secret of secrets) expect([output(), text].filter((written) => written.includes(secret))).toEqual([]);
  expect(output().trim().split('\n')).toEqual([`brokerage-mcp: serving MCP (demo) at ${url.href}`]);
});

test('a stop lets an order in flight finish, and reports a waiting call as cancelled', async () => {
  const { simulator, env, stateDir } = await demoAccount();
  const { child, url, ended } = await startHttpProcess(env);
  const [client, other] = [await older(url), await newer(url)];
  const { orderId } = bodyOf(await client.callTool({ name: 'place_limit_order', arguments: order }));
  // It is far from the price, so it does not fill.
  const waiting = client.callTool({ name: 'get_order', arguments: { orderId, waitSeconds: 50 } });
  simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'slowAnswer', ms: 2_500 });
  const patient = other.callTool({ name: 'place_limit_order', arguments: { ...order, limitPrice: 11.4 } });
  await expect.poll(() => placed(simulator)).toBe(2);
  child.kill('SIGTERM');
  expect(bodyOf(await waiting)).toMatchObject({ code: 'cancelled' });
  const body = bodyOf(await patient);
  expect(body).toMatchObject({ outcome: 'placed', orderId: expect.stringMatching(/^\d+$/) });
  expect(await ended).toBe(0);
  const written = (await journal(stateDir)).map(({ state, orderId: id }) => [state, id]);
  expect(new Set(written)).toEqual(
    new Set([
      ['PLACED', orderId],
      ['PLACED', body.orderId],
    ]),
  );
  expect(simulator.groundTruth().pendingOrders.map(({ id }) => String(id))).toContain(body.orderId);
});

test('a stop while the broker does not respond ends in time, and the journal says that the order may be live', {
  tags: ['slow'],
  // Less than the fifty seconds of a call, which it must not wait for.
  timeout: 45_000,
}, async () => {
  const { simulator, env, stateDir } = await demoAccount();
  simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'hang' });
  const { child, url, ended } = await startHttpProcess(env);
  const client = await older(url);
  const answer = client.callTool({ name: 'place_limit_order', arguments: order }).catch(() => undefined);
  await expect.poll(() => placed(simulator)).toBe(1);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(['SENDING', 'UNKNOWN']).toContain((await journal(stateDir))[0]?.state);
  await client.close();
  await answer;
});

test('a second signal ends it immediately', async () => {
  const { simulator, env } = await demoAccount();
  simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'hang' });
  const { child, url, ended } = await startHttpProcess(env);
  const client = await older(url);
  void client.callTool({ name: 'place_limit_order', arguments: order }).catch(() => undefined);
  await expect.poll(() => placed(simulator)).toBe(1);
  child.kill('SIGTERM');
  // A signal that npm forwards does not count as a second one.
  child.kill('SIGTERM');
  await systemClock.sleep(700);
  expect(child.exitCode).toBeNull();
  child.kill('SIGINT');
  // Waiting for the order would end in 0.
  expect(await ended).toBe(1);
});

test('a client that hangs up while its order is sent does not stop the order', async () => {
  const { simulator, env, stateDir } = await demoAccount();
  const { url } = await startHttpProcess(env);
  for (const [index, connect] of [newer, older].entries()) {
    simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'slowAnswer', ms: 500 });
    const client = await connect(url);
    const args = { ...order, limitPrice: 11 + index / 10 };
    void client.callTool({ name: 'place_limit_order', arguments: args }).catch(() => undefined);
    await expect.poll(() => placed(simulator)).toBe(index + 1);
    await client.close();
    const states = async () => (await journal(stateDir)).map(({ state }) => state);
    await expect.poll(states).toEqual(Array.from({ length: index + 1 }, () => 'PLACED'));
  }
  expect(placed(simulator)).toBe(2);
});

test('a live order is approved in a terminal: the server opens no page and shows no address', async () => {
  const { env, stateDir } = await demoAccount('live');
  const store = openStateStore(stateDir);
  await createSecurity(store.journal as never, systemClock).enrol({
    passphrase: 'a long passphrase',
    approval: 'page',
    limits: {},
  });
  await store.close();
  // The program that would be started to show a page.
  const opened = join(stateDir, 'opened');
  await writeFile(join(stateDir, 'xdg-open'), `#!/bin/sh\necho "$1" > ${opened}\n`);
  await chmod(join(stateDir, 'xdg-open'), 0o755);
  const path = `${stateDir}:${process.env.PATH}`;
  const { url, output } = await startHttpProcess({ ...env, BROKER_LIVE_TRADING: 'true', DISPLAY: ':0', PATH: path });
  const client = await newer(url, { onForm: () => ({ action: 'accept', content: { confirmQuantity: '2' } }) });
  const told: string[] = [];
  void client
    .callTool({ name: 'place_limit_order', arguments: order }, { onprogress: ({ message = '' }) => told.push(message) })
    .catch(() => undefined);
  await expect.poll(() => told).toContain('Waiting for the approval of a human');
  const status = bodyOf(await client.callTool({ name: 'get_server_status', arguments: {} }));
  const { intentId } = status.intents[0];
  const found = bodyOf(await client.callTool({ name: 'get_order', arguments: { intentId } }));
  expect(found).toMatchObject({
    outcome: 'pending_approval',
    approval: { method: 'page', how: expect.stringContaining('"brokerage-mcp approve" in a terminal') },
  });
  expect(JSON.stringify([told, status, found])).not.toMatch(/https?:/);
  expect(output()).not.toContain('/approve/');
  expect(() => readFileSync(opened)).toThrow('ENOENT');
});

test('under the public name of the page a passkey approves a live order of this server, and the passphrase does not', async () => {
  const { env, stateDir, simulator } = await demoAccount('live');
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const device = createSoftwarePasskey(origin);
  const passphrase = 'a long passphrase';
  const store = openStateStore(stateDir);
  const kept = store.journal as unknown as Journal;
  const security = createSecurity(kept, systemClock);
  await security.enrol({ passphrase, approval: 'page', limits: {} });
  const { enrolledAt = 0 } = (await security.enrolment()) ?? {};
  const { id, publicKey } = device;
  const passkey = { id, publicKey, counter: 0, name: 'phone', origin, createdAt: enrolledAt };
  expect(await kept.change((tx) => addPasskey(tx, passkey, enrolledAt))).toBe(true);
  await store.close();

  const { url } = await startHttpProcess({
    ...env,
    BROKER_LIVE_TRADING: 'true',
    BROKER_APPROVAL_PUBLIC_URL: origin,
    BROKER_APPROVAL_PORT: String(port),
  });
  const client = await newer(url);
  await client.callTool({ name: 'place_limit_order', arguments: order });
  const waiting = async () => (await journal(stateDir)).map(({ state }) => state);
  expect(await waiting()).toEqual(['AWAITING_APPROVAL']);
  const intentId = (await journal(stateDir))[0]?.id;
  const found = bodyOf(await client.callTool({ name: 'get_order', arguments: { intentId } }));
  const [address = ''] = /http:\/\/localhost:\d+\/approve\/[\w-]+/.exec(JSON.stringify(found)) ?? [];
  const fieldsOf = async () => {
    const { text, cookie, csrf, digest } = await loadForm(address);
    return { cookie, asked: readPasskeyOptions(text), fields: { csrf, digest, action: 'approve' } };
  };
  const first = await fieldsOf();
  await sendForm(address, first.cookie, { ...first.fields, passphrase });
  expect([await waiting(), placed(simulator)]).toEqual([['AWAITING_APPROVAL'], 0]);
  const second = await fieldsOf();
  await sendForm(address, second.cookie, { ...second.fields, passkey: device.get(second.asked) });
  const ended = await client.callTool({ name: 'get_order', arguments: { intentId, waitSeconds: 30 } });
  expect(bodyOf(ended)).toMatchObject({ outcome: 'placed', intentId });
  expect(placed(simulator)).toBe(1);
});

test('an address that cannot be listened at stops the start with one sentence', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const env = { BROKER_STATE_DIR: await folder(), BROKER_HTTP_TOKEN: token };
  const tries = [
    [
      runProgram(env, '--http', `127.0.0.1:${port}`),
      `127.0.0.1:${port} is in use by another program; choose another port, or port 0 for any free one.`,
    ],
    [
      runProgram({ ...env, BROKER_HTTP_TOKEN: 'short', BROKER_HTTP: '127.0.0.1:0' }),
      'BROKER_HTTP_TOKEN has a token of 5 characters; the minimum is 32; create a token with: openssl rand -hex 32',
    ],
  ] as const;
  for (const [{ ended, output }, line] of tries)
    expect([await ended, output()]).toEqual([2, `brokerage-mcp: ${line}\n`]);
});

test('beyond this machine it warns that nothing is encrypted, and responds only to the configured host names', {
  tags: ['slow'],
}, async () => {
  const { url, output } = await startHttpProcess({ BROKER_STATE_DIR: await folder() }, '0.0.0.0:0');
  await expect.poll(output).toMatch(/put a TLS proxy in front of it\.\n.*BROKER_HTTP_HOSTS/);
  const health = (host: string) => sendRaw(Number(url.port), rawRequest('GET /health', { host }));
  expect((await health(`127.0.0.1:${url.port}`)).status).toBe(200);
  expect((await health(`0.0.0.0:${url.port}`)).status).toBe(403);
});
