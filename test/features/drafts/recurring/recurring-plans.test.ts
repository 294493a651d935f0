/** Recurring plans: a draft for each period, once, and nothing sent. */
// @module-tag server
import { expect, test } from 'vitest';
import { buildToolListing } from '../../../../src/app/build-tool-listing.ts';
import { storeFile } from '../../../../src/core/store/store-location.ts';
import type { RecurringPlan, RecurringQuestion } from '../../../../src/features/drafts/recurring/recurring-plans.ts';
import { openEngine } from '../../../core/store/support.ts';
import { type Setup, setup } from '../../../support/setup.ts';

const dayMs = 86_400_000;
// The clock of `setup` starts on Thursday 15 January 2026, 15:00 UTC.
const invest: RecurringQuestion = { goal: 'invest', amount: '500' };
const add = ({ composed }: Setup, day: number, question = invest, name = 'savings') =>
  composed.services.recurringPlans.add({ name, schedule: { every: 'month', day }, question });
const draftDue = ({ composed }: Setup) => composed.services.recurringPlans.draftDue();
const openDrafts = async ({ call }: Setup): Promise<Record<string, string>[]> => {
  const { body } = await call('list_drafts', {});
  return body.rows.map((row: string[]) =>
    Object.fromEntries(body.columns.map((name: string, i: number) => [name, row[i]])),
  );
};
const posts = (made: Setup) => made.requests().filter((id) => id.startsWith('place'));

test('a plan that is due makes one draft of its period, and list_drafts says where it came from', async () => {
  const made = await setup();
  await add(made, 15);
  const [run] = await draftDue(made);
  expect(run?.last).toEqual({ dueOn: '2026-01-15', at: expect.any(Number), draftId: expect.any(String) });
  expect(await draftDue(made)).toEqual([]);
  const drafts = await openDrafts(made);
  expect(drafts).toHaveLength(1);
  expect(drafts[0]).toMatchObject({ draftId: run?.last?.draftId, source: 'plan savings' });
  expect(posts(made)).toEqual([]);
});

test('the orders of a draft last as long as the plan says', { tags: ['slow'] }, async () => {
  const made = await setup();
  await add(made, 15, { ...invest, orderType: 'LIMIT', limitOffsetPercent: '1', timeValidity: 'GOOD_TILL_CANCEL' });
  const [run] = await draftDue(made);
  const { body } = await made.call('list_drafts', { draftId: run?.last?.draftId });
  const at = body.columns.indexOf('timeValidity');
  expect(new Set(body.rows.map((row: unknown[]) => row[at]))).toEqual(new Set(['GOOD_TILL_CANCEL']));
});

test('a plan of today is due until it is drafted, and then next month', { tags: ['slow'] }, async () => {
  const made = await setup();
  const { recurringPlans } = made.composed.services;
  const today = await add(made, 15);
  const tomorrow = await add(made, 16, invest, 'other');
  const next = async () => recurringPlans.readNextRuns(await recurringPlans.list());
  expect(await recurringPlans.readNextRuns([today, tomorrow])).toEqual([
    { isDue: true, nextOn: '2026-02-15', currency: 'GBP' },
    { isDue: false, nextOn: '2026-01-16', currency: 'GBP' },
  ]);
  await draftDue(made);
  expect((await next()).map(({ isDue }) => isDue)).toEqual([false, false]);
});

test('a question that cannot be asked is refused when the plan is added', async () => {
  const made = await setup();
  const targets = ['60', '50'].map((weightPercent, i) => ({ ticker: `T${i}`, weightPercent }));
  for (const [question, problem] of [
    [{ goal: 'invest' }, 'amount_missing'],
    [{ goal: 'rebalance' }, 'targets_missing'],
    [{ goal: 'rebalance', targets }, 'weights_over_100'],
  ] as const)
    await expect(add(made, 15, question), problem).rejects.toMatchObject({ facts: { problem } });
  expect(await made.composed.services.recurringPlans.list()).toEqual([]);
});

test('a plan is not due before its day, and a plan of an earlier day begins with the next month', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  await add(made, 16);
  await add(made, 14, invest, 'other');
  expect(await draftDue(made)).toEqual([]);
  await made.clock.advance(dayMs);
  expect((await draftDue(made)).map(({ name, last }) => [name, last?.dueOn])).toEqual([['savings', '2026-01-16']]);
});

test('after three missed months only the latest is drafted', { tags: ['slow'] }, async () => {
  const made = await setup();
  await add(made, 20);
  await made.clock.advance(80 * dayMs);
  expect((await draftDue(made)).map(({ last }) => last?.dueOn)).toEqual(['2026-03-20']);
  expect(await draftDue(made)).toEqual([]);
});

/** Changes the stored plan, as a process under another clock left it. */
async function storePlan({ stateDir }: Setup, change: (plan: RecurringPlan) => RecurringPlan): Promise<void> {
  const engine = openEngine(storeFile(stateDir));
  await engine.write(async (db) => {
    const [row] = await db.all<{ value: string }>(`SELECT value FROM records WHERE space = 'recurring-plans'`);
    const plans = JSON.parse(row?.value ?? '') as readonly RecurringPlan[];
    await db.run(`UPDATE records SET value = ? WHERE space = 'recurring-plans'`, JSON.stringify(plans.map(change)));
  });
}

// Each of them alone is in due-table.test.ts.
test('a plan that was added, run and claimed under a clock 400 days ahead is drafted when it is due, once', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  await add(made, 15);
  const then = made.clock.now() + 400 * dayMs;
  const [last, claim] = [
    { dueOn: '2027-02-15', at: then },
    { dueOn: '2027-02-15', until: then },
  ];
  await storePlan(made, (plan) => ({ ...plan, createdAt: then, last, claim }));
  const { recurringPlans } = made.composed.services;
  expect(await recurringPlans.readNextRuns(await recurringPlans.list())).toEqual([
    { isDue: true, nextOn: '2026-02-15', currency: 'GBP' },
  ]);
  expect((await draftDue(made)).map(({ last }) => last?.dueOn)).toEqual(['2026-01-15']);
  expect(await draftDue(made)).toEqual([]);
});

test('two processes that run three plans at once make three drafts', async () => {
  const made = await setup();
  const other = await setup({ beside: made });
  for (const name of ['a', 'b', 'c']) await add(made, 15, invest, name);
  const runs = (await Promise.all([draftDue(made), draftDue(other)])).flat();
  expect(runs.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c']);
  expect(await openDrafts(made)).toHaveLength(3);
});

const tools = buildToolListing().map(({ name }) => name);

/** A person calls no tool, and gives it no field. */
function expectForPerson(last: RecurringPlan['last']): void {
  const words = last?.problem?.reason.split(/[^A-Za-z_]+/) ?? [];
  expect(words.length).toBeGreaterThan(3);
  expect(words.filter((word) => [...tools, 'dropped'].includes(word))).toEqual([]);
}

test('a period that cannot be drafted is reported with its reason, and not tried again', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  await add(made, 15, { goal: 'invest', amount: '900000000' });
  const [run] = await draftDue(made);
  expect(run?.last).toMatchObject({ problem: { code: 'amount_over_cash' } });
  expect(run?.last).not.toHaveProperty('draftId');
  expectForPerson(run?.last);
  await made.clock.advance(3_600_000);
  expect(await draftDue(made)).toEqual([]);
  expect((await made.composed.services.recurringPlans.list())[0]?.last?.problem?.code).toBe('amount_over_cash');
});

test('a period that met history_incomplete while the history was read is tried again', { tags: ['slow'] }, async () => {
  const made = await setup();
  await add(made, 15, { goal: 'raise', amount: '10', method: 'fifo' });
  const [first] = await draftDue(made);
  expect(first?.last).toMatchObject({ dueOn: '2026-01-15', problem: { code: 'history_incomplete' } });
  expectForPerson(first?.last);
  // Not before ten minutes have passed.
  expect(await draftDue(made)).toEqual([]);
  for (let tries = 0; tries < 20; tries++) {
    if ((await made.call('fetch_history', { kind: 'orders' })).body.complete) break;
    await made.clock.advance(60_000);
  }
  await made.clock.advance(600_000);
  const [again] = await draftDue(made);
  expect([again?.last?.dueOn, again?.last?.draftId !== undefined]).toEqual(['2026-01-15', true]);
  await made.clock.advance(600_000);
  expect(await draftDue(made)).toEqual([]);
});

test('a problem that a part of the history has is not final', { tags: ['slow'] }, async () => {
  const made = await setup();
  await add(made, 15, { goal: 'raise', amount: '900000000' });
  const [run] = await draftDue(made);
  // Charges come from all fills.
  expect(run?.last?.problem).toMatchObject({ code: 'amount_over_holdings', complete: false });
  expectForPerson(run?.last);
});

test('the reason of a problem is for a person', { tags: ['slow'] }, async () => {
  const made = await setup();
  await add(made, 15, { goal: 'rebalance', targets: [{ ticker: 'NO_SUCH_EQ', weightPercent: '50' }] }, 'a');
  await add(made, 15, { goal: 'invest', amount: '1', minOrderValue: '100' }, 'b');
  const runs = await draftDue(made);
  expect(runs.map(({ last }) => last?.problem?.code)).toEqual(['unknown_ticker', 'nothing_to_order']);
  for (const { last } of runs) expectForPerson(last);
});

test('names are unique, and a removed plan makes no draft', async () => {
  const made = await setup();
  await add(made, 15);
  await expect(add(made, 1)).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(await made.composed.services.recurringPlans.remove('savings')).toBe(true);
  expect(await made.composed.services.recurringPlans.remove('savings')).toBe(false);
  expect(await draftDue(made)).toEqual([]);
});
