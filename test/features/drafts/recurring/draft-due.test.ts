/** What becomes of a recurring plan that is due: its draft, or the problem that it had, and what is read for it. */
import { expect, test } from 'vitest';
import type { KeyValueStore } from '../../../../src/core/broker/types.ts';
import { listOpenDrafts } from '../../../../src/features/drafts/book/find-draft.ts';
import {
  createRecurringPlans,
  type RecurringPlan,
  type RecurringQuestion,
} from '../../../../src/features/drafts/recurring/recurring-plans.ts';
import { openBook, startAt } from '../book/support.ts';
import { openPlanWorld, type PlanWorld, since } from '../plan-world.ts';

const held = { A: [10, '10'], B: [10, '10'] } as const;
const invest: RecurringQuestion = { goal: 'invest', amount: '100' };
const minutes = (count: number) => count * 60_000;

/** Plans of the 15th of each month, whose account is read at 15:00 on 15 January. */
function openPlans(world: PlanWorld = { held }) {
  const { deps, asked } = openPlanWorld(world);
  const { deps: drafts, clock } = openBook();
  let stored: readonly RecurringPlan[] | undefined;
  const records = {
    update: async (space: string, key: string, change: (state: unknown) => { state: never; result: unknown }) => {
      expect([space, key]).toEqual(['recurring-plans', 'demo account']);
      const { state, result } = change(stored);
      stored = state;
      return result;
    },
  } as unknown as KeyValueStore;
  /** Changes the first plan, as a process under another clock left it. */
  const keep = (change: Partial<RecurringPlan>) => {
    stored = stored?.map((plan, at) => (at === 0 ? { ...plan, ...change } : plan));
  };
  const { orderManager } = deps;
  const seen: (readonly RecurringPlan[] | undefined)[] = [];
  let fault: Error | undefined;
  const readAccount: typeof orderManager.readAccount = (context) => {
    seen.push(stored);
    // The first read is for the zone of the days.
    if (fault && seen.length > 1) throw fault;
    return orderManager.readAccount(context);
  };
  const fail = (error: Error) => {
    fault = error;
  };
  const plans = createRecurringPlans({ ...deps, clock, records, drafts, orderManager: { readAccount } });
  const add = (question: RecurringQuestion = invest, name = 'savings', day = 15) =>
    plans.add({ name, schedule: { every: 'month', day }, question });
  return { plans, add, asked, drafts, clock, seen, stored: () => stored, keep, fail };
}

test('a plan is kept with its question, and the other plans with it', async () => {
  const { plans, add } = openPlans();
  const first = await add();
  expect(first).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    name: 'savings',
    schedule: { every: 'month', day: 15 },
    question: invest,
    createdAt: startAt,
  });
  const second = await add({ ...invest, amount: '50' }, 'other', 16);
  expect(await plans.list()).toEqual([first, second]);
  await plans.draftDue();
  expect((await plans.list()).map(({ name, last }) => [name, last?.dueOn])).toEqual([
    ['savings', '2026-01-15'],
    ['other', undefined],
  ]);
});

test('a plan that is due makes a draft with its name, its day and its orders as the question has them', async () => {
  const { plans, add, drafts } = openPlans();
  const plan = await add({ ...invest, orderType: 'LIMIT', timeValidity: 'GOOD_TILL_CANCEL' });
  const [run] = await plans.draftDue();
  const [found] = await listOpenDrafts(drafts);
  const draftId = found?.draft.id;
  expect(run).toStrictEqual({ ...plan, last: { dueOn: '2026-01-15', at: startAt, draftId }, claim: undefined });
  expect(await plans.list()).toEqual([run]);
  expect(found?.draft).toMatchObject({ name: 'savings 2026-01-15', source: 'plan savings' });
  const common = { type: 'LIMIT', side: 'BUY', quantity: '5', limitPrice: '10', timeValidity: 'GOOD_TILL_CANCEL' };
  const weight = { before: '50', target: '50', after: '50', change: '16.6667' };
  const reason = 'invest: from 50.0% to 50.0%, target 50.0%.';
  expect(found?.latest.legs).toEqual([
    { ...common, ticker: 'A', price: '10', reason, weight },
    { ...common, ticker: 'B', price: '10', reason, weight },
  ]);
});

test('a plan has 50 seconds of the reads of the account, five of them for the history, and hears that it is stopped', async () => {
  const { plans, add, asked } = openPlans();
  await add();
  const { signal } = new AbortController();
  await plans.draftDue(signal);
  const context = { priority: 'read', deadlineAt: startAt + 50_000, signal };
  const waiting = { ...context, waitUntil: startAt + 5_000 };
  expect(asked).toEqual([
    // For the zone of its days, and for the plan.
    ['account', context],
    ['account', context],
    ['orders', { context: { ...waiting, notBefore: since } }],
    ['dividends', { context: waiting }],
  ]);
});

test('when a plan is due next is asked with the same time and signal', async () => {
  const { plans, add, asked } = openPlans();
  const plan = await add();
  const { signal } = new AbortController();
  expect(await plans.readNextRuns([plan], signal)).toEqual([{ isDue: true, nextOn: '2026-02-15', currency: 'GBP' }]);
  expect(asked).toEqual([['account', { priority: 'read', deadlineAt: startAt + 50_000, signal }]]);
});

test('while a process drafts a period, the plan has its claim for two minutes, and another process leaves it', async () => {
  const { plans, add, seen } = openPlans();
  const plan = await add();
  const runs = await Promise.all([plans.draftDue(), plans.draftDue()]);
  expect(runs.flat()).toHaveLength(1);
  expect(seen.at(-1)).toEqual([{ ...plan, claim: { dueOn: '2026-01-15', until: startAt + minutes(2) } }]);
  expect((await plans.list())[0]?.claim).toBeUndefined();
});

test('the history of a plan that ranks gains has 20 seconds', async () => {
  const { plans, add, asked } = openPlans();
  await add({ goal: 'raise', amount: '50', method: 'fifo' });
  await plans.draftDue();
  expect(asked.at(-1)).toMatchObject(['dividends', { context: { waitUntil: startAt + 20_000 } }]);
});

test('a period that was missed by days is drafted with its own day', async () => {
  const { plans, add, clock, drafts } = openPlans();
  await add({ ...invest, amount: '2000' });
  await add(invest, 'other', 20);
  await clock.advance(minutes(8 * 24 * 60));
  expect((await plans.draftDue()).map(({ name, last }) => [name, last?.dueOn, last?.at])).toEqual([
    ['savings', '2026-01-15', clock.now()],
    ['other', '2026-01-20', clock.now()],
  ]);
  expect((await listOpenDrafts(drafts)).map(({ draft }) => draft.name)).toEqual(['other 2026-01-20']);
});

test('a plan that has nothing to order says why, and makes no draft', async () => {
  const { plans, add, drafts } = openPlans();
  // A fifth of a share of each, of which whole ones are traded.
  await add({ goal: 'invest', amount: '4' });
  const [run] = await plans.draftDue();
  expect(run?.last).toEqual({
    dueOn: '2026-01-15',
    at: startAt,
    problem: {
      code: 'nothing_to_order',
      reason:
        'The plan has no order, so no draft was made. £4.00 is not spent: quantities are rounded down. No order for A, B: an order would be less than one step of the quantity.',
    },
  });
  expect(await listOpenDrafts(drafts)).toEqual([]);
});

test('a plan with a problem that stays names it with a step for a person, and is not tried again', async () => {
  const { plans, add, clock } = openPlans();
  await add({ goal: 'invest', amount: '2000' });
  const [run] = await plans.draftDue();
  const change =
    'To change the plan, remove the plan with “brokerage-mcp plans remove”, and add it again with a smaller amount or keepCash.';
  expect(run?.last).toEqual({
    dueOn: '2026-01-15',
    at: startAt,
    problem: {
      code: 'amount_over_cash',
      reason: 'The amount is larger than the cash that may be spent, which is £1,000.00.',
      step: change,
    },
  });
  await clock.advance(minutes(10));
  expect(await plans.draftDue()).toEqual([]);
});

test('a plan whose problem the rest of the history can solve is tried again after ten minutes', async () => {
  const { plans, add, clock } = openPlans({ held, coverage: { complete: false } });
  await add({ goal: 'raise', amount: '500' });
  const [run] = await plans.draftDue();
  expect(run?.last?.problem).toMatchObject({ code: 'amount_over_holdings', complete: false });
  await clock.advance(minutes(10) - 1);
  expect(await plans.draftDue()).toEqual([]);
  await clock.advance(1);
  expect(await plans.draftDue()).toHaveLength(1);
  await clock.advance(minutes(3 * 24 * 60));
  expect((await plans.draftDue()).map(({ last }) => last?.dueOn)).toEqual(['2026-01-15']);
});

test('in the background what is due is drafted, and looked for again after ten minutes', async () => {
  const { plans, add, asked, clock } = openPlans();
  await add();
  await plans.tick();
  expect((await plans.list())[0]?.last?.dueOn).toBe('2026-01-15');
  const before = asked.length;
  await clock.advance(minutes(10) - 1);
  await plans.tick();
  expect(asked).toHaveLength(before);
  await clock.advance(1);
  await plans.tick();
  expect(asked).toHaveLength(before + 1);
});

test('a plan is removed by its id or its name, and the others stay', async () => {
  const { plans, add } = openPlans();
  const { id } = await add(invest, 'a');
  await add(invest, 'b');
  const kept = await add(invest, 'c');
  expect([await plans.remove(id), await plans.remove('b'), await plans.remove('none')]).toEqual([true, true, false]);
  expect(await plans.list()).toEqual([kept]);
});

test('an account keeps 20 plans, whatever their names, and nothing when the last is removed', async () => {
  const { plans, add, stored } = openPlans();
  for (let n = 1; n <= 20; n++) await add(invest, `a plan with a long name ${n}`);
  await expect(add(invest, 'b')).rejects.toMatchObject({
    code: 'invalid_argument',
    message: 'There are 20 plans already.',
  });
  for (const { id } of await plans.list()) await plans.remove(id);
  expect(stored()).toBeUndefined();
});

test('a plan that was run under a clock that was ahead is drafted for the day on which it was due', async () => {
  const { plans, add, clock, keep } = openPlans();
  await add();
  keep({ last: { dueOn: '2027-02-15', at: startAt + minutes(400 * 24 * 60), draftId: 'd' } });
  await clock.advance(minutes(3 * 24 * 60));
  expect((await plans.draftDue()).map(({ last }) => last?.dueOn)).toEqual(['2026-01-15']);
});

test('without plans the account is not read', async () => {
  const { plans, asked } = openPlans();
  expect([await plans.draftDue(), await plans.readNextRuns([])]).toEqual([[], []]);
  expect(asked).toEqual([]);
});

test.each([
  ['rate_limited', true],
  ['blocked', true],
  ['unreachable', true],
  ['timeout', true],
  ['upstream_error', true],
  ['history_incomplete', true],
  ['amount_over_cash', false],
  ['unknown_ticker', false],
  ['nothing_to_order', false],
])('after ten minutes a period that met %s is tried again: %s', async (code, isTried) => {
  const { plans, add, clock, keep } = openPlans();
  await add();
  keep({ last: { dueOn: '2026-01-15', at: startAt, problem: { code, reason: '' } } });
  await clock.advance(minutes(10));
  expect((await plans.draftDue()).map(({ last }) => last?.dueOn)).toEqual(isTried ? ['2026-01-15'] : []);
});

test('a period before the one that was run last is not tried again', async () => {
  const { plans, add, clock, keep } = openPlans();
  await add(invest, 'savings', 14);
  const problem = { code: 'timeout', reason: '' };
  keep({ createdAt: startAt - minutes(3 * 24 * 60), last: { dueOn: '2026-01-15', at: startAt, problem } });
  await clock.advance(minutes(10));
  expect(await plans.draftDue()).toEqual([]);
});

test('a fault in a plan is thrown, not stored as its problem', async () => {
  const { plans, add, stored, fail } = openPlans();
  await add();
  fail(new TypeError('a fault'));
  await expect(plans.draftDue()).rejects.toThrow(new TypeError('a fault'));
  expect(stored()?.[0]?.last).toBeUndefined();
});
