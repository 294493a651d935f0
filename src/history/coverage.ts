/** Which parts of time are covered by what was read, and where the rows of an answer are taken from. */
import type { Coverage } from './history.ts';
import type { MirrorState, Stretch } from './mirror-state.ts';
import type { Span } from './ports.ts';
import { undatedAt } from './ports.ts';

/** A list that is not in the order of its dates is read this much further back before its range counts as covered. */
const disorderMs = 92 * 86_400_000;

interface Interval {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * Where everything from `from` on has been read, up to the moment the head was asked for. A whole second,
 * because reports tell no more than seconds.
 */
export function intervalOf(stretch: Stretch): Interval | undefined {
  const to = stretch.askedAt;
  if (!stretch.next) return { from: Number.NEGATIVE_INFINITY, to };
  if (stretch.reach === undefined) return undefined;
  const from = (Math.floor(stretch.reach / 1000) + 1) * 1000 + (stretch.inOrder ? 0 : disorderMs);
  return from < to ? { from, to } : undefined;
}

const pagesOf = (state: MirrorState): Interval[] => state.stretches.flatMap((stretch) => intervalOf(stretch) ?? []);

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

const always: Interval = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Where to take the rows of each moment from: the pages, and a report only where no page covers it. */
export function planSpans(
  state: MirrorState,
  range: { since?: number | undefined; until?: number | undefined },
): Span[] {
  const bounds: Interval = { from: range.since ?? always.from, to: range.until ?? always.to };
  let open = gapsIn(bounds, pagesOf(state));
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
  spans.push({ source: 'pages', from: undatedAt, to: undatedAt + 1 });
  return spans;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** What is covered of the range, in the words of the answer. `now` bounds a range that is open at its end. */
export function coverageOf(
  state: MirrorState,
  range: { since?: number | undefined; until?: number | undefined; now: number },
  rows: number,
): Coverage {
  const intervals: Interval[] = [...pagesOf(state), ...state.reports];
  const wanted: Interval = { from: range.since ?? always.from, to: Math.min(range.until ?? range.now, range.now) };
  const gaps = gapsIn(wanted, intervals);
  const lost = state.stretches.flatMap(({ lostAt }) => lostAt).filter((at) => at >= wanted.from && at < wanted.to);
  const missing = [...gaps.map((gap) => sentenceOf(gap, state)), ...lost.map(lostSentence)];
  const [newest] = state.stretches;
  const reached = contiguousFrom(newest?.askedAt, intervals);
  return {
    ...(newest && reached !== undefined
      ? { from: reached === always.from ? null : iso(reached), to: iso(newest.askedAt) }
      : {}),
    complete: missing.length === 0,
    rows,
    ...(missing.length > 0 ? { reading: isReading(newest, range.now), missing: missing.slice(0, 5) } : {}),
  };
}

/** A pause of minutes is no reading: somebody has to ask again. */
const isReading = (top: Stretch | undefined, now: number): boolean =>
  top !== undefined && (top.next !== undefined || top.deadEnd === true) && (top.trouble?.retryAt ?? 0) < now + 60_000;

/** How far back everything is covered without a gap, from `to` on. */
function contiguousFrom(to: number | undefined, intervals: readonly Interval[]): number | undefined {
  if (to === undefined) return undefined;
  let reached = to;
  for (;;) {
    const touching = intervals.filter((interval) => interval.to >= reached && interval.from < reached);
    if (touching.length === 0) return reached === to ? undefined : reached;
    reached = Math.min(...touching.map(({ from }) => from));
  }
}

function sentenceOf({ from, to }: Interval, state: MirrorState): string {
  const range = [
    ...(from === always.from ? [] : [`from ${iso(from)}`]),
    ...(to === always.to ? [] : [`up to ${iso(to)}`]),
  ].join(' ');
  const reason = state.stretches.find(({ trouble }) => trouble)?.trouble?.reason;
  return `Rows ${range || 'of all times'} are missing: ${reason ?? 'they have not been read yet'}`.replace(/\.?$/, '.');
}

const lostSentence = (at: number) =>
  `Rows of ${iso(at)} may be missing: more of them share that second than the service gives in one page.`;
