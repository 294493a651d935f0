/** The weights of a draft that a plan computed, with the legs as they are now. Pure. */
import Big from 'big.js';
import type { DraftLeg, DraftVersion } from './draft.ts';

/** One ticker in percent of the planned tickers, with four decimals at most. */
export interface DraftWeight {
  readonly ticker: string;
  readonly before: string;
  readonly target: string | undefined;
  readonly after: string;
}

/**
 * The weights of the tickers for which the plan has a leg: a leg that a person made smaller moves less, one that was
 * removed moves nothing. Undefined for legs that no plan computed, and once some were sent, because the account has
 * moved since. `versions` are all versions, oldest first.
 */
export function listDraftWeights(versions: readonly DraftVersion[]): readonly DraftWeight[] | undefined {
  const at = versions.findLastIndex(({ channel }) => channel === 'tool');
  const planned = versions[at]?.legs ?? [];
  const edits = versions.slice(at + 1);
  const isComplete = planned.length > 0 && planned.every(({ weight }) => weight !== undefined);
  if (!isComplete || edits.some(({ channel }) => channel === 'submission')) return undefined;
  const legs = versions.at(-1)?.legs ?? [];
  return planned.flatMap((leg) => toWeightNow(leg, legs) ?? []);
}

/** A plan has at most one leg for a ticker. */
function toWeightNow({ ticker, quantity, weight }: DraftLeg, legs: readonly DraftLeg[]): DraftWeight | undefined {
  if (!weight) return undefined;
  const now = legs.find((leg) => leg.ticker === ticker)?.quantity ?? 0;
  const missing = new Big(1).minus(new Big(now).div(quantity));
  const after = new Big(weight.after).minus(missing.times(weight.change)).round(4).toFixed();
  return { ticker, before: weight.before, target: weight.target, after };
}
