/** What the tools of plans and drafts return of recurring plans. */

import Big from 'big.js';
import * as z from 'zod';
import { BrokerageError } from '../../../core/errors.ts';
import { nameInstruments } from '../../../core/instruments/name-instruments.ts';
import { withJsonSchema } from '../../../core/mcp/arguments.ts';
import { amount, oneOf, text } from '../../../core/mcp/output-schemas.ts';
import { namePlan } from '../book/draft-plan.ts';
import { goals } from '../goal-words.ts';
import type { PlanDeps } from '../make-plan.ts';
import {
  describePlanProblem,
  type RecurringPlan,
  type RecurringPlans,
  type RecurringQuestion,
} from './recurring-plans.ts';
import { describeSchedule, parseSchedule, type Schedule } from './schedule.ts';

const wrongSchedule = 'must be "month 1" to "month 31", or "week monday" to "week sunday"';

/** The argument that makes a plan recur. */
export const every = () =>
  withJsonSchema(
    z.unknown().transform((value, ctx): Schedule => {
      const schedule = typeof value === 'string' ? parseSchedule(value) : undefined;
      if (schedule) return schedule;
      ctx.addIssue({ code: 'custom', message: wrongSchedule });
      return z.NEVER;
    }),
    { type: 'string', description: 'Recurs: month 1, week monday' },
  ).optional();

/** Keeps a plan that recurs. The same question under the same schedule is the same plan. */
export async function keepRecurring(
  plans: RecurringPlans,
  schedule: Schedule,
  question: RecurringQuestion,
  { signal, readOnly }: { readonly signal: AbortSignal; readonly readOnly: boolean },
) {
  const { goal, amount, targets } = question;
  const name = `${namePlan({ goal, amount, currency: undefined, tickers: targets?.length })}, ${describeSchedule(schedule)}`;
  const same = (await plans.list()).find((plan) => isSame(plan, { schedule, question }));
  const plan = same ?? (await plans.add({ name, schedule, question }));
  const [listed] = await listRecurring(plans, [plan], signal);
  const nextOn = listed?.nextOn;
  return {
    ...listed,
    planId: plan.id,
    sent: false,
    message: `${same ? 'This plan exists' : 'The plan is kept'}: ${plan.name}. ${nextOn === undefined ? '' : `The next draft is made on ${nextOn}. `}It makes drafts and sends nothing; each draft waits for the user.${readOnly ? ' This server is read-only: "brokerage-mcp plans due", or a server that is not read-only, makes the drafts.' : ''}`,
    next: 'list_drafts has the plan and its drafts; discard_draft with planId as draftId ends it. plan_orders without every shows what it would do now.',
  };
}

const isSame = (plan: RecurringPlan, asked: Pick<RecurringPlan, 'schedule' | 'question'>): boolean =>
  JSON.stringify([plan.schedule, plan.question]) === JSON.stringify([asked.schedule, asked.question]);

/** The plans as rows with what they would trade; the next day is missing while the account, which has the zone of the days, cannot be read. */
export async function listRecurring(plans: RecurringPlans, some: readonly RecurringPlan[], signal: AbortSignal) {
  const runs = await plans.readNextRuns(some, signal).catch((error: unknown) => {
    if (error instanceof BrokerageError && error.code !== 'cancelled') return [];
    throw error;
  });
  return some.map(({ id, name, schedule, question: { goal, amount, targets }, last }, index) => ({
    planId: id,
    name,
    every: describeSchedule(schedule),
    nextOn: runs[index]?.nextOn,
    goal,
    amount,
    currency: runs[index]?.currency,
    targets: targets && Object.fromEntries(targets.map(({ ticker, weightPercent }) => [ticker, weightPercent])),
    ...(last
      ? {
          lastOn: last.dueOn,
          lastDraftId: last.draftId,
          lastProblem: last.problem && describePlanProblem(last.problem),
        }
      : {}),
  }));
}

/** The schema of such a row. */
export const recurringOutput = () => ({
  planId: text(),
  name: text(),
  every: text(),
  nextOn: text(),
  goal: oneOf(goals),
  amount: amount(),
  currency: text(),
  targets: z.record(z.string(), z.string()).optional(),
  lastOn: text(),
  lastDraftId: text(),
  lastProblem: text(),
});

/** The names of the instruments that plans are to trade, for a picture. */
export const nameTargets = (questions: readonly RecurringQuestion[], { directory }: Pick<PlanDeps, 'directory'>) =>
  nameInstruments(
    directory,
    questions.flatMap(({ targets = [] }) => targets.map(({ ticker }) => ticker)),
  );

/**
 * How plans that invest an amount split it by their target weights, by the id of the plan and by ticker: with two decimals,
 * rounded down. A plan without an amount or without targets has none.
 */
export const splitAmounts = (plans: readonly { readonly id: string; readonly question: RecurringQuestion }[]) =>
  Object.fromEntries(
    plans.flatMap(({ id, question: { goal, amount, targets } }) =>
      goal === 'invest' && amount !== undefined && targets
        ? [
            [
              id,
              Object.fromEntries(
                targets.map(({ ticker, weightPercent }) => [
                  ticker,
                  new Big(amount).times(weightPercent).div(100).round(2, Big.roundDown).toFixed(2),
                ]),
              ),
            ],
          ]
        : [],
    ),
  );

/** Why the last day of a plan brought no draft, by the id of the plan: a code, and a sentence without its step. */
export const listProblems = (plans: readonly RecurringPlan[]) =>
  Object.fromEntries(
    plans.flatMap(({ id, last }) =>
      last?.problem ? [[id, { code: last.problem.code, reason: last.problem.reason }]] : [],
    ),
  );

/** Ends the plan with this id; undefined when there is none. Drafts that it made stay. */
export async function endRecurring(plans: RecurringPlans, id: string) {
  const plan = (await plans.list()).find((one) => one.id === id);
  if (!plan || !(await plans.remove(id))) return undefined;
  return {
    draftId: id,
    state: 'ended',
    message: `The plan is ended: ${plan.name}. Drafts that it made stay.`,
    next: 'list_drafts shows the drafts that are open.',
  };
}
