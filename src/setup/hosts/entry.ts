/** Builds our entry for a host's file, and merges it into an existing one. */

import { realpathSync } from 'node:fs';
import { UsageError } from '../../core/errors.ts';
import type { ProcessContext } from '../../core/process/process-context.ts';
import { isPublished, version } from '../../core/process/version.ts';
import type { Environment } from '../../core/settings/config.ts';
import { parseCommand } from '../../core/settings/secrets.ts';
import type { Entry, HostDefinition } from './host.ts';

/**
 * Where a server finds its key, and the secret if the key has one. A host's file never contains the values themselves.
 */
export type KeySources =
  | { readonly kind: 'files'; readonly key: string; readonly secret?: string | undefined }
  | { readonly kind: 'commands'; readonly key: string; readonly secret?: string | undefined }
  | { readonly kind: 'inputs' };

/** An account that is added to config.json. */
export interface AddedAccount {
  readonly name: string;
  readonly kind: string;
}

/** The choices that determine an entry. */
export interface EntryOptions {
  readonly environment: Environment;
  readonly baseUrl?: string | undefined;
  readonly keys?: KeySources | undefined;
  /** The account that the keys belong to; undefined where the owner has one without a name. */
  readonly account?: AddedAccount | undefined;
  /** Flags that the server starts with in addition to --env, by name. */
  readonly flags: Readonly<Record<string, string>>;
  /** The folder of config.json when it is not the default one. */
  readonly configDir?: string | undefined;
}

/** Server flags that init and print-config copy into the entry. */
export const passThroughFlags = ['read-only', 'toolsets', 'approval', 'state-dir'] as const;

/** Returns the entry for the choices; `launch` is the command that starts this program. */
export function buildEntry(choice: EntryOptions, launch: Launch): Entry {
  const flags = passThroughFlags.flatMap((name) => {
    const value = choice.flags[name];
    if (value === undefined || value === 'false') return [];
    return value === 'true' ? [`--${name}`] : [`--${name}`, value];
  });
  const env = toVariables(choice);
  return {
    command: launch.command,
    args: [...launch.args, '--env', choice.environment, ...flags],
    ...(Object.keys(env).length > 0 ? { env } : {}),
  };
}

/**
 * Returns the variables of the entry. It names everything that the environment needs, so that later changes of
 * config.json do not affect it.
 */
export function toVariables({
  environment,
  baseUrl,
  keys: given,
  account,
  configDir,
}: EntryOptions): Record<string, string> {
  // The key of a named account is in config.json.
  const keys = account === undefined ? given : undefined;
  const env: Record<string, string> = {};
  if (configDir !== undefined) env.BROKER_CONFIG_DIR = configDir;
  if (environment === 'sandbox') return env;
  if (baseUrl !== undefined) env[`BROKER_${environment.toUpperCase()}_BASE_URL`] = baseUrl;
  if (keys?.kind === 'files') {
    env.BROKER_API_KEY_FILE = keys.key;
    if (keys.secret !== undefined) env.BROKER_API_SECRET_FILE = keys.secret;
  }
  if (keys?.kind === 'commands') {
    env.BROKER_API_KEY_COMMAND = keys.key;
    if (keys.secret !== undefined) env.BROKER_API_SECRET_COMMAND = keys.secret;
  }
  if (keys?.kind === 'inputs') {
    env.BROKER_API_KEY = `\${input:${inputs[0].id}}`;
    env.BROKER_API_SECRET = `\${input:${inputs[1].id}}`;
  }
  return env;
}

/** What a host with inputs asks for, without echo, and keeps in its own secret storage. */
export const inputs = [
  { type: 'promptString', id: 'brokerage-key', description: 'Key of the brokerage account', password: true },
  {
    type: 'promptString',
    id: 'brokerage-secret',
    description: 'Secret of that key; leave it empty if the key has none',
    password: true,
  },
] as const;

/** Variables that select the account: those of an older entry must not mix with new ones. */
const ours = [
  'BROKER_ENV',
  'BROKER_DEMO_BASE_URL',
  'BROKER_LIVE_BASE_URL',
  'BROKER_API_KEY',
  'BROKER_API_KEY_FILE',
  'BROKER_API_KEY_COMMAND',
  'BROKER_API_SECRET',
  'BROKER_API_SECRET_FILE',
  'BROKER_API_SECRET_COMMAND',
  'BROKER_CONFIG_DIR',
];

/**
 * Merges our entry into an existing one. Additions by the host or the user (risk limits, a timeout, a switch) stay.
 * Trading that was enabled for another environment does not enable live trading.
 */
export function mergeEntry(host: HostDefinition, entry: Entry, existing: unknown): Record<string, unknown> {
  const merged = mergeUsual(host, entry, toUsual(host, existing));
  return host.shape ? host.shape.write(merged) : merged;
}

/** Returns an entry of the host's file with `command`, `args` and `env`; anything else unchanged. */
export const toUsual = ({ shape }: HostDefinition, written: unknown): unknown =>
  shape && isRecord(written) ? shape.read(written) : written;

function mergeUsual(host: HostDefinition, entry: Entry, existing: unknown): Record<string, unknown> {
  const fresh = { ...host.extra, ...entry };
  if (!isRecord(existing) || typeof existing.command !== 'string') return { ...fresh, ...host.switches };
  const { env: oldEnv, ...others } = existing;
  const wasLive = Array.isArray(existing.args) && existing.args.includes('live');
  const becomesLive = !wasLive && entry.args.includes('live');
  const kept = Object.entries(isRecord(oldEnv) ? oldEnv : {}).filter(
    ([name]) => !ours.includes(name) && !(becomesLive && name === 'BROKER_LIVE_TRADING'),
  );
  const env = { ...Object.fromEntries(kept), ...entry.env };
  const { env: _, ...rest } = fresh;
  // An empty `env` that the user wrote has no effect, so it stays as it is.
  const wasEmpty = isRecord(oldEnv) && Object.keys(oldEnv).length === 0;
  return { ...host.switches, ...others, ...rest, ...(Object.keys(env).length > 0 || wasEmpty ? { env } : {}) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Change {
  readonly path: readonly string[];
  /** Undefined removes the setting. */
  readonly value: unknown;
}

/** Returns the fewest settings to change so that `before` becomes `after`. */
export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (!isRecord(before) || !isRecord(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, value: after }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changesBetween(before[name], after[name], [...path, name]));
}

/** The command that a host starts. */
interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts exactly this version by its name. On Windows npx is a batch file, which some hosts cannot start directly. */
function createPackageLaunch(platform: string): Launch {
  const args = ['npx', '-y', `brokerage-mcp@${version}`];
  return platform === 'win32' ? { command: 'cmd', args: ['/c', ...args] } : { command: 'npx', args: args.slice(1) };
}

/** How a document writes an entry: by the name of the published package, or by a place that the reader fills in. */
export const exampleLaunch: Launch = isPublished
  ? createPackageLaunch('any')
  : { command: 'node', args: ['/path/to/brokerage-mcp/dist/brokerage-mcp.cjs'] };

/**
 * Returns the command that starts this program from any host: the absolute path of the interpreter and of this file,
 * because a host has neither our current folder nor, often, our PATH. For an installed package that is published, it is
 * npx with this version, which finds the package after an update has moved it. Throws a UsageError for a program in the
 * cache of npx, which npm deletes.
 */
export function resolveLaunchCommand(
  { self, platform }: Pick<ProcessContext, 'self' | 'platform'>,
  flags: Readonly<Record<string, string>>,
  published = isPublished,
): Launch {
  if (flags.command !== undefined) {
    const [command, ...args] = parseCommand(flags.command, '--command');
    return { command, args };
  }
  const file = followLinks(self.args[0] ?? '');
  if (published && isFromPackage(file)) return createPackageLaunch(platform);
  if (/[\\/]_npx[\\/]/.test(file))
    throw new UsageError('this program is in the cache of npx, from which npm deletes it', {
      next: 'install it (npm install --global FILE.tgz), and run init again.',
    });
  return { command: self.command, args: [file] };
}

/** npx and global installations start the program through a link; npx deletes its links with its cache. */
function followLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // The file is no link, or does not exist.
    return file;
  }
}

const isFromPackage = (file: string): boolean => /[\\/]node_modules[\\/]brokerage-mcp[\\/]/.test(file);

// Links that add the sandbox to a host with one click; the single source for every document that shows them. They name
// the published package, so a document shows them only once it is published.

const name = 'brokerage';
const { command, args } = createPackageLaunch('any');
const config = { command, args: [...args, '--env', 'sandbox'] };

/** VS Code expects one object that includes the name. */
export const vscodeLink = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...config }))}`;

/** Sites that allow only https links, such as GitHub for a README, need the redirect by Microsoft. */
export const vscodeWebLink = `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${encodeURIComponent(JSON.stringify(config))}`;

/** Cursor expects the value that its file would have under the name, as base64. */
const cursorQuery = `name=${name}&config=${encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'))}`;
export const cursorLink = `cursor://anysphere.cursor-deeplink/mcp/install?${cursorQuery}`;
export const cursorWebLink = `https://cursor.com/en/install-mcp?${cursorQuery}`;
