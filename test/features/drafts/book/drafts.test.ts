/** Drafts: kept as versions, for one account, for a week, and never sent twice by a repeated call. */
import { expect, test } from 'vitest';
import { editDraft } from '../../../../src/features/drafts/book/edit-draft.ts';
import { listOpenDrafts, readDraft } from '../../../../src/features/drafts/book/find-draft.ts';
import { createDraft, saveDraft } from '../../../../src/features/drafts/book/save-draft.ts';
import { discardDraft } from '../../../../src/features/drafts/submission/stop-submission.ts';
import { codeFrom, leg, openBook, startAt } from './support.ts';

const week = 7 * 86_400_000;
const plan = (change: object = {}) => ({ legs: [leg()], source: 'plan_orders', ...change });

test('a new draft has version 1 and expires after seven days', async () => {
  const { deps } = openBook();
  const saved = await createDraft(deps, plan({ name: 'Monthly' }));
  expect(saved).toEqual({ draftId: expect.stringMatching(/^[0-9a-f]{16}$/), version: 1, expiresAt: startAt + week });
  const { draft, versions } = await readDraft(deps, saved.draftId);
  expect(draft).toMatchObject({ name: 'Monthly', state: 'open', source: 'plan_orders', environment: 'demo' });
  expect(versions).toEqual([
    { draftId: saved.draftId, version: 1, createdAt: startAt, channel: 'tool', legs: [leg()] },
  ]);
});

test('the same plan again returns the draft that it made', async () => {
  const { deps } = openBook();
  const first = await createDraft(deps, plan());
  expect(await createDraft(deps, plan())).toEqual(first);
  expect(await listOpenDrafts(deps)).toHaveLength(1);
});

test.each([
  ['another quantity', plan({ legs: [leg({ quantity: '3' })] })],
  ['another name', plan({ name: 'B', legs: [{ ...leg(), price: '10' }] })],
  ['another source', plan({ source: 'save_draft', legs: [{ ...leg(), price: '10' }] })],
  ['a price that moved by more than 1 %', plan({ legs: [{ ...leg(), price: '10.2' }] })],
])('a plan with %s is another draft', async (_, other) => {
  const { deps } = openBook();
  const first = await createDraft(deps, plan({ legs: [{ ...leg(), price: '10' }] }));
  expect((await createDraft(deps, other)).draftId).not.toBe(first.draftId);
});

test('a plan with prices that moved by 1 % is the same draft', async () => {
  const { deps } = openBook();
  const first = await createDraft(deps, plan({ legs: [{ ...leg(), price: '10' }] }));
  expect(await createDraft(deps, plan({ legs: [{ ...leg(), price: '10.1' }] }))).toEqual(first);
});

test('the same plan after an edit by a person is another draft', async () => {
  const { deps } = openBook();
  const two = plan({ legs: [leg(), leg({ ticker: 'BBB_EQ' })] });
  const { draftId } = await createDraft(deps, two);
  await editDraft(deps, { draftId, version: 1, edit: { kind: 'remove', leg: 2 }, channel: 'terminal' });
  expect((await createDraft(deps, plan())).draftId).not.toBe(draftId);
});

const many = (count: number) => Array.from({ length: count }, (_, index) => leg({ ticker: `T${index}_EQ` }));

test.each([
  ['no leg', [], undefined],
  ['31 legs', many(31), undefined],
  ['two equal legs', [leg(), leg()], 2],
  ['a buy and a sell of one ticker', [leg(), leg({ side: 'SELL', quantity: '1' })], 2],
  ['a ticker that imitates another fact', [leg({ ticker: 'AAA × 5' })], 1],
])('%s is refused, and nothing is kept', async (_, legs, wrong) => {
  const { deps } = openBook();
  const error = await createDraft(deps, plan({ legs })).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid_argument' });
  expect((error as { facts: { leg?: number } }).facts.leg).toBe(wrong);
  expect(await listOpenDrafts(deps)).toEqual([]);
});

test('30 legs, and two orders of one ticker in the same direction, are kept', async () => {
  const { deps } = openBook();
  expect((await createDraft(deps, plan({ legs: many(30) }))).version).toBe(1);
  expect((await createDraft(deps, plan({ legs: [leg(), leg({ limitPrice: '9' })] }))).version).toBe(1);
});

test('a saved version needs the version that the caller read', async () => {
  const { deps } = openBook();
  const { draftId } = await saveDraft(deps, { legs: [leg()] });
  const next = [leg({ quantity: '1' })];
  expect(await saveDraft(deps, { seen: { draftId, version: 1 }, legs: next })).toMatchObject({ draftId, version: 2 });
  const late = saveDraft(deps, { seen: { draftId, version: 1 }, legs: [leg({ quantity: '9' })] });
  await expect(late).rejects.toMatchObject({
    code: 'draft_changed',
    message: 'The draft is at version 2, not 1; nothing was changed and nothing was sent.',
    facts: { version: 2 },
  });
  expect((await readDraft(deps, draftId)).versions.map(({ legs }) => legs)).toEqual([[leg()], next]);
  // A host sent the call twice.
  expect(await saveDraft(deps, { seen: { draftId, version: 1 }, legs: next })).toMatchObject({ draftId, version: 2 });
});

test('equal legs return the present version', async () => {
  const { deps } = openBook();
  const { draftId } = await saveDraft(deps, { legs: [leg()] });
  expect(await saveDraft(deps, { seen: { draftId, version: 1 }, legs: [leg()] })).toMatchObject({ version: 1 });
  expect((await readDraft(deps, draftId)).versions).toHaveLength(1);
});

test('a name with equal legs renames the draft and makes no version', async () => {
  const { deps, audit } = openBook();
  const { draftId } = await saveDraft(deps, { name: 'First', legs: [leg()] });
  const rename = { seen: { draftId, version: 1 }, name: 'Second', legs: [leg()] };
  expect(await saveDraft(deps, rename)).toMatchObject({ draftId, version: 1 });
  // The same call again finds nothing to change.
  await saveDraft(deps, rename);
  const { draft, versions } = await readDraft(deps, draftId);
  expect([draft.name, draft.version, versions.length]).toEqual(['Second', 1, 1]);
  expect((await audit.since(0, 10)).map(({ environment, data }) => [environment, data]).slice(1)).toEqual([
    ['demo', { draftId, version: 1, channel: 'tool', renamed: true }],
  ]);
});

test('a name with other legs is kept with their version, and no name keeps the one before', async () => {
  const { deps } = openBook();
  const { draftId } = await saveDraft(deps, { name: 'First', legs: [leg()] });
  await saveDraft(deps, { seen: { draftId, version: 1 }, name: 'Second', legs: [leg({ quantity: '3' })] });
  await saveDraft(deps, { seen: { draftId, version: 2 }, legs: [leg({ quantity: '4' })] });
  expect((await readDraft(deps, draftId)).draft).toMatchObject({ name: 'Second', version: 3 });
});

test('a save of an older version renames nothing', async () => {
  const { deps } = openBook();
  const { draftId } = await saveDraft(deps, { name: 'First', legs: [leg()] });
  await saveDraft(deps, { seen: { draftId, version: 1 }, legs: [leg({ quantity: '3' })] });
  const late = { seen: { draftId, version: 1 }, name: 'Late', legs: [leg({ quantity: '3' })] };
  expect(await codeFrom(saveDraft(deps, late))).toBe('draft_changed');
  expect((await readDraft(deps, draftId)).draft.name).toBe('First');
});

test('of two saves of one version at once, one is kept and the other changes nothing', async () => {
  const { deps } = openBook();
  const { draftId } = await saveDraft(deps, { legs: [leg()] });
  const save = (quantity: string) =>
    codeFrom(saveDraft(deps, { seen: { draftId, version: 1 }, legs: [leg({ quantity })] }));
  expect((await Promise.all([save('3'), save('4')])).toSorted()).toEqual(['draft_changed', 'no error']);
  expect((await readDraft(deps, draftId)).draft.version).toBe(2);
});

test.each([
  ['another account', { accountKey: async () => 'another' }],
  ['another environment', { environment: 'live' }],
])('a draft is not found from %s', async (_, change) => {
  const { deps } = openBook();
  const { draftId } = await createDraft(deps, plan());
  const other = { ...deps, ...change };
  const legs = [leg({ quantity: '1' })];
  expect(await codeFrom(readDraft(other, draftId))).toBe('not_found');
  expect(await codeFrom(saveDraft(other, { seen: { draftId, version: 1 }, legs }))).toBe('not_found');
  expect(await codeFrom(discardDraft(other, draftId))).toBe('not_found');
  const edit = { kind: 'quantity', leg: 1, quantity: '1' } as const;
  expect(await codeFrom(editDraft(other, { draftId, version: 1, edit, channel: 'page' }))).toBe('not_found');
  expect(await listOpenDrafts(other)).toEqual([]);
  expect(await listOpenDrafts(deps)).toHaveLength(1);
});

test('an expired draft is not listed, cannot be changed, and can still be read', async () => {
  const { deps, clock } = openBook();
  const { draftId } = await createDraft(deps, plan());
  await clock.advance(week - 1);
  expect(await listOpenDrafts(deps)).toHaveLength(1);
  await clock.advance(1);
  expect(await listOpenDrafts(deps)).toEqual([]);
  const legs = [leg({ quantity: '1' })];
  await expect(saveDraft(deps, { seen: { draftId, version: 1 }, legs })).rejects.toMatchObject({
    code: 'draft_expired',
    message: 'This draft expired on 2026-01-22T15:00:00.000Z; nothing was changed and nothing was sent.',
  });
  expect((await createDraft(deps, plan())).draftId).not.toBe(draftId);
  expect((await readDraft(deps, draftId)).draft.version).toBe(1);
});

test('an edit does not make a draft live longer', async () => {
  const { deps, clock } = openBook();
  const { draftId } = await createDraft(deps, plan());
  await clock.advance(1_000);
  const saved = await saveDraft(deps, { seen: { draftId, version: 1 }, legs: [leg({ quantity: '1' })] });
  expect(saved.expiresAt).toBe(startAt + week);
});

test('a discarded draft is closed, and discarding it again changes nothing', async () => {
  const { deps } = openBook();
  const { draftId } = await createDraft(deps, plan());
  expect(await discardDraft(deps, draftId)).toMatchObject({ state: 'discarded' });
  expect(await discardDraft(deps, draftId)).toMatchObject({ state: 'discarded' });
  expect(await listOpenDrafts(deps)).toEqual([]);
  const legs = [leg({ quantity: '1' })];
  expect(await codeFrom(saveDraft(deps, { seen: { draftId, version: 1 }, legs }))).toBe('draft_closed');
});

test('after 200 versions in 24 hours a tool saves no more, and a person still can', async () => {
  const { deps, clock } = openBook();
  const { draftId } = await saveDraft(deps, { legs: [leg({ quantity: '1' })] });
  for (let version = 1; version < 200; version++)
    await saveDraft(deps, { seen: { draftId, version }, legs: [leg({ quantity: String(version + 1) })] });
  const next = { seen: { draftId, version: 200 }, legs: [leg({ quantity: '300' })] };
  await expect(saveDraft(deps, next)).rejects.toMatchObject({
    code: 'rate_limited',
    facts: { retryAfterSeconds: 86_400 },
  });
  const edit = { kind: 'quantity', leg: 1, quantity: '5' } as const;
  expect(await editDraft(deps, { draftId, version: 200, edit, channel: 'terminal' })).toMatchObject({ version: 201 });
  await clock.advance(86_400_001);
  expect(await saveDraft(deps, { ...next, seen: { draftId, version: 201 } })).toMatchObject({ version: 202 });
});

test('every version and the discard are in the audit trail', async () => {
  const { deps, audit } = openBook();
  const { draftId } = await createDraft(deps, plan());
  const edit = { kind: 'quantity', leg: 1, quantity: '1.5' } as const;
  await editDraft(deps, { draftId, version: 1, edit, channel: 'page' });
  await discardDraft(deps, draftId);
  expect((await audit.since(0, 10)).map(({ kind, data }) => [kind, data])).toEqual([
    ['draft', { draftId, version: 1, channel: 'tool', source: 'plan_orders', legs: 1 }],
    ['draft', { draftId, version: 2, channel: 'page', source: 'plan_orders', edit, legs: 1 }],
    ['draft', { draftId, version: 2, state: 'discarded' }],
  ]);
});

test('a draft that a model saved has its tool as its source, and a new name is in the audit trail', async () => {
  const { deps, audit } = openBook();
  const { draftId } = await saveDraft(deps, { legs: [leg()] });
  await saveDraft(deps, { seen: { draftId, version: 1 }, name: 'Monthly', legs: [leg()] });
  expect((await audit.since(0, 10)).map(({ kind, data }) => [kind, data])).toEqual([
    ['draft', { draftId, version: 1, channel: 'tool', source: 'save_draft', legs: 1 }],
    ['draft', { draftId, version: 1, channel: 'tool', renamed: true }],
  ]);
});

test('a name and a reason are one short line each, without separators that could imitate a fact', async () => {
  const { deps } = openBook();
  const legs = [{ ...leg(), reason: `because\n${'x'.repeat(500)}` }];
  const { draftId } = await createDraft(deps, plan({ name: 'SELL 5 × BBB | approved\u202e', legs }));
  const { draft, versions } = await readDraft(deps, draftId);
  expect(draft.name).toBe('SELL 5 BBB approved');
  expect(versions[0]?.legs[0]?.reason).toBe(`because ${'x'.repeat(191)}…`);
});
