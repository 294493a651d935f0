/** A disk that can be filled to its last byte and emptied again. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  free(): void;
  close(): Promise<void>;
}

/** Undefined where no disk can be mounted. */
export async function mountSmallDisk(): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-campaign-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        // Ends with ENOSPC; the size of the disk bounds it too.
        for (const size of [65_536, 4_096, 1])
          for (let piece = 0; piece < 8_192; piece++) if (!write(file, size)) break;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    close: async () => {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function write(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size, 120)) === size;
  } catch {
    return false;
  }
}
