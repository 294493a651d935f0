/** What is covered of a range, and which source the rows of each moment come from. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeCoverage, planSources } from '../../src/history/coverage.ts';
import type { MirrorState, Segment } from '../../src/history/mirror-state.ts';
import { undatedSortKey } from '../../src/history/ports.ts';

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
