/** A leg that was in flight when its draft was stopped, and was not sent after all. */
import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { IntentState } from '../../../../src/core/orders/intent/states.ts';
import { findOwnDraft } from '../../../../src/features/drafts/book/find-draft.ts';
import { saveDraft } from '../../../../src/features/drafts/book/save-draft.ts';
import { keepLateLeg } from '../../../../src/features/drafts/submission/end-submission.ts';
import { type StopDeps, stopDraft } from '../../../../src/features/drafts/submission/stop-submission.ts';
import { leg, openBook } from '../book/support.ts';

const place = { accountKey: 'account', environment: 'demo' };
const tickers = ['AAA_EQ', 'BBB_EQ', 'CCC_EQ'];

/** A stopped draft of three legs, the first in flight and the others in the given states, or without an order. */
async function stoppedInFlight(others: readonly [IntentState?, IntentState?] = []) {
  const { deps, clock } = openBook();
  const { draftId } = await saveDraft(deps, { legs: tickers.map((ticker) => leg({ ticker })) });
  const { store }: StopDeps = deps;
  const now = clock.now();
  const id = '0'.repeat(32);
  const states: (IntentState | undefined)[] = ['SENDING', ...others];
  await store.change(async (tx) => {
    const submission = { ...place, id, draftId, version: 1, createdAt: now, endsAt: now + 900_000, haltCount: 0 };
    await tx.insertSubmission(
      { ...submission, state: 'sending', owner: 'alive' },
      tickers.map((_, at) => ({
        submissionId: id,
        number: at + 1,
        state: 'waiting',
        position: at,
        isDependent: false,
      })),
    );
    for (const [at, state] of states.entries()) {
      if (!state) continue;
      const request = leg({ ticker: tickers[at] as string });
      const base = { ...place, id: String(at), kind: 'order', ticker: request.ticker, request, fingerprint: `${at}` };
      const sent = { owner: 'alive', sender: 'alive', sentAt: now, answerBy: now + 15_000, method: 'none' };
      const reference = { submissionId: id, number: at + 1 };
      await tx.insert({ ...base, ...sent, state, createdAt: now, changedAt: now, leg: reference } as unknown as Intent);
    }
  });
  const processes = { self: 'alive', isAlive: () => true };
  await stopDraft({ ...deps, store, processes }, draftId, 'page');
  const settle = (state: IntentState) => store.change((tx) => tx.move('0', 'SENDING', { state }));
  const keep = () => store.change((tx) => keepLateLeg(tx, id, clock.now()));
  const read = () =>
    store.read(async (tx) => {
      const draft = await findOwnDraft(tx, place, draftId);
      const version = await tx.findVersion(draftId, draft.version);
      return [draft.state, draft.version, version?.legs.map(({ ticker }) => ticker)];
    });
  return { deps, draftId, settle, keep, read };
}

test('it joins the version that has the others', async () => {
  const { settle, keep, read } = await stoppedInFlight();
  expect(await read()).toEqual(['open', 2, ['BBB_EQ', 'CCC_EQ']]);
  await settle('NOT_SENT');
  await keep();
  expect(await read()).toEqual(['open', 3, ['AAA_EQ', 'BBB_EQ', 'CCC_EQ']]);
  await keep();
  expect((await read())[1]).toBe(3);
});

test('it opens a draft again that was closed because nothing seemed to be left', async () => {
  const { settle, keep, read } = await stoppedInFlight(['PLACED', 'PLACED']);
  expect(await read()).toEqual(['sent', 1, tickers]);
  await settle('NOT_SENT');
  await keep();
  expect(await read()).toEqual(['open', 2, ['AAA_EQ']]);
});

test.each<IntentState>(['SENDING', 'PLACED', 'UNKNOWN', 'REJECTED'])(
  'a leg that is %s joins nothing',
  async (state) => {
    const { settle, keep, read } = await stoppedInFlight();
    await settle(state);
    await keep();
    expect(await read()).toEqual(['open', 2, ['BBB_EQ', 'CCC_EQ']]);
  },
);

test('a version that was changed since stays as it is', async () => {
  const { deps, draftId, settle, keep, read } = await stoppedInFlight();
  await saveDraft(deps, { seen: { draftId, version: 2 }, legs: [leg({ ticker: 'DDD_EQ' })] });
  await settle('NOT_SENT');
  await keep();
  expect(await read()).toEqual(['open', 3, ['DDD_EQ']]);
});
