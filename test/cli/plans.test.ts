/** The command that keeps recurring plans and makes the drafts that are due. */
// @module-tag server
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

const invest = '{"goal":"invest","amount":250}';
const today = String(new Date().getUTCDate());

test('a person adds, lists, runs and removes a plan', { tags: ['slow'] }, async () => {
  const folder = await makeStateFolder('brokerage-mcp-plans-');
  const run = (...argv: string[]) =>
    runCommand(argv, { HOME: folder, BROKER_STATE_DIR: folder, BROKER_TAX_ZONE: 'UTC' });
  const added = await run('plans', 'add', 'savings', invest, '--every', 'month', '--day', today);
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('“savings”  monthly on the')]);
  expect(added.stdout).toContain('due now');
  expect((await run('plans')).stdout).toContain('due now');
  const due = await run('plans', 'due');
  expect(due.code, due.stdout).toBe(0);
  const [, draftId] = /draft ([0-9a-f]{16})/.exec(due.stdout) ?? [];
  expect((await run('drafts')).stdout).toMatch(new RegExp(`^${draftId} +1 `, 'm'));
  expect((await run('plans', 'due')).stdout).toBe('No plan is due.\n');
  expect((await run('plans')).stdout).toContain(`draft ${draftId}`);
  expect(JSON.parse((await run('plans', '--json')).stdout).plans).toEqual([
    {
      planId: expect.any(String),
      name: 'savings',
      schedule: { every: 'month', day: Number(today) },
      arguments: { goal: 'invest', amount: '250' },
      createdAt: expect.stringMatching(/Z$/),
      last: { dueOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), at: expect.stringMatching(/Z$/), draftId },
      next: { isDue: false, nextOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    },
  ]);
  expect((await run('plans', 'remove', 'savings')).code).toBe(0);
  expect((await run('plans', 'list')).stdout).toContain('no recurring plans');
});

test.each([
  ['an unknown action', ['plans', 'ad']],
  ['no schedule', ['plans', 'add', 'a', invest]],
  ['a day that no month has', ['plans', 'add', 'a', invest, '--every', 'month', '--day', '32']],
  ['an unknown weekday', ['plans', 'add', 'a', invest, '--every', 'week', '--day', 'mo']],
  ['arguments that are no JSON', ['plans', 'add', 'a', 'invest 250', '--every', 'month', '--day', '1']],
  ['a plan that does not exist', ['plans', 'remove', 'a']],
])('%s is a usage error', async (_, argv) => {
  const folder = await makeStateFolder('brokerage-mcp-plans-');
  expect((await runCommand(argv, { HOME: folder, BROKER_STATE_DIR: folder })).code).toBe(2);
});

test('arguments that plan_orders refuses are an error, and no plan is kept', async () => {
  const folder = await makeStateFolder('brokerage-mcp-plans-');
  const run = (...argv: string[]) => runCommand(argv, { HOME: folder, BROKER_STATE_DIR: folder });
  const wrong = await run('plans', 'add', 'a', '{"goal":"invest","sum":1}', '--every', 'week', '--day', 'monday');
  expect([wrong.code, wrong.stdout]).toEqual([1, '']);
  expect((await run('plans')).stdout).toContain('no recurring plans');
});
