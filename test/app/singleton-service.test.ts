/** One of several processes serves something for all of them, also where nobody can see that one has died. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSingletonService } from '../../src/app/singleton-service.ts';
import { createMemoryRecords } from '../../src/store/memory-records.ts';
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

test('the first serves, and the others are told where', async () => {
  const { host } = machine();
  const [first, second] = [host('one'), host('two')];
  expect(await first.find()).toEqual({ origin: 'http://one', extra: 'made by one' });
  expect(await second.find()).toEqual({ origin: 'http://one', extra: 'made by one' });
  expect([first.isOwn(), second.isOwn()]).toEqual([true, false]);
});

test('when it ends, or is seen to be dead, the next takes over and keeps what all must share', async () => {
  const { host, dead, closed } = machine();
  const [first, second, third] = [host('one'), host('two'), host('three')];
  await first.find();
  await first.close();
  expect(closed).toEqual(['one']);
  expect(await second.find()).toEqual({ origin: 'http://two', extra: 'made by one' });
  dead.add('two');
  expect(await third.find()).toEqual({ origin: 'http://three', extra: 'made by one' });
});

test('one that has not renewed its word is not waited for, and closes when it finds itself replaced', async () => {
  const { host, realClock, closed } = machine();
  const [first, second] = [host('one'), host('two')];
  await first.find();
  await realClock.advance(14_000);
  expect(await second.find()).toMatchObject({ origin: 'http://one' });
  // Stopped, or killed where nobody can see it.
  await realClock.advance(2_000);
  expect(await second.find()).toMatchObject({ origin: 'http://two' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(closed).toEqual(['one']);
  expect(first.isOwn()).toBe(false);
});

test('one that renews its word is left in place', async () => {
  const { host, realClock } = machine();
  const [first, second] = [host('one'), host('two')];
  await first.find();
  for (let round = 0; round < 20; round++) {
    await realClock.advance(5_000);
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(await second.find()).toMatchObject({ origin: 'http://one' });
});
