import type { Services } from '../app/services.ts';
import { ignoreAbort, UsageError } from '../core/errors.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { countOf } from '../core/text/count-of.ts';
import type { ImportProgress } from '../features/reports/import/history-import.ts';
import { maxImportYears } from '../features/reports/import/plan-years.ts';
import type { Command } from './command.ts';
import { formatDuration } from './format-duration.ts';
import { formatRest, readRest } from './import-rest.ts';
import { isJson, outputStyle, printJson } from './output.ts';
import { createProgressLine } from './progress-line.ts';
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
