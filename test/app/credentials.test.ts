/** Key pairs that a program prints: which form takes precedence, and how a program may fail. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createCredentials } from '../../src/app/credentials.ts';
import { readConfig } from '../../src/core/settings/config.ts';
import { type CommandLine, parseCommand } from '../../src/core/settings/secrets.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const program = (script: string) => ({
  command: [process.execPath, '-e', script] as CommandLine,
  from: 'BROKER_API_KEY_COMMAND',
});
const read = (env: Record<string, string>, file?: object) =>
  readConfig(
    { env: 'demo' },
    {
      argv: [],
      env: { HOME: '/nowhere', ...env },
      platform: 'linux',
      readFile: (path) => (path.endsWith('config.json') ? file && JSON.stringify(file) : `text-of-${path}`),
      getFileMode: () => 0o600,
    },
  ).credentials;

test('programs run at the first request, once for all callers', async () => {
  const counter = join(folder, 'runs');
  const script = `require('fs').appendFileSync(${JSON.stringify(counter)}, 'x'); console.log('  the-key ')`;
  const credentials = createCredentials({ key: program(script), secret: 'plain' });
  expect([existsSync(counter), credentials.isKnown()]).toEqual([false, false]);
  const pairs = await Promise.all([credentials.keyPair(), credentials.keyPair()]);
  expect([...pairs, await credentials.keyPair()]).toEqual(Array(3).fill({ key: 'the-key', secret: 'plain' }));
  expect([readFileSync(counter, 'utf8'), credentials.isKnown()]).toEqual(['x', true]);
});

type Failing = readonly [title: string, script: string, why: RegExp];
const failing: readonly Failing[] = [
  ['that ends badly', "console.log('sekret'); console.error('sekret'); process.exit(3)", /ended with code 3/],
];
const alsoFailing: readonly Failing[] = [
  ['that prints several lines', "console.log('sekret\\nsekret')", /printed more than one line/],
  ['that prints a colon', "console.log('sekret:sekret')", /contain a colon/],
  ['that prints nothing', '', /printed nothing/],
  ['that prints a book', "console.log('sekret'.repeat(10000))", /printed more text than a key can have/],
];
const isReported = 'a program %s is reported without its output, and runs again next time';
test.each(failing)(isReported, expectReport);
test.each(alsoFailing)(isReported, { tags: ['slow'] }, expectReport);

async function expectReport(_: string, script: string, why: RegExp): Promise<void> {
  const flag = join(folder, 'mended');
  const mending = `if (require('fs').existsSync(${JSON.stringify(flag)})) { console.log('good'); process.exit(0) } ${script}`;
  const credentials = createCredentials({ key: program(mending), secret: 's' });
  const error = await credentials.keyPair().catch((reason: Error) => reason);
  expect(error).toMatchObject({ code: 'not_configured', message: expect.stringMatching(why) });
  expect(JSON.stringify(error) + String(error)).not.toContain('sekret');
  writeFileSync(flag, '');
  expect(await credentials.keyPair()).toEqual({ key: 'good', secret: 's' });
}

/** Starts a child that lives on, writes its id to a file, prints the key and ends. */
const startsChild = (stdio: string, file: string) =>
  `const { spawn } = require('child_process');
   const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: '${stdio}' });
   require('fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
   child.unref(); console.log('the-key'); process.exit(0)`;
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    // No process has this id.
    return false;
  }
};

test.skipIf(process.platform === 'win32')(
  'a child that keeps the output of the program open delays nothing, and ends',
  { tags: ['slow'] },
  async () => {
    const file = join(folder, 'pid');
    const { keyPair } = createCredentials({ key: program(startsChild('inherit', file)) });
    expect(await keyPair()).toEqual({ key: 'the-key', secret: undefined });
    await expect.poll(() => isRunning(Number(readFileSync(file, 'utf8')))).toBe(false);
  },
);

test('a child with an output of its own, such as an agent, lives on', async () => {
  const file = join(folder, 'pid');
  const { keyPair } = createCredentials({ key: program(startsChild('ignore', file)) });
  await keyPair();
  const pid = Number(readFileSync(file, 'utf8'));
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  expect(isRunning(pid)).toBe(true);
});

test('a missing program is reported', async () => {
  const credentials = createCredentials({ key: { command: ['/no/such/program'], from: 'X' }, secret: 's' });
  await expect(credentials.keyPair()).rejects.toThrow('The program of X was not found.');
});

test('the command is not run by a shell', async () => {
  const words = parseCommand(JSON.stringify([process.execPath, '-p', '`$HOME; "quoted"`']), 'X');
  const credentials = createCredentials({ key: { command: words, from: 'X' }, secret: 's' });
  expect(await credentials.keyPair()).toEqual({ key: '$HOME; "quoted"', secret: 's' });
});

test.each([
  ['op read op://vault/key', ['op', 'read', 'op://vault/key']],
  ['  a   b ', ['a', 'b']],
  ['["a", "b c", "$d"]', ['a', 'b c', '$d']],
  ['C:\\bin\\op.exe read', ['C:\\bin\\op.exe', 'read']],
])('%s is split into arguments', (text, words) => {
  expect(parseCommand(text, 'X')).toEqual(words);
});

test.each([
  ['', /X is empty/],
  ['[]', /X is empty/],
  ['[1]', /not a list of strings/],
  ['["a"', /not a list of strings/],
  ['cat "a b"', /not run by a shell/],
  ['echo $KEY', /not run by a shell/],
  ['a | b', /not run by a shell/],
])('%j is refused', (text, why) => {
  expect(() => parseCommand(text, 'X')).toThrow(why);
});

test('the plain form takes precedence over the file, and the file over the program', () => {
  const all = { BROKER_API_KEY: 'k', BROKER_API_KEY_FILE: '/k', BROKER_API_KEY_COMMAND: 'pk', BROKER_API_SECRET: 's' };
  const { BROKER_API_KEY: _, ...withoutPlain } = all;
  const { BROKER_API_KEY_FILE: __, ...commandOnly } = withoutPlain;
  expect([read(all)?.key, read(withoutPlain)?.key]).toEqual(['k', 'text-of-/k']);
  expect(read(commandOnly)?.key).toEqual({ command: ['pk'], from: 'BROKER_API_KEY_COMMAND' });
});

test('any form in a variable takes precedence over config.json, which may be for another account', () => {
  const file = { apiKey: 'other', apiKeyFile: '/other', apiSecretFile: '/other' };
  const env = { BROKER_API_KEY_COMMAND: 'print key', BROKER_API_SECRET_COMMAND: 'print secret' };
  expect(read(env, file)).toMatchObject({
    key: { command: ['print', 'key'] },
    secret: { command: ['print', 'secret'] },
  });
});

test('config.json may give the command as a list', () => {
  const file = { apiKeyCommand: ['op', 'read', 'a,b'], apiSecretCommand: 'op read c' };
  expect(read({}, file)).toMatchObject({
    key: { command: ['op', 'read', 'a,b'] },
    secret: { command: ['op', 'read', 'c'] },
  });
});

test.each([
  ['a variable', { BROKER_API_KEY: 'k' }, undefined, 'k'],
  ['a file of a variable', { BROKER_API_KEY_FILE: '/k' }, undefined, 'text-of-/k'],
  ['a program', { BROKER_API_KEY_COMMAND: 'pk' }, undefined, { command: ['pk'], from: 'BROKER_API_KEY_COMMAND' }],
  ['config.json', {}, { apiKey: 'k' }, 'k'],
  ['a file of config.json', {}, { apiKeyFile: '/k' }, 'text-of-/k'],
  ['a secret left empty in a variable', { BROKER_API_KEY: 'k', BROKER_API_SECRET: '' }, undefined, 'k'],
  ['a secret left empty in config.json', {}, { apiKey: 'k', apiSecret: '' }, 'k'],
])('a key needs no secret: %s', (_, env, file, key) => {
  expect(read(env, file)).toEqual({ key, secret: undefined });
});

test('a key without a secret is accepted, and only its program runs', async () => {
  expect(await createCredentials({ key: program("console.log('the-key')") }).keyPair()).toEqual({ key: 'the-key' });
  const plain = createCredentials({ key: 'plain' });
  expect([plain.isKnown(), await plain.keyPair()]).toEqual([true, { key: 'plain', secret: undefined }]);
});

test.each([
  [{ BROKER_API_SECRET: 's' }, undefined],
  [{ BROKER_API_SECRET_FILE: '/s' }, undefined],
  [{ BROKER_API_SECRET_COMMAND: 'ps' }, undefined],
  [{}, { apiSecret: 's' }],
])('a secret without its key is reported in one sentence: %j %j', (env, file) => {
  expect(() => read(env, file)).toThrow(/^BROKER_API_KEY is missing; a secret needs its key\.$/);
});

test('a secret in config.json belongs to the key there, not to a key in a variable', () => {
  const file = { apiKey: 'other', apiSecret: 'of the other' };
  expect(read({ BROKER_API_KEY: 'k' }, file)).toEqual({ key: 'k', secret: undefined });
  expect(read({ BROKER_API_KEY_FILE: '/k' }, { apiSecretFile: '/s' })).toEqual({
    key: 'text-of-/k',
    secret: undefined,
  });
  expect(read({ BROKER_API_SECRET: 's' }, file)).toEqual({ key: 'other', secret: 's' });
});

test('an empty secret file is not taken for a key without a secret', () => {
  const outside = {
    argv: [],
    env: { BROKER_API_KEY: 'k', BROKER_API_SECRET_FILE: '/s' },
    platform: 'linux',
    readFile: (path: string) => (path === '/s' ? ' \n' : undefined),
    getFileMode: () => 0o600,
  };
  expect(() => readConfig({ env: 'demo' }, outside)).toThrow('/s is empty');
});

test.each(['two words', 'two\nlines', 'ümlaut', 'tab\t'])(
  'a key without a secret is refused when no header can carry it: %j',
  async (key) => {
    expect(() => read({ BROKER_API_KEY: key })).toThrow(/has a character that is not allowed in a header/);
    expect(read({ BROKER_API_KEY: key, BROKER_API_SECRET: 's' })?.key).toBe(key);
  },
);

test('a program that prints such a key is reported without its output', async () => {
  const { keyPair } = createCredentials({ key: program("console.log('sekret words')") });
  const error = await keyPair().catch((reason: Error) => reason);
  expect(error).toMatchObject({ code: 'not_configured', message: expect.stringMatching(/not allowed in a header/) });
  expect(String(error)).not.toContain('sekret');
});

test('a colon is refused in the key of a pair, and accepted in a key without a secret', () => {
  expect(() => read({ BROKER_API_KEY: 'a:b', BROKER_API_SECRET: 's' })).toThrow(/must not contain a colon/);
  expect(read({ BROKER_API_KEY: 'a:b' })?.key).toBe('a:b');
});

test('a program without an environment stops the start, as a key does', () => {
  const outside = { argv: [], platform: 'linux', readFile: () => undefined, getFileMode: () => undefined };
  expect(() => readConfig({}, { ...outside, env: { BROKER_API_KEY_COMMAND: 'x' } })).toThrow(/no environment is/);
});
