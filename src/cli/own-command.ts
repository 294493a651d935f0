/** How this user starts this program, for texts that name a command: while it is no installed one, its name is not found. */
import { realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import type { ProcessContext } from '../core/process/process-context.ts';
import { commands } from './command-table.ts';

type Outside = Pick<ProcessContext, 'self' | 'platform' | 'env'>;

const name = 'brokerage-mcp';

/** `brokerage-mcp` where the shell finds this program by it, else the interpreter and the file. */
export function findOwnCommand({ self, platform, env }: Outside): string {
  const file = resolvePath(self.args[0] ?? '');
  const folders = listFolders(env);
  const isOurs = (folder: string) =>
    resolvePath(join(folder, name)) === file ||
    // npm writes a script for Windows, and keeps the package beside it.
    (platform === 'win32' && file.startsWith(`${join(folder, 'node_modules', name)}${sep}`));
  if (folders.some(isOurs)) return name;
  const isNode = folders.some((folder) => resolvePath(join(folder, 'node')) === resolvePath(self.command));
  return [isNode ? 'node' : self.command, file].map((part) => quote(part, platform)).join(' ');
}

/** The folders of PATH without the cache of npx, which is in it only while npx runs. */
const listFolders = (env: Outside['env']): readonly string[] =>
  (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '' && !/[\\/]_npx[\\/]/.test(folder));

function resolvePath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // The file does not exist, or its folder cannot be read.
    return file;
  }
}

function quote(part: string, platform: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(part)) return part;
  return platform === 'win32' ? `"${part}"` : `'${part.replaceAll("'", "'\\''")}'`;
}

/** A command that a text names; in a path or a longer name it is none. */
const named = new RegExp(`(?<![\\w./\\\\-])${name} (?=(?:--help|${Object.keys(commands).join('|')})\\b)`, 'g');

/** Returns the function that writes the commands of a text as this user can type them. */
export const createNameCommands =
  (outside: Outside) =>
  (text: string): string =>
    text.replace(named, () => `${findOwnCommand(outside)} `);

/** The terminal whose texts for a person name the commands as this user can type them; JSON stays as it is. */
export function withOwnCommands(terminal: ProcessContext, isJson: boolean): ProcessContext {
  const nameCommands = createNameCommands(terminal);
  const { print, warn, screens } = terminal;
  return {
    ...terminal,
    nameCommands,
    print: screens.output.isTerminal && !isJson ? (line) => print(nameCommands(line)) : print,
    warn: screens.errors.isTerminal ? (line) => warn(nameCommands(line)) : warn,
  };
}
