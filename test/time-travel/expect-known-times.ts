/** Fails a test whose store has a time that known-times.ts does not list, in whatever state its row is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findTimes, readTables } from './find-times.ts';
import { knownTimes, otherTimes } from './known-times.ts';

const withoutState = (name: string): string => name.replace(/^(intents|submissions) \w+/, '$1');
/** Of a table without JSON, some rows show the times of all. */
const rowsOfPlainTable = 20;
const known = new Set([...Object.keys(knownTimes), ...Object.keys(otherTimes)].map(withoutState));

export function expectKnownTimes(stateDir: string): void {
  const path = join(stateDir, 'store.sqlite');
  if (!existsSync(path)) return;
  const unknown = new Set(
    findTimes(readTables(path, rowsOfPlainTable))
      .map(({ name }) => withoutState(name))
      .filter((name) => !known.has(name)),
  );
  if (unknown.size > 0)
    throw new Error(
      `The store has times that test/time-travel/known-times.ts does not list: ${[...unknown].join(', ')}. Add each with what a wrong value may change.`,
    );
}
