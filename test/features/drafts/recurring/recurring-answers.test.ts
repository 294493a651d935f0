/** Recurring plans through the tools of a model: kept, listed, drafted when due, and ended; nothing is sent. */
// @module-tag server
import { expect, test } from 'vitest';
import { splitAmounts } from '../../../../src/features/drafts/recurring/recurring-answers.ts';
import { openMarketsAt, setup } from '../../../support/setup.ts';

const dayMs = 86_400_000;
const plan = { goal: 'invest', amount: 200, targets: [{ ticker: 'QWRLDl_EQ', weightPercent: 100 }] };

test('a plan that recurs is kept and listed, makes a draft on its day, and ends', async () => {
  // A Thursday.
  const made = await setup({ startAt: openMarketsAt });
  const { body: kept } = await made.call('plan_orders', { ...plan, every: 'week friday' });
  const facts = {
    name: 'Invest 200.00 in one instrument, weekly on Friday',
    every: 'weekly on Friday',
    nextOn: '2026-01-16',
    goal: 'invest',
    amount: '200',
    currency: 'GBP',
    targets: { QWRLDl_EQ: '100' },
  };
  expect(kept).toMatchObject({ ...facts, sent: false });
  expect(kept.message).toBe(
    'The plan is kept: Invest 200.00 in one instrument, weekly on Friday. The next draft is made on 2026-01-16. It makes drafts and sends nothing; each draft waits for the user.',
  );
  const listed = (await made.call('list_drafts', {})).body;
  expect(listed).toMatchObject({ drafts: 0, plans: [{ planId: kept.planId, ...facts }] });

  await made.clock.advance(dayMs);
  await made.composed.services.recurringPlans.tick();
  const due = (await made.call('list_drafts', {})).body;
  expect([due.drafts, due.plans[0].lastOn]).toEqual([1, '2026-01-16']);
  expect(made.simulator.log.filter(({ method }) => method !== 'GET')).toEqual([]);

  const { body: ended } = await made.call('discard_draft', { draftId: kept.planId });
  expect(ended).toMatchObject({ draftId: kept.planId, state: 'ended' });
  const left = (await made.call('list_drafts', {})).body;
  expect([left.drafts, left.plans]).toEqual([1, undefined]);
});

test('the same plan asked twice is one, and another day is another plan', async () => {
  const made = await setup({ startAt: openMarketsAt });
  const ids: string[] = [];
  for (const every of ['month 1', 'month 1', 'Month  15'])
    ids.push((await made.call('plan_orders', { ...plan, every })).body.planId);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
  expect((await made.composed.services.recurringPlans.list()).map(({ schedule }) => schedule)).toEqual([
    { every: 'month', day: 1 },
    { every: 'month', day: 15 },
  ]);
  // A person may have given it a name of their own.
  const plans = made.composed.services.recurringPlans;
  const [first] = await plans.list();
  await plans.remove(String(first?.id));
  const { id } = await plans.add({ ...(first as NonNullable<typeof first>), name: 'Savings' });
  const { body: again } = await made.call('plan_orders', { ...plan, every: 'month 1' });
  expect(again.planId).toBe(id);
  expect(again.message).toContain('This plan exists: Savings.');
});

test.each(['month', 'month 0', 'month 32', 'week', 'week funday', 'day 1', 'month 1 2', 7])(
  'the schedule %j is refused with what it can be',
  async (every) => {
    const made = await setup({ startAt: openMarketsAt });
    expect((await made.call('plan_orders', { ...plan, every })).body).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('must be "month 1" to "month 31", or "week monday" to "week sunday"'),
    });
  },
);

test('a plan that no account could follow is refused when it is kept', async () => {
  const made = await setup({ startAt: openMarketsAt });
  const { body } = await made.call('plan_orders', { goal: 'invest', every: 'month 1' });
  expect(body.facts?.problem ?? body.problem).toBe('amount_missing');
  expect(await made.composed.services.recurringPlans.list()).toEqual([]);
});

test('a plan that invests splits its amount by its target weights, and no other plan does', () => {
  const targets = [
    { ticker: 'A', weightPercent: '33.33' },
    { ticker: 'B', weightPercent: '50' },
  ];
  const invest = { goal: 'invest', amount: '100.10', targets } as const;
  expect(
    splitAmounts([
      { id: 'p1', question: invest },
      { id: 'p2', question: { ...invest, goal: 'rebalance' } },
      { id: 'p3', question: { ...invest, targets: undefined } },
      { id: 'p4', question: { ...invest, amount: undefined } },
    ] as unknown as Parameters<typeof splitAmounts>[0]),
    // 33.33 % of 100.10 is 33.36333, and half of it is 50.05.
  ).toEqual({ p1: { A: '33.36', B: '50.05' } });
});
