/** What stops a draft that is being sent stops it for good. */
// @module-tag server
import { expect, test } from 'vitest';
import { liftHalt } from '../../src/core/orders/halt/trading-state.ts';
import { editDraft } from '../../src/features/drafts/book/edit-draft.ts';
import { viewDraftTicket } from '../../src/features/drafts/submission/approve-draft.ts';
import { buy, buys, posts, save, submit } from '../features/drafts/submission/support.ts';
import { setup } from '../support/setup.ts';
import { attack, haltAll, order, ordersThatLeft, passphrase } from './support.ts';

type Attacked = Awaited<ReturnType<typeof attack>>;

const leg = (quantity: number) => ({ type: 'LIMIT', ...order, quantity });
const findSubmission = ({ composed }: Attacked, id: string) =>
  composed.services.drafts.store.read((tx) => tx.findSubmission(id));

/** Approves the attempt that waits, by what is shown. */
async function approveWaiting({ composed }: Attacked, draftId: string, submissionId: string) {
  const { drafts, draftApprovals } = composed.services;
  const digest = (await viewDraftTicket(drafts, draftId))?.digest ?? '';
  return draftApprovals.approve({ submissionId, digest, passphrase, channel: 'terminal' });
}

const findWaiting = async ({ composed }: Attacked, draftId: string) =>
  (await viewDraftTicket(composed.services.drafts, draftId))?.ticket.submissionId ?? '';

async function submitWaiting(attacked: Attacked, quantities: readonly number[]) {
  const { draftId } = await attacked.call('save_draft', { legs: quantities.map(leg) });
  await attacked.call('submit_draft', { draftId, version: 1 });
  return { draftId, submissionId: await findWaiting(attacked, draftId) };
}

test('a halt in a pause between two legs stops the others, although it is lifted before their turn', async () => {
  const attacked = await attack({ enrolled: { limits: { ordersPerMinute: 1 } } });
  const { composed, clock, simulator } = attacked;
  const { draftId, submissionId } = await submitWaiting(attacked, [1, 2, 3]);
  clock.jumps = false;
  expect(await approveWaiting(attacked, draftId, submissionId)).toEqual({ kind: 'approved' });
  await composed.services.submissions.tick();
  await expect.poll(() => ordersThatLeft(simulator).length).toBe(1);
  await haltAll(attacked, attacked);
  await composed.journal.change((tx) => liftHalt(tx));
  attacked.recording.note({ kind: 'resume' });
  clock.jumps = true;
  await expect.poll(async () => (await findSubmission(attacked, submissionId))?.state).toBe('stopped');
  expect(await findSubmission(attacked, submissionId)).toMatchObject({ rule: 'halted' });
  expect(ordersThatLeft(simulator)).toHaveLength(1);
});

test('discarding a sent draft stops the attempt to send it again', async () => {
  const made = await setup({ config: { limits: { ordersPerMinute: 2 } } });
  const { draftId, body } = await submit(made, buys(2));
  await made.clock.advance(61_000);
  made.clock.jumps = false;
  const sending = made.call('submit_draft', { draftId, version: 1, repeatOf: body.submissionId });
  await expect.poll(() => posts(made).length).toBeGreaterThanOrEqual(3);
  const sent = posts(made).length;
  await made.call('discard_draft', { draftId });
  made.clock.jumps = true;
  expect((await sending).body.outcome).toBe('stopped');
  await made.clock.advance(120_000);
  await made.composed.services.submissions.tick();
  expect(posts(made).length).toBeLessThanOrEqual(sent + 1);
});

test('a person can approve the repetition of a sent draft', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { composed } = attacked;
  const { draftId, submissionId } = await submitWaiting(attacked, [1, 2]);
  await approveWaiting(attacked, draftId, submissionId);
  await composed.services.submissions.tick();
  await expect.poll(async () => (await findSubmission(attacked, submissionId))?.state).toBe('done');
  await attacked.call('submit_draft', { draftId, version: 1, repeatOf: submissionId });
  const again = await findWaiting(attacked, draftId);
  expect(await approveWaiting(attacked, draftId, again)).toEqual({ kind: 'approved' });
});

test('a repetition that the person rejected can be submitted again, and is sent once', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { composed, simulator } = attacked;
  const { draftId, submissionId } = await submitWaiting(attacked, [1]);
  await approveWaiting(attacked, draftId, submissionId);
  await composed.services.submissions.tick();
  await expect.poll(async () => (await findSubmission(attacked, submissionId))?.state).toBe('done');
  const repeat = { draftId, version: 1, repeatOf: submissionId };
  await attacked.call('submit_draft', repeat);
  const rejected = await findWaiting(attacked, draftId);
  await attacked.call('discard_draft', { draftId });
  expect(await findSubmission(attacked, rejected)).toMatchObject({ state: 'declined' });
  await attacked.call('submit_draft', repeat);
  const again = await findWaiting(attacked, draftId);
  expect(again).toMatch(/^[0-9a-f]{32}$/);
  expect(again).not.toBe(rejected);
  await approveWaiting(attacked, draftId, again);
  await composed.services.submissions.tick();
  await expect.poll(async () => (await findSubmission(attacked, again))?.state).toBe('done');
  expect(await attacked.call('submit_draft', repeat)).toMatchObject({ submissionId: again });
  expect(ordersThatLeft(simulator)).toHaveLength(2);
});

test('a person who names an attempt is never shown another one of the same draft', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const deps = attacked.composed.services.drafts;
  const { draftId, submissionId } = await submitWaiting(attacked, [1]);
  await attacked.clock.advance(121_000);
  await attacked.call('submit_draft', { draftId, version: 1 });
  const next = await findWaiting(attacked, draftId);
  expect(next).not.toBe(submissionId);
  expect(await viewDraftTicket(deps, draftId, submissionId)).toBeUndefined();
  expect((await viewDraftTicket(deps, draftId, next))?.ticket.submissionId).toBe(next);
});

test('a read-only server can decline a draft that waits, and nothing else about it', async () => {
  const attacked = await attack();
  const { draftId, submissionId } = await submitWaiting(attacked, [1]);
  const reading = await attacked.process({ readOnly: true });
  expect(await reading.tools()).not.toContain('submit_draft');
  expect(await reading.call('discard_draft', { draftId })).toMatchObject({ state: 'discarded' });
  expect(await findSubmission(attacked, submissionId)).toMatchObject({ state: 'declined' });
  expect(await approveWaiting(attacked, draftId, submissionId)).toEqual({ kind: 'not_waiting' });
  await attacked.composed.services.submissions.tick();
  expect(ordersThatLeft(attacked.simulator)).toEqual([]);
});

test('an edit cannot make two legs equal', async () => {
  const made = await setup();
  const draftId = await save(made, [buy({ quantity: 2 }), buy({ quantity: 1 })]);
  const edit = { kind: 'quantity', leg: 1, quantity: '1' } as const;
  await expect(
    editDraft(made.composed.services.drafts, { draftId, version: 1, edit, channel: 'terminal' }),
  ).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('each leg is shown with the position that the legs before it leave', async () => {
  const attacked = await attack();
  const { draftId } = await submitWaiting(attacked, [1, 2, 4]);
  const { ticket } = (await viewDraftTicket(attacked.composed.services.drafts, draftId)) ?? {};
  const after = ticket?.legs.map((shown) => Number(shown.ticket.position.after)) ?? [];
  const [first = 0, second = 0, third = 0] = after;
  expect([second - first, third - second].map((step) => step.toFixed(4))).toEqual(['2.0000', '4.0000']);
});
