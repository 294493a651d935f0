/** What an import of some years says about the rows before them. */
// @module-tag server
import { expect, test } from 'vitest';
import { describeRest } from '../../src/cli/import-rest.ts';
import { historyKinds } from '../../src/history/kinds.ts';
import { setup } from '../support/setup.ts';

test('rows that are not read are named by kind, with a time, until they are read', async () => {
  const { composed, call, clock } = await setup();
  const { signal } = new AbortController();
  // The newest page is read, and the older ones are not.
  const before = await describeRest(composed.services, signal);
  expect(before.join('\n')).toMatch(/^ {2}orders: Rows .+ are missing[\s\S]*at least about \d+ s/m);
  for (const kind of historyKinds)
    for (let left = 50; left > 0; left--) {
      const { body } = await call('fetch_history', { kind, limit: 1, waitSeconds: 0 });
      if (body.complete) break;
      await clock.advance(60_000);
    }
  expect(await describeRest(composed.services, signal)).toEqual(['The history is complete.']);
});
