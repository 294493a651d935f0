/** Which sales raise an amount with the least gain: again and again the stretch of lots with the least gain for its proceeds. */
import {
  addAll,
  divide,
  type Fraction,
  isLess,
  isPositive,
  multiply,
  smaller,
  subtract,
} from '../../checks/gains/fraction.ts';
import type { Account, Asset } from './plan-assets.ts';
import { type Leg, netPrice, raise, type SellStep } from './plans.ts';
import { lotsOf, type Method } from './sale-gains.ts';

interface Lot {
  readonly shares: Fraction;
  readonly gain: Fraction;
  readonly proceeds: Fraction;
}

interface Stretch {
  readonly lots: number;
  readonly asset: Asset;
  /** Of gain and proceeds. */
  readonly ratio: Fraction;
}

export function raiseWithLeastGain(
  { account, at, method }: { readonly account: Account; readonly at: number; readonly method: Method },
  assets: readonly Asset[],
  amount: Fraction,
): Leg[] {
  const lots = new Map(assets.map((asset) => [asset.ticker, readLots(account, at, method, asset)]));
  const taken = new Map<string, number>();
  const steps: SellStep[] = [];
  for (;;) {
    const next = assets
      .flatMap((asset) => listStretches(asset, lots.get(asset.ticker) ?? [], taken.get(asset.ticker) ?? 0))
      .reduce<Stretch | undefined>((best, one) => (best && !isLess(one.ratio, best.ratio) ? best : one), undefined);
    if (!next) return raise(steps, amount);
    const { ticker } = next.asset;
    taken.set(ticker, next.lots);
    const upTo = addAll((lots.get(ticker) ?? []).slice(0, next.lots).map(({ shares }) => shares));
    steps.push({ asset: next.asset, upTo: smaller(upTo, next.asset.sellable) });
  }
}

function readLots(account: Account, at: number, method: Method, asset: Asset): Lot[] {
  return lotsOf(account, at, method, asset).map(({ units, cost }) => {
    const proceeds = multiply(units, netPrice(asset, 'SELL'));
    return { shares: units, proceeds, gain: subtract(proceeds, cost) };
  });
}

/** From the first lot that is left to each of the later ones: a lot can be reached only after those before it. */
const listStretches = (asset: Asset, lots: readonly Lot[], from: number): Stretch[] =>
  lots.slice(from).flatMap((_, index): Stretch[] => {
    const part = lots.slice(from, from + index + 1);
    const proceeds = addAll(part.map((lot) => lot.proceeds));
    return isPositive(proceeds)
      ? [{ asset, lots: from + index + 1, ratio: divide(addAll(part.map(({ gain }) => gain)), proceeds) }]
      : [];
  });
