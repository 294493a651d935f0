/** When a recurring plan is due: what became of its periods, each with each claim of a process, by docs/drafts.md. */
import { describe, expect, test } from 'vitest';
import {
  createRecurringPlans,
  type PlanRun,
  type RecurringPlan,
  type RecurringPlansDeps,
} from '../../../../src/features/drafts/recurring/recurring-plans.ts';

const now = Date.UTC(2026, 0, 20, 12);
const dayMs = 86_400_000;
/** The pause after a problem that can pass, how long a claim lasts, and how much clocks may differ. */
const [retryMs, claimMs, slackMs] = [600_000, 120_000, 5_000];
const drafted = { at: now - 5 * dayMs, draftId: 'd' };
const failed = (code: string, at: number, complete?: false): PlanRun => ({
  dueOn: '2026-01-15',
  at,
  problem: { code, reason: 'A reason.', complete },
});

/** The plan is for the 15th of each month, so the period of 15 January is the latest one. */
const lasts: readonly (readonly [what: string, last: PlanRun | undefined, isDue: boolean])[] = [
  ['nothing was drafted', undefined, true],
  ['the period before was drafted', { ...drafted, dueOn: '2025-12-15' }, true],
  ['this period was drafted', { ...drafted, dueOn: '2026-01-15' }, false],
  ['this period has a problem that stays', failed('no_price', now - 5 * dayMs), false],
  ['this period had a problem that can pass ten minutes ago', failed('unreachable', now - retryMs), true],
  ['this period had a problem that can pass a moment later', failed('unreachable', now - retryMs + 1), false],
  ['a part of the history was missing ten minutes ago', failed('no_price', now - retryMs, false), true],
  ['a part of the history was missing a moment later', failed('no_price', now - retryMs + 1, false), false],
  ['the period before had a problem that stays', { ...failed('no_price', 0), dueOn: '2025-12-15' }, true],
  // A clock was ahead: such a run says nothing of this period.
  ['a period of next month was drafted', { ...drafted, dueOn: '2026-02-15' }, true],
  ['this period was drafted more than a day from now', { ...drafted, dueOn: '2026-01-15', at: now + dayMs + 1 }, true],
  ['this period was drafted a day from now', { ...drafted, dueOn: '2026-01-15', at: now + dayMs }, false],
];

const claims: readonly (readonly [what: string, until: number | undefined, isHeld: boolean])[] = [
  ['no process drafts it', undefined, false],
  ['a process drafts it', now + 1, true],
  ['the time of a process is over', now, false],
  ['a process with a clock a little ahead drafts it', now + claimMs + slackMs, true],
  ['a process claimed it under a clock that was far ahead', now + claimMs + slackMs + 1, false],
];

const plan = (change: Partial<RecurringPlan>): RecurringPlan => ({
  id: 'p',
  name: 'savings',
  schedule: { every: 'month', day: 15 },
  question: { goal: 'invest', amount: '500' },
  createdAt: Date.UTC(2025, 10, 1),
  ...change,
});

/** Only what the question needs. */
const createPlans = (at: number, taxZone: string) =>
  createRecurringPlans({
    clock: { now: () => at },
    config: { taxZone },
    orderManager: { readAccount: async () => ({ snapshot: { summary: { currency: 'GBP' } } }) },
  } as unknown as RecurringPlansDeps);
const plans = createPlans(now, 'UTC');
const isDue = async (change: Partial<RecurringPlan>) => (await plans.readNextRuns([plan(change)]))[0]?.isDue;

describe.each(claims)('while %s', (_claim, until, isHeld) => {
  const claim = until === undefined ? undefined : { dueOn: '2026-01-15', until };

  test.each(lasts)('a plan of which %s', async (_last, last, isOpen) => {
    expect(await isDue({ last, claim })).toBe(isOpen && !isHeld);
  });

  test('a plan that was made after the period is not due', async () => {
    expect(await isDue({ claim, createdAt: Date.UTC(2026, 0, 16) })).toBe(false);
  });

  test('a plan that was made on the day of the period, or under a clock that was ahead', async () => {
    expect(await isDue({ claim, createdAt: Date.UTC(2026, 0, 15) })).toBe(!isHeld);
    // It counts as made today, which is after the period.
    expect(await isDue({ claim, createdAt: now + 400 * dayMs })).toBe(false);
  });
});

/** London is an hour ahead of UTC in July, New York five hours behind it in January. */
test.each([
  ['2026-07-14T22:59:59Z', 'Europe/London', false, '2026-07-15'],
  ['2026-07-14T23:00:00Z', 'Europe/London', true, '2026-08-15'],
  ['2026-01-15T04:59:59Z', 'America/New_York', false, '2026-01-15'],
  ['2026-01-15T05:00:00Z', 'America/New_York', true, '2026-02-15'],
])('at %s a plan is due by the day of %s', async (at, zone, due, nextOn) => {
  const [, month] = at.split('-');
  const last = { ...drafted, at: Date.parse(at) - 30 * dayMs, dueOn: month === '07' ? '2026-06-15' : '2025-12-15' };
  expect(await createPlans(Date.parse(at), zone).readNextRuns([plan({ last })])).toEqual([
    { isDue: due, nextOn, currency: 'GBP' },
  ]);
});

test('a plan that was made under a clock that was ahead is due on the day that it counts as made', async () => {
  const onTheDay = createPlans(Date.UTC(2026, 0, 15, 12), 'UTC');
  expect(await onTheDay.readNextRuns([plan({ createdAt: now + 400 * dayMs })])).toEqual([
    { isDue: true, nextOn: '2026-02-15', currency: 'GBP' },
  ]);
});
