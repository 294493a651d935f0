/** Loads flags, variables and config.json without interpreting the values. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { closestMatches, didYouMean } from '../text/suggestions.ts';
import { accountVariables, listAccountNames } from './accounts.ts';
import { configFile, defaultStateDir } from './paths.ts';
import { isSet, type RuntimeEnvironment, type Values } from './runtime-environment.ts';
import { findSetting, type SettingName, settings } from './setting-definitions.ts';
import { costBasisKey } from './tax-entries.ts';

/** Returns what is set and where. Does not validate values. Throws a UsageError for an unusable config.json. */
export function loadSettings(flags: Readonly<Record<string, string>>, outside: RuntimeEnvironment): Values {
  const file = readConfigFile(outside);
  const values: Values = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const setting = findSetting(name);
    const flag = setting.flag && flags[setting.flag];
    const variable = outside.env[setting.variable];
    const inFile = file.values[name];
    const own =
      inFile === undefined ? undefined : { text: inFile, from: `"${name}" in ${file.path}`, isFromFile: true as const };
    if (flag !== undefined) values[name] = { text: flag, from: `--${setting.flag}` };
    else if (isSet(variable))
      values[name] = { text: variable, from: setting.variable, ...(name === 'accounts' && own && { inFile: own }) };
    else if (own) values[name] = own;
  }
  return values;
}

/** Characters of an unknown key that a message repeats. */
const maxShownKey = 80;

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

function readConfigFile(outside: RuntimeEnvironment): { path: string; values: Record<string, string> } {
  const path = configFile(outside);
  const text = outside.readFile(path);
  if (text === undefined) {
    // An unreadable file is an error: without it, its risk limits and readOnly would silently not apply.
    if ((outside.hasFile ?? existsSync)(path))
      throw new UsageError(`${path} exists but cannot be read`, {
        next: `take ownership of it (sudo chown $(id -u) '${path}' && chmod 600 '${path}') or remove it.`,
      });
    return { path, values: {} };
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // JSON.parse throws for invalid JSON only.
    throw new UsageError(`${path} is not valid JSON`, { next: 'correct it or remove it.', code: 'not_json' });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UsageError(`${path} must contain a single JSON object.`);
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(parsed)) {
    // A list of its own that commands read and write (cost-entries.ts).
    if (key === costBasisKey) continue;
    if (!(key in settings)) {
      const instead = didYouMean(key, Object.keys(settings), (name) => `"${name}"`);
      throw new UsageError(`${path} has the unknown setting "${key.slice(0, maxShownKey)}"`, { next: `${instead}.` });
    }
    if (key === 'accounts' && Array.isArray(value) && !value.every(isPlain)) {
      values[key] = writeList(value, path);
      continue;
    }
    // A deeply nested list exhausts the stack when it is made a text.
    if (!isPlain(value) && !(Array.isArray(value) && value.every(isPlain)))
      throw new UsageError(`"${key}" in ${path} must be a text, a number, true, false, or a list of texts.`);
    values[key] = key.endsWith('Command') && Array.isArray(value) ? JSON.stringify(value) : String(value);
  }
  return { path, values };
}

/** The text of a list of accounts. Throws a UsageError for one that is nested too deeply to be written. */
function writeList(value: readonly unknown[], path: string): string {
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.stringify exhausts the stack for a deeply nested list only.
    throw new UsageError(`"accounts" in ${path} must be a list of objects.`);
  }
}

/**
 * Returns warnings that name unknown variables and the likely intended one: a misspelt limit would silently not
 * protect. Unknown variables with the same prefix may belong to another program, so this is not an error.
 */
export function unknownVariables(env: RuntimeEnvironment['env'], values: Values = {}): string[] {
  const ofAll: string[] = Object.values(settings).map((setting) => setting.variable);
  const known = [...ofAll, ...accountVariables(listAccountNames(values))];
  const words = known.map((name) => name.replace('BROKER_', ''));
  return Object.keys(env)
    .filter((name) => name.startsWith('BROKER_') && !known.includes(name))
    .flatMap((name) => {
      const [near] = closestMatches(name.replace('BROKER_', ''), words, 1);
      return near === undefined ? [] : [`${name} is not a setting of this program; the closest one is BROKER_${near}.`];
    });
}

/** Returns the state folder as an absolute path. */
export const stateDirIn = (values: Values, outside: RuntimeEnvironment): string =>
  resolve(values.stateDir?.text ?? defaultStateDir(outside));

/** Returns the state folder even if another setting is invalid, for commands that must work then too. */
export function readStateDir(flags: Readonly<Record<string, string>>, outside: RuntimeEnvironment): string {
  try {
    return stateDirIn(loadSettings(flags, outside), outside);
  } catch {
    // Another setting is invalid; the command reports that itself.
    const { stateDir } = settings;
    const variable = outside.env[stateDir.variable];
    return resolve(flags[stateDir.flag] ?? (isSet(variable) ? variable : defaultStateDir(outside)));
  }
}
