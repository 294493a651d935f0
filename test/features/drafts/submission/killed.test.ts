/** A draft that is being sent by processes that are killed. All processes are real; the log of the service decides. */
// @module-tag process
// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import { startSimulator } from '../../../../src/simulator/index.ts';
import { makeStateFolder } from '../../../support/state-folder.ts';
import { startServer } from '../../../support/stdio-server.ts';
import { buys } from './support.ts';

/** The kill comes after this many orders, and this many milliseconds later. */
test.each([
  [1, 0],
  [1, 400],
  [2, 900],
  [3, 1_600],
])('after %i orders and %i ms: no leg is sent twice, out of turn, or after a stop', async (after, ms) => {
  const credentials = { key: 'key', secret: 'secret' };
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 100 });
  simulator.inject.setPrice('QNOON_GB_EQ', 12);
  const stateDir = await makeStateFolder('brokerage-mcp-killed-');
  onTestFinished(() => simulator.close());
  const env = {
    HOME: stateDir,
    BROKER_STATE_DIR: stateDir,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
  };
  const sent = () =>
    simulator.log
      .filter(({ endpoint }) => String(endpoint).startsWith('place'))
      .map(({ body }) => (body === '' ? undefined : JSON.parse(body).quantity));

  const first = await startServer(env);
  const { draftId } = await first.call('save_draft', { legs: buys(5) });
  void first.call('submit_draft', { draftId, version: 1 }).catch(() => undefined);
  await expect.poll(() => sent().length, { interval: 20 }).toBe(after);
  await systemClock.sleep(ms);
  await first.kill();

  const second = await startServer(env);
  const report = async () => (await second.call('list_drafts', { draftId })).submission;
  await expect.poll(async () => (await report()).outcome, { interval: 500 }).toMatch(/^(done|stopped)$/);
  const { outcome, legs } = await report();
  expect(sent()).toEqual([1, 2, 3, 4, 5].slice(0, sent().length));
  const reported = legs.map((leg: { outcome: string }) => leg.outcome);
  // What may be live is never reported as not sent, and what was not sent never as placed.
  const unsent = reported.filter((name: string) => name === 'not_sent' || name === 'expired' || name === 'refused');
  expect(unsent).toHaveLength(5 - sent().length);
  if (outcome === 'done') expect(sent()).toHaveLength(5);
  const before = sent().length;
  await systemClock.sleep(2_500);
  expect(sent()).toHaveLength(before);
});
