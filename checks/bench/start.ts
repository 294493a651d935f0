import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { median } from './median.ts';

export interface StartFigures {
  readonly runs: number;
  readonly nodeMs: number;
  readonly smallestMs: number;
  readonly serverMs: number;
  /** Against an empty Node, and against the smallest server of the same SDK. */
  readonly ratio: number;
  readonly ratioToSmallest: number;
}

/** A server of one tool, bundled in the same way: the cost of the SDK alone. */
const smallestServer = `import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
serveStdio(() => {
  const server = new McpServer({ name: 'smallest', version: '1' });
  const inputSchema = z.object({ text: z.string() });
  server.registerTool('echo', { description: 'Echo', inputSchema }, async ({ text }) => ({ content: [{ type: 'text', text }] }));
  return server;
});`;

/**
 * Medians of interleaved runs: from the spawn to the response to tools/list, with an empty Node and the smallest server
 * for comparison.
 */
export async function measureStart(binary: string, runs: number): Promise<StartFigures> {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-bench-'));
  const node: number[] = [];
  const smallest: number[] = [];
  const server: number[] = [];
  const other = join(stateDir, 'smallest.mjs');
  await build({
    stdin: { contents: smallestServer, resolveDir: '.' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    outfile: other,
  });
  // The first pair warms the file cache and does not count.
  for (let run = 0; run <= runs; run++) {
    const nodeMs = await timeNode();
    const smallestMs = await timeServer(other);
    const serverMs = await timeServer(binary, '--state-dir', stateDir);
    if (run === 0) continue;
    node.push(nodeMs);
    smallest.push(smallestMs);
    server.push(serverMs);
  }
  rmSync(stateDir, { recursive: true, force: true });
  const [nodeMs, smallestMs, serverMs] = [median(node), median(smallest), median(server)];
  return { runs, nodeMs, smallestMs, serverMs, ratio: serverMs / nodeMs, ratioToSmallest: serverMs / smallestMs };
}

async function timeNode(): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close');
  return performance.now() - startedAt;
}

async function timeServer(binary: string, ...flags: string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [binary, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const lines = createInterface({ input: child.stdout });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list', params: {} });
  for await (const line of lines) if (line.includes('"id":2')) break;
  const elapsed = performance.now() - startedAt;
  child.stdin.end();
  await closed;
  return elapsed;
}
