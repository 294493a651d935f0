/** One server for every revision of the protocol: a tool returns the same result in each. */
// @module-tag process
// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools as registered } from '../../src/app/registry.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-revisions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['2025-11-25', 'legacy' as const],
  ['2026-07-28', 'auto' as const],
])('revision %s lists, calls and returns errors', async (revision, mode) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/brokerage-mcp.cjs', '--state-dir', folder],
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    }),
  );
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  // No list changes while a server runs, so no client needs to keep a stream open for notifications.
  expect(client.getServerCapabilities()).toMatchObject({
    tools: { listChanged: false },
    resources: { listChanged: false },
    prompts: { listChanged: false },
  });
  expect((await client.listTools()).tools.length).toBeGreaterThan(20);
  const found = await client.callTool({ name: 'search_instruments', arguments: { query: 'Noonvik' } });
  expect(found.structuredContent).toMatchObject({ env: 'sandbox', simulated: true, found: 1 });
  const wrong = await client.callTool({ name: 'get_pie', arguments: {} });
  expect(wrong).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringMatching(/^Error: \{"code":"invalid_argument",.*"next":/) }],
  });
  expect(wrong.structuredContent).toBeUndefined();
  await client.close();
});

const sessions = new Map<string, ReturnType<typeof playSession>>();

/** One session of each revision serves all tests, which only read its results. */
function initialize(protocolVersion: string): ReturnType<typeof playSession> {
  const played = sessions.get(protocolVersion) ?? playSession(protocolVersion);
  sessions.set(protocolVersion, played);
  return played;
}

/** Line by line, as a client of any revision writes it. */
async function playSession(protocolVersion: string) {
  const child = spawn(process.execPath, ['dist/brokerage-mcp.cjs', '--state-dir', folder], {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method: string, params: object) => {
    send({ id: method, method, params });
    const answer = JSON.parse((await lines.next()).value ?? 'null');
    expect(answer.id).toBe(method);
    return answer;
  };
  const clientInfo = { name: 'by hand', version: '1' };
  const { result } = await ask('initialize', { protocolVersion, capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const tools = await ask('tools/list', {});
  const called = await ask('tools/call', { name: 'get_server_status', arguments: {} });
  const wrong = await ask('resources/read', { uri: 'account://nowhere' });
  child.stdin.end();
  return {
    answered: result.protocolVersion,
    tools: tools.result.tools.length,
    said: called.result,
    wrong: wrong.error.message,
  };
}

test('a line that is no message is reported in one line on standard error, and the next one is processed', async () => {
  const child = spawn(process.execPath, ['dist/brokerage-mcp.cjs', '--state-dir', folder], {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      texts[name] += piece;
    });
  const clientInfo = { name: 'by hand', version: '1' };
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const lines = [{ jsonrpc: '2.0', id: 1, method: 'initialize', params }, [ping(2), ping(3)], { id: 4 }, ping(5)];
  child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await expect.poll(() => texts.stdout).toContain('"id":5');
  child.stdin.end();
  await once(child, 'close');
  expect(texts.stdout.match(/"id":\d/g)).toEqual(['"id":1', '"id":5']);
  const told =
    'brokerage-mcp: Ignored an input line that is not a JSON-RPC message. Batches are not supported; send one message per line.\n';
  expect(texts.stderr).toBe(told.repeat(2));
});

test('a client gets the revision that it requests, or the newest with this handshake for an unknown one', async () => {
  const known = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
  const asked = [...known, '2026-07-28', '2099-01-01'];
  const found = await Promise.all(asked.map(initialize));
  expect(found.map(({ answered }) => answered)).toEqual([...known, '2025-11-25', '2025-11-25']);
  for (const { tools, wrong } of found)
    expect([tools, wrong]).toEqual([registered.length, 'Resource not found: account://nowhere']);
});

test.each([
  ['2024-11-05', false],
  ['2025-03-26', false],
  ['2025-06-18', true],
  ['2025-11-25', true],
])('a client of %s gets a result once as text, and structured content: %s', async (revision, isStructured) => {
  const { said } = await initialize(revision);
  const [{ text }] = said.content;
  expect(said).toEqual({
    content: [{ type: 'text', text }],
    ...(isStructured ? { structuredContent: JSON.parse(text) } : {}),
  });
  expect(JSON.parse(text)).toMatchObject({ env: 'sandbox', simulated: true });
});
