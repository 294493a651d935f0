/** The configuration files of the usual hosts. They are read, never written. */
import { lstat, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Terminal } from '../terminal.ts';

export interface HostFile {
  readonly host: string;
  readonly path: string;
  readonly text: string;
  /** Whether the host takes plain JSON alone, without comments. */
  readonly isPlainJson: boolean;
}

/** One host keeps its conversations in the same file. */
const mostBytes = 16 * 1024 * 1024;

/** Those that are there: of the person, and of the project that `folder` belongs to. */
export async function readHostFiles(terminal: Terminal, folder: string): Promise<readonly HostFile[]> {
  const found: HostFile[] = [];
  for (const [host, path, isPlainJson] of [...ofPerson(terminal), ...ofProject(folder)]) {
    // A project below the home folder has that above it.
    if (found.some((file) => file.path === path)) continue;
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile() || info.size > mostBytes) continue;
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) found.push({ host, path, text, isPlainJson });
  }
  return found;
}

type Known = readonly [host: string, path: string, isPlainJson: boolean];

function ofPerson({ env, platform }: Terminal): Known[] {
  const home = env.HOME ?? homedir();
  const applications =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env.APPDATA ?? home)
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
  return [
    ['Claude Desktop', join(applications, 'Claude', 'claude_desktop_config.json'), true],
    ['Claude Code', join(home, '.claude.json'), true],
    ['Cursor', join(home, '.cursor', 'mcp.json'), true],
    ['Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json'), true],
    ['Gemini CLI', join(home, '.gemini', 'settings.json'), false],
    ['VS Code', join(applications, 'Code', 'User', 'mcp.json'), false],
    ['Zed', join(platform === 'win32' ? applications : join(home, '.config'), 'zed', 'settings.json'), false],
    ['Codex', join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'), false],
  ];
}

function ofProject(folder: string): Known[] {
  return upwards(folder).flatMap((here): Known[] => [
    ['Claude Code (project)', join(here, '.mcp.json'), true],
    ['Cursor (project)', join(here, '.cursor', 'mcp.json'), true],
    ['VS Code (project)', join(here, '.vscode', 'mcp.json'), false],
  ]);
}

/** The folder and those above it. */
export function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

/** The top of the work tree that a folder is in; undefined when it is in none. No git is needed for that. */
export async function workTreeOf(folder: string): Promise<string | undefined> {
  for (const here of upwards(folder)) if (await lstat(join(here, '.git')).catch(() => undefined)) return here;
  return undefined;
}
