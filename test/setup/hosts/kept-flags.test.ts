/** A second run of init keeps what the entry of the first one restricts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Tty } from '../../../src/core/process/terminal.ts';
import { promptProfile, readRestrictions } from '../../../src/setup/hosts/order-profile.ts';
import { runCommand } from '../../support/command.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-kept-'));
  for (const folder of ['.cursor', '.codex']) mkdirSync(join(home, folder));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const init = async (...flags: readonly string[]) => {
  const args = ['init', '--yes', '--no-doctor', '--client', 'cursor', ...flags];
  const done = await runCommand(args, { HOME: home }, { platform: 'linux' });
  expect([done.code, done.stderr]).toEqual([0, '']);
  return done.stdout;
};
const file = () => join(home, '.cursor/mcp.json');
const readArgs = (): readonly string[] => JSON.parse(readFileSync(file(), 'utf8')).mcpServers.brokerage.args;
/** What follows the command of the program. */
const flagsWritten = () => readArgs().slice(readArgs().indexOf('--env'));
const draftTools = 'account,instruments,orders,drafting,history,analytics,status';

test.each<[string, string[], string[]]>([
  ['--read-only', ['--read-only'], ['--read-only']],
  ['--toolsets', ['--toolsets', 'account,status'], ['--toolsets', 'account,status']],
  ['--draft-only', ['--draft-only'], ['--toolsets', draftTools]],
  ['--approval', ['--approval', 'page'], ['--approval', 'page']],
])('a run without flags keeps %s of the first run', async (_, first, kept) => {
  await init(...first);
  const before = readFileSync(file(), 'utf8');
  const shown = await init();
  expect(flagsWritten()).toEqual(['--env', 'sandbox', ...kept]);
  expect(readFileSync(file(), 'utf8')).toBe(before);
  expect(shown).toContain(`Stays from the entry before: ${kept[0]};`);
});

test('a flag of the new run decides, and only about itself', async () => {
  await init('--read-only', '--toolsets', 'account');
  await init('--toolsets', 'account,trading');
  expect(flagsWritten()).toEqual(['--env', 'sandbox', '--read-only', '--toolsets', 'account,trading']);
  await init('--read-only=false');
  expect(flagsWritten()).toEqual(['--env', 'sandbox', '--toolsets', 'account,trading']);
});

test('the flags stay with another environment, and each host keeps its own', async () => {
  writeFileSync(join(home, 'key'), 'key-1234567890\n', { mode: 0o600 });
  await init('--read-only');
  const demo = ['--env', 'demo', '--base-url', 'http://127.0.0.1:9', '--key-file', join(home, 'key')];
  await init('--client', 'cursor,codex', ...demo);
  expect(flagsWritten()).toEqual(['--env', 'demo', '--read-only']);
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).not.toContain('--read-only');
});

test('an entry that was written by hand is read in both forms', () => {
  expect(readRestrictions({ args: ['x', '--read-only=true', '--toolsets=account'] })).toEqual({
    'read-only': 'true',
    toolsets: 'account',
  });
  expect(readRestrictions({ args: ['--read-only', '--read-only=false', '--toolsets'] })).toEqual({});
  expect(readRestrictions({ args: ['--toolsets', '--read-only', 5] })).toEqual({ 'read-only': 'true' });
  for (const other of [undefined, 'x', {}, { args: 'x' }]) expect(readRestrictions(other)).toEqual({});
});

/** A person who gives these answers. */
const personWith = (...answers: string[]): Tty => ({
  say: () => undefined,
  ask: async () => '',
  askSecret: async () => '',
  promptOrCancel: async () => answers.shift(),
  wait: async () => true,
  close: () => undefined,
});

test('Enter keeps what restricts the entry, and place removes it', async () => {
  const existing = { 'read-only': 'true', toolsets: 'account' };
  expect(await promptProfile(personWith(''), {}, existing)).toEqual({ flags: {}, chosen: [] });
  expect(await promptProfile(personWith('place'), {}, existing)).toEqual({
    flags: {},
    chosen: ['read-only', 'toolsets'],
  });
  expect(await promptProfile(personWith('draft'), {}, existing)).toEqual({
    flags: { toolsets: draftTools },
    chosen: ['toolsets'],
  });
  // Where nothing restricts the entry, there is nothing to keep.
  expect((await promptProfile(personWith('keep', ''), {}, {}))?.chosen).toEqual(['read-only', 'toolsets']);
});

test('the flags stay in a file whose entry has one list for the command', async () => {
  const opencode = ['--client', 'opencode'];
  await init(...opencode, '--read-only');
  const path = join(home, '.config/opencode/opencode.json');
  const before = readFileSync(path, 'utf8');
  expect(JSON.parse(before).mcp.brokerage.command.slice(-3)).toEqual(['--env', 'sandbox', '--read-only']);
  expect(await init(...opencode)).toContain('Stays from the entry before: --read-only;');
  expect(readFileSync(path, 'utf8')).toBe(before);
});
