/** How many versions of drafts an account may save in 24 hours. */
import { expect, test } from 'vitest';
import type { Draft, DraftChange } from '../../../../src/features/drafts/book/draft.ts';
import { addVersion } from '../../../../src/features/drafts/book/save-draft.ts';
import { leg, startAt } from './support.ts';

const dayMs = 86_400_000;
const draft: Draft = {
  ...{ id: 'd1', version: 1, state: 'open', source: 'save_draft', accountKey: 'account', environment: 'demo' },
  ...{ name: undefined, createdAt: startAt, expiresAt: startAt + 7 * dayMs },
};

/** Saves a version where the store has `times`, and returns what was asked and noted. */
async function save(times: readonly number[]) {
  const calls: unknown[][] = [];
  const keep = async (...call: unknown[]) => void calls.push(call);
  const listVersionTimes = async (...call: unknown[]) => {
    calls.push(call);
    return times;
  };
  const tx = { listVersionTimes, insertDraft: keep, insertVersion: keep, note: keep } as unknown as DraftChange;
  await addVersion(tx, draft, { channel: 'tool', legs: [leg()] }, startAt);
  return calls;
}

test('a version is kept with its time, and noted for its environment', async () => {
  expect(await save([])).toEqual([
    ['account', startAt - dayMs],
    [draft],
    [{ draftId: 'd1', version: 1, createdAt: startAt, channel: 'tool', edit: undefined, legs: [leg()] }],
    ['demo', 'draft', { draftId: 'd1', version: 1, channel: 'tool', source: 'save_draft', edit: undefined, legs: 1 }],
  ]);
});

test('after 200 versions the next is kept when the oldest of them is a day old', async () => {
  const times = Array.from({ length: 201 }, (_, n) => startAt - 1_000 * n);
  // The 200th is 199 seconds old.
  await expect(save(times)).rejects.toMatchObject({
    code: 'rate_limited',
    next: 'Use a draft that list_drafts shows, or save again in 86201 s.',
    facts: { retryAfterSeconds: 86_400 - 199 },
  });
  expect(await save(times.slice(0, 199))).toHaveLength(4);
});

test.each([
  ['of the future', dayMs],
  ['that are a day old', -dayMs],
])('versions with a time %s do not count', async (_, ms) => {
  expect(await save(Array.from({ length: 200 }, () => startAt + ms))).toHaveLength(4);
});

test.each<[string, Draft | undefined, number]>([
  ['and the latest version is named', { ...draft, version: 5 }, 5],
  ['and was removed since', undefined, 2],
])('a version of a draft that another process changed is refused, %s', async (_, found, version) => {
  const asked: string[] = [];
  const findDraft = async (id: string) => {
    asked.push(id);
    return found;
  };
  const tx = { moveDraft: async () => false, findDraft } as unknown as DraftChange;
  const content = { channel: 'terminal', legs: [leg()] } as const;
  await expect(addVersion(tx, { ...draft, version: 2 }, content, startAt)).rejects.toMatchObject({
    code: 'draft_changed',
    message: expect.stringContaining('not 1;'),
    facts: { version },
  });
  expect(asked).toEqual(['d1']);
});
