/** config.json, the stored key and its secret: with them, a command in a shell uses the same account as the host. */
import { chmodSync, existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../../core/errors.ts';
import type { Environment } from '../../core/settings/config.ts';
import { parseCommand, secretSettings } from '../../core/settings/secrets.ts';
import type { SettingName } from '../../core/settings/setting-definitions.ts';
import { type CostEntryText, costBasisKey } from '../../core/settings/tax-entries.ts';
import type { AddedAccount, EntryOptions, KeySources } from './entry.ts';
import {
  fromSystemError,
  type HostFile,
  HostFileError,
  readHostFile,
  removeHostFile,
  replaceHostFile,
  type WriteResult,
} from './files.ts';
import { readMember, removeMember, setMember, UnsupportedLayoutError } from './jsonc-edit.ts';
import { readJsonText, toValue } from './jsonc-parse.ts';

export interface ConfigEdit {
  readonly file: HostFile;
  readonly text: string;
  readonly before: object;
  readonly after: object;
}

/** Returns the path of config.json. */
export const configFile = (folder: string) => join(folder, 'config.json');

/** Returns one setting of config.json as text; undefined when it is not set or not a string. */
export function configured(folder: string, name: SettingName): string | undefined {
  return orStop(folder, () => {
    const value = readMember(readHostFile(configFile(folder)).text, [name]);
    return typeof value === 'string' ? value : undefined;
  });
}

/** Whether config.json names accounts, each with its key. Throws a UsageError. */
export const hasAccounts = (folder: string): boolean =>
  orStop(folder, () => readMember(readHostFile(configFile(folder)).text, ['accounts']) !== undefined);

/** Returns the list of costs in config.json as it is there; undefined when there is none. Throws a UsageError. */
export const readCostBasis = (folder: string): unknown =>
  orStop(folder, () => readMember(readHostFile(configFile(folder)).text, [costBasisKey]));

/** Replaces the list of costs in config.json, and removes the key for an empty list. Throws a UsageError. */
export const writeCostBasis = (folder: string, entries: readonly CostEntryText[]): void =>
  orStop(folder, () => {
    makePrivate(folder);
    const file = readHostFile(configFile(folder));
    const text =
      entries.length === 0
        ? removeMember(file.text, [costBasisKey])
        : setMember(file.text, [costBasisKey], entries).text;
    replaceHostFile(file, text, undefined);
  });

/**
 * Returns config.json with the chosen settings. Others, above all risk limits, stay unchanged. Throws a UsageError for
 * an unreadable file.
 */
export const planConfig = (folder: string, choice: EntryOptions): ConfigEdit =>
  orStop(folder, () => planned(folder, choice));

function planned(folder: string, choice: EntryOptions): ConfigEdit {
  const file = readHostFile(configFile(folder));
  const { environment, baseUrl, keys } = choice;
  const wanted = new Map<SettingName, unknown>([['environment', environment]]);
  if (choice.flags['state-dir'] !== undefined) wanted.set('stateDir', choice.flags['state-dir']);
  if (environment !== 'sandbox') {
    if (baseUrl !== undefined) wanted.set(environment === 'demo' ? 'demoBaseUrl' : 'liveBaseUrl', baseUrl);
    for (const [name, value] of keySettings(keys)) wanted.set(name, choice.account ? undefined : value);
  }
  if (choice.account) wanted.set('accounts', listWith(file.text, choice.account, keys));
  // Live trading was switched on for an earlier account, so it does not apply to a new one.
  const wasLive = readMember(file.text, ['environment']) === 'live';
  if (environment === 'live' && !wasLive) wanted.set('liveTrading', undefined);
  let { text } = file;
  for (const [name, value] of wanted)
    text = value === undefined ? removeMember(text, [name]) : setMember(text, [name], value).text;
  return { file, text, before: parseMembers(file.text), after: parseMembers(text) };
}

/**
 * The accounts of config.json with this one, which replaces one of its name. A key that had no account becomes that of
 * `invest`.
 */
function listWith(text: string, { name, kind }: AddedAccount, keys: KeySources | undefined): readonly object[] {
  const known = readMember(text, ['accounts']);
  const ownKeys = (read: (setting: SettingName) => unknown) =>
    Object.fromEntries(secretSettings.flatMap((one) => (read(one) === undefined ? [] : [[one, read(one)]])));
  const unnamed = ownKeys((setting) => readMember(text, [setting]));
  const before = Array.isArray(known)
    ? (known as object[])
    : Object.keys(unnamed).length > 0
      ? [{ name: 'invest', kind: 'invest', ...unnamed }]
      : [];
  const added = { name, kind, ...ownKeys((setting) => new Map(keySettings(keys)).get(setting)) };
  const others = before.filter((one) => !('name' in one) || one.name !== name);
  return [...others, added];
}

/**
 * Turns file errors into a UsageError before anything is written: without readable settings no part of the program
 * works.
 */
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

/**
 * Lists every form of the key and its secret. The ones not chosen are removed, because one of them would take
 * precedence.
 */
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

/** Returns where init stores the key and the secret of an environment; the files need not exist. */
export const storedKeys = (folder: string, environment: Environment) => ({
  kind: 'files' as const,
  key: join(folder, `${environment}-key`),
  secret: join(folder, `${environment}-secret`),
});

/** Returns the existing files of the key and, if any, its secret. Undefined without a key file. */
export function findStored(folder: string, environment: Environment): StoredKeys | undefined {
  const { kind, key, secret } = storedKeys(folder, environment);
  if (!existsSync(key)) return undefined;
  return existsSync(secret) ? { kind, key, secret } : { kind, key };
}

export type StoredKeys = Extract<KeySources, { kind: 'files' }>;

/** Whether the files already contain this key and secret. */
export function isStored(stored: StoredKeys | undefined, typed: TypedKey): boolean {
  const read = (path: string | undefined) => (path === undefined ? undefined : readHostFile(path).text.trim());
  return stored !== undefined && read(stored.key) === typed.key && read(stored.secret) === typed.secret;
}

/** A key that a user typed, with its secret if it has one. */
export interface TypedKey {
  readonly key: string;
  readonly secret?: string | undefined;
}

/**
 * Writes a secret that only its owner can read. The folder is restricted first, so the file is never exposed. Throws a
 * HostFileError.
 */
export function storeSecret(folder: string, path: string, secret: string): WriteResult {
  makePrivate(folder);
  const file = readHostFile(path);
  // No backup, because it would keep a copy of the old secret.
  return replaceHostFile({ ...file, stats: undefined }, `${secret}\n`, undefined);
}

/**
 * Creates a folder for its owner only. An existing folder with another name can belong to other programs, so it stays
 * unchanged and only files in it are restricted. On Windows modes have no effect.
 */
export function makePrivate(folder: string): void {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined || basename(folder) === 'brokerage-mcp') chmodSync(folder, 0o700);
  } catch (error) {
    throw fromSystemError(folder, error);
  }
}

/** Deletes a stored key or secret if it exists, without a backup. Throws a HostFileError. */
export function deleteStoredKeys(path: string): void {
  const file = readHostFile(path);
  if (file.bytes) removeHostFile(file, undefined);
}

/** Removes a folder if it is empty. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty, or this user may not remove it.
  }
}
