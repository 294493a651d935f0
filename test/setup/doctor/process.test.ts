/** The doctor as its user starts it: the built program, in a home that is empty or broken. */
// @module-tag process
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, onTestFinished, test } from 'vitest';
import { mountSmallDisk } from '../../../checks/campaign/full-disk.ts';
import { buildToolListing } from '../../../src/app/build-tool-listing.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { enabledTools } from '../../../src/core/mcp/tool-listing.ts';
import { checks } from '../../../src/setup/doctor/check-list.ts';
import { runCommand } from '../../support/command.ts';
import { skipTest } from '../../support/skip.ts';
import {
  demoAccount,
  demoVariables,
  doctor,
  examine,
  linesOf,
  type Machine,
  machine,
  planted,
  withServer,
} from './support.ts';

/** Root reads and writes everything unless it drops its capabilities: then modes apply to root too. */
function withoutCapabilities(): readonly string[] {
  if (process.geteuid?.() !== 0) return [];
  const prefix = ['setpriv', '--inh-caps=-all', '--bounding-set=-all'];
  const { status } = spawnSync('setpriv', [
    ...prefix.slice(1),
    process.execPath,
    resolve('dist/brokerage-mcp.cjs'),
    '--version',
  ]);
  return status === 0 ? prefix : skipTest('root cannot give its capabilities up here, and modes do not hold for it');
}

const only = (name: string) => checks.filter((check) => check.name === name);
const handshakes = only('handshakes');

test('in an empty home it checks everything, finds nothing wrong, and reports the same as JSON', {
  tags: ['slow'],
}, async () => {
  const here = machine();
  const plain = await doctor(here);
  const { stdout } = plain;
  expect(stdout).not.toMatch(/^(fault|warning)/m);
  expect(plain).toMatchObject({ code: 0, stderr: '' });
  expect(stdout).toContain('account …0001 in GBP (simulated)');
  expect(stdout.trimEnd()).toMatch(/\nNo fault: \d+ notes?, \d+ ok\.$/);

  const json = await doctor(here, ['--json', '--offline']);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({ healthy: true, counts: { fault: 0, warning: 0 } });
  const shown = stdout.split('\n').filter((line) => /^(ok|note|warning|fault) /.test(line));
  const names = shown.map((line) => line.slice(9, 24).trim());
  // Two lines of a request, where the second run has sent none.
  const once = (list: readonly string[]) => [...new Set(list)];
  expect(once(linesOf(json).map(({ check }) => check))).toEqual(once(names));
  const untimed = (text: string) => text.replace(/\d+(\.\d+)? (?=ms|MB)/g, '');
  const later = /^(request|clock|modes|state folder|store file)$/;
  for (const { check, says } of linesOf(json).filter((line) => !later.test(line.check)))
    expect(untimed(stdout), check).toContain(untimed(says));
});

test('the measured size of the tool list is close to that of a tokenizer', { tags: ['slow'] }, async () => {
  const here = machine();
  const [older, newer] = await examine(here, handshakes);
  const seen = buildToolListing().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const [, tools, tokens] =
    /2025-11-25 \(initialize\): (\d+) tools, listed \d+ ms .*about (\d+) tokens/.exec(older?.says ?? '') ?? [];
  expect(Number(tools)).toBe(seen.length);
  const real = encode(JSON.stringify(seen)).length;
  expect(Math.abs(Number(tokens) - real) / real).toBeLessThan(0.1);
  expect(newer?.says).toContain(`2026-07-28 (server/discover): ${tools} tools`);
  const readOnly = await examine({ ...here, flags: { 'read-only': 'true', toolsets: 'account,trading' } }, handshakes);
  const kept = enabledTools(buildToolListing(), { readOnly: true, toolsets: ['account', 'trading'] });
  expect(readOnly.map(({ says }) => says.includes(` ${kept.length} tools`))).toEqual([true, true]);
});

test('the server that it starts has no key and another store, so it can continue no order', {
  tags: ['slow'],
}, async () => {
  const here = machine();
  await demoAccount(here);
  const seen = join(here.home, 'seen');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify([process.env, process.argv]));`;
  const args = ['--require', here.write('wrapper.cjs', code), resolve('dist/brokerage-mcp.cjs')];
  here.terminal = { self: { command: process.execPath, args } };
  expect(await examine(here, handshakes)).toMatchObject([{ level: 'ok' }, { level: 'ok' }]);
  const text = readFileSync(seen, 'utf8');
  expect(text).toContain('"--env","demo"');
  expect(text).not.toMatch(/PLANTED|BROKER_API|BASE_URL/);
  expect(text).not.toContain(here.stateDir);
});

test('an account is shown by the last characters of its number only', { tags: ['slow'] }, async () => {
  const here = machine();
  const simulator = await demoAccount(here);
  let id = '';
  await withServer(here, async ({ services }) => {
    const context = { priority: 'read' as const, deadlineAt: Date.now() + 5_000 };
    id = (await services.broker.call(endpoints.getAccountSummary, {}, context)).data.id ?? '';
  });
  const says = (await examine(here)).filter(({ check }) => check === 'request').map((line) => line.says);
  expect(id.length).toBeGreaterThan(4);
  expect(says.join()).toContain(`account …${id.slice(-4)} in GBP`);
  expect(says.join()).not.toContain(id);
  expect(says.join()).toContain('Its limit is 1 per 5 s (from its headers)');
  // A fresh read was not requested again, and nothing else was.
  expect(simulator.log.map(({ endpoint }) => endpoint)).toEqual(['getAccountSummary']);
});

test('several faults at once are all reported, the exit code is 1, and no secret is shown', {
  tags: ['slow'],
}, async () => {
  const here = machine();
  const { origin } = await demoAccount(here);
  Object.assign(here.env, { BROKER_API_SECRET: 'PLANTED-wrong-0000', BROKER_API_SECRT: 'PLANTED-token-4444' });
  here.env.BROKER_DEMO_BASE_URL = origin;
  here.write('work/.mcp.json', `{"env": {"BROKER_API_KEY": "${planted.key}"}`);
  here.write('.local/state/brokerage-mcp/store.sqlite', planted.secret.repeat(300));
  const { code, stdout, stderr } = await doctor(here);
  expect(code).toBe(1);
  for (const check of ['store', 'request']) expect(stdout).toMatch(new RegExp(`^fault +${check} `, 'm'));
  for (const check of ['configuration', 'secrets', 'hosts'])
    expect(stdout).toMatch(new RegExp(`^warning +${check} `, 'm'));
  expect(stdout).toMatch(/\n2 faults, \d+ warnings/);
  expect(`${stdout}${stderr}`).not.toContain('PLANTED');
  expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /);
});

test('a service that never responds delays the doctor by some seconds only', { tags: ['slow'] }, async () => {
  const here = machine();
  const server = createServer(() => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  Object.assign(here.env, demoVariables(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  const outcome = await doctor(here, ['--json'], { timeout: 28 });
  expect(outcome.code).toBe(1);
  expect(linesOf(outcome).find(({ check }) => check === 'request')).toMatchObject({
    level: 'fault',
    says: expect.stringContaining('did not respond in time'),
    fix: expect.stringContaining('a firewall or a proxy'),
  });
  // The later checks have had their turn.
  expect(linesOf(outcome).at(-1)?.check).toBe('servers');
});

test('an unknown command or flag is reported in one line', async () => {
  const here = machine();
  expect(await runCommand(['doctor', 'everything'], here.env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('takes no arguments'),
  });
  expect(await runCommand(['doctor', '--jason'], here.env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--json'),
  });
  expect(existsSync(here.stateDir)).toBe(false);
});

test.each([0, -1, 1.5, 1_000])('a timeout of %d seconds is refused', async (timeout) => {
  expect(await runCommand(['doctor', '--timeout', String(timeout)], machine().env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--timeout takes an integer number of seconds from 1 to 999.'),
  });
});

/** A copy of the program without anything beside it. */
function copyOfProgram(here: Machine): string {
  const folder = join(here.home, 'program', 'dist');
  mkdirSync(folder, { recursive: true });
  cpSync('dist', folder, { recursive: true });
  return join(folder, 'brokerage-mcp.cjs');
}

test('an SQLite package that is missing is reported with the command that installs it', { tags: ['slow'] }, () =>
  expectSqliteFault(() => undefined, /no SQLite is installed|is older than/),
);

test('so is one that is broken', { tags: ['slow'] }, () =>
  expectSqliteFault(breakPackage, /@photostructure\/sqlite is installed but cannot be loaded/),
);

async function expectSqliteFault(harm: (program: string) => void, says: RegExp): Promise<void> {
  const here = machine();
  const program = copyOfProgram(here);
  harm(program);
  const outcome = await doctor(here, ['--json', '--offline'], { program });
  const found = linesOf(outcome).filter(({ check, level }) => check === 'program' && level !== 'ok');
  // A future Node brings an SQLite that is new enough, and then nothing is wrong.
  if (linesOf(outcome).some((line) => line.says.endsWith('from node:sqlite.'))) return expect(found).toEqual([]);
  const fix = expect.stringContaining('npm install @photostructure/sqlite');
  expect(found).toEqual([{ check: 'program', level: 'fault', says: expect.stringMatching(says), fix }]);
  expect(outcome.code).toBe(1);
}

function breakPackage(program: string): void {
  const folder = join(program, '..', '..', 'node_modules', '@photostructure', 'sqlite');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), 'throw new Error("no binary for this machine");');
}

test.each([
  [
    'writes to standard output',
    'console.log("hello from a wrapper")',
    /standard output carries 1 line outside the protocol/,
  ],
  [
    'ends at once',
    'if (process.argv.includes("--toolsets")) { console.error("Sorry.\\n  at x"); process.exit(3); }',
    /exited with 3 before it responded: Sorry\./,
  ],
])('both handshakes detect a program that %s', { tags: ['slow'] }, async (_, code, says) => {
  const here = machine();
  const args = ['--require', here.write('wrapper.cjs', code), resolve('dist/brokerage-mcp.cjs')];
  here.terminal = { self: { command: process.execPath, args } };
  const lines = await examine(here, handshakes);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatchObject({ level: 'fault', says: expect.stringMatching(says) });
});

test('a server that runs on the store is shown with its version', { tags: ['slow'] }, async () => {
  const here = machine();
  const child = spawn(process.execPath, [resolve('dist/brokerage-mcp.cjs')], { env: here.env, stdio: 'pipe' });
  const ended = new Promise((done) => child.once('close', done));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const answered = new Promise<void>((done) => {
    child.stdout.on('data', (chunk: Buffer) => chunk.includes('"id":2') && done());
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 't', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'get_server_status', arguments: {} } });
  await answered;
  const [line] = await examine(here, only('servers'));
  expect(line?.says).toMatch(new RegExp(`also open in process ${child.pid}, version \\d`));
});

test('a store that may not be written to, and a config.json that may not be read', { tags: ['slow'] }, async () => {
  const here = machine();
  const config = here.write('.config/brokerage-mcp/config.json', '{"readOnly": true}');
  const prefix = withoutCapabilities();
  mkdirSync(here.stateDir, { recursive: true });
  chmodSync(here.stateDir, 0o500);
  chmodSync(config, 0o000);
  onTestFinished(() => chmodSync(here.stateDir, 0o700));
  const outcome = await doctor(here, ['--json', '--offline'], { prefix });
  const faults = linesOf(outcome).filter(({ level }) => level === 'fault');
  expect(faults).toMatchObject([
    { check: 'configuration', says: expect.stringContaining('cannot be read'), fix: expect.stringContaining('chown') },
    {
      check: 'store',
      says: expect.stringContaining('is not writable'),
      fix: expect.stringContaining('chmod -R u+rwX'),
    },
  ]);
  expect(outcome.code).toBe(1);
});

test('a full disk', { tags: ['slow'] }, async ({ skip }) => {
  const disk = await mountSmallDisk();
  if (!disk) return skip('nothing may be mounted here');
  onTestFinished(() => disk.close());
  const here = machine();
  here.env.BROKER_STATE_DIR = join(disk.folder, 'state');
  disk.fill();
  const lines = await examine({ ...here, flags: { offline: 'true' } });
  expect(lines.filter(({ level }) => level === 'fault' || level === 'warning')).toMatchObject([
    { check: 'state folder', level: 'warning', fix: expect.stringContaining('df -h') },
    { check: 'store', level: 'fault', says: expect.stringMatching(/disk is full|folder cannot be used/) },
  ]);
});

test.for(['state', ''])('a read-only disk with the state folder "%s"', { tags: ['slow'] }, async (made, { skip }) => {
  const disk = await mountSmallDisk();
  if (!disk) return skip('nothing may be mounted here');
  onTestFinished(() => disk.close());
  const here = machine();
  here.env.BROKER_STATE_DIR = join(disk.folder, 'state');
  mkdirSync(join(disk.folder, made), { recursive: true, mode: 0o700 });
  execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
  const lines = await examine({ ...here, flags: { offline: 'true' } });
  const store = lines.find(({ check }) => check === 'store');
  expect(store).toMatchObject({ level: 'fault', fix: expect.stringMatching(/BROKER_STATE_DIR.+ (?:mount|read-only)/) });
  expect(JSON.stringify(lines)).not.toContain('chown');
});
