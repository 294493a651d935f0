/** One server for every revision of the protocol: what a tool answers is the same in each. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-revisions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['2025-11-25', 'legacy' as const],
  ['2026-07-28', 'auto' as const],
])('revision %s lists, calls and answers errors', async (revision, mode) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/brokerage-mcp.cjs', '--state-dir', folder],
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    }),
  );
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  // No list changes while a server runs, so no client needs to keep a stream open for the word.
  expect(client.getServerCapabilities()).toMatchObject({
    tools: { listChanged: false },
    resources: { listChanged: false },
    prompts: { listChanged: false },
  });
  expect((await client.listTools()).tools.length).toBeGreaterThan(20);
  const found = await client.callTool({ name: 'search_instruments', arguments: { query: 'Noonvik' } });
  expect(found.structuredContent).toMatchObject({ env: 'sandbox', simulated: true, found: 1 });
  const wrong = await client.callTool({ name: 'get_pie', arguments: {} });
  expect(wrong).toMatchObject({ isError: true });
  await client.close();
});

/** Line by line, as a client of any age would write it. */
async function initialize(protocolVersion: string) {
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
  const wrong = await ask('resources/read', { uri: 'account://nowhere' });
  child.stdin.end();
  return { answered: result.protocolVersion, tools: tools.result.tools.length, wrong: wrong.error.message };
}

test('whoever asks for a revision gets it, and for one that nobody knows the newest with this handshake', async () => {
  const known = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
  const asked = [...known, '2026-07-28', '2099-01-01'];
  const found = await Promise.all(asked.map(initialize));
  expect(found.map(({ answered }) => answered)).toEqual([...known, '2025-11-25', '2025-11-25']);
  for (const { tools, wrong } of found) expect([tools, wrong]).toEqual([28, 'Resource not found: account://nowhere']);
});
