/** What init made in which file, so that remove takes back that and no more. Kept beside config.json. */
import { join } from 'node:path';
import type { InsertionRecord } from './edit-config.ts';
import { readHostFile, removeHostFile, replaceHostFile } from './files.ts';

export interface FileRecord extends InsertionRecord {
  readonly madeFile: boolean;
  /** The first folder that was made for the file. */
  readonly folder?: string | undefined;
}

export type InstallManifest = Readonly<Record<string, FileRecord>>;

const fileIn = (configDir: string) => join(configDir, 'hosts.json');

/** By the path of the host's file. A record that cannot be read is no reason to stop: removal is then more careful. */
export function readRecords(configDir: string): InstallManifest {
  try {
    const parsed: unknown = JSON.parse(readHostFile(fileIn(configDir)).text);
    return Object.fromEntries(Object.entries(parsed ?? {}).filter(([, one]) => isRecord(one)));
  } catch {
    return {};
  }
}

/** Comes after the work is done, so it must not fail it. */
export function writeRecords(configDir: string, records: InstallManifest): void {
  try {
    const file = readHostFile(fileIn(configDir));
    const text = `${JSON.stringify(records, null, 2)}\n`;
    if (Object.keys(records).length > 0) {
      if (text !== file.text) replaceHostFile(file, text, undefined);
    } else if (file.bytes) removeHostFile(file, undefined);
  } catch {
    // Without a record remove takes the entry out and leaves what was made around it.
  }
}

const isRecord = (one: Partial<FileRecord> | null): one is FileRecord =>
  typeof one?.made === 'number' &&
  typeof one.madeFile === 'boolean' &&
  ['string', 'undefined'].includes(typeof one.gap) &&
  ['string', 'undefined'].includes(typeof one.folder);
