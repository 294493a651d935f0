/**
 * The time-weighted return: the result of one unit invested all the time, independent of deposits and withdrawals.
 * It needs the account's value at many times, so only values stored by this program make it possible. A rate is no
 * amount of money, so doubles are accurate enough.
 */
import { toIsoDate } from './periods.ts';

/** The value of the complete account at a moment (ms). */
export interface Valuation {
  readonly at: number;
  readonly value: number;
}

/** A deposit (positive) or withdrawal (negative) at a moment (ms). */
export interface ExternalFlow {
  readonly at: number;
  readonly amount: number;
}

/** Between values further apart than this, the weight of a flow would be a guess; without a flow there is no weight. */
const maxGapMs = 7 * 86_400_000;

/**
 * The return over all values, not annualized (0.1 is 10 %), or why there is none. Without a flow between two values
 * their quotient is exact, however far apart they are. A flow is weighted by the part of the time that it was invested
 * (modified Dietz); flows at or before the first value and after the last one are ignored. Both lists are oldest first.
 */
export function timeWeightedReturn(
  valuations: readonly Valuation[],
  flows: readonly ExternalFlow[],
): { readonly rate: number } | { readonly reason: string } {
  const [first] = valuations;
  if (!first || new Set(valuations.map(({ at }) => toIsoDate(at))).size < 2)
    return { reason: 'Daily values of at least two days are required.' };
  let growth = 1;
  let before = first;
  let next = flows.findIndex(({ at }) => at > first.at);
  if (next < 0) next = flows.length;
  for (const valuation of valuations.slice(1)) {
    const span = valuation.at - before.at;
    if (span <= 0) continue;
    if (span > maxGapMs && (flows[next]?.at ?? Number.POSITIVE_INFINITY) <= valuation.at)
      return {
        reason: `Money moved between ${toIsoDate(before.at)} and ${toIsoDate(valuation.at)}, where there is no daily value.`,
      };
    let moved = 0;
    let invested = before.value;
    for (let flow = flows[next]; flow && flow.at <= valuation.at; flow = flows[++next]) {
      moved += flow.amount;
      invested += (flow.amount * (valuation.at - flow.at)) / span;
    }
    // An empty account that stays empty has no return and needs none.
    const gain = valuation.value - before.value - moved;
    if (invested <= 0 && gain !== 0)
      return { reason: `The account was empty on ${toIsoDate(before.at)}, so no return can be measured.` };
    if (invested > 0) growth *= 1 + gain / invested;
    before = valuation;
  }
  return { rate: growth - 1 };
}
