import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerageError, type ErrorCode, ignoreAbort, UsageError } from '../core/errors.ts';
import { taxYear } from '../core/mcp/arguments.ts';
import { runTool } from '../core/mcp/run-tool.ts';
import type { ResponseBody } from '../core/mcp/tool-result.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { type Configs, readConfig, readConfigs } from '../core/settings/config.ts';
import { canBecomeComplete, listFailures } from '../features/documents/read-progress.ts';
import { buildTaxPackFiles, listMissing, taxPackPage } from '../features/documents/tax-pack-files.ts';
import { taxPackTool } from '../features/tax-pack/tax-pack-tool.ts';
import type { Command } from './command.ts';
import {
  type AccountReader,
  incompleteCode,
  interruptedCode,
  warnOfFailures,
  withAccountReader,
} from './read-account.ts';

const usage = 'tax-pack needs a UK tax year and a folder: tax-pack --year 2025/26 --out FOLDER';
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
  if (existsSync(join(out, taxPackPage)) && flags.force !== 'true')
    throw new UsageError(`${join(out, taxPackPage)} exists; use another folder, or --force to overwrite its files`);
  // Created first, because collecting the data can take minutes.
  await mkdir(out, { recursive: true, mode: 0o700 }).catch(cannotWrite(out));
  return withAccountReader(chooseTaxable(flags, terminal), terminal, async (reader) => {
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
    const madeAt = reader.services.clock.now();
    const { files, lacks } = buildTaxPackFiles({ answer, taxYear: year, madeAt, reason, nameCommands });
    for (const { name, text } of files)
      await writeFile(join(out, name), text, { mode: 0o600 }).catch(cannotWrite(join(out, name)));
    terminal.print(`Wrote ${files.map(({ name }) => name).join(', ')} to ${out}.`);
    for (const line of typeof answer.notFinal === 'string' ? [answer.notFinal, ...lacks] : lacks) terminal.print(line);
    if (isInterrupted) return interruptedCode;
    return lacks.length > 0 ? incompleteCode : 0;
  });
};

/** Of several accounts, those that are taxed. */
function chooseTaxable(flags: Readonly<Record<string, string>>, terminal: ProcessContext): Configs {
  const configs = readConfigs(flags, terminal);
  const [first, ...others] = configs.filter(({ account }) => account?.kind === 'invest');
  return first && configs.length > 1 ? [first, ...others] : [readConfig(flags, terminal)];
}

/**
 * Asks until the histories are complete, the time is up or the user interrupts; undefined when the user did so before
 * anything was read. Throws what the service reports.
 */
async function readTaxPack(
  { services, others, until, shutdownSignal, tell }: AccountReader,
  year: string,
  nameCommands: (text: string) => string,
): Promise<ResponseBody | undefined> {
  const { clock } = services;
  const deps = others.length > 0 ? { ...services, pooledWith: others } : services;
  const ask = async (signal: AbortSignal, timeoutMs?: number) => {
    const options = { signal, onProgress: tell, timeoutMs, wantsAllRows: true };
    const result = await runTool([taxPackTool], taxPackTool.name, { taxYear: year }, deps, options);
    const { body } = result;
    if (result.isError) return { error: body };
    return {
      answer: {
        ...body,
        ...result.viewData,
        remarks: (body.remarks as readonly string[]).map(nameCommands),
      } as ResponseBody,
    };
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

const cannotWrite = (path: string) => (error: NodeJS.ErrnoException) => {
  throw new UsageError(`${path} cannot be written (${error.code ?? 'unknown'}); choose another place`);
};
