/** Node's own ways to inspect a process: they would show the key, the secret and the next passphrase. */
// @module-tag process
// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const binary = resolve('dist/brokerage-mcp.cjs');

function start(args: readonly string[], options: { nodeOptions?: string; detached?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-inspector-'));
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      BROKER_STATE_DIR: join(folder, 'state'),
      NODE_OPTIONS: options.nodeOptions ?? '',
    },
    // In a session of its own it has no terminal, whatever the test runs in.
    detached: options.detached ?? false,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const said = { out: '', err: '' };
  child.stdout?.on('data', (piece) => {
    said.out += piece;
  });
  child.stderr?.on('data', (piece) => {
    said.err += piece;
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, said, ended, folder };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

async function startServer(nodeOptions: string) {
  const server = start([binary], { nodeOptions });
  const ask = async (message: { id: number }) => {
    server.child.stdin?.write(`${JSON.stringify(message)}\n`);
    await expect.poll(() => server.said.out, { timeout: 20_000 }).toContain(`"id":${message.id}`);
  };
  await ask(initialize);
  return { ...server, ask };
}

test('SIGUSR1 opens the inspector of an ordinary Node program (control)', async () => {
  const { child, said } = start(['--inspect-port=0', '-e', "console.log('ready'); setInterval(() => {}, 1000)"]);
  await expect.poll(() => said.out, { timeout: 20_000 }).toContain('ready');
  child.kill('SIGUSR1');
  await expect.poll(() => said.err, { timeout: 20_000 }).toContain('Debugger listening');
});

test('SIGUSR1 does not open the inspector of a server, which continues', async () => {
  const { child, said, ask } = await startServer('--inspect-port=0');
  child.kill('SIGUSR1');
  for (let id = 2; id < 12; id++) await ask({ ...initialize, id, method: 'ping', params: undefined } as { id: number });
  expect(said.err).not.toContain('Debugger');
});

test('a signal does not write a report with the environment in it', async () => {
  const { child, folder, ask } = await startServer('--report-on-signal --report-signal=SIGWINCH');
  child.kill('SIGWINCH');
  for (let id = 2; id < 12; id++) await ask({ ...initialize, id, method: 'ping', params: undefined } as { id: number });
  expect(readdirSync(folder).filter((name) => name.startsWith('report.'))).toEqual([]);
});

test.each(['enroll', 'approve', 'resume'])('%s asks for no passphrase while the inspector is open', async (command) => {
  const { said, ended } = start([binary, command], { nodeOptions: '--inspect=127.0.0.1:0', detached: true });
  expect(await ended).toBe(2);
  expect(said.err).toContain('inspector is open');
});
