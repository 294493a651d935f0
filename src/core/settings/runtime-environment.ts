import { UsageError } from '../errors.ts';
import type { SettingName } from './setting-definitions.ts';

/** What the settings read from outside the program; main.ts fills it from `process`. */
export interface RuntimeEnvironment {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Returns the text of a file, or undefined when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
  /** Whether a file exists, even if it cannot be read; when undefined, the disk is checked. */
  readonly hasFile?: (path: string) => boolean;
  /** Returns the permission bits of a file; undefined where they have no meaning (Windows). */
  readonly getFileMode: (path: string) => number | undefined;
}

/** Returns the same environment without files, to evaluate only flags and variables. */
export const withoutFiles = <Outside extends RuntimeEnvironment>(outside: Outside): Outside => ({
  ...outside,
  readFile: () => undefined,
  hasFile: () => false,
});

// The values of the settings and their sources; errors name the source.

export interface Value {
  readonly text: string;
  readonly from: string;
  readonly isFromFile?: true;
  /** What config.json has where a flag or variable overrides it; kept for the list of accounts alone. */
  readonly inFile?: Value;
}

/** The settings that are set. `from` names the flag, variable or file of a value. */
export type Values = Partial<Record<SettingName, Value>>;

/**
 * Whether a variable has a value. A host passes an empty form field as an empty string, or as the unfilled placeholder
 * of its form; neither is a value.
 */
export const isSet = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && !/^\$\{user_config\.\w+\}$/.test(text);

/** Returns a boolean setting; false when it is not set. Throws a UsageError for another value. */
export function readFlag(value: Value | undefined): boolean {
  if (!value) return false;
  const word = value.text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  throw new UsageError(`${value.from} is "${value.text}"`, { next: 'it must be true or false.' });
}
