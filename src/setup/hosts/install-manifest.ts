/** Records what init created in which file, so that remove undoes only that. Stored beside config.json. */
import { join } from 'node:path';
import type { InsertionRecord } from './edit-config.ts';
import { readHostFile, removeHostFile, replaceHostFile } from './files.ts';

export interface FileRecord extends InsertionRecord {
  readonly madeFile: boolean;
  /** The first parent folder that was created for the file. */
  readonly folder?: string | undefined;
}

export type InstallManifest = Readonly<Record<string, FileRecord>>;

const fileIn = (configDir: string) => join(configDir, 'hosts.json');

/**
 * Returns the records by the path of the host's file. An unreadable record is ignored; removal then leaves more in
 * place.
 */
export function readRecords(configDir: string): InstallManifest {
  try {
    const parsed: unknown = JSON.parse(readHostFile(fileIn(configDir)).text);
    return Object.fromEntries(Object.entries(parsed ?? {}).filter(([, one]) => isRecord(one)));
  } catch {
    // There is no record, or it was damaged: then remove deletes only the entry.
    return {};
  }
}

/** Runs after the change is done, so it never throws. */
export function writeRecords(configDir: string, records: InstallManifest): void {
  try {
    const file = readHostFile(fileIn(configDir));
    const text = `${JSON.stringify(records, null, 2)}\n`;
    if (Object.keys(records).length > 0) {
      if (text !== file.text) replaceHostFile(file, text, undefined);
    } else if (file.bytes) removeHostFile(file, undefined);
  } catch {
    // Without a record, remove deletes the entry and leaves what was created around it.
  }
}

const isRecord = (one: Partial<FileRecord> | null): one is FileRecord =>
  typeof one?.made === 'number' &&
  typeof one.madeFile === 'boolean' &&
  ['string', 'undefined'].includes(typeof one.gap) &&
  ['string', 'undefined'].includes(typeof one.folder);
