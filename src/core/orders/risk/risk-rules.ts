/**
 * The rules that an order must satisfy. Pure. They are checked when the order is drafted and again in the commit,
 * each time with the current contents of the journal.
 */

import Big from 'big.js';
import { dayMs } from '../../clock.ts';
import type { Environment } from '../../settings/config.ts';
import { countOf, toWords } from '../../text/count-of.ts';
import { defaultLocale, writeMoney, writePercent } from '../../text/format-money.ts';
import { type OrderContext, saySellable } from '../account/account-snapshot.ts';
import { estimateOrder, worstCaseValue } from '../account/estimate.ts';
import { cashLeft, countPending, countsInLimits, holdingWithOwn, sharesLeft, totalValue } from '../account/exposure.ts';
import type { ExternalOrder } from '../account/external-record.ts';
import { getPlacedAt, type Intent } from '../intent/intent.ts';
import type { ReservedLeg } from '../intent/journal-port.ts';
import type { OrderRequest } from '../intent/order-request.ts';
import type { Refusal, RiskRule } from '../intent/refusal.ts';
import type { RiskLimits } from '../intent/risk-limits.ts';

export interface RiskQuestion {
  readonly order: OrderRequest;
  readonly environment: Environment;
  readonly limits: RiskLimits;
  readonly facts: OrderContext;
  /** Own intents of the last day on this account, without the one in question. */
  readonly own: readonly Intent[];
  /** Legs of drafts that wait for their turn: they count in the limits per hour and day. */
  readonly reserved: readonly ReservedLeg[];
  /** Orders of other programs in the last day: they count in the limits like own ones. */
  readonly external: readonly ExternalOrder[];
  /** Cash in the account currency that sells of the same draft are expected to bring before this order. */
  readonly expectedCash?: Big | undefined;
  /** The order waits for its turn, so the limit per minute delays it and does not refuse it. */
  readonly isPaced?: boolean;
  readonly now: number;
  /** Whether a human sees the order on a page or in a terminal, which show that a value is unknown. */
  readonly isReviewedByHuman: boolean;
}

type Rule = (question: RiskQuestion) => Refusal | undefined;

/** Returns the refusal of the first rule that the order breaks; undefined when it breaks none. */
export function firstRefusal(question: RiskQuestion): Refusal | undefined {
  for (const rule of rules) {
    const refusal = rule(question);
    if (refusal) return refusal;
  }
  return undefined;
}

const refuse = (rule: RiskRule, reason: string): Refusal => ({ rule, reason });

const tickerAllowed: Rule = ({ order, limits }) => refuseTicker(order, limits);

const instrumentType: Rule = ({ facts, limits }) => {
  const { type } = facts.instrument;
  if (limits.instrumentTypes.some((allowed) => allowed === type)) return undefined;
  return refuse(
    'instrument_type',
    `The type of the instrument is ${type ?? 'unknown'}; the owner allows ${limits.instrumentTypes.join(', ') || 'none'}.`,
  );
};

const quantity: Rule = ({ order, limits }) => refuseQuantity(order, limits);

const openQuantity: Rule = (question) => {
  const { order, environment, facts } = question;
  const most = facts.instrument.maxOpenQuantity;
  if (environment !== 'live' || order.side === 'SELL' || most === undefined) return undefined;
  const after = holdingWithOwn(order.ticker, question).plus(order.quantity);
  return after.gt(most)
    ? refuse(
        'max_open_quantity',
        `At most ${countOf(most, 'share')} of ${order.ticker} may be held; this order would bring the position to ${after.toFixed()}.`,
      )
    : undefined;
};

const knownValue: Rule = ({ order, environment, facts, isReviewedByHuman }) => {
  const { value, price } = estimateOrder(order, facts);
  if (environment !== 'live' || value !== undefined) return undefined;
  // Only a market order has no price of its own.
  if (price === undefined)
    return refuse(
      'no_price',
      'No price is known for this instrument, so the cost of a market order cannot be limited. Use a limit order.',
    );
  if (order.type === 'MARKET' || !isReviewedByHuman)
    return refuse('value_unknown', 'The value in the account’s currency is unknown: no exchange rate is known.');
  return undefined;
};

const inCurrency = (amount: string, { summary }: OrderContext) => writeMoney(amount, summary.currency, defaultLocale);

const orderValue: Rule = ({ order, facts, limits }) => {
  const value = worstCaseValue(order, facts);
  return value?.gt(limits.maxOrderValue)
    ? refuse(
        'max_order_value',
        `At most ${inCurrency(limits.maxOrderValue, facts)} per order is allowed; this order may ${order.side === 'BUY' ? 'cost' : 'bring'} ${inCurrency(value.toFixed(2), facts)}.`,
      )
    : undefined;
};

const dayValue: Rule = ({ order, facts, limits, own, reserved, external, now }) => {
  const day = own.filter((intent) => countsInLimits(intent, now) && getPlacedAt(intent, now) > now - dayMs);
  const { known, unknown } = totalValue([...day, ...reserved, ...external]);
  // An order of unknown value counts as the largest value allowed.
  const spent = known.plus(new Big(limits.maxOrderValue).times(unknown));
  const after = spent.plus(worstCaseValue(order, facts) ?? limits.maxOrderValue);
  return after.gt(limits.maxDayValue)
    ? refuse(
        'max_day_value',
        `At most ${inCurrency(limits.maxDayValue, facts)} in 24 hours is allowed; ${inCurrency(spent.toFixed(2), facts)} is already used.`,
      )
    : undefined;
};

/** When the own orders were placed (ms) that count in the limits on the number of orders. */
export const listOrderTimes = (own: readonly Intent[], now: number): readonly number[] =>
  own
    .filter((intent) => intent.sentAt !== undefined || intent.approval !== undefined || countsInLimits(intent, now))
    .map((intent) => getPlacedAt(intent, now));

const orderRate: Rule = ({ limits, own, reserved, external, isPaced, now }) => {
  // Sent orders count even when rejected, and so do orders that waited for a human in vain, because a model may
  // repeat them in a loop.
  const times = [...listOrderTimes(own, now), ...external.map(({ at }) => at)];
  const waiting = reserved.length;
  const windows = [
    ['orders_per_minute', 60_000, isPaced ? Number.POSITIVE_INFINITY : limits.ordersPerMinute, 0, 'minute'],
    ['orders_per_hour', 3_600_000, limits.ordersPerHour, waiting, 'hour'],
    ['orders_per_day', dayMs, limits.ordersPerDay, waiting, 'day'],
  ] as const;
  for (const [rule, ms, most, later, name] of windows) {
    if (times.filter((at) => at > now - ms).length + later >= most)
      return refuse(rule, `The limit of ${countOf(most, 'order')} per ${name} has been reached.`);
  }
  return undefined;
};

const pending: Rule = (question) => {
  const { order, limits } = question;
  return countPending(order.ticker, question) >= limits.maxPendingPerTicker
    ? refuse(
        'pending_orders',
        `At most ${countOf(limits.maxPendingPerTicker, 'order')} may be pending on ${order.ticker}.`,
      )
    : undefined;
};

const priceDistance: Rule = ({ order, facts, limits }) =>
  refusePriceDistance(order, estimateOrder(order, facts).lastKnownPrice, limits);

const cash: Rule = (question) => {
  const { order, facts, limits } = question;
  const cost = worstCaseValue(order, facts);
  if (order.side !== 'BUY' || cost === undefined) return undefined;
  const present = cashLeft(question, limits.maxOrderValue);
  if (present === undefined) return refuse('cash', 'The service did not report the available cash.');
  const left = present.plus(question.expectedCash ?? 0);
  return cost.gt(left)
    ? refuse(
        'cash',
        `The order may cost ${inCurrency(cost.toFixed(2), facts)} including a margin of 2.0%; only ${inCurrency(left.toFixed(2), facts)} is available.`,
      )
    : undefined;
};

const shares: Rule = (question) => {
  const { order } = question;
  if (order.side !== 'SELL') return undefined;
  const free = sharesLeft(order.ticker, question);
  if (free.gte(order.quantity)) return undefined;
  return refuse('shares', saySellable(order.ticker, free, question.facts));
};

const rules: readonly Rule[] = [
  tickerAllowed,
  instrumentType,
  quantity,
  openQuantity,
  priceDistance,
  knownValue,
  orderValue,
  dayValue,
  orderRate,
  pending,
  cash,
  shares,
];

// The rules that need the order, the limits and a price alone, so that a draft can be compared with them at once. Pure.

/** The first limit that an order breaks whatever the account is; `last` is the last known price, if one is known. */
export const refuseByLimits = (
  order: OrderRequest,
  last: string | undefined,
  limits: RiskLimits,
): Refusal | undefined =>
  refuseTicker(order, limits) ?? refuseQuantity(order, limits) ?? refusePriceDistance(order, last, limits);

const refuseTicker = ({ ticker }: OrderRequest, { tickers }: RiskLimits): Refusal | undefined =>
  tickers && !tickers.includes(ticker)
    ? { rule: 'tickers', reason: `The owner does not allow orders for ${ticker}.` }
    : undefined;

const refuseQuantity = ({ quantity }: OrderRequest, { maxOrderQuantity }: RiskLimits): Refusal | undefined =>
  new Big(quantity).gt(maxOrderQuantity)
    ? { rule: 'max_order_quantity', reason: `An order may have at most ${countOf(maxOrderQuantity, 'share')}.` }
    : undefined;

export function refusePriceDistance(
  order: OrderRequest,
  last: string | undefined,
  { maxPriceDistance: most }: RiskLimits,
): Refusal | undefined {
  for (const distance of priceDeviations(order, last)) {
    const { name, percent, hundredfold, last: known } = distance;
    if (percent.abs().lte(most)) continue;
    const nearestPrice = findNearestPrice(known, percent.gt(0) ? most : `-${most}`);
    const question = hundredfold ? ' Pence or pounds?' : '';
    return {
      rule: 'price_distance',
      reason: `The ${toWords(name)} is ${describeDistance(distance)}; at most ${most}% is allowed, so the nearest price that passes is ${nearestPrice}.${question}`,
      nearestPrice,
    };
  }
  return undefined;
}

/** The price at this distance in percent, rounded towards the last one, with its decimals and at least two. */
function findNearestPrice(last: string, percent: string): string {
  const bound = new Big(last).times(new Big(percent).plus(100)).div(100);
  const decimals = Math.max(2, last.split('.')[1]?.length ?? 0);
  return bound.round(decimals, bound.gt(last) ? Big.roundDown : Big.roundUp).toFixed(decimals);
}

interface PriceDistance {
  readonly name: 'limitPrice' | 'stopPrice';
  readonly last: string;
  readonly percent: Big;
  /** The price is off by a factor of about 100, as between pence and pounds. */
  readonly hundredfold: boolean;
}

/** `4.8% below the last known price 70`. */
export const describeDistance = ({ percent, last }: PriceDistance): string =>
  percent.eq(0)
    ? `the last known price ${last}`
    : `${writePercent(percent.abs().toFixed(), defaultLocale)} ${percent.lt(0) ? 'below' : 'above'} the last known price ${last}`;

/** How far the prices of an order are from the last known one; empty when none is known. */
export function priceDeviations(order: OrderRequest, last: string | undefined): PriceDistance[] {
  if (last === undefined || new Big(last).eq(0)) return [];
  return (['limitPrice', 'stopPrice'] as const).flatMap((name): PriceDistance[] => {
    const price = order[name];
    if (price === undefined) return [];
    const ratio = new Big(price).div(last);
    const hundredfold = (ratio.gt(50) && ratio.lt(200)) || (ratio.gt('0.005') && ratio.lt('0.02'));
    return [{ name, last, percent: ratio.minus(1).times(100), hundredfold }];
  });
}
