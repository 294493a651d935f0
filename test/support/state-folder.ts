/** Where the servers of tests keep their state. */
import { accessSync, constants, statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const enough = 2 ** 30;

/** SQLite waits for the disk at each commit, so folders are in memory where there is room; durability is tested elsewhere. */
function findParent(): string {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > enough ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

export const makeStateFolder = (prefix: string): Promise<string> => mkdtemp(join(findParent(), prefix));
