/** Reads the result of summarize_costs, grouped by name. */

import {
  type Envelope,
  type Fields,
  hasList,
  readFrame,
  toDecimal,
  toFields,
  toList,
  toRows,
  toText,
} from './read-answer.ts';

/** One kind of charge in one currency. */
export interface CostModel {
  readonly name: string;
  readonly amount: string | undefined;
  readonly count: string | undefined;
  readonly currency: string | undefined;
}

/** Amounts are in `currency`, the account's. */
export interface CostsModel {
  readonly frame: Envelope;
  readonly currency: string | undefined;
  readonly total: string | undefined;
  readonly count: string | undefined;
  readonly turnover: string | undefined;
  readonly percentOfTurnover: string | undefined;
  /** Why the percentage is missing, or what it excludes. */
  readonly percentReason: string | undefined;
  readonly trades: string | undefined;
  /** Sums in other currencies, which no total includes. */
  readonly others: readonly Pick<CostModel, 'amount' | 'currency'>[];
  readonly kinds: readonly CostModel[];
}

export function readCosts(answer: Fields): CostsModel | undefined {
  if (!hasList(answer)) return undefined;
  const currency = toText(answer.currency);
  return {
    frame: readFrame(answer),
    currency,
    total: toDecimal(answer.total),
    count: toText(answer.count),
    turnover: toDecimal(answer.turnover),
    percentOfTurnover: toDecimal(answer.percentOfTurnover),
    percentReason: toText(answer.percentOfTurnoverReason),
    trades: toText(answer.trades),
    others: toList(answer.otherCurrencies).map(toFields).map(toAmount),
    kinds: toRows(answer).map((row) => ({
      name: toText(row.name) ?? 'unknown',
      count: toText(row.count),
      ...toAmount(row),
      currency: toText(row.currency) ?? currency,
    })),
  };
}

const toAmount = (row: Fields) => ({ amount: toDecimal(row.amount), currency: toText(row.currency) });
