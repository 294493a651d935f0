import { expect, test } from 'vitest';
import { createTestClock, startSimulator } from '../../../src/simulator/index.ts';

test('moves only when it is advanced, and wakes the sleeps that have ended', async () => {
  const clock = createTestClock(1000);
  const woken: string[] = [];
  const sleeps = [['b', 20] as const, ['a', 10] as const].map(([name, ms]) =>
    clock.sleep(ms).then(() => woken.push(name)),
  );
  clock.advance(10);
  await sleeps[1];
  expect([clock.now(), woken]).toEqual([1010, ['a']]);
  clock.advance(10);
  await sleeps[0];
  expect(woken).toEqual(['a', 'b']);
});

test('ends a sleep whose signal is aborted', async () => {
  const clock = createTestClock(0);
  const stop = new AbortController();
  const sleep = clock.sleep(10, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(sleep).rejects.toThrow('stopped');
  await expect(clock.sleep(10, stop.signal)).rejects.toThrow('stopped');
});

test('lets orders fill in a simulator that was started with nothing else', async () => {
  const clock = createTestClock(Date.UTC(2026, 0, 15, 15));
  const simulator = await startSimulator({ clock });
  const id = simulator.inject.order({ ticker: 'QVIGL', quantity: 1 });
  clock.advance(1000);
  expect(simulator.groundTruth().history.at(-1)).toMatchObject({ order: { id, status: 'FILLED' } });
  await simulator.close();
});
