/** One of several processes serves all of them, even when its death cannot be observed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSingletonService } from '../../src/app/singleton-service.ts';
import { createMemoryRecords } from '../../src/core/store/fallback-records.ts';
import { createManualClock } from '../support/manual-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function machine() {
  const records = createMemoryRecords();
  const realClock = createManualClock({ startAt: 1_000_000, auto: false });
  const closed: string[] = [];
  const dead = new Set<string>();
  const host = (self: string) =>
    createSingletonService({
      name: 'thing',
      records,
      realClock,
      processes: { self, isAlive: (owner) => !dead.has(owner) },
      makeExtra: () => `made by ${self}`,
      start: async () => ({ origin: `http://${self}`, close: async () => void closed.push(self) }),
    });
  return { host, realClock, closed, dead };
}

test('the first process serves, and the others get its address', async () => {
  const { host } = machine();
  const [first, second] = [host('one'), host('two')];
  expect(await first.find()).toEqual({ origin: 'http://one', extra: 'made by one' });
  expect(await second.find()).toEqual({ origin: 'http://one', extra: 'made by one' });
  expect([first.isOwn(), second.isOwn()]).toEqual([true, false]);
});

test('when it ends or is found dead, the next process takes over and keeps the shared state', async () => {
  const { host, dead, closed } = machine();
  const [first, second, third] = [host('one'), host('two'), host('three')];
  await first.find();
  await first.close();
  expect(closed).toEqual(['one']);
  expect(await second.find()).toEqual({ origin: 'http://two', extra: 'made by one' });
  dead.add('two');
  expect(await third.find()).toEqual({ origin: 'http://three', extra: 'made by one' });
});

test('a process that has not renewed its lease is replaced, and closes when it notices', async () => {
  const { host, realClock, closed } = machine();
  const [first, second] = [host('one'), host('two')];
  await first.find();
  await realClock.advance(14_000);
  expect(await second.find()).toMatchObject({ origin: 'http://one' });
  // Suspended, or killed where its death cannot be observed.
  await realClock.advance(2_000);
  expect(await second.find()).toMatchObject({ origin: 'http://two' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(closed).toEqual(['one']);
  expect(first.isOwn()).toBe(false);
});

test('a process that renews its lease stays in place', async () => {
  const { host, realClock } = machine();
  const [first, second] = [host('one'), host('two')];
  await first.find();
  for (let round = 0; round < 20; round++) {
    await realClock.advance(5_000);
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(await second.find()).toMatchObject({ origin: 'http://one' });
});
