/** Checks the tables of the store, and reads a sample of their rows, for the doctor. */
import { isJson } from '../text/json.ts';
import type { Engine, Statements } from './engine.ts';
import { getSchema } from './migrations.ts';
import { schema as postgresSchema } from './postgres/postgres-connection.ts';

export interface ContentReport {
  /** Tables, columns (`table.column`), indexes and triggers that should exist. */
  readonly missing: readonly string[];
  /** Tables with rows that are not valid JSON, among the rows that were read. */
  readonly unreadable: readonly { readonly table: string; readonly rows: number; readonly of: number }[];
  /** How many rows were read. */
  readonly read: number;
}

/** How many rows of each table are read, and the longest text: the check takes less than a second. */
const maxRows = 500;
const maxLength = 1_000_000;

/**
 * Where the rows of each table have JSON, and which are read first: the newest, and of the records the small ones, which
 * decide about orders; large ones are caches.
 */
const samples = [
  { table: 'records', column: 'value', first: 'length(value)' },
  { table: 'intents', column: 'data', first: 'created_at DESC' },
  { table: 'submissions', column: 'data', first: 'created_at DESC' },
  {
    table: 'submission_legs',
    column: 'data',
    first: '(SELECT s.created_at FROM submissions s WHERE s.id = submission_legs.submission) DESC',
  },
  { table: 'draft_versions', column: 'legs', first: 'created_at DESC' },
  { table: 'oauth_clients', column: 'redirects', first: 'created_at DESC' },
  { table: 'audit', column: 'data', first: 'seq DESC' },
  { table: 'history', column: 'data', first: 'at DESC' },
  { table: 'snapshots', column: 'data', first: 'day DESC' },
  { table: 'watches', column: 'data', first: 'created_at DESC' },
  { table: 'watch_sights', column: 'data', first: 'length(data)' },
  { table: 'watch_events', column: 'data', first: 'found_at DESC' },
] as const;

type Dialect = Parameters<typeof getSchema>[0];

/** Compares the tables with the migrations, and reads a sample of rows. Throws `store_unavailable`. */
export const inspectContent = (engine: Engine, dialect: Dialect): Promise<ContentReport> =>
  engine.read(async (db) => {
    const missing = await findMissing(db, dialect);
    const unreadable: { table: string; rows: number; of: number }[] = [];
    let read = 0;
    for (const { table, column, first } of samples) {
      const needed = [table, `${table}.${column}`, ...(table === 'submission_legs' ? ['submissions'] : [])];
      if (needed.some((name) => missing.includes(name))) continue;
      const found = await db.all<{ text: string }>(
        `SELECT ${column} AS text FROM ${table} WHERE length(${column}) <= ${maxLength} ORDER BY ${first} LIMIT ${maxRows}`,
      );
      const rows = found.filter(({ text }) => !isJson(text)).length;
      read += found.length;
      if (rows > 0) unreadable.push({ table, rows, of: found.length });
    }
    return { missing, unreadable, read };
  });

const catalogues: Record<Dialect, { readonly columns: string; readonly others: string }> = {
  sqlite: {
    columns: `SELECT m.name AS owner, p.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) p
      WHERE m.type = 'table'`,
    others: `SELECT name FROM sqlite_master WHERE type IN ('index', 'trigger')`,
  },
  postgres: {
    columns: `SELECT c.relname AS owner, a.attname AS name FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE n.nspname = '${postgresSchema}' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
    others: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '${postgresSchema}' AND c.relkind = 'i'
      UNION ALL SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '${postgresSchema}' AND NOT t.tgisinternal`,
  },
};

async function findMissing(db: Statements, dialect: Dialect): Promise<readonly string[]> {
  const { tables, others } = getSchema(dialect);
  const columns = await db.all<{ owner: string; name: string }>(catalogues[dialect].columns);
  const names = await db.all<{ name: string }>(catalogues[dialect].others);
  const present = new Set([
    ...columns.flatMap(({ owner, name }) => [owner, `${owner}.${name}`]),
    ...names.map(({ name }) => name),
  ]);
  const wanted = [...tables].flatMap(([table, own]) =>
    present.has(table) ? own.map((column) => `${table}.${column}`) : [table],
  );
  return [...wanted, ...others].filter((name) => !present.has(name));
}
