import { systemClock } from '../clock.ts';
import { checks, nameWidth } from '../doctor/check-list.ts';
import { createDoctorContext } from '../doctor/context.ts';
import { computeExitCode, jsonReport, plainLines, plainSummary } from '../doctor/report.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { UsageError } from '../errors.ts';
import type { Command } from './command.ts';

const goodbyeMs = 1_000;

/**
 * Looks whether everything works, and says how to mend what does not: exit code 1 when there is a fault,
 * else 0. It takes 15 seconds at most (`--timeout` gives it more or less), and one request of the account's limit.
 *
 * It changes nothing but what a server would with its first tool call: the state folder and the store
 * are made, closed to others and brought up to date, the sandbox opens its account, and the answer of the
 * request is kept for whoever asks next. A record that it writes as a trial is removed again.
 */
export const doctorCommand: Command = async ({ words, flags }, terminal) => {
  if (words.length > 0)
    throw new UsageError('doctor runs all checks and takes no arguments; --offline sends no requests.');
  const isJson = flags.json === 'true';
  const scene = createDoctorContext(flags, terminal);
  try {
    const lines = await runChecks(checks, scene, {
      clock: systemClock,
      ...(isJson ? {} : { tell: (line) => plainLines(line, nameWidth).forEach((text) => void terminal.print(text)) }),
    });
    terminal.print(isJson ? jsonReport(lines) : plainSummary(lines));
    return computeExitCode(lines);
  } finally {
    await Promise.race([scene.close().catch(() => undefined), systemClock.sleep(goodbyeMs)]);
    // A check that was given up may still hold something open.
    terminal.exitSoon();
  }
};
