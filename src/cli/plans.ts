import { BrokerageError, UsageError } from '../core/errors.ts';
import { parseArguments } from '../core/mcp/parse-arguments.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { foreignName } from '../core/text/sanitize-text.ts';
import { planOrdersTool } from '../features/drafts/plan-orders.ts';
import type {
  NextRun,
  PlanRun,
  RecurringPlan,
  RecurringPlans,
  RecurringQuestion,
} from '../features/drafts/recurring/recurring-plans.ts';
import { describeSchedule, parseSchedule, type Schedule } from '../features/drafts/recurring/schedule.ts';
import { type Command, findAction } from './command.ts';
import { isJson, outputStyle, printJson } from './output.ts';
import { withApp } from './with-app.ts';

type Flags = Readonly<Record<string, string>>;
/** Returns the exit code. */
type Action = (
  plans: RecurringPlans,
  words: readonly string[],
  flags: Flags,
  terminal: ProcessContext,
) => Promise<number>;

/** Adds, lists and removes recurring plans, and makes the drafts that are due. It never sends an order. */
export const plansCommand: Command = ({ words, flags }, terminal) =>
  withApp(flags, terminal, async ({ services }) => {
    const [action = 'list', ...rest] = words;
    return await findAction<Action>('plans', planActions, action)(services.recurringPlans, rest, flags, terminal);
  });

const list: Action = async (plans, _words, flags, terminal) => {
  const all = await plans.list();
  await printPlans(plans, all, flags, terminal, 'There are no recurring plans in this environment and account.');
  return 0;
};

/** Prints each with the time of its next draft. */
async function printPlans(
  plans: RecurringPlans,
  some: readonly RecurringPlan[],
  flags: Flags,
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

const add: Action = async (plans, words, flags, terminal) => {
  const [typed, json, ...more] = words;
  const name = foreignName(typed);
  if (name === undefined || json === undefined || more.length > 0)
    throw new UsageError('plans add needs a name and the arguments of plan_orders as JSON.');
  const schedule = readSchedule(flags);
  const question = parseArguments(planOrdersTool, parseJson(json)) as RecurringQuestion;
  await printPlans(plans, [await plans.add({ name, schedule, question })], flags, terminal, '');
  return 0;
};

const remove: Action = async (plans, [idOrName, ...more], flags, terminal) => {
  if (idOrName === undefined || more.length > 0) throw new UsageError('plans remove needs the name or id of one plan.');
  if (!(await plans.remove(idOrName)))
    throw new UsageError(`There is no plan ${JSON.stringify(idOrName)}; brokerage-mcp plans lists them.`);
  if (isJson(flags)) printJson(terminal, { removed: idOrName });
  else terminal.print('The plan is removed. Drafts that it made stay.');
  return 0;
};

const due: Action = async (plans, _words, flags, terminal) => {
  const run = await plans.draftDue(terminal.shutdownSignal);
  await printPlans(plans, run, flags, terminal, 'No plan is due.');
  return run.some(({ last }) => last?.draftId === undefined && last?.problem?.code !== 'nothing_to_order') ? 1 : 0;
};

/** What the command can do with the plans. */
export const planActions = { list, add, remove, due } as const satisfies Readonly<Record<string, Action>>;

/** Throws a UsageError unless the flags name one schedule. */
export function readSchedule({ every, day }: Flags): Schedule {
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

function toJson({ id, name, schedule, question, createdAt, last }: RecurringPlan, run: NextRun | undefined) {
  return {
    planId: id,
    name,
    schedule,
    arguments: question,
    createdAt: new Date(createdAt).toISOString(),
    last: last && { ...last, at: new Date(last.at).toISOString() },
    // Null while the account cannot be read, which has the zone of the days.
    next: run ? { isDue: run.isDue, nextOn: run.nextOn } : null,
  };
}

function describePlan({ id, name, schedule, last }: RecurringPlan, run: NextRun | undefined): string {
  const parts = [id, `“${name}”`, describeSchedule(schedule)];
  if (last) parts.push(describeRun(last));
  parts.push(describeNext(run));
  return parts.join('  ');
}

function describeNext(run: NextRun | undefined): string {
  if (!run) return 'next date unknown: the account could not be read';
  return run.isDue ? 'due now: brokerage-mcp plans due drafts it' : `next on ${run.nextOn}`;
}

const describeRun = ({ dueOn, draftId, problem }: PlanRun): string =>
  draftId === undefined ? `${dueOn}: no draft. ${problem?.reason ?? ''}`.trim() : `${dueOn}: draft ${draftId}`;
