/** Reads facts from the database file for the doctor. */
import { statSync } from 'node:fs';
import { migrationsFor } from '../migrations.ts';
import { openDatabase } from './binding.ts';

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
