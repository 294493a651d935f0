/** What the program does when its terminal is closed at a prompt. */
// @module-tag process
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { closeTerminalAt } from '../../support/pty.ts';
import { makeStateFolder } from '../../support/state-folder.ts';

test('a terminal that is closed at a prompt is no fault', async () => {
  const folder = await makeStateFolder('brokerage-mcp-terminal-');
  const env = { HOME: folder, BROKER_STATE_DIR: folder };
  const ended = join(folder, 'ended');
  await closeTerminalAt('Type yes', ['enroll'], env, ended);
  expect(existsSync(ended)).toBe(true);
  const { stdout } = await runCommand(['call', 'get_server_status'], env);
  expect(JSON.parse(stdout).newestFault).toBeUndefined();
});
