import { existsSync } from 'node:fs';
import { lstat, realpath, stat, statfs } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';
import { storeFile } from '../../core/store/store-location.ts';
import { configFolder, type DoctorContext, type Finding, note, ok, warning } from './context.ts';
import { listKeyFiles } from './known-secrets.ts';

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

interface ProtectedPath {
  readonly path: string;
  readonly what: string;
  /** Permission bits that only the owner may have. */
  readonly forbidden: number;
  readonly mode: string;
}

/**
 * Checks who can read, write and own the files of the program. A path that does not exist yet will be created
 * correctly.
 */
export async function checkPermissions(context: DoctorContext): Promise<readonly Finding[]> {
  if (context.terminal.platform === 'win32')
    return [ok('Not checked: Windows stores permissions differently, and a profile folder belongs to its user.')];
  const found: Finding[] = [];
  let seen = 0;
  for (const place of listProtectedPaths(context)) {
    const info = await lstat(place.path).catch(orIfRefused(undefined));
    if (!info) continue;
    seen++;
    if (info.isSymbolicLink()) found.push(...(await whereTo(place)));
    const target = await stat(place.path).catch(orIfRefused(undefined));
    if (target) found.push(...judge(place, target, context.terminal.machine.uid));
  }
  if (found.length > 0) return found;
  return [
    ok(
      seen === 0
        ? 'No data is stored yet.'
        : `All stored files and folders (${seen}) belong to you and are closed to other users.`,
    ),
  ];
}

function listProtectedPaths(context: DoctorContext): ProtectedPath[] {
  const { stateDir, configFile, terminal, trouble } = context;
  const own = (path: string, what: string): ProtectedPath => ({ path, what, forbidden: 0o077, mode: '600' });
  const file = storeFile(stateDir);
  const keys = listKeyFiles(context.flags, terminal).filter((path) => path !== trouble?.facts.file);
  const holdsKey = /"api(Key|Secret)"\s*:/.test(terminal.readFile(configFile) ?? '');
  return [
    { path: stateDir, what: 'The state folder', forbidden: 0o077, mode: '700' },
    ...[file, `${file}-wal`, `${file}-shm`].map((path) => own(path, 'The store')),
    own(join(stateDir, 'sandbox-account.json'), 'The simulated account'),
    { path: join(stateDir, 'exports'), what: 'The folder of reports', forbidden: 0o077, mode: '700' },
    // Others may read it because it has no secrets, but write access would control every order.
    { path: configFolder(context), what: 'The configuration folder', forbidden: 0o022, mode: '700' },
    { path: configFile, what: 'The configuration', forbidden: holdsKey ? 0o077 : 0o022, mode: '600' },
    ...keys.map((path) => own(path, 'The key file')),
  ];
}

function judge(place: ProtectedPath, info: { mode: number; uid: number }, uid: number | undefined): Finding[] {
  const { path, what } = place;
  const found: Finding[] = [];
  // Where others may read, a path of root is safe too: only root can change it.
  const isSafelyRoots = info.uid === 0 && (place.forbidden & 0o044) === 0;
  if (uid !== undefined && info.uid !== uid && !isSafelyRoots)
    found.push(
      warning(
        `${what} ${path} belongs to user ${info.uid}, but this is user ${uid}.`,
        `Run brokerage-mcp as one user, or take ownership: sudo chown -R ${uid} '${path}'`,
      ),
    );
  const open = info.mode & 0o777 & place.forbidden;
  if (info.mode & 0o1000)
    found.push(
      warning(
        `${what} ${path} is a folder shared by all users.`,
        'Choose a folder of your own with BROKER_STATE_DIR (or BROKER_CONFIG_DIR).',
      ),
    );
  else if (open)
    found.push(
      warning(
        `${what} ${path} can be ${open & 0o044 ? 'read' : open & 0o022 ? 'changed' : 'entered'} by others (mode ${(info.mode & 0o777).toString(8)}).`,
        `chmod ${place.mode} '${path}'`,
      ),
    );
  return found;
}

async function whereTo({ path, what }: ProtectedPath): Promise<Finding[]> {
  const target = await realpath(path).catch(orIfRefused(undefined));
  if (target === undefined)
    return [warning(`${what} ${path} is a link to a target that does not exist.`, `Remove it: rm '${path}'`)];
  const home = await realpath(dirname(path)).catch(orIfRefused(dirname(path)));
  // A link within the same folder, as mounted secrets use, is safe.
  if (target.startsWith(home + sep)) return [];
  return [
    warning(
      `${what} ${path} is a link to ${target}.`,
      `Make sure that the target is not shared (a synced folder, a repository), or replace the link with the target: rm '${path}' && mv '${target}' '${path}'`,
    ),
  ];
}

/**
 * What is known about a folder without a request to another program: its filesystem number, and the folder names above
 * it.
 */

interface Kind {
  readonly is: 'network' | 'memory';
  readonly name: string;
}

/** Linux: magic numbers of statfs(2). A filesystem that is not listed counts as a local disk. */
const kinds: ReadonlyMap<number, Kind> = new Map([
  [0x6969, { is: 'network', name: 'NFS' }],
  [0x517b, { is: 'network', name: 'SMB' }],
  [0xfe534d42, { is: 'network', name: 'SMB' }],
  [0xff534d42, { is: 'network', name: 'CIFS' }],
  [0x5346414f, { is: 'network', name: 'AFS' }],
  [0x73757245, { is: 'network', name: 'Coda' }],
  [0x564c, { is: 'network', name: 'NCP' }],
  [0x01021997, { is: 'network', name: '9P' }],
  [0x00c36400, { is: 'network', name: 'Ceph' }],
  [0x0bd00bd0, { is: 'network', name: 'Lustre' }],
  // sshfs and similar; a local filesystem behind FUSE has no better locks.
  [0x65735546, { is: 'network', name: 'FUSE' }],
  [0xbacbacbc, { is: 'network', name: 'a folder of the virtual machine’s host' }],
  [0x786f4256, { is: 'network', name: 'a folder of the virtual machine’s host' }],
  [0x01021994, { is: 'memory', name: 'tmpfs' }],
  [0x858458f6, { is: 'memory', name: 'ramfs' }],
]);

/** Returns the kind of a filesystem; undefined when it is not listed. Some systems return the number with a sign. */
export const getFilesystemType = (type: number): Kind | undefined => kinds.get(type >>> 0);

const cloudNames =
  /^(dropbox|onedrive( - .*)?|google ?drive|icloud ?drive|mobile documents|cloudstorage|nextcloud|owncloud|pcloud ?drive|proton ?drive|box sync|mega(sync)?)( \(.*\))?$/i;

/**
 * Returns the parent folder that a sync service mirrors to other machines, by its usual name; undefined when there is
 * none.
 */
export function cloudFolderIn(path: string, home: string | undefined): string | undefined {
  const parts = path.split(/[\\/]/);
  const found = parts.find((part) => cloudNames.test(part));
  if (found !== undefined) return found;
  // A common folder name: it is the service's only directly below the home folder.
  const inHome = home !== undefined && path.startsWith(home) ? path.slice(home.length).split(/[\\/]/)[1] : undefined;
  return inHome === 'Box' ? inHome : undefined;
}
