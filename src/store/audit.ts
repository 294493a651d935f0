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

const computeHash = (row: Omit<StoredRow, 'hash'>) =>
  createHash('sha256')
    .update(JSON.stringify([Number(row.seq), Number(row.at), row.environment, row.kind, row.data, row.previous]))
    .digest('hex');

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

export function createAuditTrail(engine: Engine) {
  return {
    /** Newest first. */
    last: (count: number): Promise<readonly AuditRow[]> =>
      engine.read(async (db) =>
        (await db.all<StoredRow>(`SELECT ${columns} FROM audit ORDER BY seq DESC LIMIT ?`, count)).map(readRow),
      ),
    /** The newest `most` of those since the moment, oldest first. */
    since: (moment: number, most: number): Promise<readonly AuditRow[]> =>
      engine.read(async (db) =>
        (await db.all<StoredRow>(`SELECT ${columns} FROM audit WHERE at >= ? ORDER BY seq DESC LIMIT ?`, moment, most))
          .map(readRow)
          .reverse(),
      ),
    /** From the record `from` on; left out, the whole chain. */
    verify: (from = 1): Promise<ChainState> => verifyChain(engine, from),
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

const batch = 500;

/** In batches, with a pause between them: a long trail must not hold up an order's answer. */
async function verifyChain(engine: Engine, from: number): Promise<ChainState> {
  let last = from <= 1 ? beginning : await engine.read((db) => readHeadAt(db, from - 1));
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
    // Records may be added while this goes on: the end is reached when the head is.
    if (rows.length < batch) {
      const head = await engine.read(readHead);
      if (head.seq === last.seq && head.hash === last.hash) return { holds: true, rows: last.seq };
      if (rows.length === 0 || head.seq <= last.seq) return { holds: false, rows: last.seq, brokenAt: last.seq + 1 };
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function readHead(db: Statements): Promise<Head> {
  const text = await readRecord(db, 'audit', 'head');
  return text === undefined ? beginning : (JSON.parse(text) as Head);
}

/** A record that is gone has a link that nothing fits to. */
async function readHeadAt(db: Statements, seq: number): Promise<Head> {
  const [row] = await db.all<{ hash: string }>('SELECT hash FROM audit WHERE seq = ?', seq);
  return { seq, hash: row?.hash ?? '' };
}
