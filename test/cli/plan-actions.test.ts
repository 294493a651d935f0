/** What `plans` prints, and which runs end it with an error, over plans in memory. */
import { expect, test } from 'vitest';
import { planActions, readSchedule } from '../../src/cli/plans.ts';
import { BrokerageError, UsageError } from '../../src/core/errors.ts';
import type {
  NextRun,
  PlanRun,
  RecurringPlan,
  RecurringPlans,
} from '../../src/features/drafts/recurring/recurring-plans.ts';
import { testTerminal } from '../support/command.ts';

const plan = (change: Partial<RecurringPlan> = {}): RecurringPlan => ({
  id: 'p1',
  name: 'savings',
  schedule: { every: 'month', day: 5 },
  question: { goal: 'invest', amount: '250' } as RecurringPlan['question'],
  createdAt: 0,
  ...change,
});
const question = '  {"goal":"invest","amount":"250"}';
const next = { isDue: false, nextOn: '2026-12-05', currency: 'GBP' } satisfies NextRun;
const run: PlanRun = { dueOn: '2026-11-05', at: 1_000 };

async function act(
  action: keyof typeof planActions,
  {
    plans = [],
    runs = plans.map(() => next),
    words = [],
    flags = {},
  }: {
    plans?: readonly RecurringPlan[];
    runs?: readonly NextRun[] | Error;
    words?: readonly string[];
    flags?: Record<string, string>;
  },
) {
  const printed: string[] = [];
  const calls: unknown[] = [];
  const recurring: RecurringPlans = {
    list: async () => plans,
    add: async (added) => {
      calls.push(added);
      return plan(added);
    },
    remove: async (idOrName) => {
      calls.push(idOrName);
      return idOrName === 'savings';
    },
    readNextRuns: async () => {
      if (runs instanceof Error) throw runs;
      return runs;
    },
    draftDue: async () => plans,
    tick: async () => undefined,
  };
  const terminal = testTerminal({ print: (line) => void printed.push(line) });
  const code = await planActions[action](recurring, words, flags, terminal);
  return { code, printed, calls };
}

test.each<[PlanRun | undefined, number]>([
  [{ ...run, draftId: 'd1' }, 0],
  [{ ...run, problem: { code: 'nothing_to_order', reason: 'All is held.' } }, 0],
  [{ ...run, problem: { code: 'rate_limited', reason: 'Too many.' } }, 1],
  [run, 1],
  [undefined, 1],
])('plans due after the run %o ends with %i', async (last, code) => {
  const made = plan({ last: { ...run, draftId: 'd0' } });
  expect((await act('due', { plans: [made, plan({ last })] })).code).toBe(code);
});

test('plans due without a due plan is no error', async () => {
  expect(await act('due', {})).toMatchObject({ code: 0, printed: ['No plan is due.'] });
});

test.each<[Partial<RecurringPlan>, NextRun | undefined, string]>([
  [{}, next, 'p1  “savings”  monthly on the 5th  next on 2026-12-05'],
  [{}, { ...next, isDue: true }, 'p1  “savings”  monthly on the 5th  due now: brokerage-mcp plans due drafts it'],
  [
    { schedule: { every: 'week', weekday: 'friday' }, last: { ...run, draftId: 'd1' } },
    next,
    'p1  “savings”  weekly on Friday  2026-11-05: draft d1  next on 2026-12-05',
  ],
  [
    { last: { ...run, problem: { code: 'rate_limited', reason: 'Too many.' } } },
    next,
    'p1  “savings”  monthly on the 5th  2026-11-05: no draft. Too many.  next on 2026-12-05',
  ],
  [{ last: run }, next, 'p1  “savings”  monthly on the 5th  2026-11-05: no draft.  next on 2026-12-05'],
  [{}, undefined, 'p1  “savings”  monthly on the 5th  next date unknown: the account could not be read'],
])('plans list says %o, with the next run %o', async (change, nextRun, line) => {
  const { code, printed } = await act('list', { plans: [plan(change)], runs: nextRun ? [nextRun] : [] });
  expect([code, printed]).toEqual([0, [line, question]]);
});

test('plans are listed without their next dates while the account cannot be read', async () => {
  const runs = new BrokerageError('unreachable', 'No network.', 'Wait.');
  const { printed } = await act('list', { plans: [plan()], runs, flags: { json: 'true' } });
  expect(JSON.parse(printed.join(''))).toEqual({
    plans: [
      {
        planId: 'p1',
        name: 'savings',
        schedule: { every: 'month', day: 5 },
        arguments: { goal: 'invest', amount: '250' },
        createdAt: '1970-01-01T00:00:00.000Z',
        next: null,
      },
    ],
  });
  await expect(act('list', { plans: [plan()], runs: new TypeError('A FAULT') })).rejects.toThrow('A FAULT');
});

test('each plan as JSON has its own next run', async () => {
  const due = { isDue: true, nextOn: '2026-12-07', currency: 'GBP' };
  const plans = [plan(), plan({ id: 'p2', last: { ...run, draftId: 'd1' } })];
  const { printed } = await act('list', { plans, runs: [next, due], flags: { json: 'true' } });
  expect(JSON.parse(printed.join('')).plans).toMatchObject([
    { planId: 'p1', next: { isDue: false, nextOn: '2026-12-05' } },
    {
      planId: 'p2',
      next: { isDue: true, nextOn: '2026-12-07' },
      last: { dueOn: '2026-11-05', at: '1970-01-01T00:00:01.000Z', draftId: 'd1' },
    },
  ]);
});

const json = '{"goal":"invest","amount":250}';
const monthly = { every: 'month', day: '5' };

test('plans add keeps the plan that the words and flags describe', async () => {
  const { code, calls, printed } = await act('add', { words: ['savings', json], flags: monthly });
  const added = { name: 'savings', schedule: { every: 'month', day: 5 }, question: { goal: 'invest', amount: '250' } };
  expect([code, calls]).toEqual([0, [added]]);
  expect(printed).toEqual([
    'p1  “savings”  monthly on the 5th  next date unknown: the account could not be read',
    question,
  ]);
});

test('plans remove says what it removed, and a plan that does not exist is a usage error', async () => {
  expect(await act('remove', { words: ['savings'] })).toEqual({
    code: 0,
    calls: ['savings'],
    printed: ['The plan is removed. Drafts that it made stay.'],
  });
  const { printed } = await act('remove', { words: ['savings'], flags: { json: 'true' } });
  expect(JSON.parse(printed.join(''))).toEqual({ removed: 'savings' });
  await expect(act('remove', { words: ['rent'] })).rejects.toThrow(
    new UsageError('There is no plan "rent"; brokerage-mcp plans lists them.'),
  );
});

test.each([
  ['add', []],
  ['add', ['savings']],
  ['add', ['savings', json, 'more']],
  ['add', ['', json]],
  ['add', [' \u200b', json]],
  ['remove', []],
  ['remove', ['savings', 'more']],
] as const)('plans %s needs its words: %j', async (action, words) => {
  await expect(act(action, { words, flags: monthly })).rejects.toThrow(`plans ${action} needs`);
});

test.each([
  [
    { every: 'month', day: '1' },
    { every: 'month', day: 1 },
  ],
  [
    { every: 'month', day: '9' },
    { every: 'month', day: 9 },
  ],
  [
    { every: 'month', day: '10' },
    { every: 'month', day: 10 },
  ],
  [
    { every: 'month', day: '29' },
    { every: 'month', day: 29 },
  ],
  [
    { every: 'month', day: '31' },
    { every: 'month', day: 31 },
  ],
  [
    { every: 'week', day: 'Friday' },
    { every: 'week', weekday: 'friday' },
  ],
])('the flags %o name the schedule %o', (flags, schedule) => {
  expect(readSchedule(flags)).toEqual(schedule);
});

test.each<Record<string, string>>([
  { every: 'month', day: '0' },
  { every: 'month', day: '32' },
  { every: 'month', day: '05' },
  { every: 'month', day: '1.5' },
  { every: 'month', day: '-1' },
  { every: 'month', day: 'friday' },
  { every: 'month' },
  { every: 'week', day: '5' },
  { every: 'week', day: 'fri' },
  { every: 'week' },
  { every: 'year', day: '5' },
  { day: '5' },
  {},
])('the flags %o name no schedule', (flags) => {
  expect(() => readSchedule(flags)).toThrow(UsageError);
});
