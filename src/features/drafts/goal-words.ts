/**
 * What plan_orders says of each goal, and which of its arguments the goal takes. What a goal does is the planner's
 * matter. A goal that is not complete here does not compile.
 */

import type { Plan, PlanGoal } from '../planner/plan-types.ts';

/** The arguments that only some goals use. */
export const goalArguments = ['amount', 'band', 'allowSells', 'keepCash', 'method'] as const;

type GoalArgument = (typeof goalArguments)[number];

interface GoalWords {
  /** In the description of the tool, after "Drafts orders that". */
  readonly purpose: string;
  /** In the description of the argument. */
  readonly meaning: string;
  /** What the sentence about a plan begins with. */
  readonly title: string;
  /** The name of its draft. `money` is undefined when the plan has no amount; `count` says how many tickers it has. */
  readonly nameDraft: (money: string | undefined, count: string) => string;
  /** The tickers that the name counts: all that are planned, or those with an order. */
  readonly counted: keyof Pick<Plan, 'weights' | 'legs'>;
  /** `any`: the goal uses the argument. Else the values that state what it does anyway, and so contradict nothing. */
  readonly accepts: Readonly<Record<GoalArgument, 'any' | readonly unknown[]>>;
}

export const goalWords: Readonly<Record<PlanGoal, GoalWords>> = {
  rebalance: {
    purpose: 'rebalance to target weights',
    meaning: 'To targets',
    title: 'Rebalance',
    nameDraft: (money, count) => `Rebalance ${count}${money === undefined ? '' : ` with ${money}`}`,
    counted: 'weights',
    accepts: { amount: 'any', band: 'any', allowSells: 'any', keepCash: 'any', method: 'any' },
  },
  invest: {
    purpose: 'invest (split) an amount',
    meaning: 'spend amount',
    title: 'Invest',
    nameDraft: (money, count) => `Invest ${money} in ${count}`,
    counted: 'legs',
    accepts: { amount: 'any', band: [], allowSells: [false], keepCash: 'any', method: [] },
  },
  raise: {
    purpose: 'raise cash',
    meaning: 'sell for amount after charges',
    title: 'Raise cash',
    nameDraft: (money) => `Raise ${money}`,
    counted: 'legs',
    // The planner says why `allowSells` cannot be false.
    accepts: { amount: 'any', band: [], allowSells: [true, false], keepCash: ['0'], method: 'any' },
  },
};

export const goals = Object.keys(goalWords) as readonly PlanGoal[];

export const joinWithOr = (names: readonly string[]): string => names.join(', ').replace(/, (?=[^,]+$)/, ' or ');

/** The goals in a sentence, such as `a, b or c`. */
export const goalNames = joinWithOr(goals);

/** What the goals are for, in a sentence. */
export const goalPurposes = joinWithOr(goals.map((goal) => goalWords[goal].purpose));

/** The arguments that the goal would ignore. */
export const listUnused = ({
  goal,
  ...args
}: Partial<Record<GoalArgument, unknown>> & { readonly goal: PlanGoal }): readonly GoalArgument[] =>
  goalArguments.filter((name) => {
    const accepted = goalWords[goal].accepts[name];
    return args[name] !== undefined && accepted !== 'any' && !accepted.includes(args[name]);
  });

/** The goals that use an argument. */
export const listGoalsWith = (argument: GoalArgument): readonly PlanGoal[] =>
  goals.filter((goal) => goalWords[goal].accepts[argument] === 'any');
