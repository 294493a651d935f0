/**
 * The audit trail: one row per event, each with a hash over itself and the hash before it. Whoever
 * changes, removes or inserts a row breaks the chain from there on; the kept head shows a cut tail.
 */
import { createHash } from 'node:crypto';
import type { Engine, Statements } from './engine.ts';
import { readRecord, writeRecord } from './records.ts';

export interface AuditEvent {
  readonly at: number;
  readonly environment: string;
  readonly kind: string;
  readonly data: object;
}

export interface AuditRow extends AuditEvent {
  readonly seq: number;
  readonly hash: string;
}

export type ChainState =
  | { readonly holds: true; readonly rows: number }
  | { readonly holds: false; readonly rows: number; readonly brokenAt: number };

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

const beginning: Head = { seq: 0, hash: '0'.repeat(64) };
const columns = 'seq, at, environment, kind, data, previous, hash';

const hashOf = (row: Omit<StoredRow, 'hash'>) =>
  createHash('sha256')
    .update(JSON.stringify([Number(row.seq), Number(row.at), row.environment, row.kind, row.data, row.previous]))
    .digest('hex');

export async function appendAudit(db: Statements, event: AuditEvent): Promise<void> {
  const before = await readRecord(db, 'audit', 'head');
  const head = before === undefined ? beginning : (JSON.parse(before) as Head);
  const { at, environment, kind } = event;
  const row = { seq: head.seq + 1, at, environment, kind, data: JSON.stringify(event.data), previous: head.hash };
  const hash = hashOf(row);
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

export function createAuditTrail(engine: Engine) {
  return {
    /** Newest first. */
    last: (count: number): Promise<readonly AuditRow[]> =>
      engine.read(async (db) =>
        (await db.all<StoredRow>(`SELECT ${columns} FROM audit ORDER BY seq DESC LIMIT ?`, count)).map(readRow),
      ),
    /** Oldest first. */
    since: (moment: number, most: number): Promise<readonly AuditRow[]> =>
      engine.read(async (db) =>
        (await db.all<StoredRow>(`SELECT ${columns} FROM audit WHERE at >= ? ORDER BY seq LIMIT ?`, moment, most)).map(
          readRow,
        ),
      ),
    verify: (): Promise<ChainState> => engine.read(verifyChain),
  };
}

const readRow = (row: StoredRow): AuditRow => ({
  seq: Number(row.seq),
  at: Number(row.at),
  environment: row.environment,
  kind: row.kind,
  data: JSON.parse(row.data) as object,
  hash: row.hash,
});

const batch = 1_000;

async function verifyChain(db: Statements): Promise<ChainState> {
  let last = beginning;
  for (;;) {
    const rows = await db.all<StoredRow>(
      `SELECT ${columns} FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`,
      last.seq,
      batch,
    );
    for (const row of rows) {
      const seq = Number(row.seq);
      if (seq !== last.seq + 1 || row.previous !== last.hash || row.hash !== hashOf(row))
        return { holds: false, rows: last.seq, brokenAt: last.seq + 1 };
      last = { seq, hash: row.hash };
    }
    if (rows.length < batch) break;
  }
  const text = await readRecord(db, 'audit', 'head');
  const head = text === undefined ? beginning : (JSON.parse(text) as Head);
  if (head.seq !== last.seq || head.hash !== last.hash) return { holds: false, rows: last.seq, brokenAt: last.seq + 1 };
  return { holds: true, rows: last.seq };
}
