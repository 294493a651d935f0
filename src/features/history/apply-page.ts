/** Applies one page to the mirror in one transaction: writes its rows and updates what is known about the list. */

import type { Page, PageCursor } from '../../core/broker/types.ts';
import { type HistoryDefinition, type HistoryKind, kinds, type RowOf, rowKeys, unfilledKey } from './kinds.ts';
import { emptyMirror, type MirrorState, maxRetryMs, type Recheck, type Segment } from './mirror-state.ts';
import { newestPageCursor } from './page-boundary.ts';
import { type HistoryChange, type StoredRow, undatedSortKey } from './row-store.ts';
import { appendPage, mergeSegments, overlaps, toTimestamp } from './segments.ts';

/** A recheck covers non-final rows up to this age. */
const openRowsMs = 92 * 86_400_000;
/** A walk is taken for a loop after this many pages in a row without a new row. */
const maxIdlePages = 5;

export interface PageRead {
  readonly page: Page<RowOf[HistoryKind]>;
  readonly query: PageCursor;
  /** The id of the segment that the page continues, or `recheck`; undefined for the newest page of the list. */
  readonly continues: number | 'recheck' | undefined;
  /** The write counter of the account, read before the request was sent. */
  readonly epoch: number;
}

/**
 * `late`: another process applied a page in the meantime, so nothing was written. `ends_early`: the service reports
 * the end of the list although older rows were returned before, so nothing was written.
 */
type ApplyResult = 'written' | 'late' | 'ends_early';

/** Writes the rows of one page and the new state of the mirror. `now` is in ms since 1970. */
export async function applyPage(
  tx: HistoryChange,
  kind: HistoryKind,
  read: PageRead,
  now: number,
): Promise<ApplyResult> {
  const { page, query, continues, epoch } = read;
  const stored = await discardFutureTimestamps(tx, (await tx.state()) ?? emptyMirror, now);
  const state = checkBeginning(stored, kind, page);
  const [top] = state.stretches;
  if (continues === 'recheck') return recheckPage(tx, kind, state, read);
  if (continues === undefined) {
    // A response older than the newest segment adds nothing.
    if (top && top.answeredAt >= page.answeredAt) return 'late';
  } else if (top?.id !== continues || !top.next || cursorKey(top.next) !== cursorKey(query)) return 'late';

  const facts = kinds[kind] as HistoryDefinition<RowOf[HistoryKind]>;
  const before = continues === undefined || !top ? newSegment(state, page, epoch) : top;
  const others = state.stretches.filter(({ id }) => id !== before.id);
  const keys = rowKeys(facts, page.items);
  const known = new Map((await tx.known(keys)).map((row) => [row.key, row]));
  const reading = { query, keys, facts, findSegment: (key: string) => known.get(key)?.segment };
  const segment = appendPage(before, page, reading);
  if (segment === 'again') {
    await writeRows(tx, kind, page.items, { keys, known, stretches: others, own: before.id });
    const fresh = { ...newSegment(state, page, epoch), next: newestPageCursor, boundary: { cursor: 'skips' as const } };
    await tx.setState({ ...state, stretches: [fresh], nextId: state.nextId + 1 });
    return 'written';
  }
  const [below, ...rest] = others;
  const hasMet = below !== undefined && overlaps(below, reading);
  if (!segment.next && (await isTooShort(tx, facts, segment, page, before))) return 'ends_early';

  await writeRows(tx, kind, page.items, { keys, known, stretches: others, own: before.id });
  const nextId = before === top ? state.nextId : state.nextId + 1;
  if (below && hasMet) {
    await tx.moveSegment(segment.id, below.id);
    const both = mergeSegments(segment, below, now);
    const recheck = await startRecheck(tx, state, segment, now);
    await tx.setState({ ...state, stretches: [both, ...(segment.next ? rest : [])], recheck, nextId });
    return 'written';
  }
  // A walk that has reached the end of the list covers every older segment.
  if (!segment.next) for (const other of others) await tx.moveSegment(other.id, segment.id);
  const kept = segment.next ? others : [];
  await tx.setState({ ...state, stretches: [stopWhenStuck(segment, now), ...kept], nextId });
  return 'written';
}

/** A row older than the assumed beginning of the history shows that the assumption was wrong. */
function checkBeginning(state: MirrorState, kind: HistoryKind, page: PageRead['page']): MirrorState {
  const { beginsAt } = state;
  if (beginsAt === undefined) return state;
  const facts = kinds[kind] as HistoryDefinition<RowOf[HistoryKind]>;
  const isWrong = page.items.some((row) => (toTimestamp(facts.getDate(row)) ?? beginsAt) < beginsAt);
  return isWrong ? { ...state, beginsAt: undefined } : state;
}

/**
 * A timestamp recorded while the clock was ahead proves nothing about the time since, so it is replaced by the date
 * of the newest row.
 */
async function discardFutureTimestamps(tx: HistoryChange, state: MirrorState, now: number): Promise<MirrorState> {
  if (state.stretches.every(({ answeredAt }) => answeredAt <= now)) return state;
  const [newest] = await tx.rows({ spans: [{ source: 'pages', from: Number.NEGATIVE_INFINITY, to: now }] }, 1);
  const at = newest?.at ?? 0;
  const stretches = state.stretches.map((segment) =>
    segment.answeredAt <= now ? segment : { ...segment, askedAt: at, answeredAt: at },
  );
  return { ...state, stretches };
}

/**
 * Whether the list ends before rows that it returned earlier, which cannot be right. The page after a cursor
 * contains the row that the cursor names, so an empty last page is accepted only when a second walk reaches it at
 * least as far down as the first.
 */
async function isTooShort(
  tx: HistoryChange,
  facts: HistoryDefinition<RowOf[HistoryKind]>,
  segment: Segment,
  page: Page<RowOf[HistoryKind]>,
  before: Segment,
): Promise<boolean> {
  const deepest = segment.lastAt ?? Number.MAX_SAFE_INTEGER;
  if (before.pages > 0) {
    const isAsFar = deepest <= (before.deepest ?? deepest);
    const isWalkedTwice = before.restarts > 0;
    return page.items.length === 0 ? !(isWalkedTwice && isAsFar) : isWalkedTwice && !isAsFar;
  }
  const end = Math.floor(deepest / 1000) * 1000;
  const older = await tx.count({ spans: [{ source: 'pages', from: Number.NEGATIVE_INFINITY, to: end }] });
  return older > page.items.filter((row) => (toTimestamp(facts.getDate(row)) ?? end) < end).length;
}

const stopWhenStuck = (segment: Segment, now: number): Segment =>
  segment.idle < maxIdlePages
    ? segment
    : {
        ...segment,
        trouble: { reason: 'the pages returned by the service form a loop', failures: 1, retryAt: now + maxRetryMs },
      };

/** Starts a recheck of non-final rows older than the page, unless one is already running. */
async function startRecheck(
  tx: HistoryChange,
  state: MirrorState,
  segment: Segment,
  now: number,
): Promise<Recheck | undefined> {
  if (state.recheck || !segment.next || segment.lastAt === undefined) return state.recheck;
  const openAt = await tx.oldestOpen(now - openRowsMs);
  if (openAt === undefined || openAt >= segment.lastAt) return undefined;
  return { next: segment.next, openAt, seenTo: segment.lastAt, failures: 0 };
}

/** Applies a page of a recheck: it updates rows and proves nothing about the list. */
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

/** A text that is the same for equal cursors, whatever the order of their fields. */
const cursorKey = (query: PageCursor): string => JSON.stringify(Object.entries(query).sort());

// Writes the rows of a page to the store: inserts new rows, updates changed ones and removes replaced ones.

interface PageRows {
  readonly keys: readonly string[];
  readonly known: ReadonlyMap<string, { readonly segment: number; readonly data: string }>;
  /** The other segments of the mirror. */
  readonly stretches: readonly Pick<Segment, 'id'>[];
  /** The id of the segment that is being read. */
  readonly own: number;
}

async function writeRows(
  tx: HistoryChange,
  kind: HistoryKind,
  items: readonly RowOf[HistoryKind][],
  { keys, known, stretches, own }: PageRows,
): Promise<void> {
  const facts = kinds[kind] as HistoryDefinition<RowOf[HistoryKind]>;
  // A row keeps its first segment, so that the meeting of two segments can be detected.
  const others = new Set(stretches.map(({ id }) => id));
  const rows = items.map((row, index): StoredRow => {
    const key = keys[index] as string;
    const had = known.get(key)?.segment;
    return storedRow(facts, row, key, had !== undefined && others.has(had) ? had : own);
  });
  const hasChanged = (row: StoredRow) => {
    const had = known.get(row.key);
    return had?.data !== row.data || had.segment !== row.segment;
  };
  await tx.put('pages', rows.filter(hasChanged));
  if (kind === 'orders') await removeReplaced(tx, items as readonly RowOf['orders'][], keys);
}

/**
 * Removes the row that an order had before its first fill, because the fill's row replaces it. The row of a
 * cancelled order stays.
 */
async function removeReplaced(
  tx: HistoryChange,
  rows: readonly RowOf['orders'][],
  keys: readonly string[],
): Promise<void> {
  const filled = new Set(rows.flatMap(({ order, fill }) => (fill && order?.id) || []));
  const unfilled = [...filled].map(unfilledKey).filter((key) => !keys.includes(key));
  const replaced = (await tx.known(unfilled)).filter(({ isFinal, data }) => {
    const { order } = JSON.parse(data) as RowOf['orders'];
    return !isFinal || order?.status === 'FILLED';
  });
  if (replaced.length === 0) return;
  await tx.remove(
    'pages',
    replaced.map(({ key }) => key),
  );
}

export function storedRow<Row>(facts: HistoryDefinition<Row>, row: Row, key: string, segment: number): StoredRow {
  return {
    key,
    at: toTimestamp(facts.getDate(row)) ?? undatedSortKey,
    ticker: facts.getTicker(row),
    type: facts.getType(row),
    isFinal: facts.isFinal(row),
    segment,
    data: JSON.stringify(row),
  };
}
