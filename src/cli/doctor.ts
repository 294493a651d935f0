import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { checks, nameWidth } from '../setup/doctor/check-list.ts';
import { createDoctorContext } from '../setup/doctor/context.ts';
import type { CheckResult } from '../setup/doctor/finding.ts';
import { computeExitCode, jsonReport, plainLines, plainSummary } from '../setup/doctor/report.ts';
import { runChecks } from '../setup/doctor/run-checks.ts';
import type { Command } from './command.ts';
import { formatFinding, nameFix } from './format-finding.ts';
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
