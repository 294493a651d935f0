import { UsageError } from '../errors.ts';
import { type Setting, settings } from '../settings/setting-definitions.ts';
import { didYouMean } from '../suggestions.ts';

export interface ParsedArguments {
  readonly words: readonly string[];
  /** Flags by name without the dashes; a switch without a value is "true". */
  readonly flags: Readonly<Record<string, string>>;
}

export interface FlagKinds {
  readonly [flag: string]: 'text' | 'switch';
}

/** The flags of every command: one per setting, --help and --version. */
export const commonFlags: FlagKinds = {
  help: 'switch',
  version: 'switch',
  ...Object.fromEntries(
    Object.values<Setting>(settings).flatMap((setting) => (setting.flag ? [[setting.flag, setting.kind]] : [])),
  ),
};

/**
 * Parses `--flag value`, `--flag=value` and words. Throws a UsageError that suggests the nearest flag for an unknown
 * one.
 */
export function parseArguments(argv: readonly string[], kinds: FlagKinds): ParsedArguments {
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
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!kind) {
      const instead = didYouMean(name, Object.keys(kinds), (flag) => `--${flag}`);
      throw new UsageError(`--${name} is not a flag; ${instead}.`);
    }
    if (inline !== undefined) flags[name] = inline;
    else if (kind === 'switch') flags[name] = 'true';
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
