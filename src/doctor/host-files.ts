/** The configuration files of the usual hosts. They are read, never written. */
import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Platform } from '../hosts/host.ts';
import { hosts } from '../hosts/index.ts';
import { getPlatform } from '../hosts/platform.ts';
import type { ProcessContext } from '../process/process-context.ts';

export interface HostFileContent {
  readonly host: string;
  readonly path: string;
  readonly text: string;
  /** Whether the host takes plain JSON alone, without comments. */
  readonly isPlainJson: boolean;
}

/** One host keeps its conversations in the same file. */
const maxBytes = 16 * 1024 * 1024;

/** Those that are there: of the person, and of the project that `folder` belongs to. */
export async function readHostFiles(terminal: ProcessContext, folder: string): Promise<readonly HostFileContent[]> {
  const found: HostFileContent[] = [];
  for (const [host, path, isPlainJson] of [...ofPerson(getPlatform(terminal)), ...ofProject(folder)]) {
    // A project below the home folder has that above it.
    if (found.some((file) => file.path === path)) continue;
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile() || info.size > maxBytes) continue;
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) found.push({ host, path, text, isPlainJson });
  }
  return found;
}

type Known = readonly [host: string, path: string, isPlainJson: boolean];

/** Every file that init may write, by the hosts' own rules. */
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

/** The folder and those above it. */
export function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

/** The top of the work tree that a folder is in; undefined when it is in none. No git is needed for that. */
export async function findGitRoot(folder: string): Promise<string | undefined> {
  for (const here of ancestors(folder)) if (await lstat(join(here, '.git')).catch(() => undefined)) return here;
  return undefined;
}
