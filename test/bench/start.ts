import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from './median.ts';

export interface StartFigures {
  readonly runs: number;
  readonly nodeMs: number;
  readonly serverMs: number;
  readonly ratio: number;
}

/** Medians of interleaved runs: from the spawn to the answered tools/list, and an empty Node for comparison. */
export async function measureStart(binary: string, runs: number): Promise<StartFigures> {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-bench-'));
  const node: number[] = [];
  const server: number[] = [];
  // The first pair warms the file cache and does not count.
  for (let run = 0; run <= runs; run++) {
    const [nodeMs, serverMs] = [await timeNode(), await timeServer(binary, stateDir)];
    if (run === 0) continue;
    node.push(nodeMs);
    server.push(serverMs);
  }
  rmSync(stateDir, { recursive: true, force: true });
  return { runs, nodeMs: median(node), serverMs: median(server), ratio: median(server) / median(node) };
}

async function timeNode(): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close');
  return performance.now() - startedAt;
}

async function timeServer(binary: string, stateDir: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [binary, '--state-dir', stateDir], { stdio: ['pipe', 'pipe', 'inherit'] });
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
