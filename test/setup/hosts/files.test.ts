/** Real files in every bad state: each gives one sentence with a next step, and nothing is lost. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { HostFileError, readHostFile, replaceHostFile } from '../../../src/setup/hosts/files.ts';
import type { Entry, Platform } from '../../../src/setup/hosts/host.ts';
import { cursor } from '../../../src/setup/hosts/hosts.ts';
import { applyPlan, type HostPlan, planLines, planToAdd, planToRemove } from '../../../src/setup/hosts/plan.ts';
import { giveAway } from '../../support/give-away.ts';

const entry: Entry = { command: 'npx', args: ['-y', 'brokerage-mcp', '--env', 'sandbox'] };
const now = (second = 0) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
let home = '';
let file = '';
const configDir = () => join(home, 'config');
const place = (): Platform => ({ platform: 'linux', env: {}, home });

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-files-'));
  mkdirSync(join(home, '.cursor'));
  mkdirSync(configDir());
  file = join(home, '.cursor/mcp.json');
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const add = () => planToAdd(cursor, place(), { chosen: [], build: () => entry });
const faultOf = ({ work }: HostPlan) => (work instanceof HostFileError ? work : undefined);
const inFolder = () => readdirSync(join(home, '.cursor')).sort();

test.each<[string, () => void, RegExp]>([
  ['not JSON', () => writeFileSync(file, '{"a": '), /cannot be read: an unexpected end in line 1/],
  ['a list', () => writeFileSync(file, '[]'), /something else where it should be an object/],
  ['with a list of servers', () => writeFileSync(file, '{"mcpServers": []}'), /where "mcpServers" should be an object/],
  ['UTF-16', () => writeFileSync(file, Buffer.from('\ufeff{}', 'utf16le')), /is not UTF-8 text/],
  ['read-only', () => writeFileSync(file, '{}', { mode: 0o400 }), /is read-only/],
  ['a folder', () => mkdirSync(file), /is a folder and should be a file/],
  ['a loop of links', () => symlinkSync('mcp.json', file), /is a loop of symbolic links/],
  ['a link to nothing', () => symlinkSync('gone.json', file), /is a link to a file that does not exist/],
  [
    'huge',
    () => {
      writeFileSync(file, '{}');
      truncateSync(file, 40 * 1024 * 1024);
    },
    /is larger than 32 MB/,
  ],
])('a file that is %s is left unchanged and reported', (_, make, why) => {
  make();
  const before = lstatSync(file);
  const plan = add();
  const error = faultOf(plan) ?? attempt(() => applyPlan(plan, configDir(), now()));
  expect(error).toBeInstanceOf(HostFileError);
  const fault = error as HostFileError;
  expect(fault.message).toMatch(why);
  expect(fault.message).toContain(file);
  expect(fault.message.endsWith('.') && fault.next.endsWith('.')).toBe(true);
  expect([lstatSync(file).mtimeMs, lstatSync(file).size]).toEqual([before.mtimeMs, before.size]);
  expect(inFolder()).toEqual(['mcp.json']);
});

test('a parent that is a file is reported', () => {
  rmSync(join(home, '.cursor'), { recursive: true });
  writeFileSync(join(home, '.cursor'), '');
  expect(faultOf(add())?.message).toMatch(/is inside a path that is not a folder/);
});

test('a file that changes between reading and writing is not overwritten', () => {
  writeFileSync(file, '{}');
  const plan = add();
  writeFileSync(file, '{"mine": 1}');
  expect(() => applyPlan(plan, configDir(), now())).toThrow(/Another program changed .* in the meantime/);
  expect(readFileSync(file, 'utf8')).toBe('{"mine": 1}');
  expect(inFolder().filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a file that appears between reading and writing is not overwritten', () => {
  const plan = add();
  writeFileSync(file, '{"mine": 1}');
  expect(() => applyPlan(plan, configDir(), now())).toThrow(/Another program changed .* in the meantime/);
  expect(readFileSync(file, 'utf8')).toBe('{"mine": 1}');
});

test('mode, link and byte order mark are kept, and the copy has the same mode', () => {
  const real = join(home, 'dotfiles.json');
  writeFileSync(real, '\ufeff{\r\n  "a": 1\r\n}\r\n');
  chmodSync(real, 0o640);
  symlinkSync(real, file);
  const backup = applyPlan(add(), configDir(), now());
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(readFileSync(real, 'utf8')).toMatch(/^\ufeff\{\r\n {2}"a": 1,\r\n {2}"mcpServers": \{\r\n/);
  expect(backup).toBe(`${real}.brokerage-mcp-backup-20260101T000000.000Z`);
  expect(statSync(backup as string).mode & 0o777).toBe(0o640);
  expect(readFileSync(backup as string, 'utf8')).toBe('\ufeff{\r\n  "a": 1\r\n}\r\n');
  applyPlan(planToRemove(cursor, place(), configDir()), configDir(), now(1));
  expect(readFileSync(real, 'utf8')).toBe('\ufeff{\r\n  "a": 1\r\n}\r\n');
});

test('root keeps the owner of the file', () => {
  writeFileSync(file, '{}');
  giveAway(file);
  applyPlan(add(), configDir(), now());
  expect([statSync(file).uid, statSync(file).gid]).toEqual([12345, 12345]);
});

test('the newest five copies are kept', () => {
  writeFileSync(file, '{}');
  for (let second = 0; second < 8; second++) {
    const plan = second % 2 === 0 ? add() : planToRemove(cursor, place(), configDir());
    applyPlan(plan, configDir(), now(second));
  }
  const copies = inFolder().filter((name) => name.includes('backup'));
  expect(copies.map((name) => name.slice(-9, -5))).toEqual(['0003', '0004', '0005', '0006', '0007']);
  expect(readFileSync(file, 'utf8')).toBe('{}');
});

test('a file and folders that were made for the entry are removed with it, unless they hold more', () => {
  rmSync(join(home, '.cursor'), { recursive: true });
  const remove = () => applyPlan(planToRemove(cursor, place(), configDir()), configDir(), now(1));
  applyPlan(add(), configDir(), now());
  expect(statSync(file).mode & 0o777).toBe(0o600);
  remove();
  expect(() => statSync(join(home, '.cursor'))).toThrow('ENOENT');
  expect(readdirSync(configDir())).toEqual([]);

  applyPlan(add(), configDir(), now());
  writeFileSync(join(home, '.cursor/other'), '');
  remove();
  expect(inFolder()).toEqual(['other']);
});

test('an empty file of a person stays, and is empty again', () => {
  writeFileSync(file, '');
  applyPlan(add(), configDir(), now());
  applyPlan(planToRemove(cursor, place(), configDir()), configDir(), now(1));
  expect(readFileSync(file, 'utf8')).toBe('');
});

test('a damaged record of init does not prevent removal', () => {
  writeFileSync(file, '{}');
  applyPlan(add(), configDir(), now());
  writeFileSync(join(configDir(), 'hosts.json'), '{"x": {"made": "many"}, "y": null');
  applyPlan(planToRemove(cursor, place(), configDir()), configDir(), now(1));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: {} });
});

test('a secret in an entry is not shown when the entry is removed', () => {
  const old = {
    command: 'node',
    args: ['--token', 'sekret1', '--env', 'demo', 'https://user:sekret2@host'],
    env: { BROKER_API_KEY: 'sekret3', BROKER_DEMO_BASE_URL: 'https://u:sekret4@h', OTHER: 'sekret5' },
    headers: { authorization: 'sekret6' },
  };
  writeFileSync(file, JSON.stringify({ mcpServers: { brokerage: old, other: { env: { TOKEN: 'sekret7' } } } }));
  for (const plan of [add(), planToRemove(cursor, place(), configDir())]) {
    const shown = planLines(plan).join('\n');
    expect(shown).not.toMatch(/sekret/);
    expect(shown).toMatch(/- .*"--env", "demo"/);
  }
});

test('writing in place verifies what it wrote', () => {
  writeFileSync(file, 'old');
  replaceHostFile(readHostFile(file), 'né €\n', undefined);
  expect(readFileSync(file, 'utf8')).toBe('né €\n');
  expect(inFolder()).toEqual(['mcp.json']);
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
