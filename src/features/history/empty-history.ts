/** Says what a filter of a history means, and why no row matches it: an empty list alone reads as "there was nothing". */
import { BrokerageError } from '../../core/errors.ts';
import { toIsoTimestamp } from '../../core/text/dates.ts';
import { closestMatches } from '../../core/text/suggestions.ts';
import type { Coverage, HistoryQuery } from './history-port.ts';
import type { TypeMatch } from './kinds.ts';

/** Maximum types in one result; the service decides how many there are. */
const maxTypes = 40;

/**
 * Throws invalid_argument for a type that neither a row of the history nor the service's documentation has. While rows
 * are unread, one of them can have it.
 */
export function requireKnownType(match: TypeMatch | undefined, kind: string, coverage: Coverage): void {
  if (!match || match.matched.length > 0 || match.isDocumented || !coverage.complete) return;
  const types = match.existing.slice(0, maxTypes);
  const near = closestMatches(match.asked, [...match.existing, ...match.documented], 3);
  throw new BrokerageError(
    'invalid_argument',
    `No row of ${kind} has the type ${match.asked}.`,
    [
      near.length > 0 ? `The closest types are: ${near.join(', ')}.` : undefined,
      types.length > 0 ? `Types of this history: ${types.join(', ')}.` : 'This history has no rows.',
    ]
      .filter(Boolean)
      .join(' '),
    { types, otherTypes: match.documented.slice(0, maxTypes) },
  );
}

/** The fields that name the types which a filter means; none without a filter. */
export const typeFields = (match: TypeMatch | undefined) =>
  match
    ? {
        matchedTypes: match.matched.slice(0, maxTypes),
        ...(match.longer.length > 0 ? { longerTypes: match.longer.slice(0, maxTypes) } : {}),
      }
    : {};

interface EmptyResult {
  readonly typeMatch: TypeMatch | undefined;
  readonly outside: { readonly oldest: number; readonly newest: number } | undefined;
  readonly coverage: Coverage;
}

/** Returns one sentence for a question that no row matches; undefined when the coverage already says why. */
export function describeEmpty(
  question: HistoryQuery,
  { typeMatch, outside, coverage }: EmptyResult,
): string | undefined {
  const { kind, ticker, since, until } = question;
  if (!coverage.complete)
    return typeMatch?.matched.length === 0 ? `No row that was read has the type ${typeMatch.asked}.` : undefined;
  if (typeMatch?.matched.length === 0)
    return `No row of ${kind} has the type ${typeMatch.asked}.${typeMatch.existing.length > 0 ? ` Types of this history: ${typeMatch.existing.slice(0, maxTypes).join(', ')}.` : ''}`;
  const rows = `${kind}${typeMatch ? ` of the type ${typeMatch.matched.join(' or ')}` : ''}${ticker ? ` of ${ticker}` : ''}`;
  // Rows before the range can be unread.
  const isWhole = coverage.from === null;
  if (!outside) {
    if (!isWhole) return `No row of ${rows} is in this range.`;
    if (typeMatch) return `No row of ${rows} exists.`;
    return ticker ? `No row of ${kind} has the ticker ${ticker}.` : `The account has no ${kind}.`;
  }
  const [oldest, newest] = [toDay(outside.oldest), toDay(outside.newest)];
  if (isWhole && until !== undefined && until <= outside.oldest)
    return `The range ends before the first row of ${rows} (${oldest}).`;
  if (since !== undefined && since > outside.newest)
    return `The range starts after the last row of ${rows} (${newest}).`;
  return `No row of ${rows} is in this range; the oldest${isWhole ? '' : ' that was read'} is of ${oldest}, the newest of ${newest}.`;
}

const toDay = (at: number): string => toIsoTimestamp(at).slice(0, 10);

interface AskedRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/**
 * For figures of a range: one sentence when no row is behind them, because a total of 0.00 alone does not say so.
 * Undefined while rows are unread.
 */
export function describeEmptyRange(
  rows: string,
  count: number,
  { since, until }: AskedRange,
  coverages: readonly Coverage[],
): string | undefined {
  if (count > 0 || !coverages.every(({ complete }) => complete)) return undefined;
  return since === undefined && until === undefined ? `The account has ${rows}.` : `The range has ${rows}.`;
}
