import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Style, Tone } from '../core/process/text-style.ts';
import { checks, nameWidth } from '../setup/doctor/check-list.ts';
import { type CheckResult, createDoctorContext, type Level } from '../setup/doctor/context.ts';
import { computeExitCode, jsonReport, plainLines, plainSummary, runChecks } from '../setup/doctor/run-checks.ts';
import type { Command } from './command.ts';
import { wrap } from './format-table.ts';
import { isForPerson, isJson, outputStyle } from './output.ts';

const goodbyeMs = 1_000;

/**
 * Checks the installation and suggests fixes. The exit code is 1 when there is a fault, else 0. It takes 15 seconds at
 * most (`--timeout` changes that) and makes one request within the account's rate limit.
 *
 * It changes only what a server changes at its first tool call: it creates the state folder and the store, restricts
 * them to their owner and migrates the tables; the sandbox creates its account; and the response of the request is
 * cached for later calls. The test record that it writes is removed again.
 */
export const doctorCommand: Command = async ({ words, flags }, terminal) => {
  if (words.length > 0)
    throw new UsageError('doctor runs all checks and takes no arguments; --offline sends no requests.');
  const format = isForPerson(flags, terminal)
    ? (line: CheckResult) =>
        formatFinding(nameFix(line, terminal), nameWidth, terminal.screens.output.columns, outputStyle(terminal))
    : (line: CheckResult) => plainLines(line, nameWidth);
  const lines = await checkInstallation(flags, terminal, (line) => {
    if (!isJson(flags)) for (const text of format(line)) terminal.print(text);
  });
  terminal.print(isJson(flags) ? jsonReport(lines) : plainSummary(lines));
  return computeExitCode(lines);
};

/** Runs all checks; `tell` gets each finding as soon as it is known. */
export async function checkInstallation(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  tell?: (line: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  const context = createDoctorContext(flags, terminal);
  try {
    return await runChecks(checks, context, { clock: systemClock, ...(tell && { tell }) });
  } finally {
    await Promise.race([context.close().catch(orElse('a command', undefined)), systemClock.sleep(goodbyeMs)]);
    // A check that timed out may still hold a resource that keeps the process running.
    terminal.exitSoon();
  }
}

const marks: Readonly<Record<Level, readonly [mark: string, tone: Tone]>> = {
  ok: ['✓', 'good'],
  note: ['·', 'dim'],
  warning: ['!', 'care'],
  fault: ['✗', 'bad'],
};

/** A finding of doctor for a person in a terminal: a mark, the check, what it found, and below it the fix. */
export function formatFinding(line: CheckResult, checkWidth: number, width: number, style: Style): readonly string[] {
  const [mark, tone] = marks[line.level];
  const indent = ' '.repeat(2 + checkWidth);
  const room = Math.max(20, width - indent.length);
  const says = wrap(line.says, room).map((text) => (line.level === 'ok' ? style('dim', text) : text));
  const fix = line.level === 'ok' ? [] : wrap(`→ ${line.fix}`, room);
  return [...says, ...fix].map((text, at) =>
    at === 0 ? `${style(tone, mark)} ${line.check.padEnd(checkWidth)}${text}` : `${indent}${text}`,
  );
}

/** The finding with the commands of its fix as this user can type them. */
export const nameFix = (line: CheckResult, { nameCommands }: Pick<ProcessContext, 'nameCommands'>): CheckResult =>
  line.level === 'ok' || nameCommands === undefined ? line : { ...line, fix: nameCommands(line.fix) };
