/** Finds the typed command and runs it. Exit codes: 0 done, 1 error result, 2 wrong usage, 130 interrupted (report, tax-pack, import). */

import { realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { BrokerageError, UsageError } from '../core/errors.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { createStyle } from '../core/process/text-style.ts';
import { version } from '../core/process/version.ts';
import { closestMatches, didYouMean } from '../core/text/suggestions.ts';
import { commonFlags, parseArguments } from './command.ts';
import { commands } from './command-table.ts';

/** Runs the command line; returns the exit code. */
export async function main(terminal: ProcessContext): Promise<number> {
  try {
    const [first] = terminal.argv;
    if (first === 'help') return await main({ ...terminal, argv: [...terminal.argv.slice(1), '--help'] });
    const named = first !== undefined && !first.startsWith('-') ? first : undefined;
    const entry = named === undefined ? commands.serve : Object.hasOwn(commands, named) ? commands[named] : undefined;
    if (!entry) {
      const [near] = closestMatches(named ?? '', Object.keys(commands), 1);
      const instead = near === undefined ? 'brokerage-mcp --help lists the commands' : `the closest one is ${near}`;
      throw new UsageError(`${named} is not a command; ${instead}.`);
    }
    const rest = named === undefined ? terminal.argv : terminal.argv.slice(1);
    const input = parseArguments(rest, { ...commonFlags, ...entry.flags }, named);
    if (entry.takesNoWords) refuseWords(named, input.words);
    if (input.flags.version === 'true') return say(terminal, version);
    if (input.flags.help === 'true') {
      const { formatCommandHelp, formatHelp } = await import('./commands.ts');
      const style = createStyle(terminal.env, terminal.screens.output.isTerminal);
      return say(terminal, named === undefined ? formatHelp(commands, style) : formatCommandHelp(entry, style));
    }
    return await (await entry.load())(input, withOwnCommands(terminal, input.flags.json === 'true'));
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof BrokerageError)) throw error;
    const next = error instanceof BrokerageError ? ` ${error.next}` : '';
    const style = createStyle(terminal.env, terminal.screens.errors.isTerminal);
    const text = `${error.message}${next}`;
    const named = terminal.screens.errors.isTerminal ? createNameCommands(terminal)(text) : text;
    terminal.warn(`${style('bad', 'brokerage-mcp:')} ${named}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Refuses words. Without it, `--env live halt` would start a server, and the user would believe that trading is halted. */
function refuseWords(named: string | undefined, [word]: readonly string[]): void {
  if (word === undefined) return;
  if (named !== undefined) throw new UsageError(`${named} takes no arguments, but got "${word}".`);
  if (Object.hasOwn(commands, word)) {
    throw new UsageError(`${word} did not run, because flags stand before it; write brokerage-mcp ${word} first.`);
  }
  throw new UsageError(`"${word}" is not a flag; ${didYouMean(word, ['--help', '--version'])}.`);
}

function say(terminal: ProcessContext, text: string): number {
  terminal.print(text);
  return 0;
}

// How this user starts this program, for texts that name a command: while it is no installed one, its name is not found.

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
