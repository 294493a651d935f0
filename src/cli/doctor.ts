import { systemClock } from '../clock.ts';
import { checks, nameWidth } from '../doctor/check-list.ts';
import { createDoctorContext } from '../doctor/context.ts';
import { computeExitCode, jsonReport, plainLines, plainSummary } from '../doctor/report.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { UsageError } from '../errors.ts';
import { orElse } from '../log.ts';
import type { Command } from './command.ts';

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
  const isJson = flags.json === 'true';
  const context = createDoctorContext(flags, terminal);
  try {
    const lines = await runChecks(checks, context, {
      clock: systemClock,
      ...(isJson ? {} : { tell: (line) => plainLines(line, nameWidth).forEach((text) => void terminal.print(text)) }),
    });
    terminal.print(isJson ? jsonReport(lines) : plainSummary(lines));
    return computeExitCode(lines);
  } finally {
    await Promise.race([context.close().catch(orElse('a command', undefined)), systemClock.sleep(goodbyeMs)]);
    // A check that timed out may still hold a resource that keeps the process running.
    terminal.exitSoon();
  }
};
