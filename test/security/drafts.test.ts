/**
 * One approval for all orders of a draft: it holds for exactly the legs that the owner saw, in their sequence, for one
 * attempt to send one version. The rows are altered in the file itself, as in bindings.test.ts.
 */
// @module-tag server
import { expect, test } from 'vitest';
import type { DraftLeg } from '../../src/features/drafts/book/draft.ts';
import { editDraft } from '../../src/features/drafts/book/edit-draft.ts';
import { viewDraftTicket } from '../../src/features/drafts/submission/approve-draft.ts';
import type { Submission } from '../../src/features/drafts/submission/submission.ts';
import { carryOn, leg, legs, quantities, type Waiting, waitingDraft } from './draft-support.ts';
import {
  type Attack,
  attack,
  expectNothingLeft,
  openFile,
  order,
  ordersThatLeft,
  passphrase,
  type Side,
} from './support.ts';

const approve = ({ composed }: Side, { submissionId, view }: Waiting, change: object = {}) =>
  composed.services.draftApprovals.approve({
    submissionId,
    digest: view.digest,
    passphrase,
    channel: 'terminal',
    ...change,
  });

/** The attempt was stopped because its approval does not hold. */
async function expectUnapproved(attacked: Attack, waiting: Waiting) {
  expect(await carryOn(attacked, waiting)).toBe('stopped');
  const stopped = await attacked.composed.services.drafts.store.read((tx) => tx.findSubmission(waiting.submissionId));
  expect(['approval_invalid', 'approval_missing']).toContain(stopped?.rule);
  await expectNothingLeft(attacked);
}

/** Alters rows in the file of the store. */
async function alter({ stateDir }: Attack, sql: string, ...values: string[]): Promise<void> {
  using file = await openFile(stateDir);
  expect(file.db.prepare(sql).run(...values)).toBeDefined();
}

const alterLegs = async (attacked: Attack, { draftId }: Waiting, change: (legs: DraftLeg[]) => unknown) => {
  const version = await attacked.composed.services.drafts.store.read((tx) => tx.findVersion(draftId, 1));
  const altered = JSON.stringify(change([...(version?.legs ?? [])]));
  await alter(attacked, 'UPDATE draft_versions SET legs = ? WHERE draft = ?', altered, draftId);
};

const alterSubmission = async (
  attacked: Attack,
  { submissionId }: Waiting,
  change: (submission: Submission) => unknown,
) => {
  const found = await attacked.composed.services.drafts.store.read((tx) => tx.findSubmission(submissionId));
  const altered = change(found as Submission) as Submission;
  const sql = 'UPDATE submissions SET data = ?, state = ? WHERE id = ?';
  await alter(attacked, sql, JSON.stringify(altered), altered.state, submissionId);
};

test('the legs of a draft that waits for the owner count in the limits of single orders', async () => {
  const attacked = await attack({ enrolled: { limits: { ordersPerHour: 2 } } });
  const waiting = await waitingDraft(attacked);
  const single = await attacked.call('place_limit_order', { ...order, quantity: 9 });
  expect(single).toMatchObject({ outcome: 'refused', rule: 'orders_per_hour' });
  await attacked.call('discard_draft', { draftId: waiting.draftId });
  const later = await attacked.call('place_limit_order', { ...order, quantity: 9 });
  expect(later).toMatchObject({ resultType: 'input_required' });
});

test('an approved draft is sent: each leg once, with no further question', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  expect(ordersThatLeft(attacked.simulator)).toEqual([]);
  expect(await approve(attacked, waiting)).toEqual({ kind: 'approved' });
  expect(await carryOn(attacked, waiting)).toBe('done');
  expect(quantities(attacked)).toEqual([2, 3]);
});

test('without the passphrase nothing is sent, however often it is submitted', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  expect(await approve(attacked, waiting, { passphrase: 'guessed by a model' })).toMatchObject({
    kind: 'wrong_passphrase',
  });
  for (let round = 0; round < 8; round++)
    await attacked.call('submit_draft', { draftId: waiting.draftId, version: 1, approved: true });
  expect(await viewDraftTicket(attacked.composed.services.drafts, waiting.draftId)).toMatchObject({
    digest: waiting.view.digest,
  });
  await attacked.composed.services.submissions.tick();
  await expectNothingLeft(attacked);
});

test('after three approvals that were not given, the version is not asked for again', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const { draftId } = await waitingDraft(attacked);
  for (let round = 0; round < 2; round++) {
    await attacked.clock.advance(121_000);
    await attacked.call('submit_draft', { draftId, version: 1 });
    expect(await viewDraftTicket(attacked.composed.services.drafts, draftId)).toBeDefined();
  }
  await attacked.clock.advance(121_000);
  expect(await attacked.call('submit_draft', { draftId, version: 1 })).toMatchObject({
    outcome: 'refused',
    rule: 'approvals_used',
  });
  await expectNothingLeft(attacked);
});

test('an edit while it waits, or a leg added while it is shown, is refused, and what was shown can be approved', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  const { draftId } = waiting;
  const edit = { kind: 'quantity', leg: 1, quantity: '1' } as const;
  await expect(
    editDraft(attacked.composed.services.drafts, { draftId, version: 1, edit, channel: 'terminal' }),
  ).rejects.toMatchObject({ code: 'submission_open' });
  const added = [...legs, leg({ quantity: 9 })];
  expect(await attacked.call('save_draft', { draftId, version: 1, legs: added })).toMatchObject({
    code: 'submission_open',
  });
  expect(await approve(attacked, waiting)).toEqual({ kind: 'approved' });
  await carryOn(attacked, waiting);
  expect(quantities(attacked)).toEqual([2, 3]);
});

/** Each field of a leg and of what is approved: digests.test.ts. */
const legChanges: [string, (legs: DraftLeg[]) => unknown][] = [
  ['a larger quantity', ([first, ...rest]) => [{ ...first, quantity: '80' }, ...rest]],
  ['reordered legs', (given) => given.toReversed()],
  ['a swapped ticker with the same total', ([first, ...rest]) => [{ ...first, ticker: 'QDIVIl_EQ' }, ...rest]],
  ['a market order instead of a limit', ([first, ...rest]) => [{ ...first, type: 'MARKET' }, ...rest]],
];

test.each(legChanges.slice(0, 2))('%s, written before the approval, is not approved', async (_, change) => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  await alterLegs(attacked, waiting, change);
  expect(await approve(attacked, waiting)).toEqual({ kind: 'changed' });
  await attacked.composed.services.submissions.tick();
  await expectNothingLeft(attacked);
});

test.each(legChanges.slice(2))('%s, written after the approval, is not sent', async (_, change) => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  await approve(attacked, waiting);
  await alterLegs(attacked, waiting, change);
  await expectUnapproved(attacked, waiting);
});

const approvalChanges: [string, (submission: Submission) => unknown][] = [
  ['no approval at all', ({ approval: _, ...rest }) => rest],
  ['a form instead of the terminal', (one) => ({ ...one, approval: { ...one.approval, by: 'elicitation' } })],
  ['a digest that is made up', (one) => ({ ...one, approval: { ...one.approval, digest: 'f'.repeat(64) } })],
  [
    'other totals',
    (one) => ({ ...one, approval: { ...one.approval, ticket: { ...one.approval?.ticket, totals: {} } } }),
  ],
];

test.each(approvalChanges)('an approval with %s sends nothing', async (_, change) => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  await approve(attacked, waiting);
  await alterSubmission(attacked, waiting, change);
  await expectUnapproved(attacked, waiting);
});

test('an approval that is moved to another version sends nothing', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  await approve(attacked, waiting);
  await alterSubmission(attacked, waiting, (one) => ({ ...one, version: 2 }));
  expect(await carryOn(attacked, waiting)).toBe('stopped');
  await expectNothingLeft(attacked);
});

test('a submission that is moved to sending without an approval sends nothing', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  const endsAt = attacked.clock.now() + 600_000;
  await alterSubmission(attacked, waiting, (one) => ({ ...one, state: 'sending', endsAt }));
  await expectUnapproved(attacked, waiting);
});

test('a submission that would end later than any approval lasts has ended, and sends nothing', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  await approve(attacked, waiting);
  await alterSubmission(attacked, waiting, (one) => ({ ...one, endsAt: 9e15 }));
  expect(await carryOn(attacked, waiting)).toBe('stopped');
  await expectNothingLeft(attacked);
});

test('the approval of version 1 does not hold for version 2', async () => {
  const attacked = await attack();
  const first = await waitingDraft(attacked);
  await attacked.clock.advance(121_000);
  await attacked.composed.services.submissions.tick();
  const { draftId } = first;
  await attacked.call('save_draft', { draftId, version: 1, legs: [leg({ quantity: 9 })] });
  await attacked.call('submit_draft', { draftId, version: 2 });
  const second = (await viewDraftTicket(attacked.composed.services.drafts, draftId))?.ticket;
  expect(second).toMatchObject({ version: 2 });
  expect(await approve(attacked, first)).toEqual({ kind: 'not_waiting' });
  const submissionId = second?.submissionId ?? '';
  expect(await approve(attacked, { ...first, submissionId })).toEqual({ kind: 'changed' });
  await expectNothingLeft(attacked);
});

test('two drafts with one nonce have two digests', async () => {
  const attacked = await attack();
  const first = await waitingDraft(attacked);
  const nonce = await attacked.composed.services.drafts.store.read(
    async (tx) => (await tx.findSubmission(first.submissionId))?.approval?.nonce,
  );
  await attacked.call('discard_draft', { draftId: first.draftId });
  const second = await waitingDraft(attacked, [leg({ quantity: 7 })]);
  await alterSubmission(attacked, second, (one) => ({ ...one, approval: { ...one.approval, nonce } }));
  expect(await approve(attacked, { ...second, view: first.view })).toEqual({ kind: 'changed' });
  expect(await approve(attacked, second)).toEqual({ kind: 'changed' });
  await expectNothingLeft(attacked);
});

test('31 legs are refused', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const many = Array.from({ length: 31 }, (_, at) => leg({ quantity: at + 1 }));
  expect(await attacked.call('save_draft', { legs: many })).toMatchObject({ code: 'invalid_argument' });
  await expectNothingLeft(attacked);
});

test('no text of the model is on the ticket', { tags: ['slow'] }, async () => {
  const attacked = await attack();
  const text = 'APPROVED BY THE OWNER';
  const { view } = await waitingDraft(attacked, [{ ...leg(), reason: text }], text);
  expect(JSON.stringify(view)).not.toContain(text);
});

test('an approval ends 15 minutes after it was given, and no leg is sent then', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  await approve(attacked, waiting);
  await attacked.clock.advance(15 * 60_000);
  expect(await carryOn(attacked, waiting)).toBe('stopped');
  await expectNothingLeft(attacked);
});

test('a discard after the approval stops what has not left', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  await approve(attacked, waiting);
  await attacked.call('discard_draft', { draftId: waiting.draftId });
  await attacked.composed.services.submissions.tick();
  await expectNothingLeft(attacked);
});

test('a server without live trading sends no approved draft', async () => {
  const attacked = await attack();
  const waiting = await waitingDraft(attacked);
  await approve(attacked, waiting);
  const other = await attacked.process({ liveTrading: false });
  expect(await other.composed.services.submissions.tick()).toBe(0);
  await expectNothingLeft(attacked);
});
