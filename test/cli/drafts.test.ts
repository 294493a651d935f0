/** The command that lists, shows, edits and discards drafts. */
// @module-tag server
import { expect, test } from 'vitest';
import { sendTo } from '../approval/page/support.ts';
import { runCommand } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

const ticker = 'AAPL_US_EQ';
const buy = { type: 'LIMIT', ticker, side: 'BUY', quantity: 2, limitPrice: 10, timeValidity: 'DAY' };

/** For tests that place nothing: the first command in a sandbox reads all instruments, the others do not. */
const shared = makeStateFolder('brokerage-mcp-drafts-');

/** A sandbox with one more draft, made by a tool. */
async function sandbox(stateFolder: Promise<string> = shared) {
  const folder = await stateFolder;
  const env = { HOME: folder, BROKER_STATE_DIR: folder };
  const run = (...argv: string[]) => runCommand(argv, env);
  const limited = (...argv: string[]) => runCommand(argv, { ...env, BROKER_MAX_ORDER_VALUE: '1' });
  const legs = [
    { ...buy, reason: 'TEXT OF THE MODEL' },
    { ...buy, limitPrice: 9 },
  ];
  const saved = JSON.parse((await run('call', 'save_draft', JSON.stringify({ name: 'Monthly', legs }))).stdout);
  return { env, run, limited, draftId: saved.draftId as string };
}

test('a person lists, shows, edits and discards a draft', async () => {
  const { run, draftId } = await sandbox();
  const listed = await run('drafts');
  expect(listed.stdout).toContain(`${draftId}  version 1  2 legs`);
  expect(listed.stdout).toMatch(/made \w{3} \d+ \w{3} \d{4} \d\d:\d\d/);

  const shown = await run('drafts', 'show', draftId);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(`SANDBOX · DRAFT ${draftId} · version 1 · open`);
  expect(shown.stdout).toContain(`1. BUY 2 × ${ticker}`);
  expect(shown.stdout).not.toContain('TEXT OF THE MODEL');

  const edited = await run('drafts', 'edit', draftId, '--version', '1', '--leg', '1', '--quantity', '1.5');
  expect(edited.stdout).toContain(`1. BUY 1.5 × ${ticker}`);
  const removed = await run('drafts', 'edit', draftId, '--version', '2', '--leg', '2', '--remove');
  expect(removed.stdout).toContain('version 3');
  const tool = JSON.parse((await run('call', 'list_drafts', JSON.stringify({ draftId }))).stdout);
  expect(tool.edits).toMatchObject([
    { version: 1, channel: 'tool' },
    { version: 2, channel: 'terminal', edit: { kind: 'quantity', leg: 1, quantity: '1.5' } },
    { version: 3, channel: 'terminal', edit: { kind: 'remove', leg: 2 } },
  ]);

  expect((await run('drafts')).stdout).toContain(`${draftId}  version 3  1 leg  `);

  const raised = await run('drafts', 'edit', draftId, '--version', '3', '--leg', '1', '--quantity', '3');
  expect([raised.code, raised.stdout]).toEqual([1, '']);
  expect((await run('drafts', 'discard', draftId)).stdout).toContain('discarded');
  expect((await run('drafts', 'edit', draftId, '--version', '3', '--leg', '1', '--quantity', '1')).code).toBe(1);
});

test('a command acts on the version that the person saw, not on one that a tool saved since', async () => {
  const { env, run, draftId } = await sandbox();
  const changed = { draftId, version: 1, legs: [{ ...buy, quantity: 200 }] };
  await run('call', 'save_draft', JSON.stringify(changed));
  const edited = await run('drafts', 'edit', draftId, '--version', '1', '--leg', '1', '--quantity', '1.5');
  expect([edited.code, edited.stdout]).toEqual([1, '']);
  expect((await run('drafts', 'submit', draftId, '--version', '1')).code).toBe(1);
  // Without a terminal, which this platform has on no machine that runs the tests, the version must be given.
  for (const flags of [['edit', '--leg', '1', '--remove'], ['submit']]) {
    const [action = '', ...rest] = flags;
    const outcome = await runCommand(['drafts', action, draftId, ...rest], env, { platform: 'win32' });
    expect([outcome.code, outcome.stdout]).toEqual([2, '']);
  }
  const tool = JSON.parse((await run('call', 'list_drafts', JSON.stringify({ draftId }))).stdout);
  expect(tool).toMatchObject({ version: 2, state: 'open', edits: [{ channel: 'tool' }, { channel: 'tool' }] });
  expect(tool.submission).toBeUndefined();
});

test('a person sends a second draft of the same trade by naming the submission that it repeats', {
  tags: ['slow'],
}, async () => {
  const { run, draftId } = await sandbox(makeStateFolder('brokerage-mcp-drafts-'));
  const read = async () => JSON.parse((await run('call', 'list_drafts', JSON.stringify({ draftId }))).stdout);
  expect((await run('drafts', 'submit', draftId, '--version', '1')).code).toBe(0);
  const { submission } = await read();
  const second = { legs: [{ ...buy, limitPrice: 8 }] };
  const { draftId: another } = JSON.parse((await run('call', 'save_draft', JSON.stringify(second))).stdout);
  const refused = await run('drafts', 'submit', another, '--version', '1');
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('repeated_submission') });
  const repeated = ['--version', '1', '--repeat-of', submission.submissionId];
  expect((await run('drafts', 'submit', another, ...repeated)).code).toBe(0);
  expect((await run('drafts', 'show', draftId)).stdout).toContain(submission.submissionId);
});

test('show --page serves the draft at a one-time address until it is interrupted', async () => {
  const { env, draftId } = await sandbox();
  const interrupted = new AbortController();
  const lines: string[] = [];
  const running = runCommand(['drafts', 'show', draftId, '--page'], env, {
    shutdownSignal: interrupted.signal,
    print: (line) => lines.push(line),
  });
  await expect.poll(() => lines.length, { interval: 20 }).toBe(1);
  const address = /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '';
  const opened = await sendTo(address, {});
  expect([opened.status, (await sendTo(address, {})).status]).toEqual([303, 410]);
  const page = await sendTo(new URL(String(opened.headers.location), address).href, {});
  expect(page.text).toContain(`<bdi class="ticker">${ticker}</bdi>`);
  expect(page.text).not.toContain('TEXT OF THE MODEL');
  interrupted.abort();
  expect((await running).code).toBe(0);
  await expect(sendTo(address, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('call ends with 1 when an order or a draft is refused', async () => {
  const { limited, draftId } = await sandbox();
  const { type: _, ...order } = buy;
  for (const [tool, args] of [
    ['submit_draft', { draftId, version: 1 }],
    ['place_limit_order', order],
  ] as const) {
    const { code, stdout } = await limited('call', tool, JSON.stringify(args));
    expect([code, JSON.parse(stdout).outcome]).toEqual([1, 'refused']);
  }
  expect((await limited('call', 'list_drafts')).code).toBe(0);
  const refused = await limited('drafts', 'submit', draftId, '--version', '1');
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining(`drafts edit ${draftId} --leg 1`)]);
});

test.each([
  ['an unknown action', ['drafts', 'shwo', 'x']],
  ['no id', ['drafts', 'show']],
  ['an edit without a leg', ['drafts', 'edit', '0123456789abcdef', '--remove']],
  ['a version that is no number', ['drafts', 'edit', '0123456789abcdef', '--leg', '1', '--remove', '--version', 'x']],
  ['a repetition of no submission', ['drafts', 'submit', '0123456789abcdef', '--repeat-of', 'x']],
  ['two edits at once', ['drafts', 'edit', '0123456789abcdef', '--leg', '1', '--remove', '--quantity', '1']],
])('%s is a usage error', async (_, argv) => {
  const folder = await makeStateFolder('brokerage-mcp-drafts-');
  expect((await runCommand(argv, { HOME: folder, BROKER_STATE_DIR: folder })).code).toBe(2);
});
