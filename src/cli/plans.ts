import { BrokerageError, UsageError } from '../core/errors.ts';
import { parseArguments } from '../core/mcp/parse-arguments.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { readConfig } from '../core/settings/config.ts';
import { foreignName } from '../core/text/sanitize-text.ts';
import { planOrdersTool } from '../features/drafts/plan-orders.ts';
import {
  describePlanProblem,
  type NextRun,
  type PlanRun,
  type RecurringPlan,
  type RecurringPlans,
  type RecurringQuestion,
} from '../features/drafts/recurring/recurring-plans.ts';
import { describeSchedule, parseSchedule, type Schedule } from '../features/drafts/recurring/schedule.ts';
import { type Action, type Command, type FlagValues, findAction } from './command.ts';
import { isJson, outputStyle, printJson } from './output.ts';
import { type AccountContexts, withAccounts } from './with-app.ts';

/** A plan, with its account where there are several. */
type ListedPlan = RecurringPlan & { readonly account?: string | undefined };

/** The plans of one account, or of several as if they were of one. */
interface PlansOfAccounts extends Pick<RecurringPlans, 'add' | 'remove'> {
  list(): Promise<readonly ListedPlan[]>;
  /** Undefined for a plan whose account cannot be read; that of one account rejects. */
  readNextRuns(plans: readonly ListedPlan[], signal?: AbortSignal): Promise<readonly (NextRun | undefined)[]>;
  draftDue(signal?: AbortSignal): Promise<readonly ListedPlan[]>;
}

/** Adds, lists and removes recurring plans, and makes the drafts that are due. It never sends an order. */
export const plansCommand: Command = ({ words, flags }, terminal) =>
  withAccounts(flags, terminal, async (accounts) => {
    const [action = 'list', ...rest] = words;
    const act = findAction<Action<PlansOfAccounts>>('plans', planActions, action);
    // A new plan is of one account, and the configuration says which there are.
    if (act === add) readConfig(flags, terminal);
    return await act(joinPlans(accounts), rest, flags, terminal);
  });

interface AccountPlans {
  readonly account: string;
  readonly plans: RecurringPlans;
}

function joinPlans(accounts: AccountContexts): PlansOfAccounts {
  const [first, ...others] = accounts;
  if (others.length === 0) return first.services.recurringPlans;
  const all = accounts.map(({ config, services }): AccountPlans => {
    return { account: config.account?.name ?? '', plans: services.recurringPlans };
  });
  const list = async () => (await Promise.all(all.map(async (one) => tag(one, await one.plans.list())))).flat();
  return {
    list,
    add: first.services.recurringPlans.add,
    remove: async (idOrName) => {
      const having = (await list()).filter(({ id, name }) => id === idOrName || name === idOrName);
      const [owner, ...more] = all.filter(({ account }) => having.some((plan) => plan.account === account));
      if (owner && more.length > 0)
        throw new UsageError(
          `${[owner, ...more].map(({ account }) => account).join(' and ')} have a plan ${JSON.stringify(idOrName)} each; remove it by its id, or add --account.`,
        );
      return owner ? owner.plans.remove(idOrName) : false;
    },
    readNextRuns: async (some, signal) => {
      const runs = new Map<RecurringPlan, NextRun | undefined>();
      await Promise.all(all.map((one) => readRunsOf(one, some, runs, signal)));
      return some.map((plan) => runs.get(plan));
    },
    draftDue: async (signal) => {
      const run: ListedPlan[] = [];
      const failures: BrokerageError[] = [];
      for (const one of all) {
        // An account that cannot be read does not stop the plans of the others.
        const made = await one.plans.draftDue(signal).catch((error: unknown) => {
          if (!(error instanceof BrokerageError)) throw error;
          failures.push(new BrokerageError(error.code, `${one.account}: ${error.message}`, error.next, error.facts));
          return [];
        });
        run.push(...tag(one, made));
      }
      const [first, ...others] = failures;
      if (first === undefined) return run;
      const said = [first, ...others].map(({ message }) => message).join(' ');
      throw others.length === 0 ? first : new BrokerageError(first.code, said, first.next, first.facts);
    },
  };
}

const tag = ({ account }: AccountPlans, plans: readonly RecurringPlan[]): ListedPlan[] =>
  plans.map((plan) => ({ ...plan, account }));

async function readRunsOf(
  { account, plans }: AccountPlans,
  some: readonly ListedPlan[],
  runs: Map<RecurringPlan, NextRun | undefined>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const own = some.filter((plan) => plan.account === account);
  const read = await plans.readNextRuns(own, signal).catch((error: unknown) => {
    if (error instanceof BrokerageError) return [];
    throw error;
  });
  for (const [index, plan] of own.entries()) runs.set(plan, read[index]);
}

const list: Action<PlansOfAccounts> = async (plans, _words, flags, terminal) => {
  const all = await plans.list();
  await printPlans(plans, all, flags, terminal, 'There are no recurring plans in this environment.');
  return 0;
};

/** Prints each with the time of its next draft. */
async function printPlans(
  plans: PlansOfAccounts,
  some: readonly ListedPlan[],
  flags: FlagValues,
  terminal: ProcessContext,
  whenNone: string,
): Promise<void> {
  // The zone of the days comes from the account; what was done is said without it.
  const runs = await plans.readNextRuns(some, terminal.shutdownSignal).catch((error) => {
    if (error instanceof BrokerageError) return [];
    throw error;
  });
  if (isJson(flags)) return printJson(terminal, { plans: some.map((plan, index) => toJson(plan, runs[index])) });
  if (some.length === 0) terminal.print(whenNone);
  const style = outputStyle(terminal);
  for (const [index, plan] of some.entries()) {
    terminal.print(describePlan(plan, runs[index]));
    terminal.print(style('dim', `  ${JSON.stringify(plan.question)}`));
  }
}

const add: Action<PlansOfAccounts> = async (plans, words, flags, terminal) => {
  const [typed, json, ...more] = words;
  const name = foreignName(typed);
  if (name === undefined || json === undefined || more.length > 0)
    throw new UsageError('plans add needs a name and the arguments of plan_orders as JSON.');
  const schedule = readSchedule(flags);
  const question = parseArguments(planOrdersTool, parseJson(json)) as RecurringQuestion;
  await printPlans(plans, [await plans.add({ name, schedule, question })], flags, terminal, '');
  return 0;
};

const remove: Action<PlansOfAccounts> = async (plans, [idOrName, ...more], flags, terminal) => {
  if (idOrName === undefined || more.length > 0) throw new UsageError('plans remove needs the name or id of one plan.');
  if (!(await plans.remove(idOrName)))
    throw new UsageError(`There is no plan ${JSON.stringify(idOrName)}; brokerage-mcp plans lists them.`);
  if (isJson(flags)) printJson(terminal, { removed: idOrName });
  else terminal.print('The plan is removed. Drafts that it made stay.');
  return 0;
};

const due: Action<PlansOfAccounts> = async (plans, _words, flags, terminal) => {
  const run = await plans.draftDue(terminal.shutdownSignal);
  await printPlans(plans, run, flags, terminal, 'No plan is due.');
  return run.some(({ last }) => last?.draftId === undefined && last?.problem?.code !== 'nothing_to_order') ? 1 : 0;
};

/** What the command can do with the plans. */
export const planActions = { list, add, remove, due } as const satisfies Readonly<
  Record<string, Action<PlansOfAccounts>>
>;

/** Throws a UsageError unless the flags name one schedule. */
export function readSchedule({ every, day }: FlagValues): Schedule {
  const schedule = parseSchedule(`${every} ${day}`);
  if (schedule) return schedule;
  throw new UsageError('A plan needs --every month --day 1 to 31, or --every week --day monday to sunday.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON.parse throws for invalid JSON only.
    throw new UsageError('The arguments are not valid JSON; put them in single quotes.');
  }
}

function toJson({ id, account, name, schedule, question, createdAt, last }: ListedPlan, run: NextRun | undefined) {
  return {
    planId: id,
    account,
    name,
    schedule,
    arguments: question,
    createdAt: new Date(createdAt).toISOString(),
    last: last && { ...last, at: new Date(last.at).toISOString() },
    // Null while the account cannot be read, which has the zone of the days.
    next: run ? { isDue: run.isDue, nextOn: run.nextOn } : null,
  };
}

function describePlan({ id, account, name, schedule, last }: ListedPlan, run: NextRun | undefined): string {
  const parts = [id, ...(account ? [account] : []), `“${name}”`, describeSchedule(schedule)];
  if (last) parts.push(describeRun(last));
  parts.push(describeNext(run));
  return parts.join('  ');
}

function describeNext(run: NextRun | undefined): string {
  if (!run) return 'next date unknown: the account could not be read';
  return run.isDue ? 'due now: brokerage-mcp plans due drafts it' : `next on ${run.nextOn}`;
}

const describeRun = ({ dueOn, draftId, problem }: PlanRun): string =>
  draftId === undefined
    ? `${dueOn}: no draft. ${problem ? describePlanProblem(problem) : ''}`.trim()
    : `${dueOn}: draft ${draftId}`;
