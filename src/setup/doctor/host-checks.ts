import { lstat, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';
import type { ProcessContext } from '../../core/process/process-context.ts';
import { version } from '../../core/process/version.ts';
import { storeFile } from '../../core/store/store-location.ts';
import { isJson } from '../../core/text/json.ts';
import { getPlatform, type Platform } from '../hosts/host.ts';
import { hosts } from '../hosts/hosts.ts';
import { type DoctorContext, type Finding, note, ok, warning } from './context.ts';

/** Checks which known hosts start this program, by their files, and whether these files can be read. */
export async function checkHosts({ terminal, folder }: DoctorContext): Promise<readonly Finding[]> {
  const files = await readHostFiles(terminal, folder);
  const broken = files.filter(({ isPlainJson, text }) => isPlainJson && text.trim() !== '' && !isJson(text));
  const ours = files.filter(({ text }) => text.includes('brokerage-mcp'));
  const found = broken.map(({ host, path }) =>
    warning(
      `${path} is not valid JSON, so ${host} cannot start the servers configured in it.`,
      'Correct the file, then restart the host.',
    ),
  );
  if (ours.length > 0) return [...found, ok(`Configured in ${[...new Set(ours.map(({ host }) => host))].join(', ')}.`)];
  return [
    ...found,
    note(
      'No known host has an entry for brokerage-mcp.',
      'To add one, run brokerage-mcp init, or copy mcp.json.example from the README by hand.',
    ),
  ];
}

interface Server {
  readonly pid: number;
  /** Undefined when its package cannot be read. */
  readonly version: string | undefined;
}

/** Lists other processes that have this store open, as far as the operating system shows them. */
export async function checkServers(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const { terminal, place } = context;
  if ('stateUrl' in place) return [ok('Servers on other machines may share the store; their versions are unknown.')];
  if (terminal.platform !== 'linux')
    return [ok(`Other servers that use this store cannot be detected on ${terminal.platform}.`)];
  const servers = await findServers(context, signal);
  if (servers.length === 0) return [ok('No other server has this store open now.')];
  const names = servers.map((server) => `process ${server.pid}, version ${server.version ?? 'unknown'}`).join('; ');
  const others = servers.filter((server) => server.version !== undefined && server.version !== version);
  if (others.length === 0) return [ok(`This store is also open in ${names}.`)];
  return [
    note(
      `This store is also open in ${names}; this program is ${version}.`,
      'Configure all hosts to start the same version, and restart those that run an old one.',
    ),
  ];
}

async function findServers({ terminal, stateDir }: DoctorContext, signal: AbortSignal): Promise<Server[]> {
  const store = await realpath(storeFile(stateDir)).catch(orIfRefused(undefined));
  const found: Server[] = [];
  if (store === undefined) return found;
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (signal.aborted) break;
    if (!Number.isInteger(pid) || pid === terminal.processes.pid) continue;
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(orIfRefused(''))).split('\0');
    const program = words.find((word) => /^brokerage-mcp(\.cjs)?$/.test(basename(word)));
    if (program === undefined || !(await hasOpen(pid, store))) continue;
    found.push({ pid, version: await findVersion(pid, program) });
  }
  return found;
}

async function hasOpen(pid: number, file: string): Promise<boolean> {
  for (const name of await readdir(`/proc/${pid}/fd`).catch(orIfRefused([])))
    if ((await readlink(`/proc/${pid}/fd/${name}`).catch(orIfRefused(''))) === file) return true;
  return false;
}

/** Reads the version from the package of the program's file. */
async function findVersion(pid: number, program: string): Promise<string | undefined> {
  try {
    const folder = await readlink(`/proc/${pid}/cwd`);
    const file = await realpath(resolve(folder, program));
    const text = await readFile(join(dirname(file), '..', 'package.json'), 'utf8');
    const { name, version } = JSON.parse(text) as { name?: unknown; version?: unknown };
    return name === 'brokerage-mcp' && typeof version === 'string' ? version : undefined;
  } catch {
    // The process ended, belongs to another user, or its package.json is no JSON.
    return undefined;
  }
}

// Reads the configuration files of known hosts; never writes them.

interface HostFileContent {
  readonly host: string;
  readonly path: string;
  readonly text: string;
  /** Whether the host accepts only JSON without comments. */
  readonly isPlainJson: boolean;
}

/** Large, because one host stores its conversations in the same file. */
const maxBytes = 16 * 1024 * 1024;

/** Returns the existing files: the user's, and those of the project that `folder` belongs to. */
export async function readHostFiles(terminal: ProcessContext, folder: string): Promise<readonly HostFileContent[]> {
  const found: HostFileContent[] = [];
  for (const [host, path, isPlainJson] of [...ofPerson(getPlatform(terminal)), ...ofProject(folder)]) {
    // For a project below the home folder, the user's file is also found as one of a parent folder.
    if (found.some((file) => file.path === path)) continue;
    const info = await stat(path).catch(orIfRefused(undefined));
    if (!info?.isFile() || info.size > maxBytes) continue;
    const text = await readFile(path, 'utf8').catch(orIfRefused(undefined));
    if (text !== undefined) found.push({ host, path, text, isPlainJson });
  }
  return found;
}

type Known = readonly [host: string, path: string, isPlainJson: boolean];

/** Every file that init may write, by the rules of each host. */
const ofPerson = (place: Platform): Known[] =>
  hosts.flatMap((host) =>
    host.files(place).map((path): Known => [host.name, path, host.syntax === 'json' && host.takesComments !== true]),
  );

function ofProject(folder: string): Known[] {
  return ancestors(folder).flatMap((here): Known[] => [
    ['Claude Code (project)', join(here, '.mcp.json'), true],
    ['Cursor (project)', join(here, '.cursor', 'mcp.json'), true],
    ['VS Code (project)', join(here, '.vscode', 'mcp.json'), false],
  ]);
}

/** Returns the folder and all its parents. */
function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

/** Returns the root of the work tree of a folder; undefined when there is none. Does not run git. */
export async function findGitRoot(folder: string): Promise<string | undefined> {
  for (const here of ancestors(folder)) if (await lstat(join(here, '.git')).catch(orIfRefused(undefined))) return here;
  return undefined;
}
