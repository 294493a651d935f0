/** Chooses the SQLite to use. The package has a current one; Node's own is used when it is recent enough. */

import { statSync } from 'node:fs';
import { storeUnavailable } from '../engine.ts';
import { migrationsFor } from '../migrations.ts';

export interface Statement {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): { readonly changes: number | bigint };
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Binding {
  readonly DatabaseSync: new (path: string) => Database;
}

/** Older versions can corrupt a WAL database when two processes checkpoint at once. */
const oldest = [3, 51, 3] as const;

/** Opens a database file. Throws `store_unavailable` when no usable SQLite is found. */
export async function openDatabase(path: string): Promise<Database> {
  const { found, reasons } = await findBinding();
  if (found) return new found.binding.DatabaseSync(path);
  throw storeUnavailable('no_sqlite', describeFailures(reasons), { next: howToGetOne });
}

/** Desktop hosts often start the server with their own Node, which on macOS does not load binaries of other vendors. */
const howToGetOne =
  'Install brokerage-mcp with its optional package @photostructure/sqlite, or run it with a newer Node 22 or 24; in a desktop host that uses its own Node, switch to the Node of this machine.';

const describeFailures = (reasons: readonly string[]): string =>
  reasons.length > 0 ? reasons.join('; ') : 'no SQLite is installed';

/** The SQLite in use and its source, or `why` there is none. */
export async function describeBinding(): Promise<{ readonly from?: string; readonly version?: string; why?: string }> {
  const { found, reasons } = await findBinding();
  if (found) return { from: found.from, version: found.version };
  return { why: describeFailures(reasons) };
}

async function findBinding() {
  const reasons: string[] = [];
  for (const [from, load] of Object.entries({ '@photostructure/sqlite': fromPackage, 'node:sqlite': fromNode })) {
    const binding = await load().catch((error: unknown) => {
      if (!isAbsent(error, from)) reasons.push(`${from} is installed but cannot be loaded`);
    });
    if (!binding) continue;
    const version = getVersion(binding);
    if (isNewEnough(version)) return { found: { binding, from, version }, reasons };
    reasons.push(`SQLite ${version} of ${from} is older than ${oldest.join('.')}`);
  }
  return { found: undefined, reasons };
}

/** Whether the module is missing, as opposed to installed but broken. */
const isAbsent = (error: unknown, name: string): boolean => {
  const { code, message } = error as NodeJS.ErrnoException;
  return ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_UNKNOWN_BUILTIN_MODULE'].includes(code ?? '')
    ? message.includes(name)
    : false;
};

const fromPackage = async (): Promise<Binding> => (await import('@photostructure/sqlite')) as unknown as Binding;

/** Imported by a variable, because bundlers and older Node versions do not know the module. */
const fromNode = async (): Promise<Binding> => {
  const name = 'node:sqlite';
  return (await import(name)) as Binding;
};

function getVersion(binding: Binding): string {
  const memory = new binding.DatabaseSync(':memory:');
  const [row] = memory.prepare('SELECT sqlite_version() AS version').all() as { version: string }[];
  memory.close();
  return row?.version ?? '0';
}

export function isNewEnough(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

// Reads facts from the database file for the doctor.

export interface FileInfo {
  /** The version of its tables, and the newest that this program knows. */
  readonly schema: number;
  readonly newestSchema: number;
  /** `wal` in a store that this program created. */
  readonly journalMode: string;
  readonly bytes: number;
  /** The first damage found; undefined when there is none, or when the file is too large to check. */
  readonly damage: string | undefined;
  readonly isChecked: boolean;
}

/** Reading a page takes a few microseconds and blocks the process, so larger files are not checked. */
const maxBytes = 64 * 1024 * 1024;

/** Reads the facts of the file at `path`. Throws when the file cannot be opened as a database. */
export async function inspectFile(path: string): Promise<FileInfo> {
  const db = await openDatabase(path);
  try {
    const first = (sql: string) => Object.values((db.prepare(sql).all()[0] ?? {}) as object)[0];
    const { size: bytes } = statSync(path);
    const isChecked = bytes <= maxBytes;
    const said = isChecked ? String(first('PRAGMA quick_check(1)')) : 'ok';
    return {
      schema: Number(first('PRAGMA user_version')),
      newestSchema: migrationsFor('sqlite').length,
      journalMode: String(first('PRAGMA journal_mode')),
      bytes,
      damage: said === 'ok' ? undefined : said,
      isChecked,
    };
  } finally {
    db.close();
  }
}
