import { type Setting, settings } from '../settings/setting-definitions.ts';
import type { CommandEntry } from './command.ts';
import { commonFlags, type Flags } from './parse-command-line.ts';

/** Returns the overview that --help prints, from the commands and the settings. */
export function formatHelp(commands: readonly CommandEntry[]): string {
  const flags = Object.values<Setting>(settings)
    .map((setting) => [setting.flag ? `--${setting.flag}` : '', setting.variable, plain(setting.description)] as const)
    .map(([flag, variable, meaning]) => `  ${flag.padEnd(13)} ${variable.padEnd(30)} ${meaning}`);
  return [
    'brokerage-mcp: a Model Context Protocol server for a brokerage account.',
    '',
    'Commands',
    ...commands.flatMap(formatEntry),
    '',
    'Settings: flag, environment variable, meaning (the first one given wins; then config.json)',
    ...flags,
    '',
    '  --help        --version',
    '',
    'brokerage-mcp COMMAND --help explains the options of one command.',
  ].join('\n');
}

/** Returns the help of one command: how it is written, its sub-commands and its options. */
export function formatCommandHelp(entry: CommandEntry): string {
  // A flag of the command replaces the common one: --version of drafts is the version of a draft.
  const common = Object.entries(commonFlags).filter(([name]) => !Object.hasOwn(entry.flags ?? {}, name));
  return [
    'Usage',
    ...formatEntry(entry),
    ...(entry.subcommands ? ['', 'Sub-commands', ...Object.entries(entry.subcommands).flatMap(formatPair)] : []),
    ...(entry.flags ? ['', 'Options', ...formatFlags(entry.flags)] : []),
    '',
    'Options of every command',
    ...formatFlags(Object.fromEntries(common)),
    '',
    `More: ${entry.document} of the repository. brokerage-mcp --help lists all commands and settings.`,
  ].join('\n');
}

const formatEntry = ({ usage, meaning }: CommandEntry) => formatPair([usage, meaning]);

const formatPair = ([usage, meaning]: readonly [string, string]) => [`  ${usage}`, `      ${meaning}`];

function formatFlags(flags: Flags): string[] {
  const rows = Object.entries(flags).map(([name, { kind, value = kind === 'text' ? 'VALUE' : '', description }]) => ({
    flag: `--${name} ${value}`.trimEnd(),
    description: plain(description),
  }));
  const width = Math.max(...rows.map(({ flag }) => flag.length));
  return rows.map(({ flag, description }) => `  ${flag.padEnd(width)}  ${description}`);
}

const plain = (markdown: string) => markdown.replaceAll('`', '');
