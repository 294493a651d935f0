/** An asset with its prices, charges and values as fractions in the account currency. */
import { Fraction, hundred, one, sum, zero } from './fraction.ts';
import type { PlanAsset, PlanRequest, PlanSide } from './plan-types.ts';

export interface ValuedAsset {
  readonly ticker: string;
  readonly asset: PlanAsset;
  readonly held: Fraction;
  readonly sellable: Fraction;
  /** Per share at the known price, in the account currency. */
  readonly price: Fraction;
  /** Of the shares held, at the known price. */
  readonly value: Fraction;
  readonly order: Readonly<Record<PlanSide, OrderTerms>>;
}

/** What one share costs or brings in an order. */
export interface OrderTerms {
  /** In the instrument's currency; undefined for a market order. */
  readonly limitPrice: Fraction | undefined;
  /** Per share before charges, in the account currency. */
  readonly price: Fraction;
  /** Per share with charges: what a buy is expected to take, or a sell to bring. */
  readonly net: Fraction;
  /** The same as the most that a buy takes, or the least that a sell brings. */
  readonly bound: Fraction;
}

/** A market order can cost or miss this part of its value, because the known price is not a quote. */
const marketMargin = Fraction.parse('0.02');

/** Values an asset; undefined when its price or its exchange rate is unknown. */
export function valueAsset(asset: PlanAsset, request: PlanRequest): ValuedAsset | undefined {
  if (asset.price === undefined || asset.rate === undefined) return undefined;
  const rate = Fraction.parse(asset.rate);
  const price = Fraction.parse(asset.price).times(rate);
  const held = Fraction.parse(asset.held).max(zero);
  return {
    ticker: asset.ticker,
    asset,
    held,
    sellable: Fraction.parse(asset.sellable).max(zero).min(held),
    price,
    value: held.times(price),
    order: {
      BUY: toTerms('BUY', asset, asset.price, rate, request),
      SELL: toTerms('SELL', asset, asset.price, rate, request),
    },
  };
}

function toTerms(
  side: PlanSide,
  { charges, priceDecimals }: PlanAsset,
  known: string,
  rate: Fraction,
  { orderType = 'MARKET', limitOffsetPercent = '0' }: PlanRequest,
): OrderTerms {
  const chargeRate = sum((charges[side] ?? []).map((charge) => Fraction.parse(charge.rate)));
  const direction = side === 'BUY' ? one : zero.minus(one);
  const limitPrice =
    orderType === 'MARKET'
      ? undefined
      : Fraction.parse(known)
          .times(one.plus(direction.times(Fraction.parse(limitOffsetPercent)).div(hundred)))
          .round(priceDecimals, side === 'BUY' ? 'down' : 'up');
  const price = (limitPrice ?? Fraction.parse(known)).times(rate);
  const net = price.times(one.plus(direction.times(chargeRate)));
  const margin = price.times(limitPrice ? zero : marketMargin);
  // The charges of a buy grow with its cost; those of a sell are subtracted in full.
  const bound = side === 'BUY' ? price.plus(margin).times(one.plus(chargeRate)) : net.minus(margin).max(zero);
  return { limitPrice, price, net, bound };
}

/** By falling value, then by ticker, so that the order of the arguments does not matter. */
export const largestFirst =
  <Item extends { readonly ticker: string }>(getValue: (item: Item) => Fraction) =>
  (a: Item, b: Item): number =>
    getValue(b).compare(getValue(a)) || (a.ticker < b.ticker ? -1 : 1);
