/** Keys: given directly, in files of their owner, or by a command that prints them. */

import { UsageError } from '../errors.ts';
import type { RuntimeEnvironment, Values } from './runtime-environment.ts';
import type { SettingName } from './setting-definitions.ts';

/** The secret itself, or the command that prints it when it is first needed. */
export type Secret = string | { readonly command: CommandLine; readonly from: string };

/** The settings that hold or locate a key or its secret. */
export const secretSettings = [
  'apiKey',
  'apiKeyFile',
  'apiKeyCommand',
  'apiSecret',
  'apiSecretFile',
  'apiSecretCommand',
] as const;
export type SecretSetting = (typeof secretSettings)[number];

/** The key of the selected environment, and its secret if it has one. */
export interface Credentials {
  readonly key: Secret;
  readonly secret?: Secret | undefined;
}

/**
 * Returns the key and its secret; undefined when neither is set. Throws a UsageError for an invalid or incomplete pair.
 */
export function readCredentials(values: Values, outside: RuntimeEnvironment): Credentials | undefined {
  const keys = [values.apiKey, values.apiKeyFile, values.apiKeyCommand];
  const secrets = [values.apiSecret, values.apiSecretFile, values.apiSecretCommand];
  const key = readSecret(keys, outside);
  // A secret in config.json belongs to the key in config.json, which may be another account's.
  const secret = readSecret(
    isAnyVariable(keys) ? secrets.map((one) => (one?.isFromFile ? undefined : one)) : secrets,
    outside,
  );
  if (key === undefined && secret === undefined) return undefined;
  if (key === undefined) throw new UsageError('BROKER_API_KEY is missing', { next: 'a secret needs its key.' });
  const fault = typeof key === 'string' ? findKeyFault(key, secret !== undefined) : undefined;
  if (fault !== undefined) throw new UsageError(`BROKER_API_KEY ${fault}.`);
  return { key, secret };
}

/** Returns why the key cannot be sent, as the rest of a sentence; undefined when it can. */
export function findKeyFault(key: string, hasSecret: boolean): string | undefined {
  // A colon in the key would move the separator between user name and password (RFC 7617).
  if (hasSecret) return key.includes(':') ? 'must not contain a colon' : undefined;
  // The key is sent without encoding, so a character outside visible ASCII would break the header.
  return /^[!-~]+$/.test(key) ? undefined : 'has a character that is not allowed in a header';
}

/**
 * Returns the text of a file that only its owner may read; undefined when the setting is not set. Throws a UsageError
 * for any other file.
 */
export function readSecretFile(value: Values[SettingName], outside: RuntimeEnvironment): string | undefined {
  if (!value) return undefined;
  const text = outside.readFile(value.text);
  if (text === undefined)
    throw new UsageError(`${value.from} names a file that cannot be read: ${value.text}`, { file: value.text });
  const mode = outside.getFileMode(value.text);
  if (mode !== undefined && mode & 0o077)
    throw new UsageError(`other users can read ${value.text}`, {
      next: `run: chmod 600 ${value.text}`,
      file: value.text,
    });
  if (text.trim() === '')
    throw new UsageError(`${value.text} is empty`, {
      next: 'write the value of the setting into it.',
      file: value.text,
    });
  return text.trim();
}

/**
 * A direct value wins over a file, and a file over a command. But any variable wins over config.json, whose key may be
 * another account's.
 */
function readSecret(forms: readonly Values[SettingName][], outside: RuntimeEnvironment): Secret | undefined {
  const isVariable = isAnyVariable(forms);
  const [plain, file, command] = forms.map((value) => (value?.isFromFile && isVariable ? undefined : value));
  const readable = plain?.text || readSecretFile(file, outside);
  return readable ?? (command && { command: parseCommand(command.text, command.from), from: command.from });
}

const isAnyVariable = (forms: readonly Values[SettingName][]): boolean =>
  forms.some((value) => value && !value.isFromFile);

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/**
 * Splits a command into words: a JSON array, or a line split at spaces. Quotes, variables and pipes are not supported,
 * because no shell runs it. Throws a UsageError that names `from`, the source of the text.
 */
export function parseCommand(text: string, from: string): CommandLine {
  const [program, ...args] = text.trimStart().startsWith('[') ? parseList(text, from) : text.trim().split(/\s+/);
  if (!program) throw new UsageError(`${from} is empty`, { next: 'it must be a program and its arguments.' });
  if (!text.trimStart().startsWith('[') && /["'`$|;&<>]/.test(text)) {
    throw new UsageError(`${from} is not run by a shell, so quotes, variables and pipes have no effect`, {
      next: 'use a JSON list of strings instead.',
    });
  }
  return [program, ...args];
}

function parseList(text: string, from: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((word) => typeof word === 'string')) return parsed;
  } catch {
    // Invalid JSON gets the same error message below.
  }
  throw new UsageError(`${from} starts like a JSON list but is not a list of strings.`);
}
