/** Why a file was not changed, in one sentence, and what to do. Thrown only when nothing was written. */
import { ExpectedError } from '../../core/errors.ts';

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
