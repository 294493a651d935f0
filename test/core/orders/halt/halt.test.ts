/** The record of a halt. */
import { describe, expect, test } from 'vitest';
import {
  applyHaltFile,
  describeHalt,
  type Halt,
  liftHalt,
  readHalt,
  readHaltCount,
  setHalt,
} from '../../../../src/core/orders/halt/trading-state.ts';
import type { Journal, JournalChange } from '../../../../src/core/orders/intent/journal-port.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';
import { openAuditedJournal } from '../reconcile/audited-journal.ts';

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

describe('the file that halts', () => {
  const apply = (exists: boolean) => (tx: JournalChange) => applyHaltFile(tx, () => exists, 7);

  test('halts like a command, at the time of the first look', async () => {
    const journal = await openJournal();
    await journal.change(apply(true));
    expect(await journal.read(readHalt)).toEqual({
      at: 7,
      by: 'file',
      reason: 'The file "halt" was placed in the state folder.',
    });
  });

  test('does not lift the halt by its absence, and halts nothing by it', async () => {
    const journal = await openJournal();
    await journal.change(apply(false));
    expect(await journal.read(readHalt)).toBeUndefined();
    await journal.change(apply(true));
    await journal.change(apply(false));
    expect(await journal.read(readHalt)).toMatchObject({ by: 'file' });
  });
});

test('a halt and its end are recorded in the audit trail, with what was lifted', async () => {
  const { journal, listAudit } = await openAuditedJournal(createManualClock({ startAt: 0 }));
  await journal.change((tx) => setHalt(tx, halt('first')));
  await journal.change(liftHalt);
  await journal.change(liftHalt);
  expect(await journal.read(readHalt)).toBeUndefined();
  expect(await listAudit('halt')).toEqual([{ environment: 'all', ...halt('first') }]);
  expect(await listAudit('resume')).toEqual([
    { environment: 'all', lifted: halt('first') },
    { environment: 'all', lifted: null },
  ]);
});

test.each<[Halt, string]>([
  [halt('why'), 'since T5 by a command: why'],
  [{ at: 5, by: 'file', reason: 'why' }, 'since T5 by a file: why'],
  [{ at: 5, by: 'rule', rule: 'rejections', reason: 'why' }, 'since T5 by a rule: why'],
  [{ at: 5, by: 'rule', reason: 'why' }, 'since T5 by a rule: why'],
])('%j is described by its cause', (stopped, text) => {
  expect(describeHalt({ ...stopped, at: 5 }, (at) => `T${at}`)).toBe(text);
});
