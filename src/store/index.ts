/** The store as the parts above use it: records, the journal, the audit trail, the history. Nothing is opened before its first use. */
import type { Clock } from '../clock.ts';
import { createAuditTrail } from './audit.ts';
import { createHistoryTable } from './history.ts';
import { createJournal, type JournalRow } from './journal.ts';
import { createRecords } from './records.ts';
import { createSnapshots } from './snapshots.ts';
import { createSqliteEngine } from './sqlite/engine.ts';
import { createSteadyRecords } from './steady-records.ts';
import { storeFile } from './store-file.ts';

export function openStore<
  Intent extends JournalRow,
  Write extends JournalRow,
  Mirror = unknown,
  Snapshot extends { readonly day: string } = { readonly day: string },
>(options: {
  readonly stateDir: string;
  readonly clock: Clock;
  /** Real time: it waits for other processes. */
  readonly realClock: Clock;
  readonly random: () => number;
  readonly merge: Parameters<typeof createSteadyRecords>[1]['merge'];
}) {
  const engine = createSqliteEngine({
    path: storeFile(options.stateDir),
    clock: options.realClock,
    random: options.random,
  });
  return {
    records: createSteadyRecords(createRecords(engine), { now: options.realClock.now, merge: options.merge }),
    journal: createJournal<Intent, Write>(engine, options.clock),
    audit: createAuditTrail(engine),
    history: createHistoryTable<Mirror>(engine),
    snapshots: createSnapshots<Snapshot>(engine),
    close: () => engine.close(),
  };
}
