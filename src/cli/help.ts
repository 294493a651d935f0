import type { Style } from '../core/process/text-style.ts';
import { type Setting, settings } from '../core/settings/setting-definitions.ts';
import { type CommandEntry, type CommandGroup, commonFlags, type Flags } from './command.ts';
import { wrap } from './format-table.ts';

/** Characters of a line: the usual width of a window. */
const width = 80;

const groups: readonly (readonly [CommandGroup, string])[] = [
  ['everyday', 'Everyday'],
  ['live', 'Live orders'],
  ['administration', 'Administration'],
];

/** Returns the overview that --help prints, from the commands and the settings. */
export function formatHelp(commands: Readonly<Record<string, CommandEntry>>, style: Style): string {
  const named = Object.entries(commands);
  const column = Math.max(...named.map(([name]) => name.length));
  return [
    'brokerage-mcp: a Model Context Protocol server for a brokerage account.',
    'Usage: brokerage-mcp [COMMAND] [flags]; without a command it serves MCP.',
    ...groups.flatMap(([group, title]) => [
      '',
      style('strong', title),
      ...named
        .filter(([, entry]) => entry.group === group)
        .flatMap(([name, { meaning }]) => inColumn(`  ${name.padEnd(column)}  `, meaning)),
    ]),
    '',
    style('strong', 'Settings'),
    ...wrap('A flag or an environment variable; the first one given wins, then config.json.', width),
    ...Object.values<Setting>(settings).flatMap(({ flag, variable, description }) => [
      `  ${[flag && `--${flag}`, variable].filter(Boolean).join(', ')}`,
      ...inColumn('      ', plain(description)),
    ]),
    '',
    '  --help, --version',
    '',
    'brokerage-mcp COMMAND --help explains the options of one command.',
  ].join('\n');
}

/** Returns the help of one command: how it is written, its sub-commands and its options. */
export function formatCommandHelp(entry: CommandEntry, style: Style): string {
  // A flag of the command replaces the common one: --version of drafts is the version of a draft.
  const common = Object.entries(commonFlags).filter(([name]) => !Object.hasOwn(entry.flags ?? {}, name));
  const title = (text: string) => ['', style('strong', text)];
  return [
    style('strong', 'Usage'),
    ...formatPair([entry.usage, entry.meaning]),
    ...(entry.subcommands ? [...title('Sub-commands'), ...Object.entries(entry.subcommands).flatMap(formatPair)] : []),
    ...(entry.flags ? [...title('Options'), ...formatFlags(entry.flags)] : []),
    ...title('Options of every command'),
    ...formatFlags(Object.fromEntries(common)),
    '',
    `More: ${entry.document} of the repository.`,
    'brokerage-mcp --help lists all commands and settings.',
  ].join('\n');
}

const formatPair = ([usage, meaning]: readonly [string, string]) => [
  ...inColumn('  ', keepTogether(usage), 6).map(letBreak),
  ...inColumn('      ', meaning),
];

/** A choice in brackets stays on one line. */
const keepTogether = (usage: string) =>
  usage.replace(/[[(][^[\]()]*[\])]/g, (choice) => choice.replaceAll(' ', '\u00a0'));
const letBreak = (line: string) => line.replaceAll('\u00a0', ' ');

function formatFlags(flags: Flags): string[] {
  const rows = Object.entries(flags).map(([name, { kind, value = kind === 'text' ? 'VALUE' : '', description }]) => ({
    flag: `--${name} ${value}`.trimEnd(),
    description: plain(description),
  }));
  const column = Math.max(...rows.map(({ flag }) => flag.length));
  return rows.flatMap(({ flag, description }) => inColumn(`  ${flag.padEnd(column)}  `, description));
}

/** The text after a beginning; its other lines stay in the same column, or in the one of `indent`. */
function inColumn(beginning: string, text: string, indent = beginning.length): string[] {
  return wrap(text, width - Math.max(indent, beginning.length)).map(
    (line, at) => (at === 0 ? beginning : ' '.repeat(indent)) + line,
  );
}

const plain = (markdown: string) => markdown.replaceAll('`', '');
