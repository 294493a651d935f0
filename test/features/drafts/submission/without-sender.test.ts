/** A draft that no process sends any more: what its readers are told, and that it ends when its time has passed. */
import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import type { Draft } from '../../../../src/features/drafts/book/draft.ts';
import { findOwnDraft } from '../../../../src/features/drafts/book/find-draft.ts';
import { saveDraft } from '../../../../src/features/drafts/book/save-draft.ts';
import { describeDiscarded } from '../../../../src/features/drafts/describe-draft.ts';
import { expireWaiting } from '../../../../src/features/drafts/submission/approve-draft.ts';
import { describeDraftState, reportLatest } from '../../../../src/features/drafts/submission/describe-submission.ts';
import type { StopDeps } from '../../../../src/features/drafts/submission/stop-submission.ts';
import type { Submission } from '../../../../src/features/drafts/submission/submission.ts';
import { leg, openBook, startAt } from '../book/support.ts';

const place = { accountKey: 'account', environment: 'demo' };
const sendMs = 900_000;

/** Two legs that are being sent by a process, the first with an intent if the test gives one. */
async function openSending(change: Partial<Submission> = {}, first?: Partial<Intent>) {
  const { deps, clock } = openBook();
  const { draftId, version } = await saveDraft(deps, { legs: [leg(), leg({ ticker: 'BBB_EQ' })] });
  const { store }: StopDeps = deps;
  const now = clock.now();
  const id = '0'.repeat(32);
  const made = { ...place, id, draftId, version, createdAt: now, endsAt: now + sendMs, haltCount: 0 };
  await store.change(async (tx) => {
    const waiting = (number: number) =>
      ({ submissionId: id, number, state: 'waiting', position: number, isDependent: false }) as const;
    await tx.insertSubmission({ ...made, state: 'sending', owner: 'gone', leaseUntil: now + 90_000, ...change }, [
      waiting(1),
      waiting(2),
    ]);
    if (!first) return;
    const request = leg();
    const base = { ...place, id: 'a'.repeat(32), kind: 'order', ticker: request.ticker, request, fingerprint: 'f' };
    const reference = { submissionId: id, number: 1 };
    const intent = { ...base, owner: 'gone', createdAt: now, changedAt: now, method: 'none', leg: reference, ...first };
    await tx.insert(intent as unknown as Intent);
  });
  const processes = { self: 'test', isAlive: (owner: string) => owner !== 'gone' };
  const own = { ...deps, store, processes, limits: async () => effectiveLimits('demo', {}, {}) };
  const report = () => reportLatest(own, draftId, 'model');
  return { deps: own, clock, draftId, id, report };
}

test.each([
  ['has ended', {}, 0, 'gone'],
  ['lost its lease', { owner: 'alive' }, 90_000, 'gone'],
  ['never began', { owner: undefined }, 10_001, 'gone'],
  ['is about to begin', { owner: undefined }, 10_000, undefined],
  ['is alive', { owner: 'alive' }, 89_999, undefined],
] as const)('its process %s: the report says whether one sends', async (_, change, ms, sender) => {
  const { clock, draftId, report } = await openSending(change);
  await clock.advance(ms);
  const shown = await report();
  expect([shown?.outcome, shown?.sender]).toEqual(['sending', sender]);
  expect(shown?.next.includes(`brokerage-mcp drafts submit ${draftId}`)).toBe(sender === 'gone');
});

test('discarded with an order in flight: it is not counted as one that had left', async () => {
  const now = startAt;
  const flying = { state: 'SENDING', sender: 'alive', sentAt: now, answerBy: now + 15_000 } as const;
  const { report } = await openSending({ owner: 'alive' }, flying);
  const submission = await report();
  expect(submission?.legs[0]).toMatchObject({ outcome: 'unknown', inFlight: true });
  const { message } = describeDiscarded({ state: 'discarded' }, submission);
  expect(message).toContain('1 order is being sent now.');
  expect(message).not.toContain('had left');
});

test('stopped at an order that was found placed later: the report does not ask for what was not placed', async () => {
  const placed = { state: 'PLACED', orderId: '7', sentAt: 0 } as const;
  const { deps, id, report } = await openSending({ state: 'stopped', reason: 'Order 1 may be live.' }, placed);
  await deps.store.change(async (tx) => {
    const [first] = await tx.list({ submissionId: id });
    const second = { ...first, id: 'b'.repeat(32), orderId: '8', leg: { submissionId: id, number: 2 } };
    await tx.insert(second as Intent);
  });
  const shown = await report();
  expect([shown?.outcome, shown?.next]).toEqual(['stopped', 'Follow each order to its fill with get_order.']);
});

test('its time has passed: the next submit of the account ends it, and its draft can be sent again', async () => {
  const { deps, clock, draftId, id } = await openSending();
  await clock.advance(sendMs - 1);
  await deps.store.change((tx) => expireWaiting(tx, place, deps));
  expect((await deps.store.read((tx) => tx.findSubmission(id)))?.state).toBe('sending');
  await clock.advance(1);
  await deps.store.change((tx) => expireWaiting(tx, place, deps));
  const ended = await deps.store.read((tx) => tx.findSubmission(id));
  expect([ended?.state, ended?.rule]).toEqual(['stopped', 'submission_ended']);
  expect(await deps.store.read((tx) => tx.hasOpenSubmission(draftId))).toBe(false);
});

test('its time has passed: a reader sees that it stopped, and the legs that were not sent as the next version', async () => {
  const placed = { state: 'PLACED', orderId: '7', sentAt: 0 } as const;
  const { deps, clock, draftId, report } = await openSending({}, placed);
  await clock.advance(sendMs);
  expect(await report()).toMatchObject({ outcome: 'stopped', rule: 'submission_ended', remainingVersion: 2 });
  expect(await deps.store.read((tx) => findOwnDraft(tx, place, draftId))).toMatchObject({ state: 'open', version: 2 });
});

test('its time has passed with an order in flight: a process that is alive ends it itself', async () => {
  const sentAt = startAt + sendMs - 1_000;
  const sending = { state: 'SENDING', sender: 'alive', owner: 'alive', sentAt, answerBy: sentAt + 15_000 } as const;
  const { clock, report } = await openSending({ owner: 'alive' }, sending);
  await clock.advance(sendMs);
  expect(await report()).toMatchObject({ outcome: 'sending' });
});

test('a sent draft that is sent again is being sent, for every reader', () => {
  const draft = { state: 'sent', expiresAt: startAt + 1 } as Draft;
  expect(describeDraftState(draft, { outcome: 'sending' }, startAt)).toBe('sending');
  expect(describeDraftState(draft, { outcome: 'done' }, startAt)).toBe('sent');
});
