import { UsageError } from '../core/errors.ts';
import { type Setting, settings } from '../core/settings/setting-definitions.ts';
import { closestMatches } from '../core/text/suggestions.ts';

export interface ParsedArguments {
  readonly words: readonly string[];
  /** Flags by name without the dashes; a switch without a value is "true". */
  readonly flags: Readonly<Record<string, string>>;
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
