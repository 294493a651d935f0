/** What happened on the account since a moment, from its histories and its positions. Pure. */

import Big from 'big.js';
import type { HistoricalOrder, Position } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { formatMoney, formatPercent } from '../../core/text/format-figures.ts';
import type { CashFlow } from '../analytics/cash-flows.ts';
import { isFeeType, isInterestType } from '../analytics/cash-flows.ts';
import { getFillMeaning } from '../analytics/executions.ts';
import { type Trade, toChange } from '../analytics/trades.ts';
import type { RowOf } from '../history/kinds.ts';

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
  /** When it happened (ms); undefined for a comparison of now with then. */
  readonly at?: number | undefined;
  readonly ticker?: string | undefined;
  readonly name?: string | undefined;
  readonly quantity?: string | undefined;
  /** In `currency`: positive for money that the account received. */
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
  /** The rows of the order history in the range: those that ended without a fill are in no trade. */
  readonly orders: readonly HistoricalOrder[];
  readonly dividends: readonly RowOf['dividends'][];
  readonly flows: readonly CashFlow[];
  readonly positions: readonly Position[];
  /** Weights in percent of the account's value by ticker; undefined where the earlier ones are unknown. */
  readonly weights: { readonly before: Weights; readonly after: Weights } | undefined;
}

/** Percent of the account's value, by ticker. */
export type Weights = Readonly<Record<string, number>>;

/** A weight that moved by fewer percentage points is no news. */
const minWeightMove = 1;

/** The changes, newest first; comparisons of now with then come before them. */
export function findChanges(question: ChangesQuestion): readonly Change[] {
  const { since, trades } = question;
  const names = new Map(question.positions.map((position) => [getTicker(position) ?? '', position.instrument?.name]));
  const recent = trades.filter(({ at }) => at >= since);
  const dated = [
    ...recent.map(toTradeChange),
    ...question.orders.flatMap((row) => toEndedOrder(row) ?? []),
    ...question.dividends.flatMap((row) => toDividend(row, question) ?? []),
    ...question.flows.filter(({ at }) => at >= since).map((flow) => toBooking(flow, question.currency)),
  ].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  return [...listPositionChanges(question, recent), ...listWeightMoves(question), ...dated].map((change) => ({
    ...change,
    name: change.name ?? names.get(change.ticker ?? ''),
  }));
}

function toTradeChange(trade: Trade): Change {
  const { at, ticker, type, side, quantity, netValue, valueCurrency } = trade;
  const isTrade = getFillMeaning(type) === 'trade';
  const amount = side === 'SELL' ? netValue : netValue?.neg();
  return {
    kind: isTrade ? (side === 'SELL' ? 'sold' : 'bought') : 'corporate_action',
    at,
    ticker,
    quantity: (isTrade ? quantity : toChange(trade)).toFixed(),
    ...(isTrade ? { amount: formatMoney(amount), currency: valueCurrency } : { detail: type }),
  };
}

/** An order that was cancelled, rejected or expired, with nothing or a part of it filled. */
function toEndedOrder({ order, fill }: HistoricalOrder): Change | undefined {
  const { status, createdAt } = order ?? {};
  if (fill || status === undefined || status === 'FILLED') return undefined;
  return {
    kind: 'order_ended',
    at: Date.parse(createdAt ?? ''),
    ticker: getTicker(order),
    quantity: order?.quantity,
    detail: [order?.side, order?.type, status].filter(Boolean).join(' '),
  };
}

function toDividend(row: RowOf['dividends'], { since, currency }: ChangesQuestion): Change | undefined {
  const at = Date.parse(row.paidOn ?? '');
  if (!(at >= since) || row.amount === undefined) return undefined;
  const amount = formatMoney(new Big(row.amount));
  return { kind: 'dividend', at, ticker: getTicker(row), amount, currency: row.currency ?? currency };
}

function toBooking({ at, type, amount, currency, isExternal }: CashFlow, own: string | undefined): Change {
  const kind = isExternal
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

/** Shares that a rounding leaves are none. */
const isNone = (shares: Big): boolean => shares.abs().lt('0.00000001');

/** What is held now and was not held then, and the reverse: the shares of then are those of now without what moved. */
function listPositionChanges({ positions }: ChangesQuestion, recent: readonly Trade[]): Change[] {
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
    .filter((ticker) => Math.abs(moveOf(ticker)) >= minWeightMove)
    .sort((a, b) => Math.abs(moveOf(b)) - Math.abs(moveOf(a)) || (a < b ? -1 : 1))
    .map((ticker) => ({
      kind: 'weight',
      ticker,
      detail: `${formatPercent(before[ticker] ?? 0)} % to ${formatPercent(after[ticker] ?? 0)} %`,
    }));
}
