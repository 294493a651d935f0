/**
 * Decides which page to read next, so that no row is lost between two pages. A cursor with a resolution of one
 * second can lose rows when several rows share that second: some services start the next page at the last row of
 * the second, and the skipped rows leave no trace.
 * The first shared second in the middle of a page is therefore a test: the page is read again up to that second,
 * and the next page must start with it. Until a test has succeeded, a page that ends within a second is read again
 * with fewer rows, so that the next page has that second in its middle. If rows are skipped, the complete list is
 * read again with overlapping pages.
 */
import type { PageCursor } from '../../core/broker/types.ts';

export const fullPage = '50';
export const newestPageCursor: PageCursor = { limit: fullPage };

export interface Boundary {
  /**
   * `exact`: a test showed that no row is lost. `skips`: a test showed that rows are lost, so each page is cut at a
   * row that is alone in its second.
   */
  readonly cursor: 'unknown' | 'exact' | 'skips';
  /** Set when the previous page ended within a second. */
  readonly doubt?: Doubt | undefined;
  readonly trial?: Trial | undefined;
}

interface Trial {
  readonly step: 'cut' | 'look';
  /** The first row of the shared second. */
  readonly key: string;
  readonly place: number;
  /** The cursor at which the walk continues after the test. */
  readonly resume: PageCursor;
}

interface Doubt {
  readonly step: 'next' | 'shorter' | 'again';
  /** The doubtful second (ms). */
  readonly second: number;
  readonly lastKey: string;
  /**
   * The page that ended in that second, and how many of its rows to read so that the next page starts at a row
   * alone in its second.
   */
  readonly page: PageCursor;
  readonly shorter: number | undefined;
}

export interface FetchedPage {
  /** The cursor that the page was requested with. */
  readonly query: PageCursor;
  readonly next: PageCursor | undefined;
  readonly keys: readonly string[];
  /** Dates of its rows (ms); undefined where a row has no sort date. */
  readonly places: readonly (number | undefined)[];
  readonly isKnown: (key: string) => boolean;
}

export type NextPage =
  | {
      readonly kind: 'on';
      readonly next: PageCursor | undefined;
      readonly boundary: Boundary;
      readonly lostAt?: number;
    }
  /** Rows were lost: start again at the newest page, with overlapping pages. */
  | { readonly kind: 'again' };

/** Returns the next page to request after `page`, and what is now known about the service's cursors. */
export function resolveNextPage(before: Boundary, page: FetchedPage): NextPage {
  if (before.cursor === 'skips') return nextOverlappingPage(page);
  const { doubt, trial } = before;
  if (trial) return evaluateProbe(trial, page);
  const on = (cursor: Boundary['cursor']): NextPage => {
    const next = ambiguityAfter(page);
    return { kind: 'on', next: page.next, boundary: { cursor, doubt: cursor === 'unknown' ? next : undefined } };
  };
  // The cursor identifies the row itself, not only its second.
  if (before.cursor === 'exact' || namesItsRow(page)) return on('exact');
  if (!doubt) return startTrial(page) ?? on('unknown');
  switch (doubt.step) {
    case 'next': {
      // The row is returned twice, so the next page starts with the first row of the second.
      if (page.keys.includes(doubt.lastKey)) return on('exact');
      if (doubt.shorter === undefined) return { ...on('unknown'), kind: 'on', lostAt: doubt.second } as NextPage;
      const next = { ...doubt.page, limit: String(doubt.shorter) };
      return { kind: 'on', next, boundary: { cursor: 'unknown', doubt: { ...doubt, step: 'shorter' } } };
    }
    case 'shorter':
      return {
        kind: 'on',
        next: page.next && { ...page.next, limit: fullPage },
        boundary: { cursor: 'unknown', doubt: { ...doubt, step: 'again' } },
      };
    case 'again': {
      const wasLost = page.keys.some((key, index) => {
        const second = truncateToSecond(page.places[index]);
        return !page.isKnown(key) && (second === undefined || second === doubt.second);
      });
      if (wasLost) return { kind: 'again' };
      // If only one row of that second remains, both paging styles continue at the same row, so it proves nothing.
      const beyond = page.places.slice(page.keys.indexOf(doubt.lastKey) + 1);
      const isProof = beyond.filter((at) => truncateToSecond(at) === doubt.second).length > 1;
      return on(isProof ? 'exact' : 'unknown');
    }
  }
}

/** Reads the page again up to a second that several rows share, if the page has one with rows on both sides. */
function startTrial({ query, next, keys, places }: FetchedPage): NextPage | undefined {
  if (!next || next.time !== undefined || !isTimestampCursor(next.cursor) || query.limit !== fullPage) return undefined;
  const seconds = places.map(truncateToSecond);
  const first = seconds.findIndex(
    (own, index) => index > 0 && own !== undefined && own === seconds[index + 1] && own !== seconds[index - 1],
  );
  const [key, place] = [keys[first], places[first]];
  if (key === undefined || place === undefined || seconds[first - 1] === undefined) return undefined;
  const trial: Trial = { step: 'cut', key, place, resume: next };
  return { kind: 'on', next: { ...query, limit: String(first) }, boundary: { cursor: 'unknown', trial } };
}

function evaluateProbe(trial: Trial, { next, keys }: FetchedPage): NextPage {
  const resume = (cursor: Boundary['cursor']): NextPage => ({ kind: 'on', next: trial.resume, boundary: { cursor } });
  if (trial.step === 'look') return keys.includes(trial.key) ? resume('exact') : { kind: 'again' };
  if (!next) return resume('unknown');
  const named = Number(next.cursor);
  if (isTimestampCursor(next.cursor) && named !== trial.place && named !== truncateToSecond(trial.place))
    return resume('exact');
  const look: Trial = { ...trial, step: 'look' };
  return { kind: 'on', next: { ...next, limit: fullPage }, boundary: { cursor: 'unknown', trial: look } };
}

/** Reads every page twice: completely, for its rows, and then up to a row that is alone in its second. */
function nextOverlappingPage({ query, next, places }: FetchedPage): NextPage {
  const boundary: Boundary = { cursor: 'skips' };
  if (!next) return { kind: 'on', next, boundary };
  const whole = { ...next, limit: fullPage };
  if (query.limit !== fullPage) return { kind: 'on', next: whole, boundary };
  const shorter = lastUniqueSecondIndex(places);
  if (shorter !== undefined) return { kind: 'on', next: { ...query, limit: String(shorter) }, boundary };
  const lastAt = places.findLast((at) => at !== undefined);
  return { kind: 'on', next: whole, boundary, ...(lastAt === undefined ? {} : { lostAt: lastAt }) };
}

function ambiguityAfter({ query, next, keys, places }: FetchedPage): Doubt | undefined {
  const lastKey = keys.at(-1);
  // A cursor that comes with a time identifies its row.
  if (!next || next.time !== undefined || lastKey === undefined || !/^\d{13}$/.test(next.cursor ?? ''))
    return undefined;
  const named = Number(next.cursor);
  const last = places.at(-1);
  // A row without a sort date may belong to that second as well.
  if (last !== undefined && named !== last && named !== truncateToSecond(last)) return undefined;
  return {
    step: 'next',
    second: truncateToSecond(named) ?? named,
    lastKey,
    page: query,
    shorter: lastUniqueSecondIndex(places),
  };
}

/** Whether the cursor of this page is neither the time of its first row nor that time rounded down to a second. */
function namesItsRow({ query, places }: FetchedPage): boolean {
  const [first] = places;
  if (first === undefined || query.time !== undefined || !isTimestampCursor(query.cursor)) return false;
  const named = Number(query.cursor);
  return named !== first && named !== truncateToSecond(first);
}

const isTimestampCursor = (cursor: string | undefined): boolean => /^\d{13}$/.test(cursor ?? '');

/** The index of the last row that is alone in its second and has dated neighbours; undefined if there is none. */
function lastUniqueSecondIndex(places: readonly (number | undefined)[]): number | undefined {
  const seconds = places.map(truncateToSecond);
  for (let index = seconds.length - 2; index > 0; index--) {
    const [before, own, after] = [seconds[index - 1], seconds[index], seconds[index + 1]];
    if (own !== undefined && before !== undefined && after !== undefined && own !== before && own !== after)
      return index;
  }
  return undefined;
}

const truncateToSecond = (at: number | undefined): number | undefined =>
  at === undefined ? undefined : Math.floor(at / 1000) * 1000;
