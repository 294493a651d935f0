/** The owner chooses a passphrase in a terminal. */
// @module-tag process
// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inTerminal } from '../support/pty.ts';

const print = (text: string): string =>
  JSON.stringify([process.execPath, '-e', `console.log(${JSON.stringify(text)})`]);

test('a passphrase that holds the key or the secret that a program prints is refused, and another one enrols', async () => {
  const home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-enroll-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = {
    NO_COLOR: '1',
    HOME: home,
    BROKER_ENV: 'live',
    BROKER_LIVE_BASE_URL: 'https://live.example',
    BROKER_API_KEY_COMMAND: print('printed-key-jzxqvw'),
    BROKER_API_SECRET_COMMAND: print('printed-secret-kwyvbm'),
    BROKER_STATE_DIR: join(home, 'state'),
  };
  const passphrase = 'four unrelated plain terms';
  const { code, shown } = await inTerminal(['enroll'], env, [
    ['Type yes', 'yes'],
    ['New passphrase', 'my printed-key-jzxqvw'],
    ['New passphrase', 'my printed-secret-kwyvbm'],
    ['New passphrase', passphrase],
    ['Again', passphrase],
  ]);
  expect(shown.split('is, or contains, a key, a secret or a token of this program')).toHaveLength(3);
  expect([code, shown]).toEqual([0, expect.stringContaining('Enrolled.')]);
});
