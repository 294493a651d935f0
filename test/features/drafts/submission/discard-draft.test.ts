/** A draft that is closed while it is sent, or while it waits for a person. */
import { expect, test } from 'vitest';
import { discardDraft } from '../../../../src/features/drafts/submission/stop-submission.ts';
import { buys, openWorld } from './small-world.ts';

test.each([
  ['none', 'stopped'],
  ['page', 'declined'],
] as const)(
  'where the approval is %s, the attempt is %s and says that the draft was discarded',
  async (approval, state) => {
    const made = await openWorld({ approval });
    const { id, draftId } = await made.submit(buys(1));
    expect(await discardDraft(made.program.deps, draftId)).toMatchObject({ id: draftId, state: 'discarded' });
    expect(await made.find(id)).toMatchObject({ state, endedBy: 'discard', reason: 'The draft was discarded.' });
  },
);
