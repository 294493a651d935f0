import { existsSync } from 'node:fs';
import { access, constants, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createApp } from '../app/composition-root.ts';
import { endpoints } from '../catalogue/index.ts';
import { readConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import type { Services } from '../mcp/tool.ts';
import { createProcesses } from '../process/process-identity.ts';
import { buildReportPage } from '../views/report-page.ts';
import { collectReport } from './collect-report.ts';
import type { Command } from './command.ts';
import { pageRows } from './reading-time.ts';

/** How long (ms) the command waits for missing rows. The first read of ten years takes a quarter of an hour. */
const maxWaitMs = 4 * 60_000;
/** The exit code that shells use for a program ended by SIGINT. */
const interruptedCode = 130;
/** The terminal and a parent process may both forward one Ctrl+C; a repeat within this time (ms) is ignored. */
const echoMs = 1_000;

const reasons = {
  interrupted: 'Reading was interrupted, so the figures below cover only the data read by then.',
  out_of_time: 'Not all of the history was read in time, so the figures below cover only the data read by then.',
} as const;

/**
 * Writes the portfolio as one HTML page to keep and print. The page holds account data, so only its owner can read the
 * file. After a signal the page is still written, with the data available, and the exit code is 130.
 */
export const reportCommand: Command = async ({ words, flags }, terminal) => {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('report needs one file to write: report FILE.html');
  if (!file.endsWith('.html')) throw new UsageError(`the report is a page: give it a name like ${file}.html`);
  if (existsSync(file) && flags.force !== 'true')
    throw new UsageError(`${file} exists; use another name, or --force to overwrite it`);
  // Checked first, because collecting the data can take minutes.
  await access(dirname(resolve(file)), constants.W_OK).catch(cannotWrite(file));
  const config = readConfig(flags, terminal);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);

  const composed = createApp(config, { processes: createProcesses(terminal.processes) });
  await composed.ready();
  const { clock } = composed.services;
  const written = new AbortController();
  const insist = () => void clock.sleep(echoMs, written.signal).then(terminal.forceExitOnNextSignal, () => undefined);
  terminal.shutdownSignal.addEventListener('abort', insist, { once: true });
  const told = new Set<string>();
  const tell = (line: string) => {
    if (!told.has(line)) terminal.warn(line);
    told.add(line);
  };
  try {
    tell(await describeReading(composed.services));
    const until = clock.now() + maxWaitMs;
    const { answers, incomplete } = await collectReport(composed.services, {
      until,
      shutdownSignal: terminal.shutdownSignal,
      tell,
    });
    const title = config.environment === 'sandbox' ? 'Portfolio report (simulated account)' : 'Portfolio report';
    const note = incomplete && reasons[incomplete];
    const page = buildReportPage({ title, madeAt: clock.now(), answers, incomplete: note });
    await writeFile(file, page, { mode: 0o600 }).catch(cannotWrite(file));
    const isPartial = incomplete !== undefined || Object.values(answers).some(isNotComplete);
    terminal.print(`Wrote ${file}${isPartial ? '; parts of it are incomplete and marked' : ''}.`);
    return incomplete === 'interrupted' ? interruptedCode : 0;
  } finally {
    written.abort();
    await composed.close();
  }
};

/** Returns how long the first read of the history takes by the known rate limit; printed before anything is read. */
async function describeReading({ getLimit }: Services): Promise<string> {
  const limit = await getLimit(endpoints.listHistoricalOrders).catch(() => undefined);
  const pace = limit
    ? `Reading a history for the first time takes about ${limit.periodMs / 1000} s per ${limit.requests * pageRows} rows, because of the service's rate limit.`
    : 'Reading a history for the first time takes minutes.';
  return `Reading the account. ${pace} The page is written after ${maxWaitMs / 60_000} minutes at the latest; Ctrl+C writes it with the data read so far.`;
}

const isNotComplete = (answer: object): boolean => (answer as { complete?: unknown }).complete === false;

const cannotWrite = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new UsageError(`${file} cannot be written (${error.code ?? 'unknown'}); choose another place`);
};
