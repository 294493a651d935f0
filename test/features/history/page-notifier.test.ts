import { expect, test } from 'vitest';
import { createNotifier } from '../../../src/features/history/ensure-coverage.ts';

test('everyone who waits is told once of the next page, and who no longer waits is not', async () => {
  const notifier = createNotifier();
  const told: string[] = [];
  const wait = (name: string) => {
    const { stored, cancel } = notifier.nextPage();
    void stored.then(() => told.push(name));
    return cancel;
  };
  wait('a');
  const cancel = wait('b');
  wait('c');
  cancel();
  notifier.notify();
  await Promise.resolve();
  expect(told).toEqual(['a', 'c']);
  notifier.notify();
  wait('d');
  await Promise.resolve();
  expect(told).toEqual(['a', 'c']);
});
