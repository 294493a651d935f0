/** One server for every revision of the protocol: what a tool answers is the same in each. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  expect((await client.listTools()).tools.length).toBeGreaterThan(20);
  const found = await client.callTool({ name: 'search_instruments', arguments: { query: 'Noonvik' } });
  expect(found.structuredContent).toMatchObject({ env: 'sandbox', simulated: true, found: 1 });
  const wrong = await client.callTool({ name: 'get_pie', arguments: {} });
  expect(wrong).toMatchObject({ isError: true });
  await client.close();
});
