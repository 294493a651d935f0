/** The context of all checks: the configuration as a server would read it, and an app created on first use. */

import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { type App, createApp } from '../../app/composition-root.ts';
import type { ReadResult } from '../../core/broker/types.ts';
import { type AccountSummary, endpoints } from '../../core/endpoints/index.ts';
import { UsageError } from '../../core/errors.ts';
import { createProcesses, type ProcessContext } from '../../core/process/process-context.ts';
import { type Config, createSandboxConfig, readConfigs } from '../../core/settings/config.ts';
import { readStateDir } from '../../core/settings/load-settings.ts';
import { configFile } from '../../core/settings/paths.ts';
import { resolveStoreLocation, type StoreLocation } from '../../core/store/store-location.ts';
import { createRedactor, listSecrets } from './known-secrets.ts';

export interface DoctorContext {
  /** Factor on the time limit of each check; 1 unless `--timeout` is set. */
  readonly timeScale: number;
  readonly terminal: ProcessContext;
  readonly flags: Readonly<Record<string, string>>;
  /** Undefined when a server would not start; `trouble` has the reason. */
  readonly config: Config | undefined;
  /** Each account with a context of its own, where there are several; the first one has `config` and `parts` of this context. */
  readonly accounts: readonly { readonly name: string; readonly context: DoctorContext }[];
  readonly trouble: UsageError | undefined;
  readonly configFile: string;
  readonly stateDir: string;
  readonly place: StoreLocation;
  /** The current folder of the command. */
  readonly folder: string;
  readonly isOffline: boolean;
  /** Values that must not be shown, as far as they are known. */
  readonly secrets: readonly string[];
  /** Returns the text without secrets and without invisible characters. */
  hide(text: string): string;
  /**
   * Returns the app. With an invalid configuration, it is a sandbox app on the same state folder, for its store only.
   */
  parts(): App;
  /** Makes the one real request, shared by all checks. Rejects with the broker's errors. */
  askSummary(signal: AbortSignal): Promise<ReadResult<AccountSummary>>;
  close(): Promise<void>;
}

/** Seconds for all checks together, because a person waits. `--timeout` allows more on a slow machine. */
export const defaultTimeout = 14;

/**
 * Milliseconds; shorter than the time of a check, so that the broker's own timeout error is reported and not the
 * doctor's.
 */
const requestMs = 6_000;

/**
 * Reads the configuration without throwing for an invalid one. Throws a UsageError for an invalid `--timeout`. Call
 * `close` at the end.
 */
export function createDoctorContext(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  folder: string = currentFolder(),
): DoctorContext {
  const { configs, trouble } = tryConfigs(flags, terminal);
  const stateDir = readStateDir(flags, terminal);
  const secrets = listSecrets(flags, terminal);
  const timeScale = readTimeScale(flags.timeout);
  const shared = {
    ...{ timeScale, terminal, flags, trouble, stateDir, folder, secrets },
    configFile: configFile(terminal),
    isOffline: flags.offline === 'true',
    hide: createRedactor(secrets),
    accounts: [],
  };
  const open = (config: Config | undefined): DoctorContext => ({
    ...shared,
    config,
    place: config ? resolveStoreLocation(config) : { stateDir },
    ...openApp(config ?? storeAlone(stateDir), terminal, requestMs * timeScale),
  });
  const [first, ...others] = configs.map(open);
  if (!first) return open(undefined);
  const accounts = [first, ...others].map((context) => ({ name: context.config?.account?.name ?? '', context }));
  return {
    ...first,
    accounts: others.length > 0 ? accounts : [],
    close: async () => void (await Promise.all(accounts.map(({ context }) => context.close()))),
  };
}

/** What needs an app, which the first use creates. `maxMs` is the time of the request. */
function openApp(
  config: Config,
  terminal: ProcessContext,
  maxMs: number,
): Pick<DoctorContext, 'parts' | 'askSummary' | 'close'> {
  let composed: App | undefined;
  let asked: Promise<ReadResult<AccountSummary>> | undefined;
  const parts = () => {
    composed ??= createApp(config, { processes: createProcesses(terminal.processes) });
    return composed;
  };
  return {
    parts,
    askSummary: (signal) => {
      asked ??= ask(parts(), maxMs, signal);
      return asked;
    },
    close: async () => composed?.close(),
  };
}

/** Throws a UsageError unless the text is a number of seconds. */
function readTimeScale(text: string | undefined): number {
  if (text === undefined) return 1;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new UsageError('--timeout takes an integer number of seconds from 1 to 999.');
  return Number(text) / defaultTimeout;
}

async function ask({ ready, services }: App, maxMs: number, signal: AbortSignal): Promise<ReadResult<AccountSummary>> {
  await ready();
  const deadlineAt = services.clock.now() + maxMs;
  return services.broker.call(endpoints.getAccountSummary, {}, { priority: 'read', deadlineAt, signal });
}

/** Uses the home folder when the current folder no longer exists. */
function currentFolder(): string {
  try {
    return resolve('.');
  } catch {
    // The current folder was removed.
    return homedir();
  }
}

/** None where a server would not start. */
function tryConfigs(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
): Pick<DoctorContext, 'trouble'> & { readonly configs: readonly Config[] } {
  try {
    return { configs: readConfigs(flags, terminal), trouble: undefined };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { configs: [], trouble: error instanceof UsageError ? error : new UsageError(error.message) };
  }
}

const storeAlone = (stateDir: string): Config => ({ ...createSandboxConfig(stateDir), readOnly: true });

/** Returns the folder of config.json. */
export const configFolder = (context: DoctorContext): string => dirname(context.configFile);

/** The result of a check: severity, what is wrong, and the fix. */

export type Level = 'ok' | 'note' | 'warning' | 'fault';

/** One sentence for the state and, except for `ok`, one for the fix. Neither may contain a secret. */
export type Finding =
  | { readonly level: 'ok'; readonly says: string }
  | { readonly level: Exclude<Level, 'ok'>; readonly says: string; readonly fix: string };

export type CheckResult = Finding & { readonly check: string };

export const ok = (says: string): Finding => ({ level: 'ok', says });

/** Nothing is wrong, but the check was not possible or the owner may want to know this. */
export const note = (says: string, fix: string): Finding => ({ level: 'note', says, fix });

/** It works, but can cause harm. */
export const warning = (says: string, fix: string): Finding => ({ level: 'warning', says, fix });

/** Something does not work or must be changed; the exit code is 1. */
export const fault = (says: string, fix: string): Finding => ({ level: 'fault', says, fix });

/**
 * A check of each account, where there are several: its findings begin with the name of the account, unless they are the
 * same for all. A request that succeeded is of its account, even if that of another one found the same.
 */
export const ofEachAccount =
  (
    check: (context: DoctorContext, signal: AbortSignal) => Promise<readonly Finding[]>,
    { isOfOneRequest = false } = {},
  ): typeof check =>
  async (context, signal) => {
    if (context.accounts.length === 0) return check(context, signal);
    const found = await Promise.all(
      context.accounts.map(async (one) => ({ name: one.name, findings: await check(one.context, signal) })),
    );
    const [first] = found;
    const isNamed = isOfOneRequest && first?.findings.some(({ level }) => level === 'ok');
    const isSame = !isNamed && new Set(found.map(({ findings }) => JSON.stringify(findings))).size === 1;
    if (first && isSame) return first.findings;
    return found.flatMap(({ name, findings }) => findings.map((one) => ({ ...one, says: `${name}: ${one.says}` })));
  };
