/** Reads the result of analyze_portfolio or list_positions as holdings. */

import { type Envelope, type Fields, hasList, readFrame, toDecimal, toFields, toRows, toText } from './read-answer.ts';

/** One row: an instrument or a group. Amounts are exact decimals in the account's currency. */
export interface HoldingModel {
  readonly label: string;
  /** The full ticker, when the row is one instrument and its label is the name. */
  readonly ticker: string | undefined;
  /** Whether the label is a ticker, because the result has no name for it. */
  readonly isTicker: boolean;
  readonly value: string | undefined;
  readonly weightPercent: string | undefined;
  readonly cost: string | undefined;
  readonly profitLoss: string | undefined;
  readonly profitLossPercent: string | undefined;
  readonly fxImpact: string | undefined;
  readonly positions: string | undefined;
}

export interface PortfolioModel {
  readonly frame: Envelope;
  /** The account's currency; undefined when the result does not contain it. */
  readonly currency: string | undefined;
  readonly totalValue: string | undefined;
  /** The value of the positions, without cash. */
  readonly holdingsValue: string | undefined;
  /** What the positions cost. */
  readonly cost: string | undefined;
  /** Whether the rows are countries, by their codes. */
  readonly isByCountry: boolean;
  readonly cash: string | undefined;
  readonly profitLoss: string | undefined;
  readonly effectiveNumber: string | undefined;
  readonly largest: string | undefined;
  readonly largestWeightPercent: string | undefined;
  readonly holdings: readonly HoldingModel[];
}

export function readPortfolio(answer: Fields): PortfolioModel | undefined {
  if (!hasList(answer)) return undefined;
  const rows = toRows(answer);
  const concentration = toFields(answer.concentration);
  return {
    frame: readFrame(answer),
    // In list_positions, `currency` of a row is the instrument's; only walletImpact has the account's.
    currency:
      toText(answer.currency) ?? toText(answer.accountCurrency) ?? toText(toFields(rows[0]?.walletImpact).currency),
    totalValue: toDecimal(answer.totalValue),
    holdingsValue: toDecimal(answer.holdingsValue) ?? toDecimal(answer.currentValue),
    cost: toDecimal(answer.cost),
    isByCountry: areCountries(rows.map(({ group }) => toText(group) ?? '')),
    cash: toDecimal(answer.cash),
    profitLoss: toDecimal(answer.profitLoss) ?? toDecimal(answer.unrealizedProfitLoss),
    effectiveNumber: toDecimal(concentration.effectiveNumber),
    largest: toText(concentration.largest),
    largestWeightPercent: toDecimal(concentration.largestWeightPercent),
    holdings: rows.map(readHolding),
  };
}

/** Groups of other kinds have longer names. */
const areCountries = (groups: readonly string[]): boolean =>
  groups.some((group) => /^[A-Z]{2}$/.test(group)) &&
  groups.every((group) => /^(?:[A-Z]{2}|unknown|other \(\d+\))$/.test(group));

function readHolding(row: Fields): HoldingModel {
  const instrument = toFields(row.instrument);
  const impact = toFields(row.walletImpact);
  const first = (...values: unknown[]) => values.map(toDecimal).find((value) => value !== undefined);
  const key = toText(row.group) ?? toText(row.ticker) ?? toText(instrument.ticker);
  const name = toText(row.name) ?? toText(instrument.name);
  return {
    label: name ?? key ?? 'unnamed',
    ticker: name === undefined || name === key ? undefined : key,
    isTicker: name === undefined && (row.ticker !== undefined || /_EQ$/.test(key ?? '')),
    value: first(row.value, row.currentValue, impact.currentValue),
    weightPercent: first(row.weightPercent),
    cost: first(row.cost, row.totalCost, impact.totalCost),
    profitLoss: first(row.profitLoss, row.unrealizedProfitLoss, impact.unrealizedProfitLoss),
    profitLossPercent: first(row.profitLossPercent),
    fxImpact: first(row.fxImpact, impact.fxImpact),
    positions: toText(row.positions),
  };
}
