/**
 * Reads and replaces a user's configuration file without losing data: it follows links and does not replace them; it
 * keeps a backup; it writes the new text beside the old file and renames it in one step, unless another program has
 * changed the file since it was read; mode and owner stay.
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
import { ExpectedError } from '../../core/errors.ts';

export interface HostFile {
  /** The path as the host names it. */
  readonly path: string;
  /** The real path, with links resolved. */
  readonly target: string;
  /** Without the byte order mark; empty when the file does not exist. */
  readonly text: string;
  readonly mark: string;
  /** Undefined when the file does not exist. */
  readonly bytes: Buffer | undefined;
  readonly stats: Stats | undefined;
}

/** Maximum bytes. Settings are small, but a host that keeps its history in them uses some megabytes. */
const largest = 32 * 1024 * 1024;
const maxBackups = 5;
const mark = '\ufeff';

/** Reads a file; an empty one when it does not exist. Throws a HostFileError. */
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
  /** Path of the backup; undefined when none was made. */
  readonly backup: string | undefined;
  /** The first parent folder that was created; undefined when all existed. */
  readonly folder: string | undefined;
}

/**
 * Replaces the text of a file and reads it back. Keeps a backup unless `now`, which names it, is undefined. Throws a
 * HostFileError: the file is then unchanged, or another program changed it right after the write.
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
    // As late as possible, because no system can compare and rename in one step.
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

/** Removes a file that has no content left. Throws a HostFileError. */
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

/** Returns the path that links lead to; undefined when the file does not exist. */
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
    // A strict decoder throws for other bytes only.
    throw new HostFileError(`${path} is not UTF-8 text.`, 'Save it as UTF-8, then try again.');
  }
}

/** Throws a HostFileError for a read-only file. */
export function refuseReadOnly({ path, stats }: HostFile): void {
  // A writable folder would allow replacing the file, but its owner made it read-only on purpose.
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
  // Only root can change the owner, and only for root it can differ.
  if (own.uid !== like.uid || own.gid !== like.gid) {
    try {
      chownSync(path, like.uid, like.gid);
    } catch {
      // The user is not in that group: the file stays readable by its owner.
    }
  }
  chmodSync(path, like.mode & 0o7777);
}

const backupPrefix = (target: string) => `${basename(target)}.brokerage-mcp-backup-`;

/** The backups of a file that are there, oldest first. */
export function listBackups(path: string): readonly string[] {
  try {
    const target = realTarget(path) ?? path;
    const folder = dirname(target);
    const names = readdirSync(folder).filter((name) => name.startsWith(backupPrefix(target)));
    return names.sort().map((name) => join(folder, name));
  } catch {
    // A folder that is missing or cannot be read has no backup to name.
    return [];
  }
}

/** Copies the file with its mode and deletes all but the newest copies. */
function keepCopy(file: HostFile, now: Date): string {
  const prefix = backupPrefix(file.target);
  const folder = dirname(file.target);
  const backup = join(folder, prefix + now.toISOString().replaceAll(/[:-]/g, ''));
  copyFileSync(file.target, backup);
  if (file.stats) keepOwner(backup, file.stats);
  for (const old of listBackups(file.target).slice(0, -maxBackups)) rmSync(old, { force: true });
  return backup;
}

// Why a file was not changed, in one sentence, and what to do. Thrown only when nothing was written.

export class HostFileError extends ExpectedError {
  override readonly name = 'FileFault';
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}

/** Describes a system error in terms that a user can act on. */
export function fromSystemError(path: string, error: unknown): HostFileError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const known: Record<string, readonly [string, string]> = {
    ELOOP: ['is a loop of symbolic links', 'Remove the link or let it point to a file.'],
    EISDIR: ['is a folder and should be a file', 'Move the folder away.'],
    ENOTDIR: ['is inside a path that is not a folder', 'Move that file away.'],
    EACCES: ['is not readable or writable by you', 'Correct its permissions, or those of its folder.'],
    EPERM: ['is not readable or writable by you', 'Correct its permissions, or those of its folder.'],
    EROFS: ['is on a disk that cannot be written', 'Edit it where it is writable.'],
    ENOSPC: ['cannot be written because the disk is full', 'Free some space.'],
  };
  const [what, next] = known[code] ?? [`cannot be used (${code})`, 'Check the file and its folder.'];
  return new HostFileError(`${path} ${what}.`, next);
}
