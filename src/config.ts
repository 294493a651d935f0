import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { type CommandWords, parseCommand } from './command-words.ts';
import { StartError } from './errors.ts';
import { type LimitSettings, readLimits } from './limit-settings.ts';
import { insteadOf, nearestNames } from './names.ts';
import { isGiven, readFlag, type Values } from './setting-values.ts';
import { findSetting, type SettingName, settings } from './settings.ts';

/** What the program is given from outside; main.ts fills it from `process`. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The text of a file, or undefined when there is none. */
  readonly readFile: (path: string) => string | undefined;
  /** The permission bits of a file, or undefined where they mean nothing (Windows). */
  readonly modeOf: (path: string) => number | undefined;
}

export const environments = ['sandbox', 'demo', 'live'] as const;
export type Environment = (typeof environments)[number];

export const toolsets = [
  'account',
  'instruments',
  'orders',
  'trading',
  'history',
  'exports',
  'analytics',
  'status',
  'pies',
] as const;
export type Toolset = (typeof toolsets)[number];

/** Itself, or the program that prints it when it is first needed. */
export type Secret = string | { readonly command: CommandWords; readonly from: string };

export interface Config {
  readonly environment: Environment;
  /** Undefined in sandbox, and in demo or live when it was not given: calls then say what is missing. */
  readonly baseUrl: string | undefined;
  readonly credentials: { readonly key: Secret; readonly secret: Secret } | undefined;
  readonly readOnly: boolean;
  readonly toolsets: readonly Toolset[];
  readonly stateDir: string;
  /** A PostgreSQL that several machines share. The sandbox does not use it. */
  readonly stateUrl: string | undefined;
  readonly liveTrading: boolean;
  /** As configured; undefined means the environment's own way. */
  readonly approval: ApprovalWord | undefined;
  /** The risk limits that were configured; the rest have their defaults. */
  readonly limits: LimitSettings;
  /** Things that are probably mistakes but do not stop the start; one line each. */
  readonly warnings: readonly string[];
}

export const approvalWords = ['page', 'terminal', 'elicitation', 'none'] as const;
export type ApprovalWord = (typeof approvalWords)[number];

/**
 * The configuration: command-line flag, then environment variable, then config.json; the first one
 * wins. Throws a StartError of one line, which names the nearest valid word, for anything unusable.
 */
export function readConfig(flags: Readonly<Record<string, string>>, outside: Surroundings): Config {
  const values = collectSettings(flags, outside);
  const environment = chooseEnvironment(values);
  // Nobody would check who answers, and anybody on the way could read the key and write the answers.
  if (environment === 'live' && outside.env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    throw new StartError(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, and live does not go on without certificates; remove it, or set NODE_EXTRA_CA_CERTS to the file of your company’s own.',
    );
  const stateUrl = readStateUrl(values, outside);
  const warnings = [...unknownVariables(outside.env), ...(stateUrl ? openConnection(stateUrl) : [])];

  const baseUrl = environment === 'sandbox' ? undefined : readBaseUrl(values, environment);
  const credentials = environment === 'sandbox' ? undefined : readCredentials(values, outside);
  return {
    environment,
    baseUrl,
    credentials,
    readOnly: readFlag(values, 'readOnly'),
    toolsets: readToolsets(values),
    stateDir: stateDirIn(values, outside),
    stateUrl,
    liveTrading: readFlag(values, 'liveTrading'),
    approval: readApproval(values, environment),
    limits: readLimits(values),
    warnings,
  };
}

const stateDirIn = (values: Values, outside: Surroundings): string =>
  resolve(values.stateDir?.text ?? defaultStateDir(outside));

/** The state folder alone: for what must work although another setting is wrong. */
export function readStateDir(flags: Readonly<Record<string, string>>, outside: Surroundings): string {
  try {
    return stateDirIn(collectSettings(flags, outside), outside);
  } catch {
    const { stateDir } = settings;
    const variable = outside.env[stateDir.variable];
    return resolve(flags[stateDir.flag] ?? (isGiven(variable) ? variable : defaultStateDir(outside)));
  }
}

/** What is set, where it was set, and nothing else: no value is looked at. Throws a StartError for a config.json that cannot be used. */
export function collectSettings(flags: Readonly<Record<string, string>>, outside: Surroundings): Values {
  const file = readConfigFile(outside);
  const values: Values = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const setting = findSetting(name);
    const flag = setting.flag && flags[setting.flag];
    const variable = outside.env[setting.variable];
    const inFile = file.values[name];
    if (flag !== undefined) values[name] = { text: flag, from: `--${setting.flag}` };
    else if (isGiven(variable)) values[name] = { text: variable, from: setting.variable };
    else if (inFile !== undefined) values[name] = { text: inFile, from: `"${name}" in ${file.path}`, isFromFile: true };
  }
  return values;
}

function readConfigFile(outside: Surroundings): { path: string; values: Record<string, string> } {
  const path = configFile(outside);
  const text = outside.readFile(path);
  if (text === undefined) return { path, values: {} };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new StartError(`${path} is not valid JSON; correct it or remove it.`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new StartError(`${path} must hold one JSON object.`);
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(parsed)) {
    if (!(key in settings)) {
      const instead = insteadOf(key, Object.keys(settings), (name) => `"${name}"`);
      throw new StartError(`${path} has the unknown setting "${key}"; ${instead}.`);
    }
    const isCommand = key === 'apiKeyCommand' || key === 'apiSecretCommand';
    values[key] = isCommand && Array.isArray(value) ? JSON.stringify(value) : String(value);
  }
  return { path, values };
}

function chooseEnvironment(values: Values): Environment {
  const given = values.environment;
  if (given) {
    const found = environments.find((name) => name === given.text);
    if (found) return found;
    throw new StartError(`${given.from} is "${given.text}"; the environments are sandbox, demo and live.`);
  }
  // A person who set keys must never be shown an invented portfolio.
  for (const name of [...secretSettings, 'demoBaseUrl', 'liveBaseUrl'] as const) {
    const value = values[name];
    if (value) {
      throw new StartError(
        `${value.from} is set but no environment is; set BROKER_ENV to demo or live (or to sandbox for the simulated account).`,
      );
    }
  }
  return 'sandbox';
}

function readBaseUrl(values: Values, environment: 'demo' | 'live'): string | undefined {
  const value = values[environment === 'demo' ? 'demoBaseUrl' : 'liveBaseUrl'];
  if (!value) return undefined;
  let url: URL;
  try {
    url = new URL(value.text);
  } catch {
    throw new StartError(`${value.from} is not an address; it looks like https://host or https://host/api/v0.`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    throw new StartError(`${value.from} must start with https:// (http:// is for a loopback address only).`);
  if (url.username || url.password) throw new StartError(`${value.from} must not hold a user name or a password.`);
  if (url.search || url.hash) throw new StartError(`${value.from} must end after the host or after /api/v0.`);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v0$/, '');
  return `${url.origin}${path}`;
}

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

function readStateUrl(values: Values, outside: Surroundings): string | undefined {
  const text = values.stateUrl?.text ?? readSecretFile(values.stateUrlFile, outside);
  if (text === undefined) return undefined;
  const from = (values.stateUrl ?? values.stateUrlFile)?.from;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The address itself is not repeated: it may hold a password.
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new StartError(`${from} is not an address; it looks like postgres://user:password@host:5432/database.`);
  return text;
}

/** What the account did would pass through a network that others can read. */
function openConnection(stateUrl: string): string[] {
  const url = new URL(stateUrl);
  const socket = url.hostname === '' || url.searchParams.get('host')?.startsWith('/');
  if (socket || isLoopback(url) || url.searchParams.has('sslmode') || url.searchParams.has('ssl')) return [];
  return ['The connection to the shared store is not encrypted; add ?sslmode=verify-full to BROKER_STATE_URL.'];
}
const secretSettings = [
  'apiKey',
  'apiKeyFile',
  'apiKeyCommand',
  'apiSecret',
  'apiSecretFile',
  'apiSecretCommand',
] as const;

function readCredentials(values: Values, outside: Surroundings): Config['credentials'] {
  const key = readSecret([values.apiKey, values.apiKeyFile, values.apiKeyCommand], outside);
  const secret = readSecret([values.apiSecret, values.apiSecretFile, values.apiSecretCommand], outside);
  if (key === undefined && secret === undefined) return undefined;
  if (key === undefined || secret === undefined) {
    const missing = key === undefined ? 'BROKER_API_KEY' : 'BROKER_API_SECRET';
    throw new StartError(`${missing} is missing; a key and its secret are needed together.`);
  }
  // A colon in the key would move the boundary between user name and password (RFC 7617).
  if (typeof key === 'string' && key.includes(':')) throw new StartError('BROKER_API_KEY must not contain a colon.');
  return { key, secret };
}

/** The text of a file that only its owner may read; throws a StartError for any other. */
export function readSecretFile(value: Values[SettingName], outside: Surroundings): string | undefined {
  if (!value) return undefined;
  const text = outside.readFile(value.text);
  if (text === undefined) throw new StartError(`${value.from} names a file that cannot be read: ${value.text}`);
  const mode = outside.modeOf(value.text);
  if (mode !== undefined && mode & 0o077)
    throw new StartError(`${value.text} can be read by others; run: chmod 600 ${value.text}`);
  return text.trim();
}

/** Itself before its file before its command; but any of the variables before any of config.json, which may be another account's. */
function readSecret(forms: readonly Values[SettingName][], outside: Surroundings): Secret | undefined {
  const isVariable = forms.some((value) => value && !value.isFromFile);
  const [plain, file, command] = forms.map((value) => (value?.isFromFile && isVariable ? undefined : value));
  const readable = plain?.text ?? readSecretFile(file, outside);
  return readable ?? (command && { command: parseCommand(command.text, command.from), from: command.from });
}

function readApproval(values: Values, environment: Environment): ApprovalWord | undefined {
  const value = values.approval;
  if (!value) return undefined;
  const found = approvalWords.find((word) => word === value.text);
  if (!found) throw new StartError(`${value.from} is "${value.text}"; ${insteadOf(value.text, approvalWords)}.`);
  if (found === 'none' && environment === 'live')
    throw new StartError(`${value.from} is "none"; live orders always need the approval of a human.`);
  return found;
}

function readToolsets(values: Values): readonly Toolset[] {
  const value = values.toolsets;
  if (!value) return toolsets;
  const names = value.text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new StartError(`${value.from} is empty; the toolsets are ${toolsets.join(', ')}.`);
  for (const name of names) {
    if (toolsets.some((toolset) => toolset === name)) continue;
    const instead = insteadOf(name, toolsets, (toolset) => `"${toolset}"`);
    throw new StartError(`${value.from} has the unknown toolset "${name}"; ${instead}.`);
  }
  return toolsets.filter((toolset) => names.includes(toolset));
}

/**
 * A misspelt variable would silently not protect, so it is named with what was probably meant. Others
 * with the same beginning may belong to another program.
 */
function unknownVariables(env: Surroundings['env']): string[] {
  const known: string[] = Object.values(settings).map((setting) => setting.variable);
  const words = known.map((name) => name.replace('BROKER_', ''));
  return Object.keys(env)
    .filter((name) => name.startsWith('BROKER_') && !known.includes(name))
    .flatMap((name) => {
      const [near] = nearestNames(name.replace('BROKER_', ''), words, 1);
      return near === undefined ? [] : [`${name} is not a setting of this program; the nearest one is BROKER_${near}.`];
    });
}

/** Where config.json is looked for, whether there is one or not. */
export const configFile = (outside: Surroundings): string => join(configDir(outside), 'config.json');

/** The folder of config.json. */
export function configDir(outside: Pick<Surroundings, 'env' | 'platform'>): string {
  const given = outside.env.BROKER_CONFIG_DIR;
  return isGiven(given)
    ? resolve(given)
    : platformDir(outside, { xdg: 'XDG_CONFIG_HOME', unix: '.config', windows: 'APPDATA' });
}

const defaultStateDir = (outside: Surroundings) =>
  platformDir(outside, { xdg: 'XDG_STATE_HOME', unix: '.local/state', windows: 'LOCALAPPDATA' });

function platformDir(
  outside: Pick<Surroundings, 'env' | 'platform'>,
  names: { xdg: string; unix: string; windows: string },
): string {
  const home = outside.env.HOME ?? homedir();
  if (outside.platform === 'win32') return join(outside.env[names.windows] ?? home, 'brokerage-mcp');
  if (outside.platform === 'darwin') return join(home, 'Library', 'Application Support', 'brokerage-mcp');
  const base = outside.env[names.xdg];
  return join(base && isAbsolute(base) ? base : join(home, names.unix), 'brokerage-mcp');
}
