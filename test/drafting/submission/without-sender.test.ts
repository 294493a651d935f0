/** A draft that no process sends any more: what its readers are told, and that it ends when its time has passed. */
import { expect, test } from 'vitest';
import { findOwnDraft } from '../../../src/drafting/book/find-draft.ts';
import { saveDraft } from '../../../src/drafting/book/save-draft.ts';
import { expireWaiting } from '../../../src/drafting/submission/approve-plan.ts';
import { reportLatest } from '../../../src/drafting/submission/describe-submission.ts';
import type { StopDeps } from '../../../src/drafting/submission/stop-submission.ts';
import type { Submission } from '../../../src/drafting/submission/submission.ts';
import type { Intent } from '../../../src/orders/intent/intent.ts';
import { effectiveLimits } from '../../../src/orders/intent/risk-limits.ts';
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
