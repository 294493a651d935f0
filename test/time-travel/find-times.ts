/** Every stored time of a store: numbers and texts that are times by their name or their range, in rows and the JSON in them. */
import { DatabaseSync } from '@photostructure/sqlite';

export type Row = Readonly<Record<string, unknown>>;
export type Tables = Readonly<Record<string, readonly Row[]>>;

/** One stored time. */
export interface StoredTime {
  /** Table, column and path, without what belongs to one row: `records limit: slots[].takenAt`. */
  readonly name: string;
  readonly table: string;
  readonly row: Row;
  readonly column: string;
  /** The path in the JSON of the column; undefined where the column itself is the time. */
  readonly path: readonly (string | number)[] | undefined;
  readonly value: number | string;
}

/** Columns of JSON. Those that only repeat what the service said, or that a hash protects, are in `foreignColumns`. */
const jsonColumns: Readonly<Record<string, readonly string[]>> = {
  records: ['value'],
  intents: ['data'],
  snapshots: ['data'],
  submissions: ['data'],
  submission_legs: ['data'],
  draft_versions: ['legs', 'edit'],
  watches: ['data'],
  watch_sights: ['data'],
  watch_events: ['data'],
};

/** Columns without times of this program, with the reason. */
const foreignColumns: Readonly<Record<string, readonly string[]>> = {
  // Each row is what the service sent; its dates are the service's.
  history: ['data'],
  // A link of the hash chain: any change of it is found as one (test/core/store).
  audit: ['data', 'at'],
};

/** Times that are one and the same value, written into a column and into the JSON of the row. */
const columnsOf: Readonly<Record<string, string>> = { createdAt: 'created_at', sentAt: 'sent_at' };

const isTimeName = (name: string): boolean => /(At|Until|By|_at)$|^(at|until|since)$/.test(name);
const inRange = (value: number): boolean => value > Date.UTC(2001, 0) && value < Date.UTC(2100, 0);
const isDate = (value: string): boolean => /^\d{4}-\d{2}-\d{2}([T ][\d:.]+Z?)?$/.test(value);

const isTime = (name: string, value: unknown): value is number | string =>
  typeof value === 'number' ? inRange(value) || isTimeName(name) : typeof value === 'string' && isDate(value);

/** The times of all rows. */
export const findTimes = (tables: Tables): StoredTime[] =>
  Object.entries(tables).flatMap(([table, rows]) => rows.flatMap((row) => timesOfRow(table, row)));

const timesOfRow = (table: string, row: Row): StoredTime[] =>
  Object.entries(row).flatMap(([column, value]): StoredTime[] => {
    if (foreignColumns[table]?.includes(column) || value === null) return [];
    const place = { table, row, column };
    if (!jsonColumns[table]?.includes(column)) {
      const number = typeof value === 'bigint' ? Number(value) : value;
      // The column repeats a time of the JSON, and is written with it.
      if (Object.values(columnsOf).includes(column) && jsonColumns[table]?.includes('data')) return [];
      return isTime(column, number) ? [{ ...place, name: `${table}.${column}`, path: undefined, value: number }] : [];
    }
    return timesIn(JSON.parse(String(value))).map(({ path, value }) => ({
      ...place,
      name: `${nameRow(table, row)}: ${namePath(table, row, path)}`,
      path,
      value,
    }));
  });

interface Found {
  readonly path: readonly (string | number)[];
  readonly value: number | string;
}

/** Each store of each test is searched, so a path is only made for what is found. */
function timesIn(root: unknown): Found[] {
  const found: Found[] = [];
  const path: (string | number)[] = [];
  const visit = (value: unknown, name: string): void => {
    if (value === null || typeof value !== 'object') {
      if (isTime(name, value)) found.push({ path: [...path], value });
      return;
    }
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      path.push(isList ? Number(key) : key);
      visit((value as Record<string, unknown>)[key], isList ? name : key);
      path.pop();
    }
  };
  visit(root, '');
  return found;
}

/** What is open has times that count; what has ended keeps them as a record. */
const openStates = ['AWAITING_APPROVAL', 'APPROVED', 'SENDING', 'UNKNOWN', 'NOT_SENT', 'awaiting_approval', 'sending'];

/** `records limit`, `records desk turn *`, `intents SENDING`: what the row is, without the account. */
const nameRow = (table: string, { space, name, state }: Row): string => {
  if (table === 'intents' || table === 'submissions')
    return `${table} ${openStates.includes(String(state)) ? state : 'ended'}`;
  if (table !== 'records') return table;
  if (space === 'lease') return `records lease ${String(name).split(' ')[0]}`;
  const general = String(name).replace(/\[.*\]|[0-9a-f]{16,}/g, '*');
  return `records ${space}${space === 'desk' ? ` ${general}` : ''}`;
};

const namePath = (table: string, { space }: Row, path: Found['path']): string =>
  path
    .map((step) =>
      typeof step === 'number' ? '[]' : table === 'records' && space === 'read-index' ? '.*' : `.${step}`,
    )
    .join('')
    .replace(/^\./, '');

/** The rows of a file of SQLite; of tables without JSON of this program, whose rows have the same columns, at most `most`. */
export function readTables(path: string, most = -1): Tables {
  const db = new DatabaseSync(path);
  try {
    const names = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all() as { name: string }[];
    return Object.fromEntries(
      names.map(({ name }) => [
        name,
        db.prepare(`SELECT * FROM ${name} LIMIT ?`).all(name in jsonColumns ? -1 : most) as Row[],
      ]),
    );
  } finally {
    db.close();
  }
}

const keys: Readonly<Record<string, readonly string[]>> = {
  records: ['space', 'name'],
  history: ['account', 'kind', 'source', 'row_key'],
  snapshots: ['account', 'day'],
  draft_versions: ['draft', 'version'],
  submission_legs: ['submission', 'leg'],
};

/** Writes another value for one time, where it stands and in the column that repeats it. */
export function setTime(path: string, { table, row, column, path: steps, value }: StoredTime, to: number): void {
  const written = typeof value === 'string' ? toText(to, value) : to;
  const [last] = steps?.slice(-1) ?? [];
  const repeated = steps?.length === 1 ? columnsOf[String(last)] : undefined;
  const changes: Record<string, unknown> = {
    [column]: steps ? JSON.stringify(withValue(JSON.parse(String(row[column])), steps, written)) : written,
    ...(repeated !== undefined && repeated in row ? { [repeated]: written } : {}),
  };
  const key = keys[table] ?? ['id'];
  const db = new DatabaseSync(path);
  try {
    const names = Object.keys(changes);
    db.prepare(
      `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${key.map((name) => `${name} = ?`).join(' AND ')}`,
    ).run(...(Object.values(changes) as never[]), ...key.map((name) => row[name] as never));
  } finally {
    db.close();
  }
}

/** A time as a text of the same form. */
const toText = (at: number, like: string): string => new Date(at).toISOString().slice(0, like.length);

function withValue(value: unknown, [step, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (step === undefined) return to;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[step] = withValue(copy[step], rest, to);
  return copy;
}
