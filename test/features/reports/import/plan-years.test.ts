import { expect, test } from 'vitest';
import { gapsIn, type Interval } from '../../../../src/features/history/coverage.ts';
import { getYear, planYears, type YearFacts } from '../../../../src/features/reports/import/plan-years.ts';

const until = Date.UTC(2026, 0, 15, 14, 45);
const dayMs = 86_400_000;
const years = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => getYear(until, from + index));

/** A plan where `covered` is read, `full` has rows, and the rest is unread. */
const plan = (facts: { covered?: readonly Interval[]; full?: readonly Interval[] } & Partial<YearFacts> = {}) =>
  planYears({
    until,
    years: undefined,
    oldestPositionAt: undefined,
    pending: [],
    abandoned: [],
    listUnread: (range) => gapsIn(range, facts.covered ?? []),
    listUntaxed: () => [],
    countRows: async ({ from }) => (facts.full?.some((year) => year.from === from) ? 10 : 0),
    ...facts,
  });

test('no year is longer than the service allows, also around 29 February', () => {
  const leapDay = Date.UTC(2024, 1, 29, 12);
  for (let index = 0; index < 12; index++) {
    const { from, to } = getYear(leapDay, index);
    const yearLater = new Date(from);
    yearLater.setUTCFullYear(yearLater.getUTCFullYear() + 1);
    expect(to).toBeLessThanOrEqual(yearLater.getTime());
    expect(getYear(leapDay, index + 1).to).toBe(from);
  }
});

test('the newest unread year is requested first, then the one before it', async () => {
  expect(await plan()).toMatchObject({ next: getYear(until, 0), isWaiting: false, reached: 0 });
  expect(await plan({ pending: years(0, 1) })).toMatchObject({ next: getYear(until, 1), isWaiting: true, reached: 1 });
});

test('two empty years are the beginning of the history', async () => {
  const covered = years(0, 4);
  const full = years(0, 2);
  expect(await plan({ covered, full })).toMatchObject({
    next: undefined,
    isWaiting: false,
    ready: 4,
    beginsAt: getYear(until, 3).from,
  });
  expect(await plan({ covered: years(0, 3), full })).toMatchObject({ next: getYear(until, 3), beginsAt: undefined });
});

test('one empty year between others is not the beginning', async () => {
  const full = [...years(0, 1), ...years(2, 3)];
  expect(await plan({ covered: years(0, 3), full })).toMatchObject({ next: getYear(until, 3), beginsAt: undefined });
});

test('after an empty year nothing is requested until the year before it is known', async () => {
  const facts = { covered: years(0, 2), full: years(0, 1), pending: years(2, 3) };
  expect(await plan(facts)).toMatchObject({ next: undefined, isWaiting: true, beginsAt: undefined });
});

test('an open position that is older keeps the import going', async () => {
  const oldestPositionAt = getYear(until, 5).from + dayMs;
  const facts = { covered: years(0, 4), full: years(0, 1), oldestPositionAt };
  expect(await plan(facts)).toMatchObject({ next: getYear(until, 4), expected: 8, beginsAt: undefined });
});

test('a short part at the newest end is left to pages, and an older gap is not', async () => {
  const [newest, second] = years(0, 2) as [Interval, Interval];
  const month = { from: newest.from, to: until - 30 * dayMs };
  expect(await plan({ years: 1, covered: [month] })).toMatchObject({ next: undefined, isWaiting: false, ready: 1 });
  const longer = { from: newest.from, to: until - 32 * dayMs };
  expect((await plan({ years: 1, covered: [longer] })).next).toEqual({ from: longer.to, to: until });
  const older = { from: second.from, to: second.to - dayMs };
  expect((await plan({ years: 2, covered: [newest, older] })).next).toEqual({ from: older.to, to: second.to });
});

test('a range that no report gives is not requested again, and is not empty', async () => {
  const facts = { covered: [...years(0, 1), ...years(2, 3)], full: years(0, 1), abandoned: years(1, 2) };
  expect(await plan(facts)).toMatchObject({ next: getYear(until, 3), beginsAt: undefined });
  expect(await plan({ ...facts, years: 2 })).toMatchObject({ next: undefined, isWaiting: false, ready: 2 });
});

test('dividends without their tax need a report, also at the newest end', async () => {
  const [newest] = years(0, 1) as [Interval];
  const untaxed = { from: until - dayMs, to: until };
  const facts = { years: 1, covered: [newest], listUntaxed: () => [untaxed] };
  expect((await plan(facts)).next).toEqual(untaxed);
  expect(await plan({ ...facts, pending: [untaxed] })).toMatchObject({ next: undefined, isWaiting: true });
});
