/** What the checks look at: the configuration as a server would read it, and the parts put together on first use. */
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { type App, createApp } from '../app/composition-root.ts';
import type { ReadResult } from '../broker/types.ts';
import { type AccountSummary, endpoints } from '../catalogue/index.ts';
import { type Config, readConfig, toolsets } from '../config.ts';
import { UsageError } from '../errors.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { createProcesses } from '../process/process-identity.ts';
import { configFile } from '../settings/paths.ts';
import { readStateDir } from '../settings/state-dir.ts';
import { resolveStoreLocation, type StoreLocation } from '../store/store-location.ts';
import { createRedactor, listSecrets } from './known-secrets.ts';

export interface DoctorContext {
  /** By how much each check may take longer than usual; 1 unless `--timeout` says otherwise. */
  readonly timeScale: number;
  readonly terminal: ProcessContext;
  readonly flags: Readonly<Record<string, string>>;
  /** Undefined when a server would not start with it; `trouble` says why. */
  readonly config: Config | undefined;
  readonly trouble: UsageError | undefined;
  readonly configFile: string;
  readonly stateDir: string;
  readonly place: StoreLocation;
  /** The folder that the command was typed in. */
  readonly folder: string;
  readonly isOffline: boolean;
  /** The values that nobody may see, as far as they can be known. */
  readonly secrets: readonly string[];
  /** The text without secrets and without what cannot be seen. */
  hide(text: string): string;
  /** With a configuration that cannot be used: those of a sandbox on the same state folder, for its store alone. */
  parts(): App;
  /** The one real request, made once however many checks ask for it. Rejects as a call of the broker does. */
  askSummary(signal: AbortSignal): Promise<ReadResult<AccountSummary>>;
  close(): Promise<void>;
}

/** All checks together, in seconds: a person waits for them. `--timeout` gives a slow machine more. */
export const defaultTimeout = 14;

/** Shorter than what a check has, so that the answer of the broker's chain is told and not ours. */
const requestMs = 6_000;

export function createDoctorContext(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  folder: string = currentFolder(),
): DoctorContext {
  const { config, trouble } = tryConfig(flags, terminal);
  const stateDir = readStateDir(flags, terminal);
  const secrets = listSecrets(flags, terminal);
  const timeScale = readTimeScale(flags.timeout);
  let composed: App | undefined;
  let asked: Promise<ReadResult<AccountSummary>> | undefined;
  const parts = () => {
    composed ??= createApp(config ?? storeAlone(stateDir), { processes: createProcesses(terminal.processes) });
    return composed;
  };
  return {
    timeScale,
    terminal,
    flags,
    config,
    trouble,
    configFile: configFile(terminal),
    stateDir,
    place: config ? resolveStoreLocation(config) : { stateDir },
    folder,
    isOffline: flags.offline === 'true',
    secrets,
    hide: createRedactor(secrets),
    parts,
    askSummary: (signal) => {
      asked ??= ask(parts(), requestMs * timeScale, signal);
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

/** One that was removed meanwhile has nothing in it to look at. */
function currentFolder(): string {
  try {
    return resolve('.');
  } catch {
    return homedir();
  }
}

function tryConfig(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
): Pick<DoctorContext, 'config' | 'trouble'> {
  try {
    return { config: readConfig(flags, terminal), trouble: undefined };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { config: undefined, trouble: error instanceof UsageError ? error : new UsageError(error.message) };
  }
}

const storeAlone = (stateDir: string): Config => ({
  environment: 'sandbox',
  baseUrl: undefined,
  credentials: undefined,
  readOnly: true,
  toolsets,
  stateDir,
  stateUrl: undefined,
  liveTrading: false,
  approval: undefined,
  limits: {},
  warnings: [],
});

/** The folder of config.json. */
export const configFolder = (scene: DoctorContext): string => dirname(scene.configFile);
