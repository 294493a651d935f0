/** Reads the configuration files of known hosts; never writes them. */
import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';
import type { ProcessContext } from '../../core/process/process-context.ts';
import type { Platform } from '../hosts/host.ts';
import { hosts } from '../hosts/index.ts';
import { getPlatform } from '../hosts/platform.ts';

export interface HostFileContent {
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
