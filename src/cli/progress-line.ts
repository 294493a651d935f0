/** A line of progress on standard error: one line in place in a terminal, a line for each step elsewhere. */
import type { ProcessContext } from '../process/process-context.ts';

/** Moves the cursor to the line above and clears it (ECMA-48), so that the next line replaces the last one. */
const replaceLast = '\u001b[1A\u001b[2K';

export interface ProgressLine {
  /** `step` says which lines a log gets: only the first one of each step. */
  show(line: string, step: number): void;
}

export function createProgressLine({
  warn,
  screens,
  env,
}: Pick<ProcessContext, 'warn' | 'screens' | 'env'>): ProgressLine {
  const { isTerminal, columns } = screens.errors;
  const isInPlace = isTerminal && env.TERM !== 'dumb';
  let last: { readonly line: string; readonly step: number } | undefined;
  return {
    show: (line, step) => {
      const before = last;
      last = { line, step };
      if (!isInPlace) {
        if (step !== before?.step) warn(line);
        return;
      }
      // A line that breaks would leave its beginning behind.
      const [fits, previous] = [line, before?.line].map((text) => text?.slice(0, Math.max(1, columns - 1)));
      if (fits !== previous) warn(`${before ? replaceLast : ''}${fits}`);
    },
  };
}
