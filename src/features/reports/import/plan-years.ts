/** Decides which range of an import to request next, from what is read and what was requested. */
import { gapsIn, type Interval, joinParts } from '../../history/coverage.ts';

/** The service keeps no longer history, and a request for it would be a mistake. */
export const maxImportYears = 30;
/** At most this much at the newest end is read from pages instead of another report. */
const pagesReachMs = 31 * 86_400_000;
/** A history is taken to begin after this many years without a row. */
const emptyYears = 2;

export interface YearFacts {
  /** Reports are requested up to this moment (ms). */
  readonly until: number;
  /** How many years to import; undefined means until two are empty. */
  readonly years: number | undefined;
  /** When the oldest open position began (ms): the history is at least that long. */
  readonly oldestPositionAt: number | undefined;
  readonly pending: readonly Interval[];
  /** Ranges that no report gives. */
  readonly abandoned: readonly Interval[];
  /** The parts of a range that are neither read from pages nor imported. */
  readonly listUnread: (range: Interval) => readonly Interval[];
  /** The parts of a range that are in no report and have dividends, whose tax only a report has. */
  readonly listUntaxed: (range: Interval) => readonly Interval[];
  /** The stored rows of a range, of all kinds. */
  readonly countRows: (range: Interval) => Promise<number>;
}

export interface YearPlan {
  /** The range to request next; undefined when all are requested. */
  readonly next: Interval | undefined;
  /** Whether a requested report is still missing. */
  readonly isWaiting: boolean;
  /** Years that are requested or ready, and those that are ready. */
  readonly reached: number;
  readonly ready: number;
  /** The number of years that will be needed, as far as it is known: an estimate without `years`. */
  readonly expected: number;
  /** Where the oldest of these years begins (ms). */
  readonly since: number;
  /** Nothing is older than this (ms); undefined when that is not known. */
  readonly beginsAt: number | undefined;
}

/** The year that ends `index` years before `until`. 29 February becomes 1 March, so no year is too long. */
export function getYear(until: number, index: number): Interval {
  const back = (years: number): number => {
    const date = new Date(until);
    return date.setUTCFullYear(date.getUTCFullYear() - years);
  };
  return { from: back(index + 1), to: back(index) };
}

/**
 * Plans from the newest year back. A year whose report is still missing is assumed to have rows, so that the
 * next one is requested without a pause; after an empty year, the plan waits for the one before it.
 */
export async function planYears(facts: YearFacts): Promise<YearPlan> {
  const { until, years, pending, abandoned } = facts;
  const expected = countExpectedYears(facts);
  let [reached, ready, empty, isWaiting] = [0, 0, 0, false];
  let since = until;
  let beginsAt: number | undefined;
  let next: Interval | undefined;
  for (let index = 0; index < (years ?? maxImportYears); index++) {
    const year = getYear(until, index);
    const unread = facts.listUnread(year).filter(({ from, to }) => to < until || to - from > pagesReachMs);
    const gaps = joinParts(year, [...unread, ...facts.listUntaxed(year)]);
    const wanted = subtract(gaps, abandoned);
    next = subtract(wanted, pending).at(-1);
    if (next) break;
    reached++;
    since = year.from;
    if (wanted.length > 0) {
      isWaiting = true;
      if (empty > 0 && years === undefined) break;
      continue;
    }
    ready++;
    empty = gaps.length === 0 && (await facts.countRows(year)) === 0 ? empty + 1 : 0;
    if (years === undefined && empty >= emptyYears && year.from <= (facts.oldestPositionAt ?? until)) {
      beginsAt = year.from;
      break;
    }
  }
  return { next, isWaiting, reached, ready, expected: Math.max(expected, reached), since, beginsAt };
}

/** Counts the years back to the oldest open position and the empty ones before it. */
function countExpectedYears({ until, years, oldestPositionAt = until }: YearFacts): number {
  if (years !== undefined) return years;
  let known = 1;
  while (known < maxImportYears - emptyYears && getYear(until, known - 1).from > oldestPositionAt) known++;
  return known + emptyYears;
}

const subtract = (parts: readonly Interval[], others: readonly Interval[]): Interval[] =>
  parts.flatMap((part) => gapsIn(part, others));
