/** init, remove and print-config as their users run them: the built program, in a shell and in a terminal. */
// @module-tag process
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { buildToolListing } from '../../src/app/build-tool-listing.ts';
import { createInit } from '../../src/cli/init.ts';
import { createSecurity } from '../../src/core/approval/enrollment/enrollment.ts';
import { systemClock } from '../../src/core/clock.ts';
import { readConfig } from '../../src/core/settings/config.ts';
import { runCommand, testTerminal } from '../support/command.ts';
import { giveAway } from '../support/give-away.ts';
import { inTerminal } from '../support/pty.ts';
import { openStateStore } from '../support/state-store.ts';

type Flags = Readonly<Record<string, string>>;
const run = promisify(execFile);
let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-init-'));
  for (const folder of ['.cursor', '.codex', '.config/zed']) mkdirSync(join(home, folder), { recursive: true });
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

/** Runs a command in this process, which saves most of the starts. */
const program = (args: readonly string[], env: Record<string, string> = {}) =>
  runCommand(args, { HOME: home, ...env }, { platform: 'linux' });

/** Runs the built program to its end, without a terminal. */
async function started(args: readonly string[], env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env.PATH ?? '', HOME: home, ...env } };
  try {
    const command = ['-w', process.execPath, 'dist/brokerage-mcp.cjs', ...args];
    return { code: 0, ...(await run('setsid', command, options)) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

const at = (path: string) => join(home, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
const cursorEntry = () => JSON.parse(read('.cursor/mcp.json')).mcpServers.brokerage;
const own = '.config/brokerage-mcp';

/** Every file below the folder with its text. */
const everything = (folder = home): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );

test('a script connects a host, the entry starts a server, and a second run changes nothing', {
  tags: ['slow'],
}, async () => {
  const done = await started(['init', '--yes', '--client', 'cursor', '--read-only', '--toolsets', 'account,status']);
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toMatch(
    /\+ .*"--env", "sandbox"[\s\S]*Settings: written \S+config\.json[\s\S]*Cursor: written[\s\S]*What do I own/,
  );
  expect(JSON.parse(read(`${own}/config.json`))).toEqual({ environment: 'sandbox' });
  expect(statSync(at(own)).mode & 0o777).toBe(0o700);

  const { command, args } = cursorEntry();
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: { HOME: home, PATH: process.env.PATH ?? '' } }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  await client.close();
  const wanted = buildToolListing().filter(({ name }) =>
    ['get_account_summary', 'list_positions', 'get_server_status', 'watch'].includes(name),
  );
  expect(names).toEqual(wanted.map(({ name }) => name));

  const before = everything();
  const asked = ['init', '--yes', '--no-doctor', '--client', 'cursor', '--read-only', '--toolsets', 'account,status'];
  const again = await program(asked);
  expect(again.stdout).toContain('nothing was changed');
  expect(again.code).toBe(0);
  expect(everything()).toEqual(before);
});

test('all installed hosts are connected, each in its own format, and remove restores them', {
  tags: ['slow'],
}, async () => {
  writeFileSync(at('.codex/config.toml'), 'model = "m"');
  writeFileSync(at('.config/zed/settings.json'), '// mine\n{\n  "theme": "x", // dark\n}\n');
  const before = everything();
  expect((await program(['init', '--yes', '--no-doctor', '--client', 'all'])).code).toBe(0);
  expect(cursorEntry().args.slice(-2)).toEqual(['--env', 'sandbox']);
  expect(read('.config/zed/settings.json')).toMatch(
    /^\/\/ mine[\s\S]*"context_servers": \{\n {4}"brokerage": \{\n {6}"source": "custom"/,
  );
  expect(read('.codex/config.toml')).toContain('\n\n[mcp_servers.brokerage]\ncommand = ');

  const removed = await program(['remove', '--yes', '--forget']);
  expect(removed.code).toBe(0);
  expect(removed.stdout).toContain(`stays in ${at('.local/state/brokerage-mcp')}`);
  const backups = Object.keys(everything()).filter((path) => path.includes('backup'));
  expect(backups.length).toBeGreaterThan(0);
  const named = removed.stdout.slice(removed.stdout.indexOf('These backups')).split('\n');
  expect(
    named
      .slice(1, 1 + backups.length)
      .map((line) => line.trim())
      .sort(),
  ).toEqual(backups.sort());
  const after = Object.entries(everything()).filter(([path]) => !path.includes('backup'));
  expect(Object.fromEntries(after)).toEqual(before);
});

// Where the documents of these hosts say that they read their servers, and what the entry needs beside the command.
test.each([
  ['copilot', '.copilot/mcp-config.json', { type: 'local', tools: ['*'] }],
  ['copilot-cli', '.copilot/mcp-config.json', { type: 'local', tools: ['*'] }],
  ['qwen', '.qwen/settings.json', {}],
  ['cline', '.cline/data/settings/cline_mcp_settings.json', {}],
  ['continue', '.continue/mcpServers/brokerage.json', {}],
])('init connects %s in %s, and remove deletes the file that it made', async (client, file, beside) => {
  const done = await program(['init', '--yes', '--no-doctor', '--client', client]);
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(done.stdout).not.toContain('…');
  const { command, args, ...others } = JSON.parse(read(file)).mcpServers.brokerage;
  expect([[command, ...args].slice(-2), others]).toEqual([['--env', 'sandbox'], beside]);
  expect((await program(['remove', '--yes'])).code).toBe(0);
  expect(Object.keys(everything()).filter((path) => path.startsWith(at(file)))).toEqual([]);
});

test('a person completes the questions, and the keys appear on no screen and in no file but their own', {
  tags: ['slow'],
}, async () => {
  const secrets = ['key-1234567890', 'secret-0987654321'];
  const { code, shown } = await inTerminal(['init'], { HOME: home }, [
    ['all [all]: ', '1'],
    ['[sandbox]: ', 'demo'],
    ['Base URL of the demo service: ', 'ftp://no'],
    ['Base URL of the demo service: ', 'https://demo.broker.example/api/v0'],
    ['Key (not shown): ', ''],
    ['Key (not shown): ', secrets[0] as string],
    ['Secret (not shown): ', secrets[1] as string],
    ['[place]: ', ''],
    ['Type yes: ', 'yes'],
  ]);
  expect(code).toBe(0);
  expect(shown).toMatch(/That must start with https/);
  expect(shown).toMatch(/1 {2}Cursor .*\.cursor\/mcp\.json/);
  for (const secret of secrets) expect(shown).not.toContain(secret);
  const holding = Object.entries(everything()).filter(([, text]) => secrets.some((secret) => text.includes(secret)));
  expect(Object.fromEntries(holding)).toEqual({
    [at(`${own}/demo-key`)]: `${secrets[0]}\n`,
    [at(`${own}/demo-secret`)]: `${secrets[1]}\n`,
  });
  for (const [path] of holding) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(cursorEntry().env).toEqual({
    BROKER_DEMO_BASE_URL: 'https://demo.broker.example/api/v0',
    BROKER_API_KEY_FILE: at(`${own}/demo-key`),
    BROKER_API_SECRET_FILE: at(`${own}/demo-secret`),
  });
  // A shell without any variable uses the same account.
  const status = JSON.parse((await program(['call', 'get_server_status'])).stdout);
  expect(status).toMatchObject({ env: 'demo', configured: true });

  const before = everything();
  const kept = await inTerminal(['init', '--no-doctor', '--client', 'cursor'], { HOME: home }, [
    ['[sandbox]: ', 'demo'],
    ['api/v0]: ', ''],
    ['Key (not shown): ', ''],
    ['[place]: ', 'place'],
  ]);
  expect(kept.shown).toContain('nothing was changed');
  expect(everything()).toEqual(before);

  const removed = await inTerminal(['remove'], { HOME: home }, [
    ['Type yes: ', 'yes'],
    ['Type yes: ', 'y'],
    ['Type yes: ', 'no'],
  ]);
  expect(removed.shown).toMatch(/The stored keys: .*demo-key.*[\s\S]*Deleted[\s\S]*config\.json[\s\S]*Kept/);
  expect(existsSync(at(`${own}/demo-key`))).toBe(false);
  expect(existsSync(at(`${own}/config.json`))).toBe(true);
});

test('a key may have no secret: Enter skips it, and an earlier secret is removed', { tags: ['slow'] }, async () => {
  const keys = ['key-1234567890', 'secret-0987654321', 'other-key-5555555'] as const;
  const connect = (typed: readonly (readonly [string, string])[]) =>
    inTerminal(
      ['init', '--client', 'cursor', '--env', 'demo', '--base-url', 'http://127.0.0.1:9', '--no-doctor'],
      { HOME: home },
      [...typed, ['[place]: ', ''], ['Type yes: ', 'yes']],
    );
  expect(
    (
      await connect([
        ['Key (not shown): ', keys[0]],
        ['Secret (not shown): ', keys[1]],
      ])
    ).code,
  ).toBe(0);
  const { code, shown } = await connect([
    ['Key (not shown): ', keys[2]],
    ['Secret (not shown): ', ''],
  ]);
  expect(code).toBe(0);
  expect(shown).toMatch(/If the key has no secret, press Enter: the key is then sent alone/);
  expect(shown).toMatch(
    /Key, without a secret: .*demo-key[\s\S]*Secret of the key before: .*demo-secret \(will be deleted\)/,
  );
  expect(existsSync(at(`${own}/demo-secret`))).toBe(false);
  expect(read(`${own}/demo-key`)).toBe(`${keys[2]}\n`);
  expect(cursorEntry().env).toEqual({
    BROKER_DEMO_BASE_URL: 'http://127.0.0.1:9',
    BROKER_API_KEY_FILE: at(`${own}/demo-key`),
  });
  expect(JSON.parse(read(`${own}/config.json`))).toMatchObject({ apiKeyFile: at(`${own}/demo-key`) });
  expect(read(`${own}/config.json`)).not.toContain('apiSecret');
  const again = await program(['init', '--yes', '--no-doctor', '--client', 'cursor', '--env', 'demo']);
  expect(again.stdout).toContain('nothing was changed');
});

test('where the assistant only drafts, its server has every tool of drafts but the one that sends', {
  tags: ['slow'],
}, async () => {
  const { code, shown } = await inTerminal(['init', '--no-doctor', '--client', 'cursor'], { HOME: home }, [
    ['[sandbox]: ', ''],
    ['[place]: ', 'both'],
    ['[place]: ', 'draft'],
    ['Type yes: ', 'yes'],
  ]);
  expect(code).toBe(0);
  expect(shown).toContain(`${resolve('dist/brokerage-mcp.cjs')} drafts submit ID`);
  const { command, args } = cursorEntry();
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: { HOME: home, PATH: process.env.PATH ?? '' } }));
  const { tools } = await client.listTools();
  await client.close();
  expect(tools.filter(({ name }) => name.includes('draft')).map(({ name }) => name)).toEqual([
    'save_draft',
    'list_drafts',
    'discard_draft',
  ]);
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['plan_orders', 'preview_order', 'get_order', 'fetch_history']));
  expect(names.filter((name) => /^(place|cancel|submit|create|update|delete)_/.test(name))).toEqual([]);

  // The flag of a script chooses the same.
  const before = everything();
  const flag = await program(['init', '--yes', '--no-doctor', '--client', 'cursor', '--draft-only']);
  expect(flag.stdout).toContain('nothing was changed');
  expect(everything()).toEqual(before);
  const printed = await program(['print-config', '--client', 'cursor', '--draft-only']);
  expect(JSON.parse(printed.stdout).mcpServers.brokerage.args.slice(-2)).toEqual(args.slice(-2));
});

test('the check after init has the tools of the entry', async () => {
  const found: Flags[] = [];
  const init = createInit(async (flags) => {
    found.push(flags);
    return [];
  });
  const terminal = testTerminal({ env: { HOME: home }, platform: 'linux' });
  await init({ words: [], flags: { yes: 'true', client: 'cursor', 'draft-only': 'true' } }, terminal);
  const args: string[] = cursorEntry().args;
  const { toolsets } = readConfig(found[0] ?? {}, terminal);
  expect(toolsets.join(',')).toBe(args[args.indexOf('--toolsets') + 1]);
});

test('init names what the checks found and counts the others', async () => {
  const init = createInit(async () => [
    { check: 'node', level: 'ok', says: 'SYSTEM' },
    { check: 'store', level: 'fault', says: 'DAMAGED', fix: 'REPAIR' },
    { check: 'clock', level: 'ok', says: 'SYSTEM' },
  ]);
  const lines: string[] = [];
  const terminal = testTerminal({ env: { HOME: home }, platform: 'linux', print: (line) => lines.push(line) });
  await init({ words: [], flags: { yes: 'true', client: 'cursor' } }, terminal);
  const from = lines.findIndex((line) => line.includes('DAMAGED'));
  expect(lines.slice(from, from + 3).map((line) => line.trim())).toEqual([
    expect.stringMatching(/^✗ store +DAMAGED$/),
    '→ REPAIR',
    'Checked: 1 fault, 2 ok. See all with: brokerage-mcp doctor',
  ]);
  expect(lines.join('\n')).not.toContain('SYSTEM');
  expect(lines).toContain(`Settings: written ${at(`${own}/config.json`)}`);
});

test('init says what each host does before an order, and nothing where that is not known', async () => {
  const init = createInit(async () => []);
  const lines: string[] = [];
  const terminal = testTerminal({ env: { HOME: home }, platform: 'linux', print: (line) => lines.push(line.trim()) });
  await init({ words: [], flags: { yes: 'true', client: 'opencode,windsurf,claude-code' } }, terminal);
  expect(lines.filter((line) => line.startsWith('Before an order'))).toEqual([
    'Before an order it asks nothing, until its settings say so.',
    'Before an order it asks, until you allow the tool or the server; each time with real money.',
  ]);
});

test('what could not be checked is a note with its next step, and nothing to worry about', async () => {
  const init = createInit(async () => [
    { check: 'node', level: 'ok', says: 'SYSTEM' },
    { check: 'clock', level: 'note', says: 'UNKNOWN', fix: 'COMPARE' },
  ]);
  const lines: string[] = [];
  const terminal = testTerminal({ env: { HOME: home }, platform: 'linux', print: (line) => lines.push(line) });
  await init({ words: [], flags: { yes: 'true', client: 'cursor' } }, terminal);
  const from = lines.findIndex((line) => line.includes('UNKNOWN'));
  expect(lines.slice(from, from + 3).map((line) => line.trim())).toEqual([
    expect.stringMatching(/^· clock +UNKNOWN$/),
    '→ COMPARE',
    'Checked: no fault, 1 note, 1 ok. See all with: brokerage-mcp doctor',
  ]);
});

test('a script may name a key without a secret', async () => {
  writeFileSync(at('key'), 'key-1234567890\n', { mode: 0o600 });
  const demo = ['--env', 'demo', '--base-url', 'http://127.0.0.1:9'];
  const init = ['init', '--yes', '--no-doctor', '--client', 'cursor', ...demo];
  expect((await program([...init, '--key-file', at('key')])).code).toBe(0);
  expect(cursorEntry().env).toEqual({
    BROKER_DEMO_BASE_URL: 'http://127.0.0.1:9',
    BROKER_API_KEY_FILE: at('key'),
  });
  expect((await program([...init, '--key-command', 'print-key'])).code).toBe(0);
  expect(cursorEntry().env).toMatchObject({ BROKER_API_KEY_COMMAND: 'print-key' });
  const config = JSON.parse(read(`${own}/config.json`));
  expect(config).toEqual({ environment: 'demo', demoBaseUrl: 'http://127.0.0.1:9', apiKeyCommand: ['print-key'] });
  const printed = await program(['print-config', '--client', 'cursor', ...demo, '--key-file', at('key')]);
  expect(JSON.parse(printed.stdout).mcpServers.brokerage.env).not.toHaveProperty('BROKER_API_SECRET_FILE');
});

type Steps = readonly (readonly [string, string])[];
const earlyQuestions: readonly (readonly [string, string, Steps])[] = [
  ['hosts', 'all [all]: ', []],
  [
    'key',
    'Key (not shown): ',
    [
      ['all [all]: ', '2'],
      ['[sandbox]: ', 'live'],
      ['service: ', 'https://x.example'],
    ],
  ],
];
const toLast: Steps = [
  ['all [all]: ', ''],
  ['[sandbox]: ', ''],
  ['[place]: ', 'draft'],
];
const changesNothing = 'Ctrl+C at the %s question changes nothing';
test.each(earlyQuestions)(changesNothing, { tags: ['slow'] }, expectNoChange);
test.each([['last', 'Type yes: ', toLast]] as const)(changesNothing, { tags: ['slow'] }, expectNoChange);

async function expectNoChange(_: string, last: string, steps: Steps): Promise<void> {
  const before = everything();
  // From Node 22.8 on compiled code is kept below the home.
  const env = { HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' };
  const { code, shown } = await inTerminal(['init'], env, [...steps, [last, '\u0003']]);
  expect([code, shown.includes('Nothing was changed.')]).toEqual([1, true]);
  expect(everything()).toEqual(before);
  expect(existsSync(at(own))).toBe(false);
}

test('live reports what it still needs and enables nothing', async () => {
  for (const name of ['key', 'secret']) writeFileSync(at(name), `${name}\n`, { mode: 0o600 });
  mkdirSync(at(own));
  writeFileSync(
    at(`${own}/config.json`),
    '{\n  "environment": "demo",\n  "liveTrading": true,\n  "maxOrderValue": "5"\n}\n',
  );
  const live = [
    'init',
    '--yes',
    '--no-doctor',
    '--client',
    'cursor',
    '--env',
    'live',
    '--base-url',
    'https://live.example',
  ];
  const done = await program([...live, '--key-file', at('key'), '--secret-file', at('secret')]);
  expect(done.code).toBe(0);
  expect(done.stdout).toMatch(
    /Live orders need 2 more steps, which init does not do[\s\S]*1\. \S+ \S+brokerage-mcp\.cjs enroll[\s\S]*2\. BROKER_LIVE_TRADING/,
  );
  expect(JSON.parse(read(`${own}/config.json`))).toEqual({
    environment: 'live',
    liveBaseUrl: 'https://live.example',
    apiKeyFile: at('key'),
    apiSecretFile: at('secret'),
    maxOrderValue: '5',
  });
  expect(JSON.stringify(cursorEntry())).not.toContain('LIVE_TRADING');
});

test('live reports only the steps that are left, whether something was written or not', async () => {
  for (const name of ['key', 'secret']) writeFileSync(at(name), `${name}\n`, { mode: 0o600 });
  const state = '.local/state/brokerage-mcp';
  const account = ['--base-url', 'https://live.example', '--key-file', at('key'), '--secret-file', at('secret')];
  const init = ['init', '--yes', '--no-doctor', '--client', 'cursor', '--env', 'live', ...account];
  const shell = { BROKER_LIVE_TRADING: 'true' };
  const first = await program(init, shell);
  expect(first.stdout).toMatch(
    /Live orders need 2 more steps, which init does not do:\n {2}1\. \S+ \S+brokerage-mcp\.cjs enroll,/,
  );
  expect(existsSync(at(`${state}/store.sqlite`))).toBe(false);

  const store = openStateStore(at(state));
  const enrolment = { passphrase: 'a long passphrase', approval: 'page', limits: {} } as const;
  await createSecurity(store.journal as never, systemClock).enrol(enrolment);
  await store.close();
  const second = await program(init, shell);
  expect(second.stdout).toContain('Already set up as chosen');
  // The host does not pass the variable of this shell on.
  expect(second.stdout).toContain(
    'Live orders need 1 more step, which init does not do:\n  1. BROKER_LIVE_TRADING=true in the server’s environment',
  );
  expect(second.stdout).not.toContain('enroll');

  const settings = JSON.parse(read(`${own}/config.json`));
  writeFileSync(at(`${own}/config.json`), JSON.stringify({ ...settings, liveTrading: true }), { mode: 0o600 });
  expect((await program(init)).stdout).not.toContain('Live orders need');
});

test.each([
  ['print-config', ['print-config', '--client', 'cursor']],
  ['init', ['init', '--yes', '--no-doctor', '--client', 'cursor']],
])('%s says that its entry does not follow BROKER_ENV', async (_, args) => {
  const env = { BROKER_ENV: 'live', BROKER_LIVE_BASE_URL: 'https://live.example' };
  const said =
    'BROKER_ENV is set here, but the entry does not use it: this is an entry for the sandbox. For another account, give --env and --base-url.';
  const { code, stdout, stderr } = await program(args, env);
  expect(code).toBe(0);
  expect(stdout).toMatch(/"--env",\s*"sandbox"/);
  expect(stderr).toContain(said);
  expect((await program([...args, '--env', 'sandbox'], env)).stderr).not.toContain('BROKER_ENV');
  expect((await program(args, { BROKER_ENV: 'sandbox' })).stderr).not.toContain('BROKER_ENV');
});

test('programs that print the key pair are written by name, not run', async () => {
  // Of the folder in which it would run: the path of one for temporary files may hold a space.
  const touched = 'brokerage-mcp-ran-a-key-command';
  const keys = ['--key-command', `touch ${touched}`, '--secret-command', '["cat", "/a b"]'];
  const demo = ['--env', 'demo', '--base-url', 'http://127.0.0.1:9', ...keys];
  expect((await program(['init', '--yes', '--no-doctor', '--client', 'cursor', ...demo])).code).toBe(0);
  expect(existsSync(touched)).toBe(false);
  expect(cursorEntry().env).toMatchObject({
    BROKER_API_KEY_COMMAND: `touch ${touched}`,
    BROKER_API_SECRET_COMMAND: '["cat", "/a b"]',
  });
  expect(JSON.parse(read(`${own}/config.json`))).toMatchObject({
    apiKeyCommand: ['touch', touched],
    apiSecretCommand: ['cat', '/a b'],
  });
});

test.each<[string, string[], RegExp]>([
  ['no host', ['--yes'], /--yes needs --client: claude-desktop/],
  ['an unknown host', ['--yes', '--client', 'cursr'], /closest one is cursor/],
  ['an unknown environment', ['--yes', '--client', 'cursor', '--env', 'paper'], /it can be sandbox, demo, live/],
  ['no base URL', ['--yes', '--client', 'cursor', '--env', 'demo'], /demo needs --base-url/],
  ['no keys', ['--yes', '--client', 'cursor', '--env', 'demo', '--base-url', 'https://x.example'], /needs --key-file/],
  ['one secret', ['--yes', '--client', 'cursor', '--env', 'demo', '--secret-file', '/x'], /--key-file is missing/],
  [
    'keys for the sandbox',
    ['--yes', '--client', 'cursor', '--key-file', '/x', '--secret-file', '/y'],
    /sandbox needs no key/,
  ],
  ['two choices of tools', ['--yes', '--client', 'cursor', '--draft-only', '--toolsets', 'account'], /not both/],
  ['an unknown toolset', ['--yes', '--client', 'cursor', '--toolsets', 'acount'], /closest one is "account"/],
  [
    'a key file that is not there',
    [
      '--yes',
      '--client',
      'cursor',
      '--env',
      'demo',
      '--base-url',
      'https://x.example',
      '--key-file',
      '/no',
      '--secret-file',
      '/no',
    ],
    /cannot be read: \/no/,
  ],
])('%s is one line, and nothing is written', async (_, args, line) => {
  const before = everything();
  const { code, stderr, stdout } = await program(['init', '--no-doctor', ...args]);
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(stderr).toMatch(line);
  expect(everything()).toEqual(before);
  expect(existsSync(at(own))).toBe(false);
});

test.each(['init', 'remove'])(
  '%s asks in a terminal, and refuses to run without one',
  { tags: ['slow'] },
  async (command) => {
    const { code, stderr } = await started([command]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/needs a terminal to ask .*; in a script: .* --yes --client/),
    ]);
  },
);

test('a host whose file cannot be edited gets the text to add, and the others are connected', async () => {
  writeFileSync(at('.cursor/mcp.json'), '{ broken');
  const { code, stdout } = await program(['init', '--yes', '--no-doctor', '--client', 'cursor,codex']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/cannot be read: an unexpected character in line 1[\s\S]*"mcpServers": \{/);
  expect(read('.cursor/mcp.json')).toBe('{ broken');
  expect(read('.codex/config.toml')).toContain('[mcp_servers.brokerage]');
});

test('a shell with its own folders passes them to the host', async () => {
  const env = { BROKER_CONFIG_DIR: at('mine'), XDG_STATE_HOME: at('state') };
  expect((await program(['init', '--yes', '--no-doctor', '--client', 'cursor'], env)).code).toBe(0);
  expect(cursorEntry().env).toEqual({ BROKER_CONFIG_DIR: at('mine') });
  expect(cursorEntry().args.slice(-2)).toEqual(['--state-dir', at('state/brokerage-mcp')]);
  expect(JSON.parse(read('mine/config.json'))).toEqual({ environment: 'sandbox', stateDir: at('state/brokerage-mcp') });
});

test('root is warned about another user’s folder', async () => {
  giveAway(home);
  expect((await program(['init', '--yes', '--no-doctor', '--client', 'cursor'])).stderr).toMatch(
    /You are root, but .* belongs to another user/,
  );
});

test.each(['sandbox', 'demo', 'live'])('print-config prints the same after any init as before it (%s)', async (env) => {
  const asked = ['print-config', '--client', 'cursor', '--env', env];
  const before = await program(asked);
  expect(before.code).toBe(0);
  const account = ['--base-url', 'https://demo.broker.example', '--key-command', 'k', '--secret-command', 's'];
  const init = ['init', '--yes', '--no-doctor', '--client', 'cursor'];
  expect((await program([...init, '--env', 'demo', ...account])).code).toBe(0);
  expect(await program(asked)).toEqual(before);
});

test('print-config prints only the snippet to standard output, and the place to standard error', async () => {
  const plain = await program(['print-config', '--client', 'cursor']);
  const { brokerage } = JSON.parse(plain.stdout).mcpServers;
  expect(brokerage.command).toBe(process.execPath);
  expect(brokerage.args[0]).toMatch(/^\/.*\/dist\/brokerage-mcp\.cjs$/);
  expect(plain.stderr).toContain(at('.cursor/mcp.json'));
  const code = JSON.parse((await program(['print-config', '--client', 'vscode', '--env', 'live'])).stdout);
  expect(code.inputs.map(({ password }: { password: boolean }) => password)).toEqual([true, true]);
  expect(code.servers.brokerage.env).toMatchObject({ BROKER_API_KEY: `\${input:${code.inputs[0].id}}` });
  const odd = ['print-config', '--client', 'zed', '--env', 'demo', '--base-url'];
  expect((await program([...odd, 'https://u:p@host'])).stderr).toMatch(/must not contain a user name or a password/);
  expect((await program(['print-config'])).stderr).toMatch(/needs one --client of: claude-desktop, /);
});
