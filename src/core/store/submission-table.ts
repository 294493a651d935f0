/** Stores the attempts to send drafts. The journal offers these functions in its transactions. */

import type { SqlValue, Statements } from './engine.ts';

export interface SubmissionRow {
  readonly id: string;
  readonly draftId: string;
  readonly version: number;
  readonly accountKey: string;
  readonly environment: string;
  readonly state: string;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly haltCount: number;
  readonly repeatOf?: string | undefined;
}

/** The part of a submission that a person is asked about; its type is known outside of the store only. */
interface Asked {
  readonly approval?: { readonly handle: string; readonly nonce: string } | undefined;
}

export interface LegRow {
  readonly submissionId: string;
  /** The number of the leg in its version, from 1. */
  readonly number: number;
  readonly state: string;
  readonly value?: string | undefined;
}

interface SubmissionFilter {
  readonly accountKey?: string;
  readonly environment?: string;
  readonly draftId?: string;
  readonly repeatOf?: string;
  readonly states?: readonly string[];
  readonly createdSince?: number;
  readonly handle?: string;
  readonly nonce?: string;
}

/** Their legs count in the limits, and the database allows one per account. */
const openStates = `('awaiting_approval', 'sending')`;

interface SubmissionColumns {
  readonly account: string;
  readonly state: string;
  readonly data: string;
}

interface LegColumns {
  readonly state: string;
  readonly data: string;
}

/** The reads of submissions in one transaction. */
export const readSubmissions = <Submission extends SubmissionRow, Leg extends LegRow>(db: Statements) => ({
  findSubmission: async (id: string): Promise<Submission | undefined> => {
    const [row] = await db.all<SubmissionColumns>('SELECT account, state, data FROM submissions WHERE id = ?', id);
    return row && toSubmission<Submission>(row);
  },
  /** Newest first. */
  listSubmissions: async (filter: SubmissionFilter): Promise<readonly Submission[]> => {
    const { where, values } = buildConditions(filter);
    const rows = await db.all<SubmissionColumns>(
      `SELECT account, state, data FROM submissions WHERE ${where} ORDER BY created_at DESC, id`,
      ...values,
    );
    return rows.map((row) => toSubmission<Submission>(row));
  },
  hasOpenSubmission: async (draftId: string): Promise<boolean> => {
    const rows = await db.all<object>(
      `SELECT 1 FROM submissions WHERE draft = ? AND state IN ${openStates} LIMIT 1`,
      draftId,
    );
    return rows.length > 0;
  },
  /** In the order of their numbers. */
  listSubmissionLegs: async (submissionId: string): Promise<readonly Leg[]> => {
    const rows = await db.all<LegColumns>(
      'SELECT state, data FROM submission_legs WHERE submission = ? ORDER BY leg',
      submissionId,
    );
    return rows.map((row) => toLeg<Leg>(row));
  },
  /** The legs of the account that wait for their turn: their limits are reserved. */
  listReservedLegs: async (accountKey: string): Promise<readonly Leg[]> => {
    const rows = await db.all<LegColumns>(
      `SELECT l.state AS state, l.data AS data FROM submission_legs l JOIN submissions s ON s.id = l.submission
       WHERE s.account = ? AND s.state IN ${openStates} AND l.state = 'waiting'`,
      accountKey,
    );
    return rows.map((row) => toLeg<Leg>(row));
  },
});

/** The reads and writes of submissions in one transaction. */
export const changeSubmissions = <Submission extends SubmissionRow, Leg extends LegRow>(db: Statements) => ({
  ...readSubmissions<Submission, Leg>(db),
  insertSubmission: async (submission: Submission, legs: readonly Leg[]): Promise<void> => {
    const { id, draftId, accountKey, environment, state, repeatOf, createdAt } = submission;
    const { approval } = submission as Asked;
    const values: SqlValue[] = [id, draftId, accountKey, environment, state, repeatOf ?? null, createdAt];
    await db.run(
      `INSERT INTO submissions (id, draft, account, environment, state, repeat_of, created_at, handle, nonce, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...values,
      approval?.handle ?? null,
      approval?.nonce ?? null,
      JSON.stringify(submission),
    );
    for (const leg of legs)
      await db.run(
        'INSERT INTO submission_legs (submission, leg, state, data) VALUES (?, ?, ?, ?)',
        id,
        leg.number,
        leg.state,
        JSON.stringify(leg),
      );
  },
  /** The column holds only what the database must keep unique; the row itself still names what it repeats. */
  releaseRepetition: async (id: string): Promise<void> => {
    await db.run('UPDATE submissions SET repeat_of = NULL WHERE id = ?', id);
  },
  /** Compare-and-set on the state: returns undefined and writes nothing when it is another one by then. */
  moveSubmission: async (
    id: string,
    from: Submission['state'],
    change: Partial<Submission>,
  ): Promise<Submission | undefined> => {
    const before = await readSubmissions<Submission, Leg>(db).findSubmission(id);
    if (before?.state !== from) return undefined;
    const after = { ...before, ...change };
    await db.run(
      'UPDATE submissions SET state = ?, data = ? WHERE id = ? AND state = ?',
      after.state,
      JSON.stringify(after),
      id,
      from,
    );
    return after;
  },
});

/**
 * Takes a waiting leg for the intent that is inserted in the same transaction. Throws when the leg was taken before, so
 * that no transaction can give a leg a second intent.
 */
export async function claimLeg(
  db: Statements,
  { submissionId, number }: Pick<LegRow, 'submissionId' | 'number'>,
): Promise<void> {
  const claimed = await db.run(
    `UPDATE submission_legs SET state = 'taken' WHERE submission = ? AND leg = ? AND state = 'waiting'`,
    submissionId,
    number,
  );
  if (claimed !== 1) throw new Error('The leg of the submission has an intent.');
}

/**
 * Moves the submissions of an account to the account that it turned out to be. Those that are open are stopped: what
 * was checked and approved was another account. Their drafts are closed, because some of their legs may have left.
 */
export async function joinSubmissions(db: Statements, from: string, to: string): Promise<void> {
  await db.run(
    `UPDATE drafts SET state = 'discarded' WHERE state = 'open' AND id IN
     (SELECT draft FROM submissions WHERE account = ? AND state IN ${openStates})`,
    from,
  );
  await db.run(`UPDATE submissions SET state = 'stopped' WHERE account = ? AND state IN ${openStates}`, from);
  await db.run('UPDATE submissions SET account = ? WHERE account = ?', to, from);
}

function buildConditions(filter: SubmissionFilter) {
  const { accountKey, environment, draftId, repeatOf, states, createdSince, handle, nonce } = filter;
  const conditions = ['1 = 1'];
  const values: SqlValue[] = [];
  const equal = { account: accountKey, environment, draft: draftId, repeat_of: repeatOf, handle, nonce };
  for (const [column, value] of Object.entries(equal)) {
    if (value === undefined) continue;
    conditions.push(`${column} = ?`);
    values.push(value);
  }
  if (states) {
    conditions.push(`state IN (${states.map(() => '?').join(', ') || 'NULL'})`);
    values.push(...states);
  }
  if (createdSince !== undefined) {
    conditions.push('created_at >= ?');
    values.push(createdSince);
  }
  return { where: conditions.join(' AND '), values };
}

/** The columns override the JSON text, because a merge of accounts changes only them. */
const toSubmission = <Submission>({ account, state, data }: SubmissionColumns): Submission => ({
  ...(JSON.parse(data) as Submission),
  accountKey: account,
  state,
});

const toLeg = <Leg>({ state, data }: LegColumns): Leg => ({ ...(JSON.parse(data) as Leg), state });
