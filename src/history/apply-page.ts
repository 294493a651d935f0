/** One page becomes part of the mirror: its rows, and what is known of the list after it, in one transaction. */
import type { Page, PageCursor } from '../broker/types.ts';
import { type HistoryDefinition, type HistoryKind, kinds, type RowOf, rowKeys } from './kinds.ts';
import { emptyMirror, type MirrorState, type Recheck, type Segment } from './mirror-state.ts';
import { newestPageCursor } from './page-boundary.ts';
import type { HistoryChange } from './ports.ts';
import { appendPage, mergeSegments, overlaps, toTimestamp } from './segments.ts';
import { writeRows } from './write-rows.ts';

/** Rows that are not final are looked at again for this long. */
const openRowsMs = 92 * 86_400_000;
/** A walk that brings nothing for so many pages goes round in a circle. */
const maxIdlePages = 5;
const circleMs = 60 * 60_000;

export interface PageRead {
  readonly page: Page<RowOf[HistoryKind]>;
  readonly query: PageCursor;
  /** The stretch that it goes on, or the second look; undefined at the head of the list. */
  readonly goesOn: number | 'recheck' | undefined;
  /** Before it was asked for. */
  readonly epoch: number;
}

/**
 * `late`: somebody else has gone on in the meantime, and nothing was written. `ends_early`: the service says
 * that the list ends here, and that cannot be, so nothing was written either.
 */
export type ApplyResult = 'written' | 'late' | 'ends_early';

export async function applyPage(
  tx: HistoryChange,
  kind: HistoryKind,
  read: PageRead,
  now: number,
): Promise<ApplyResult> {
  const { page, query, goesOn, epoch } = read;
  const state = await discardFutureTimestamps(tx, (await tx.state()) ?? emptyMirror, now);
  const [top] = state.stretches;
  if (goesOn === 'recheck') return recheckPage(tx, kind, state, read);
  if (goesOn === undefined) {
    // An older answer than the one that is there already adds nothing.
    if (top && top.answeredAt >= page.answeredAt) return 'late';
  } else if (top?.id !== goesOn || !top.next || cursorKey(top.next) !== cursorKey(query)) return 'late';

  const facts = kinds[kind] as HistoryDefinition<RowOf[HistoryKind]>;
  const before = goesOn === undefined || !top ? newSegment(state, page, epoch) : top;
  const others = state.stretches.filter(({ id }) => id !== before.id);
  const keys = rowKeys(facts, page.items);
  const known = new Map((await tx.known(keys)).map((row) => [row.key, row]));
  const reading = { query, keys, facts, findSegment: (key: string) => known.get(key)?.stretch };
  const stretch = appendPage(before, page, reading);
  if (stretch === 'again') {
    await writeRows(tx, kind, page.items, { keys, known, stretches: others, own: before.id });
    const fresh = { ...newSegment(state, page, epoch), next: newestPageCursor, boundary: { cursor: 'skips' as const } };
    await tx.setState({ ...state, stretches: [fresh], nextId: state.nextId + 1 });
    return 'written';
  }
  const [below, ...rest] = others;
  const hasMet = below !== undefined && overlaps(below, reading);
  if (!stretch.next && (await isTooShort(tx, facts, stretch, page, before))) return 'ends_early';

  await writeRows(tx, kind, page.items, { keys, known, stretches: others, own: before.id });
  const nextId = before === top ? state.nextId : state.nextId + 1;
  if (below && hasMet) {
    await tx.moveStretch(stretch.id, below.id);
    const both = mergeSegments(stretch, below, now);
    const recheck = await startRecheck(tx, state, stretch, now);
    await tx.setState({ ...state, stretches: [both, ...(stretch.next ? rest : [])], recheck, nextId });
    return 'written';
  }
  // A walk that has reached the end knows all that those below it know.
  if (!stretch.next) for (const other of others) await tx.moveStretch(other.id, stretch.id);
  const kept = stretch.next ? others : [];
  await tx.setState({ ...state, stretches: [stopWhenStuck(stretch, now), ...kept], nextId });
  return 'written';
}

/** What was written down while a clock was ahead proves nothing about the time since: the newest row does. */
async function discardFutureTimestamps(tx: HistoryChange, state: MirrorState, now: number): Promise<MirrorState> {
  if (state.stretches.every(({ answeredAt }) => answeredAt <= now)) return state;
  const [newest] = await tx.rows({ spans: [{ source: 'pages', from: Number.NEGATIVE_INFINITY, to: now }] }, 1);
  const at = newest?.at ?? 0;
  const stretches = state.stretches.map((stretch) =>
    stretch.answeredAt <= now ? stretch : { ...stretch, askedAt: at, answeredAt: at },
  );
  return { ...state, stretches };
}

/**
 * A list cannot end before rows that it has had. The page after a cursor has the row that the cursor names, so
 * an empty last page is believed only when a second walk comes to it, as far down as the first.
 */
async function isTooShort(
  tx: HistoryChange,
  facts: HistoryDefinition<RowOf[HistoryKind]>,
  stretch: Segment,
  page: Page<RowOf[HistoryKind]>,
  before: Segment,
): Promise<boolean> {
  const deepest = stretch.lastAt ?? Number.MAX_SAFE_INTEGER;
  if (before.pages > 0) {
    const isAsFar = deepest <= (before.deepest ?? deepest);
    const isWalkedTwice = before.restarts > 0;
    return page.items.length === 0 ? !(isWalkedTwice && isAsFar) : isWalkedTwice && !isAsFar;
  }
  const end = Math.floor(deepest / 1000) * 1000;
  const older = await tx.count({ spans: [{ source: 'pages', from: Number.NEGATIVE_INFINITY, to: end }] });
  return older > page.items.filter((row) => (toTimestamp(facts.getDate(row)) ?? end) < end).length;
}

const stopWhenStuck = (stretch: Segment, now: number): Segment =>
  stretch.idle < maxIdlePages
    ? stretch
    : {
        ...stretch,
        trouble: { reason: 'the pages returned by the service form a loop', failures: 1, retryAt: now + circleMs },
      };

/** Rows that had not ended and lie beneath the page are looked at again, unless that is going on already. */
async function startRecheck(
  tx: HistoryChange,
  state: MirrorState,
  stretch: Segment,
  now: number,
): Promise<Recheck | undefined> {
  if (state.recheck || !stretch.next || stretch.lastAt === undefined) return state.recheck;
  const openAt = await tx.oldestOpen(now - openRowsMs);
  if (openAt === undefined || openAt >= stretch.lastAt) return undefined;
  return { next: stretch.next, openAt, seenTo: stretch.lastAt, failures: 0 };
}

/** A page of the second look: it changes rows and proves nothing about the list. */
async function recheckPage(
  tx: HistoryChange,
  kind: HistoryKind,
  state: MirrorState,
  { page, query }: PageRead,
): Promise<ApplyResult> {
  const { recheck, stretches } = state;
  if (!recheck || cursorKey(recheck.next) !== cursorKey(query)) return 'late';
  const facts = kinds[kind] as HistoryDefinition<RowOf[HistoryKind]>;
  const keys = rowKeys(facts, page.items);
  const known = new Map((await tx.known(keys)).map((row) => [row.key, row]));
  await writeRows(tx, kind, page.items, { keys, known, stretches, own: stretches[0]?.id ?? 0 });
  const dates = page.items.map((row) => Date.parse(facts.getSortDate(row) ?? '')).filter((at) => !Number.isNaN(at));
  const seenTo = Math.min(recheck.seenTo, ...dates);
  const isDone = !page.next || seenTo <= recheck.openAt || page.items.length === 0;
  await tx.setState({ ...state, recheck: isDone || !page.next ? undefined : { ...recheck, next: page.next, seenTo } });
  return 'written';
}

const newSegment = (
  state: MirrorState,
  page: Pick<Page<unknown>, 'askedAt' | 'answeredAt'>,
  epoch: number,
): Segment => ({
  id: state.nextId,
  askedAt: page.askedAt,
  answeredAt: page.answeredAt,
  epoch,
  next: newestPageCursor,
  pages: 0,
  idle: 0,
  through: 0,
  inOrder: true,
  boundary: { cursor: state.stretches[0]?.boundary.cursor ?? 'unknown' },
  lostAt: [],
  restarts: 0,
});

export const cursorKey = (query: PageCursor): string => JSON.stringify(Object.entries(query).sort());
