/** What an import of some years says about the rows before them. */
// @module-tag server
import { expect, test } from 'vitest';
import { formatRest, readRest } from '../../src/cli/import.ts';
import { historyKinds } from '../../src/features/history/kinds.ts';
import { setup } from '../support/setup.ts';

test('rows that are not read are named by kind, with a time, until they are read', { tags: ['slow'] }, async () => {
  const { composed, call, clock } = await setup();
  const { signal } = new AbortController();
  // The newest page is read, and the older ones are not.
  const before = await readRest(composed.services, signal);
  expect(before).toMatchObject({
    complete: false,
    missing: { orders: [expect.stringMatching(/^Rows .+ are missing/)] },
  });
  expect(formatRest(before).join('\n')).toMatch(/^ {2}orders: Rows .+ are missing/m);
  for (const kind of historyKinds)
    for (let left = 50; left > 0; left--) {
      const { body } = await call('fetch_history', { kind, limit: 1, waitSeconds: 0 });
      if (body.complete) break;
      await clock.advance(60_000);
    }
  const rest = await readRest(composed.services, signal);
  expect([rest, formatRest(rest)]).toEqual([{ complete: true }, ['The history is complete.']]);
});

test.each([
  [undefined, 'page by page. '],
  [0, 'page by page. '],
  [999, 'page by page. '],
  [1000, 'page by page, which takes 1 s or longer. '],
  [60_500, 'page by page, which takes 1 min 1 s or longer. '],
])('with %s ms left it says "%s"', (leftMs, words) => {
  const lines = formatRest({ complete: false, missing: { orders: ['Rows are missing.'] }, leftMs });
  expect(lines).toEqual([
    'The history is not complete:',
    '  orders: Rows are missing.',
    expect.stringContaining(words),
  ]);
});

test('an import of which nothing is missing says so, and one of which nothing is known too', () => {
  expect(formatRest({ complete: true })).toEqual(['The history is complete.']);
  expect(formatRest({ complete: null, problem: 'The service cannot be reached.' })).toEqual([
    'Whether rows are missing is unknown: The service cannot be reached.',
  ]);
});
