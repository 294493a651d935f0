/** The rules that need the order, the limits and a price alone, so that a draft can be compared with them at once. Pure. */
import Big from 'big.js';
import { countOf } from '../../text/count-of.ts';
import type { OrderRequest } from '../intent/order-request.ts';
import type { Refusal } from '../intent/refusal.ts';
import type { RiskLimits } from '../intent/risk-limits.ts';

/** The first limit that an order breaks whatever the account is; `last` is the last known price, if one is known. */
export const refuseByLimits = (
  order: OrderRequest,
  last: string | undefined,
  limits: RiskLimits,
): Refusal | undefined =>
  refuseTicker(order, limits) ?? refuseQuantity(order, limits) ?? refusePriceDistance(order, last, limits);

export const refuseTicker = ({ ticker }: OrderRequest, { tickers }: RiskLimits): Refusal | undefined =>
  tickers && !tickers.includes(ticker)
    ? { rule: 'tickers', reason: `The owner does not allow orders for ${ticker}.` }
    : undefined;

export const refuseQuantity = ({ quantity }: OrderRequest, { maxOrderQuantity }: RiskLimits): Refusal | undefined =>
  new Big(quantity).gt(maxOrderQuantity)
    ? { rule: 'max_order_quantity', reason: `An order may have at most ${countOf(maxOrderQuantity, 'share')}.` }
    : undefined;

export function refusePriceDistance(
  order: OrderRequest,
  last: string | undefined,
  { maxPriceDistance: most }: RiskLimits,
): Refusal | undefined {
  for (const { name, percent, hundredfold, last: known } of priceDeviations(order, last)) {
    if (percent.abs().lte(most)) continue;
    const nearestPrice = findNearestPrice(known, percent.gt(0) ? most : `-${most}`);
    const question = hundredfold ? ' Pence or pounds?' : '';
    return {
      rule: 'price_distance',
      reason: `${name} is ${percent.toFixed(1)} % from the last known price ${known}; at most ${most} % is allowed, so the nearest price that passes is ${nearestPrice}.${question}`,
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
