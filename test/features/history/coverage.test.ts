/** What is covered of a range, and which source the rows of each moment come from. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  computeCoverage,
  gapsIn,
  joinParts,
  listUnread,
  mergeGoals,
  needsPages,
  planSources,
} from '../../../src/features/history/coverage.ts';
import type { MirrorState, ReportPart, Segment } from '../../../src/features/history/mirror-state.ts';
import { undatedSortKey } from '../../../src/features/history/row-store.ts';

const day = 86_400_000;
const at = (text: string) => Date.parse(`${text}T00:00:00Z`);

const segment = (change: Partial<Segment>): Segment => ({
  id: 1,
  askedAt: at('2026-01-10'),
  answeredAt: at('2026-01-10'),
  epoch: 0,
  next: { limit: '50', cursor: '7' },
  pages: 1,
  inOrder: true,
  idle: 0,
  through: 0,
  boundary: { cursor: 'unknown' },
  lostAt: [],
  restarts: 0,
  ...change,
});
const state = (change: Partial<MirrorState>): MirrorState => ({ stretches: [], reports: [], nextId: 9, ...change });
const now = at('2026-01-10');

test('a segment that was read to its end covers everything', () => {
  const whole = state({ stretches: [segment({ next: undefined })] });
  expect(computeCoverage(whole, { kind: 'dividends' }, now, 3)).toEqual({
    from: null,
    to: '2026-01-10T00:00:00.000Z',
    complete: true,
    rows: 3,
  });
});

test('rows before the deepest page are missing, with the reason', () => {
  const half = state({
    stretches: [segment({ reach: at('2025-06-01'), trouble: { reason: 'It failed.', failures: 1, retryAt: 0 } })],
  });
  expect(computeCoverage(half, { kind: 'dividends', since: at('2025-07-01') }, now, 3).complete).toBe(true);
  expect(computeCoverage(half, { kind: 'dividends' }, now, 3)).toMatchObject({
    from: '2025-06-01T00:00:01.000Z',
    complete: false,
    missing: ['Rows up to 2025-06-01 00:00:01 UTC are missing: It failed.'],
  });
});

test('a range that starts after the last read is not known yet', () => {
  const whole = state({ stretches: [segment({ next: undefined })] });
  expect(computeCoverage(whole, { kind: 'dividends', since: at('2026-01-11') }, now, 3)).toMatchObject({
    complete: false,
    missing: ['Rows since 2026-01-11 00:00:00 UTC are missing: the last read was before it.'],
  });
});

test('a list that is out of order covers three months less', () => {
  const half = state({ stretches: [segment({ reach: at('2025-06-01'), inOrder: false })] });
  expect(computeCoverage(half, { kind: 'dividends', since: at('2025-07-01') }, now, 3).complete).toBe(false);
  expect(computeCoverage(half, { kind: 'dividends', since: at('2025-09-03') }, now, 3).complete).toBe(true);
});

test('the range between two stretches is missing', () => {
  const two = state({
    stretches: [
      segment({ id: 2, reach: at('2026-01-08') }),
      segment({ id: 1, next: undefined, askedAt: at('2026-01-05') }),
    ],
  });
  expect(computeCoverage(two, { kind: 'dividends' }, now, 3).missing).toEqual([
    'Rows from 2026-01-04 23:45:00 UTC up to 2026-01-08 00:00:01 UTC are missing: they have not been read yet.',
  ]);
  expect(computeCoverage(two, { kind: 'dividends', until: at('2026-01-04') }, now, 3).complete).toBe(true);
});

test('a report closes a gap, and only there its rows are used', () => {
  const filled = state({
    stretches: [segment({ reach: at('2025-06-01') })],
    reports: [{ reportId: '8', from: at('2024-06-02'), to: at('2025-06-02'), shortTickers: 0 }],
  });
  const range = { since: at('2025-01-01') };
  expect(computeCoverage(filled, { kind: 'dividends', ...range }, now, 3).complete).toBe(true);
  expect(computeCoverage(filled, { kind: 'dividends' }, now, 3).from).toBe('2024-06-02T00:00:00.000Z');
  expect(planSources(filled, range)).toContainEqual({
    source: 'report:8',
    from: at('2025-01-01'),
    to: at('2025-06-01') + 1000,
  });
});

test('a second with possibly lost rows makes only ranges that contain it incomplete', () => {
  const lost = state({ stretches: [segment({ next: undefined, lostAt: [at('2025-03-03')] })] });
  expect(computeCoverage(lost, { kind: 'dividends', since: at('2025-03-04') }, now, 3).complete).toBe(true);
  expect(computeCoverage(lost, { kind: 'dividends' }, now, 3).complete).toBe(false);
});

test.each<[string, Partial<Segment>, string | null | undefined]>([
  ['just after the second of its reach, whose later rows may be unread', { reach: at('2026-01-02') + 999 }, '00:00:01'],
  ['and not a second earlier where the reach begins one', { reach: at('2026-01-02') + 1000 }, '00:00:02'],
  [
    'after a second of which rows may be missing',
    {
      reach: at('2026-01-02'),
      boundary: {
        cursor: 'unknown',
        doubt: { step: 'next', second: at('2026-01-02') + 7000, lastKey: 'a', page: { limit: '50' }, shorter: 3 },
      },
    },
    '00:00:08',
  ],
  [
    'at its reach where the doubtful second is older',
    {
      reach: at('2026-01-02'),
      boundary: {
        cursor: 'unknown',
        doubt: { step: 'next', second: at('2026-01-01'), lastKey: 'a', page: { limit: '50' }, shorter: 3 },
      },
    },
    '00:00:01',
  ],
])('what a segment covers begins %s', (_, change, time) => {
  const { from } = computeCoverage(state({ stretches: [segment(change)] }), { kind: 'dividends' }, now, 1);
  expect(from).toBe(`2026-01-02T${time}.000Z`);
});

test.each<[string, Partial<Segment>]>([
  ['none of its rows has a date', {}],
  ['it reaches no further than the second of its request', { reach: now - 1000 }],
])('a segment with a next page covers nothing while %s', (_, change) => {
  const covered = computeCoverage(state({ stretches: [segment(change)] }), { kind: 'dividends' }, now, 1);
  expect(covered).toEqual({
    complete: false,
    rows: 1,
    reading: true,
    missing: ['Rows up to 2026-01-10 00:00:00 UTC are missing: they have not been read yet.'],
  });
});

const report = (change: Partial<ReportPart> = {}): ReportPart => ({
  reportId: '8',
  from: at('2024-01-01'),
  to: at('2025-01-01'),
  shortTickers: 0,
  ...change,
});
/** Pages since 2025 without a gap, up to now. */
const since2025 = segment({ reach: at('2025-01-01') - 1000 });

describe('pages have to be read', () => {
  const before2024 = { beginsAt: at('2024-01-01') };
  const whole = state({ stretches: [since2025], reports: [report()], ...before2024 });
  const short = (text: string) => ({ ...whole, reports: [report({ shortTickers: 1, oldestShortAt: at(text) })] });
  const hole = { from: at('2024-05-01'), to: at('2024-05-01') + 1000 };
  const recheck = { next: { limit: '50' }, openAt: at('2025-05-01'), seenTo: at('2025-06-01'), failures: 0 };
  test.each<[string, MirrorState, Parameters<typeof needsPages>[1], boolean]>([
    ['when nothing was read, whatever reports have', { ...whole, stretches: [] }, { executionsOnly: true }, true],
    ['not when pages, a report and the beginning are the history', whole, { executionsOnly: true }, false],
    ['where a report is not enough, because it has only executions', whole, { executionsOnly: false }, true],
    ['not for a range that pages have', whole, { executionsOnly: false, since: at('2025-01-01') }, false],
    ['for a range that begins before them', whole, { executionsOnly: false, since: at('2025-01-01') - 1 }, true],
    ['when the beginning is not known', { ...whole, beginsAt: undefined }, { executionsOnly: true }, true],
    [
      'not for what is before the range',
      { ...whole, reports: [] },
      { executionsOnly: true, since: at('2025-01-01') },
      false,
    ],
    [
      'for a second that a report could not read',
      { ...whole, reports: [report({ holes: [hole] })] },
      { executionsOnly: true },
      true,
    ],
    [
      'not for such a second before the range',
      { ...whole, reports: [report({ holes: [hole] })] },
      { executionsOnly: true, since: hole.to },
      false,
    ],
    ['while open orders are read again', { ...whole, recheck }, { executionsOnly: true }, true],
    ['for a row of a report without its full ticker', short('2024-05-01'), { executionsOnly: true }, true],
    [
      'for such a row at the beginning of the range',
      short('2024-05-01'),
      { executionsOnly: true, since: at('2024-05-01') },
      true,
    ],
    [
      'not for such a row before the range',
      short('2024-05-01'),
      { executionsOnly: true, since: at('2024-05-01') + 1 },
      false,
    ],
    ['not for such a row that pages have too', short('2025-05-01'), { executionsOnly: true }, false],
  ])('%s', (_, known, goal, expected) => {
    expect(needsPages(known, goal)).toBe(expected);
  });
});

test('what neither pages, reports nor the beginning have is unread; a row that a report could not read is not', () => {
  const hole = { from: at('2024-05-01'), to: at('2024-05-01') + 1000 };
  const known = state({
    stretches: [segment({ reach: at('2025-03-01') - 1000 })],
    reports: [report({ holes: [hole] })],
    beginsAt: at('2023-01-01'),
  });
  expect(listUnread(known, { from: at('2022-01-01'), to: at('2026-02-01') })).toEqual([
    { from: at('2023-01-01'), to: at('2024-01-01') },
    { from: at('2025-01-01'), to: at('2025-03-01') },
    { from: at('2026-01-10'), to: at('2026-02-01') },
  ]);
});

test.each<[string, readonly (readonly [number, number])[], readonly (readonly [number, number])[]]>([
  ['all of it where nothing is covered', [], [[10, 20]]],
  ['none where one part covers it exactly', [[10, 20]], []],
  [
    'what is before, between and after parts in any order',
    [
      [15, 17],
      [11, 12],
    ],
    [
      [10, 11],
      [12, 15],
      [17, 20],
    ],
  ],
  [
    'nothing between parts that touch or overlap',
    [
      [10, 13],
      [13, 16],
      [15, 20],
    ],
    [],
  ],
  [
    'not what a part inside of an earlier one leaves',
    [
      [10, 18],
      [12, 14],
    ],
    [[18, 20]],
  ],
  [
    'nothing of parts that end where it begins or begin where it ends',
    [
      [5, 10],
      [20, 25],
    ],
    [[10, 20]],
  ],
  [
    'a millisecond',
    [
      [10, 14],
      [15, 20],
    ],
    [[14, 15]],
  ],
])('the gaps of a range are %s', (_, covered, gaps) => {
  const parts = covered.map(([from, to]) => ({ from, to }));
  expect(gapsIn({ from: 10, to: 20 }, parts)).toEqual(gaps.map(([from, to]) => ({ from, to })));
});

test('parts that touch or overlap are one part, within the range', () => {
  const parts = [
    { from: 5, to: 12 },
    { from: 12, to: 14 },
    { from: 16, to: 18 },
    { from: 17, to: 30 },
  ];
  expect(joinParts({ from: 10, to: 20 }, parts)).toEqual([
    { from: 10, to: 14 },
    { from: 16, to: 20 },
  ]);
});

test('where two reports overlap, the first of the list has the rows, and pages have them before both', () => {
  const known = state({
    stretches: [segment({ reach: at('2025-01-01') - 1000, askedAt: now + 999 })],
    reports: [
      report({ reportId: 'b', from: at('2024-06-01'), to: at('2026-02-01') }),
      report({ reportId: 'a', from: at('2024-01-01'), to: at('2024-07-01') }),
    ],
  });
  expect(planSources(known, { since: at('2023-12-01'), until: at('2026-03-01') })).toEqual([
    { source: 'report:b', from: at('2024-06-01'), to: at('2025-01-01') },
    // Reports have whole seconds, so the second of the request is the report's.
    { source: 'report:b', from: now, to: at('2026-02-01') },
    { source: 'report:a', from: at('2024-01-01'), to: at('2024-06-01') },
    { source: 'pages', from: at('2023-12-01'), to: at('2024-01-01') },
    { source: 'pages', from: at('2025-01-01'), to: now },
    { source: 'pages', from: at('2026-02-01'), to: at('2026-03-01') },
    { source: 'pages', from: undatedSortKey, to: undatedSortKey + 1 },
  ]);
});

describe('a range is complete or not', () => {
  const whole = state({ stretches: [segment({ next: undefined })] });
  const lost = (second: string) => state({ stretches: [segment({ next: undefined, lostAt: [at(second)] })] });
  const recheck = { next: { limit: '50' }, openAt: at('2025-05-01'), seenTo: at('2025-06-01'), failures: 0 };
  const again = { ...whole, recheck };
  const openOrders = ['Orders since 2025-05-01 00:00:00 UTC that were still open are being read again.'];
  const lostRows = [
    'Rows of 2025-03-03 00:00:00 UTC may be missing: more rows share that second than the service returns in one page.',
  ];
  test.each<[string, MirrorState, { since?: number; until?: number }, readonly string[] | undefined]>([
    ['from the moment of the last read on', whole, { since: now }, undefined],
    ['up to a moment after the last read', whole, { until: now + day }, undefined],
    ['from a second with lost rows on', lost('2025-03-03'), { since: at('2025-03-03') }, lostRows],
    ['from just after it on', lost('2025-03-03'), { since: at('2025-03-03') + 1 }, undefined],
    ['up to it', lost('2025-03-03'), { until: at('2025-03-03') }, undefined],
    ['up to just after its beginning', lost('2025-03-03'), { until: at('2025-03-03') + 1 }, lostRows],
    ['while open orders are read again', again, {}, openOrders],
    ['up to the oldest open order', again, { until: at('2025-05-01') }, undefined],
    ['up to just after it', again, { until: at('2025-05-01') + 1 }, openOrders],
    ['from what was read again on', again, { since: at('2025-06-01') }, undefined],
    ['from just before it on', again, { since: at('2025-06-01') - 1 }, openOrders],
  ])('%s', (_, known, range, missing) => {
    const { missing: found, complete } = computeCoverage(known, { kind: 'orders', ...range }, now, 1);
    expect([found, complete]).toEqual([missing, missing === undefined]);
  });
});

test('what a report lacks is said where it takes the place of pages, and only for what was asked', () => {
  const known = (shortTickers: number) =>
    state({ stretches: [since2025], reports: [report({ shortTickers })], beginsAt: at('2024-01-01') });
  const ask = (shortTickers: number, question: object) =>
    computeCoverage(known(shortTickers), { kind: 'orders', ...question }, now, 1).missing;
  const range = 'From 2024-01-01 00:00:00 UTC up to 2025-01-01 00:00:00 UTC';
  const onlyExecutions = `${range} only executions are known, from a report: it does not contain orders that ended otherwise.`;
  const shortNames = (rows: string) =>
    `${range} a report has ${rows} with only a short name, which can belong to this ticker.`;
  expect(ask(2, {})).toEqual([onlyExecutions]);
  expect(ask(2, { executionsOnly: true })).toBeUndefined();
  expect(ask(2, { kind: 'dividends' })).toBeUndefined();
  expect(ask(2, { kind: 'dividends', ticker: 'A_US_EQ' })).toEqual([shortNames('2 rows')]);
  expect(ask(1, { ticker: 'A_US_EQ' })).toEqual([onlyExecutions, shortNames('1 row')]);
  expect(ask(0, { kind: 'dividends', ticker: 'A_US_EQ' })).toBeUndefined();
  expect(ask(2, { ticker: 'A_US_EQ', since: at('2025-01-01') })).toBeUndefined();
});

test('the reason of a gap is the row that a report could not read, or else the failure of a segment', () => {
  const hole = { from: at('2024-05-01'), to: at('2024-05-01') + 1000 };
  const trouble = { reason: 'the pages form a loop', failures: 1, retryAt: now };
  const known = state({
    stretches: [segment({ reach: at('2025-03-01') - 1000 }), segment({ id: 0, trouble })],
    reports: [report({ holes: [hole] })],
    beginsAt: at('2024-01-01'),
  });
  expect(computeCoverage(known, { kind: 'dividends' }, now, 1).missing).toEqual([
    'Rows from 2024-05-01 00:00:00 UTC up to 2024-05-01 00:00:01 UTC are missing: a report has a row there that could not be read.',
    'Rows from 2025-01-01 00:00:00 UTC up to 2025-03-01 00:00:00 UTC are missing: the pages form a loop.',
  ]);
});

test('at most five reasons are named', () => {
  const holes = Array.from({ length: 7 }, (_, n) => ({
    from: at('2024-05-01') + n * day,
    to: at('2024-05-02') + n * day - 1,
  }));
  const known = state({ stretches: [since2025], reports: [report({ holes })], beginsAt: at('2024-01-01') });
  expect(computeCoverage(known, { kind: 'dividends' }, now, 1).missing?.length).toBe(5);
});

describe('what is covered without a gap', () => {
  const older = (askedAt: number) => segment({ id: 1, askedAt, reach: at('2025-01-01') - 1000 });
  const newer = segment({ id: 2, reach: at('2025-10-01') - 1000 });
  const margin = 15 * 60_000;
  test.each<[string, MirrorState, string | null]>([
    [
      'goes through a segment that ends where the next begins',
      state({ stretches: [newer, older(at('2025-10-01') + margin)] }),
      '2025-01-01',
    ],
    [
      'ends at a gap of a millisecond',
      state({ stretches: [newer, older(at('2025-10-01') + margin - 1)] }),
      '2025-10-01',
    ],
    ['goes through a report', state({ stretches: [since2025], reports: [report()] }), '2024-01-01'],
    ['begins with the history', state({ stretches: [since2025], beginsAt: at('2025-01-01') }), null],
  ])('%s', (_, known, from) => {
    const covered = computeCoverage(known, { kind: 'dividends' }, now, 1);
    expect([covered.from, covered.to]).toEqual([from && `${from}T00:00:00.000Z`, '2026-01-10T00:00:00.000Z']);
  });
});

test.each([
  [
    { executionsOnly: true, since: 5 },
    { executionsOnly: true, since: 3 },
    { executionsOnly: true, since: 3 },
  ],
  [
    { executionsOnly: true, since: 3 },
    { executionsOnly: false, since: 5 },
    { executionsOnly: false, since: 3 },
  ],
  [{ executionsOnly: false, since: 3 }, { executionsOnly: true }, { executionsOnly: false, since: undefined }],
  [{ executionsOnly: true }, { executionsOnly: true, since: 3 }, { executionsOnly: true, since: undefined }],
])('two callers need the older beginning, and more than executions where one does: %j, %j', (one, other, both) => {
  expect(mergeGoals(one, other)).toEqual(both);
});

test('a gap before the unread row of a report is not explained by it, and each of several such rows is', () => {
  const holes = ['2024-05-01', '2024-06-01'].map((text) => ({ from: at(text), to: at(text) + 1000 }));
  const known = state({ stretches: [since2025], reports: [report({ holes })] });
  const unreadable = 'a report has a row there that could not be read.';
  expect(computeCoverage(known, { kind: 'dividends' }, now, 1).missing).toEqual([
    'Rows up to 2024-01-01 00:00:00 UTC are missing: they have not been read yet.',
    `Rows from 2024-05-01 00:00:00 UTC up to 2024-05-01 00:00:01 UTC are missing: ${unreadable}`,
    `Rows from 2024-06-01 00:00:00 UTC up to 2024-06-01 00:00:01 UTC are missing: ${unreadable}`,
  ]);
});

test('of two reports the one with short names says so, for its own range', () => {
  const [older, newer] = [
    report({ reportId: 'a', to: at('2024-06-01') }),
    report({ reportId: 'b', from: at('2024-06-01'), shortTickers: 3 }),
  ];
  const known = state({ stretches: [since2025], reports: [older, newer], beginsAt: at('2024-01-01') });
  expect(computeCoverage(known, { kind: 'dividends', ticker: 'A_US_EQ' }, now, 1).missing).toEqual([
    'From 2024-06-01 00:00:00 UTC up to 2025-01-01 00:00:00 UTC a report has 3 rows with only a short name, which can belong to this ticker.',
  ]);
});

describe('missing rows are being read', () => {
  const trouble = (retryAt: number) => ({ reason: 'It failed.', failures: 1, retryAt });
  const recheck = { next: { limit: '50' }, openAt: at('2025-05-01'), seenTo: at('2025-06-01'), failures: 0 };
  const hour = 3_600_000;
  test.each<[string, Partial<MirrorState>, boolean]>([
    ['while a page is left', { stretches: [since2025] }, true],
    ['while the walk starts again', { stretches: [segment({ next: undefined, deadEnd: true, lostAt: [0] })] }, true],
    ['while open orders are read again', { stretches: [segment({ next: undefined })], recheck }, true],
    ['not when no page is left', { stretches: [segment({ next: undefined, lostAt: [0] })] }, false],
    ['not when nothing was read', {}, false],
    [
      'when the next try is less than a minute away',
      { stretches: [{ ...since2025, trouble: trouble(now + 59_999) }] },
      true,
    ],
    ['not when it is further away', { stretches: [{ ...since2025, trouble: trouble(now + 60_001) }] }, false],
    ['not when it is an hour away', { stretches: [{ ...since2025, trouble: trouble(now + hour) }] }, false],
    [
      'when it is so far away that the clock was wrong',
      { stretches: [{ ...since2025, trouble: trouble(now + hour + 6_000) }] },
      true,
    ],
  ])('%s', (_, known, expected) => {
    expect(computeCoverage(state(known), { kind: 'orders' }, now, 1).reading).toBe(expected);
  });
});

test('the rows of each moment come from one source, whatever was read', () => {
  const moment = fc.integer({ min: 0, max: 400 }).map((days) => at('2025-01-01') + days * day);
  fc.assert(
    fc.property(
      fc.array(fc.record({ askedAt: moment, reach: moment }), { maxLength: 3 }),
      fc.array(fc.tuple(moment, moment), { maxLength: 4 }),
      moment,
      (stretches, reports, probe) => {
        const made = state({
          stretches: stretches.map((one, id) => segment({ id, ...one })),
          reports: reports.map(([a, b], id) => ({
            reportId: String(id),
            from: Math.min(a, b),
            to: Math.max(a, b),
            shortTickers: 0,
          })),
        });
        const spans = planSources(made, {}).filter(({ from }) => from !== undatedSortKey);
        expect(spans.filter(({ from, to }) => probe >= from && probe < to).length).toBe(1);
      },
    ),
  );
});
