/** What a host is compared with that asks again. */
import { expect, test } from 'vitest';
import { createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { createLastAsked } from '../../../src/features/changes/last-asked.ts';

const hour = 3_600_000;
const shownAt = (at: number, percent = 0) => ({ at, weights: { A: percent }, seenFrom: 0, seen: [] });

test('a host is compared with what it was told last, and again with the same within an hour', async () => {
  const asked = createLastAsked(createMemoryRecords(), async () => 'account');
  const now = 1_000 * hour;
  expect(await asked.find('one', now)).toBeUndefined();
  await asked.note('one', shownAt(now, 1));
  // The first answer may have been lost.
  expect(await asked.find('one', now + hour - 1)).toBeUndefined();
  expect(await asked.find('one', now + hour)).toEqual(shownAt(now, 1));
  await asked.note('one', shownAt(now + hour, 2));
  expect(await asked.find('one', now + 2 * hour - 1)).toEqual(shownAt(now, 1));
});

test('a host that asks every half hour moves on after an hour, and misses nothing', async () => {
  const asked = createLastAsked(createMemoryRecords(), async () => 'account');
  const ask = async (at: number) => {
    const base = await asked.find('one', at);
    await asked.note('one', shownAt(at));
    return base?.at;
  };
  const halves = [0, 1, 2, 3, 4, 5, 6].map((n) => 1_000 * hour + (n * hour) / 2);
  const bases: (number | undefined)[] = [];
  for (const at of halves) bases.push(await ask(at));
  const [first, , third, , fifth] = halves;
  expect(bases).toEqual([undefined, undefined, first, first, third, third, fifth]);
});

test('two questions of one moment, and a later page, have the range of the first', async () => {
  const asked = createLastAsked(createMemoryRecords(), async () => 'account');
  for (const at of [1, 3, 3]) await asked.note('one', shownAt(at * hour));
  expect(await asked.find('one', 3 * hour)).toEqual(shownAt(hour));
  expect(await asked.find('one', 9 * hour)).toEqual(shownAt(3 * hour));
  expect(await asked.find('one', 9 * hour, true)).toEqual(shownAt(hour));
});

test('each host has its own time, and a time of the future is none', async () => {
  const asked = createLastAsked(createMemoryRecords(), async () => 'account');
  await asked.note('one', shownAt(10 * hour));
  expect(await asked.find('two', 20 * hour)).toBeUndefined();
  expect(await asked.find('one', 5 * hour)).toBeUndefined();
  // The clock was set right, so what it said before is replaced.
  await asked.note('one', shownAt(5 * hour));
  expect(await asked.find('one', 7 * hour)).toEqual(shownAt(5 * hour));
});
