/** What commands print: for a person in a terminal, for programs JSON. */

import type { Clock } from '../core/clock.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { createStyle, type Style } from '../core/process/text-style.ts';
import type { FlagValues } from './command.ts';
import type { ResultOptions } from './format-result.ts';
import { describeOmitted, formatTable } from './format-table.ts';

/** Whether the command prints JSON because it was asked to. */
export const isJson = (flags: FlagValues): boolean => flags.json === 'true';

/** Whether a person reads standard output, and did not ask for JSON. */
export const isForPerson = (flags: FlagValues, { screens }: ProcessContext): boolean =>
  screens.output.isTerminal && !isJson(flags);

export const printJson = (terminal: Pick<ProcessContext, 'print'>, value: unknown): void =>
  terminal.print(JSON.stringify(value, null, 2));

/** The colours of standard output. */
export const outputStyle = ({ env, screens }: ProcessContext): Style => createStyle(env, screens.output.isTerminal);

/** How to format text for standard output. */
export const describeScreen = (terminal: ProcessContext, clock: Clock): ResultOptions => ({
  width: terminal.screens.output.columns,
  style: outputStyle(terminal),
  zone: terminal.zone(),
  clock,
  nameCommands: terminal.nameCommands,
});

/** Prints rows, in a terminal as wide as it is, and in a pipe in full. */
export function printTable(
  terminal: ProcessContext,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const { isTerminal, columns } = terminal.screens.output;
  const width = isTerminal ? columns : Number.POSITIVE_INFINITY;
  const style = outputStyle(terminal);
  const { lines, omitted } = formatTable(headers, rows, { width, style });
  for (const line of lines) terminal.print(line);
  if (omitted.length > 0) terminal.print(style('dim', describeOmitted(omitted)));
}
