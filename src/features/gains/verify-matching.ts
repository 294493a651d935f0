/** Checks that the lots explain the trades, and that the average method matches the broker's own results. */
import Big from 'big.js';
import { type Check, reconciliationCheck } from '../analytics/check.ts';
import { type FixedPointScale, fromUnits } from './fixed-point.ts';
import type { HoldingEvents } from './holding-events.ts';
import type { Matching } from './lot-matching.ts';

/** Whether nothing was left out and every sale found its shares, so that the data start where the holding does. */
export const isComplete = (holding: HoldingEvents, matching: Matching): boolean =>
  holding.unmatched.length === 0 &&
  holding.actions.every(({ effect }) => effect !== 'no_ratio' && effect !== 'exchanged') &&
  matching.missingRemoved === 0n &&
  matching.sales.every(({ missing }) => missing === 0n);

/** Results of the same sales: computed by average cost, and reported by the broker. */
export interface BrokerComparison {
  readonly sales: number;
  readonly ours: bigint;
  readonly theirs: bigint;
}

export function compareWithBroker(byAverage: Matching): BrokerComparison {
  let ours = 0n;
  let theirs = 0n;
  let sales = 0;
  for (const { amount, result, pieces } of byAverage.sales) {
    // Without the broker's result this sale cannot be compared.
    if (result === undefined) continue;
    sales++;
    theirs += result;
    ours += amount;
    for (const { cost } of pieces) ours -= cost;
  }
  return { sales, ours, theirs };
}

/** A broker that rounds to pennies can differ by up to one penny per sale. */
export function checkResults(compared: readonly BrokerComparison[], scale: FixedPointScale): Check {
  const sum = (getFigure: (part: BrokerComparison) => bigint) =>
    compared.reduce((total, part) => total + getFigure(part), 0n);
  const sales = compared.reduce((total, part) => total + part.sales, 0);
  return reconciliationCheck(
    'gains of all time by average cost = the broker’s own results',
    fromUnits(
      sum(({ theirs }) => theirs),
      scale.money,
    ),
    fromUnits(
      sum(({ ours }) => ours),
      scale.money,
    ),
    {
      tolerance: new Big('0.01').times(Math.max(sales, 1)).toFixed(),
      note: 'The broker may treat corporate actions or charges differently, or rows of the history are missing.',
    },
  );
}
