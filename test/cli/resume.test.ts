/** What the owner does in a terminal about a store that vanished and a service that moved. */
// @module-tag process
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { inTerminal } from '../support/pty.ts';

const passphrase = 'four unrelated plain terms';

function machine() {
  const home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-resume-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = {
    NO_COLOR: '1',
    HOME: home,
    BROKER_ENV: 'live',
    BROKER_LIVE_BASE_URL: 'https://live.example',
    BROKER_LIVE_TRADING: 'true',
    BROKER_API_KEY: 'a-live-key',
    BROKER_API_SECRET: 'a-live-secret',
    BROKER_STATE_DIR: join(home, 'state'),
  };
  return { home, env };
}

const enrol = [
  ['Type yes', 'yes'],
  ['New passphrase', passphrase],
  ['Again', passphrase],
] as const;

test('a store that was removed is said by each command, until resume confirms it', async () => {
  const { home, env } = machine();
  expect((await inTerminal(['enroll'], env, enrol)).code).toBe(0);
  expect(readdirSync(join(home, '.config', 'brokerage-mcp', 'stores'))).toHaveLength(1);
  rmSync(env.BROKER_STATE_DIR, { recursive: true });
  const before = await runCommand(['status'], env);
  expect(before.stdout).toContain('store_changed');
  const again = await inTerminal(['enroll'], env, enrol);
  expect([again.code, again.shown]).toEqual([0, expect.stringContaining('is gone')]);
  const resumed = await inTerminal(['resume'], env, [['Passphrase', passphrase]]);
  expect([resumed.code, resumed.shown]).toEqual([0, expect.stringContaining('is gone')]);
  const after = await runCommand(['status'], env);
  expect(after.stdout).toMatch(/Trading +on/);
});

test('enroll shows the address before and the address from now on', { tags: ['slow'] }, async () => {
  const { env } = machine();
  await inTerminal(['enroll'], env, enrol);
  const moved = { ...env, BROKER_LIVE_BASE_URL: 'https://moved.example' };
  expect((await inTerminal(['status'], moved)).shown).toContain('live_service');
  const { code, shown } = await inTerminal(['enroll'], moved, [['Passphrase', passphrase], ...enrol]);
  expect(code).toBe(0);
  expect(shown).toContain('The key may be sent to this address only: https://moved.example');
  expect(shown).toContain('Until now it was another address: https://live.example');
  expect((await inTerminal(['status'], moved)).shown).toMatch(/Trading +on/);
});
