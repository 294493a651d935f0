/** Why a ticker is not at its target after the plan, measured as the percentages of the plan are. */
import { Fraction, hundred, sum, zero } from './fraction.ts';
import type { WeightReason } from './plan-types.ts';
import type { DecidedPlan } from './planned-orders.ts';
import type { SizedOrder } from './size-order.ts';
import type { WantedChange } from './wanted-change.ts';

/** Percentage points. */
const tolerance = Fraction.parse('0.01');

/**
 * The reason with the largest part in the deviation; undefined where there is none, and for `raise`, which has another
 * aim. `after` is the value of the ticker then, and `base` what the percentages are of.
 */
export function explainDeviation(
  decided: DecidedPlan,
  { want, order }: { readonly want: WantedChange; readonly order: SizedOrder | undefined },
  { after, base }: { readonly after: Fraction; readonly base: Fraction },
): WeightReason | undefined {
  const { target, because } = want;
  if (decided.request.goal === 'raise' || !target) return because;
  if (!decided.base.gt(zero)) return undefined;
  const weight = target.div(decided.base);
  const deviation = after.minus(base.times(weight));
  if (!deviation.abs().gt(base.times(tolerance).div(hundred))) return undefined;
  // What the orders lose is in the target, and not in the base of the percentages.
  const { charges, limits } = sumLosses(decided.orders);
  const own = after.minus(target);
  const parts: [WeightReason, Fraction][] = [
    [because ?? order?.because ?? (own.abs().lt(stepValue(want)) ? 'rounding' : 'cash'), own],
    ['charges', charges.times(weight)],
    ['limit_price', limits.times(weight)],
  ];
  const isMore = deviation.gt(zero);
  const [largest] = parts.toSorted(([, a], [, b]) => (isMore ? b.compare(a) : a.compare(b)));
  return largest?.[0];
}

const stepValue = ({ asset }: WantedChange): Fraction =>
  Fraction.parse(`1e-${asset.asset.quantityDecimals}`).times(asset.price);

/** What the orders take from the value of the plan, in the account currency. Better limit prices add to it. */
function sumLosses(orders: readonly SizedOrder[]) {
  const lose = (perShare: (order: SizedOrder) => Fraction) =>
    sum(orders.map((order) => order.shares.times(perShare(order))));
  return {
    charges: lose(({ asset, side }) => asset.order[side].net.minus(asset.order[side].price).abs()),
    limits: lose(({ asset, side }) => {
      const loss = asset.order[side].price.minus(asset.price);
      return side === 'BUY' ? loss : zero.minus(loss);
    }),
  };
}
