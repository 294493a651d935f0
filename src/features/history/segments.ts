/** Pure functions that append a page to a segment and merge two segments. */
import type { Page, PageCursor } from '../../core/broker/types.ts';
import { holdsUntil } from '../../core/clock.ts';
import type { HistoryDefinition } from './kinds.ts';
import { maxRetryMs, type Segment } from './mirror-state.ts';
import { fullPage, resolveNextPage } from './page-boundary.ts';

export interface PageContext<Row> {
  readonly query: PageCursor;
  readonly keys: readonly string[];
  readonly facts: HistoryDefinition<Row>;
  /** The id of the segment that already contains the row; undefined for a new row. */
  readonly findSegment: (key: string) => number | undefined;
}

/** The segment with this page at its end; `again` when rows were lost and the walk must restart. */
export function appendPage<Row>(before: Segment, page: Page<Row>, reading: PageContext<Row>): Segment | 'again' {
  const { query, keys, facts, findSegment } = reading;
  const places = page.items.map((row) => toTimestamp(facts.getSortDate(row)));
  const isKnown = (key: string) => findSegment(key) !== undefined;
  const way = resolveNextPage(before.boundary, { query, next: page.next, keys, places, isKnown });
  if (way.kind === 'again') return 'again';
  const dates = places.filter((at) => at !== undefined);
  let { lastAt, inOrder } = before;
  // The page was read again on purpose, so its rows come before the last ones and say nothing about the order.
  const { cursor, doubt, trial } = before.boundary;
  const isAgain =
    doubt?.step === 'shorter' || doubt?.step === 'again' || (cursor === 'skips' && query.limit !== fullPage);
  for (const at of trial ? [] : dates) {
    if (!isAgain && at > (lastAt ?? at)) inOrder = false;
    lastAt = at;
  }
  const newest = dates.length > 0 ? Math.max(...dates) : undefined;
  const isIdle = before.pages > 0 && keys.every((key) => findSegment(key) === before.id);
  const { trouble: _, ...rest } = before;
  return {
    ...rest,
    ...(before.pages === 0 ? { askedAt: page.askedAt, answeredAt: page.answeredAt } : {}),
    next: way.next,
    boundary: way.boundary,
    lastAt,
    inOrder,
    reach: newest === undefined ? before.reach : Math.min(before.reach ?? newest, newest),
    deepest: dates.length > 0 ? Math.min(before.deepest ?? Number.POSITIVE_INFINITY, ...dates) : before.deepest,
    idle: isIdle && before.through === 0 ? before.idle + 1 : 0,
    through: isIdle ? Math.max(0, before.through - 1) : before.through,
    pages: before.pages + 1,
    lostAt: way.lostAt === undefined ? before.lostAt : [...before.lostAt, way.lostAt],
  };
}

/**
 * Whether the newer walk has reached the older segment. The last rows of the page must all be known, so that the
 * rows below them are known too; single known rows prove nothing.
 */
export function overlaps<Row>(below: Segment, { keys, facts, findSegment }: PageContext<Row>): boolean {
  const tail = keys.slice(-facts.overlap);
  return tail.length > 0 && tail.every((key) => findSegment(key) === below.id);
}

/** Merges two segments: as recent as the newer one, as deep as the older one. */
export function mergeSegments(top: Segment, below: Segment, now: number): Segment {
  const both: Segment = {
    ...below,
    askedAt: top.askedAt,
    answeredAt: top.answeredAt,
    epoch: top.epoch,
    inOrder: top.inOrder && below.inOrder,
    lostAt: [...top.lostAt, ...below.lostAt],
    pages: top.pages + below.pages,
  };
  const { deadEnd: _, trouble, ...free } = both;
  if (!top.next) return { ...free, next: undefined, restarts: 0 };
  if (!below.deadEnd || holdsUntil(trouble?.retryAt, now, maxRetryMs)) return both;
  // The older segment's cursor is not accepted, so the newer walk continues through the known rows.
  const { next, boundary, lastAt } = top;
  return { ...free, next, boundary, lastAt, restarts: below.restarts + 1, through: below.pages + 5, idle: 0 };
}

/** Milliseconds since 1970; undefined when there is no valid date. */
export const toTimestamp = (date: string | undefined): number | undefined => {
  const at = Date.parse(date ?? '');
  return Number.isNaN(at) ? undefined : at;
};
