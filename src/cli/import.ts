import type { Services } from '../app/registry.ts';
import { BrokerageError, ignoreAbort, UsageError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { countOf } from '../core/text/count-of.ts';
import { estimateRest } from '../features/documents/collect-report.ts';
import { formatDuration } from '../features/documents/read-progress.ts';
import type { Coverage } from '../features/history/history-port.ts';
import { historyKinds } from '../features/history/kinds.ts';
import type { ImportProgress } from '../features/reports/import/history-import.ts';
import { maxImportYears } from '../features/reports/import/plan-years.ts';
import type { Command } from './command.ts';
import { isJson, outputStyle, printJson } from './output.ts';
import { interruptedCode } from './read-account.ts';
import { withApp } from './with-app.ts';

const pollMs = 500;
const barWidth = 20;

/** Imports the history through reports, with its progress. A later run continues it. */
export const importCommand: Command = async ({ words, flags }, terminal) => {
  if (words.length > 0) throw new UsageError('import takes no words: import [--years N]');
  const years = parseYears(flags.years);
  return withApp(flags, terminal, async ({ services, config }) => {
    if (config.readOnly)
      throw new UsageError('import requests reports, which read-only does not allow; run it without --read-only');
    const { historyImport, clock } = services;
    const line = createProgressLine(terminal);
    const startedAt = clock.now();
    await historyImport.start(years);
    for (;;) {
      const progress = await historyImport.progress();
      if (terminal.shutdownSignal.aborted) {
        terminal.warn('Interrupted. Run the same command again to continue.');
        return interruptedCode;
      }
      if (progress) line.show(formatProgress(progress), getStep(progress, clock.now() - startedAt));
      if (progress?.isDone) {
        await printSummary(services, progress, flags, terminal);
        return 0;
      }
      if (!progress?.isRunning) {
        terminal.warn(`${progress?.trouble?.message ?? 'The import stopped.'} Run the same command again to continue.`);
        return 1;
      }
      await clock.sleep(pollMs, terminal.shutdownSignal).catch(ignoreAbort);
    }
  });
};

async function printSummary(
  services: Services,
  progress: ImportProgress,
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
): Promise<void> {
  const rest = await readRest(services, terminal.shutdownSignal);
  const { way, years, rows, unread, abandonedFiles } = progress;
  if (isJson(flags)) return printJson(terminal, { way, years: years.ready, rows, unread, abandonedFiles, ...rest });
  const style = outputStyle(terminal);
  terminal.print(style('good', formatSummary(progress)));
  for (const { reason } of abandonedFiles) terminal.print(`${reason} Pages replace it.`);
  for (const line of formatRest(rest)) terminal.print(line);
}

/** The number given with `--years`; undefined without the flag. Throws a UsageError for another number. */
export function parseYears(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const years = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (years < 1 || years > maxImportYears) throw new UsageError(`--years must be 1 to ${maxImportYears}`);
  return years;
}

/**
 * How much is done, in percent: each year has the request of its report and the reading of it, and the newest pages are
 * the last step.
 */
function getPercent({ isDone, years: { requested, ready, expected } }: ImportProgress): number {
  return isDone ? 100 : Math.floor((100 * (requested + ready)) / (2 * expected + 1));
}

/** The steps of a log: every 10 %, and every half minute where the number of pages is unknown. */
export const getStep = (progress: ImportProgress, elapsedMs: number): number =>
  Math.floor(progress.way === 'pages' ? elapsedMs / 30_000 : getPercent(progress) / 10);

/** The parts of one line: a bar with the percentage, the time left, what is being read, the years and the rows. */
export function formatProgress(progress: ImportProgress): readonly string[] {
  const { way, phase, isDone, years, rows, leftMs } = progress;
  if (way === 'pages') return ['Reading pages', countOf(rows, 'row'), 'the service refuses reports for this account'];
  const percent = getPercent(progress);
  const filled = Math.floor((barWidth * percent) / 100);
  const left = leftMs === undefined ? undefined : formatDuration(leftMs);
  return [
    `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${String(percent).padStart(3)} %`,
    ...(left === undefined ? [] : [`about ${left} left`]),
    ...(phase === 'reports' || isDone ? [] : ['reading the newest pages']),
    `${years.ready} of ${countOf(years.expected, 'year')} read`,
    countOf(rows, 'row'),
    `${years.requested} requested`,
  ];
}

function formatSummary({ way, years, rows, unread }: ImportProgress): string {
  const count = Object.values(unread).reduce((sum, one) => sum + one, 0);
  const from = way === 'pages' ? 'from pages' : `from reports of ${countOf(years.ready, 'year')} and the newest pages`;
  return `Stored: ${countOf(rows, 'row')}, ${from}.${count > 0 ? ` Pages replace ${countOf(count, 'row')} of the reports that could not be read.` : ''}`;
}

// Says what an import left unread, and how long reading it takes.

/** How long (ms) the questions for the coverage may take. */
const maxMs = 10_000;

/** What an import left unread. */
type ImportRest =
  | { readonly complete: true }
  | {
      readonly complete: false;
      /** Why rows are missing, by kind. */
      readonly missing: Readonly<Record<string, readonly string[]>>;
      /** How long (ms) reading them page by page takes at least; undefined when unknown. */
      readonly leftMs: number | undefined;
    }
  /** Nothing is known about it, because of this. */
  | { readonly complete: null; readonly problem: string };

/** Reads the newest rows and no missing page. */
export async function readRest(services: Services, signal: AbortSignal): Promise<ImportRest> {
  const { history, clock } = services;
  const deadlineAt = clock.now() + maxMs;
  const options = { context: { priority: 'read', deadlineAt, signal }, newestOnly: true } as const;
  try {
    const coverages: Partial<Record<string, Coverage>> = {};
    for (const kind of historyKinds) coverages[kind] = (await history.derive({ kind }, nothing, options)).coverage;
    const missing = Object.entries(coverages).flatMap(([kind, coverage]) =>
      coverage?.missing?.length ? [[kind, coverage.missing] as const] : [],
    );
    if (missing.length === 0) return { complete: true };
    // Without an estimate the summary is still true.
    const leftMs = await estimateRest(services, [{ coverage: coverages }]).catch(orElse('a command', undefined));
    return { complete: false, missing: Object.fromEntries(missing), leftMs };
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    return { complete: null, problem: error.message };
  }
}

/** Only the coverage is needed. */
const nothing = {
  name: 'nothing',
  start: () => ({ add: () => undefined, finish: () => ({ value: undefined, bytes: 0 }) }),
};

/** The lines to print after an import: one when nothing is missing. */
export function formatRest(rest: ImportRest): readonly string[] {
  if (rest.complete === true) return ['The history is complete.'];
  if (rest.complete === null) return [`Whether rows are missing is unknown: ${rest.problem}`];
  const left = rest.leftMs === undefined ? undefined : formatDuration(rest.leftMs);
  return [
    'The history is not complete:',
    ...Object.entries(rest.missing).flatMap(([kind, reasons]) => reasons.map((reason) => `  ${kind}: ${reason}`)),
    `A question that needs these rows reads them first, page by page${left === undefined ? '' : `, which takes ${left} or longer`}. “brokerage-mcp import” without --years reads the complete history through reports.`,
  ];
}

// A line of progress on standard error: one line in place in a terminal, a line for each step elsewhere.

/** Moves the cursor to the line above and clears it (ECMA-48), so that the next line replaces the last one. */
const replaceLast = '\u001b[1A\u001b[2K';

interface ProgressLine {
  /**
   * Shows the parts of a line, the most important first: a terminal leaves out those that do not fit. `step` says which
   * lines a log gets: only the first one of each step.
   */
  show(parts: readonly string[], step: number): void;
}

export function createProgressLine({
  warn,
  screens,
  env,
}: Pick<ProcessContext, 'warn' | 'screens' | 'env'>): ProgressLine {
  const { isTerminal, columns } = screens.errors;
  const isInPlace = isTerminal && env.TERM !== 'dumb';
  let last: { readonly line: string; readonly step: number } | undefined;
  return {
    show: (parts, step) => {
      const before = last;
      // A line that breaks would leave its beginning behind.
      const line = isInPlace ? joinFitting(parts, columns - 1) : parts.join(separator);
      last = { line, step };
      if (isInPlace ? line !== before?.line : step !== before?.step)
        warn(`${isInPlace && before ? replaceLast : ''}${line}`);
    },
  };
}

const separator = ', ';

/** The parts that fit into `width` characters; the first one is cut at a space when even that does not. */
function joinFitting([first = '', ...more]: readonly string[], width: number): string {
  if (first.length > width) return `${first.slice(0, width).replace(/\s*\S*$/, '')}…`;
  return more.reduce((line, part) => {
    const longer = `${line}${separator}${part}`;
    return longer.length > width ? line : longer;
  }, first);
}
