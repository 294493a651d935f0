/** config.json, the stored key and its secret: what a command typed in a shell needs to meet the host's account. */
import { chmodSync, existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Environment } from '../config.ts';
import { UsageError } from '../errors.ts';
import type { SettingName } from '../settings/setting-definitions.ts';
import { parseCommand } from '../settings/split-command.ts';
import type { EntryOptions, KeySources } from './entry.ts';
import { fromSystemError, HostFileError } from './file-error.ts';
import { type HostFile, readHostFile, removeHostFile, replaceHostFile, type WriteResult } from './files.ts';
import { readMember, removeMember, setMember, UnsupportedLayoutError } from './jsonc-edit.ts';
import { readJsonText, toValue } from './jsonc-parse.ts';

export interface ConfigEdit {
  readonly file: HostFile;
  readonly text: string;
  readonly before: object;
  readonly after: object;
}

export const configFile = (folder: string) => join(folder, 'config.json');

/** One setting of config.json as text, or undefined. */
export function configured(folder: string, name: SettingName): string | undefined {
  return orStop(folder, () => {
    const value = readMember(readHostFile(configFile(folder)).text, [name]);
    return typeof value === 'string' ? value : undefined;
  });
}

/** config.json as it should be. Other settings, risk limits above all, stay as they are. Throws a UsageError. */
export const planConfig = (folder: string, choice: EntryOptions): ConfigEdit =>
  orStop(folder, () => planned(folder, choice));

function planned(folder: string, choice: EntryOptions): ConfigEdit {
  const file = readHostFile(configFile(folder));
  const { environment, baseUrl, keys } = choice;
  const wanted = new Map<SettingName, unknown>([['environment', environment]]);
  if (choice.flags['state-dir'] !== undefined) wanted.set('stateDir', choice.flags['state-dir']);
  if (environment !== 'sandbox') {
    if (baseUrl !== undefined) wanted.set(environment === 'demo' ? 'demoBaseUrl' : 'liveBaseUrl', baseUrl);
    for (const [name, value] of keySettings(keys)) wanted.set(name, value);
  }
  // Whoever switched live trading on did so for the account of that time, and not for this one.
  const wasLive = readMember(file.text, ['environment']) === 'live';
  if (environment === 'live' && !wasLive) wanted.set('liveTrading', undefined);
  let { text } = file;
  for (const [name, value] of wanted)
    text = value === undefined ? removeMember(text, [name]) : setMember(text, [name], value).text;
  return { file, text, before: parseMembers(file.text), after: parseMembers(text) };
}

/** Without settings that can be read nothing of the program works, so nothing is begun. */
function orStop<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const path = configFile(folder);
    if (error instanceof HostFileError) throw new UsageError(`${error.message} ${error.next}`);
    if (error instanceof UnsupportedLayoutError)
      throw new UsageError(`${path} ${error.message}; correct it or remove it.`);
    if (error instanceof SyntaxError)
      throw new UsageError(`${path} cannot be read: ${error.message}; correct it or remove it.`);
    throw error;
  }
}

/** Every form of the key and its secret: those that are not chosen go, because one of them would win. */
function keySettings(keys: KeySources | undefined): [SettingName, unknown][] {
  if (!keys || keys.kind === 'inputs') return [];
  const files = keys.kind === 'files' ? keys : undefined;
  const words = (text: string) => parseCommand(text, 'the command');
  return [
    ['apiKey', undefined],
    ['apiSecret', undefined],
    ['apiKeyFile', files?.key],
    ['apiSecretFile', files?.secret],
    ['apiKeyCommand', keys.kind === 'commands' ? words(keys.key) : undefined],
    ['apiSecretCommand', keys.kind === 'commands' && keys.secret !== undefined ? words(keys.secret) : undefined],
  ];
}

const parseMembers = (text: string): object => {
  const root = readJsonText(text);
  return root ? (toValue(root) as object) : {};
};

export const storedKeys = (folder: string, environment: Environment) => ({
  kind: 'files' as const,
  key: join(folder, `${environment}-key`),
  secret: join(folder, `${environment}-secret`),
});

/** The files that are there: of the key, and of the secret when it has one. Undefined without a key. */
export function findStored(folder: string, environment: Environment): StoredKeys | undefined {
  const { kind, key, secret } = storedKeys(folder, environment);
  if (!existsSync(key)) return undefined;
  return existsSync(secret) ? { kind, key, secret } : { kind, key };
}

export type StoredKeys = Extract<KeySources, { kind: 'files' }>;

/** Whether the files hold this already. */
export function isStored(stored: StoredKeys | undefined, typed: TypedKey): boolean {
  const read = (path: string | undefined) => (path === undefined ? undefined : readHostFile(path).text.trim());
  return stored !== undefined && read(stored.key) === typed.key && read(stored.secret) === typed.secret;
}

/** A key as a person typed it, with the secret if it has one. */
export interface TypedKey {
  readonly key: string;
  readonly secret?: string | undefined;
}

/** Writes a secret for its owner alone. The folder is closed to others first, so there is no moment when it is open. */
export function storeSecret(folder: string, path: string, secret: string): WriteResult {
  makePrivate(folder);
  const file = readHostFile(path);
  // No copy of an old secret is left lying about.
  return replaceHostFile({ ...file, stats: undefined }, `${secret}\n`, undefined);
}

/** A folder of another name may be anybody's, and then only what is put into it is closed. Modes mean nothing on Windows. */
export function makePrivate(folder: string): void {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined || basename(folder) === 'brokerage-mcp') chmodSync(folder, 0o700);
  } catch (error) {
    throw fromSystemError(folder, error);
  }
}

export function deleteStoredKeys(path: string): void {
  const file = readHostFile(path);
  if (file.bytes) removeHostFile(file, undefined);
}

/** Leaves a folder that still holds something. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty, or not ours to remove.
  }
}
