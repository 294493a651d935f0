/** The entry that answers to a choice, and how it is put over an entry that is there. */
import type { Environment } from '../config.ts';
import type { Entry, HostDefinition } from './host.ts';
import type { Launch } from './launch.ts';

/** Where a server finds its key, and the secret where the key has one. Neither itself: those never go into a host's file. */
export type KeySources =
  | { readonly kind: 'files'; readonly key: string; readonly secret?: string | undefined }
  | { readonly kind: 'commands'; readonly key: string; readonly secret?: string | undefined }
  | { readonly kind: 'inputs' };

export interface EntryOptions {
  readonly environment: Environment;
  readonly baseUrl?: string | undefined;
  readonly keys?: KeySources | undefined;
  /** Flags that the server is started with beside --env, by name. */
  readonly flags: Readonly<Record<string, string>>;
  /** The folder of config.json, where it is not the usual one. */
  readonly configDir?: string | undefined;
}

/** Flags of a server that init and print-config hand on. */
export const passThroughFlags = ['read-only', 'toolsets', 'approval', 'state-dir'] as const;

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

/** Everything that the chosen environment needs is named, so that the entry stays true whatever config.json says later. */
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

/** Variables that say which account is used: those of an older entry must not mix with the new ones. */
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
 * The entry as the host's file should have it: what the host or a person added to it (risk limits, a
 * timeout, a switch) stays. Trading that was on for another environment does not become live trading.
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
  // An empty env that a person wrote is as good as none, and not ours to tidy up.
  const wasEmpty = isRecord(oldEnv) && Object.keys(oldEnv).length === 0;
  return { ...host.switches, ...others, ...rest, ...(Object.keys(env).length > 0 || wasEmpty ? { env } : {}) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Change {
  readonly path: readonly string[];
  /** Undefined: it goes. */
  readonly value: unknown;
}

/** The fewest settings to change so that `before` becomes `after`. */
export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (!isRecord(before) || !isRecord(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, value: after }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changesBetween(before[name], after[name], [...path, name]));
}
