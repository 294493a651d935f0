/**
 * A person's configuration file, read and replaced so that nothing can be lost: links are followed, not
 * replaced; a copy is kept; the new text is written beside the old one and put in its place in one step,
 * unless somebody else changed the file meanwhile; mode and owner stay.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fromSystemError, HostFileError } from './file-error.ts';

export interface HostFile {
  /** As the host names it. */
  readonly path: string;
  /** Where it really is, behind links. */
  readonly target: string;
  /** Without the byte order mark; empty when there is no file. */
  readonly text: string;
  readonly mark: string;
  /** Undefined when there is no file. */
  readonly bytes: Buffer | undefined;
  readonly stats: Stats | undefined;
}

/** Settings are small; one that keeps its history in them has some megabytes. */
const largest = 32 * 1024 * 1024;
const maxBackups = 5;
const mark = '\ufeff';

/** The file, or an empty one when there is none. Throws a HostFileError. */
export function readHostFile(path: string): HostFile {
  try {
    const target = realTarget(path);
    if (target === undefined) return { path, target: path, text: '', mark: '', bytes: undefined, stats: undefined };
    const stats = statSync(target);
    if (stats.isDirectory())
      throw new HostFileError(`${path} is a folder and should be a file.`, 'Move the folder away.');
    if (!stats.isFile()) throw new HostFileError(`${path} is not a regular file.`, 'Move it away.');
    if (stats.size > largest)
      throw new HostFileError(`${path} is larger than ${largest >> 20} MB.`, 'Add the entry by hand.');
    const bytes = readFileSync(target);
    const text = decode(path, bytes);
    const marked = text.startsWith(mark);
    return { path, target, text: marked ? text.slice(1) : text, mark: marked ? mark : '', bytes, stats };
  } catch (error) {
    throw error instanceof HostFileError ? error : fromSystemError(path, error);
  }
}

export interface WriteResult {
  /** The copy of what was there, if anything was. */
  readonly backup: string | undefined;
  /** The first folder that had to be made. */
  readonly folder: string | undefined;
}

/**
 * Puts the text in the file's place and reads it back. A copy of what was there is kept, unless no time is
 * given for its name. Throws a HostFileError, and then the file is as it was.
 */
export function replaceHostFile(file: HostFile, text: string, now: Date | undefined): WriteResult {
  refuseReadOnly(file);
  let temporary: string | undefined;
  try {
    const folder = mkdirSync(dirname(file.target), { recursive: true, mode: 0o700 });
    temporary = join(dirname(file.target), `.${basename(file.target)}.${randomBytes(6).toString('hex')}.tmp`);
    const bytes = Buffer.from(file.mark + text);
    writeNew(temporary, bytes, file.stats);
    const backup = file.bytes && now && keepCopy(file, now);
    // As late as can be. No system offers to compare and rename in one step.
    refuseChanged(file);
    renameSync(temporary, file.target);
    temporary = undefined;
    if (!readFileSync(file.target).equals(bytes)) {
      const next = backup ? `Compare it with ${backup}, and close the host before you try again.` : 'Try again.';
      throw new HostFileError(`Another program changed ${file.path} right after it was written.`, next);
    }
    return { backup, folder };
  } catch (error) {
    throw error instanceof HostFileError ? error : fromSystemError(file.path, error);
  } finally {
    if (temporary !== undefined) rmSync(temporary, { force: true });
  }
}

/** Removes a file that holds nothing any more. */
export function removeHostFile(file: HostFile, now: Date | undefined): WriteResult {
  refuseReadOnly(file);
  try {
    const backup = file.bytes && now && keepCopy(file, now);
    refuseChanged(file);
    rmSync(file.target);
    return { backup, folder: undefined };
  } catch (error) {
    throw error instanceof HostFileError ? error : fromSystemError(file.path, error);
  }
}

/** Where links lead; undefined when there is nothing. */
function realTarget(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new HostFileError(
        `${path} is a link to a file that does not exist.`,
        'Remove the link, or create its file.',
      );
    return undefined;
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new HostFileError(`${path} is not UTF-8 text.`, 'Save it as UTF-8, then try again.');
  }
}

/** Throws a HostFileError for a file that nobody may write. */
export function refuseReadOnly({ path, stats }: HostFile): void {
  // A folder that may be written would let us replace it; whoever made it read-only did not want that.
  if (stats && (stats.mode & 0o222) === 0)
    throw new HostFileError(`${path} is read-only.`, 'Make it writable, or add the entry by hand.');
}

function refuseChanged({ path, target, bytes }: HostFile): void {
  const isThere = lstatSync(target, { throwIfNoEntry: false }) !== undefined;
  const same = bytes ? isThere && readFileSync(target).equals(bytes) : !isThere;
  if (!same)
    throw new HostFileError(`Another program changed ${path} in the meantime.`, 'Close that program and try again.');
}

function writeNew(path: string, bytes: Buffer, like: Stats | undefined): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  if (like) keepOwner(path, like);
}

function keepOwner(path: string, like: Stats): void {
  const own = statSync(path);
  // Only root can, and only for root it differs.
  if (own.uid !== like.uid || own.gid !== like.gid) {
    try {
      chownSync(path, like.uid, like.gid);
    } catch {
      // A group that is not ours: the file stays readable by its owner.
    }
  }
  chmodSync(path, like.mode & 0o7777);
}

/** Copies it with its mode; the newest few are kept. */
function keepCopy(file: HostFile, now: Date): string {
  const prefix = `${basename(file.target)}.brokerage-mcp-backup-`;
  const folder = dirname(file.target);
  const backup = join(folder, prefix + now.toISOString().replaceAll(/[:-]/g, ''));
  copyFileSync(file.target, backup);
  if (file.stats) keepOwner(backup, file.stats);
  const copies = readdirSync(folder).filter((name) => name.startsWith(prefix));
  for (const old of copies.sort().slice(0, -maxBackups)) rmSync(join(folder, old), { force: true });
  return backup;
}
