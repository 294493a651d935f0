/** Builds our entry for a host's file, and merges it into an existing one. */
import type { Environment } from '../../core/settings/config.ts';
import type { Entry, HostDefinition } from './host.ts';
import type { Launch } from './launch.ts';

/**
 * Where a server finds its key, and the secret if the key has one. A host's file never contains the values themselves.
 */
export type KeySources =
  | { readonly kind: 'files'; readonly key: string; readonly secret?: string | undefined }
  | { readonly kind: 'commands'; readonly key: string; readonly secret?: string | undefined }
  | { readonly kind: 'inputs' };

/** The choices that determine an entry. */
export interface EntryOptions {
  readonly environment: Environment;
  readonly baseUrl?: string | undefined;
  readonly keys?: KeySources | undefined;
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
export function toVariables({ environment, baseUrl, keys, configDir }: EntryOptions): Record<string, string> {
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

export interface Change {
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
