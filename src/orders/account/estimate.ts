/** Estimates what an order would cost or return, in the account currency, from prices that are already known. */
import Big from 'big.js';
import { getTicker } from '../../catalogue/get-ticker.ts';
import type { Position } from '../../catalogue/index.ts';
import { isPence } from '../../currency-units.ts';
import { foreignCurrency } from '../../untrusted-text.ts';
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
  const valueAt = (one: string) => rate && new Big(order.quantity).times(one).times(rate).round(2).toFixed(2);
  const atAssumed = price === undefined && assumedPrice !== undefined ? valueAt(assumedPrice) : undefined;
  return {
    value: price === undefined ? undefined : valueAt(price),
    currency: foreignCurrency(facts.summary.currency),
    price,
    priceFrom,
    lastKnownPrice: lastPrice,
    rate: rate?.round(8).toFixed(),
    rateFrom,
    ...(assumedPrice !== undefined && atAssumed !== undefined
      ? { assumed: { price: assumedPrice, value: atAssumed } }
      : {}),
  };
}

/**
 * Factor for what the estimate of a purchase leaves out: price moves until the fill, charges and a change of the
 * exchange rate. A limit bounds only the first, so purchases with a limit have it too.
 */
export const costMargin = new Big('1.02');

/**
 * The value that limits count, in the account currency: a purchase at its estimate plus the margin, a sale at its
 * estimate or at the last known price, whichever is more. Undefined when the value is unknown.
 */
export function worstCaseValue(order: OrderRequest, facts: OrderContext): Big | undefined {
  const { value, lastKnownPrice: last } = estimateOrder(order, facts);
  if (value === undefined) return undefined;
  if (order.side === 'BUY') return new Big(value).times(costMargin);
  const { rate } = rateToAccount(facts);
  const atLast = new Big(rate && last !== undefined ? rate.times(order.quantity).times(last).round(2) : value);
  return atLast.gt(value) ? atLast : new Big(value);
}

/**
 * The price that the estimate counts on: that of a limit order is its limit, the most that a purchase costs and the
 * least that a sale brings. Other prices on the wrong side of the market do not prevent a trade at the market price.
 */
function pickPrice(order: OrderRequest, last: string | undefined): [string | undefined, Estimate['priceFrom']] {
  const { limitPrice, stopPrice, side } = order;
  const named: [string, Estimate['priceFrom']] | undefined =
    limitPrice !== undefined
      ? [limitPrice, 'limitPrice']
      : stopPrice !== undefined
        ? [stopPrice, 'stopPrice']
        : undefined;
  const market: [string | undefined, Estimate['priceFrom']] = [last, last === undefined ? undefined : 'lastKnownPrice'];
  if (!named || last === undefined) return named ?? market;
  const isBounded = limitPrice !== undefined && (side === 'BUY' || stopPrice === undefined);
  return !isBounded && new Big(last).gt(named[0]) ? market : named;
}

/**
 * Account currency for one unit of the instrument's currency: exact for the account currency and its pence. The
 * interface has no exchange rates; the position of the ticker, another one in the same currency, or a recent fill
 * shows the rate in use, a little off because its value is rounded. Undefined when nothing shows it.
 */
export function rateToAccount(facts: Pick<OrderContext, 'summary' | 'instrument' | 'positions' | 'fills'>): {
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
  const [rate] = [...own, ...inCurrency].flatMap((position) => impliedRate(position) ?? []);
  if (rate) return { rate, rateFrom: 'a position in this currency' };
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
