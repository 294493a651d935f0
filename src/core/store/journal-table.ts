/**
 * Stores the order journal and its audit trail. It implements the port of the order manager
 * (core/orders/intent/journal-port.ts) by structure. Every change of an intent is written to the audit trail in the same
 * transaction, so neither exists without the other.
 */

import { type LogFacts, log } from '../log.ts';
import { appendAudit, readHashOf, readHead } from './audit-table.ts';
import { changeDrafts, type DraftRow, joinDrafts, readDrafts, type VersionRow } from './draft-table.ts';
import { type Engine, readRecord, type SqlValue, type Statements, writeRecord } from './engine.ts';
import { changeGrants, readGrants } from './grant-table.ts';
import {
  changeSubmissions,
  claimLeg,
  joinSubmissions,
  type LegRow,
  readSubmissions,
  type SubmissionRow,
} from './submission-table.ts';
import { joinWatches } from './watch-table.ts';

export interface JournalRow {
  readonly id: string;
  readonly kind: string;
  readonly accountKey: string;
  readonly environment: string;
  readonly state: string;
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly ticker?: string | undefined;
  readonly sentAt?: number | undefined;
  readonly orderId?: string | undefined;
  readonly repeatOf?: string | undefined;
  readonly approval?: { readonly handle: string; readonly nonce: string } | undefined;
  /** The leg of a submission that it was made for. */
  readonly leg?: Pick<LegRow, 'submissionId' | 'number'> | undefined;
}

interface Filter {
  readonly states?: readonly string[];
  readonly accountKey?: string;
  readonly environment?: string;
  readonly ticker?: string;
  readonly fingerprint?: string;
  readonly repeatOf?: string;
  readonly orderId?: string;
  readonly handle?: string;
  readonly nonce?: string;
  readonly submissionId?: string;
  /** Created at this time (ms) or later. */
  readonly createdSince?: number;
  readonly limit?: number;
}

/** Creates the journal. Orders and other writes share one table and differ by kind. */
export function createJournal<
  Intent extends JournalRow,
  Write extends JournalRow,
  Draft extends DraftRow = DraftRow,
  Version extends VersionRow = VersionRow,
  Submission extends SubmissionRow = SubmissionRow,
  Leg extends LegRow = LegRow,
>(engine: Engine, clock: { now(): number }) {
  const reading = (db: Statements) => ({
    ...readDrafts<Draft, Version>(db),
    ...readSubmissions<Submission, Leg>(db),
    ...readGrants(db),
    find: (intentId: string) => findRow<Intent>(db, 'order', intentId),
    list: (filter: Filter = {}) => listRows<Intent>(db, 'order', filter),
    listWrites: (filter: Filter = {}) => listRows<Write>(db, 'write', filter),
    get: async <Value>(name: string): Promise<Value | undefined> => {
      const text = await readRecord(db, journalNamespace, name);
      return text === undefined ? undefined : (JSON.parse(text) as Value);
    },
    lastRecord: () => readHead(db),
    recordHash: (seq: number): Promise<string | undefined> => readHashOf(db, seq),
  });

  const changing = (db: Statements, noted: LogFacts[]) => {
    const note = async (environment: string, kind: string, data: object) => {
      await appendAudit(db, { at: clock.now(), environment, kind, data });
      noted.push(toLogFacts(kind, data));
    };
    const insert = async (row: JournalRow): Promise<void> => {
      await insertRow(db, row);
      if (row.leg) await claimLeg(db, row.leg);
      await note(row.environment, row.kind, { ...row });
    };
    /** Compare-and-set: returns undefined and writes nothing when the row is no longer in state `from`. */
    const moveIn =
      <Row extends JournalRow>(kind: string) =>
      async (id: string, from: string, change: Partial<Row> & { state: string }): Promise<Row | undefined> => {
        const before = await findRow<Row>(db, kind, id);
        if (!before || before.state !== from) return undefined;
        const after = { ...before, ...change } as Row;
        const [, ...columns] = toColumns(after);
        const changed = await db.run(
          `UPDATE intents SET account = ?, environment = ?, kind = ?, state = ?, ticker = ?, fingerprint = ?,
             repeat_of = ?, order_id = ?, handle = ?, nonce = ?, created_at = COALESCE(?, created_at), sent_at = ?, data = ? WHERE id = ? AND state = ?`,
          ...columns,
          id,
          from,
        );
        if (changed !== 1) return undefined;
        if (from !== change.state) await note(after.environment, 'state', { intentId: id, from, ...change });
        return after;
      };
    return {
      ...reading(db),
      ...changeDrafts<Draft, Version>(db),
      ...changeSubmissions<Submission, Leg>(db),
      ...changeGrants(db),
      joinDrafts: (from: string, to: string): Promise<void> => joinAccounts(db, from, to),
      insert: (intent: Intent) => insert(intent),
      insertWrite: (write: Write) => insert(write),
      move: moveIn<Intent>('order'),
      moveWrite: moveIn<Write>('write'),
      removeUnsent: async (states: readonly string[], createdBefore: number, most: number): Promise<void> => {
        await db.run(
          `DELETE FROM intents WHERE id IN (SELECT id FROM intents WHERE kind = 'order' AND sent_at IS NULL
             AND state IN (${states.map(() => '?').join(', ')}) AND created_at < ? ORDER BY created_at LIMIT ?)`,
          ...states,
          createdBefore,
          most,
        );
      },
      set: async (name: string, value: unknown): Promise<void> =>
        writeRecord(db, journalNamespace, name, value, await readRecord(db, journalNamespace, name)),
      note,
    };
  };

  return {
    change: async <Result>(work: (tx: ReturnType<typeof changing>) => Promise<Result>): Promise<Result> => {
      const noted: LogFacts[] = [];
      const result = await engine.write((db) => work(changing(db, noted)));
      for (const facts of noted) log.debug('change', facts);
      return result;
    },
    read: <Result>(work: (tx: ReturnType<typeof reading>) => Promise<Result>): Promise<Result> =>
      engine.read((db) => work(reading(db))),
  };
}

/** Moves the drafts of an account, what was sent of them, and its watches, to the account that it turned out to be. */
async function joinAccounts(db: Statements, from: string, to: string): Promise<void> {
  await joinDrafts(db, from, to);
  await joinSubmissions(db, from, to);
  await joinWatches(db, from, to);
}

const journalNamespace = 'desk';

const toColumns = (intent: JournalRow): SqlValue[] => [
  intent.id,
  intent.accountKey,
  intent.environment,
  intent.kind,
  intent.state,
  intent.ticker ?? null,
  intent.fingerprint,
  intent.repeatOf ?? null,
  intent.orderId ?? null,
  intent.approval?.handle ?? null,
  intent.approval?.nonce ?? null,
  intent.createdAt,
  intent.sentAt ?? null,
  JSON.stringify(intent),
];

async function findRow<Row>(db: Statements, kind: string, id: string): Promise<Row | undefined> {
  const [row] = await db.all<{ data: string }>('SELECT data FROM intents WHERE id = ? AND kind = ?', id, kind);
  return row && (JSON.parse(row.data) as Row);
}

/** Lists rows, newest first. */
async function listRows<Row>(db: Statements, kind: string, filter: Filter): Promise<readonly Row[]> {
  const conditions = ['kind = ?'];
  const values: SqlValue[] = [kind];
  const equal = { account: filter.accountKey, environment: filter.environment, ticker: filter.ticker };
  const more = {
    fingerprint: filter.fingerprint,
    repeat_of: filter.repeatOf,
    order_id: filter.orderId,
    handle: filter.handle,
    nonce: filter.nonce,
    submission: filter.submissionId,
  };
  for (const [column, value] of Object.entries({ ...equal, ...more })) {
    if (value === undefined) continue;
    conditions.push(`${column} = ?`);
    values.push(value);
  }
  if (filter.states) {
    conditions.push(`state IN (${filter.states.map(() => '?').join(', ') || 'NULL'})`);
    values.push(...filter.states);
  }
  if (filter.createdSince !== undefined) {
    conditions.push('created_at >= ?');
    values.push(filter.createdSince);
  }
  const rows = await db.all<{ data: string }>(
    `SELECT data FROM intents WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id LIMIT ?`,
    ...values,
    filter.limit ?? Number.MAX_SAFE_INTEGER,
  );
  return rows.map((row) => JSON.parse(row.data) as Row);
}

function insertRow(db: Statements, row: JournalRow): Promise<number> {
  return db.run(
    `INSERT INTO intents (id, account, environment, kind, state, ticker, fingerprint, repeat_of, order_id,
       handle, nonce, created_at, sent_at, data, submission, leg)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...toColumns(row),
    row.leg?.submissionId ?? null,
    row.leg?.number ?? null,
  );
}

/** The names and states of a change: which order, draft or write, and from which state to which. */
function toLogFacts(kind: string, data: object): LogFacts {
  const { id, intentId, orderId, draftId, submissionId, leg, from, state, rule } = data as Record<string, unknown>;
  const facts = { id, intentId, orderId, draftId, submissionId, from, state, rule };
  const number = (leg as Pick<LegRow, 'number'> | undefined)?.number;
  const texts = Object.entries(facts).filter((fact): fact is [string, string] => typeof fact[1] === 'string');
  return { kind, ...Object.fromEntries(texts), ...(number === undefined ? {} : { leg: number }) };
}
