/** What the owner does in a terminal about a store that vanished and a service that moved. */
// @module-tag process
// @module-tag slow
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { liftHalt, readHalt, setHalt } from '../../src/core/orders/halt/trading-state.ts';
import type { Journal } from '../../src/core/orders/intent/journal-port.ts';
import { createJournal } from '../../src/core/store/journal-table.ts';
import { storeFile } from '../../src/core/store/store-location.ts';
import { openEngine } from '../core/store/support.ts';
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
  expect(before.stdout).toContain(
    'Trading      The store is a new one, and the one that was used at this place before is gone.',
  );
  const again = await inTerminal(['enroll'], env, enrol);
  expect([again.code, again.shown]).toEqual([0, expect.stringContaining('is gone')]);
  const resumed = await inTerminal(['resume'], env, [['Passphrase', passphrase]]);
  expect([resumed.code, resumed.shown]).toEqual([0, expect.stringContaining('is gone')]);
  const after = await runCommand(['status'], env);
  expect(after.stdout).toMatch(/Trading +on/);
});

test('enroll shows the address before and the address from now on', async () => {
  const { env } = machine();
  await inTerminal(['enroll'], env, enrol);
  const moved = { ...env, BROKER_LIVE_BASE_URL: 'https://moved.example' };
  expect((await inTerminal(['status'], moved)).shown).toContain(
    'The key is enrolled for https://live.example, and this server is set to https://moved.example, so the key is not sent.',
  );
  const { code, shown } = await inTerminal(['enroll'], moved, [['Passphrase', passphrase], ...enrol]);
  expect(code).toBe(0);
  expect(shown).toContain('The key may be sent to this address only: https://moved.example');
  expect(shown).toContain('Until now it was another address: https://live.example');
  expect((await inTerminal(['status'], moved)).shown).toMatch(/Trading +on/);
});

describe('what halts while the owner types has not been shown, so it stays', () => {
  const halted = { at: 1, by: 'command', reason: 'the first' } as const;

  /** A halted store, and the run of `resume` in which something happens before its word is typed. */
  async function resumeWhile(happens: (journal: Journal, haltFile: string) => Promise<unknown>) {
    const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-resume-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const engine = openEngine(storeFile(folder));
    onTestFinished(() => engine.close());
    const journal = createJournal(engine, { now: () => 1 }) as unknown as Journal;
    await journal.change((tx) => setHalt(tx, halted));
    const haltFile = join(folder, 'halt');
    const env = { NO_COLOR: '1', HOME: folder, BROKER_STATE_DIR: folder };
    const { code, shown } = await inTerminal(['resume'], env, [
      ['Type resume', () => happens(journal, haltFile).then(() => 'resume')],
    ]);
    expect(shown).toContain('by a command: the first');
    return { code, shown, halt: await journal.read(readHalt), hasFile: existsSync(haltFile) };
  }

  test('a second halt, though the one that was shown is lifted by then', async () => {
    const second = { at: 2, by: 'command', reason: 'the second' } as const;
    const again = (journal: Journal) =>
      journal.change(async (tx) => {
        await liftHalt(tx);
        await setHalt(tx, second);
      });
    expect(await resumeWhile(again)).toMatchObject({
      code: 1,
      shown: expect.stringContaining('Trading was halted again in the meantime'),
      halt: second,
    });
  });

  test('a file', async () => {
    expect(await resumeWhile(async (_, file) => writeFileSync(file, ''))).toMatchObject({
      code: 1,
      shown: expect.stringContaining('Trading was halted again in the meantime'),
      halt: halted,
      hasFile: true,
    });
  });
});

test('a file that was there before is shown as what halts, and is removed with the halt', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-resume-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'halt');
  writeFileSync(file, '');
  const env = { NO_COLOR: '1', HOME: folder, BROKER_STATE_DIR: folder };
  const { code, shown } = await inTerminal(['resume'], env, [['Type resume', 'resume']]);
  expect([code, shown]).toEqual([0, expect.stringMatching(/Halted since .* by a file: [\s\S]*Trading is resumed\./)]);
  expect(existsSync(file)).toBe(false);
});
