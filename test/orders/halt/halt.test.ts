/** The record of a halt. */
import { expect, test } from 'vitest';
import { liftHalt, readHalt, readHaltCount, setHalt } from '../../../src/orders/halt/halt.ts';
import type { Journal } from '../../../src/orders/intent/ports.ts';
import { createJournal } from '../../../src/store/journal.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';

const halt = (reason: string) => ({ at: 0, by: 'command', reason }) as const;

const openJournal = async () =>
  createJournal(await createMemoryEngine(), createManualClock({ startAt: 0 })) as unknown as Journal;

test('each halt is counted, so that a draft notices one that was lifted in its pause', async () => {
  const journal = await openJournal();
  const counts: number[] = [await journal.read(readHaltCount)];
  for (const reason of ['first', 'second', 'third']) {
    await journal.change((tx) => setHalt(tx, halt(reason)));
    await journal.change(liftHalt);
    counts.push(await journal.read(readHaltCount));
  }
  expect(counts).toEqual([0, 1, 2, 3]);
});

test('a halt of a halted store keeps the first reason, and is not counted', async () => {
  const journal = await openJournal();
  await journal.change((tx) => setHalt(tx, halt('first')));
  await journal.change((tx) => setHalt(tx, halt('second')));
  expect(await journal.read(readHalt)).toMatchObject({ reason: 'first' });
  expect(await journal.read(readHaltCount)).toBe(1);
});
