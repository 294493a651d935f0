/** Keys: given themselves, in files of their owner, or by a program that prints them. */
import { UsageError } from '../errors.ts';
import type { RuntimeEnvironment } from './runtime-environment.ts';
import type { SettingName } from './setting-definitions.ts';
import { type CommandLine, parseCommand } from './split-command.ts';
import type { Values } from './values.ts';

/** Itself, or the program that prints it when it is first needed. */
export type Secret = string | { readonly command: CommandLine; readonly from: string };

export const secretSettings = [
  'apiKey',
  'apiKeyFile',
  'apiKeyCommand',
  'apiSecret',
  'apiSecretFile',
  'apiSecretCommand',
] as const;

/** A key, and its secret where it has one, of the environment that was chosen. */
export interface Credentials {
  readonly key: Secret;
  readonly secret?: Secret | undefined;
}

export function readCredentials(values: Values, outside: RuntimeEnvironment): Credentials | undefined {
  const keys = [values.apiKey, values.apiKeyFile, values.apiKeyCommand];
  const secrets = [values.apiSecret, values.apiSecretFile, values.apiSecretCommand];
  const key = readSecret(keys, outside);
  // A secret in config.json belongs to the key there, which may be another account's.
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

/** Why the key cannot be sent, as the rest of a sentence; undefined when it can. */
export function findKeyFault(key: string, hasSecret: boolean): string | undefined {
  // A colon in the key would move the boundary between user name and password (RFC 7617).
  if (hasSecret) return key.includes(':') ? 'must not contain a colon' : undefined;
  // Nothing encodes it: what is no visible ASCII would break the header.
  return /^[!-~]+$/.test(key) ? undefined : 'has a character that is not allowed in a header';
}

/** The text of a file that only its owner may read; throws a UsageError for any other. */
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

/** Itself before its file before its command; but any of the variables before any of config.json, which may be another account's. */
function readSecret(forms: readonly Values[SettingName][], outside: RuntimeEnvironment): Secret | undefined {
  const isVariable = isAnyVariable(forms);
  const [plain, file, command] = forms.map((value) => (value?.isFromFile && isVariable ? undefined : value));
  const readable = plain?.text || readSecretFile(file, outside);
  return readable ?? (command && { command: parseCommand(command.text, command.from), from: command.from });
}

const isAnyVariable = (forms: readonly Values[SettingName][]): boolean =>
  forms.some((value) => value && !value.isFromFile);
