/** Compares the positions with the summary. */
import type Big from 'big.js';
import type { AccountSummary } from '../../core/endpoints/index.ts';
import { type Check, reconciliationCheck } from './check.ts';
import type { Holding } from './portfolio-holdings.ts';
import { sumIfComplete, toBig } from './sums.ts';

const readApart = 'Positions and summary were read at different times, and prices changed in between.';

/** Checks each pair of figures; a pair with an unknown figure is left out. */
export function checkPortfolio(holdings: readonly Holding[], summary: AccountSummary): Check[] {
  const { investments, cash } = summary;
  const sum = (figure: (holding: Holding) => Big | undefined) => sumIfComplete(holdings.map(figure));
  const parts = [cash?.availableToTrade, cash?.inPies, cash?.reservedForOrders, investments?.currentValue];
  return [
    ...compare(
      'sum of the positions’ currentValue = currentValue of the summary',
      toBig(investments?.currentValue),
      sum(({ value }) => value),
      readApart,
    ),
    ...compare(
      'sum of the positions’ totalCost = totalCost of the summary',
      toBig(investments?.totalCost),
      sum(({ cost }) => cost),
      'Positions and summary were read at different times, or a trade was just booked.',
    ),
    ...compare(
      'sum of the positions’ unrealizedProfitLoss = unrealizedProfitLoss of the summary',
      toBig(investments?.unrealizedProfitLoss),
      sum(({ profitLoss }) => profitLoss),
      readApart,
    ),
    ...compare(
      'cash + investments = totalValue of the summary',
      toBig(summary.totalValue),
      sumIfComplete(parts.map(toBig)),
      'The service’s own figures do not add up; it may include something that it does not list.',
    ),
  ];
}

const compare = (name: string, expected: Big | undefined, actual: Big | undefined, note: string): Check[] =>
  expected && actual ? [reconciliationCheck(name, expected, actual, { note })] : [];
