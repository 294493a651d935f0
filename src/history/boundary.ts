/**
 * Where one page ends and the next begins. A cursor that names no more than a second can lose rows when
 * that second has several: some services begin the next page at its last row. Rows that were never
 * given leave no trace, except where a page ends in the middle of a second. So there it is tried once:
 * the page is read again shorter, so that the next one holds that second in its middle. When rows turn
 * up that were missing, the whole list is read anew in this careful way.
 */
import type { PageCursor } from '../broker/types.ts';

export const fullPage = '50';
export const headPage: PageCursor = { limit: fullPage };

export interface Boundary {
  /** `exact`: seen to lose nothing. `skips`: seen to lose rows, so every page is cut at a row that is alone in its second. */
  readonly cursor: 'unknown' | 'exact' | 'skips';
  /** The page before ended in the middle of a second. */
  readonly doubt?: Doubt | undefined;
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

export interface PageSeen {
  /** What it was read with. */
  readonly query: PageCursor;
  readonly next: PageCursor | undefined;
  readonly keys: readonly string[];
  /** Dates of its rows (ms), undefined where a row does not tell its place. */
  readonly places: readonly (number | undefined)[];
  readonly isKnown: (key: string) => boolean;
}

export type WayOn =
  | {
      readonly kind: 'on';
      readonly next: PageCursor | undefined;
      readonly boundary: Boundary;
      readonly lostAt?: number;
    }
  /** Rows were lost on the way here: begin again at the head, carefully. */
  | { readonly kind: 'again' };

export function wayOn(before: Boundary, page: PageSeen): WayOn {
  if (before.cursor === 'skips') return carefully(page);
  const { doubt } = before;
  const on = (cursor: Boundary['cursor']): WayOn => {
    const next = doubtAfter(page);
    return { kind: 'on', next: page.next, boundary: { cursor, doubt: cursor === 'unknown' ? next : undefined } };
  };
  // It names something finer than the moment of its row: the row itself.
  if (before.cursor === 'exact' || namesItsRow(page)) return on('exact');
  if (!doubt) return on('unknown');
  switch (doubt.step) {
    case 'next': {
      // The row is given twice, so the next page begins with the first row of the second.
      if (page.keys.includes(doubt.lastKey)) return on('exact');
      if (doubt.shorter === undefined) return { ...on('unknown'), kind: 'on', lostAt: doubt.second } as WayOn;
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
        const second = secondOf(page.places[index]);
        return !page.isKnown(key) && (second === undefined || second === doubt.second);
      });
      return wasLost ? { kind: 'again' } : on('exact');
    }
  }
}

/** Every page is read twice: whole, for its rows, and then up to a row that is alone in its second. */
function carefully({ query, next, places }: PageSeen): WayOn {
  const boundary: Boundary = { cursor: 'skips' };
  if (!next) return { kind: 'on', next, boundary };
  const whole = { ...next, limit: fullPage };
  if (query.limit !== fullPage) return { kind: 'on', next: whole, boundary };
  const shorter = lastAlone(places);
  if (shorter !== undefined) return { kind: 'on', next: { ...query, limit: String(shorter) }, boundary };
  const lastAt = places.findLast((at) => at !== undefined);
  return { kind: 'on', next: whole, boundary, ...(lastAt === undefined ? {} : { lostAt: lastAt }) };
}

function doubtAfter({ query, next, keys, places }: PageSeen): Doubt | undefined {
  const lastKey = keys.at(-1);
  // A cursor that travels with a time names its row by itself.
  if (!next || next.time !== undefined || lastKey === undefined || !/^\d{13}$/.test(next.cursor ?? ''))
    return undefined;
  const named = Number(next.cursor);
  const last = places.at(-1);
  // A row that does not tell its place may stand in that second as well.
  if (last !== undefined && named !== last && named !== secondOf(last)) return undefined;
  return { step: 'next', second: secondOf(named) ?? named, lastKey, page: query, shorter: lastAlone(places) };
}

/** The cursor of this page is neither the moment of its first row nor the second of it. */
function namesItsRow({ query, places }: PageSeen): boolean {
  const [first] = places;
  if (first === undefined || query.time !== undefined || !isMoment(query.cursor)) return false;
  const named = Number(query.cursor);
  return named !== first && named !== secondOf(first);
}

const isMoment = (cursor: string | undefined): boolean => /^\d{13}$/.test(cursor ?? '');

/** The last row that has a second for itself, its neighbours seen; as the number of rows before it. */
function lastAlone(places: readonly (number | undefined)[]): number | undefined {
  const seconds = places.map(secondOf);
  for (let index = seconds.length - 2; index > 0; index--) {
    const [before, own, after] = [seconds[index - 1], seconds[index], seconds[index + 1]];
    if (own !== undefined && before !== undefined && after !== undefined && own !== before && own !== after)
      return index;
  }
  return undefined;
}

export const secondOf = (at: number | undefined): number | undefined =>
  at === undefined ? undefined : Math.floor(at / 1000) * 1000;
