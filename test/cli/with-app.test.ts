/** What the owner types in a terminal, and that nothing but a terminal is accepted. */
// @module-tag process
import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSecurity } from '../../src/core/approval/enrollment/enrollment.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { ApprovalMethod } from '../../src/core/orders/intent/approval-methods.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { runCommand } from '../support/command.ts';
import { inTerminal } from '../support/pty.ts';
import { startServerHere } from '../support/server-here.ts';
import { openStateStore } from '../support/state-store.ts';
import { startServer } from '../support/stdio-server.ts';

const passphrase = 'a horse, correct and stapled';
const enrolment = [
  ['enrol this: ', 'yes'],
  ['characters): ', passphrase],
  ['Again: ', passphrase],
] as const;
/** A live account on the simulator, and the environment of a shell that the owner uses for it. */
async function liveAccount() {
  const credentials = { key: 'owner-key', secret: 'owner-secret' };
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 200 });
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-owner-'));
  onTestFinished(async () => {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  simulator.inject.setPrice('QNOON_GB_EQ', 12);
  const env = {
    HOME: folder,
    BROKER_STATE_DIR: join(folder, 'state'),
    BROKER_ENV: 'live',
    BROKER_LIVE_BASE_URL: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
    BROKER_LIVE_TRADING: 'true',
  };
  const posts = () => simulator.log.filter(({ endpoint }) => String(endpoint).startsWith('place')).length;
  return { simulator, env, posts, stateDir: env.BROKER_STATE_DIR };
}

const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11.5, timeValidity: 'DAY' };

/** The waiting order, as `status` shows it. */
async function untilWaiting(env: Record<string, string>): Promise<string> {
  const waiting = async () => JSON.parse((await runCommand(['status', '--json'], env)).stdout).approvalsWaiting;
  await expect.poll(waiting, { interval: 100 }).toHaveLength(1);
  return (await waiting())[0].intentId;
}

/** The store after `enroll`, for tests of later steps. */
async function enrol({ stateDir }: { readonly stateDir: string }, approval: ApprovalMethod): Promise<void> {
  const store = openStateStore(stateDir);
  await createSecurity(store.journal as never, systemClock).enrol({ passphrase, approval, limits: {} });
  await store.close();
}

test('an owner enrols, approves in the terminal, and the waiting call places the order', {
  tags: ['slow'],
}, async () => {
  const { env, posts } = await liveAccount();
  const { call } = await startServer(env);
  expect(await call('place_limit_order', order)).toMatchObject({ outcome: 'refused', rule: 'approval_missing' });

  const enrolled = await inTerminal(['enroll', '--approval', 'terminal'], env, enrolment);
  expect(enrolled).toMatchObject({ code: 0, shown: expect.stringContaining('Enrolled.') });
  expect(enrolled.shown).toContain('An order is worth at most 1000, in the currency of the account.');
  expect(enrolled.shown).toContain('A limit or stop price is within 10% of the last price.');

  const placing = call('place_limit_order', order);
  const intentId = await untilWaiting(env);
  const approved = await inTerminal(['approve', intentId], env, [
    ['order pending): ', 'not the passphrase'],
    ['order pending): ', passphrase],
  ]);
  expect(approved.shown).toMatch(
    /=== LIVE ===[\s\S]*BUY 2 × Noonvik Utilities plc, QNOON_GB_EQ[\s\S]*the next attempt is possible in 2 s[\s\S]*Approved\.[\s\S]*Placed: The broker accepted the order\./,
  );
  expect(approved.code).toBe(0);
  expect(await placing).toMatchObject({ outcome: 'placed', intentId });
  expect(posts()).toBe(1);
  for (const { shown } of [enrolled, approved]) expect(shown).not.toContain(passphrase);
});

test('in a terminal, an edit without a version shows the draft and asks', { tags: ['slow'] }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-edit-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { HOME: folder, BROKER_STATE_DIR: folder };
  const legs = [{ type: 'LIMIT', ...order, ticker: 'AAPL_US_EQ' }];
  const { draftId } = JSON.parse((await runCommand(['call', 'save_draft', JSON.stringify({ legs })], env)).stdout);
  const edit = ['drafts', 'edit', draftId, '--leg', '1', '--quantity', '1'];
  const declined = await inTerminal(edit, env, [['[y/N] ', 'n']]);
  expect(declined).toMatchObject({ code: 1, shown: expect.stringContaining('BUY 2 × Apple, AAPL_US_EQ') });
  expect(declined.shown).not.toContain('BUY 1 ×');
  const agreed = await inTerminal(edit, env, [['[y/N] ', 'y']]);
  expect(agreed).toMatchObject({ code: 0, shown: expect.stringContaining('BUY 1 × Apple, AAPL_US_EQ') });
});

test('an owner approves all orders of a draft once in the terminal, and they are placed', {
  tags: ['slow'],
}, async () => {
  const { env, posts, stateDir } = await liveAccount();
  await enrol({ stateDir }, 'page');
  const { call } = await startServer(env);
  const legs = [
    { type: 'LIMIT', ...order },
    { type: 'LIMIT', ...order, quantity: 1 },
  ];
  const { draftId } = await call('save_draft', { legs });
  const wrong = await inTerminal(['drafts', 'submit', draftId], env, [
    ['draft waiting): ', 'not the passphrase'],
    ['draft waiting): ', ''],
  ]);
  expect(wrong).toMatchObject({ code: 1, shown: expect.stringMatching(/Wrong passphrase[\s\S]*still waiting/) });
  expect(posts()).toBe(0);
  const { submission } = await call('list_drafts', { draftId });
  expect(submission).toMatchObject({ outcome: 'pending_approval' });
  // The person can name the attempt, as the model was told it.
  const right = await inTerminal(['approve', submission.submissionId], env, [['draft waiting): ', passphrase]]);
  expect(right.shown).toMatch(
    /=== LIVE · 2 ORDERS ===[\s\S]*BUY 2 × Noonvik Utilities plc, QNOON_GB_EQ[\s\S]*BUY 1 × Noonvik Utilities plc, QNOON_GB_EQ/,
  );
  expect(right.shown).toContain('Approved.');
  expect(right.code).toBe(0);
  expect(posts()).toBe(2);
  expect(await call('submit_draft', { draftId, version: 1 })).toMatchObject({ outcome: 'done', coalesced: true });
  expect(posts()).toBe(2);
});

test('an order that is rejected in a shell is declined for the caller', { tags: ['slow'] }, async () => {
  const { env, posts, stateDir } = await liveAccount();
  await enrol({ stateDir }, 'terminal');
  const { call } = await startServer(env);
  const placing = call('place_limit_order', order);
  const intentId = await untilWaiting(env);
  const kept = await inTerminal(['reject'], env, [['[y/N] ', '']]);
  expect(kept).toMatchObject({
    code: 1,
    shown: expect.stringMatching(/BUY 2 × Noonvik Utilities plc, QNOON_GB_EQ[\s\S]*still pending/),
  });
  const unnamed = await withoutTerminal(env, 'reject');
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('reject needs the intent') });
  const { stdout } = await withoutTerminal(env, 'reject', intentId);
  expect(stdout).toBe(`Rejected: BUY 2 × QNOON_GB_EQ LIMIT limit 11.5 GBP at worst 23.46 DAY (live, ${intentId})\n`);
  expect(await placing).toMatchObject({ outcome: 'declined' });
  expect(await withoutTerminal(env, 'reject', intentId)).toMatchObject({ code: 2 });
  expect(posts()).toBe(0);
});

test('a halt stops a running server immediately, and only the passphrase lifts it', { tags: ['slow'] }, async () => {
  const { env, stateDir } = await liveAccount();
  await enrol({ stateDir }, 'page');
  const { call } = await startServer(env);
  const halted = await inTerminal(['halt', 'on', 'holiday'], env);
  expect(halted.shown).toContain('Halted');
  const refused = await call('place_limit_order', order);
  expect(refused).toMatchObject({ outcome: 'refused', rule: 'halted' });
  expect(refused.reason).toContain('on holiday.');

  writeFileSync(join(stateDir, 'halt'), '');
  const wrong = [['Passphrase: ', 'wrong one']] as const;
  expect(await inTerminal(['resume'], env, [...wrong, ['Passphrase: ', '']])).toMatchObject({ code: 1 });
  expect(await call('place_limit_order', order)).toMatchObject({ rule: 'halted' });
  const resumed = await inTerminal(['resume'], env, [['Passphrase: ', passphrase]]);
  expect(resumed).toMatchObject({ code: 0, shown: expect.stringContaining('1 wrong passphrase was typed') });
  expect(existsSync(join(stateDir, 'halt'))).toBe(false);
  const status = await call('get_server_status', {});
  expect(status.trading).toMatchObject({ state: 'on', approval: 'page' });
});

test('a change of the enrolment needs the passphrase', { tags: ['slow'] }, async () => {
  const { env, stateDir } = await liveAccount();
  await enrol({ stateDir }, 'page');
  const wrong = await inTerminal(['enroll', '--approval', 'elicitation'], env, [
    ['Passphrase: ', 'guess'],
    ['Passphrase: ', 'guess'],
    ['Passphrase: ', 'guess'],
  ]);
  expect(wrong.code).toBe(1);
  expect(wrong.shown.match(/Wrong passphrase; the next attempt is possible in \d s/g)).toEqual([
    'Wrong passphrase; the next attempt is possible in 2 s',
    'Wrong passphrase; the next attempt is possible in 4 s',
    'Wrong passphrase; the next attempt is possible in 8 s',
  ]);
  // The first attempt of the next command is too early, which is not a wrong passphrase.
  const right = await inTerminal(['enroll', '--approval', 'terminal'], env, [
    ['Passphrase: ', passphrase],
    ['Passphrase: ', passphrase],
    ...enrolment,
  ]);
  expect(right.shown).toMatch(/3 wrong passphrases were typed[\s\S]*Too soon[\s\S]*approved by: terminal/);
  expect(right.code).toBe(0);
});

test('a short passphrase, the API secret, and a second entry that differs are refused', {
  tags: ['slow'],
}, async () => {
  const { env } = await liveAccount();
  const [short, secret, differs] = [
    [['characters): ', 'short']],
    [['characters): ', env.BROKER_API_SECRET]],
    [enrolment[1], ['Again: ', 'something else']],
  ] as const;
  const refused = await inTerminal(['enroll'], env, [enrolment[0], ...short, ...secret, ...differs]);
  expect(refused.shown).toMatch(
    /fewer than 10 characters[\s\S]*a key, a secret or a token[\s\S]*The two passphrases differ[\s\S]*Nothing was changed/,
  );
  expect(refused.code).toBe(1);
  const enrolled = await inTerminal(['enroll'], env, [
    ['enrol this: ', 'perhaps'],
    enrolment[0],
    ...short,
    ...differs,
    enrolment[1],
    enrolment[2],
  ]);
  expect(enrolled).toMatchObject({ code: 0, shown: expect.stringContaining('Type yes, or press Enter for no.') });
});

test.each(['enroll', 'approve', 'resume'])(
  '%s accepts nothing from standard input',
  { tags: ['slow'] },
  async (command) => {
    const { env } = await liveAccount();
    const outcome = await withoutTerminal(env, command);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('needs a terminal');
  },
);

test('halt halts although another setting is wrong', async () => {
  const { env, stateDir } = await liveAccount();
  const { code, stderr } = await runCommand(['halt'], { ...env, BROKER_MAX_ORDER_VALUE: '10k' });
  expect(code).toBe(0);
  expect(stderr).toContain('BROKER_MAX_ORDER_VALUE is "10k"');
  expect(existsSync(join(stateDir, 'halt'))).toBe(true);
  const { call } = await startServerHere(env);
  expect((await call('get_server_status', {})).trading).toMatchObject({ state: 'off', rule: 'approval_missing' });
});

test('without a waiting live order, reject reports that there is none', async () => {
  const { env } = await liveAccount();
  const { code, stderr } = await runCommand(['reject'], env);
  expect(code).toBe(2);
  expect(stderr).toContain('no order in this store is waiting');
});

test('approval none in live stops the start', async () => {
  const { env } = await liveAccount();
  const { code, stderr } = await runCommand(['status'], { ...env, BROKER_APPROVAL: 'none' });
  expect(code).toBe(2);
  expect(stderr).toContain('always need the approval of a human');
});

/** In a session of its own there is no controlling terminal to open, whatever the test itself runs in. */
function withoutTerminal(
  env: Record<string, string>,
  ...words: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child: ChildProcess = execFile(
      'setsid',
      ['-w', process.execPath, 'dist/brokerage-mcp.cjs', ...words],
      { env: { PATH: process.env.PATH ?? '', ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end('yes\npassphrase\npassphrase\n');
  });
}
