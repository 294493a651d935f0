/** Which process reads a history in the background. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLease } from '../../src/core/lease.ts';
import { createMemoryRecords } from '../../src/core/store/fallback-records.ts';

const start = 1_000_000;

/** Leases of processes that share a store, and the time of all of them. */
function share(isAlive: (owner: string) => boolean = () => true) {
  const records = createMemoryRecords();
  let time = start;
  const realClock = { now: () => time, sleep: async () => undefined };
  const of = (owner: string, name = 'history') => {
    const lease = createLease({ records, realClock, processes: { self: owner, isAlive } }, name);
    onTestFinished(() => lease.release());
    return lease;
  };
  return {
    of,
    pass: (ms: number) => {
      time += ms;
    },
    holder: () => records.read<{ owner: string; until: number }>('lease', 'history'),
    hold: (owner: string, until: number) =>
      records.update('lease', 'history', () => ({ state: { owner, until }, result: undefined })),
  };
}

test('one process holds it for fifteen seconds, and then another one takes it', async () => {
  const { of, pass, holder } = share();
  const [one, two] = [of('one'), of('two')];
  expect([await one.take(), await two.take()]).toEqual([true, false]);
  expect(await holder()).toEqual({ owner: 'one', until: start + 15_000 });
  pass(14_999);
  expect(await two.take()).toBe(false);
  pass(1);
  expect(await two.take()).toBe(true);
  expect(await one.take()).toBe(false);
});

test('of two processes that ask at the same moment one holds it', async () => {
  const { of } = share();
  expect(await Promise.all([of('one').take(), of('two').take()])).toEqual([true, false]);
});

test('its holder takes it again, which makes it last longer', async () => {
  const { of, pass, holder } = share();
  const one = of('one');
  await one.take();
  pass(10_000);
  expect(await one.take()).toBe(true);
  expect(await holder()).toEqual({ owner: 'one', until: start + 25_000 });
});

test('a process that has ended loses it at once, and one that runs does not', async () => {
  const { of } = share((owner) => owner !== 'gone');
  await of('gone').take();
  expect(await of('one').take()).toBe(true);
  expect(await of('two').take()).toBe(false);
});

test('what is held until a time that no process sets was written under a wrong clock', async () => {
  const { of, hold } = share();
  await hold('other', start + 15_000 + 5_000);
  expect(await of('one').take()).toBe(false);
  await hold('other', start + 15_000 + 5_001);
  expect(await of('one').take()).toBe(true);
});

test('only its holder releases it, and each name is a lease of its own', async () => {
  const { of, holder } = share();
  const [one, two] = [of('one'), of('two')];
  await one.take();
  await two.release();
  expect((await holder())?.owner).toBe('one');
  expect(await of('two', 'other').take()).toBe(true);
  await one.release();
  expect(await holder()).toBeUndefined();
  expect(await two.take()).toBe(true);
});

test('it is renewed every five seconds while it is held, and no longer after its release', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { of, pass, holder } = share();
  const one = of('one');
  await one.take();
  await one.take();
  pass(4_000);
  await vi.advanceTimersByTimeAsync(4_999);
  expect((await holder())?.until).toBe(start + 15_000);
  await vi.advanceTimersByTimeAsync(1);
  expect((await holder())?.until).toBe(start + 19_000);
  await one.release();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await holder()).toBeUndefined();
});
