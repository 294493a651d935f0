/** The figures as tables of text, and what failed as a list. */
import type { Tally } from './results.ts';

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}

export function tallyTable(tally: Tally): string {
  const rows = [['scenario', 'trials', 'processes', 'seconds', 'outcomes', 'violations']];
  let [trials, processes] = [0, 0];
  for (const [name, line] of tally.lines) {
    const outcomes = [...line.outcomes].sort((a, b) => b[1] - a[1]).map(([outcome, count]) => `${outcome} ${count}`);
    const said = line.skipped.length > 0 ? [`skipped: ${[...new Set(line.skipped)].join('; ')}`] : [];
    trials += line.trials;
    processes += line.processes;
    const seconds = (line.ms / 1000).toFixed(0);
    const cells = [String(line.trials), String(line.processes), seconds, [...outcomes, ...said].join(', ')];
    rows.push([name, ...cells, String(line.violations.length)]);
  }
  rows.push(['all', String(trials), String(processes), '', '', String(tally.violations)]);
  return table(rows);
}

export interface MutantResult {
  readonly name: string;
  readonly scenario: string;
  readonly trials: number;
  /** The first violation; undefined when none was detected. */
  readonly caught: string | undefined;
  /** Why it could not run. */
  readonly error?: string | undefined;
  /** Why this machine cannot run it. */
  readonly leftOut?: string | undefined;
}

export const mutantTable = (results: readonly MutantResult[]): string =>
  table([
    ['mutant', 'scenario', 'trials', 'caught by'],
    ...results.map(({ name, scenario, trials, caught, error, leftOut }) => [
      name,
      scenario,
      String(trials),
      (caught ?? leftOut)?.slice(0, 150) ?? `NOT CAUGHT${error ? `: ${error.slice(0, 200)}` : ''}`,
    ]),
  ]);

/** A line for each invariant that was broken and each mutant that was not caught. */
export const listFailures = (tally: Tally, mutants: readonly MutantResult[]): string[] => [
  ...[...tally.lines].flatMap(([name, { violations }]) => violations.map((violation) => `${name}: ${violation}`)),
  ...mutants
    .filter(({ caught, leftOut }) => caught === undefined && leftOut === undefined)
    .map(({ name, error }) => `mutant not caught: ${name}${error === undefined ? '' : `: ${error}`}`),
];
