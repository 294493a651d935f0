/** Stores the mirrored history in the database. It implements the mirror's port (features/history/row-store.ts) by structure. */

import { randomUUID } from 'node:crypto';
import { type Engine, readRecord, type SqlValue, type Statements, writeRecord } from './engine.ts';

interface TableKey {
  readonly account: string;
  readonly kind: string;
}

interface Row {
  readonly key: string;
  readonly at: number;
  readonly ticker: string | undefined;
  readonly type: string | undefined;
  readonly isFinal: boolean;
  readonly segment: number;
  readonly data: string;
}

interface Filter {
  readonly spans: readonly { readonly source: string; readonly from: number; readonly to: number }[];
  readonly ticker?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly after?: { readonly at: number; readonly key: string } | undefined;
}

const mirrorNamespace = 'mirror';
/** Rows without a date are stored at or after this time (ms). */
const undated = 9_000_000_000_000_000;
/** A name of the rows as they are. A counter could reach the same number again after a backup is restored. */
const versionNamespace = 'mirror-rows';

/** `State` is the mirror's own state, stored as JSON. */
export function createHistoryTable<State>(engine: Engine) {
  return {
    change: <Result>(
      place: TableKey,
      work: (tx: ReturnType<typeof changing<State>>) => Promise<Result>,
    ): Promise<Result> => engine.write((db) => work(changing<State>(db, place))),
    read: <Result>(
      place: TableKey,
      work: (tx: ReturnType<typeof reading<State>>) => Promise<Result>,
    ): Promise<Result> => engine.read((db) => work(reading<State>(db, place))),
  };
}

function reading<State>(db: Statements, { account, kind }: TableKey) {
  return {
    state: async (): Promise<State | undefined> => {
      const text = await readRecord(db, mirrorNamespace, `${account} ${kind}`);
      return text === undefined ? undefined : (JSON.parse(text) as State);
    },
    rowsVersion: async (): Promise<string> => (await readRecord(db, versionNamespace, `${account} ${kind}`)) ?? '0',
    rows: (filter: Filter, most?: number) => {
      const { where, values } = buildConditions({ account, kind }, filter);
      return db.all<{ key: string; at: number; data: string }>(
        `SELECT row_key AS key, at, data FROM history WHERE ${where} ORDER BY at DESC, row_key DESC LIMIT ?`,
        ...values,
        most ?? Number.MAX_SAFE_INTEGER,
      );
    },
    count: async (filter: Filter): Promise<number> => {
      const { where, values } = buildConditions({ account, kind }, filter);
      const [row] = await db.all<{ count: number }>(`SELECT COUNT(*) AS count FROM history WHERE ${where}`, ...values);
      return Number(row?.count ?? 0);
    },
    types: async (): Promise<readonly string[]> => {
      const rows = await db.all<{ type: string }>(
        'SELECT DISTINCT type FROM history WHERE account = ? AND kind = ? AND type IS NOT NULL ORDER BY type',
        account,
        kind,
      );
      return rows.map(({ type }) => type);
    },
    bounds: async (filter: Filter) => {
      const { where, values } = buildConditions({ account, kind }, filter);
      const [row] = await db.all<{ oldest: number | null; newest: number | null }>(
        `SELECT MIN(at) AS oldest, MAX(at) AS newest FROM history WHERE ${where} AND at < ?`,
        ...values,
        undated,
      );
      if (row?.oldest == null || row.newest == null) return undefined;
      return { oldest: Number(row.oldest), newest: Number(row.newest) };
    },
    known: async (keys: readonly string[]) => {
      if (keys.length === 0) return [];
      const rows = await db.all<{ key: string; segment: number; data: string; is_final: number }>(
        `SELECT row_key AS key, stretch AS segment, data, is_final FROM history
         WHERE account = ? AND kind = ? AND source = 'pages' AND row_key IN (${keys.map(() => '?').join(', ')})`,
        account,
        kind,
        ...keys,
      );
      return rows.map(({ is_final, ...row }) => ({ ...row, isFinal: is_final === 1 }));
    },
    oldestOpen: async (since: number): Promise<number | undefined> => {
      const [row] = await db.all<{ at: number | null }>(
        'SELECT MIN(at) AS at FROM history WHERE account = ? AND kind = ? AND is_final = 0 AND at >= ?',
        account,
        kind,
        since,
      );
      return row?.at ?? undefined;
    },
  };
}

function changing<State>(db: Statements, place: TableKey) {
  const { account, kind } = place;
  const renameVersion = async () => {
    const name = `${account} ${kind}`;
    const before = await readRecord(db, versionNamespace, name);
    await writeRecord(db, versionNamespace, name, randomUUID(), before);
  };
  return {
    ...reading<State>(db, place),
    setState: async (state: State): Promise<void> => {
      const name = `${account} ${kind}`;
      await writeRecord(db, mirrorNamespace, name, state, await readRecord(db, mirrorNamespace, name));
    },
    put: async (source: string, rows: readonly Row[]): Promise<void> => {
      if (rows.length > 0) await renameVersion();
      for (const row of rows) {
        await db.run(
          `INSERT INTO history (account, kind, source, row_key, at, ticker, type, is_final, stretch, data)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (account, kind, source, row_key) DO UPDATE SET at = excluded.at, ticker = excluded.ticker,
             type = excluded.type, is_final = excluded.is_final, stretch = excluded.stretch, data = excluded.data`,
          ...[account, kind, source, row.key, row.at, row.ticker ?? null, row.type ?? null, row.isFinal ? 1 : 0],
          row.segment,
          row.data,
        );
      }
    },
    remove: async (source: string, keys?: readonly string[]): Promise<void> => {
      const every = 'DELETE FROM history WHERE account = ? AND kind = ? AND source = ?';
      let removed = keys ? 0 : await db.run(every, account, kind, source);
      for (const key of keys ?? []) removed += await db.run(`${every} AND row_key = ?`, account, kind, source, key);
      if (removed > 0) await renameVersion();
    },
    moveSegment: async (from: number, to: number): Promise<void> => {
      await db.run(
        'UPDATE history SET stretch = ? WHERE account = ? AND kind = ? AND stretch = ?',
        to,
        account,
        kind,
        from,
      );
    },
  };
}

function buildConditions({ account, kind }: TableKey, { spans, ticker, types, after }: Filter) {
  const conditions = ['account = ?', 'kind = ?'];
  const values: SqlValue[] = [account, kind];
  const parts = spans.map(({ source, from, to }) => {
    values.push(source, bounded(from), bounded(to));
    return '(source = ? AND at >= ? AND at < ?)';
  });
  conditions.push(`(${parts.join(' OR ') || '1 = 0'})`);
  if (ticker !== undefined) {
    conditions.push('ticker = ?');
    values.push(ticker);
  }
  if (types) {
    conditions.push(types.length > 0 ? `type IN (${types.map(() => '?').join(', ')})` : '1 = 0');
    values.push(...types);
  }
  if (after) {
    conditions.push('(at < ? OR (at = ? AND row_key < ?))');
    values.push(after.at, after.at, after.key);
  }
  return { where: conditions.join(' AND '), values };
}

/** Limits a time to the integers that a column can store. */
const bounded = (at: number): number => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, at));

// Stores the account's value, one row per day; the last value of a day is kept.

export function createDailyValues<Snapshot extends { readonly day: string }>(engine: Engine) {
  return {
    /** Stores the value of a day and replaces an earlier one. */
    keep: (account: string, snapshot: Snapshot): Promise<void> =>
      engine.write(async (db) => {
        await db.run(
          `INSERT INTO snapshots (account, day, data) VALUES (?, ?, ?)
           ON CONFLICT (account, day) DO UPDATE SET data = excluded.data`,
          account,
          snapshot.day,
          JSON.stringify(snapshot),
        );
      }),
    /** Oldest first. */
    list: (account: string): Promise<readonly Snapshot[]> =>
      engine.read(async (db) => {
        const rows = await db.all<{ data: string }>(
          'SELECT data FROM snapshots WHERE account = ? ORDER BY day',
          account,
        );
        return rows.map(({ data }) => JSON.parse(data) as Snapshot);
      }),
  };
}
