/** Computes which time ranges have been read, and which source supplies the rows of each range. */

import { holdsUntil } from '../../core/clock.ts';
import { countOf } from '../../core/text/count-of.ts';
import type { Coverage } from './history-port.ts';
import type { HistoryKind } from './kinds.ts';
import { type MirrorState, maxRetryMs, type Segment } from './mirror-state.ts';
import { type Span, undatedSortKey } from './row-store.ts';

/** If a list is not in date order, its range counts as covered only this far above the oldest row read. */
const disorderMs = 92 * 86_400_000;

/** A range of time in ms. */
export interface Interval {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

const always: Interval = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * The range that a segment covers: from just after its oldest complete second up to the moment its newest page was
 * requested. Starts on a full second, because reports have no finer times. Undefined when nothing is covered yet.
 */
function toInterval(segment: Segment): Interval | undefined {
  const to = segment.askedAt;
  if (!segment.next) return { from: Number.NEGATIVE_INFINITY, to };
  if (segment.reach === undefined) return undefined;
  const reached = (Math.floor(segment.reach / 1000) + 1) * 1000 + (segment.inOrder ? 0 : disorderMs);
  // While rows of the doubtful second may be missing, the range starts after that second.
  const from = Math.max(reached, (segment.boundary.doubt?.second ?? Number.NEGATIVE_INFINITY) + 1000);
  return from < to ? { from, to } : undefined;
}

/**
 * An older segment is trusted only until this long before its request, because clocks differ and rows can arrive
 * late.
 */
const marginMs = 15 * 60_000;

const listPageIntervals = (state: MirrorState): Interval[] =>
  state.stretches.flatMap((segment, index) => {
    const interval = toInterval(segment);
    if (!interval) return [];
    return index === 0 ? interval : { ...interval, to: interval.to - marginMs };
  });

/** What reports cover: their ranges without the seconds of rows that could not be read. */
const listReportIntervals = ({ reports, beginsAt }: MirrorState): Interval[] => [
  ...reports.flatMap(({ from, to, holes = [] }) => gapsIn({ from, to }, holes)),
  ...(beginsAt === undefined ? [] : [{ from: always.from, to: beginsAt }]),
];

/** The parts of `range` that are in no page and in no report. Rows that a report could not read count as read. */
export const listUnread = (state: MirrorState, range: Interval): Interval[] =>
  gapsIn(range, [...listPageIntervals(state), ...state.reports, ...listReportIntervals(state)]);

/** How much of a history a reader needs. */
export interface PageGoal {
  /** Whether executions are enough: reports contain no order that ended otherwise, so otherwise they do not count. */
  readonly executionsOnly: boolean;
  /** Nothing older is needed (ms); undefined means everything is. */
  readonly since?: number | undefined;
}

/** What two callers need together. */
export const mergeGoals = (one: PageGoal, other: PageGoal): PageGoal => ({
  executionsOnly: one.executionsOnly && other.executionsOnly,
  since: one.since === undefined || other.since === undefined ? undefined : Math.min(one.since, other.since),
});

/**
 * Whether pages have to be read: a part of the history is in no page and no report, or a row of a report has no full
 * ticker.
 */
export function needsPages(state: MirrorState, { executionsOnly, since = always.from }: PageGoal): boolean {
  const [newest] = state.stretches;
  if (!newest || state.recheck) return true;
  const pages = listPageIntervals(state);
  const short = state.reports.flatMap(({ oldestShortAt: at }) => (at === undefined ? [] : [{ from: at, to: at + 1 }]));
  const covered = executionsOnly ? [...pages, ...listReportIntervals(state)] : pages;
  const wanted = { from: since, to: newest.askedAt };
  return gapsIn(wanted, covered).length > 0 || short.some((row) => row.from >= since && gapsIn(row, pages).length > 0);
}

/** Reports have times in seconds. */
const inSeconds = ({ from, to }: Interval): Interval => ({ from, to: Math.floor(to / 1000) * 1000 });

/** The parts of `range` that none of the intervals covers, oldest first. */
export function gapsIn(range: Interval, intervals: readonly Interval[]): Interval[] {
  const gaps: Interval[] = [];
  let from = range.from;
  for (const interval of intervals.toSorted((a, b) => a.from - b.from)) {
    if (interval.to <= from || interval.from >= range.to) continue;
    if (interval.from > from) gaps.push({ from, to: Math.min(interval.from, range.to) });
    from = Math.max(from, interval.to);
  }
  if (from < range.to) gaps.push({ from, to: range.to });
  return gaps;
}

/** The parts of `range` that the intervals cover; parts that overlap or touch are one. */
export const joinParts = (range: Interval, intervals: readonly Interval[]): Interval[] =>
  gapsIn(range, gapsIn(range, intervals));

/** Chooses the source of rows for each part of the range: pages first, and a report only where no page covers it. */
export function planSources(
  state: MirrorState,
  range: { since?: number | undefined; until?: number | undefined },
): Span[] {
  const bounds: Interval = { from: range.since ?? always.from, to: range.until ?? always.to };
  let open = gapsIn(bounds, listPageIntervals(state).map(inSeconds));
  const spans: Span[] = [];
  for (const { reportId, from, to } of state.reports) {
    for (const gap of open) {
      const part = { from: Math.max(gap.from, from), to: Math.min(gap.to, to) };
      if (part.from < part.to) spans.push({ source: `report:${reportId}`, ...part });
    }
    open = open.flatMap((gap) => gapsIn(gap, [{ from, to }]));
  }
  const byReport = spans.map(({ from, to }) => ({ from, to }));
  for (const part of gapsIn(bounds, byReport)) spans.push({ source: 'pages', ...part });
  // A row without a date cannot be placed outside the range, so it is shown.
  spans.push({ source: 'pages', from: undatedSortKey, to: undatedSortKey + 1 });
  return spans;
}

const iso = (ms: number) => new Date(ms).toISOString();
/** The same for a sentence, to the second. */
const say = (ms: number) => `${iso(ms).slice(0, 19).replace('T', ' ')} UTC`;

export interface CoverageQuestion {
  readonly kind: HistoryKind;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly ticker?: string | undefined;
  /** True when only executions matter: reports contain no order that ended without one. */
  readonly executionsOnly?: boolean | undefined;
}

/** A report can leave out thousands of seconds; describing each of them would take seconds. */
const maxSentences = 5;

/**
 * Describes the coverage of the range. `now` (ms), the time of the last read, bounds a range without an end; `rows` is
 * the number of stored rows.
 */
export function computeCoverage(state: MirrorState, question: CoverageQuestion, now: number, rows: number): Coverage {
  const intervals = [...listPageIntervals(state), ...listReportIntervals(state)];
  const wanted: Interval = { from: question.since ?? always.from, to: Math.min(question.until ?? now, now) };
  const missing = [
    ...(wanted.from > now ? [`Rows since ${say(wanted.from)} are missing: the last read was before it.`] : []),
    ...gapsIn(wanted, intervals)
      .slice(0, maxSentences)
      .map((gap) => describeGap(gap, state)),
    ...state.stretches
      .flatMap(({ lostAt }) => lostAt)
      .filter((at) => at >= wanted.from && at < wanted.to)
      .map(lostSentence),
    ...recheckSentences(state, wanted),
    ...reportSentences(state, question, wanted),
  ];
  const [newest] = state.stretches;
  const reached = contiguousFrom(newest?.askedAt, intervals);
  return {
    ...(newest && reached !== undefined
      ? { from: reached === always.from ? null : iso(reached), to: iso(newest.askedAt) }
      : {}),
    complete: missing.length === 0,
    rows,
    ...(missing.length > 0 ? { reading: isReading(state, now), missing: missing.slice(0, maxSentences) } : {}),
  };
}

function recheckSentences({ recheck }: MirrorState, wanted: Interval): string[] {
  if (!recheck || recheck.openAt >= wanted.to || recheck.seenTo <= wanted.from) return [];
  return [`Orders since ${say(recheck.openAt)} that were still open are being read again.`];
}

/** Explains what a report does not contain, for each range where a report replaces pages. */
function reportSentences(
  state: MirrorState,
  { kind, ticker, executionsOnly }: CoverageQuestion,
  wanted: Interval,
): string[] {
  const used = planSources(state, { since: wanted.from, until: wanted.to }).filter(({ source }) => source !== 'pages');
  return used.flatMap(({ source, from, to }) => {
    const part = state.reports.find(({ reportId }) => source === `report:${reportId}`);
    const range = `From ${say(from)} up to ${say(to)}`;
    const sentences: string[] = [];
    if (kind === 'orders' && !executionsOnly)
      sentences.push(
        `${range} only executions are known, from a report: it does not contain orders that ended otherwise.`,
      );
    if (ticker !== undefined && part && part.shortTickers > 0)
      sentences.push(
        `${range} a report has ${countOf(part.shortTickers, 'row')} with only a short name, which can belong to this ticker.`,
      );
    return sentences;
  });
}

/** A retry more than a minute away does not count as reading: the caller has to call again. */
const isReading = ({ stretches: [top], recheck }: MirrorState, now: number): boolean =>
  top !== undefined &&
  (top.next !== undefined || top.deadEnd === true || recheck !== undefined) &&
  !holdsUntil(top.trouble?.retryAt, now + 60_000, maxRetryMs - 60_000);

/** The start (ms) of the range that is covered without a gap up to `to`; undefined when nothing is. */
function contiguousFrom(to: number | undefined, intervals: readonly Interval[]): number | undefined {
  if (to === undefined) return undefined;
  let reached = to;
  for (;;) {
    const touching = intervals.filter((interval) => interval.to >= reached && interval.from < reached);
    if (touching.length === 0) return reached === to ? undefined : reached;
    reached = Math.min(...touching.map(({ from }) => from));
  }
}

function describeGap({ from, to }: Interval, state: MirrorState): string {
  const range = [
    ...(from === always.from ? [] : [`from ${say(from)}`]),
    ...(to === always.to ? [] : [`up to ${say(to)}`]),
  ].join(' ');
  const isHole = state.reports.some(({ holes }) => holes?.some((hole) => hole.from <= from && hole.to >= to));
  const reason = isHole
    ? 'a report has a row there that could not be read'
    : state.stretches.find(({ trouble }) => trouble)?.trouble?.reason;
  return `Rows ${range || 'of the complete history'} are missing: ${reason ?? 'they have not been read yet'}`.replace(
    /\.?$/,
    '.',
  );
}

const lostSentence = (at: number) =>
  `Rows of ${say(at)} may be missing: more rows share that second than the service returns in one page.`;
