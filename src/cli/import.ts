import { countOf } from '../count-of.ts';
import { UsageError } from '../errors.ts';
import type { ImportProgress } from '../history/import/history-import.ts';
import { maxImportYears } from '../history/import/plan-years.ts';
import type { Command } from './command.ts';
import { describeRest } from './import-rest.ts';
import { interruptedCode } from './read-account.ts';
import { withApp } from './with-app.ts';

const pollMs = 500;
const barWidth = 20;

/** Imports the history through reports, with a line of progress for each change. A later run continues it. */
export const importCommand: Command = async ({ words, flags }, terminal) => {
  if (words.length > 0) throw new UsageError('import takes no words: import [--years N]');
  const years = parseYears(flags.years);
  return withApp(flags, terminal, async ({ services, config }) => {
    if (config.readOnly)
      throw new UsageError('import requests reports, which read-only does not allow; run it without --read-only');
    const { historyImport, clock } = services;
    await historyImport.start(years);
    let reported: string | undefined;
    for (;;) {
      const progress = await historyImport.progress();
      if (terminal.shutdownSignal.aborted) {
        terminal.warn('Interrupted. Run the same command again to continue.');
        return interruptedCode;
      }
      const line = progress && formatProgress(progress);
      // A line that differs in the time left alone is not printed.
      const untimed = progress && formatProgress({ ...progress, leftMs: undefined });
      if (line && untimed !== reported) terminal.warn(line);
      reported = untimed ?? reported;
      if (progress?.isDone) {
        terminal.print(formatSummary(progress));
        for (const { reason } of progress.abandonedFiles) terminal.print(`${reason} Pages replace it.`);
        for (const one of await describeRest(services, terminal.shutdownSignal)) terminal.print(one);
        return 0;
      }
      if (!progress?.isRunning) {
        terminal.warn(`${progress?.trouble?.message ?? 'The import stopped.'} Run the same command again to continue.`);
        return 1;
      }
      await clock.sleep(pollMs, terminal.shutdownSignal).catch(() => undefined);
    }
  });
};

function parseYears(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const years = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (years < 1 || years > maxImportYears) throw new UsageError(`--years must be 1 to ${maxImportYears}`);
  return years;
}

/** Formats one line: a bar of the years, how many are requested and read, the rows, and the time left. */
export function formatProgress({ way, phase, years, rows, leftMs }: ImportProgress): string {
  if (way === 'pages') return `The service refuses reports for this account. Reading pages: ${countOf(rows, 'row')}`;
  const { requested, ready, expected } = years;
  const filled = Math.round((barWidth * ready) / expected);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
  const state = phase === 'reports' ? '' : ', reading the newest pages';
  const left = leftMs === undefined ? '' : `, about ${formatDuration(leftMs)} left`;
  return `${bar} ${ready} of ${countOf(expected, 'year')} read, ${requested} requested, ${countOf(rows, 'row')}${state}${left}`;
}

function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function formatSummary({ way, years, rows, unread }: ImportProgress): string {
  const count = Object.values(unread).reduce((sum, one) => sum + one, 0);
  const from = way === 'pages' ? 'from pages' : `from reports of ${countOf(years.ready, 'year')} and the newest pages`;
  return `Stored: ${countOf(rows, 'row')}, ${from}.${count > 0 ? ` Pages replace ${countOf(count, 'row')} of the reports that could not be read.` : ''}`;
}
