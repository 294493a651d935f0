/**
 * PostgreSQL is killed while a draft is sent, between two legs and in the middle of a commit, and started again. The log
 * of the service decides what was sent.
 */
// @module-tag process
// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import type { Config } from '../../../../src/core/settings/config.ts';
import { startCommitProxy } from '../../../support/commit-proxy.ts';
import { findServerFolder } from '../../../support/open-folder.mjs';
import { startPostgres } from '../../../support/postgres.ts';
import { type Setup, setup } from '../../../support/setup.ts';
import type { PostgresServer } from '../../../support/shared-postgres.ts';
import { buys, outcomes, posts, save } from './support.ts';

const quantities = (made: Setup) => posts(made).map(([, quantity]) => quantity);
const show = async ({ call }: Setup, draftId: string) => (await call('list_drafts', { draftId })).body;

/** An order of the same ticker and direction within this time (ms) is a repetition. */
const tenMinutes = 600_000;

/** A server of this process on a database that can be killed and started again. */
async function onDatabase(limits: Config['limits'] = {}) {
  const data = join(await mkdtemp(join(findServerFolder() ?? tmpdir(), 'brokerage-mcp-data-')), 'data');
  onTestFinished(() => rm(dirname(data), { recursive: true, force: true }));
  let database: PostgresServer = await startPostgres({ data });
  const { port } = database;
  onTestFinished(() => database.stop());
  const proxy = await startCommitProxy(database.url);
  onTestFinished(() => proxy.close());
  const made = await setup({ config: { stateUrl: proxy.url, limits } });
  const kill = () => database.kill();
  const startAgain = async () => {
    database = await startPostgres({ port, data });
  };
  return { made, proxy, kill, startAgain };
}

/**
 * Lets time pass until something has happened. Time hardly passes while an order is on its way: on a slow machine, more
 * would pass between its commit and its request than an order may take.
 */
async function drive({ composed, clock }: Setup, hasHappened: () => Promise<boolean> | boolean): Promise<void> {
  const { journal, services } = composed;
  for (let round = 0; round < 20_000 && !(await hasHappened()); round++) {
    const moving = await journal.read((tx) => tx.list({ states: ['APPROVED', 'SENDING'] })).catch(() => undefined);
    // One that stays longer has lost its process.
    const isOnItsWay = moving?.some(({ changedAt }) => changedAt > clock.now() - 10_000) ?? false;
    await clock.advance(isOnItsWay ? 25 : 500);
    await systemClock.sleep(2);
    if (round % 20 === 0) {
      await services.orderManager.tick().catch(ignoreAway);
      await services.submissions.tick().catch(ignoreAway);
    }
  }
}

/** While the database is away, the next round tries again. */
const ignoreAway = (error: unknown) => expect(error).toMatchObject({ code: 'store_unavailable' });

/** Drives until no attempt to send the draft goes on. */
async function driveToEnd(made: Setup, draftId: string) {
  const { store } = made.composed.services.drafts;
  await drive(made, async () => (await store.read((tx) => tx.listSubmissions({ draftId })))[0]?.state !== 'sending');
}

/** Background rounds until the attempt has ended; its report. */
async function carryOn(made: Setup, draftId: string) {
  made.clock.jumps = false;
  await driveToEnd(made, draftId);
  made.clock.jumps = true;
  return (await show(made, draftId)).submission;
}

/** A call during which time passes as `drive` lets it. */
async function callInTime(made: Setup, tool: string, args: Record<string, unknown>) {
  made.clock.jumps = false;
  let isAnswered = false;
  const calling = made.call(tool, args).finally(() => (isAnswered = true));
  await drive(made, () => isAnswered);
  made.clock.jumps = true;
  return (await calling).body;
}

/** The quantities of the legs that the draft holds now. */
async function held(made: Setup, draftId: string): Promise<unknown[]> {
  const { rows, columns } = await show(made, draftId);
  return rows.map((row: unknown[]) => row[columns.indexOf('quantity')]);
}

test('between two legs: the call answers with a code, and the others are sent when the database is back', async () => {
  const { made, kill, startAgain } = await onDatabase({ ordersPerMinute: 1 });
  const draftId = await save(made, buys(3));
  made.clock.jumps = false;
  const sending = made.call('submit_draft', { draftId, version: 1 });
  const states = async () => (await made.composed.journal.read((tx) => tx.list())).map(({ state }) => state);
  await drive(made, async () => (await states())[0] === 'PLACED');
  // The limit of orders per minute: the second leg has no order yet.
  await kill();
  let isAnswered = false;
  void sending.finally(() => (isAnswered = true));
  await drive(made, () => isAnswered);
  const { isError, body } = await sending;
  expect([isError, body.code]).toEqual([true, 'store_unavailable']);
  expect(quantities(made)).toEqual([1]);
  await startAgain();
  await driveToEnd(made, draftId);
  const report = (await show(made, draftId)).submission;
  expect([report.outcome, outcomes(report)]).toEqual(['done', ['placed', 'placed', 'placed']]);
  expect(quantities(made)).toEqual([1, 2, 3]);
});

/** Sends a version when the ten minutes are over, and again when the rate limit asks for it. */
async function submitNextVersion(made: Setup, draftId: string, version = 2) {
  await made.clock.advance(tenMinutes);
  const args = { draftId, version };
  const body = await callInTime(made, 'submit_draft', args);
  // On a slow machine a read of the background is still in flight.
  if (body.code !== 'rate_limited') return body;
  await made.clock.advance(1_000 * body.retryAfterSeconds);
  return callInTime(made, 'submit_draft', args);
}

/** Sends what the draft holds. Where the time of this test passes the deadline of a read, it stops and is sent again. */
async function sendRest(made: Setup, draftId: string, attempts = 4) {
  let version = 2;
  for (let attempt = 1; ; attempt++) {
    await submitNextVersion(made, draftId, version);
    const report = await carryOn(made, draftId);
    if (report.outcome !== 'stopped' || attempt === attempts) return report;
    version = report.remainingVersion;
  }
}

/** The second transaction after which an order may be live. */
function secondSending() {
  let count = 0;
  return (messages: string) => messages.includes('"state":"SENDING"') && ++count === 2;
}

test('before it has the commit of a leg: that leg was not sent, and the next version has it', async () => {
  const { made, proxy, kill, startAgain } = await onDatabase();
  const draftId = await save(made, buys(4));
  const killed = proxy.killAtCommit('before', secondSending(), kill);
  const { isError, body } = await made.call('submit_draft', { draftId, version: 1 });
  await killed;
  expect([isError, body.code]).toEqual([true, 'store_unavailable']);
  await startAgain();
  const report = await carryOn(made, draftId);
  expect([report.outcome, outcomes(report)]).toEqual(['stopped', ['placed', 'expired', 'not_sent', 'not_sent']]);
  expect(report.remainingVersion).toBe(2);
  expect(await held(made, draftId)).toEqual(['2', '3', '4']);
  expect(quantities(made)).toEqual([1]);
  expect((await sendRest(made, draftId)).outcome).toBe('done');
  expect(quantities(made)).toEqual([1, 2, 3, 4]);
});

test('after it made the commit of a leg: whether that leg left is unknown to the store, and no leg follows', async () => {
  const { made, proxy, kill, startAgain } = await onDatabase();
  const draftId = await save(made, buys(4));
  const killed = proxy.killAtCommit('after', secondSending(), kill);
  const { isError, body } = await made.call('submit_draft', { draftId, version: 1 });
  await killed;
  expect([isError, body.code]).toEqual([true, 'store_unavailable']);
  await startAgain();
  const report = await carryOn(made, draftId);
  expect([report.outcome, outcomes(report)]).toEqual(['stopped', ['placed', 'unknown', 'not_sent', 'not_sent']]);
  expect(await held(made, draftId)).toEqual(['3', '4']);
  expect(quantities(made)).toEqual([1]);
  expect(await submitNextVersion(made, draftId)).toMatchObject({ outcome: 'refused', rule: 'open_unknown' });
  expect(quantities(made)).toEqual([1]);
});
