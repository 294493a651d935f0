/** Describes the assumptions about corporate actions: one sentence per instrument and action. */
import Big from 'big.js';
import { groupBy } from '../group-by.ts';
import type { CorporateAction } from './holding-events.ts';

export function describeAssumptions(actions: readonly CorporateAction[]): string[] {
  return [...groupBy(actions, ({ ticker, type, effect }) => `${ticker} ${type} ${effect}`).values()].map(
    describeActions,
  );
}

function describeActions(actions: readonly CorporateAction[]): string {
  const [{ ticker, type, effect }] = actions as [CorporateAction];
  const sum = (getFigure: (action: CorporateAction) => Big | undefined) =>
    actions.reduce((total, action) => total.plus(getFigure(action) ?? 0), new Big(0));
  const shares = `${sum(({ quantity }) => quantity).toFixed()} shares`;
  const money = sum(({ netValue }) => netValue);
  switch (effect) {
    case 'came_free':
      return `${ticker}: ${shares} from ${type} are treated as shares received at no cost; the true cost basis may differ.`;
    case 'left':
      return `${ticker}: ${shares} removed by ${type} are deducted with their cost and are not treated as a disposal${
        money.gt(0) ? `; the ${money.toFixed(2)} received for them is excluded from all figures` : ''
      }.`;
    case 'no_ratio':
      return `${ticker}: a ${type} of ${shares} is omitted, because no shares are known to have been held before it.`;
  }
}
