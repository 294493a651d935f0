/** The user's choices, from the flags of a script or from questions. Writes nothing. */

import { resolve } from 'node:path';
import { UsageError } from '../../core/errors.ts';
import type { ProcessContext } from '../../core/process/process-context.ts';
import type { Tty } from '../../core/process/terminal.ts';
import { checkAccountNames } from '../../core/settings/account-names.ts';
import { readKind } from '../../core/settings/accounts.ts';
import { type Environment, environments, missingUrlReason, readConfigs } from '../../core/settings/config.ts';
import { readStateDir } from '../../core/settings/load-settings.ts';
import { configDir as configDirOf } from '../../core/settings/paths.ts';
import type { RuntimeEnvironment } from '../../core/settings/runtime-environment.ts';
import { parseCommand } from '../../core/settings/secrets.ts';
import { didYouMean } from '../../core/text/suggestions.ts';
import {
  configFile,
  configured,
  findStored,
  hasAccounts,
  isStored,
  planConfig,
  storedKeys,
  type TypedKey,
} from './config-file.ts';
import { type AddedAccount, type EntryOptions, type KeySources, passThroughFlags, toVariables } from './entry.ts';

type Flags = Readonly<Record<string, string>>;

export const sandboxNeedsNothing = 'the sandbox needs no key and no base URL; give --env demo or --env live with them.';

/**
 * Says that the entry does not follow BROKER_ENV; undefined when it does not matter. An entry names its environment,
 * because its host does not start the server in this shell: a variable must not choose an account unnoticed.
 */
export function describeIgnoredEnvironment(
  flags: Flags,
  { BROKER_ENV: set }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (flags.env !== undefined || set === undefined || set === '' || set === 'sandbox') return undefined;
  return 'BROKER_ENV is set here, but the entry does not use it: this is an entry for the sandbox. For another account, give --env and --base-url.';
}

/** The account that the user chose. */
export interface SetupOptions {
  readonly environment: Environment;
  readonly baseUrl?: string | undefined;
  readonly keys?: KeySources | undefined;
  /** The account that the keys belong to, where the user names one: it is added to those of config.json. */
  readonly account?: AddedAccount | undefined;
  /** A key typed in this run, to be stored at the paths of `keys`. */
  readonly typed?: TypedKey | undefined;
}

/** Returns the choices of the flags alone. Throws a UsageError that names the missing flag. */
export function optionsFromFlags(flags: Flags, configDir: string): SetupOptions {
  const environment = parseEnvironment(flags.env ?? 'sandbox');
  const keys = parseKeyPlaces(flags);
  const account = parseAccount(flags['add-account']);
  if (environment === 'sandbox') {
    if (account) return { environment, account };
    if (keys || flags['base-url'] !== undefined) throw new UsageError(sandboxNeedsNothing);
    return { environment };
  }
  const stored = findStored(configDir, environment);
  const baseUrl = flags['base-url'] ?? knownBaseUrl(environment, configDir);
  if (baseUrl === undefined) throw new UsageError(`${environment} needs --base-url, the address of the service.`);
  if (account && !keys)
    throw new UsageError('--add-account needs the key of the account: --key-file or --key-command.');
  if (account) return { environment, baseUrl, keys, account };
  // Each account of config.json has its own key there.
  if (!keys && hasAccounts(configDir)) return { environment, baseUrl };
  if (!keys && !stored)
    throw new UsageError(
      `${environment} needs --key-file or --key-command, and --secret-file or --secret-command where the key has a secret.`,
    );
  return { environment, baseUrl, keys: keys ?? stored };
}

/** Asks for what the flags do not give. Undefined when the user leaves. */
export async function promptOptions(tty: Tty, flags: Flags, configDir: string): Promise<SetupOptions | undefined> {
  const environment = flags.env === undefined ? await promptEnvironment(tty) : parseEnvironment(flags.env);
  if (environment === undefined) return undefined;
  const isGiven = environment === 'sandbox' || flags['add-account'] !== undefined || hasAccounts(configDir);
  if (isGiven) return optionsFromFlags({ ...flags, env: environment }, configDir);
  const baseUrl = flags['base-url'] ?? (await promptBaseUrl(tty, environment, knownBaseUrl(environment, configDir)));
  if (baseUrl === undefined) return undefined;
  const given = parseKeyPlaces(flags);
  if (given) return { environment, baseUrl, keys: given };
  const stored = findStored(configDir, environment);
  const typed = await promptKeys(tty, environment, stored !== undefined);
  if (!typed) return undefined;
  if (typed === 'stored' || isStored(stored, typed)) return { environment, baseUrl, keys: stored };
  const { secret, ...places } = storedKeys(configDir, environment);
  return { environment, baseUrl, keys: typed.secret === undefined ? places : { ...places, secret }, typed };
}

/** Returns the key sources that the flags name, with absolute paths, because a host has another current folder. */
export function parseKeyPlaces(flags: Flags): KeySources | undefined {
  const files = parsePair(flags, 'key-file', 'secret-file', (path) => resolve(path));
  const commands = parsePair(flags, 'key-command', 'secret-command', (text, flag) => {
    // Validated now, so that a mistake does not surface at the first tool call.
    parseCommand(text, flag);
    return text;
  });
  if (files && commands) throw new UsageError('give the key as a file or as a command, not both.');
  if (files) return { kind: 'files', ...files };
  return commands && { kind: 'commands', ...commands };
}

function parsePair(flags: Flags, first: string, second: string, read: (text: string, flag: string) => string) {
  const [key, secret] = [flags[first], flags[second]];
  if (key === undefined && secret === undefined) return undefined;
  if (key === undefined) throw new UsageError(`--${first} is missing; a secret needs its key.`);
  return { key: read(key, `--${first}`), ...(secret === undefined ? {} : { secret: read(secret, `--${second}`) }) };
}

function parseAccount(text: string | undefined): AddedAccount | undefined {
  if (text === undefined) return undefined;
  const [name = '', kind = name] = text.split(':');
  checkAccountNames([name], '--add-account');
  return { name, kind: readKind(kind, name, '--add-account') };
}

function parseEnvironment(word: string): Environment {
  const found = environments.find((name) => name === word);
  if (found) return found;
  throw new UsageError(`--env is "${word}"; ${didYouMean(word, environments)}.`);
}

const knownBaseUrl = (environment: 'demo' | 'live', configDir: string): string | undefined =>
  configured(configDir, environment === 'demo' ? 'demoBaseUrl' : 'liveBaseUrl');

async function promptEnvironment(tty: Tty): Promise<Environment | undefined> {
  tty.say('Environments: sandbox (simulated, no account needed), demo (paper money), live (real money).');
  for (;;) {
    const word = await tty.promptOrCancel('Which environment? [sandbox]: ', { echo: true });
    if (word === undefined) return undefined;
    const found = environments.find((name) => name === (word.trim() || 'sandbox'));
    if (found) return found;
    tty.say(`Please type one of ${environments.join(', ')}.`);
  }
}

async function promptBaseUrl(
  tty: Tty,
  environment: 'demo' | 'live',
  known: string | undefined,
): Promise<string | undefined> {
  const shown = known === undefined ? '' : ` [${known}]`;
  for (;;) {
    const typed = await tty.promptOrCancel(`Base URL of the ${environment} service${shown}: `, { echo: true });
    if (typed === undefined) return undefined;
    const address = typed.trim() || known || '';
    // Validated as a start would, before the user types the keys.
    const wrong = missingUrlReason('That', address);
    if (wrong === undefined) return address;
    tty.say(wrong);
  }
}

/** Reads the keys without echo, so that neither the screen nor its scrollback keeps them. */
async function promptKeys(tty: Tty, environment: string, areThere: boolean): Promise<TypedKey | 'stored' | undefined> {
  if (areThere) tty.say(`A key for ${environment} is stored. Type a new one, or press Enter to keep it.`);
  const key = await promptLine(tty, 'Key (not shown): ', areThere);
  if (key === undefined) return undefined;
  if (key === '') return 'stored';
  tty.say('If the key has no secret, press Enter: the key is then sent alone.');
  const secret = await promptLine(tty, 'Secret (not shown): ', true);
  if (secret === undefined) return undefined;
  return secret === '' ? { key } : { key, secret };
}

async function promptLine(tty: Tty, prompt: string, mayBeEmpty: boolean): Promise<string | undefined> {
  for (;;) {
    const typed = (await tty.promptOrCancel(prompt, { echo: false }))?.trim();
    if (typed === undefined || (typed === '' && mayBeEmpty)) return typed;
    if (typed !== '' && !/\s/.test(typed)) return typed;
    tty.say(typed === '' ? 'Nothing was entered. Press Ctrl+C to exit without changes.' : 'It contains a space.');
  }
}

// Checks whether a server could start with the choices, and which settings its entry must contain because the host does
// not know them.

/** Returns the entry for the choices. Validates the settings with the code that a start uses. Throws a UsageError. */
export function validateSetup(answers: SetupOptions, flags: Flags, terminal: ProcessContext): EntryOptions {
  const atHost = withoutShell(terminal);
  const configDir = configDirOf(terminal);
  const isMoved = configDirOf(atHost) !== configDir;
  const outside = isMoved ? { ...atHost, env: { ...atHost.env, BROKER_CONFIG_DIR: configDir } } : atHost;
  const stateDir = readStateDir(flags, terminal);
  const handed = Object.entries(flags).filter(
    ([name]) => passThroughFlags.some((one) => one === name) && name !== 'state-dir',
  );
  if (stateDir !== readStateDir({}, outside)) handed.push(['state-dir', stateDir]);
  const choice: EntryOptions = {
    ...answers,
    configDir: isMoved ? configDir : undefined,
    flags: Object.fromEntries(handed),
  };
  // The account is in config.json only after the change.
  const planned = answers.account && ([configFile(configDir), planConfig(configDir, choice).text] as const);
  tryStart(choice, answers, outside, planned ? [planned] : []);
  return choice;
}

/** Removes this shell's variables, because a host starts its servers without them. */
function withoutShell(terminal: ProcessContext): RuntimeEnvironment {
  const isOfShell = (name: string) =>
    name.startsWith('BROKER_') || ['XDG_CONFIG_HOME', 'XDG_STATE_HOME'].includes(name);
  return { ...terminal, env: Object.fromEntries(Object.entries(terminal.env).filter(([name]) => !isOfShell(name))) };
}

/** Uses typed keys directly, because they are not in their files yet. */
function tryStart(
  choice: EntryOptions,
  { keys, typed }: SetupOptions,
  outside: RuntimeEnvironment,
  planned: readonly (readonly [path: string, text: string])[],
): void {
  const notYet = new Map<string, string>(planned);
  if (typed && keys?.kind === 'files') {
    notYet.set(keys.key, typed.key);
    if (keys.secret !== undefined && typed.secret !== undefined) notYet.set(keys.secret, typed.secret);
  }
  readConfigs(
    { ...choice.flags, env: choice.environment },
    {
      ...outside,
      env: { ...outside.env, ...toVariables(choice) },
      readFile: (path) => notYet.get(path) ?? outside.readFile(path),
      getFileMode: (path) => (notYet.has(path) ? 0o600 : outside.getFileMode(path)),
    },
  );
}
