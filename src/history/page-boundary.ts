/**
 * Where one page ends and the next begins. A cursor that names no more than a second can lose rows when
 * that second has several: some services begin the next page at its last row, and rows that were never
 * given leave no trace. So the first second with several rows in the middle of a page is a trial: the page is
 * read again up to it, and what comes next must begin with it. Until there was one, a page that ends in the
 * middle of a second is read again shorter, so that the next one holds that second in its middle. Where rows
 * are left out, the whole list is read anew in this careful way.
 */
import type { PageCursor } from '../broker/types.ts';

export const fullPage = '50';
export const newestPageCursor: PageCursor = { limit: fullPage };

export interface Boundary {
  /** `exact`: seen to lose nothing. `skips`: seen to lose rows, so every page is cut at a row that is alone in its second. */
  readonly cursor: 'unknown' | 'exact' | 'skips';
  /** The page before ended in the middle of a second. */
  readonly doubt?: Doubt | undefined;
  readonly trial?: Trial | undefined;
}

interface Trial {
  readonly step: 'cut' | 'look';
  /** The first row of the second that several share. */
  readonly key: string;
  readonly place: number;
  /** Where the walk goes on when it is known how the service does it. */
  readonly resume: PageCursor;
}

interface Doubt {
  readonly step: 'next' | 'shorter' | 'again';
  /** In ms; what is looked for. */
  readonly second: number;
  readonly lastKey: string;
  /** The page that ended there, and how many of its rows to read so that the next begins at one alone in its second. */
  readonly page: PageCursor;
  readonly shorter: number | undefined;
}

export interface FetchedPage {
  /** What it was read with. */
  readonly query: PageCursor;
  readonly next: PageCursor | undefined;
  readonly keys: readonly string[];
  /** Dates of its rows (ms), undefined where a row does not tell its place. */
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
  /** Rows were lost on the way here: begin again at the head, carefully. */
  | { readonly kind: 'again' };

export function resolveNextPage(before: Boundary, page: FetchedPage): NextPage {
  if (before.cursor === 'skips') return nextOverlappingPage(page);
  const { doubt, trial } = before;
  if (trial) return evaluateProbe(trial, page);
  const on = (cursor: Boundary['cursor']): NextPage => {
    const next = ambiguityAfter(page);
    return { kind: 'on', next: page.next, boundary: { cursor, doubt: cursor === 'unknown' ? next : undefined } };
  };
  // It names something finer than the moment of its row: the row itself.
  if (before.cursor === 'exact' || namesItsRow(page)) return on('exact');
  if (!doubt) return startTrial(page) ?? on('unknown');
  switch (doubt.step) {
    case 'next': {
      // The row is given twice, so the next page begins with the first row of the second.
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
      // With one row of the second beyond the end, both kinds of service begin at the same row.
      const beyond = page.places.slice(page.keys.indexOf(doubt.lastKey) + 1);
      const isProof = beyond.filter((at) => truncateToSecond(at) === doubt.second).length > 1;
      return on(isProof ? 'exact' : 'unknown');
    }
  }
}

/** Reads the page again up to a second that several rows share, when there is one with rows on both sides. */
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

/** Every page is read twice: whole, for its rows, and then up to a row that is alone in its second. */
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
  // A cursor that travels with a time names its row by itself.
  if (!next || next.time !== undefined || lastKey === undefined || !/^\d{13}$/.test(next.cursor ?? ''))
    return undefined;
  const named = Number(next.cursor);
  const last = places.at(-1);
  // A row that does not tell its place may stand in that second as well.
  if (last !== undefined && named !== last && named !== truncateToSecond(last)) return undefined;
  return {
    step: 'next',
    second: truncateToSecond(named) ?? named,
    lastKey,
    page: query,
    shorter: lastUniqueSecondIndex(places),
  };
}

/** The cursor of this page is neither the moment of its first row nor the second of it. */
function namesItsRow({ query, places }: FetchedPage): boolean {
  const [first] = places;
  if (first === undefined || query.time !== undefined || !isTimestampCursor(query.cursor)) return false;
  const named = Number(query.cursor);
  return named !== first && named !== truncateToSecond(first);
}

const isTimestampCursor = (cursor: string | undefined): boolean => /^\d{13}$/.test(cursor ?? '');

/** The last row that has a second for itself, its neighbours seen; as the number of rows before it. */
function lastUniqueSecondIndex(places: readonly (number | undefined)[]): number | undefined {
  const seconds = places.map(truncateToSecond);
  for (let index = seconds.length - 2; index > 0; index--) {
    const [before, own, after] = [seconds[index - 1], seconds[index], seconds[index + 1]];
    if (own !== undefined && before !== undefined && after !== undefined && own !== before && own !== after)
      return index;
  }
  return undefined;
}

export const truncateToSecond = (at: number | undefined): number | undefined =>
  at === undefined ? undefined : Math.floor(at / 1000) * 1000;
