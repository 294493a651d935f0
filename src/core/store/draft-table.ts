/**
 * Stores drafts of orders and the attempts to send them. The journal offers these functions in its transactions, so
 * that a leg, its intent and the state of its submission change together. They implement the port of the drafts
 * (features/drafts/book/draft.ts) by structure.
 */

import type { SqlValue, Statements } from './engine.ts';

export interface DraftRow {
  readonly id: string;
  readonly accountKey: string;
  readonly environment: string;
  readonly name: string | undefined;
  readonly version: number;
  readonly state: string;
  readonly source: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface VersionRow {
  readonly draftId: string;
  readonly version: number;
  readonly createdAt: number;
  /** Through what it was made. */
  readonly channel: string;
  readonly edit?: object | undefined;
  readonly legs: readonly unknown[];
}

interface DraftFilter {
  readonly accountKey: string;
  readonly environment: string;
  readonly states: readonly string[];
}

interface DraftColumns extends Omit<DraftRow, 'accountKey' | 'createdAt' | 'expiresAt' | 'name'> {
  readonly account: string;
  readonly name: string | null;
  readonly created_at: number | string;
  readonly expires_at: number | string;
}

interface VersionColumns {
  readonly draft: string;
  readonly version: number;
  readonly created_at: number | string;
  readonly channel: string;
  readonly edit: string | null;
  readonly legs: string;
}

const draftColumns = 'id, account, environment, name, version, state, source, created_at, expires_at';
const versionColumns = 'draft, version, created_at, channel, edit, legs';
const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ') || 'NULL';

/** The reads of drafts in one transaction. */
export const readDrafts = <Draft extends DraftRow, Version extends VersionRow>(db: Statements) => ({
  findDraft: async (id: string): Promise<Draft | undefined> => {
    const [row] = await db.all<DraftColumns>(`SELECT ${draftColumns} FROM drafts WHERE id = ?`, id);
    return row && toDraft<Draft>(row);
  },
  /** Newest first. */
  listDrafts: async ({ accountKey, environment, states }: DraftFilter): Promise<readonly Draft[]> => {
    const rows = await db.all<DraftColumns>(
      `SELECT ${draftColumns} FROM drafts WHERE account = ? AND environment = ? AND state IN (${marks(states)})
       ORDER BY created_at DESC, id`,
      accountKey,
      environment,
      ...states,
    );
    return rows.map((row) => toDraft<Draft>(row));
  },
  /** The versions of a draft, oldest first. */
  listVersions: async (draftId: string): Promise<readonly Version[]> => {
    const rows = await db.all<VersionColumns>(
      `SELECT ${versionColumns} FROM draft_versions WHERE draft = ? ORDER BY version`,
      draftId,
    );
    return rows.map((row) => toVersion<Version>(row));
  },
  findVersion: async (draftId: string, version: number): Promise<Version | undefined> => {
    const [row] = await db.all<VersionColumns>(
      `SELECT ${versionColumns} FROM draft_versions WHERE draft = ? AND version = ?`,
      draftId,
      version,
    );
    return row && toVersion<Version>(row);
  },
  /** The times (ms) at which the account's versions since a time were made, newest first. */
  listVersionTimes: async (accountKey: string, since: number): Promise<readonly number[]> => {
    const rows = await db.all<{ at: number | string }>(
      `SELECT v.created_at AS at FROM draft_versions v JOIN drafts d ON d.id = v.draft
       WHERE v.created_at >= ? AND d.account = ? ORDER BY v.created_at DESC`,
      since,
      accountKey,
    );
    return rows.map(({ at }) => Number(at));
  },
});

/** The reads and writes of drafts in one transaction. */
export const changeDrafts = <Draft extends DraftRow, Version extends VersionRow>(db: Statements) => ({
  ...readDrafts<Draft, Version>(db),
  insertDraft: async (draft: Draft): Promise<void> => {
    const { id, accountKey, environment, name, version, state, source, createdAt, expiresAt } = draft;
    const values: SqlValue[] = [id, accountKey, environment, name ?? null, version, state, source];
    await db.run(
      `INSERT INTO drafts (${draftColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...values,
      createdAt,
      expiresAt,
    );
  },
  insertVersion: async ({ draftId, version, createdAt, channel, edit, legs }: Version): Promise<void> => {
    await db.run(
      `INSERT INTO draft_versions (${versionColumns}) VALUES (?, ?, ?, ?, ?, ?)`,
      draftId,
      version,
      createdAt,
      channel,
      edit === undefined ? null : JSON.stringify(edit),
      JSON.stringify(legs),
    );
  },
  /** Changes nothing else of a draft. */
  renameDraft: async (id: string, name: string): Promise<void> => {
    await db.run('UPDATE drafts SET name = ? WHERE id = ?', name, id);
  },
  /** Compare-and-set: returns false and writes nothing when the draft has another version or state by then. */
  moveDraft: async (
    { id, version, state }: Pick<DraftRow, 'id' | 'version' | 'state'>,
    change: Partial<Pick<DraftRow, 'version' | 'state'>>,
  ): Promise<boolean> => {
    const changed = await db.run(
      'UPDATE drafts SET version = ?, state = ? WHERE id = ? AND version = ? AND state = ?',
      change.version ?? version,
      change.state ?? state,
      id,
      version,
      state,
    );
    return changed === 1;
  },
  /** Removes the `most` oldest drafts that were created before the given time (ms) and never sent. */
  removeDrafts: async (createdBefore: number, most: number): Promise<void> => {
    await db.run(
      `DELETE FROM drafts WHERE id IN (SELECT id FROM drafts WHERE created_at < ?
         AND NOT EXISTS (SELECT 1 FROM submissions s WHERE s.draft = drafts.id) ORDER BY created_at LIMIT ?)`,
      createdBefore,
      most,
    );
  },
});

/** Moves the drafts of an account to the account that it turned out to be. */
export async function joinDrafts(db: Statements, from: string, to: string): Promise<void> {
  await db.run('UPDATE drafts SET account = ? WHERE account = ?', to, from);
}

const toDraft = <Draft>({ account, name, created_at, expires_at, ...row }: DraftColumns): Draft =>
  ({
    ...row,
    accountKey: account,
    name: name ?? undefined,
    version: Number(row.version),
    createdAt: Number(created_at),
    expiresAt: Number(expires_at),
  }) as Draft;

const toVersion = <Version>({ draft, version, created_at, channel, edit, legs }: VersionColumns): Version =>
  ({
    draftId: draft,
    version: Number(version),
    createdAt: Number(created_at),
    channel,
    ...(edit === null ? {} : { edit: JSON.parse(edit) }),
    legs: JSON.parse(legs),
  }) as Version;
