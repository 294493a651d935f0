/**
 * The store as the rest of the program uses it: records, the journal, the audit trail and the history. Opens the
 * database on first use.
 */
import type { Clock } from '../clock.ts';
import { orElse } from '../log.ts';
import { createAuditTrail } from './audit-table.ts';
import type { DraftRow, VersionRow } from './draft-table.ts';
import { createRecords, type Engine } from './engine.ts';
import { createFallbackRecords } from './fallback-records.ts';
import { createDailyValues, createHistoryTable } from './history-table.ts';
import { inspectContent } from './inspect-content.ts';
import { createJournal, type JournalRow } from './journal-table.ts';
import { createPostgresEngine } from './postgres/postgres-engine.ts';
import { createSqliteEngine } from './sqlite/sqlite-engine.ts';
import { type StoreLocation, storeFile } from './store-location.ts';
import type { LegRow, SubmissionRow } from './submission-table.ts';
import { createWatchTable, type DeliveryRow, type EventRow, type WatchRow } from './watch-table.ts';

/**
 * Creates the store of a location. Does not throw; each function throws `store_unavailable` when the database
 * cannot be used, except those of `records`, which fall back to memory.
 */
export function openStore<
  Intent extends JournalRow,
  Write extends JournalRow,
  Mirror = unknown,
  Snapshot extends { readonly day: string } = { readonly day: string },
  Draft extends DraftRow = DraftRow,
  Version extends VersionRow = VersionRow,
  Submission extends SubmissionRow = SubmissionRow,
  Leg extends LegRow = LegRow,
>(options: {
  readonly place: StoreLocation;
  /** The clock for stored times; by default the clock of the store's location. */
  readonly clock?: Clock | undefined;
  /** Real time of this machine, used to wait for other processes. */
  readonly realClock: Clock;
  readonly random: () => number;
  /** The id of this process among those that share the store. */
  readonly self: string;
  readonly merge: Parameters<typeof createFallbackRecords>[1]['merge'];
}) {
  const { place, realClock, random, self } = options;
  const shared =
    'stateUrl' in place ? createPostgresEngine({ url: place.stateUrl, clock: realClock, self }) : undefined;
  const local =
    'stateDir' in place && createSqliteEngine({ path: storeFile(place.stateDir), clock: realClock, random });
  const engine = (shared ?? local) as Engine;
  const clock = options.clock ?? shared?.clock ?? realClock;
  return {
    records: createFallbackRecords(createRecords(engine), { now: realClock.now, merge: options.merge }),
    journal: createJournal<Intent, Write, Draft, Version, Submission, Leg>(engine, clock),
    audit: createAuditTrail(engine),
    history: createHistoryTable<Mirror>(engine),
    snapshots: createDailyValues<Snapshot>(engine),
    /** What is watched, in the types of its feature. */
    watches: <Watch extends WatchRow, Sight, Event extends EventRow, Delivery extends DeliveryRow>() =>
      createWatchTable<Watch, Sight, Event, Delivery>(engine),
    clock,
    /** Real time, the same for all processes of the store. */
    realClock: shared?.clock ?? realClock,
    /**
     * Whether a process of any machine is alive, by its heartbeat; undefined for a state folder, where process ids
     * show it.
     */
    isAlive: shared?.isAlive,
    /** Resolves once the store's time is known, or when the store cannot be reached. */
    ready: async (): Promise<void> => {
      if (shared && shared.clock.ahead() === undefined)
        await shared.read(async () => undefined).catch(orElse('the store', undefined));
    },
    /** Checks tables and a sample of rows; see `inspectContent`. */
    inspect: () => inspectContent(engine, shared ? 'postgres' : 'sqlite'),
    close: () => engine.close(),
  };
}
