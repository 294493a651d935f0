/** One page becomes part of the mirror: its rows, and what is known of the list after it. Pure, but for the transaction. */
import type { Page, PageCursor } from '../broker/types.ts';
import { headPage, wayOn } from './boundary.ts';
import { type HistoryKind, type KindFacts, keysOf, kinds, type RowOf, unfilledKey } from './kinds.ts';
import { emptyMirror, type MirrorState, type Stretch } from './mirror-state.ts';
import { type HistoryChange, type StoredRow, undatedAt } from './ports.ts';

/** A page with new rows is read this much further at most to see again what was not final. */
const mostPagesForOpenRows = 4;
const openRowsMs = 92 * 86_400_000;

export interface PageRead {
  readonly page: Page<RowOf[HistoryKind]>;
  readonly query: PageCursor;
  /** The stretch that it goes on; undefined at the head of the list. */
  readonly stretchId: number | undefined;
  /** Before it was asked for. */
  readonly epoch: number;
}

/** Writes a page. False when somebody else has gone on in the meantime, and then nothing is written. */
export async function applyPage(
  tx: HistoryChange,
  kind: HistoryKind,
  { page, query, stretchId, epoch }: PageRead,
  now: number,
): Promise<boolean> {
  const state = (await tx.state()) ?? emptyMirror;
  const own = state.stretches.find(({ id }) => id === stretchId);
  const [top] = state.stretches;
  if (stretchId === undefined) {
    // An older answer than the one that is there already adds nothing.
    if (top && top.answeredAt >= page.answeredAt) return false;
  } else if (!own?.next || own !== top || nameOf(own.next) !== nameOf(query)) return false;

  const facts = kinds[kind] as KindFacts<RowOf[HistoryKind]>;
  const keys = keysOf(facts, page.items);
  const known = new Map((await tx.known(keys)).map((row) => [row.key, row]));
  const before = own ?? newStretch(state, page, epoch);
  const stretch = readOn(before, page, { query, keys, facts, isKnown: (key) => known.has(key) });

  // A row stays with the stretch that had it first, so that it is seen where the two meet.
  const stretches = new Set(state.stretches.map(({ id }) => id));
  const rows = page.items.map((row, index): StoredRow => {
    const key = keys[index] as string;
    const had = known.get(key)?.stretch;
    return storedRow(facts, row, key, had !== undefined && stretches.has(had) ? had : before.id);
  });
  const isNews = (row: StoredRow) => {
    const had = known.get(row.key);
    return had?.data !== row.data || had.stretch !== row.stretch;
  };
  await tx.put('pages', rows.filter(isNews));
  if (kind === 'orders') await removeReplaced(tx, page.items as readonly RowOf['orders'][], keys);

  const others = state.stretches.filter(({ id }) => id !== before.id);
  const [below, ...rest] = others;
  if (stretch === 'again') {
    const fresh = { ...newStretch(state, page, epoch), next: headPage, boundary: { cursor: 'skips' as const } };
    await tx.setState({ ...state, stretches: [fresh], nextId: state.nextId + 1 });
    return true;
  }
  const nextId = own ? state.nextId : state.nextId + 1;
  const met = below && (await meets(tx, below, stretch, { keys, known, facts, now }));
  if (below && met) {
    await tx.moveStretch(stretch.id, below.id);
    await tx.setState({ ...state, stretches: [joined(stretch, below, now), ...(stretch.next ? rest : [])], nextId });
  } else {
    // A walk that has reached the end knows all that those below it know.
    const kept = stretch.next ? others : [];
    if (!stretch.next) for (const other of others) await tx.moveStretch(other.id, stretch.id);
    await tx.setState({ ...state, stretches: [stretch, ...kept], nextId });
  }
  return true;
}

const newStretch = (
  state: MirrorState,
  page: Pick<Page<unknown>, 'askedAt' | 'answeredAt'>,
  epoch: number,
): Stretch => ({
  id: state.nextId,
  askedAt: page.askedAt,
  answeredAt: page.answeredAt,
  epoch,
  next: headPage,
  pages: 0,
  inOrder: true,
  boundary: { cursor: state.stretches[0]?.boundary.cursor ?? 'unknown' },
  lostAt: [],
  restarts: 0,
});

interface Reading<Row> {
  readonly query: PageCursor;
  readonly keys: readonly string[];
  readonly facts: KindFacts<Row>;
  readonly isKnown: (key: string) => boolean;
}

/** The stretch with this page at its end. */
function readOn<Row>(before: Stretch, page: Page<Row>, reading: Reading<Row>): Stretch | 'again' {
  const places = page.items.map((row) => timeOf(reading.facts.placeOf(row)));
  const seen = { query: reading.query, next: page.next, keys: reading.keys, places, isKnown: reading.isKnown };
  const way = wayOn(before.boundary, seen);
  if (way.kind === 'again') return 'again';
  const dates = places.filter((at) => at !== undefined);
  let { lastAt, inOrder } = before;
  // Read again on purpose, its rows lie before the last ones.
  const isAgain = before.boundary.doubt?.step === 'shorter' || before.boundary.doubt?.step === 'again';
  for (const at of dates) {
    if (!isAgain && lastAt !== undefined && at > lastAt) inOrder = false;
    lastAt = at;
  }
  const deepest = dates.length > 0 ? (inOrder ? Math.min(...dates) : Math.max(...dates)) : undefined;
  const { trouble: _, ...rest } = before;
  return {
    ...rest,
    ...(before.pages === 0 ? { askedAt: page.askedAt, answeredAt: page.answeredAt } : {}),
    next: way.next,
    boundary: way.boundary,
    lastAt,
    inOrder,
    reach: deepest === undefined ? before.reach : Math.min(before.reach ?? deepest, deepest),
    pages: before.pages + 1,
    lostAt: way.lostAt === undefined ? before.lostAt : [...before.lostAt, way.lostAt],
  };
}

/** Whether the new walk has come to rows that the older one has, and seen again what was not final. */
async function meets<Row>(
  tx: HistoryChange,
  below: Stretch,
  stretch: Stretch,
  {
    keys,
    known,
    facts,
    now,
  }: { keys: readonly string[]; known: ReadonlyMap<string, { stretch: number }>; facts: KindFacts<Row>; now: number },
): Promise<boolean> {
  const common = keys.filter((key) => known.get(key)?.stretch === below.id).length;
  if (common === 0 || (common < facts.overlap && stretch.next)) return false;
  if (!stretch.next || stretch.pages >= mostPagesForOpenRows) return true;
  const open = await tx.oldestOpen(now - openRowsMs);
  return open === undefined || stretch.reach === undefined || open >= stretch.reach;
}

/** One stretch of two: as new as the newer one, as deep as the older one. */
function joined(top: Stretch, below: Stretch, now: number): Stretch {
  const both: Stretch = {
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
  if (!below.deadEnd || (trouble && trouble.retryAt > now)) return both;
  // The older way on is not good: this one goes on by itself, through what is known.
  const { next, boundary, lastAt } = top;
  return { ...free, next, boundary, lastAt, restarts: below.restarts + 1 };
}

/** A row of an order that was not filled yet has become the row of its fill. */
async function removeReplaced(
  tx: HistoryChange,
  rows: readonly RowOf['orders'][],
  keys: readonly string[],
): Promise<void> {
  const filled = new Set(rows.flatMap(({ order, fill }) => (fill && order?.id) || []));
  const replaced = [...filled].map(unfilledKey).filter((key) => !keys.includes(key));
  const open = (await tx.known(replaced)).filter(({ isFinal }) => !isFinal);
  if (open.length > 0)
    await tx.remove(
      'pages',
      open.map(({ key }) => key),
    );
}

export function storedRow<Row>(facts: KindFacts<Row>, row: Row, key: string, stretch: number): StoredRow {
  return {
    key,
    at: timeOf(facts.dateOf(row)) ?? undatedAt,
    ticker: facts.tickerOf(row),
    type: facts.typeOf(row),
    isFinal: facts.isFinal(row),
    stretch,
    data: JSON.stringify(row),
  };
}

const timeOf = (date: string | undefined): number | undefined => {
  const at = Date.parse(date ?? '');
  return Number.isNaN(at) ? undefined : at;
};

export const nameOf = (query: PageCursor): string => JSON.stringify(Object.entries(query).sort());
