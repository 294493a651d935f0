/** Estimates what an order would cost or return, in the account currency, from prices that are already known. */
import Big from 'big.js';
import type { Position } from '../../endpoints/index.ts';
import { getTicker } from '../../endpoints/instruments.ts';
import { isPence } from '../../text/currency-units.ts';
import { foreignCurrency } from '../../text/sanitize-text.ts';
import type { OrderRequest } from '../intent/order-request.ts';
import { lastKnownPrice, type OrderContext } from './account-snapshot.ts';

export interface Estimate {
  /** In the account currency; undefined when no price or exchange rate is known. */
  readonly value: string | undefined;
  readonly currency: string | undefined;
  /** Per share, in the instrument currency. */
  readonly price: string | undefined;
  readonly priceFrom: 'limitPrice' | 'stopPrice' | 'lastKnownPrice' | undefined;
  /** The last price in a position or a recent fill, in the instrument currency. */
  readonly lastKnownPrice: string | undefined;
  /** Account currency for one unit of the instrument currency. */
  readonly rate: string | undefined;
  readonly rateFrom: 'same currency' | 'pence' | 'a position in this currency' | 'a recent fill' | undefined;
  /** Only to show: no rule and no sum reads it. Undefined when `value` is known. */
  readonly assumed?: AssumedValue | undefined;
}

/** The value in the account currency at a price that the caller assumed, which is in the instrument currency. */
export interface AssumedValue {
  readonly price: string;
  readonly value: string;
}

/** Estimates an order. A field is undefined when the data for it is unknown. */
export function estimateOrder(order: OrderRequest, facts: OrderContext, assumedPrice?: string): Estimate {
  const lastPrice = lastKnownPrice(order.ticker, facts);
  const [price, priceFrom] = pickPrice(order, lastPrice);
  const { rate, rateFrom } = rateToAccount(facts);
  const valueAt = (one: string) => rate && computeValue(order, one, rate).toFixed(2);
  const assume = (one: string) => {
    const value = valueAt(one);
    return value === undefined ? undefined : { assumed: { price: one, value } };
  };
  return {
    value: price === undefined ? undefined : valueAt(price),
    currency: foreignCurrency(facts.summary.currency),
    price,
    priceFrom,
    lastKnownPrice: lastPrice,
    rate: rate?.round(8).toFixed(),
    rateFrom,
    ...(price === undefined && assumedPrice !== undefined && assume(assumedPrice)),
  };
}

/** What an order is worth at a price, in the account currency, with two decimals. */
const computeValue = ({ quantity }: OrderRequest, price: string, rate: Big): Big =>
  rate.times(quantity).times(price).round(2);

/**
 * Factor for what the estimate of a purchase leaves out: price moves until the fill, charges and a change of the
 * exchange rate. A limit bounds only the first, so purchases with a limit have it too.
 */
export const costMargin = new Big('1.02');

/**
 * The value that limits count, in the account currency: a purchase at its estimate plus the margin, a sale at the
 * highest of its prices and the last known one. Undefined when the value is unknown.
 */
export function worstCaseValue(order: OrderRequest, facts: OrderContext): Big | undefined {
  const last = lastKnownPrice(order.ticker, facts);
  const [price] = pickPrice(order, last);
  const { rate } = rateToAccount(facts);
  if (price === undefined || rate === undefined) return undefined;
  if (order.side === 'BUY') return computeValue(order, price, rate).times(costMargin);
  const prices = [order.limitPrice, order.stopPrice, last].flatMap((one) => one ?? []);
  const highest = prices.reduce((most, one) => (new Big(one).gt(most) ? one : most));
  return computeValue(order, highest, rate);
}

/**
 * The price at which the order is expected to trade: a limit order at its limit, the most that a purchase costs and the
 * least that a sale brings. A stop that the last price has passed triggers immediately, so it trades at the last price.
 */
export function pickPrice(order: OrderRequest, last: string | undefined): [string | undefined, Estimate['priceFrom']] {
  const { limitPrice, stopPrice } = order;
  if (limitPrice !== undefined) return [limitPrice, 'limitPrice'];
  if (stopPrice !== undefined && !stopFiresAtOnce(order, last)) return [stopPrice, 'stopPrice'];
  return [last, last === undefined ? undefined : 'lastKnownPrice'];
}

/** Whether the last price has reached the stop of an order already. */
export function stopFiresAtOnce({ stopPrice, side }: OrderRequest, last: string | undefined): boolean {
  if (stopPrice === undefined || last === undefined) return false;
  return side === 'BUY' ? new Big(stopPrice).lte(last) : new Big(stopPrice).gte(last);
}

/** Whether a limit order trades at once, because the last price is better than its limit. */
export function crossesMarket({ type, limitPrice, side }: OrderRequest, last: string | undefined): boolean {
  if (type !== 'LIMIT' || limitPrice === undefined || last === undefined) return false;
  return side === 'BUY' ? new Big(limitPrice).gt(last) : new Big(limitPrice).lt(last);
}

/**
 * Account currency for one unit of the instrument's currency: exact for the account currency and its pence. The
 * interface has no exchange rates; the position of the ticker, another one in the same currency, or a recent fill
 * shows the rate in use, a little off because its value is rounded. Undefined when nothing shows it.
 */
export function rateToAccount(
  facts: Pick<OrderContext, 'summary' | 'positions' | 'fills'> & {
    readonly instrument: Partial<Pick<OrderContext['instrument'], 'ticker' | 'currencyCode'>>;
  },
): {
  rate: Big | undefined;
  rateFrom: Estimate['rateFrom'];
} {
  const account = facts.summary.currency;
  const currency = facts.instrument.currencyCode;
  if (account === undefined || currency === undefined) return { rate: undefined, rateFrom: undefined };
  if (currency === account) return { rate: new Big(1), rateFrom: 'same currency' };
  if (isPence(currency) && account === 'GBP') return { rate: new Big('0.01'), rateFrom: 'pence' };
  const inCurrency = facts.positions.filter((position) => position.instrument?.currency === currency);
  const own = inCurrency.filter((position) => getTicker(position) === facts.instrument.ticker);
  for (const position of [...own, ...inCurrency]) {
    const rate = impliedRate(position);
    if (rate) return { rate, rateFrom: 'a position in this currency' };
  }
  const traded = facts.fills.find((fill) => fill.currency === currency && fill.rate !== undefined);
  return traded ? { rate: traded.rate, rateFrom: 'a recent fill' } : { rate: undefined, rateFrom: undefined };
}

/** The rate that a position's value shows; undefined when it shows none. */
function impliedRate(position: Position): Big | undefined {
  const { quantity, currentPrice, walletImpact } = position;
  if (!quantity || !currentPrice || !walletImpact?.currentValue) return undefined;
  const inInstrumentCurrency = new Big(quantity).times(currentPrice);
  const rate = inInstrumentCurrency.eq(0) ? undefined : new Big(walletImpact.currentValue).div(inInstrumentCurrency);
  return rate?.gt(0) ? rate : undefined;
}
