/**
 * The order of sales by rising gain for the proceeds. It realises the least gain where quantities are fine; one step of
 * a quantity that brings more than the rest of the amount can realise more than another choice. A sale takes the lots
 * of an asset in a fixed order, so a cheap lot can only be reached after the ones before it. The lots before it are
 * therefore joined with it when their joint gain is smaller in relation to the proceeds (the lower convex hull of gain
 * over proceeds).
 */
import { Fraction, zero } from './fraction.ts';
import type { SellStep } from './raise.ts';
import type { ValuedAsset } from './valued-asset.ts';

/** Lots of one asset that are sold together. */
interface Stretch {
  readonly asset: ValuedAsset;
  readonly upTo: Fraction;
  readonly proceeds: Fraction;
  readonly gain: Fraction;
}

/** The steps by rising gain per proceeds, ties by ticker. Assets without lots are left out. */
export const sellLeastGain = (assets: readonly ValuedAsset[]): SellStep[] =>
  assets
    .flatMap(listStretches)
    .sort((a, b) => compareGain(a, b) || (a.asset.ticker < b.asset.ticker ? -1 : 1))
    .map(({ asset, upTo }) => ({ asset, upTo }));

function listStretches(asset: ValuedAsset): Stretch[] {
  const joined: Stretch[] = [];
  let sold = zero;
  for (const lot of asset.asset.lots ?? []) {
    const quantity = Fraction.parse(lot.quantity);
    const shares = quantity.min(asset.sellable.minus(sold));
    if (!shares.gt(zero)) break;
    sold = sold.plus(shares);
    const proceeds = shares.times(asset.order.SELL.net);
    const gain = proceeds.minus(Fraction.parse(lot.cost).times(shares).div(quantity));
    let next: Stretch = { asset, upTo: sold, proceeds, gain };
    for (let last = joined.at(-1); last && compareGain(next, last) <= 0; last = joined.at(-1)) {
      next = { asset, upTo: next.upTo, proceeds: last.proceeds.plus(next.proceeds), gain: last.gain.plus(next.gain) };
      joined.pop();
    }
    joined.push(next);
  }
  return joined;
}

const compareGain = (a: Stretch, b: Stretch): number => a.gain.times(b.proceeds).compare(b.gain.times(a.proceeds));
