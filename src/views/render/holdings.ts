/** What the two drawings of a portfolio have in common: its figures, and its table. */
import type { Holding, Portfolio } from '../model/portfolio.ts';
import { type FormatOptions, money, number, percent, signedMoney, signedPercent, signOf } from './format-values.ts';
import type { Markup } from './html-template.ts';
import { figures, signClass } from './section.ts';
import { type Column, table } from './table.ts';

export const portfolioFigures = (portfolio: Portfolio, look: FormatOptions, withShares: boolean): Markup => {
  const { currency, totalValue, investedValue, cash, profitLoss, effectiveNumber, largestWeightPercent } = portfolio;
  const amount = (term: string, decimal: string | undefined) =>
    decimal !== undefined && ([term, money(decimal, currency, look)] as const);
  return figures([
    amount('Total value', totalValue),
    amount('Invested', investedValue),
    withShares && amount('Cash', cash),
    profitLoss !== undefined && ['Profit or loss', signedMoney(profitLoss, currency, look), profitLoss],
    withShares &&
      largestWeightPercent !== undefined && [
        'Largest position',
        `${percent(largestWeightPercent, look)}${portfolio.largest === undefined ? '' : ` ${portfolio.largest}`}`,
      ],
    withShares && effectiveNumber !== undefined && ['Effective positions', number(effectiveNumber, look)],
  ]);
};

/** One holding in a sentence, for the line below a drawing and for screen readers. */
export function describeHolding(holding: Holding, currency: string | undefined, look: FormatOptions): string {
  const { label, ticker, value, weightPercent, profitLoss, profitLossPercent } = holding;
  const parts = [
    `${label}${ticker === undefined ? '' : ` (${ticker})`}`,
    `value ${money(value, currency, look)}`,
    weightPercent === undefined ? undefined : `weight ${percent(weightPercent, look)}`,
    `${profitLossLabel(profitLoss ?? profitLossPercent)} ${signedMoney(profitLoss, currency, look)}`,
    profitLossPercent === undefined ? undefined : signedPercent(profitLossPercent, look),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

export const profitLossLabel = (decimal: string | undefined): string =>
  decimal === undefined ? 'profit or loss' : (['loss', 'no profit or loss', 'profit'][signOf(decimal) + 1] as string);

/** Optional columns are there when one row has them. */
export function holdingsTable({ holdings, currency }: Portfolio, look: FormatOptions): Markup {
  const has = (pick: (holding: Holding) => string | undefined) => holdings.some((one) => pick(one) !== undefined);
  const amount = (label: string, pick: (holding: Holding) => string | undefined): Column<Holding> => ({
    label,
    text: (one) => number(pick(one), look),
    key: pick,
    isNumber: true,
  });
  const change = (label: string, pick: (holding: Holding) => string | undefined, inPercent: boolean) => ({
    ...amount(label, pick),
    text: (one: Holding) => (inPercent ? signedPercent(pick(one), look) : signedMoney(pick(one), undefined, look)),
    look: (one: Holding) => signClass(pick(one)),
  });
  const columns: readonly (Column<Holding> | false)[] = [
    { label: 'Name', text: (one) => one.label, small: (one) => one.ticker },
    amount('Value', (one) => one.value),
    has((one) => one.weightPercent) && {
      ...amount('Weight', (one) => one.weightPercent),
      text: (one) => percent(one.weightPercent, look),
    },
    amount('Cost', (one) => one.cost),
    change('Profit or loss', (one) => one.profitLoss, false),
    has((one) => one.profitLossPercent) && change('In percent', (one) => one.profitLossPercent, true),
    has((one) => one.fxImpact) && change('FX effect', (one) => one.fxImpact, false),
    has((one) => one.positions) && amount('Positions', (one) => one.positions),
  ];
  return table(
    `Amounts in ${currency ?? 'the account’s currency'}`,
    columns.filter((column) => column !== false),
    holdings,
  );
}
