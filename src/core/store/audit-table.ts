/**
 * The audit trail: one row per event, each with a hash over itself and the previous hash. Changing, removing or
 * inserting a row breaks the chain from there on; the stored head reveals a truncated end.
 */

import { createHash } from 'node:crypto';
import type { Fault } from '../log.ts';
import { countOf } from '../text/count-of.ts';
import { type Engine, readRecord, type Statements, writeRecord } from './engine.ts';

export interface AuditEvent {
  readonly at: number;
  readonly environment: string;
  readonly kind: string;
  readonly data: object;
}

export interface AuditEntry extends AuditEvent {
  readonly seq: number;
}

export interface AuditRow extends AuditEntry {
  readonly hash: string;
}

/** The result of verifying the chain. `rows` is the number of valid records; `brokenAt` is the first invalid one. */
export type ChainState =
  | { readonly holds: true; readonly rows: number }
  | { readonly holds: false; readonly rows: number; readonly brokenAt: number };

/** What doctor and status print about a chain that holds. */
export const describeIntactChain = (rows: number): string => `${countOf(rows, 'record')}, the chain is intact`;

interface Head {
  readonly seq: number;
  readonly hash: string;
}

interface StoredRow {
  readonly seq: number | string;
  readonly at: number | string;
  readonly environment: string;
  readonly kind: string;
  readonly data: string;
  readonly previous: string;
  readonly hash: string;
}

/** The record of the newest fault, so that it is found without reading the trail. */
const newestFault = ['audit', 'fault'] as const;

const beginning: Head = { seq: 0, hash: '0'.repeat(64) };
const columns = 'seq, at, environment, kind, data, previous, hash';

const computeHash = (row: Omit<StoredRow, 'hash'>) =>
  createHash('sha256')
    .update(JSON.stringify([Number(row.seq), Number(row.at), row.environment, row.kind, row.data, row.previous]))
    .digest('hex');

/** Appends an event in the caller's transaction. `at` is in ms since 1970. */
export async function appendAudit(db: Statements, event: AuditEvent): Promise<void> {
  const before = await readRecord(db, 'audit', 'head');
  const head = before === undefined ? beginning : (JSON.parse(before) as Head);
  const { at, environment, kind } = event;
  const row = { seq: head.seq + 1, at, environment, kind, data: JSON.stringify(event.data), previous: head.hash };
  const hash = computeHash(row);
  await db.run(
    `INSERT INTO audit (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    row.seq,
    row.at,
    row.environment,
    row.kind,
    row.data,
    row.previous,
    hash,
  );
  await writeRecord(db, 'audit', 'head', { seq: row.seq, hash }, before);
}

/** Creates the read side of the audit trail. Functions throw `store_unavailable`. */
export function createAuditTrail(engine: Engine) {
  return {
    /** Newest first. */
    last: (count: number): Promise<readonly AuditRow[]> =>
      engine.read(async (db) =>
        (await db.all<StoredRow>(`SELECT ${columns} FROM audit ORDER BY seq DESC LIMIT ?`, count)).map(readRow),
      ),
    /** At most `most` rows, the newest since `moment` (ms), oldest first. */
    since: (at: number, limit: number): Promise<readonly AuditRow[]> =>
      engine.read(async (db) =>
        (await db.all<StoredRow>(`SELECT ${columns} FROM audit WHERE at >= ? ORDER BY seq DESC LIMIT ?`, at, limit))
          .map(readRow)
          .reverse(),
      ),
    /** Adds a fault of the program. */
    keepFault: (fault: Fault, environment: string): Promise<void> =>
      engine.write(async (db) => {
        const { at, ...data } = fault;
        await appendAudit(db, { at, environment, kind: 'fault', data });
        await writeRecord(db, ...newestFault, fault, await readRecord(db, ...newestFault));
      }),
    /** The newest fault of any process of this store; undefined when there was none. */
    newestFault: async (): Promise<Fault | undefined> => {
      const text = await engine.read((db) => readRecord(db, ...newestFault));
      return text === undefined ? undefined : (JSON.parse(text) as Fault);
    },
    /** Verifies the chain from record `from` to the end; by default the complete chain. */
    verify: (from = 1): Promise<ChainState> => verifyChain(engine, from),
  };
}

export type AuditTrail = ReturnType<typeof createAuditTrail>;

const readRow = (row: StoredRow): AuditRow => ({
  seq: Number(row.seq),
  at: Number(row.at),
  environment: row.environment,
  kind: row.kind,
  data: JSON.parse(row.data) as object,
  hash: row.hash,
});

const batch = 500;

/** Verifies in batches with a pause between them, so that a long trail does not delay an order. */
async function verifyChain(engine: Engine, from: number): Promise<ChainState> {
  let last = beginning;
  if (from > 1) {
    const hash = await engine.read((db) => readHashOf(db, from - 1));
    if (hash === undefined) return { holds: false, rows: from - 1, brokenAt: from };
    last = { seq: from - 1, hash };
  }
  for (;;) {
    const rows = await engine.read((db) =>
      db.all<StoredRow>(`SELECT ${columns} FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`, last.seq, batch),
    );
    for (const row of rows) {
      const seq = Number(row.seq);
      if (seq !== last.seq + 1 || row.previous !== last.hash || row.hash !== computeHash(row))
        return { holds: false, rows: last.seq, brokenAt: last.seq + 1 };
      last = { seq, hash: row.hash };
    }
    // Records may be appended during the check, so the end is reached only when the stored head is.
    if (rows.length < batch) {
      const head = await engine.read(readHead);
      if (head.seq === last.seq && head.hash === last.hash) return { holds: true, rows: last.seq };
      if (rows.length === 0 || head.seq <= last.seq) return { holds: false, rows: last.seq, brokenAt: last.seq + 1 };
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The newest record; number 0 when there is none. */
export async function readHead(db: Statements): Promise<Head> {
  const text = await readRecord(db, 'audit', 'head');
  return text === undefined ? beginning : (JSON.parse(text) as Head);
}

/** The hash of a record; undefined if the record is missing. */
export async function readHashOf(db: Statements, seq: number): Promise<string | undefined> {
  const [row] = await db.all<{ hash: string }>('SELECT hash FROM audit WHERE seq = ?', seq);
  return row?.hash;
}
