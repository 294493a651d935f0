/** A line of progress on standard error: one line in place in a terminal, a line for each step elsewhere. */
import type { ProcessContext } from '../core/process/process-context.ts';

/** Moves the cursor to the line above and clears it (ECMA-48), so that the next line replaces the last one. */
const replaceLast = '\u001b[1A\u001b[2K';

export interface ProgressLine {
  /**
   * Shows the parts of a line, the most important first: a terminal leaves out those that do not fit. `step` says which
   * lines a log gets: only the first one of each step.
   */
  show(parts: readonly string[], step: number): void;
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
    show: (parts, step) => {
      const before = last;
      // A line that breaks would leave its beginning behind.
      const line = isInPlace ? joinFitting(parts, columns - 1) : parts.join(separator);
      last = { line, step };
      if (isInPlace ? line !== before?.line : step !== before?.step)
        warn(`${isInPlace && before ? replaceLast : ''}${line}`);
    },
  };
}

const separator = ', ';

/** The parts that fit into `width` characters; the first one is cut at a space when even that does not. */
function joinFitting([first = '', ...more]: readonly string[], width: number): string {
  if (first.length > width) return `${first.slice(0, width).replace(/\s*\S*$/, '')}…`;
  return more.reduce((line, part) => {
    const longer = `${line}${separator}${part}`;
    return longer.length > width ? line : longer;
  }, first);
}
