import { existsSync } from 'node:fs';
import { realpath, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';
import type { DoctorContext } from './context.ts';
import { cloudFolderIn, getFilesystemType } from './filesystem-types.ts';
import { type Finding, note, ok, warning } from './finding.ts';

const minBytes = 100 * 1024 * 1024;
const elsewhere = 'Choose a folder on a local disk with --state-dir or BROKER_STATE_DIR, after stopping all servers.';

/** Checks the disk of the state folder: free space, and a filesystem that a database works on. */
export async function checkStateFolder({ stateDir, terminal }: DoctorContext): Promise<readonly Finding[]> {
  const there = nearest(stateDir);
  const real = await realpath(there).catch(orIfRefused(there));
  const disk = await statfs(real);
  const freeBytes = disk.bavail * disk.bsize;
  const found: Finding[] = [];

  if (freeBytes < minBytes)
    found.push(
      warning(
        `Only ${megabytes(freeBytes)} MB are free on the disk of ${stateDir}; if it fills up, orders are refused.`,
        `Free some space (df -h '${there}' shows the disk), or choose another folder with BROKER_STATE_DIR.`,
      ),
    );
  const cloud = cloudFolderIn(real, terminal.env.HOME);
  if (cloud)
    found.push(
      warning(
        `The state folder ${stateDir} is in ${cloud}, which copies files while they change: that can damage the store.`,
        elsewhere,
      ),
    );
  const kind = terminal.platform === 'linux' ? getFilesystemType(disk.type) : undefined;
  if (kind?.is === 'network')
    found.push(
      warning(
        `The state folder ${stateDir} is on a network filesystem (${kind.name}), where file locks are unreliable.`,
        elsewhere,
      ),
    );
  if (kind?.is === 'memory')
    found.push(
      note(
        `The state folder ${stateDir} is in memory (${kind.name}): orders, approvals and history are lost at a restart.`,
        elsewhere,
      ),
    );
  if (found.length > 0) return found;
  const untold = terminal.platform === 'linux' ? '' : ` Network disks cannot be detected on ${terminal.platform}.`;
  const made = existsSync(stateDir) ? '' : ' (created by the first call)';
  return [ok(`${stateDir}${made}, ${megabytes(freeBytes)} MB free.${untold}`)];
}

const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);

/** Returns the folder, or the nearest existing parent in which it would be created. */
function nearest(path: string): string {
  for (let here = path; ; here = dirname(here)) if (existsSync(here) || here === dirname(here)) return here;
}
