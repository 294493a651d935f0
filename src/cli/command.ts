/** The type of a command: words and flags in, an exit code out; and of its entry in the table. */

import { UsageError } from '../core/errors.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { type Setting, settings } from '../core/settings/setting-definitions.ts';
import { closestMatches, didYouMean } from '../core/text/suggestions.ts';

/** The values of the flags that were given, by name without the dashes; a switch without a value is "true". */
export type FlagValues = Readonly<Record<string, string>>;

export type Command = (
  input: { readonly words: readonly string[]; readonly flags: FlagValues },
  terminal: ProcessContext,
) => Promise<number>;

/** An action of a command, which opens the parts for it. Returns the exit code. */
export type Action<Parts> = (
  parts: Parts,
  words: readonly string[],
  flags: FlagValues,
  terminal: ProcessContext,
) => Promise<number>;

/** The action of a command by its name. Throws a UsageError with the nearest one. */
export function findAction<Action>(command: string, actions: Readonly<Record<string, Action>>, name: string): Action {
  const found = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (found === undefined)
    throw new UsageError(`${command} ${name} does not exist; ${didYouMean(name, Object.keys(actions))}.`);
  return found;
}

/** The parts of the overview of commands. */
export type CommandGroup = 'everyday' | 'live' | 'administration';

export interface CommandEntry {
  readonly group: CommandGroup;
  readonly usage: string;
  readonly meaning: string;
  /** What each does, by its usage. */
  readonly subcommands?: Readonly<Record<string, string>>;
  /** Flags in addition to the common ones. */
  readonly flags?: Flags;
  /** The file of this repository that says more. */
  readonly document: string;
  /** Set when it takes flags alone, so that a mistyped line does not run without what its words ask for. */
  readonly takesNoWords?: true;
  /** Loads the command when it runs, so that a start loads no other command. */
  readonly load: () => Promise<Command>;
}

interface ParsedArguments {
  readonly words: readonly string[];
  readonly flags: FlagValues;
}

export interface Flag {
  /** A switch can be given without a value. */
  readonly kind: 'text' | 'switch';
  /** The value as the help shows it. */
  readonly value?: string;
  readonly description: string;
}

/** Flags by name without the dashes. */
export type Flags = Readonly<Record<string, Flag>>;

/** The flags of every command: one per setting, --help and --version. */
export const commonFlags: Flags = {
  help: { kind: 'switch', description: 'print this help, as -h does' },
  version: { kind: 'switch', description: 'print the version' },
  ...Object.fromEntries(
    Object.values<Setting>(settings).flatMap((setting) => (setting.flag ? [[setting.flag, setting]] : [])),
  ),
};

/**
 * Parses `--flag value`, `--flag=value` and words. Throws a UsageError for an unknown flag, with the nearest one, else
 * with the command whose help has all of them.
 */
export function parseArguments(argv: readonly string[], accepted: Flags, command?: string): ParsedArguments {
  const words: string[] = [];
  const flags: Record<string, string> = {};
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] as string;
    if (argument === '-h') {
      flags.help = 'true';
      continue;
    }
    if (!argument.startsWith('--')) {
      words.push(argument);
      continue;
    }
    const [name = '', inline] = splitOnce(argument.slice(2));
    const flag = Object.hasOwn(accepted, name) ? accepted[name] : undefined;
    if (!flag) {
      const [near] = closestMatches(name, Object.keys(accepted), 1);
      const help = ['brokerage-mcp', command, '--help'].filter(Boolean).join(' ');
      const instead = near === undefined ? `${help} lists the flags` : `the closest one is --${near}`;
      throw new UsageError(`--${name} is not a flag${command === undefined ? '' : ` of ${command}`}; ${instead}.`);
    }
    if (inline !== undefined) flags[name] = inline;
    else if (flag.kind === 'switch') flags[name] = 'true';
    else {
      const value = argv[++index];
      if (value === undefined || value.startsWith('--')) throw new UsageError(`--${name} needs a value.`);
      flags[name] = value;
    }
  }
  return { words, flags };
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
