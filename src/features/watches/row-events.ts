/** What the rows of the histories and the positions of the service mean for the watches. Pure. */

import Big from 'big.js';
import type { AccountSummary, Dividend, HistoricalOrder, Position, Transaction } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { positive, priceCurrencyOf, sideOf } from '../../core/mcp/order-arguments.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { isFeeType } from '../analytics/cash-flows.ts';
import { getFillMeaning } from '../analytics/executions.ts';
import { kinds, rowKeys } from '../history/kinds.ts';
import type { EventMoney, OrderFacts, WatchEvent } from './event.ts';
import { nameOrder } from './find-events.ts';
import type { HeldPrice, PriceReading } from './find-moves.ts';

/** A price is as exact as the service's own. */
const priceDecimals = 4;

/** One event for each order that ended. `open`: the ids of orders that waited when they were last read. */
export function toOrderEvents(
  rows: readonly HistoricalOrder[],
  open: ReadonlySet<string>,
  now: number,
): readonly WatchEvent[] {
  const byOrder = groupBy(rows.filter(isEnd), ({ order }) => order?.id ?? '');
  return [...byOrder].flatMap(([id, own]) => toOrderEvent(id, own, open.has(id) ? now : undefined));
}

/** Rows of splits and other corporate actions are of no order of a person. */
const isEnd = (row: HistoricalOrder): boolean =>
  row.order?.id !== undefined &&
  kinds.orders.isFinal(row) &&
  (row.fill?.type === undefined || getFillMeaning(row.fill.type) === 'trade');

function toOrderEvent(
  id: string,
  rows: readonly HistoricalOrder[],
  /** When it was no longer open (ms); undefined for an order that was not among the open ones. */
  endSeenAt: number | undefined,
): readonly WatchEvent[] {
  const order = rows.at(-1)?.order;
  const ticker = getTicker(order);
  if (!order || ticker === undefined) return [];
  const kind = endKinds[order.status ?? ''] ?? 'order_ended';
  const filledAt = rows.flatMap(({ fill }) => (fill?.filledAt === undefined ? [] : [Date.parse(fill.filledAt)]));
  // No field has the time at which an order ended without its last fill.
  const endedAt = endSeenAt ?? Date.parse(order.createdAt ?? '');
  const at = kind === 'order_filled' && filledAt.length > 0 ? Math.max(...filledAt) : endedAt;
  if (Number.isNaN(at)) return [];
  const facts: OrderFacts = {
    ticker,
    name: order.instrument?.name,
    side: sideOf(order) === 'SELL' ? 'SELL' : 'BUY',
    type: order.type,
    quantity: positive(order.quantity),
    filledQuantity: positive(order.filledQuantity),
    value: sumValues(rows) ?? toMoney(order.value, order.currency),
    price: kind === 'order_filled' ? averagePrice(rows) : toMoney(order.limitPrice, priceCurrencyOf(order)),
    reason: kind === 'order_filled' ? undefined : order.status,
  };
  return [{ key: nameOrder(id), kind, at, facts }];
}

const endKinds: Readonly<Record<string, 'order_filled' | 'order_rejected'>> = {
  FILLED: 'order_filled',
  REJECTED: 'order_rejected',
};

const toMoney = (amount: string | undefined, currency: string | undefined): EventMoney | undefined =>
  amount === undefined ? undefined : { amount, currency };

/** What the fills moved, in one currency; undefined where a fill has no value. */
function sumValues(rows: readonly HistoricalOrder[]): EventMoney | undefined {
  const impacts = rows.flatMap(({ fill }) => (fill ? [fill.walletImpact] : []));
  const values = impacts.flatMap((impact) => (impact?.netValue === undefined ? [] : [new Big(impact.netValue).abs()]));
  const currency = impacts[0]?.currency;
  if (values.length === 0 || values.length < impacts.length || impacts.some((impact) => impact?.currency !== currency))
    return undefined;
  return { amount: values.reduce((sum, value) => sum.plus(value)).toFixed(), currency };
}

/** The price per share over all fills, rounded; undefined where a fill has no price. */
function averagePrice(rows: readonly HistoricalOrder[]): EventMoney | undefined {
  const fills = rows.flatMap(({ fill }) => (fill ? [fill] : []));
  const parts = fills.flatMap(({ price, quantity }) =>
    price === undefined || quantity === undefined ? [] : [{ price: new Big(price), shares: new Big(quantity).abs() }],
  );
  const shares = parts.reduce((sum, part) => sum.plus(part.shares), new Big(0));
  if (parts.length < fills.length || !shares.gt(0)) return undefined;
  const cost = parts.reduce((sum, part) => sum.plus(part.price.times(part.shares)), new Big(0));
  const currency = rows.find(({ order }) => order)?.order?.instrument?.currency;
  return { amount: cost.div(shares).round(priceDecimals).toFixed(), currency };
}

/** One event for each payment with a date and an amount. `currency` is that of the account. */
export function toDividendEvents(rows: readonly Dividend[], currency: string | undefined): readonly WatchEvent[] {
  const keys = rowKeys(kinds.dividends, rows);
  return rows.flatMap((row, index): readonly WatchEvent[] => {
    const at = Date.parse(row.paidOn ?? '');
    if (row.amount === undefined || Number.isNaN(at)) return [];
    const facts = {
      ticker: getTicker(row),
      name: row.instrument?.name,
      amount: { amount: row.amount, currency: row.currency ?? currency },
    };
    return [{ key: `dividend:${keys[index]}`, kind: 'dividend_arrived', at, facts }];
  });
}

/** One event for each fee of the account; a refund is none. `currency` is that of the account. */
export function toFeeEvents(rows: readonly Transaction[], currency: string | undefined): readonly WatchEvent[] {
  const keys = rowKeys(kinds.transactions, rows);
  const isNegative = ({ amount }: Transaction) => amount?.startsWith('-') ?? false;
  const signed = new Set(rows.filter(isNegative).map(({ type }) => type));
  return rows.flatMap((row, index): readonly WatchEvent[] => {
    const at = Date.parse(row.dateTime ?? '');
    if (row.amount === undefined || Number.isNaN(at) || !isFeeType(row.type ?? '')) return [];
    // Some services write fees without a minus; where the type has one, the others are refunds.
    if (signed.has(row.type) && !isNegative(row)) return [];
    const amount = { amount: new Big(row.amount).abs().toFixed(), currency: row.currency ?? currency };
    return [{ key: `fee:${keys[index]}`, kind: 'fee_arrived', at, facts: { amount } }];
  });
}

/** The prices of what is held, and the value of the account, on a day of its time zone. */
export function toPriceReading(summary: AccountSummary, positions: readonly Position[], day: string): PriceReading {
  const { totalValue, investments } = summary;
  const { realizedProfitLoss: realised, unrealizedProfitLoss: unrealised } = investments ?? {};
  return {
    day,
    holdings: positions.flatMap(toHolding),
    portfolio:
      totalValue === undefined || realised === undefined || unrealised === undefined
        ? undefined
        : { value: totalValue, result: new Big(realised).plus(unrealised).toFixed() },
  };
}

function toHolding(position: Position): readonly HeldPrice[] {
  const { instrument, currentPrice, quantity, averagePricePaid } = position;
  const ticker = getTicker(position);
  const currency = instrument?.currency;
  if (ticker === undefined || currency === undefined || currentPrice === undefined || quantity === undefined) return [];
  return [{ ticker, name: instrument?.name, price: currentPrice, currency, quantity, averagePrice: averagePricePaid }];
}
