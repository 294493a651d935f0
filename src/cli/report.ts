import { existsSync } from 'node:fs';
import { access, constants, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ignoreAbort, UsageError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import { createCall } from '../core/mcp/run-tool.ts';
import { readConfig } from '../core/settings/config.ts';
import { closestMatches } from '../core/text/suggestions.ts';
import { collectReport } from '../features/documents/collect-report.ts';
import { fileFormats } from '../features/documents/file-formats.ts';
import { type FileFormatName, fileFormatNames } from '../features/documents/format-names.ts';
import { incompleteReasons, retryMs } from '../features/documents/read-progress.ts';
import { type WrittenRecords, writeRecords } from '../features/documents/write-records.ts';
import { buildReportPage, listReportGaps, reportTitle } from '../features/views/report-page.ts';
import type { Command } from './command.ts';
import {
  type AccountReader,
  incompleteCode,
  interruptedCode,
  warnOfFailures,
  withAccountReader,
} from './read-account.ts';

/**
 * Writes the portfolio as one HTML page to keep and print, or the account's records in the format of another program.
 * The file holds account data, so only its owner can read it. After a signal it is still written, with the data
 * available, and the exit code is 130; it is 1 if parts are incomplete.
 */
export const reportCommand: Command = async ({ words, flags }, terminal) => {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('report needs one file to write: report FILE.html');
  const format = readFormat(flags.format ?? 'page');
  const ending = `.${format === undefined ? 'html' : fileFormats[format].fileName.split('.').at(-1)}`;
  if (!file.endsWith(ending))
    throw new UsageError(
      `this format is kept in a file that ends with ${ending}: give it a name like ${file}${ending}`,
    );
  if (existsSync(file) && flags.force !== 'true')
    throw new UsageError(`${file} exists; use another name, or --force to overwrite it`);
  // Checked first, because collecting the data can take minutes.
  await access(dirname(resolve(file)), constants.W_OK).catch(cannotWrite(file));
  return withAccountReader([readConfig(flags, terminal)], terminal, async (reader) => {
    const written = format === undefined ? await writePage(reader, terminal) : await writeRows(format, reader);
    if (!written) {
      terminal.warn('brokerage-mcp: interrupted before anything was read; no file was written');
      return interruptedCode;
    }
    await writeFile(file, written.text, { mode: 0o600 }).catch(cannotWrite(file));
    const { gaps, isPartial } = written;
    terminal.print(`Wrote ${file}${isPartial ? '; parts of it are incomplete and marked' : ''}.`);
    for (const gap of gaps) terminal.print(`  ${gap}`);
    if (written.isInterrupted) return interruptedCode;
    return isPartial ? incompleteCode : 0;
  });
};

/** Undefined for the page. */
function readFormat(name: string): FileFormatName | undefined {
  if (name === 'page') return undefined;
  const found = fileFormatNames.find((known) => known === name);
  if (found) return found;
  const names = ['page', ...fileFormatNames];
  const [near] = closestMatches(name, names, 1);
  throw new UsageError(
    `${name} is no format of report; ${near === undefined ? `the formats are ${names.join(', ')}` : `did you mean ${near}?`}`,
  );
}

interface WrittenFile {
  readonly text: string;
  /** What is missing, in sentences. */
  readonly gaps: readonly string[];
  readonly isPartial: boolean;
  readonly isInterrupted: boolean;
}

async function writePage(
  { services, ...reader }: AccountReader,
  terminal: Parameters<Command>[1],
): Promise<WrittenFile> {
  const { answers, incomplete, failures } = await collectReport(services, reader);
  const note = incomplete && incompleteReasons[incomplete];
  warnOfFailures(failures, terminal);
  const gaps = listReportGaps(answers);
  return {
    text: buildReportPage({ title: reportTitle, madeAt: services.clock.now(), answers, incomplete: note }),
    gaps,
    isPartial: incomplete !== undefined || gaps.length > 0,
    isInterrupted: incomplete === 'interrupted',
  };
}

/** How long (ms) the last read may take after the user has interrupted the command. */
const finalReadMs = 6_000;

/** Reads until the histories are complete, the time is up or the user interrupts; undefined when nothing was read then. */
async function writeRows(
  format: FileFormatName,
  { services, until, shutdownSignal, tell }: AccountReader,
): Promise<WrittenFile | undefined> {
  const { clock } = services;
  const read = (signal: AbortSignal, timeoutMs?: number) =>
    writeRecords(format, createCall(services, { signal, onProgress: tell, timeoutMs }), services);
  let written: WrittenRecords | undefined;
  while (!shutdownSignal.aborted) {
    written = await read(shutdownSignal).catch((error: unknown) => {
      if (shutdownSignal.aborted) return undefined;
      throw error;
    });
    if (!written || written.isComplete || clock.now() >= until) break;
    tell(`Still reading the history. Checking again in ${retryMs / 1000} s.`);
    await clock.sleep(retryMs, shutdownSignal).catch(ignoreAbort);
  }
  const isInterrupted = shutdownSignal.aborted && written?.isComplete !== true;
  if (isInterrupted) {
    tell('Interrupted: writing what has been read.');
    written = await read(new AbortController().signal, finalReadMs).catch(orElse('a command', written));
  }
  return written && { text: written.text, gaps: written.lacks, isPartial: written.lacks.length > 0, isInterrupted };
}

const cannotWrite = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new UsageError(`${file} cannot be written (${error.code ?? 'unknown'}); choose another place`);
};
