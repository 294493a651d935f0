/** What a host is compared with that asks again. */
import { expect, test } from 'vitest';
import { createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { createLastAsked } from '../../../src/features/changes/last-asked.ts';

const hour = 3_600_000;
const weights = (percent: number) => ({ A: percent });

test('a host is compared with what it was told last, and again with the same within an hour', async () => {
  const asked = createLastAsked(createMemoryRecords(), async () => 'account');
  const now = 1_000 * hour;
  expect(await asked.find('one', now)).toBeUndefined();
  await asked.note('one', { at: now, weights: weights(1) });
  // The first answer may have been lost.
  expect(await asked.find('one', now + hour - 1)).toBeUndefined();
  expect(await asked.find('one', now + hour)).toEqual({ at: now, weights: weights(1) });
  await asked.note('one', { at: now + hour, weights: weights(2) });
  expect(await asked.find('one', now + 2 * hour - 1)).toEqual({ at: now, weights: weights(1) });
  await asked.note('one', { at: now + 2 * hour - 1, weights: weights(3) });
  expect(await asked.find('one', now + 2 * hour)).toEqual({ at: now, weights: weights(1) });
  expect(await asked.find('one', now + 3 * hour - 1)).toEqual({ at: now + 2 * hour - 1, weights: weights(3) });
});

test('each host has its own time, and a time of the future is none', async () => {
  const asked = createLastAsked(createMemoryRecords(), async () => 'account');
  await asked.note('one', { at: 10 * hour, weights: {} });
  expect(await asked.find('two', 20 * hour)).toBeUndefined();
  expect(await asked.find('one', 5 * hour)).toBeUndefined();
});
