import { existsSync } from 'node:fs';
import { orElse } from '../../core/log.ts';
import { inspectFile } from '../../core/store/sqlite/inspect-file.ts';
import { describeLocation, storeFile } from '../../core/store/store-location.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, note, ok, warning } from './finding.ts';
import { checkStoreContent } from './store-content.ts';

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
