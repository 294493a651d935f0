import { realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

export const isRoot = process.geteuid?.() === 0;

/**
 * A folder for temporary files in which a PostgreSQL server can work. It refuses to run as root, so root
 * needs a folder that another user reaches too. Undefined when there is none.
 */
export function findServerFolder() {
  if (!isRoot) return tmpdir();
  return [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].find(isOpen);
}

/** Whether every folder on the way lets other users pass. */
function isOpen(path) {
  try {
    for (let folder = realpathSync(path); ; folder = dirname(folder)) {
      if ((statSync(folder).mode & 0o001) === 0) return false;
      if (folder === dirname(folder)) return true;
    }
  } catch {
    return false;
  }
}
