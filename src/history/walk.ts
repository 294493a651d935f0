/** Reads a history page by page, newest first, until the range that was asked for is covered. */
import type { Broker, CallContext, PageCursor } from '../broker/types.ts';
import { BrokerageError } from '../errors.ts';
import type { HistoryQuestion } from './history.ts';
import { type HistoryKind, type KindFacts, keysOf, kinds, type RowOf } from './kinds.ts';

/** Where a walk goes on: the page to read, and the last row that was given from it. */
export interface WalkPosition {
  readonly page: PageCursor | undefined;
  readonly after: string | undefined;
}

export interface WalkedRow<Row> {
  readonly row: Row;
  /** The position that continues after this row. */
  readonly position: WalkPosition;
}

export interface WalkResult<Row> {
  readonly rows: readonly WalkedRow<Row>[];
  /** True when every page of the range has been read: no unread page, no hole. */
  readonly complete: boolean;
  /** Why the range was not read to its end. */
  readonly stopped?: 'enough' | 'limit' | 'broken';
  /** Seconds until the limit lets the next page be read, when it stopped for that. */
  readonly retryAfterSeconds?: number | undefined;
  readonly reason?: string | undefined;
  /** When the oldest page of these was said (ms); undefined when none was read. */
  readonly asOf: number | undefined;
  readonly pagesRead: number;
  /** The dates of the newest and the oldest row that was read. */
  readonly newest?: string | undefined;
  readonly oldest?: string | undefined;
}

/**
 * A list that is not in the order of its dates (a good-till-cancelled order filled late, a dividend
 * booked late) is read this much further back before its range counts as covered.
 */
const disorderMarginMs = 92 * 86_400_000;

/** A resumed walk that does not find its place again within this many pages starts anew. */
const mostPagesToFindPlace = 6;

/**
 * Reads until `enough` matching rows are there, the range is covered, the data ends, or the limit
 * would make the caller wait longer than it wants to. A walk that ends for any other reason than the
 * end of the range is not complete.
 */
export async function walkHistory<Kind extends HistoryKind>(
  broker: Broker,
  question: HistoryQuestion<Kind>,
  options: {
    readonly from?: WalkPosition | undefined;
    readonly enough: number;
    readonly context: CallContext;
    readonly onPage?: (progress: { rows: number; pages: number; oldest: string | undefined }) => void;
  },
): Promise<WalkResult<RowOf[Kind]>> {
  const facts: KindFacts<RowOf[Kind]> = kinds[question.kind];
  const seen = new Set<string>();
  const rows: WalkedRow<RowOf[Kind]>[] = [];
  const dates = dateRange();
  let place = options.from?.after;
  let page: PageCursor | undefined = options.from?.page;
  let pagesRead = 0;
  let asOf: number | undefined;
  const done = (rest: Partial<WalkResult<RowOf[Kind]>> & { complete: boolean }): WalkResult<RowOf[Kind]> => ({
    rows,
    asOf,
    pagesRead,
    newest: dates.newest,
    oldest: dates.oldest,
    ...rest,
  });

  try {
    // The service filters by ticker on the first page only, so the filter is ours on every page.
    const walk = broker.pages(facts.endpoint, { from: page }, options.context);
    for await (const { items, next, answeredAt, brokenBy } of walk) {
      pagesRead++;
      asOf = Math.min(asOf ?? answeredAt, answeredAt);
      const pageRows = items as readonly RowOf[Kind][];
      const keys = keysOf(facts, pageRows);
      const start = place === undefined ? 0 : keys.indexOf(place) + 1;
      if (place !== undefined && start === 0) {
        if (pagesRead >= mostPagesToFindPlace || !next) throw placeLost();
      } else {
        place = undefined;
        for (let index = start; index < pageRows.length; index++) {
          const row = pageRows[index] as RowOf[Kind];
          const key = keys[index] as string;
          if (seen.has(key)) continue;
          seen.add(key);
          if (matches(row, facts, question)) rows.push({ row, position: { page, after: key } });
        }
      }
      for (const row of pageRows) dates.add(facts.dateOf(row));
      options.onPage?.({ rows: rows.length, pages: pagesRead, oldest: dates.oldest });
      if (brokenBy) throw brokenBy;
      if (!next || isCovered(question.since, pageRows.map(facts.dateOf), dates.inOrder))
        return done({ complete: true });
      if (rows.length >= options.enough) return done({ complete: false, stopped: 'enough' });
      page = next;
    }
    return done({ complete: true });
  } catch (error) {
    return done({ complete: false, ...stoppedBy(error, pagesRead) });
  }
}

/** What a failure in the middle means; a failure before the first page is the caller's to hear. */
function stoppedBy(
  error: unknown,
  pagesRead: number,
): Pick<WalkResult<never>, 'stopped' | 'reason' | 'retryAfterSeconds'> {
  if (!(error instanceof BrokerageError) || pagesRead === 0) throw error;
  if (error.code === 'rate_limited')
    return { stopped: 'limit', reason: error.message, retryAfterSeconds: error.facts.retryAfterSeconds };
  return { stopped: 'broken', reason: error.message };
}

function matches<Row>(row: Row, facts: KindFacts<Row>, question: HistoryQuestion): boolean {
  if (question.ticker !== undefined && facts.tickerOf(row) !== question.ticker) return false;
  if (question.type !== undefined && facts.typeOf(row) !== question.type) return false;
  if (question.since === undefined && question.until === undefined) return true;
  const at = Date.parse(facts.dateOf(row) ?? '');
  // A row without a date cannot be placed outside the range, so it is shown.
  if (Number.isNaN(at)) return true;
  return (
    (question.since === undefined || at >= question.since) && (question.until === undefined || at < question.until)
  );
}

/** True when everything on the page lies before the range, with a margin where the list is not in order. */
function isCovered(since: number | undefined, dates: readonly (string | undefined)[], inOrder: boolean): boolean {
  if (since === undefined || dates.length === 0) return false;
  const bound = inOrder ? since : since - disorderMarginMs;
  return dates.every((date) => date !== undefined && Date.parse(date) < bound);
}

function dateRange() {
  let newest: string | undefined;
  let oldest: string | undefined;
  let previous = Number.POSITIVE_INFINITY;
  let inOrder = true;
  return {
    add(date: string | undefined) {
      const at = Date.parse(date ?? '');
      if (Number.isNaN(at)) return;
      if (at > previous) inOrder = false;
      previous = at;
      if (newest === undefined || at > Date.parse(newest)) newest = date;
      if (oldest === undefined || at < Date.parse(oldest)) oldest = date;
    },
    get newest() {
      return newest;
    },
    get oldest() {
      return oldest;
    },
    get inOrder() {
      return inOrder;
    },
  };
}

const placeLost = () =>
  new BrokerageError(
    'invalid_argument',
    'The history has changed too much since this cursor was given.',
    'Leave cursor out to start at the newest row.',
  );
