import { existsSync } from 'node:fs';
import { inspectFile } from '../store/sqlite/inspect-file.ts';
import { describeLocation, storeFile } from '../store/store-location.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, note, ok, warning } from './finding.ts';

/** The one check that knows that the store is a file of SQLite: its tables, its journal, its pages. */
export async function checkStoreFile({ stateDir, place }: DoctorContext): Promise<readonly Finding[]> {
  if ('stateUrl' in place) return [ok(`The store is not a file of this machine: ${describeLocation(place)}.`)];
  const path = storeFile(stateDir);
  const unopened = note('Not looked at: the store cannot be opened.', 'Mend what "store" tells.');
  if (!existsSync(path)) return [unopened];
  const facts = await inspectFile(path).catch(() => undefined);
  if (!facts) return [unopened];
  // Opening the store brings the tables up to date; what is newer than this program "store" has told.
  if (facts.schema !== facts.newestSchema) return [unopened];
  const { schema, journalMode, bytes, damage, isChecked } = facts;
  const found: Finding[] = [];
  if (damage !== undefined)
    found.push(
      fault(
        `${path} is damaged (${damage.split('\n')[0]}).`,
        `End every server, then keep what can be read: sqlite3 '${path}' .recover | sqlite3 '${path}.new' and put that in its place; look into the broker’s application for open orders first.`,
      ),
    );
  if (journalMode !== 'wal')
    found.push(
      warning(
        `${path} does not keep a write-ahead log (${journalMode}): servers stand in each other’s way.`,
        'Put the state folder on a disk of this machine, and start a server again.',
      ),
    );
  if (found.length > 0) return found;
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return [
    ok(
      `Tables of version ${schema}, write-ahead log, ${size}${isChecked ? ', every page whole' : '; too large to look through every page'}.`,
    ),
  ];
}
