import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { BrokerageError, type StoreFault } from '../../core/errors.ts';
import { orElse } from '../../core/log.ts';
import { describeStoreChange, findStoreChange, storeChangeStep } from '../../core/orders/halt/store-change.ts';
import { inspectFile } from '../../core/store/sqlite/binding.ts';
import { describeLocation, type StoreLocation, storeFile } from '../../core/store/store-location.ts';
import { countOf } from '../../core/text/count-of.ts';
import { type DoctorContext, type Finding, fault, note, ok, warning } from './context.ts';

/** Checks that the store can be written durably and read, with a record that is removed again. */
export async function checkStore(context: DoctorContext): Promise<readonly Finding[]> {
  const { journal } = context.parts();
  const name = `doctor ${randomUUID()}`;
  try {
    await journal.change((tx) => tx.set(name, 'written'));
    const read = await journal.read((tx) => tx.get(name));
    await journal.change((tx) => tx.set(name, undefined));
    if (read !== 'written')
      return [fault('The store does not return the record that was written.', fixFor('damaged', context))];
  } catch (error) {
    const why = (error as Error).message.replace(/[^.]$/, '$&.');
    const known = error instanceof BrokerageError ? error.cause?.store : undefined;
    return [fault(`${why} Orders are refused, and nothing is shared between servers.`, fixFor(known, context))];
  }
  const written = ok(`Written, read and removed a record in ${describeLocation(context.place)}.`);
  const { environment, witness } = context.parts().settings;
  const change = await journal.read((tx) => findStoreChange(tx, witness)).catch(orElse('doctor', undefined));
  if (!change) return [written];
  const says = `${describeStoreChange(change)}${environment === 'live' ? ' Live orders are refused.' : ''}`;
  return [environment === 'live' ? fault(says, storeChangeStep) : warning(says, storeChangeStep)];
}

const fixFor = (known: StoreFault | undefined, context: DoctorContext): string =>
  'stateUrl' in context.place
    ? fixForSharedStore(known, describeLocation(context.place))
    : fixForStateDir(known, context);

function fixForSharedStore(known: StoreFault | undefined, name: string): string {
  const start = `Start PostgreSQL, or correct its host and port in BROKER_STATE_URL; try: psql '${name}' -c 'select 1'`;
  const fixes: Partial<Record<StoreFault, string>> = {
    unreachable: start,
    no_answer: start,
    shut_down: start,
    access_denied: 'Correct the user and the password in BROKER_STATE_URL (or in its file).',
    no_database: `Create the database: createdb '${new URL(name).pathname.slice(1)}' on that server, or choose another one in BROKER_STATE_URL.`,
    no_permission: 'As an administrator of the database: GRANT CREATE ON DATABASE … TO the user of BROKER_STATE_URL.',
    standby: 'Set BROKER_STATE_URL to the primary server.',
    fsync_off: 'As an administrator: ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();',
    certificate: 'Add the CA of its certificate: sslrootcert=FILE in BROKER_STATE_URL.',
    newer_version: 'Update brokerage-mcp on this machine; older versions cannot use this store.',
  };
  return (known && fixes[known]) ?? `Check the log of the PostgreSQL server of ${name}.`;
}

function fixForStateDir(known: StoreFault | undefined, { stateDir, terminal }: DoctorContext): string {
  const file = storeFile(stateDir);
  const own = `Take ownership of the folder: sudo chown -R ${terminal.machine.uid ?? 'YOU'} '${stateDir}' && chmod -R u+rwX '${stateDir}', or choose another one with BROKER_STATE_DIR.`;
  const fixes: Partial<Record<StoreFault, string>> = {
    disk_full: `Free some space on its disk: df -h '${stateDir}'`,
    held: `Find the program that locks it and stop it: fuser -v '${file}'`,
    newer_version:
      'Update brokerage-mcp, and the host’s configuration if it names another copy; older versions cannot read this store.',
    damaged: `Check the broker’s application for open orders, stop every server, then move the file away: mv '${file}' '${file}.damaged' && rm -f '${file}-wal' '${file}-shm' (the history is read again; live needs enroll again).`,
    no_folder: `Choose another folder with BROKER_STATE_DIR: part of the path ${file} has the wrong type, or its disk is read-only.`,
    no_sqlite: 'Fix the SQLite problem reported by "program".',
    not_writable: own,
    read_only_disk: `Choose a folder on a disk that can be written with BROKER_STATE_DIR, or mount this one for writing; see its options: findmnt -T '${stateDir}'`,
    folder_unusable: own,
  };
  return (known && fixes[known]) ?? `Check the disk of ${stateDir}, or choose another folder with BROKER_STATE_DIR.`;
}

/** Checks the file of the store, its tables and its rows. */
export async function checkStoreFile(context: DoctorContext): Promise<readonly Finding[]> {
  const { place } = context;
  const file =
    'stateUrl' in place
      ? [ok(`The store is not a file of this machine: ${describeLocation(place)}.`)]
      : await checkFile(storeFile(place.stateDir));
  if (file.some(({ level }) => level !== 'ok')) return file;
  const content = await checkStoreContent(context).catch(orElse('doctor', [unopened]));
  return content.some(({ level }) => level !== 'ok') ? content : [...file, ...content];
}

const unopened = note('Not checked: the store cannot be opened.', 'Fix the problem reported by "store".');

/** Checks the SQLite file: its journal and its pages. */
async function checkFile(path: string): Promise<readonly Finding[]> {
  if (!existsSync(path)) return [unopened];
  // A file that is no database, or that cannot be opened, is reported by the check “store”.
  const facts = await inspectFile(path).catch(() => undefined);
  if (!facts) return [unopened];
  // Opening the store migrates the tables; the check "store" already reports a store of a newer program.
  if (facts.schema !== facts.newestSchema) return [unopened];
  const { schema, journalMode, bytes, damage, isChecked } = facts;
  const found: Finding[] = [];
  if (damage !== undefined)
    found.push(
      fault(
        `${path} is damaged (${damage.split('\n')[0]}).`,
        `Stop every server, then recover what is readable: sqlite3 '${path}' .recover | sqlite3 '${path}.new' and replace the file with the result; check the broker’s application for open orders first.`,
      ),
    );
  if (journalMode !== 'wal')
    found.push(
      warning(
        `${path} does not use a write-ahead log (${journalMode}): servers block each other.`,
        'Move the state folder to a local disk, and start a server again.',
      ),
    );
  if (found.length > 0) return found;
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return [
    ok(
      `Tables of version ${schema}, write-ahead log, ${size}${isChecked ? ', all pages intact' : '; too large to check every page'}.`,
    ),
  ];
}

/** Checks that every table is complete, and that a sample of the rows of each can be read. Throws when the store cannot be read. */
export async function checkStoreContent({ parts, place }: DoctorContext): Promise<readonly Finding[]> {
  const { missing, unreadable, read } = await parts().inspectStore();
  const found: Finding[] = [];
  if (missing.length > 0)
    found.push(
      fault(`The store lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}.`, restore(place)),
    );
  if (unreadable.length > 0) {
    const rows = unreadable.map(({ table, rows, of }) => `${rows} of the ${of} rows of ${table} that were read`);
    found.push(fault(`The store has rows that cannot be read: ${rows.join(', ')}.`, restore(place)));
  }
  return found.length > 0 ? found : [ok(`All tables are complete, and ${countOf(read, 'row')} of them can be read.`)];
}

const restore = (place: StoreLocation): string => {
  const copy =
    'stateDir' in place
      ? `cp '${storeFile(place.stateDir)}' '${storeFile(place.stateDir)}.evidence'`
      : `pg_dump '${describeLocation(place)}' > evidence.sql`;
  return `Stop every server, keep a copy (${copy}), check the broker’s application for open orders, put a backup in place, and run brokerage-mcp halt restored before a server starts.`;
};
