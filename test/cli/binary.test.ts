/** The built file over real standard input and output, with both generations of the SDK's client. */
// @module-tag process
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildToolListing } from '../../src/app/build-tool-listing.ts';
import { viewNames, viewUri } from '../../src/core/mcp/tool.ts';
import { configDir } from '../../src/core/settings/paths.ts';
import { runCommand } from '../support/command.ts';

const binary = 'dist/brokerage-mcp.cjs';
const run = promisify(execFile);
let folder = '';
/** A link to a folder that is not there and cannot be made by its name. */
const nowhere = () => join(folder, 'nowhere');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-binary-'));
  await symlink(join(folder, 'gone', 'away'), nowhere());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cleanEnv = () => ({ PATH: process.env.PATH ?? '', HOME: folder });
const command = (...flags: string[]) => ({
  command: process.execPath,
  args: [binary, '--state-dir', join(folder, 'state'), ...flags],
  env: cleanEnv(),
});

/** Runs a command in this process, for cases that need no real one. */
const here = (args: string[], env: Record<string, string> = {}) => runCommand(args, { HOME: folder, ...env });

/** Runs the program to its end and returns its exit code and output. */
async function program(args: string[], env: Record<string, string> = {}) {
  try {
    const { stdout, stderr } = await run(process.execPath, [binary, ...args], { env: { ...cleanEnv(), ...env } });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

test('the current client lists, calls and gets errors', { tags: ['slow'] }, async () => {
  const client = new Client({ name: 't', version: '1' });
  await client.connect(new StdioClientTransport(command()));
  await useServer(client);
});

test('the older client lists, calls and gets errors', { tags: ['slow'] }, async () => {
  const client = new OlderClient({ name: 't', version: '1' });
  await client.connect(new OlderTransport(command()));
  await useServer(client as unknown as Client);
});

async function useServer(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(buildToolListing().map(({ name }) => name));
  expect(tools.map(({ inputSchema }) => inputSchema)).toEqual(buildToolListing().map(({ inputSchema }) => inputSchema));

  const summary = await client.callTool({ name: 'get_account_summary', arguments: {} });
  expect(summary.structuredContent).toMatchObject({ env: 'sandbox', simulated: true, currency: 'GBP' });
  const [block] = summary.content as { text: string }[];
  expect(JSON.parse(block?.text ?? '')).toEqual(summary.structuredContent);

  const wrong = await client.callTool({ name: 'list_positions', arguments: { sort: 'colour' } });
  expect(wrong.isError).toBe(true);
  expect(wrong.structuredContent).toBeUndefined();
  await client.close();
}

test('read-only servers have no tool that changes anything', { tags: ['slow'] }, async () => {
  const client = new Client({ name: 't', version: '1' });
  await client.connect(new StdioClientTransport(command('--read-only', '--toolsets', 'account,trading')));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['get_account_summary', 'list_positions', 'preview_order']);
  await client.close();
});

test('standard output carries only the protocol, and the end of input ends the server', {
  tags: ['slow'],
}, async () => {
  const child = spawn(process.execPath, [binary, '--state-dir', join(folder, 'quiet')], { env: cleanEnv() });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'get_account_summary', arguments: {} } });
  while (!out.includes('"id":2')) await new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdin.end();
  expect(await ended).toBe(0);
  for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
});

test('a message larger than any call needs gets an error, and the session continues', { tags: ['slow'] }, async () => {
  const child = spawn(process.execPath, [binary, '--state-dir', join(folder, 'large')], { env: cleanEnv() });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const params = (x: unknown) => ({ name: 'get_server_status', arguments: { x } });
  const clientInfo = { name: 't', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { id: 2, method: 'tools/call', params: params('x'.repeat(100_000)) },
    { id: 3, method: 'tools/call', params: params(Array(30_000).fill(0)) },
    { id: 4, method: 'ping' },
  ];
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await expect.poll(() => out.trim().split('\n').length).toBe(4);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const codes = answers.map(({ id, error }) => [id, error?.code]).sort(([a], [b]) => a - b);
  expect(codes).toEqual([
    [1, undefined],
    [2, -32_600],
    [3, -32_600],
    [4, undefined],
  ]);
});

test('call prints one result and ends with 0, or with 1 when the result is an error', { tags: ['slow'] }, async () => {
  const good = await here(['call', 'get_server_status', '--state-dir', join(folder, 'a')]);
  expect(good.code).toBe(0);
  expect(JSON.parse(good.stdout)).toMatchObject({ env: 'sandbox', simulated: true });
  const bad = await program(['call', 'get_pie', '{"pieId":"x"}', '--state-dir', join(folder, 'a')]);
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.stdout)).toMatchObject({ code: 'invalid_argument' });
});

test('a paper portfolio survives a restart', { tags: ['slow'] }, async () => {
  const state = ['--state-dir', join(folder, 'kept')];
  const positions = JSON.parse((await here(['call', 'list_positions', '{"ticker":"QNOON_GB_EQ"}', ...state])).stdout);
  const price = Number(positions.rows[0][positions.columns.indexOf('currentPrice')]);
  const limitPrice = Number((price * 0.9).toFixed(2));
  const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1, limitPrice, timeValidity: 'GOOD_TILL_CANCEL' };
  const placed = JSON.parse((await program(['call', 'place_limit_order', JSON.stringify(order), ...state])).stdout);
  expect(placed.outcome).toBe('placed');
  const later = JSON.parse((await here(['call', 'list_orders', ...state])).stdout);
  expect(later.rows.flat()).toContain(placed.orderId);
  const status = await program(['status', ...state]);
  expect(status.code).toBe(0);
  expect(status.stdout).toMatch(/^Environment {2}sandbox\n/m);
  expect(status.stdout).toMatch(/^Audit trail {2}[1-9]\d* records, the chain is intact$/m);
});

test.each([
  ['an unknown environment', ['--env', 'paper'], {}, /environments are sandbox, demo and live/],
  [
    'keys without an environment',
    [],
    { BROKER_API_KEY: 'k', BROKER_API_SECRET: 's' },
    /BROKER_API_KEY is set but no environment is/,
  ],
  ['a base URL without an environment', [], { BROKER_LIVE_BASE_URL: 'https://x.example' }, /no environment is/],
  ['an unknown flag', ['--readonly'], {}, /closest one is --read-only/],
  ['an unknown toolset', ['--toolsets', 'account,tradin'], {}, /closest one is "trading"/],
  ['an unparsable switch', [], { BROKER_READ_ONLY: 'maybe' }, /must be true or false/],
  [
    'plain http to another machine',
    ['--env', 'demo'],
    { BROKER_DEMO_BASE_URL: 'http://broker.example' },
    /must start with https/,
  ],
  [
    'live without a check of certificates',
    ['--env', 'live'],
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    /^brokerage-mcp: NODE_TLS_REJECT_UNAUTHORIZED=0/,
  ],
  ['a secret without its key', ['--env', 'demo'], { BROKER_API_SECRET: 's' }, /BROKER_API_KEY is missing/],
  ['an unknown command', ['demoo'], {}, /closest one is demo/],
])('%s stops the start with one line', async (_, args, env, line) => {
  const { code, stdout, stderr } = await here(args, env as Record<string, string>);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr.trim().split('\n').length).toBe(1);
  expect(stderr).toMatch(line);
});

test('a process that cannot start prints the same line, writes nothing else and ends with 2', async () => {
  const args = ['--env', 'paper'];
  const { code, stdout, stderr } = await program(args);
  expect({ code, stdout, stderr }).toEqual(await here(args));
});

test('--version and --help respond immediately', async () => {
  const { version } = createRequire(import.meta.url)('../../package.json');
  expect((await program(['--version'])).stdout.trim()).toBe(version);
  expect((await here(['--help'])).stdout).toContain('BROKER_READ_ONLY');
});

test('an unreadable config.json is an error, and halt works nevertheless', async () => {
  const configDir = join(folder, 'unreadable');
  const env = { BROKER_CONFIG_DIR: configDir, BROKER_STATE_DIR: join(folder, 'halted') };
  // A folder of that name is as unreadable as another user's file, also for root.
  await mkdir(join(configDir, 'config.json'), { recursive: true });
  const { code, stderr } = await here(['call', 'get_account_summary'], env);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^brokerage-mcp: .+config\.json exists but cannot be read; /),
  ]);
  const halted = await here(['halt'], env);
  expect([halted.code, halted.stdout]).toEqual([0, expect.stringContaining('Halted by the file')]);
});

test('simulate reports in one line that its port is in use', { tags: ['slow'] }, async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await here(['simulate', '--port', String(port)]);
  other.close();
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^brokerage-mcp: cannot listen at .+EADDRINUSE.+\n$/)]);
});

test('an empty HOME makes no folder in the working directory', () => {
  const outside = { env: { HOME: '' }, platform: 'linux' } as const;
  expect(isAbsolute(configDir(outside))).toBe(true);
});

test('a state folder below a device does not prevent reads, and the command ends', { tags: ['slow'] }, async () => {
  const { code, stdout } = await program(['call', 'get_account_summary', '{}', '--state-dir', '/dev/null/nowhere']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ env: 'sandbox', simulated: true });
});

test('nor does one that is a link to nothing', { tags: ['slow'] }, async () => {
  const { code, stdout } = await program(['call', 'get_account_summary', '{}', '--state-dir', nowhere()]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ env: 'sandbox', simulated: true });
});

test.each([
  ['status', /^Store: .+\nbrokerage-mcp: The local store cannot be used: .+\. Check the state folder .+\n$/],
  ['reject', /^Store: .+\nbrokerage-mcp: The local store cannot be used: .+\n$/],
  ['halt', /^Store: .+\nbrokerage-mcp: NOT halted: \/dev\/null\/nowhere is not writable \(ENOTDIR\)\. Stop .+\n$/],
])('%s reports in one line that it cannot use the state folder', async (command, lines) => {
  const { code, stdout, stderr } = await here([command, '--state-dir', '/dev/null/nowhere']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(lines);
});

async function readViews(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const named = tools.flatMap(({ _meta }) => (_meta?.ui as { resourceUri?: string } | undefined)?.resourceUri ?? []);
  const { resources } = await client.listResources();
  expect(resources.filter(({ uri }) => uri.startsWith('ui://'))).toEqual([]);
  expect(new Set(named)).toEqual(new Set(viewNames.map(viewUri)));
  for (const uri of new Set(named)) {
    const [content] = (await client.readResource({ uri })).contents as { text: string; mimeType: string }[];
    expect(content?.mimeType).toBe('text/html;profile=mcp-app');
    expect(content?.text).toMatch(/^<!doctype html>/i);
  }
}

test(
  'a client of 2026-07-28 verifies the skills and reads each view that a tool names, and no view is listed',
  { tags: ['slow'] },
  () => withClient('2026-07-28', 'auto', readViews),
);

test('a client of 2025-11-25 verifies the skills', { tags: ['slow'] }, () => withClient('2025-11-25', 'legacy'));

async function withClient(
  revision: string,
  mode: 'auto' | 'legacy',
  readMore: (client: Client) => Promise<void> = async () => undefined,
): Promise<void> {
  const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(command()));
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  const reader = new SkillsClient(client);
  const { skills } = await reader.list();
  expect(skills).toHaveLength(3);
  for (const skill of skills) expect((await reader.read(skill)).verified).toBe(true);
  await readMore(client);
  await client.close();
}

test('report checks that it can write before it reads anything', async () => {
  const { code, stderr } = await here(['report', join(folder, 'missing', 'report.html')]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^brokerage-mcp: .+ cannot be written \(ENOENT\); .+\n$/)]);
});

test('report writes one page for its owner only, and overwrites a file only on request', {
  tags: ['slow'],
}, async () => {
  const file = join(folder, 'report.html');
  const state = ['--state-dir', join(folder, 'report-state')];
  const wrong = await here(['report', join(folder, 'report.txt'), ...state]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('ends with .html')]);
  await writeFile(file, 'mine');
  const kept = await here(['report', file, ...state]);
  expect([kept.code, await readFile(file, 'utf8')]).toEqual([2, 'mine']);
});

test('a defect of the program names its source file and function, and ends with 70', async () => {
  const broken = join(folder, 'broken-input.cjs');
  await writeFile(
    broken,
    `const { on } = process.stdin;
process.stdin.on = function (name, ...rest) {
  if (name === 'close') throw new Error('no input');
  return on.call(this, name, ...rest);
};`,
  );
  const failed = await program(['--state-dir', join(folder, 'broken')], { NODE_OPTIONS: `--require ${broken}` });
  expect(failed.code).toBe(70);
  expect(JSON.parse(failed.stderr)).toMatchObject({
    event: 'fault',
    task: 'process',
    message: 'no input',
    stack: expect.arrayContaining([
      expect.stringMatching(/ at (async )?serveCommand \(.+serve\.cjs:\d+:\d+, from src\/cli\/serve\.ts\)/),
    ]),
  });
});

test('so does an unhandled rejection', { tags: ['slow'] }, async () => {
  const broken = join(folder, 'broken-later.cjs');
  await writeFile(
    broken,
    `process.stdin.on('newListener', (name) => {
  if (name === 'end') setTimeout(() => process.stdin.emit('end'), 10);
});
AbortController.prototype.abort = () => { throw new Error('no end'); };`,
  );
  const failed = await program(['--state-dir', join(folder, 'broken')], { NODE_OPTIONS: `--require ${broken}` });
  expect(failed.code).toBe(70);
  expect(JSON.parse(failed.stderr)).toMatchObject({
    event: 'fault',
    task: 'process',
    message: 'no end',
    stack: expect.arrayContaining([expect.stringMatching(/main\.cjs:\d+:\d+, from src\/main\.ts/)]),
  });
});
