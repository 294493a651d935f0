/** The accounts of one server: each is a name, a kind, and settings of its own that override those for all. */

import { UsageError } from '../errors.ts';
import { limitNames } from '../orders/intent/risk-limits.ts';
import { didYouMean } from '../text/suggestions.ts';
import { type AccountKind, accountKinds, checkAccountNames } from './account-names.ts';
import { isSet, type RuntimeEnvironment, type Value, type Values } from './runtime-environment.ts';
import { type SecretSetting, secretSettings } from './secrets.ts';
import { findSetting, type SettingName } from './setting-definitions.ts';

/** An account that the owner named. */
export interface NamedAccount {
  readonly name: string;
  readonly kind: AccountKind;
  /** Whether the owner has others too, so that its name has to be shown. */
  readonly isOneOfSeveral: boolean;
}

/** An account with the settings that apply to it. */
interface AccountSettings {
  readonly account: NamedAccount;
  readonly values: Values;
}

/** What an entry of config.json can set for its account alone. */
const ownSettings: readonly SettingName[] = [...secretSettings, ...limitNames];

/**
 * Returns the accounts that are configured, in the order of the owner; none where the owner named none. `BROKER_ACCOUNT`
 * leaves one of them. Throws a UsageError for an invalid list, and for a key that could belong to any of several.
 */
export function readAccounts(values: Values, outside: RuntimeEnvironment): readonly AccountSettings[] {
  const entries = readEntries(values);
  const chosen = values.account;
  if (chosen && !entries.some(({ name }) => name === chosen.text)) {
    const names = entries.map(({ name }) => name);
    throw new UsageError(`${chosen.from} is "${chosen.text}"`, {
      next:
        names.length === 0 ? 'no accounts are configured: set BROKER_ACCOUNTS.' : `${didYouMean(chosen.text, names)}.`,
    });
  }
  const isOneOfSeveral = entries.length > 1;
  const ambiguous = secretSettings.map((name) => values[name]).find((value) => value !== undefined);
  if (isOneOfSeveral && ambiguous && values.environment?.text !== 'sandbox')
    throw new UsageError(`${ambiguous.from} does not say which account it belongs to`, {
      next: `use the name of the account, such as BROKER_API_KEY_${entries[0]?.name.toUpperCase()}.`,
    });
  return entries
    .filter(({ name }) => !chosen || name === chosen.text)
    .map(({ name, kind, own }) => ({
      account: { name, kind, isOneOfSeveral },
      values: { ...values, ...own, ...variablesOf(name, outside) },
    }));
}

/** The variable of an account for a key or its secret, such as `BROKER_API_KEY_FILE_ISA`. */
export const variableOf = (setting: SecretSetting, account: string): string =>
  `${findSetting(setting).variable}_${account.toUpperCase()}`;

/** The names of the variables of the accounts. */
export const accountVariables = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => secretSettings.map((setting) => variableOf(setting, name)));

/** The names that are configured; none for an invalid list. */
export function listAccountNames(values: Values): readonly string[] {
  try {
    return readEntries(values).map(({ name }) => name);
  } catch {
    // The start reports the invalid list.
    return [];
  }
}

interface Entry {
  readonly name: string;
  readonly kind: AccountKind;
  readonly own: Values;
}

/** A list of names chooses among the entries of config.json; a name that has none there is an account too. */
function readEntries({ accounts }: Values): readonly Entry[] {
  if (!accounts) return [];
  if (accounts.isFromFile) return parseFile(accounts);
  const inFile = accounts.inFile ? parseFile(accounts.inFile) : [];
  const given = accounts.text.split(',').map((part) => part.trim().split(':'));
  checkAccountNames(
    given.map(([name = '']) => name),
    accounts.from,
  );
  return given.map(([name = '', kind]) => {
    const known = inFile.find((entry) => entry.name === name);
    if (known && (kind === undefined || kind === known.kind)) return known;
    return { name, kind: readKind(kind ?? name, name, accounts.from), own: {} };
  });
}

function parseFile({ text, from }: Value): readonly Entry[] {
  // config.json can have the names as a text too.
  if (!text.startsWith('[')) return readEntries({ accounts: { text, from } });
  const list = JSON.parse(text) as unknown[];
  const entries = list.map((entry, index) => parseEntry(entry, `entry ${index + 1} of ${from}`));
  checkAccountNames(
    entries.map(({ name }) => name),
    from,
  );
  return entries;
}

function parseEntry(entry: unknown, from: string): Entry {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new UsageError(`${from} is not an object`, { next: 'write name, kind and the key of the account.' });
  const { name, kind, ...rest } = entry as Record<string, unknown>;
  if (typeof name !== 'string') throw new UsageError(`${from} has no name`, { next: 'add "name", such as "isa".' });
  const own: Values = {};
  for (const [key, value] of Object.entries(rest)) {
    const setting = ownSettings.find((one) => one === key);
    if (setting === undefined)
      throw new UsageError(`${from} has the unknown setting "${key.slice(0, 40)}"`, {
        next: `${didYouMean(key, ['name', 'kind', ...ownSettings], (one) => `"${one}"`)}.`,
      });
    const isList = Array.isArray(value) && value.every((word) => typeof word === 'string');
    if (!isList && !['string', 'number', 'boolean'].includes(typeof value))
      throw new UsageError(`"${key}" in ${from} must be a text, a number, true, false, or a list of texts.`);
    const text = isList && key.endsWith('Command') ? JSON.stringify(value) : String(value);
    own[setting] = { text, from: `"${key}" in ${from}`, isFromFile: true };
  }
  return { name, kind: readKind(kind === undefined ? name : String(kind), name, from), own };
}

/** The kind of an account with this text. Throws a UsageError that names `from`. */
export function readKind(kind: string, name: string, from: string): AccountKind {
  const found = accountKinds.find((one) => one === kind);
  if (found) return found;
  throw new UsageError(`${from} does not say what kind of account "${name.slice(0, 40)}" is`, {
    next: `the kinds are ${accountKinds.join(' and ')}, as in ${name.slice(0, 20)}:invest.`,
  });
}

function variablesOf(name: string, { env }: RuntimeEnvironment): Values {
  const found: Values = {};
  for (const setting of secretSettings) {
    const variable = variableOf(setting, name);
    const text = env[variable];
    if (isSet(text)) found[setting] = { text, from: variable };
  }
  return found;
}
