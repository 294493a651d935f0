import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerageError, type ErrorCode, ignoreAbort, UsageError } from '../core/errors.ts';
import { taxYear } from '../core/mcp/arguments.ts';
import { runTool } from '../core/mcp/run-tool.ts';
import type { ResponseBody } from '../core/mcp/tool-result.ts';
import { countOf } from '../core/text/count-of.ts';
import type { Coverage } from '../features/history/history-port.ts';
import { escapeFormulas } from '../features/history/reports/escape-formulas.ts';
import type { PackSection } from '../features/tax-pack/pack-section.ts';
import { taxPackTool, type UnknownTaxCounts } from '../features/tax-pack/tax-pack-tool.ts';
import { buildTaxPackPage } from '../features/views/tax-pack-page.ts';
import type { Command } from './command.ts';
import {
  type AccountReader,
  canBecomeComplete,
  incompleteCode,
  incompleteReasons,
  interruptedCode,
  listFailures,
  warnOfFailures,
  withAccountReader,
} from './read-account.ts';

const usage = 'tax-pack needs a UK tax year and a folder: tax-pack --year 2025/26 --out FOLDER';
const pageName = 'tax-pack.html';
/** How long (ms) the last read may take after the user has interrupted the command: the limit of the summary is 5 s. */
const finalReadMs = 6_000;
const retryMs = 5_000;

/**
 * Writes the figures of a UK tax year into a folder: one page, and one CSV file per table of it. The files hold account
 * data, so only their owner can read them. The exit code is 1 if rows are not read, a check failed, a withheld tax is
 * unknown or a trade is in no figure. After a signal the files are still written, with the data available, and the exit code is 130.
 */
export const taxPackCommand: Command = async ({ words, flags }, terminal) => {
  const { year, out } = flags;
  if (year === undefined || out === undefined || words.length > 0) throw new UsageError(usage);
  if (!taxYear().safeParse(year).success) throw new UsageError(`${year} is not a tax year; ${usage}`);
  if (existsSync(join(out, pageName)) && flags.force !== 'true')
    throw new UsageError(`${join(out, pageName)} exists; use another folder, or --force to overwrite its files`);
  // Created first, because collecting the data can take minutes.
  await mkdir(out, { recursive: true, mode: 0o700 }).catch(cannotWrite(out));
  return withAccountReader(flags, terminal, async (reader) => {
    const { nameCommands = String } = terminal;
    const answer = await readTaxPack(reader, year, nameCommands);
    if (!answer) {
      terminal.warn('brokerage-mcp: interrupted before anything was read; no file was written');
      return interruptedCode;
    }
    const isInterrupted = reader.shutdownSignal.aborted && answer.complete !== true;
    const failures = listFailures(answer);
    warnOfFailures(failures, terminal);
    const reason = isInterrupted ? 'interrupted' : failures.length > 0 ? 'failed' : 'out_of_time';
    const title = `UK tax year ${year}${reader.config.environment === 'sandbox' ? ' (simulated account)' : ''}`;
    const sections = answer.sections as readonly PackSection[];
    const unread = answer.complete === true ? [] : [incompleteReasons[reason]];
    const gaps = describeGaps(answer, sections).map(nameCommands);
    const incomplete = [...unread, ...gaps].join(' ') || undefined;
    const page = buildTaxPackPage({ title, madeAt: reader.services.clock.now(), answer, incomplete });
    const files = [
      [pageName, page] as const,
      ...sections.map(({ name, columns, rows }) => [`${name}.csv`, formatCsv(columns, rows)] as const),
      [
        'notes.csv',
        formatCsv(['file', 'note'], listNotes(answer, sections, [...unread, ...listMissing(answer), ...gaps])),
      ] as const,
    ];
    for (const [name, text] of files)
      await writeFile(join(out, name), text, { mode: 0o600 }).catch(cannotWrite(join(out, name)));
    terminal.print(`Wrote ${files.map(([name]) => name).join(', ')} to ${out}.`);
    const lacks = describeIncomplete(answer, gaps).map(nameCommands);
    for (const line of typeof answer.notFinal === 'string' ? [answer.notFinal, ...lacks] : lacks) terminal.print(line);
    if (isInterrupted) return interruptedCode;
    return lacks.length > 0 ? incompleteCode : 0;
  });
};

/**
 * Asks until the histories are complete, the time is up or the user interrupts; undefined when the user did so before
 * anything was read. Throws what the service reports.
 */
async function readTaxPack(
  { services, until, shutdownSignal, tell }: AccountReader,
  year: string,
  nameCommands: (text: string) => string,
): Promise<ResponseBody | undefined> {
  const { clock } = services;
  const ask = async (signal: AbortSignal, timeoutMs?: number) => {
    const options = { signal, onProgress: tell, timeoutMs, wantsAllRows: true };
    const { isError, body } = await runTool([taxPackTool], taxPackTool.name, { taxYear: year }, services, options);
    if (isError) return { error: body };
    return { answer: { ...body, remarks: (body.remarks as readonly string[]).map(nameCommands) } as ResponseBody };
  };
  for (;;) {
    const { answer, error } = await ask(shutdownSignal);
    if (shutdownSignal.aborted && answer?.complete !== true) break;
    if (error) throw toError(error);
    if (!canBecomeComplete(answer) || clock.now() >= until) return answer;
    for (const reason of listMissing(answer)) tell(reason);
    tell(`Still reading the history. Checking again in ${retryMs / 1000} s.`);
    await clock.sleep(retryMs, shutdownSignal).catch(ignoreAbort);
  }
  tell('Interrupted: writing what has been read.');
  return (await ask(new AbortController().signal, finalReadMs)).answer;
}

const toError = ({ code, message, next }: ResponseBody): BrokerageError =>
  new BrokerageError(code as ErrorCode, String(message), String(next));

/** What the page says about its figures, for readers of the CSV files: the file, or `all`, and the note. */
export const listNotes = (
  answer: ResponseBody,
  sections: readonly PackSection[],
  incomplete: readonly string[],
): string[][] => [
  ...incomplete.map((note) => ['all', note]),
  ...failedChecks(answer).map((line) => ['all', line]),
  ...(answer.remarks as readonly string[]).map((remark) => ['all', remark]),
  ...sections.flatMap(({ name, note }) => (note === undefined ? [] : [[`${name}.csv`, note]])),
];

/** What the rows that were read do not say: withheld taxes, and the cost of trades. */
export function describeGaps({ unknownTaxes }: ResponseBody, sections: readonly PackSection[]): string[] {
  const { dividends, unknown, inReports } = unknownTaxes as UnknownTaxCounts;
  const unmatched = sections.find(({ name }) => name === 'unmatched')?.rows.length ?? 0;
  const way =
    inReports > 0
      ? `Reports can name it for ${inReports} of them: run brokerage-mcp import, and then tax-pack again.`
      : 'No report that was read names it.';
  return [
    ...(unknown > 0
      ? [
          `The tax withheld from ${unknown} of ${countOf(dividends, 'dividend')} is unknown: their cells are empty, and the sums of their countries too. ${way}`,
        ]
      : []),
    ...(unmatched > 0 ? [`In no figure: ${countOf(unmatched, 'trade')}, listed in unmatched.csv.`] : []),
  ];
}

/** What the files lack: rows that are not read, failed checks, withheld taxes, and trades in no figure. */
export function describeIncomplete(answer: ResponseBody, gaps: readonly string[]): string[] {
  return [
    ...gaps,
    ...(answer.complete === true ? [] : describeUnread(answer)),
    ...(answer.complete === true && answer.note !== undefined ? [String(answer.note)] : []),
    ...failedChecks(answer),
  ];
}

/** What is not read yet, by history. */
const describeUnread = (answer: ResponseBody): string[] => [
  'Incomplete: not every row has been read, so figures will change. Run the command again; brokerage-mcp import reads a long history faster.',
  ...listMissing(answer).map((reason) => `  ${reason}`),
];

/** Why rows are missing, as the history knows it. */
const listMissing = ({ coverage }: ResponseBody): string[] =>
  Object.entries(coverage as Readonly<Record<string, Coverage>>).flatMap(([kind, { missing = [] }]) =>
    missing.map((reason) => `${kind}: ${reason}`),
  );

const failedChecks = ({ checks }: ResponseBody): string[] =>
  (checks as readonly { name: string; holds: boolean }[])
    .filter(({ holds }) => !holds)
    .map(({ name }) => `A check failed: ${name}.`);

const cannotWrite = (path: string) => (error: NodeJS.ErrnoException) => {
  throw new UsageError(`${path} cannot be written (${error.code ?? 'unknown'}); choose another place`);
};

// Writes a table as CSV that a spreadsheet can open without running what is in it.

/** Returns the table with a header, RFC 4180 quotes and LF line ends; null and undefined are empty cells. */
export function formatCsv(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lines = [columns, ...rows].map((cells) => cells.map(formatCell).join(','));
  return escapeFormulas(`${lines.join('\n')}\n`).text;
}

function formatCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
