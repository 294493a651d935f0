/** The command that lists, shows, edits and discards drafts. */
// @module-tag server
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportLines } from '../../src/cli/decide-draft.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { SubmissionReport } from '../../src/features/drafts/submission/describe-submission.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { sendTo } from '../core/approval/page/support.ts';
import { runCommand } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

const ticker = 'AAPL_US_EQ';
const buy = { type: 'LIMIT', ticker, side: 'BUY', quantity: 2, limitPrice: 10, timeValidity: 'DAY' };
const credentials = { key: 'drafts-key', secret: 'drafts-secret' };

/** A practice account with few instruments: the commands in a sandbox read 15,000. */
let account: Simulator;
beforeAll(async () => {
  account = await startSimulator({ clock: systemClock, credentials, instrumentCount: 200, limitScale: 0.02 });
});
afterAll(() => account.close());

/** For tests that place nothing. */
const shared = makeStateFolder('brokerage-mcp-drafts-');

/** One more draft of the account, made by a tool. */
async function saveDraft(stateFolder: Promise<string> = shared) {
  const folder = await stateFolder;
  const env = {
    HOME: folder,
    BROKER_STATE_DIR: folder,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: account.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
  };
  const run = (...argv: string[]) => runCommand(argv, env);
  const limited = (...argv: string[]) => runCommand(argv, { ...env, BROKER_MAX_ORDER_VALUE: '1' });
  const legs = [
    { ...buy, reason: 'TEXT OF THE MODEL' },
    { ...buy, limitPrice: 9 },
  ];
  const saved = JSON.parse((await run('call', 'save_draft', JSON.stringify({ name: 'Monthly', legs }))).stdout);
  return { env, run, limited, draftId: saved.draftId as string };
}

test('a person lists, shows, edits and discards a draft', { tags: ['slow'] }, async () => {
  const { run, draftId } = await saveDraft();
  const listed = await run('drafts');
  const line = listed.stdout.split('\n').find((one) => one.startsWith(draftId));
  expect(line?.split(/ {2,}/)).toEqual([
    draftId,
    '1',
    '2',
    expect.stringMatching(/^(today|yesterday) \d\d:\d\d$/),
    expect.stringMatching(/^\d{1,2} [A-Z][a-z]{2} (\d{4} )?\d\d:\d\d$/),
    '“Monthly”',
  ]);
  const { drafts } = JSON.parse((await run('drafts', '--json')).stdout);
  expect(drafts.find((one: { draftId: string }) => one.draftId === draftId)).toEqual({
    draftId,
    name: 'Monthly',
    version: 1,
    legs: 2,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
  });

  const shown = await run('drafts', 'show', draftId);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(`DEMO · DRAFT ${draftId} · version 1 · open`);
  expect(shown.stdout).toContain(`1. BUY 2 × Apple, ${ticker}\n`);
  expect(shown.stdout).not.toContain('TEXT OF THE MODEL');
  const json = await run('drafts', 'show', draftId, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    draftId,
    version: 1,
    state: 'open',
    legs: [
      { ...buy, quantity: '2', limitPrice: '10' },
      { ...buy, quantity: '2', limitPrice: '9' },
    ],
  });
  expect(json.stdout).not.toContain('TEXT OF THE MODEL');

  const edited = await run('drafts', 'edit', draftId, '--version', '1', '--leg', '1', '--quantity', '1.5');
  expect(edited.stdout).toContain(`1. BUY 1.5 × Apple, ${ticker}\n`);
  const removed = await run('drafts', 'edit', draftId, '--version', '2', '--leg', '2', '--remove');
  expect(removed.stdout).toContain('version 3');
  const tool = JSON.parse((await run('call', 'list_drafts', JSON.stringify({ draftId }))).stdout);
  expect(tool.edits).toMatchObject([
    { version: 1, channel: 'tool' },
    { version: 2, channel: 'terminal', edit: { kind: 'quantity', leg: 1, quantity: '1.5' } },
    { version: 3, channel: 'terminal', edit: { kind: 'remove', leg: 2 } },
  ]);

  expect((await run('drafts')).stdout).toMatch(new RegExp(`^${draftId} +3 +1 `, 'm'));

  const raised = await run('drafts', 'edit', draftId, '--version', '3', '--leg', '1', '--quantity', '3');
  expect([raised.code, raised.stdout]).toEqual([1, '']);
  expect((await run('drafts', 'discard', draftId)).stdout).toContain('discarded');
  expect((await run('drafts', 'edit', draftId, '--version', '3', '--leg', '1', '--quantity', '1')).code).toBe(1);
});

test('a command acts on the version that the person saw, not on one that a tool saved since', async () => {
  const { env, run, draftId } = await saveDraft();
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
  const { run, draftId } = await saveDraft(makeStateFolder('brokerage-mcp-drafts-'));
  const read = async () => JSON.parse((await run('call', 'list_drafts', JSON.stringify({ draftId }))).stdout);
  expect((await run('drafts', 'submit', draftId, '--version', '1')).code).toBe(0);
  const { submission } = await read();
  const second = { legs: [{ ...buy, limitPrice: 8 }] };
  const { draftId: another } = JSON.parse((await run('call', 'save_draft', JSON.stringify(second))).stdout);
  const refused = await run('drafts', 'submit', another, '--version', '1');
  expect(refused).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Refused (order 1): a draft traded this ticker recently.'),
  });
  const repeated = ['--version', '1', '--repeat-of', submission.submissionId];
  expect((await run('drafts', 'submit', another, ...repeated)).code).toBe(0);
  expect((await run('drafts', 'show', draftId)).stdout).toContain(submission.submissionId);
});

test('show --page serves the draft at a one-time address until it is interrupted', async () => {
  const { env, draftId } = await saveDraft();
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
  expect(page.text).toContain('<bdi class="ticker">AAPL</bdi>');
  expect(page.text).not.toContain('TEXT OF THE MODEL');
  interrupted.abort();
  expect((await running).code).toBe(0);
  await expect(sendTo(address, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('what became of a draft is said in words, and not in codes', () => {
  const leg = { leg: 1, order: 'BUY 2 A' } as const;
  const report: SubmissionReport = {
    submissionId: 's',
    draftId: 'd',
    version: 1,
    outcome: 'stopped',
    message: 'Sending stopped.',
    next: 'NEXT',
    endsAt: '2026-01-01T00:00:00.000Z',
    warnings: [],
    legs: [
      { ...leg, outcome: 'placed', orderId: '7' },
      { ...leg, leg: 2, outcome: 'not_sent', unsentBecause: 'stopped' },
      { ...leg, leg: 3, outcome: 'refused', reason: 'A REASON' },
      { ...leg, leg: 4, outcome: 'waiting' },
    ],
  };
  expect(reportLines(report)).toEqual([
    '  1. BUY 2 A: Placed · order 7',
    '  2. BUY 2 A: Not sent (you stopped)',
    '  3. BUY 2 A: Refused by a rule · A REASON',
    '  4. BUY 2 A: Waiting',
    'Stopped: Sending stopped. NEXT',
  ]);
});

test('call ends with 1 when an order or a draft is refused', async () => {
  const { limited, draftId } = await saveDraft();
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
