/** Shared by the commands that read the account into files: the app, the progress and the interruption. */

import { type App, closeAfter, createApp } from '../app/composition-root.ts';
import type { Services } from '../app/registry.ts';
import { endpoints } from '../core/endpoints/index.ts';
import { orElse } from '../core/log.ts';
import { createProcesses, type ProcessContext } from '../core/process/process-context.ts';
import type { Config, Configs } from '../core/settings/config.ts';
import { pageRows, type ReadFailure } from '../features/documents/read-progress.ts';

/** How long (ms) such a command waits for missing rows. The first read of ten years takes a quarter of an hour. */
const maxWaitMs = 4 * 60_000;
/** The exit code that shells use for a program ended by SIGINT. */
export const interruptedCode = 130;
/** The exit code of a command that wrote its files, and something is missing in them. */
export const incompleteCode = 1;
/** The terminal and a parent process may both forward one Ctrl+C; a repeat within this time (ms) is ignored. */
const echoMs = 1_000;

export interface AccountReader {
  readonly config: Config;
  readonly services: Services;
  /** Of the other accounts that the command is about. */
  readonly others: readonly Services[];
  /** When to stop waiting for a history that is still being read (ms since 1970). */
  readonly until: number;
  /** Aborted when the user interrupts; what is known by then is still written. */
  readonly shutdownSignal: AbortSignal;
  /** Prints a line of progress once. */
  readonly tell: (line: string) => void;
}

/** Runs a command that reads the accounts, mostly one, and says first how long the first read takes. */
export async function withAccountReader(
  configs: Configs,
  terminal: ProcessContext,
  work: (reader: AccountReader) => Promise<number>,
): Promise<number> {
  const [config] = configs;
  for (const warning of new Set(configs.flatMap(({ warnings }) => warnings)))
    terminal.warn(`brokerage-mcp: ${warning}`);
  const [composed, ...further] = configs.map((one) =>
    createApp(one, { processes: createProcesses(terminal.processes) }),
  ) as [App, ...App[]];
  const apps = [composed, ...further];
  await Promise.all(apps.map((app) => app.ready()));
  const { services } = composed;
  const others = further.map((app) => app.services);
  const { clock } = services;
  const { shutdownSignal } = terminal;
  const written = new AbortController();
  const insist = () => void clock.sleep(echoMs, written.signal).then(terminal.forceExitOnNextSignal, () => undefined);
  shutdownSignal.addEventListener('abort', insist, { once: true });
  const reported = new Set<string>();
  const tell = (line: string) => {
    if (!reported.has(line)) terminal.warn(line);
    reported.add(line);
  };
  const close = async () => {
    await Promise.all(apps.map((app) => app.close()));
  };
  return closeAfter({ close }, async () => {
    tell(await describeReading(services, config));
    return work({ config, services, others, until: clock.now() + maxWaitMs, shutdownSignal, tell });
  }).finally(() => written.abort());
}

const describeEnd = `The page is written after ${maxWaitMs / 60_000} minutes at the latest; Ctrl+C writes it with the data read so far.`;

/** Returns how long the first read of the history takes by the known rate limit; printed before anything is read. */
async function describeReading({ getLimit }: Services, { environment }: Config): Promise<string> {
  // The sandbox allows more than the specification, and says so only with its first response.
  if (environment === 'sandbox') return `Reading the account. ${describeEnd}`;
  const limit = await getLimit(endpoints.listHistoricalOrders).catch(orElse('a command', undefined));
  const pace = limit
    ? `Reading a history for the first time takes about ${limit.periodMs / 1000} s per ${limit.requests * pageRows} rows, because of the service's rate limit.`
    : 'Reading a history for the first time takes minutes.';
  return `Reading the account. ${pace} ${describeEnd}`;
}

/** Prints each failure once, with its next step. */
export function warnOfFailures(failures: readonly ReadFailure[], { warn }: Pick<ProcessContext, 'warn'>): void {
  for (const line of new Set(failures.map(({ message, next }) => `brokerage-mcp: ${message} ${next}`))) warn(line);
}
