import { expect, test } from 'vitest';
import { readPace } from '../../../../src/features/drafts/submission/next-step.ts';
import type { SubmissionView } from '../../../../src/features/drafts/submission/submission.ts';
import { startAt } from './small-world.ts';

test.each([
  ['no order was sent', [], 2, 0],
  ['one less than the limit was sent', [10_000], 2, 0],
  ['the limit was sent, the older one ten seconds ago', [1_000, 10_000], 2, 50_000],
  ['the limit was sent, in whatever order they are read', [10_000, 1_000], 2, 50_000],
  ['more than the limit was sent: the second newest counts', [30_000, 1_000, 20_000], 2, 40_000],
  ['the older one was sent a minute ago', [1_000, 60_000], 2, 0],
])('%s: the next leg waits until the limit per minute lets it pass', async (_, sentAgo, ordersPerMinute, ms) => {
  const own = sentAgo.map((ago, at) => ({
    id: `${at}`,
    state: 'PLACED',
    sentAt: startAt - ago,
    createdAt: startAt - ago,
  }));
  const tx = { list: async () => own, get: async () => undefined } as unknown as SubmissionView;
  const deps = { clock: { now: () => startAt }, limits: async () => ({ ordersPerMinute }) };
  expect(await readPace(deps as unknown as Parameters<typeof readPace>[0], tx, 'account')).toBe(ms);
});
