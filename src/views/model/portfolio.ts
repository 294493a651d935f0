/** The answer of analyze_portfolio or list_positions, as holdings that can be drawn. */
import { type Envelope, readFrame } from './envelope.ts';
import { decimalOf, type Fields, fieldsOf, hasList, rowsOf, textOf } from './fields.ts';

/** One row: an instrument, or a group of them. Amounts are exact decimals in the account's currency. */
export interface Holding {
  readonly label: string;
  /** The full ticker, when the row is one instrument and has a name beside it. */
  readonly ticker: string | undefined;
  readonly value: string | undefined;
  readonly weightPercent: string | undefined;
  readonly cost: string | undefined;
  readonly profitLoss: string | undefined;
  readonly profitLossPercent: string | undefined;
  readonly fxImpact: string | undefined;
  readonly positions: string | undefined;
}

export interface Portfolio {
  readonly frame: Envelope;
  /** The account's currency; undefined when the answer does not say it. */
  readonly currency: string | undefined;
  readonly totalValue: string | undefined;
  readonly investedValue: string | undefined;
  readonly cash: string | undefined;
  readonly profitLoss: string | undefined;
  readonly effectiveNumber: string | undefined;
  readonly largest: string | undefined;
  readonly largestWeightPercent: string | undefined;
  readonly holdings: readonly Holding[];
}

export function readPortfolio(answer: Fields): Portfolio | undefined {
  if (!hasList(answer)) return undefined;
  const rows = rowsOf(answer);
  const concentration = fieldsOf(answer.concentration);
  return {
    frame: readFrame(answer),
    // On list_positions the currency of a row is its instrument's; the account's is in walletImpact alone.
    currency: textOf(answer.currency) ?? textOf(fieldsOf(rows[0]?.walletImpact).currency),
    totalValue: decimalOf(answer.totalValue),
    investedValue: decimalOf(answer.investedValue) ?? decimalOf(answer.currentValue),
    cash: decimalOf(answer.cash),
    profitLoss: decimalOf(answer.profitLoss) ?? decimalOf(answer.unrealizedProfitLoss),
    effectiveNumber: decimalOf(concentration.effectiveNumber),
    largest: textOf(concentration.largest),
    largestWeightPercent: decimalOf(concentration.largestWeightPercent),
    holdings: rows.map(readHolding),
  };
}

function readHolding(row: Fields): Holding {
  const instrument = fieldsOf(row.instrument);
  const impact = fieldsOf(row.walletImpact);
  const first = (...values: unknown[]) => values.map(decimalOf).find((value) => value !== undefined);
  const key = textOf(row.group) ?? textOf(row.ticker) ?? textOf(instrument.ticker);
  const name = textOf(row.name) ?? textOf(instrument.name);
  return {
    label: name ?? key ?? 'unnamed',
    ticker: name === undefined ? undefined : key,
    value: first(row.value, row.currentValue, impact.currentValue),
    weightPercent: first(row.weightPercent),
    cost: first(row.cost, row.totalCost, impact.totalCost),
    profitLoss: first(row.profitLoss, row.unrealizedProfitLoss, impact.unrealizedProfitLoss),
    profitLossPercent: first(row.profitLossPercent),
    fxImpact: first(row.fxImpact, impact.fxImpact),
    positions: textOf(row.positions),
  };
}
