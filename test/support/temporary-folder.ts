import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux keeps this folder in memory. */
const memory = '/dev/shm';
/** The complete run needs a tenth of this; a container often has only 64 MB there. */
const minFreeBytes = 4 * 2 ** 30;

/** Also false where this user may not write there. */
const hasRoom = (): boolean => {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= minFreeBytes;
  } catch {
    return false;
  }
};

/**
 * Keeps the temporary files of the run in memory where there is room, because SQLite and PostgreSQL wait for the disk
 * at each commit. The tests end processes and never the machine, so none depends on what a disk would keep.
 */
export const setup = (): (() => void) | undefined => {
  if (process.env.TMPDIR || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(memory, 'brokerage-mcp-test-'));
  // PostgreSQL does not run as root, so another user must be able to reach its folder.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};
