import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';
import { version } from '../../core/process/version.ts';
import { storeFile } from '../../core/store/store-location.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, note, ok } from './finding.ts';

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
