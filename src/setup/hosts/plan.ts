/** Plans the change of a host's file before anything is written, and applies it. */

import { dirname, join, sep } from 'node:path';
import { removeIfEmpty } from './config-file.ts';
import { type EntryEdit, type InsertionRecord, readEntry, withEntry, withoutEntry } from './edit-config.ts';
import { toUsual } from './entry.ts';
import {
  type HostFile,
  HostFileError,
  readHostFile,
  refuseReadOnly,
  removeHostFile,
  replaceHostFile,
} from './files.ts';
import type { Entry, HostDefinition, Platform } from './host.ts';
import { getHostPath } from './hosts.ts';
import { UnsupportedLayoutError } from './jsonc-edit.ts';
import { explainKept, readRestrictions } from './order-profile.ts';
import { changeLines } from './render.ts';

type Flags = Readonly<Record<string, string>>;

/** The planned change of one host's file. */
export interface HostPlan {
  readonly host: HostDefinition;
  readonly path: string;
  /** The error because of which the file is not changed, or the change. */
  readonly work: HostFileError | { readonly file: HostFile; readonly edit: EntryEdit };
  /** The flags of the entry before that stay. */
  readonly kept: Flags;
}

/** Whether the plan changes its file. */
export const isChange = ({ work }: HostPlan): boolean =>
  !(work instanceof HostFileError) && work.edit.text !== work.file.text;

/** What to add. Restricting flags of an existing entry stay, except for `chosen`, the names that this run decides. */
interface EntryToAdd {
  readonly chosen: readonly string[];
  readonly build: (kept: Flags) => Entry;
}

/** Plans to add or update our entry. Writes nothing; an unusable file is reported in `work`. */
export function planToAdd(host: HostDefinition, place: Platform, { chosen, build }: EntryToAdd): HostPlan {
  const found = Object.entries(findRestrictions(host, place));
  const kept = Object.fromEntries(found.filter(([name]) => !chosen.includes(name)));
  return { ...plan(host, place, (text) => withEntry(host, text, build(kept))), kept };
}

/** The restricting flags of the entry in the host's file; none when it cannot be read. Writes nothing. */
export function findRestrictions(host: HostDefinition, place: Platform): Flags {
  const path = getHostPath(host, place);
  try {
    return readRestrictions(toUsual(host, readEntry(host, readHostFile(path).text)));
  } catch (error) {
    toHostFileError(path, error);
    return {};
  }
}

/** Plans to remove our entry. Writes nothing; an unusable file is reported in `work`. */
export const planToRemove = (host: HostDefinition, place: Platform, configDir: string): HostPlan => ({
  ...plan(host, place, (text, path) => withoutEntry(host, text, readRecords(configDir)[path])),
  kept: {},
});

/** Returns the lines to show: the file and its changes. */
export function planLines({ host, path, work, kept }: HostPlan): string[] {
  const stays = Object.keys(kept).length > 0 ? [`  ${explainKept(kept)}`] : [];
  if (work instanceof HostFileError) return [`${host.name}: ${work.message} ${work.next}`];
  const { before, after } = work.edit;
  if (work.edit.text === work.file.text) return [`${host.name}: ${path} needs no change.`, ...stays];
  return [
    `${host.name}: ${path}${work.file.bytes ? '' : ' (new)'}`,
    ...changeLines(host, before, after).map((line) => `  ${line}`),
    ...stays,
  ];
}

/**
 * Applies the plan. Returns the path of the backup; undefined when none was made. Throws a HostFileError, and nothing
 * is changed then.
 */
export function applyPlan({ path, work }: HostPlan, configDir: string, now: Date): string | undefined {
  if (work instanceof HostFileError) throw work;
  const { file, edit } = work;
  const { [path]: record, ...others } = readRecords(configDir);
  const isRemoval = edit.after === undefined;
  if (isRemoval && record?.madeFile && edit.text.trim() === '') {
    // The file contains only what we wrote, so it needs no backup.
    removeHostFile(file, undefined);
    if (record.folder !== undefined) removeFolders(dirname(path), record.folder);
    writeRecords(configDir, others);
    return undefined;
  }
  const written = replaceHostFile(file, edit.text, now);
  const next: FileRecord | undefined = edit.traces
    ? { ...edit.traces, madeFile: !file.bytes, folder: written.folder }
    : record;
  const records: InstallManifest = isRemoval || !next ? others : { ...others, [path]: next };
  writeRecords(configDir, records);
  return written.backup;
}

function plan(
  host: HostDefinition,
  place: Platform,
  edit: (text: string, path: string) => EntryEdit,
): Omit<HostPlan, 'kept'> {
  const path = getHostPath(host, place);
  try {
    const file = readHostFile(path);
    const work = { file, edit: edit(file.text, path) };
    if (work.edit.text !== file.text) refuseReadOnly(file);
    return { host, path, work };
  } catch (error) {
    return { host, path, work: toHostFileError(path, error) };
  }
}

function toHostFileError(path: string, error: unknown): HostFileError {
  if (error instanceof HostFileError) return error;
  if (error instanceof UnsupportedLayoutError)
    return new HostFileError(`${path} ${error.message}.`, 'Edit it by hand.');
  if (error instanceof SyntaxError)
    return new HostFileError(`${path} cannot be read: ${error.message}.`, 'Correct it, or edit it by hand.');
  throw error;
}

/** Removes empty folders from the file's folder up to the first one created for it. */
function removeFolders(folder: string, upTo: string): void {
  for (let at = folder; at === upTo || at.startsWith(upTo + sep); at = dirname(at)) removeIfEmpty(at);
}

// Records what init created in which file, so that remove undoes only that. Stored beside config.json.

interface FileRecord extends InsertionRecord {
  readonly madeFile: boolean;
  /** The first parent folder that was created for the file. */
  readonly folder?: string | undefined;
}

type InstallManifest = Readonly<Record<string, FileRecord>>;

const fileIn = (configDir: string) => join(configDir, 'hosts.json');

/**
 * Returns the records by the path of the host's file. An unreadable record is ignored; removal then leaves more in
 * place.
 */
function readRecords(configDir: string): InstallManifest {
  try {
    const parsed: unknown = JSON.parse(readHostFile(fileIn(configDir)).text);
    return Object.fromEntries(Object.entries(parsed ?? {}).filter(([, one]) => isRecord(one)));
  } catch {
    // There is no record, or it was damaged: then remove deletes only the entry.
    return {};
  }
}

/** Runs after the change is done, so it never throws. */
function writeRecords(configDir: string, records: InstallManifest): void {
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
