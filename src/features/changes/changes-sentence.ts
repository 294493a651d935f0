/** The changes of an account in a few sentences, of at most 1,500 characters. */

import type Big from 'big.js';
import { countOf } from '../../core/text/count-of.ts';
import { toZoneDate } from '../../core/text/dates.ts';
import { formatMoney } from '../../core/text/format-figures.ts';
import { formatDay, formatMoment } from '../../core/text/format-moment.ts';
import { defaultLocale, writeMoney } from '../../core/text/format-money.ts';
import type { ReturnPeriod } from '../analytics/return-period.ts';
import { computeSum } from '../analytics/sums.ts';
import type { Change, ChangeKind } from './find-changes.ts';

interface ChangesFound {
  /** Milliseconds since 1970, UTC. */
  readonly since: number;
  /** When it is said (ms since 1970), which "yesterday" refers to. */
  readonly now: number;
  readonly zone: string;
  /** The range begins when the host last asked. */
  readonly isSinceAsked: boolean;
  /** Whether all rows of the range have been read. */
  readonly complete: boolean;
  readonly currency: string | undefined;
  readonly start: ReturnPeriod | undefined;
  readonly end: string | undefined;
  /** Deposits minus withdrawals since `start`; undefined where more than that was moved. */
  readonly paidIn: Big | undefined;
  readonly changes: readonly Change[];
  readonly drafts: number;
  readonly approvals: number;
}

/** More names than this are counted. */
const getMaxNames = (kind: ChangeKind | undefined): number => (kind && isDetailed.has(kind) ? 2 : 3);
/** Kinds that say more than a name. */
const isDetailed: ReadonlySet<ChangeKind> = new Set(['weight', 'order_ended', 'corporate_action']);
/** A name is cut at this length. */
const maxNameLength = 28;

export function describeChanges(found: ChangesFound): string {
  const { since, now, zone, isSinceAsked, complete, drafts, approvals } = found;
  const sentences = [
    `Since ${formatMoment(since, now, zone)}${isSinceAsked ? ', when this was last asked' : ''}: ${describeValue(found)}`,
    ...(complete ? [] : ['Not all rows have been read yet, so more may have happened.']),
    ...listSentences(found),
    ...(drafts > 0 ? [`${countOf(drafts, 'draft')} ${drafts === 1 ? 'is' : 'are'} open.`] : []),
    ...(approvals > 0 ? [`${countOf(approvals, 'approval')} ${approvals === 1 ? 'is' : 'are'} waiting.`] : []),
  ];
  return sentences.join(' ');
}

function describeValue({ since, zone, start, end, paidIn, currency, complete }: ChangesFound): string {
  if (end === undefined) return 'the value of the account is not known.';
  const now = sayAmount(computeSum([end]), currency);
  if (!start) return `the account is worth ${now}; what it was worth then is not known.`;
  const isThatDay = toZoneDate(start.at, zone) === toZoneDate(since, zone);
  const then = `${sayAmount(start.value, currency)}${isThatDay ? '' : ` (${formatDay(start.at, zone)})`}`;
  const went = `the value went from ${then} to ${now}`;
  if (!complete || !paidIn) return `${went}.`;
  const gain = computeSum([end, start.value.neg(), paidIn.neg()]);
  const nameMove = (amount: Big, up: string, down: string) =>
    `${sayAmount(amount.abs(), currency)} ${amount.lt(0) ? down : up}`;
  const paid = paidIn.eq(0) ? '' : `${nameMove(paidIn, 'paid in', 'paid out')} and `;
  return `${went}: ${paid}${nameMove(gain, 'gained', 'lost')}.`;
}

/** As a person writes it, because the sentence is also the text of a notification. */
const sayAmount = (amount: Big, currency: string | undefined): string =>
  writeMoney(formatMoney(amount), currency, defaultLocale);

function listSentences({ changes, currency, complete }: ChangesFound): string[] {
  const of = (kind: ChangeKind) => changes.filter((change) => change.kind === kind);
  const named = (title: string, kind: ChangeKind) => (of(kind).length > 0 ? [`${title}: ${listNames(of(kind))}.`] : []);
  const summed = (title: string, kind: ChangeKind) => {
    const own = of(kind).filter((change) => change.currency === currency);
    const others = of(kind).length - own.length;
    const known = own.flatMap(({ amount }) => amount ?? []);
    const unknown = own.length - known.length;
    const parts = [
      ...(known.length > 0 ? [sayAmount(computeSum(known), currency)] : []),
      ...(unknown > 0 ? [`${countOf(unknown, 'row')} of unknown amount`] : []),
      ...(others > 0 ? [`${countOf(others, 'row')} in other currencies`] : []),
    ];
    return parts.length > 0 ? [`${title} ${parts.join(' and ')}`] : [];
  };
  const amounts = [
    ...summed('paid in', 'paid_in'),
    ...summed('paid out', 'paid_out'),
    ...summed('dividends', 'dividend'),
    ...summed('interest', 'interest'),
    ...summed('fees', 'fee'),
    ...summed('other bookings', 'other_booking'),
  ];
  const sentences = [
    ...named('New', 'opened'),
    ...named('Closed', 'closed'),
    ...named('Bought', 'bought'),
    ...named('Sold', 'sold'),
    ...named('Corporate actions', 'corporate_action'),
    ...(amounts.length > 0 ? [`Booked: ${amounts.join(', ')}.`] : []),
    ...named('Orders that ended early', 'order_ended'),
    ...named('Weights that moved', 'weight'),
  ];
  return sentences.length === 0 && complete ? ['Nothing was traded or booked.'] : sentences;
}

/** The names, each once, with how often and in which way. */
function listNames(changes: readonly Change[]): string {
  const counts = new Map<string, number>();
  for (const { name, ticker, kind, detail } of changes) {
    const text = (name ?? ticker ?? 'unknown').slice(0, maxNameLength);
    const full = isDetailed.has(kind) ? `${text} (${detail?.replaceAll('_', ' ').toLowerCase()})` : text;
    counts.set(full, (counts.get(full) ?? 0) + 1);
  }
  const names = [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
  const most = getMaxNames(changes[0]?.kind);
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
