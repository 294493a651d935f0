/** The configuration of one start: the settings, parsed and checked. */

import { type AddressFault, isLoopbackHost, readServiceAddress } from '../broker/service-url.ts';
import { UsageError } from '../errors.ts';
import { type LogLevel, logLevels } from '../log.ts';
import { approvalMethods } from '../orders/intent/approval-methods.ts';
import { type ConfiguredLimits, type LimitKind, limitNames, limitRows } from '../orders/intent/risk-limits.ts';
import { parseUrl } from '../text/parse-url.ts';
import { didYouMean } from '../text/suggestions.ts';
import { type NamedAccount, readAccounts } from './accounts.ts';
import { type Environment, environments } from './environments.ts';
import { readPublicUrl } from './http-settings.ts';
import { loadSettings, stateDirIn, unknownVariables } from './load-settings.ts';
import { type NotifySettings, noNotifications, readNotifySettings } from './notify-settings.ts';
import { configDir } from './paths.ts';
import { type RuntimeEnvironment, readFlag, type Value, type Values } from './runtime-environment.ts';
import { type Credentials, readCredentials, readSecretFile, secretSettings } from './secrets.ts';

export { type Environment, environments };

/** The names of the toolsets. They are public. */
export const toolsets = [
  'account',
  'instruments',
  'orders',
  'drafting',
  'trading',
  'history',
  'exports',
  'analytics',
  'status',
  'pies',
] as const;
export type Toolset = (typeof toolsets)[number];

/** The configuration of one start, after validation. */
export interface Config {
  readonly environment: Environment;
  /** Undefined in the sandbox, and in demo or live when it was not given: then each call reports what is missing. */
  readonly baseUrl: string | undefined;
  readonly credentials: Credentials | undefined;
  readonly readOnly: boolean;
  readonly toolsets: readonly Toolset[];
  readonly stateDir: string;
  /** The folder of config.json and of the owner's records for tax. */
  readonly configDir: string;
  /** The address of a PostgreSQL database that several machines share. The sandbox does not use it. */
  readonly stateUrl: string | undefined;
  readonly liveTrading: boolean;
  /** As configured; undefined means the default of the environment. */
  readonly approval: ApprovalMode | undefined;
  /** Where a person reaches the approval page from elsewhere. Undefined: only on this machine. */
  readonly approvalPage?: PublicPage | undefined;
  /** The time zone of tax days (IANA name). Undefined: London for accounts in GBP, else that of the machine. */
  readonly taxZone: string | undefined;
  /** Where notifications go, how much they say, and when. */
  readonly notify: NotifySettings;
  /** What is written to standard error. */
  readonly logLevel: LogLevel;
  /** The account that this configuration is about, where the owner named it. */
  readonly account?: NamedAccount | undefined;
  /** What may be paid into ISAs in a tax year; undefined when the owner did not say. */
  readonly isaAllowance?: string | undefined;
  /** The risk limits that were configured; the others have their defaults. */
  readonly limits: ConfiguredLimits;
  /** Probable mistakes that do not stop the start; one line each. */
  readonly warnings: readonly string[];
}

export interface PublicPage {
  /** `https://HOST`, without a slash at its end. */
  readonly origin: string;
  /** The port on 127.0.0.1 to which a proxy passes on what is for that origin. */
  readonly port: number;
}

/** How orders can be approved; `none` is not allowed in live. */
export const approvalModes = [...approvalMethods, 'none'] as const;
type ApprovalMode = (typeof approvalModes)[number];

/** A configuration for each account of the owner, in the owner's order; one without a name where none is named. */
export type Configs = readonly [Config, ...Config[]];

/**
 * Reads the configuration of one account, as `readConfigs`. Throws a UsageError where several are configured and
 * `BROKER_ACCOUNT` does not choose one.
 */
export function readConfig(flags: Readonly<Record<string, string>>, outside: RuntimeEnvironment): Config {
  const [config, ...others] = readConfigs(flags, outside);
  if (others.length === 0) return config;
  const names = [config, ...others].map(({ account }) => account?.name);
  throw new UsageError('several accounts are configured, and this needs one of them', {
    next: `add --account with one of: ${names.join(', ')}.`,
  });
}

/**
 * Reads the configuration. A command-line flag overrides an environment variable, and that overrides config.json.
 * For an invalid value it throws a UsageError of one line, which names the closest valid value.
 */
export function readConfigs(flags: Readonly<Record<string, string>>, outside: RuntimeEnvironment): Configs {
  const values = loadSettings(flags, outside);
  const [first, ...others] = readAccounts(values, outside);
  if (!first) return [readValues(values, undefined, outside)];
  const configs: Configs = [
    readValues(first.values, first.account, outside),
    ...others.map((one) => readValues(one.values, one.account, outside)),
  ];
  refuseSharedKey(configs);
  return configs;
}

/** Two accounts with one key are one account, which every total would count twice. */
function refuseSharedKey(configs: Configs): void {
  for (const [index, { credentials, account }] of configs.entries()) {
    const same = configs
      .slice(0, index)
      .find(
        (other) =>
          credentials !== undefined && JSON.stringify(other.credentials?.key) === JSON.stringify(credentials.key),
      );
    if (same)
      throw new UsageError(`the accounts ${same.account?.name} and ${account?.name} have the same key`, {
        next: 'give each account its own key.',
      });
  }
}

function readValues(values: Values, account: NamedAccount | undefined, outside: RuntimeEnvironment): Config {
  const environment = chooseEnvironment(values);
  // Without certificate checks, any computer on the network path could read the key and forge responses.
  if (environment === 'live' && outside.env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    throw new UsageError('NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks, which live does not allow', {
      next: 'remove it, or set NODE_EXTRA_CA_CERTS to the file of your company’s certificate.',
    });
  const stateUrl = readStateUrl(values, outside);
  const warnings = [...unknownVariables(outside.env, values), ...(stateUrl ? plaintextWarning(stateUrl) : [])];

  const baseUrl = environment === 'sandbox' ? undefined : readBaseUrl(values, environment);
  const credentials = environment === 'sandbox' ? undefined : readCredentials(values, outside);
  return {
    environment,
    baseUrl,
    credentials,
    readOnly: readFlag(values.readOnly),
    toolsets: readToolsets(values),
    stateDir: stateDirIn(values, outside),
    configDir: configDir(outside),
    stateUrl,
    liveTrading: readFlag(values.liveTrading),
    approval: readApproval(values, environment),
    approvalPage: readApprovalPage(values),
    taxZone: readTaxZone(values),
    notify: readNotifySettings(values, outside),
    logLevel: readWord(values.log, logLevels) ?? 'error',
    ...(account && { account }),
    ...(values.isaAllowance && {
      isaAllowance: readDigits(values.isaAllowance, amountPattern, amountExample),
    }),
    limits: readLimits(values),
    warnings,
  };
}

function chooseEnvironment(values: Values): Environment {
  const given = values.environment;
  if (given) {
    const found = environments.find((name) => name === given.text);
    if (found) return found;
    throw new UsageError(`${given.from} is "${given.text}"`, { next: 'the environments are sandbox, demo and live.' });
  }
  // A user who set keys must never be shown a simulated portfolio.
  for (const name of [...secretSettings, 'demoBaseUrl', 'liveBaseUrl'] as const) {
    const value = values[name];
    if (value) {
      throw new UsageError(`${value.from} is set but no environment is`, {
        next: 'set BROKER_ENV to demo or live (or to sandbox for the simulated account).',
      });
    }
  }
  return 'sandbox';
}

function readBaseUrl(values: Values, environment: 'demo' | 'live'): string | undefined {
  const value = values[environment === 'demo' ? 'demoBaseUrl' : 'liveBaseUrl'];
  if (!value) return undefined;
  const read = readServiceAddress(value.text);
  if ('fault' in read) throw addressError(value.from, read.fault);
  return read.address;
}

/**
 * Describes what is wrong with the address of a service; undefined when it is valid. `name` is the setting that the
 * message names.
 */
export function missingUrlReason(name: string, text: string): string | undefined {
  const read = readServiceAddress(text);
  return 'fault' in read ? addressError(name, read.fault).message : undefined;
}

const addressError = (name: string, fault: AddressFault): UsageError => {
  const { problem, ...facts } = addressFaults[fault];
  return new UsageError(`${name} ${problem}`, facts);
};

const addressFaults: Record<AddressFault, { readonly problem: string; readonly next?: string }> = {
  not_an_address: { problem: 'is not an address', next: 'use the form https://host or https://host/api/v0.' },
  not_https: { problem: 'must start with https:// (http:// is allowed only for a loopback address).' },
  has_credentials: { problem: 'must not contain a user name or a password.' },
  has_query: { problem: 'must end after the host or after /api/v0.' },
  wrong_path: { problem: 'must end after the host or after /api/v0.' },
};

function readStateUrl(values: Values, outside: RuntimeEnvironment): string | undefined {
  const text = values.stateUrl?.text ?? readSecretFile(values.stateUrlFile, outside);
  if (text === undefined) return undefined;
  const from = (values.stateUrl ?? values.stateUrlFile)?.from;
  const url = parseUrl(text);
  // The message does not repeat the address, because it may contain a password.
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new UsageError(`${from} is not an address`, {
      next: 'use the form postgres://user:password@host:5432/database.',
    });
  return text;
}

/**
 * Warns when the connection to the shared store is not encrypted, because others on the network could read the
 * account's activity.
 */
function plaintextWarning(stateUrl: string): string[] {
  const url = new URL(stateUrl);
  const socket = url.hostname === '' || url.searchParams.get('host')?.startsWith('/');
  if (socket || isLoopbackHost(url.hostname) || url.searchParams.has('sslmode') || url.searchParams.has('ssl'))
    return [];
  return ['The connection to the shared store is not encrypted; add ?sslmode=verify-full to BROKER_STATE_URL.'];
}

function readApproval(values: Values, environment: Environment): ApprovalMode | undefined {
  const found = readWord(values.approval, approvalModes);
  if (found === 'none' && environment === 'live')
    throw new UsageError(`${values.approval?.from} is "none"`, {
      next: 'live orders always need the approval of a human.',
    });
  return found;
}

function readApprovalPage({ approvalPublicUrl, approvalPort }: Values): PublicPage | undefined {
  const origin = readPublicUrl(approvalPublicUrl);
  if (origin === undefined && !approvalPort) return undefined;
  if (origin === undefined)
    throw new UsageError(`${approvalPort?.from} is set without BROKER_APPROVAL_PUBLIC_URL`, {
      next: 'set both, or neither.',
    });
  // A passkey is bound to a name, and a browser has none for an address of numbers.
  if (/^[\d.]+$|^\[/.test(new URL(origin).hostname))
    throw new UsageError(`${approvalPublicUrl?.from} has no name`, {
      next: 'use the name of the machine, such as https://approve.example.com (http:// is allowed for localhost only).',
    });
  const port = /^\d{1,5}$/.test(approvalPort?.text ?? '') ? Number(approvalPort?.text) : 0;
  if (port < 1 || port > 65_535)
    throw new UsageError(`${approvalPublicUrl?.from} needs BROKER_APPROVAL_PORT, a port of 1 to 65535`, {
      next: 'set the port on 127.0.0.1 to which your proxy passes on what is for that address.',
    });
  return { origin, port };
}

/** One of the words that a setting can have; undefined when it is not set. */
function readWord<Word extends string>(value: Values['log'], words: readonly Word[]): Word | undefined {
  if (!value) return undefined;
  const found = words.find((word) => word === value.text);
  if (found) return found;
  throw new UsageError(`${value.from} is "${value.text}"`, { next: `${didYouMean(value.text, words)}.` });
}

function readTaxZone(values: Values): string | undefined {
  const value = values.taxZone;
  if (!value) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value.text }).resolvedOptions().timeZone;
  } catch {
    // Intl throws for an unknown time zone only.
    throw new UsageError(`${value.from} is "${value.text}"`, {
      next: `${didYouMean(value.text, Intl.supportedValuesOf('timeZone'))}.`,
    });
  }
}

function readToolsets(values: Values): readonly Toolset[] {
  const value = values.toolsets;
  if (!value) return toolsets;
  const names = splitNames(value.text);
  if (names.length === 0)
    throw new UsageError(`${value.from} is empty`, { next: `the toolsets are ${toolsets.join(', ')}.` });
  for (const name of names) {
    if (toolsets.some((toolset) => toolset === name)) continue;
    const instead = didYouMean(name, toolsets, (toolset) => `"${toolset}"`);
    throw new UsageError(`${value.from} has the unknown toolset "${name}"`, { next: `${instead}.` });
  }
  return toolsets.filter((toolset) => names.includes(toolset));
}

/** The sandbox with every toolset and all files in one folder: what a server is when nothing is configured. */
export const createSandboxConfig = (stateDir: string): Config => ({
  environment: 'sandbox',
  baseUrl: undefined,
  credentials: undefined,
  readOnly: false,
  toolsets,
  stateDir,
  configDir: stateDir,
  stateUrl: undefined,
  taxZone: undefined,
  notify: noNotifications,
  logLevel: 'error',
  liveTrading: false,
  approval: undefined,
  limits: {},
  warnings: [],
});

const amountPattern = /^\d{1,15}(\.\d{1,10})?$/;
const amountExample = 'a number without sign, such as 2500 or 0.5';

/** Reads the text of a setting as a limit of each kind. */
const limitReaders: Record<LimitKind, (value: Value) => unknown> = {
  // An amount that was accepted but not understood would be a limit without effect.
  amount: (value) => readDigits(value, amountPattern, amountExample),
  count: (value) => Number(readDigits(value, /^\d{1,9}$/, 'an integer, such as 20')),
  names: readNames,
  namesOrAll: readNames,
  switch: readFlag,
};

/** The owner's risk limits that are set. Throws a UsageError for an invalid value. */
const readLimits = (values: Values): ConfiguredLimits =>
  Object.fromEntries(
    limitNames.flatMap((name) => {
      const value = values[name];
      return value ? [[name, limitReaders[limitRows[name].kind](value)]] : [];
    }),
  );

function readDigits({ text, from }: Value, pattern: RegExp, what: string): string {
  if (pattern.test(text.trim())) return text.trim();
  throw new UsageError(`${from} is "${text}"`, { next: `it must be ${what}.` });
}

function readNames({ text, from }: Value): readonly string[] {
  const names = splitNames(text);
  if (names.length === 0) throw new UsageError(`${from} is empty`, { next: 'remove it to use the default.' });
  return names;
}

const splitNames = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
