/** The report of an attempt, from rows as they are in the store. */
import { expect, test } from 'vitest';
import { saveDraft } from '../../../src/drafting/book/save-draft.ts';
import { reportSubmission } from '../../../src/drafting/submission/describe-submission.ts';
import type { StopDeps } from '../../../src/drafting/submission/stop-submission.ts';
import type { Intent } from '../../../src/orders/intent/intent.ts';
import { effectiveLimits } from '../../../src/orders/intent/risk-limits.ts';
import { leg, openBook, startAt } from '../book/support.ts';

const id = '0'.repeat(32);

/** The first leg of an attempt in flight, with an intent in the given state, after `ms`. */
async function reportLeg(change: Partial<Intent>, ms = 0) {
  const { deps, clock } = openBook();
  const { draftId, version } = await saveDraft(deps, { legs: [leg()] });
  const now = clock.now();
  const { store }: StopDeps = deps;
  await store.change(async (tx) => {
    const place = { accountKey: 'account', environment: 'demo' };
    await tx.insertSubmission(
      { ...place, id, draftId, version, state: 'sending', createdAt: now, endsAt: now + 900_000, haltCount: 0 },
      [{ submissionId: id, number: 1, state: 'waiting', position: 0, isDependent: false }],
    );
    const request = leg();
    const made = {
      ...place,
      id: 'a'.repeat(32),
      kind: 'order',
      ticker: request.ticker,
      request,
      fingerprint: 'f',
      owner: 'alive',
    };
    const reference = { submissionId: id, number: 1 };
    const intent = { ...made, createdAt: now, changedAt: now, method: 'none', leg: reference, ...change };
    await tx.insert(intent as unknown as Intent);
  });
  await clock.advance(ms);
  const processes = { self: 'test', isAlive: (owner: string) => owner === 'alive' };
  const limits = async () => effectiveLimits('demo', {}, {});
  return (await reportSubmission({ ...deps, store, processes, limits }, id, 'model'))?.legs[0];
}

const sending = { state: 'SENDING', sender: 'alive', sentAt: startAt, answerBy: startAt + 15_000 } as const;

test('a leg whose response is awaited says that it is being sent', async () => {
  expect(await reportLeg(sending, 10_000)).toMatchObject({
    outcome: 'unknown',
    inFlight: true,
    reason: 'It is being sent now; the broker has not responded yet.',
  });
});

test.each<[string, Partial<Intent>]>([
  ['for its turn at the broker', { state: 'APPROVED' }],
  ['for another attempt after a limit', { state: 'NOT_SENT', retryUntil: startAt + 1_000 }],
])('a leg that waits %s says that it waits', async (_, change) => {
  const shown = await reportLeg(change);
  expect([shown?.outcome, shown?.inFlight, shown?.reason]).toEqual(['waiting', undefined, undefined]);
});

test.each<[string, Partial<Intent>, number]>([
  ['whose process is gone', { ...sending, sender: 'gone' }, 0],
  // Twice the time for the response.
  ['without a response for too long', sending, 30_001],
  ['that is searched for', { ...sending, state: 'UNKNOWN' }, 0],
])('a leg %s does not', async (_, change, ms) => {
  const shown = await reportLeg(change, ms);
  expect([shown?.outcome, shown?.reason]).toEqual(['unknown', undefined]);
});
