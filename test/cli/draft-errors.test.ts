/** Errors about a draft tell a person in a terminal a command, not a tool. */
import { expect, test } from 'vitest';
import { buildToolListing } from '../../src/app/build-tool-listing.ts';
import { withPersonSteps } from '../../src/cli/drafts.ts';
import { BrokerageError } from '../../src/core/errors.ts';
import { editDraft } from '../../src/features/drafts/book/edit-draft.ts';
import { saveDraft } from '../../src/features/drafts/book/save-draft.ts';
import { discardDraft } from '../../src/features/drafts/submission/stop-submission.ts';
import { leg, openBook } from '../features/drafts/book/support.ts';

const tools = buildToolListing().map(({ name }) => name);

test.each(['not_found', 'draft_changed', 'draft_closed', 'draft_expired'])('%s names no tool', async (code) => {
  const { deps, clock } = openBook();
  const { draftId } = await saveDraft(deps, { legs: [leg()] });
  if (code === 'draft_closed') await discardDraft(deps, draftId);
  if (code === 'draft_expired') await clock.advance(8 * 86_400_000);
  const edit = {
    draftId: code === 'not_found' ? '0'.repeat(16) : draftId,
    version: code === 'draft_changed' ? 2 : 1,
    edit: { kind: 'quantity', leg: 1, quantity: '1' },
    channel: 'terminal',
  } as const;
  const next = await withPersonSteps(edit.draftId, () => editDraft(deps, edit)).catch((error: BrokerageError) => {
    expect(error.code).toBe(code);
    return error.next;
  });
  expect(tools.filter((name) => String(next).includes(name))).toEqual([]);
  expect(next).toMatch(/\.$/);
});

test('the step of a draft that waits for another one names the other one', async () => {
  const open = new BrokerageError('submission_open', 'Another draft is being sent.', 'Wait.', { draftId: 'other' });
  const work = withPersonSteps('mine', () => Promise.reject(open));
  await expect(work).rejects.toMatchObject({ code: 'submission_open', next: expect.stringContaining('show other') });
});

test('a ticker that does not exist any more is removed with a command', async () => {
  const gone = new BrokerageError('unknown_ticker', 'AAA_EQ is unknown.', 'Find it with search_instruments.');
  const work = withPersonSteps('mine', () => Promise.reject(gone));
  await expect(work).rejects.toMatchObject({ next: expect.stringContaining('drafts edit mine') });
});

test('other errors keep their step', async () => {
  const error = new BrokerageError('store_unavailable', 'The store is away.', 'Start it.');
  await expect(withPersonSteps('mine', () => Promise.reject(error))).rejects.toBe(error);
});

test('an error that the code does not provide for stays what it is', async () => {
  const fault = new TypeError('A FAULT');
  await expect(withPersonSteps('d1', () => Promise.reject(fault))).rejects.toBe(fault);
});
