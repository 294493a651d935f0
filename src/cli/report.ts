import { existsSync } from 'node:fs';
import { access, constants, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { collectReport } from '../features/documents/collect-report.ts';
import { incompleteReasons } from '../features/documents/read-progress.ts';
import { buildReportPage, listReportGaps } from '../features/views/report-page.ts';
import type { Command } from './command.ts';
import { incompleteCode, interruptedCode, warnOfFailures, withAccountReader } from './read-account.ts';

/**
 * Writes the portfolio as one HTML page to keep and print. The page holds account data, so only its owner can read the
 * file. After a signal the page is still written, with the data available, and the exit code is 130; it is 1 if parts are
 * incomplete.
 */
export const reportCommand: Command = async ({ words, flags }, terminal) => {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('report needs one file to write: report FILE.html');
  if (!file.endsWith('.html')) throw new UsageError(`the report is a page: give it a name like ${file}.html`);
  if (existsSync(file) && flags.force !== 'true')
    throw new UsageError(`${file} exists; use another name, or --force to overwrite it`);
  // Checked first, because collecting the data can take minutes.
  await access(dirname(resolve(file)), constants.W_OK).catch(cannotWrite(file));
  return withAccountReader(flags, terminal, async ({ config, services, ...reader }) => {
    const { answers, incomplete, failures } = await collectReport(services, reader);
    const title = config.environment === 'sandbox' ? 'Portfolio report (simulated account)' : 'Portfolio report';
    const note = incomplete && incompleteReasons[incomplete];
    const page = buildReportPage({ title, madeAt: services.clock.now(), answers, incomplete: note });
    await writeFile(file, page, { mode: 0o600 }).catch(cannotWrite(file));
    warnOfFailures(failures, terminal);
    const gaps = listReportGaps(answers);
    const isPartial = incomplete !== undefined || gaps.length > 0;
    terminal.print(`Wrote ${file}${isPartial ? '; parts of it are incomplete and marked' : ''}.`);
    for (const gap of gaps) terminal.print(`  ${gap}`);
    if (incomplete === 'interrupted') return interruptedCode;
    return isPartial ? incompleteCode : 0;
  });
};

const cannotWrite = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new UsageError(`${file} cannot be written (${error.code ?? 'unknown'}); choose another place`);
};
