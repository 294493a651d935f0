/** A draft that ends while the order of a leg waits for its turn at the broker: that order is kept, and not sent. */
// @module-tag server
import { expect, test } from 'vitest';
import { reportLatest } from '../../../../src/features/drafts/submission/describe-submission.ts';
import { stopDraft } from '../../../../src/features/drafts/submission/stop-submission.ts';
import { type Setup, setup } from '../../../support/setup.ts';
import { buys, outcomes, posts, save } from './support.ts';

const show = async ({ call }: Setup, draftId: string) => (await call('list_drafts', { draftId })).body;
const states = async ({ composed }: Setup) =>
  (await composed.journal.read((tx) => tx.list())).map(({ state }) => state);
const quantities = (made: Setup) => posts(made).map(([, quantity]) => quantity);
const causes = (body: { legs: { unsentBecause?: string }[] }) => body.legs.map((leg) => leg.unsentBecause);
/** Quantities of the legs that the draft holds now. */
const held = (draft: { rows: unknown[][]; columns: string[] }) =>
  draft.rows.map((row) => row[draft.columns.indexOf('quantity')]);

/** Four orders of which the first is placed, and the second is approved and waits, while the clock stands still. */
async function waitingLeg() {
  const made = await setup({ processes: { self: 'first', isAlive: () => true } });
  const draftId = await save(made, buys(4));
  made.clock.jumps = false;
  const sending = made.call('submit_draft', { draftId, version: 1 });
  await expect.poll(() => posts(made).length).toBe(1);
  await expect.poll(() => states(made)).toContain('APPROVED');
  const carryOn = async () => {
    made.clock.jumps = true;
    const { body } = await sending;
    await made.clock.advance(600_000);
    await made.composed.services.submissions.tick();
    return body;
  };
  return { made, draftId, carryOn };
}

test('a leg that waits for its turn is said to wait, and not to be live', { tags: ['slow'] }, async () => {
  const { made, draftId, carryOn } = await waitingLeg();
  const read = () => reportLatest(made.composed.services.drafts, draftId, 'model');
  const legs = (await read())?.legs.map(({ outcome, inFlight }) => [outcome, inFlight]);
  expect(legs).toEqual([['placed', undefined], ...Array(3).fill(['waiting', undefined])]);
  expect((await read())?.legs.map(({ intentId }) => intentId !== undefined)).toEqual([true, true, false, false]);
  await carryOn();
});

test('stopped by a person: the waiting leg is not sent, and the next version has it', { tags: ['slow'] }, async () => {
  const { made, draftId, carryOn } = await waitingLeg();
  const { store } = made.composed.services.drafts;
  expect(await stopDraft(made.composed.services.drafts, draftId, 'page')).toBe(true);
  expect(await store.read((tx) => tx.findDraft(draftId))).toMatchObject({ state: 'open', version: 2 });
  const body = await carryOn();
  expect(body).toMatchObject({ outcome: 'stopped', remainingVersion: 2 });
  expect(outcomes(body)).toEqual(['placed', 'not_sent', 'not_sent', 'not_sent']);
  expect(causes(body)).toEqual([undefined, 'stopped', 'stopped', 'stopped']);
  expect(held(await show(made, draftId))).toEqual(['2', '3', '4']);
  expect(quantities(made)).toEqual([1]);
  const next = await made.call('submit_draft', { draftId, version: 2 });
  expect(next.body).toMatchObject({ outcome: 'done' });
  expect(quantities(made)).toEqual([1, 2, 3, 4]);
});

test('stopped while the broker’s limit delays a second attempt: the leg is not sent, and the next version has it', async () => {
  const { made, draftId, carryOn } = await waitingLeg();
  made.simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'rateLimitedWithoutHeaders' });
  for (let step = 0; step < 20 && !(await states(made)).includes('NOT_SENT'); step++) await made.clock.advance(500);
  expect(await states(made)).toEqual(expect.arrayContaining(['PLACED', 'NOT_SENT']));
  expect(await stopDraft(made.composed.services.drafts, draftId, 'page')).toBe(true);
  expect(outcomes(await carryOn())).toEqual(['placed', 'not_sent', 'not_sent', 'not_sent']);
  expect(held(await show(made, draftId))).toEqual(['2', '3', '4']);
  // The second request for two shares was never made.
  expect(quantities(made)).toEqual([1, 2]);
});

test('its process is killed: another one ends the draft, and the killed one could no longer send the leg', {
  tags: ['slow'],
}, async () => {
  const { made, draftId, carryOn } = await waitingLeg();
  const processes = { self: 'other', isAlive: (owner: string) => owner !== 'first' };
  const other = await setup({ beside: made, processes });
  await other.composed.services.submissions.tick();
  const { store } = other.composed.services.drafts;
  await expect.poll(async () => (await store.read((tx) => tx.findDraft(draftId)))?.version).toBe(2);
  const body = await carryOn();
  expect(outcomes(body)).toEqual(['placed', 'expired', 'not_sent', 'not_sent']);
  expect(held(await show(other, draftId))).toEqual(['2', '3', '4']);
  expect(quantities(made)).toEqual([1]);
});

test('its process ends: the next one finds the leg in the next version', async () => {
  const { made, draftId, carryOn } = await waitingLeg();
  await made.composed.services.submissions.stop();
  await carryOn();
  const other = await setup({ beside: made });
  await other.composed.services.submissions.tick();
  await expect.poll(async () => (await show(other, draftId)).submission.outcome).toBe('stopped');
  expect(held(await show(other, draftId))).toEqual(['2', '3', '4']);
  expect(quantities(made)).toEqual([1]);
});
