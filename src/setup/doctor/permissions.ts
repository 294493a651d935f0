import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';
import { storeFile } from '../../core/store/store-location.ts';
import { configFolder, type DoctorContext } from './context.ts';
import { type Finding, ok, warning } from './finding.ts';
import { listKeyFiles } from './known-secrets.ts';

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
