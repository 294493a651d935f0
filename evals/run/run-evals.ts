/** Plays many evaluations, a few at a time: most of their time is spent waiting for limits. */
import type { Control } from '../models/controls.ts';
import type { Eval, Model } from '../types.ts';
import { onSite } from './environment.ts';
import { type Play, type PlayOptions, playEval, playOn, playShared } from './run-eval.ts';

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
  const told = (outcome: Outcome): Outcome => {
    say(outcome);
    return outcome;
  };
  const outcomes = await inLanes(bySite(evaluations), async ([first, ...others]) =>
    first?.shares
      ? playShared([first, ...others], model, options, (evaluation, plays) => told({ evaluation, plays }))
      : first
        ? [told({ evaluation: first, plays: await playEval(first, model, options) })]
        : [],
  );
  return outcomes.flat();
}

/** Those that share a site together, where the first of them is; each other one alone. */
function bySite(evaluations: readonly Eval[]): readonly (readonly Eval[])[] {
  const sites = new Map<object, Eval[]>();
  for (const one of evaluations) {
    const key = one.shares ? (one.setting ?? noSetting) : one;
    const site = sites.get(key);
    if (site) site.push(one);
    else sites.set(key, [one]);
  }
  return [...sites.values()];
}

const noSetting = {};

export interface ControlOutcome {
  readonly control: Control;
  readonly isCaught: boolean;
  /** The verdict of the checker on the play that counts. */
  readonly problems: readonly string[];
}

/** Evaluations that need no world of their own share one: a process for each would be most of the work. */
export async function runControls(controls: readonly Control[], options: PlayOptions): Promise<ControlOutcome[]> {
  const needsOwn = ({ evaluation }: Control) => evaluation.setting !== undefined;
  const optionsFor = ({ phase }: Control): PlayOptions => ({
    ...options,
    phases: phase === 'warm' ? ['cold', 'warm'] : ['cold'],
  });
  const lists = await Promise.all([
    onSite({}, options, (site) =>
      inLanes(
        controls.filter((control) => !needsOwn(control)),
        async (control) => judge(control, await playOn(site, control.evaluation, control.model, optionsFor(control))),
        1,
      ),
    ),
    inLanes(
      controls.filter(needsOwn),
      async (control) => judge(control, await playEval(control.evaluation, control.model, optionsFor(control))),
      1,
    ),
  ]);
  return lists.flat();
}

function judge(control: Control, plays: readonly Play[]): ControlOutcome {
  const problems = plays.find(({ phase }) => phase === control.phase)?.problems ?? [];
  const before = plays.filter(({ phase }) => phase !== control.phase).flatMap((play) => play.problems);
  return {
    control,
    isCaught: before.length === 0 && problems.some((problem) => control.caught.test(problem)),
    problems,
  };
}

const usualLanes = 3;

async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  lanes = usualLanes,
): Promise<Result[]> {
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
