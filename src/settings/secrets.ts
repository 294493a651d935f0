/** Keys: given themselves, in files of their owner, or by a program that prints them. */
import { StartError } from '../errors.ts';
import type { Surroundings } from './runtime-environment.ts';
import type { SettingName } from './setting-definitions.ts';
import { type CommandWords, parseCommand } from './split-command.ts';
import type { Values } from './values.ts';

/** Itself, or the program that prints it when it is first needed. */
export type Secret = string | { readonly command: CommandWords; readonly from: string };

export const secretSettings = [
  'apiKey',
  'apiKeyFile',
  'apiKeyCommand',
  'apiSecret',
  'apiSecretFile',
  'apiSecretCommand',
] as const;

/** A key and its secret, of the environment that was chosen. */
export interface Credentials {
  readonly key: Secret;
  readonly secret: Secret;
}

export function readCredentials(values: Values, outside: Surroundings): Credentials | undefined {
  const key = readSecret([values.apiKey, values.apiKeyFile, values.apiKeyCommand], outside);
  const secret = readSecret([values.apiSecret, values.apiSecretFile, values.apiSecretCommand], outside);
  if (key === undefined && secret === undefined) return undefined;
  if (key === undefined || secret === undefined) {
    const missing = key === undefined ? 'BROKER_API_KEY' : 'BROKER_API_SECRET';
    throw new StartError(`${missing} is missing`, { next: 'a key and its secret are needed together.' });
  }
  // A colon in the key would move the boundary between user name and password (RFC 7617).
  if (typeof key === 'string' && key.includes(':')) throw new StartError('BROKER_API_KEY must not contain a colon.');
  return { key, secret };
}

/** The text of a file that only its owner may read; throws a StartError for any other. */
export function readSecretFile(value: Values[SettingName], outside: Surroundings): string | undefined {
  if (!value) return undefined;
  const text = outside.readFile(value.text);
  if (text === undefined)
    throw new StartError(`${value.from} names a file that cannot be read: ${value.text}`, { file: value.text });
  const mode = outside.modeOf(value.text);
  if (mode !== undefined && mode & 0o077)
    throw new StartError(`${value.text} can be read by others`, {
      next: `run: chmod 600 ${value.text}`,
      file: value.text,
    });
  return text.trim();
}

/** Itself before its file before its command; but any of the variables before any of config.json, which may be another account's. */
function readSecret(forms: readonly Values[SettingName][], outside: Surroundings): Secret | undefined {
  const isVariable = forms.some((value) => value && !value.isFromFile);
  const [plain, file, command] = forms.map((value) => (value?.isFromFile && isVariable ? undefined : value));
  const readable = plain?.text ?? readSecretFile(file, outside);
  return readable ?? (command && { command: parseCommand(command.text, command.from), from: command.from });
}
