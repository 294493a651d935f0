/**
 * SQLite in one file of the state folder. Write transactions are immediate and short. When another process holds
 * the file, the wait is asynchronous, so that this process stays responsive.
 */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { StoreFault } from '../../errors.ts';
import { orElse } from '../../log.ts';
import { type Engine, newerSchemaError, type SqlValue, type Statements, storeUnavailable } from '../engine.ts';
import { migrationsFor } from '../migrations.ts';
import { type Database, openDatabase, type Statement } from './binding.ts';

const migrations = migrationsFor('sqlite');

/** How long SQLite itself waits, which blocks this process; enough for a typical, very short collision. */
const blockingWaitMs = 20;
const maxWaitMs = 5_000;
const transactionsInARow = 4;
const letOthersRun = () => new Promise<void>((resolve) => setImmediate(resolve));
const busy = 5;
const locked = 6;

export interface SqliteOptions {
  readonly path: string;
  /** Real time, even when other clocks are controlled by a test, because it waits for other processes. */
  readonly clock: Clock;
  readonly random: () => number;
}

export function createSqliteEngine(options: SqliteOptions): Engine {
  let opened: Promise<Database> | undefined;
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();
  let begun = 0;
  const prepared = new Map<string, Statement>();

  /** A connection runs one transaction at a time, so callers in this process take turns. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work, work);
    // The caller has the error.
    const done = mine.catch(() => undefined);
    // SQLite is synchronous: without a pause, a queue of transactions would block the process.
    turn = ++begun % transactionsInARow === 0 ? done.then(letOthersRun) : done;
    return mine;
  };

  const database = (): Promise<Database> => {
    // A late use must not open the file again, which nothing would close.
    if (isClosed) throw storeUnavailable('ending', 'this process is ending');
    opened ??= open(options).catch((error: unknown) => {
      // The next use tries again, because space may have been freed by then.
      opened = undefined;
      throw error;
    });
    return opened;
  };

  const createStatements = (db: Database): Statements => {
    const statement = (sql: string): Statement => {
      let ready = prepared.get(sql);
      if (!ready) {
        ready = db.prepare(sql);
        prepared.set(sql, ready);
      }
      return ready;
    };
    return {
      all: async <Row>(sql: string, ...values: SqlValue[]) => statement(sql).all(...values) as Row[],
      run: async (sql, ...values) => Number(statement(sql).run(...values).changes),
    };
  };

  const transaction = async <Result>(begin: string, work: (db: Statements) => Promise<Result>): Promise<Result> => {
    const db = await database();
    await retryWhileBusy(options, () => db.exec(begin)).catch((error: unknown) => {
      throw toStoreError(error);
    });
    try {
      const result = await work(createStatements(db));
      await retryWhileBusy(options, () => db.exec('COMMIT'));
      return result;
    } catch (error) {
      try {
        db.exec('ROLLBACK');
      } catch {
        // SQLite has already rolled back.
      }
      throw toStoreError(error);
    }
  };

  return {
    write: (work) => inTurn(() => transaction('BEGIN IMMEDIATE', work)),
    read: (work) => inTurn(() => transaction('BEGIN', work)),
    close: () =>
      inTurn(async () => {
        isClosed = true;
        const db = await opened?.catch(orElse('the store', undefined));
        opened = undefined;
        prepared.clear();
        try {
          // A clean end moves everything into the one file; a transaction of another process can prevent it.
          db?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        } catch {
          // Changes that stay in the log are just as safe.
        }
        db?.close();
      }),
  };
}

async function open(options: SqliteOptions): Promise<Database> {
  try {
    makePrivate(options.path);
    const db = await openDatabase(options.path);
    try {
      db.exec(`PRAGMA busy_timeout = ${blockingWaitMs}`);
      await retryWhileBusy(options, () => db.exec('PRAGMA journal_mode = WAL'));
      // WAL alone survives a crash of the program; an order must survive a crash of the machine.
      db.exec('PRAGMA synchronous = FULL');
      // Without this, macOS reports a write as done before it is on disk. Other systems ignore it.
      db.exec('PRAGMA fullfsync = ON');
      db.exec('PRAGMA checkpoint_fullfsync = ON');
      db.exec('PRAGMA foreign_keys = ON');
      await migrate(db, options);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Restricts the folder and the file to their owner; SQLite gives its side files the mode of the file. */
function makePrivate(path: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  restrictPermissions(folder, 0o700);
  closeSync(openSync(path, 'a', 0o600));
  restrictPermissions(path, 0o600);
}

function restrictPermissions(path: string, mode: number): void {
  const { mode: before } = statSync(path);
  // A shared folder such as /tmp must not be restricted.
  if ((before & 0o1000) === 0 && (before & 0o777 & ~mode) !== 0) chmodSync(path, mode);
}

async function migrate(db: Database, options: SqliteOptions): Promise<void> {
  const versionNow = () =>
    (db.prepare('PRAGMA user_version').all() as { user_version: number }[])[0]?.user_version ?? 0;
  if (versionNow() === migrations.length) return;
  await retryWhileBusy(options, () => db.exec('BEGIN IMMEDIATE'));
  try {
    // Read again under the lock, because another process may have migrated first.
    const from = versionNow();
    if (from > migrations.length) throw newerSchemaError('local');
    for (const statements of migrations.slice(from)) for (const sql of statements) db.exec(sql);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** Repeats the attempt while another process holds the file, for a bounded time. */
async function retryWhileBusy(options: SqliteOptions, attempt: () => void): Promise<void> {
  const until = options.clock.now() + maxWaitMs;
  for (let round = 1; ; round++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || options.clock.now() > until) throw error;
      await options.clock.sleep(Math.min(2 * round, 25) * (0.5 + options.random()));
    }
  }
}

const getErrorCode = (error: unknown): number | undefined => {
  const { errcode, sqliteCode } = (error ?? {}) as { errcode?: unknown; sqliteCode?: unknown };
  const code = errcode ?? sqliteCode;
  // The upper bits are a subcode.
  return typeof code === 'number' ? code & 0xff : undefined;
};

const isBusy = (error: unknown) => [busy, locked].includes(getErrorCode(error) ?? 0);

/** The fault code, and its description. */
type Reason = readonly [fault: StoreFault, words: string];

const notWritable: Reason = ['not_writable', 'it is not writable'];
const diskFull: Reason = ['disk_full', 'the disk is full'];
const held: Reason = ['held', 'another program has locked it for too long'];

/** Reasons by SQLite's error code. */
const reasons: Readonly<Record<number, Reason>> = {
  5: held,
  6: held,
  8: notWritable,
  10: ['disk_trouble', 'reading or writing the disk failed'],
  11: ['damaged', 'its file is damaged'],
  13: diskFull,
  14: ['folder_unusable', 'its file cannot be opened'],
  26: ['damaged', 'its file is not a database'],
};

/** Reasons by the file system's error code. */
const fileReasons: Readonly<Record<string, Reason>> = {
  ENOSPC: diskFull,
  EACCES: notWritable,
  EROFS: ['read_only_disk', 'its disk is read-only'],
};
/**
 * The path contains something that is not a folder. On a read-only disk, Node reports ENOENT for a folder that
 * cannot be created.
 */
const wrongKind = ['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR'];
const otherErrorCodes = ['EPERM', 'EMFILE', 'EIO', 'EDQUOT'];

/** Converts an error of the file to `store_unavailable`; an SQL error is a bug and stays unchanged. */
function toStoreError(error: unknown): unknown {
  const code = getErrorCode(error);
  const reason = code === undefined ? getFileError(error) : reasons[code];
  return reason === undefined ? error : storeUnavailable(...reason);
}

function getFileError(error: unknown): Reason | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined) return undefined;
  if (wrongKind.includes(code)) return ['no_folder', `its folder cannot be used (${code})`];
  if (otherErrorCodes.includes(code)) return ['folder_unusable', `its folder cannot be used (${code})`];
  return Object.hasOwn(fileReasons, code) ? fileReasons[code] : undefined;
}
