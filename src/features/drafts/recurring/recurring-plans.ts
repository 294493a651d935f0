/**
 * Keeps recurring plans, and makes the draft of each when it is due. A period is claimed in the store before its draft
 * is made, so that several processes make one. Nothing here sends an order.
 */

import { randomBytes } from 'node:crypto';
import type { CallContext, KeyValueStore } from '../../../core/broker/types.ts';
import { dayMs, holdsUntil } from '../../../core/clock.ts';
import { BrokerageError, type ErrorCode } from '../../../core/errors.ts';
import type { TimeValidity } from '../../../core/orders/intent/order-request.ts';
import { resolveZone, toZoneDate } from '../../../core/text/dates.ts';
import { checkArguments } from '../../planner/build-plan.ts';
import { planGoals } from '../../planner/plan-goals.ts';
import type { DraftDeps } from '../book/draft.ts';
import { nameRecurringSource, toDraftLegs } from '../book/draft-plan.ts';
import { createDraft } from '../book/save-draft.ts';
import { describePlan } from '../describe-plan.ts';
import { getHistoryWaitMs, makePlan, type PlanDeps, type PlanQuestion } from '../make-plan.ts';
import { toPlanError } from '../plan-errors.ts';
import { findDueDay, findNextDay, type Schedule } from './schedule.ts';

interface PlanRunProblem {
  readonly code: string;
  readonly reason: string;
  /** What solves it, in sentences; undefined where the reason says it. */
  readonly step?: string | undefined;
  /** It rests on a part of the order history, so the rest can solve it. */
  readonly complete?: false | undefined;
}

/** What became of the period that was due on `dueOn`. */
export interface PlanRun {
  /** `YYYY-MM-DD` */
  readonly dueOn: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Undefined when no draft was made. */
  readonly draftId?: string | undefined;
  /** Why no draft was made, as a code and a sentence. */
  readonly problem?: PlanRunProblem | undefined;
}

/** The arguments of plan_orders. */
export type RecurringQuestion = PlanQuestion & { readonly timeValidity?: TimeValidity | undefined };

export interface RecurringPlan {
  readonly id: string;
  readonly name: string;
  readonly schedule: Schedule;
  readonly question: RecurringQuestion;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly last?: PlanRun | undefined;
  /** The period for which a process makes a draft now. */
  readonly claim?: { readonly dueOn: string; readonly until: number } | undefined;
}

export interface RecurringPlansDeps extends PlanDeps {
  readonly records: KeyValueStore;
  readonly drafts: DraftDeps;
}

const maxRecurringPlans = 20;
const namespace = 'recurring-plans';
/** Longer than making a draft takes. */
const claimMs = 120_000;
const planMs = 50_000;
/** The pause after a problem that can pass, such as a network that is away, or a history that is being read. */
const retryMs = 600_000;
const passingProblems = new Set([
  'rate_limited',
  'blocked',
  'unreachable',
  'timeout',
  'upstream_error',
  'history_incomplete',
]);

const isPassing = (problem: PlanRunProblem | undefined): boolean =>
  problem !== undefined && (problem.complete === false || passingProblems.has(problem.code));

type Change<Result> = (plans: readonly RecurringPlan[]) => { plans: readonly RecurringPlan[]; result: Result };

async function changePlans<Result>(deps: RecurringPlansDeps, change: Change<Result>): Promise<Result> {
  const key = `${deps.config.environment} ${await deps.drafts.accountKey()}`;
  return deps.records.update<readonly RecurringPlan[], Result>(namespace, key, (state) => {
    const { plans, result } = change(state ?? []);
    return { state: plans.length > 0 ? plans : undefined, result };
  });
}

/** The plans of this environment and account, the oldest first. */
const listRecurringPlans = (deps: RecurringPlansDeps): Promise<readonly RecurringPlan[]> =>
  changePlans(deps, (plans) => ({ plans, result: plans }));

/**
 * Keeps a plan. Throws `invalid_argument` when the name is taken or there are too many, and the problems that
 * plan_orders has with the arguments in any account.
 */
async function addRecurringPlan(
  deps: RecurringPlansDeps,
  { name, schedule, question }: Pick<RecurringPlan, 'name' | 'schedule' | 'question'>,
): Promise<RecurringPlan> {
  const problem = checkArguments(question);
  if (problem) throw toPlanError(problem, planGoals[question.goal].side, undefined);
  const plan = { id: randomBytes(8).toString('hex'), name, schedule, question, createdAt: deps.clock.now() };
  return changePlans(deps, (plans) => {
    if (plans.some((other) => other.name === name))
      throw new BrokerageError(
        'invalid_argument',
        `A plan with the name ${JSON.stringify(name)} exists.`,
        'Choose another name, or remove that plan first.',
      );
    if (plans.length >= maxRecurringPlans)
      throw new BrokerageError(
        'invalid_argument',
        `There are ${maxRecurringPlans} plans already.`,
        'Remove one with brokerage-mcp plans remove.',
      );
    return { plans: [...plans, plan], result: plan };
  });
}

/** Removes the plan with this id or name; drafts that it made stay. False when there is none. */
const removeRecurringPlan = (deps: RecurringPlansDeps, idOrName: string): Promise<boolean> =>
  changePlans(deps, (plans) => {
    const left = plans.filter(({ id, name }) => id !== idOrName && name !== idOrName);
    return { plans: left, result: left.length < plans.length };
  });

/**
 * Makes the drafts that are due, each once, and returns the plans that were run. Of several missed periods only the
 * latest is drafted. Throws what reading the account and the store throws.
 */
async function draftDuePlans(
  deps: RecurringPlansDeps,
  signal?: AbortSignal | undefined,
): Promise<readonly RecurringPlan[]> {
  if ((await listRecurringPlans(deps)).length === 0) return [];
  const context = (): CallContext => ({ priority: 'read', deadlineAt: deps.clock.now() + planMs, signal });
  const { zone } = await readZone(deps, context());
  const run: RecurringPlan[] = [];
  // One at a time: a claim lasts longer than making one draft, and not longer than making all of them.
  for (let claimed = await claimNext(deps, zone); claimed; claimed = await claimNext(deps, zone)) {
    const { id } = claimed.plan;
    const last = await runPlan(deps, claimed, context());
    await changePlans(deps, (plans) => ({
      plans: plans.map((plan) => (plan.id === id ? { ...plan, last, claim: undefined } : plan)),
      result: undefined,
    }));
    run.push({ ...claimed.plan, last, claim: undefined });
  }
  return run;
}

async function readZone({ config, orderManager }: RecurringPlansDeps, context: CallContext) {
  const { currency } = (await orderManager.readAccount(context)).snapshot.summary;
  return { zone: resolveZone(config.taxZone, currency), currency };
}

/** When a plan is drafted next, in the account as it is now. */
export interface NextRun {
  /** Whether `draftDue` would draft it now. */
  readonly isDue: boolean;
  /** The first day after today on which it is due (`YYYY-MM-DD`). */
  readonly nextOn: string;
  /** The account's, in which the plan has its amount. */
  readonly currency: string | undefined;
}

async function readNextRuns(
  deps: RecurringPlansDeps,
  plans: readonly RecurringPlan[],
  signal?: AbortSignal | undefined,
): Promise<readonly NextRun[]> {
  if (plans.length === 0) return [];
  const now = deps.clock.now();
  const { zone, currency } = await readZone(deps, { priority: 'read', deadlineAt: now + planMs, signal });
  return plans.map((plan) => ({
    isDue: findOpenPeriod(plan, now, zone) !== undefined,
    nextOn: findNextDay(plan.schedule, toZoneDate(now, zone)),
    currency,
  }));
}

interface ClaimedPlan {
  readonly plan: RecurringPlan;
  readonly dueOn: string;
}

const claimNext = (deps: RecurringPlansDeps, zone: string): Promise<ClaimedPlan | undefined> =>
  changePlans(deps, (plans) => {
    const now = deps.clock.now();
    for (const plan of plans) {
      const dueOn = findOpenPeriod(plan, now, zone);
      if (dueOn === undefined) continue;
      const claim = { dueOn, until: now + claimMs };
      return { plans: plans.map((one) => (one === plan ? { ...plan, claim } : one)), result: { plan, dueOn } };
    }
    return { plans, result: undefined };
  });

/**
 * The period that is due and neither drafted nor being drafted. A plan that was made or run in the future, under a clock
 * that was ahead, counts as made today and not run, so that it does not wait for that day.
 */
function findOpenPeriod({ schedule, createdAt, last, claim }: RecurringPlan, now: number, zone: string) {
  const today = toZoneDate(now, zone);
  const dueOn = findDueDay(schedule, today, toZoneDate(Math.min(createdAt, now), zone));
  if (dueOn === undefined || holdsUntil(claim?.until, now, claimMs)) return undefined;
  if (last === undefined || last.dueOn < dueOn) return dueOn;
  if (last.dueOn > today || last.at > now + dayMs) return dueOn;
  const isRetried = last.dueOn === dueOn && isPassing(last.problem) && !holdsUntil(last.at + retryMs, now, retryMs);
  return isRetried ? dueOn : undefined;
}

async function runPlan(deps: RecurringPlansDeps, { plan, dueOn }: ClaimedPlan, context: CallContext): Promise<PlanRun> {
  const { name, question } = plan;
  try {
    const waitUntil = deps.clock.now() + getHistoryWaitMs(question);
    const made = await makePlan(deps, question, context, { context: { ...context, waitUntil } });
    const legs = toDraftLegs(made.plan, {
      goal: question.goal,
      prices: made.prices,
      timeValidity: question.timeValidity,
    });
    if (legs.length === 0)
      return {
        dueOn,
        at: deps.clock.now(),
        problem: {
          code: 'nothing_to_order',
          reason: describePlan({ ...made, question }),
        },
      };
    const { draftId } = await createDraft(deps.drafts, {
      name: `${name} ${dueOn}`,
      legs,
      source: nameRecurringSource(name),
    });
    return { dueOn, at: deps.clock.now(), draftId };
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    const { code, message, facts } = error;
    const complete = facts.complete === false ? false : undefined;
    return { dueOn, at: deps.clock.now(), problem: { code, reason: message, step: getPlanStep(error), complete } };
  }
}

/** The reason and what solves it. */
export const describePlanProblem = ({ reason, step }: PlanRunProblem): string =>
  [reason, step].filter(Boolean).join(' ');

/** The recurring plans of one process. */
export interface RecurringPlans {
  list(): Promise<readonly RecurringPlan[]>;
  add(plan: Pick<RecurringPlan, 'name' | 'schedule' | 'question'>): Promise<RecurringPlan>;
  remove(idOrName: string): Promise<boolean>;
  /** When each of these plans is drafted next. Throws what reading the account throws. */
  readNextRuns(plans: readonly RecurringPlan[], signal?: AbortSignal): Promise<readonly NextRun[]>;
  /** Makes what is due; see `draftDuePlans`. */
  draftDue(signal?: AbortSignal): Promise<readonly RecurringPlan[]>;
  /** The same in the background, at most once in ten minutes. Resolves when the round has ended. */
  tick(): Promise<void>;
}

/** Creates the recurring plans. They start no work until they are called. */
export function createRecurringPlans(deps: RecurringPlansDeps): RecurringPlans {
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    list: () => listRecurringPlans(deps),
    add: (plan) => addRecurringPlan(deps, plan),
    remove: (idOrName) => removeRecurringPlan(deps, idOrName),
    readNextRuns: (plans, signal) => readNextRuns(deps, plans, signal),
    draftDue: (signal) => draftDuePlans(deps, signal),
    tick: async () => {
      const now = deps.clock.now();
      if (holdsUntil(nextAt, now, retryMs)) return;
      nextAt = now + retryMs;
      await draftDuePlans(deps);
    },
  };
}

// The next step of a plan that made no draft, for a person in a terminal; the error's own is for a model.

const again = 'remove the plan with “brokerage-mcp plans remove”, and add it again';
const smaller = `To change the plan, ${again} with a smaller amount or keepCash.`;

const steps: Partial<Record<ErrorCode, string>> = {
  amount_over_cash: smaller,
  amount_over_holdings: `To change the plan, ${again} with a smaller amount or minOrderValue, or with other tickers.`,
  history_incomplete: `“brokerage-mcp import” reads the history; the plan is tried again after ten minutes. For sales in proportion, ${again} without method.`,
  invalid_argument: `To change the plan, ${again} with other arguments.`,
  no_price: `To change the plan, ${again} without the ticker, or with its price in assumedPrices.`,
  rate_limited: 'It is tried again after ten minutes.',
  unexpected_answer: 'The plan is drafted again when it is due next.',
  unknown_ticker: `To change the plan, ${again} with another ticker.`,
  weights_over_100: `To change the plan, ${again} with weights of at most 100.`,
};

/** One or two sentences. The step of an error that no plan can change is its own. */
export function getPlanStep({ code, next, facts }: BrokerageError): string {
  const step = steps[code] ?? next;
  return facts.complete === false
    ? `“brokerage-mcp import” reads the rest of the history; the plan is tried again after ten minutes. ${step}`
    : step;
}
