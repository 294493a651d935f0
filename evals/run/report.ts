/** The tables of a run. */
import { groups } from '../all.ts';
import type { Eval } from '../types.ts';
import type { Play } from './run-eval.ts';
import type { ControlOutcome, Outcome } from './run-evals.ts';

export const passed = ({ plays }: Outcome): boolean => plays.every(({ problems }) => problems.length === 0);

const sum = (plays: readonly Play[], figureOf: (play: Play) => number) =>
  plays.reduce((total, play) => total + figureOf(play), 0);
const ofPhase = (outcomes: readonly Outcome[], phase: Play['phase']) =>
  outcomes.flatMap(({ plays }) => plays.filter((play) => play.phase === phase));

function figures(outcomes: readonly Outcome[]): string[] {
  const spent = (plays: readonly Play[]) =>
    plays.length === 0 ? '' : `${sum(plays, (play) => play.requests)} / ${sum(plays, (play) => play.allowed)}`;
  const [cold, warm] = [ofPhase(outcomes, 'cold'), ofPhase(outcomes, 'warm')];
  const first = cold.length > 0 ? cold : warm;
  return [
    String(sum(first, ({ called }) => called.length)),
    spent(cold),
    spent(warm),
    String(sum(first, ({ tokens }) => tokens)),
    ...[cold, warm].map((plays) => (plays.length === 0 ? '' : (sum(plays, ({ ms }) => ms) / 1000).toFixed(1))),
  ];
}

export function evalTable(outcomes: readonly Outcome[]): string {
  const head = ['request', 'result', 'calls', 'requests cold', 'warm', 'tokens', 's cold', 'warm'];
  const rows = groups.flatMap((group) => {
    const members = outcomes.filter(({ evaluation }) => evaluation.group === group);
    if (members.length === 0) return [];
    const right = members.filter(passed).length;
    return [
      ...members.map((outcome) => [outcome.evaluation.id, passed(outcome) ? 'pass' : 'FAIL', ...figures([outcome])]),
      [`**${group}**`, `${right} of ${members.length}`, ...figures(members)],
    ];
  });
  const right = outcomes.filter(passed).length;
  return table([head, ...rows, ['**all**', `${right} of ${outcomes.length}`, ...figures(outcomes)]]);
}

export const controlTable = (outcomes: readonly ControlOutcome[]): string =>
  table([
    ['mistake', 'request', 'caught', 'by'],
    ...outcomes.map(({ control, isCaught, problems }) => [
      control.mistake,
      control.evaluation.id,
      isCaught ? 'yes' : 'NO',
      problems.find((problem) => control.caught.test(problem)) ?? (problems.join('; ') || 'nothing'),
    ]),
  ]);

/** What went wrong, a line for each problem, and where a model took another way than the ideal calls. */
export const remarks = (outcomes: readonly Outcome[], isIdeal: boolean): string[] =>
  outcomes.flatMap(({ evaluation, plays }) =>
    plays.flatMap((play) => [
      ...play.problems.map((problem) => `${evaluation.id} (${play.phase}): ${problem}`),
      ...(isIdeal ? [] : detours(evaluation, play)),
    ]),
  );

function detours({ id, calls }: Eval, { called }: Play): string[] {
  const [wanted, used] = [
    new Set(calls.flatMap((step) => ('tool' in step ? [step.tool] : []))),
    new Set(called.map(({ tool }) => tool)),
  ];
  const others = [...used].filter((tool) => !wanted.has(tool));
  const missing = [...wanted].filter((tool) => !used.has(tool));
  return [
    ...(others.length > 0 ? [`${id}: also called ${others.join(', ')}`] : []),
    ...(missing.length > 0 ? [`${id}: did not call ${missing.join(', ')}`] : []),
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}
