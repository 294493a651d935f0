/** Runs the checks in sequence; a failing check does not stop the others. */

import type { Clock } from '../../core/clock.ts';
import { log } from '../../core/log.ts';
import { version } from '../../core/process/version.ts';
import {
  type CheckResult,
  type DoctorContext,
  defaultTimeout,
  type Finding,
  fault,
  type Level,
  warning,
} from './context.ts';

export interface DoctorCheck {
  readonly name: string;
  /** Time limit without `--timeout`. */
  readonly seconds: number;
  /** What it reports, for the table in docs/troubleshooting.md. */
  readonly finds: string;
  /** `signal` aborts at the time limit. A thrown error becomes a fault. */
  readonly run: (context: DoctorContext, signal: AbortSignal) => Promise<readonly Finding[]>;
}

/** Runs all checks in order and returns their lines; `tell` receives each line as soon as it is known. */
export async function runChecks(
  checks: readonly DoctorCheck[],
  context: DoctorContext,
  options: { readonly clock: Clock; readonly tell?: (line: CheckResult) => void },
): Promise<readonly CheckResult[]> {
  const detachLog = log.attach({ redact: context.hide, keepFault: async () => undefined });
  const until = options.clock.now() + defaultTimeout * 1_000 * context.timeScale;
  const lines: CheckResult[] = [];
  for (const check of checks) {
    const leftMs = Math.min(check.seconds * 1_000 * context.timeScale, until - options.clock.now());
    for (const finding of await runOne(check, context, options.clock, leftMs)) {
      const line = clean({ check: check.name, ...finding }, context);
      lines.push(line);
      options.tell?.(line);
    }
  }
  detachLog();
  return lines;
}

async function runOne(
  check: DoctorCheck,
  context: DoctorContext,
  clock: Clock,
  leftMs: number,
): Promise<readonly Finding[]> {
  if (leftMs <= 0)
    return [
      warning(
        'Not checked: earlier checks used all the time.',
        'Fix the problems reported by those checks, then run doctor again.',
      ),
    ];
  const over = new AbortController();
  const done = new AbortController();
  const late = clock.sleep(leftMs, done.signal).then(
    () => {
      over.abort(new Error('late'));
      return [tooLate(leftMs)];
    },
    () => [],
  );
  try {
    return await Promise.race([
      check.run(context, AbortSignal.any([over.signal, context.terminal.shutdownSignal])),
      late,
    ]);
  } catch (error) {
    log.fault(`doctor: ${check.name}`, error);
    return [unexpected(error)];
  } finally {
    done.abort();
  }
}

const tooLate = (ms: number): Finding =>
  fault(
    `The check did not finish within ${(ms / 1_000).toFixed(ms < 1_000 ? 1 : 0)} s.`,
    'A disk, the network or another program does not respond. Fix the problems reported above, then run doctor again.',
  );

/** The finding for an unexpected error: its message only, never the stack. */
function unexpected(error: unknown): Finding {
  const { message, next, code } = (error ?? {}) as { message?: unknown; next?: unknown; code?: unknown };
  const why = typeof message === 'string' && message !== '' ? message : typeof code === 'string' ? code : 'unknown';
  return fault(
    `The check failed: ${sentence(why)}`,
    typeof next === 'string'
      ? next
      : 'Run doctor again; if the error persists, report it with the output of doctor --json.',
  );
}

/** Returns the first line; some errors have a stack below it. */
function sentence(text: string): string {
  const [first = ''] = text.split('\n');
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** Last safeguard: removes secrets from a finding, although no check should include one. */
function clean(line: CheckResult, context: DoctorContext): CheckResult {
  const says = context.hide(line.says);
  return line.level === 'ok' ? { ...line, says } : { ...line, says, fix: context.hide(line.fix) };
}

// Prints findings as lines for people or as JSON for programs.

const levels: readonly Level[] = ['fault', 'warning', 'note', 'ok'];
const levelWidth = Math.max(...levels.map((level) => level.length)) + 2;

/** Returns the line of a finding, and below it an arrow with the fix. */
export function plainLines(line: CheckResult, checkWidth: number): string[] {
  const head = line.level.padEnd(levelWidth) + line.check.padEnd(checkWidth);
  const fix = line.level === 'ok' ? [] : [`${' '.repeat(head.length)}→ ${line.fix}`];
  return [`${head}${line.says}`, ...fix];
}

/** Returns the last line of the report: the number of findings per level. */
export function plainSummary(lines: readonly CheckResult[]): string {
  const { fault } = countLevels(lines);
  return `${fault === 0 ? 'No fault: ' : ''}${countWords(lines).join(', ')}.`;
}

/** The number of findings of each level that has some: `1 fault`, `2 notes`. */
export function countWords(lines: readonly CheckResult[]): string[] {
  const counts = countLevels(lines);
  return levels.filter((level) => counts[level] > 0).map((level) => formatCount(counts[level], level));
}

/** Returns the report as JSON for programs. */
export function jsonReport(lines: readonly CheckResult[]): string {
  const counts = countLevels(lines);
  return JSON.stringify({ version, healthy: counts.fault === 0, counts, lines }, null, 2);
}

/** Returns 1 when there is a fault, so that a script can check it. */
export const computeExitCode = (lines: readonly CheckResult[]): number =>
  lines.some(({ level }) => level === 'fault') ? 1 : 0;

const countLevels = (lines: readonly CheckResult[]): Record<Level, number> => {
  const count = (level: Level) => lines.filter((line) => line.level === level).length;
  return { fault: count('fault'), warning: count('warning'), note: count('note'), ok: count('ok') };
};

const formatCount = (count: number, level: Level) => `${count} ${level === 'ok' || count === 1 ? level : `${level}s`}`;
