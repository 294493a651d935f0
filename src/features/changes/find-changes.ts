/** What happened on the account since a moment, from its histories and its positions. Pure. */

import { createHash } from 'node:crypto';
import Big from 'big.js';
import type { HistoricalOrder, Position } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { positive, sideOf } from '../../core/mcp/order-arguments.ts';
import { formatMoney, formatPercent } from '../../core/text/format-figures.ts';
import type { CashFlow } from '../analytics/cash-flows.ts';
import { isFeeType, isInterestType } from '../analytics/cash-flows.ts';
import { getFillMeaning } from '../analytics/executions.ts';
import { toBig } from '../analytics/sums.ts';
import { type Trade, toChange } from '../analytics/trades.ts';
import { kinds, type RowOf } from '../history/kinds.ts';
import type { Asked, Weights } from './last-asked.ts';

/** What a change is. The names are public. */
export const changeKinds = [
  'bought',
  'sold',
  'corporate_action',
  'dividend',
  'interest',
  'fee',
  'paid_in',
  'paid_out',
  'other_booking',
  'order_ended',
  'opened',
  'closed',
  'weight',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  readonly kind: ChangeKind;
  /** When it happened (ms), of an order without a fill when it was placed; undefined for a comparison of now with then. */
  readonly at?: number | undefined;
  /** Separates equal changes. */
  readonly id?: string | undefined;
  readonly ticker?: string | undefined;
  readonly name?: string | undefined;
  readonly quantity?: string | undefined;
  /** In `currency`: positive for money that the account received. Undefined when it is unknown. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  /** A type of the service, or a weight then and now. */
  readonly detail?: string | undefined;
}

export interface ChangesQuestion {
  /** Inclusive (ms). */
  readonly since: number;
  readonly currency: string | undefined;
  readonly trades: readonly Trade[];
  /** The rows of the order history in the range: an order that ended without a fill is in no trade. */
  readonly orders: readonly HistoricalOrder[];
  readonly dividends: readonly RowOf['dividends'][];
  readonly flows: readonly CashFlow[];
  readonly positions: readonly Position[];
  /** By ticker, for what is not held. */
  readonly names?: Readonly<Record<string, string>>;
  /** What came after the last question with a time before it: all from `from` (ms) on that it did not see. */
  readonly late?: { readonly from: number; readonly seen: ReadonlySet<string> } | undefined;
  /** Weights in percent of the account's value by ticker; undefined where the earlier ones are unknown. */
  readonly weights: { readonly before: Weights; readonly after: Weights } | undefined;
}

/** A weight that moved by fewer percentage points is no news. */
const minWeightMove = 1;

/** The changes, newest first; comparisons of now with then come before them. */
export function findChanges(question: ChangesQuestion): readonly Change[] {
  const { since, late } = question;
  const names = new Map(question.positions.map((position) => [getTicker(position) ?? '', position.instrument?.name]));
  const dated = listDated(question, Math.min(since, late?.from ?? since)).filter(
    (change) => !late?.seen.has(nameChange(change)),
  );
  return [...listPositionChanges(question), ...listWeightMoves(question), ...dated].map(({ id: _, ...change }) => ({
    ...change,
    name: names.get(change.ticker ?? '') ?? question.names?.[change.ticker ?? ''] ?? change.name,
  }));
}

/** More names are not kept. */
const maxSeen = 300;

/** The names of what happened since `from`, to be kept as seen; with more than a few hundred, only of the newest. */
export function nameSeen(question: ChangesQuestion, from: number): Pick<Asked, 'seenFrom' | 'seen'> {
  const dated = listDated(question, from);
  const oldest = dated[maxSeen]?.at;
  return {
    seenFrom: oldest === undefined ? from : oldest + 1,
    seen: dated.filter(({ at }) => oldest === undefined || at > oldest).map(nameChange),
  };
}

/** The same for the same row whenever it is read. */
const nameChange = ({ kind, at, id, ticker, quantity, amount, currency, detail }: Change): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, at, id, ticker, quantity, amount, currency, detail]))
    .digest('base64url')
    .slice(0, 12);

/** What has a time, newest first. */
function listDated(question: ChangesQuestion, from: number): readonly (Change & { readonly at: number })[] {
  const isIn = ({ at }: { readonly at: number }) => at >= from;
  return [
    ...question.trades.filter(isIn).map(toTradeChange),
    ...listEndedOrders(question.orders).filter(isIn),
    ...question.dividends
      .filter(({ paidOn = '' }) => Date.parse(paidOn) >= from)
      .map((row) => toDividend(row, question.currency)),
    ...question.flows.filter(isIn).map((flow) => toBooking(flow, question.currency)),
  ].sort((a, b) => b.at - a.at);
}

function toTradeChange(trade: Trade) {
  const { at, ticker, type, side, quantity, netValue, valueCurrency, fillId: id } = trade;
  const isTrade = getFillMeaning(type) === 'trade';
  const amount = side === 'SELL' ? netValue : netValue?.neg();
  return {
    kind: isTrade ? (side === 'SELL' ? ('sold' as const) : ('bought' as const)) : ('corporate_action' as const),
    at,
    id,
    ticker,
    quantity: (isTrade ? quantity : toChange(trade)).toFixed(),
    ...(isTrade ? { amount: formatMoney(amount), currency: valueCurrency } : { detail: type }),
  };
}

/** Orders that were cancelled, rejected or expired, with nothing or a part of them filled, which has a row for each fill. */
function listEndedOrders(rows: readonly HistoricalOrder[]) {
  const ended = rows.filter((row) => row.order?.status !== 'FILLED' && kinds.orders.isFinal(row) && row.order?.status);
  return [...new Map(ended.map((row) => [row.order?.id ?? row, row])).values()].map(({ order, fill }) => ({
    kind: 'order_ended' as const,
    at: Date.parse(kinds.orders.getDate({ order, fill }) ?? ''),
    id: order?.id,
    ticker: getTicker(order),
    name: order?.instrument?.name,
    quantity: positive(order?.quantity),
    detail: [order && sideOf(order), order?.type, order?.status].filter(Boolean).join(' '),
  }));
}

const toDividend = (row: RowOf['dividends'], currency: string | undefined) => ({
  kind: 'dividend' as const,
  at: Date.parse(row.paidOn ?? ''),
  ticker: getTicker(row),
  name: row.instrument?.name,
  amount: formatMoney(toBig(row.amount)),
  currency: row.currency ?? currency,
});

function toBooking({ at, type, amount, currency, isExternal }: CashFlow, own: string | undefined) {
  const kind: ChangeKind = isExternal
    ? amount.lt(0)
      ? 'paid_out'
      : 'paid_in'
    : isInterestType(type)
      ? 'interest'
      : isFeeType(type)
        ? 'fee'
        : 'other_booking';
  return { kind, at, amount: formatMoney(amount), currency: currency ?? own, detail: type };
}

/** Shares that a rounding leaves are none; fewer than none are of a trade that the positions do not show yet. */
const isNone = (shares: Big): boolean => shares.lt('0.00000001');

/** What is held now and was not held then, and the reverse: the shares of then are those of now without what moved. */
function listPositionChanges({ positions, trades, since }: ChangesQuestion): Change[] {
  const recent = trades.filter(({ at }) => at >= since);
  const held = new Map(
    positions.map((position) => [getTicker(position) ?? '', new Big(position.quantity ?? 0)] as const),
  );
  return [...new Set(recent.map(({ ticker }) => ticker))].flatMap((ticker): Change[] => {
    const now = held.get(ticker) ?? new Big(0);
    const then = recent
      .filter((trade) => trade.ticker === ticker)
      .reduce((left, trade) => left.minus(toChange(trade)), now);
    if (isNone(then) === isNone(now)) return [];
    return isNone(then) ? [{ kind: 'opened', ticker, quantity: now.toFixed() }] : [{ kind: 'closed', ticker }];
  });
}

/** Weights that moved by a percentage point and more, the largest move first. */
function listWeightMoves({ weights }: ChangesQuestion): Change[] {
  if (!weights) return [];
  const { before, after } = weights;
  const moveOf = (ticker: string) => (after[ticker] ?? 0) - (before[ticker] ?? 0);
  return Object.keys({ ...before, ...after })
    .filter((ticker) => before[ticker] !== null && after[ticker] !== null)
    .filter((ticker) => Math.abs(moveOf(ticker)) >= minWeightMove)
    .sort((a, b) => Math.abs(moveOf(b)) - Math.abs(moveOf(a)) || (a < b ? -1 : 1))
    .map((ticker) => ({
      kind: 'weight',
      ticker,
      detail: `${formatPercent(before[ticker] ?? 0)} % to ${formatPercent(after[ticker] ?? 0)} %`,
    }));
}
