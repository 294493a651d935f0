/**
 * Fails a test in which the program reported a fault: a test that passes by luck, or fails far from the cause, then
 * shows the stack. Loaded before each file, by `setupFiles`.
 */
import { afterEach, beforeEach } from 'vitest';
import { log } from '../../src/core/log.ts';

/** An event of the log, as it is written to standard error. */
export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly task?: string;
  readonly code?: string;
  readonly place?: string;
  readonly message?: string;
  readonly stack?: readonly string[];
  readonly [fact: string]: unknown;
}

let lines: LogLine[] = [];

/** Returns the events that were logged in this test so far. A fault among them no longer fails the test. */
export function takeLog(): readonly LogLine[] {
  const taken = lines;
  lines = [];
  return taken;
}

beforeEach(() => {
  lines = [];
  log.setLevel('error');
  log.configure({ write: (text) => lines.push(JSON.parse(text) as LogLine) });
});

afterEach(() => {
  const faults = takeLog().filter(({ event }) => event === 'fault');
  if (faults.length === 0) return;
  const shown = faults.map(
    ({ task, code, message, stack = [] }) => `${task}: ${code}: ${message}\n${stack.join('\n')}`,
  );
  throw new Error(`The program reported ${faults.length} unexpected errors.\n${shown.join('\n')}`);
});
