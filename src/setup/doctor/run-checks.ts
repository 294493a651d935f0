/** Runs the checks in sequence; a failing check does not stop the others. */
import type { Clock } from '../../core/clock.ts';
import { log } from '../../core/log.ts';
import { type DoctorContext, defaultTimeout } from './context.ts';
import { type CheckResult, type Finding, fault, warning } from './finding.ts';

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
