/**
 * The time-weighted return: what one unit that stayed all the time would have made, whatever was paid in
 * or out. It needs the account's value again and again, so only the values that this program has noted
 * itself allow it. A rate is no amount of money, so doubles are good enough.
 */
import { toIsoDate } from './periods.ts';

/** The value of the whole account at a moment (ms). */
export interface Valuation {
  readonly at: number;
  readonly value: number;
}

/** Positive came in; ms. */
export interface ExternalFlow {
  readonly at: number;
  readonly amount: number;
}

/** Between two values that lie further apart, the weight of a flow inside is a guess. */
const maxGapMs = 7 * 86_400_000;

/**
 * The return over the whole chain of values, not carried to a year (0.1 is 10 %), or why there is none.
 * A flow between two values counts for the part of the time that it was there (modified Dietz); flows
 * at or before the first value and after the last one belong to no link. Both lists oldest first.
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
    if (span > maxGapMs)
      return { reason: `There is no daily value between ${toIsoDate(before.at)} and ${toIsoDate(valuation.at)}.` };
    let moved = 0;
    let invested = before.value;
    for (let flow = flows[next]; flow && flow.at <= valuation.at; flow = flows[++next]) {
      moved += flow.amount;
      invested += (flow.amount * (valuation.at - flow.at)) / span;
    }
    // Nothing was there that could have grown, and nothing grew.
    const gain = valuation.value - before.value - moved;
    if (invested <= 0 && gain !== 0)
      return { reason: `The account was empty on ${toIsoDate(before.at)}, so no return can be measured.` };
    if (invested > 0) growth *= 1 + gain / invested;
    before = valuation;
  }
  return { rate: growth - 1 };
}
