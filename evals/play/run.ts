/** Plays many evaluations, a few at a time: most of their time is spent waiting for limits. */
import type { Control } from '../models/controls.ts';
import type { Eval, Model } from '../types.ts';
import { type Play, type PlayOptions, playEval } from './play.ts';

export interface Outcome {
  readonly evaluation: Eval;
  readonly plays: readonly Play[];
}

export async function runEvals(
  evaluations: readonly Eval[],
  model: Model,
  options: PlayOptions,
  say: (outcome: Outcome) => void = () => undefined,
): Promise<Outcome[]> {
  return inLanes(evaluations, async (evaluation) => {
    const outcome = { evaluation, plays: await playEval(evaluation, model, options) };
    say(outcome);
    return outcome;
  });
}

export interface ControlOutcome {
  readonly control: Control;
  readonly isCaught: boolean;
  /** What the checker said in the play that counts. */
  readonly problems: readonly string[];
}

export const runControls = (controls: readonly Control[], options: PlayOptions): Promise<ControlOutcome[]> =>
  inLanes(controls, async (control) => {
    const { evaluation, model, phase, caught } = control;
    const plays = await playEval(evaluation, model, {
      ...options,
      phases: phase === 'warm' ? ['cold', 'warm'] : ['cold'],
    });
    const problems = plays.find((play) => play.phase === phase)?.problems ?? [];
    const before = plays.filter((play) => play.phase !== phase).flatMap((play) => play.problems);
    return { control, isCaught: before.length === 0 && problems.some((problem) => caught.test(problem)), problems };
  });

const lanes = 2;

async function inLanes<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as Item);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
