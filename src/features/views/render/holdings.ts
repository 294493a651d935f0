/** Shared by the two drawings of a portfolio: its figures and its table. */
import type { Markup } from '../../../core/text/html-template.ts';
import type { HoldingModel, PortfolioModel } from '../model/read-portfolio.ts';
import {
  type FormatOptions,
  formatCountry,
  formatMoney,
  formatNumber,
  formatPercent,
  formatSignedMoney,
  formatSignedPercent,
  getSign,
} from './format-values.ts';
import { type Column, figures, signClass, table } from './section.ts';

export const portfolioFigures = (portfolio: PortfolioModel, look: FormatOptions, withShares: boolean): Markup => {
  const { currency, totalValue, holdingsValue, cost, cash, profitLoss, effectiveNumber, largestWeightPercent } =
    portfolio;
  const amount = (term: string, decimal: string | undefined) =>
    decimal !== undefined && ([term, formatMoney(decimal, currency, look)] as const);
  return figures([
    amount('Total value', totalValue),
    amount('Holdings', holdingsValue),
    amount('Cost', cost),
    withShares && amount('Cash', cash),
    profitLoss !== undefined && ['Profit or loss', formatSignedMoney(profitLoss, currency, look), profitLoss],
    withShares &&
      largestWeightPercent !== undefined && [
        'Largest position',
        `${formatPercent(largestWeightPercent, look)}${portfolio.largest === undefined ? '' : ` ${portfolio.largest}`}`,
      ],
    withShares && effectiveNumber !== undefined && ['Effective positions', formatNumber(effectiveNumber, look)],
  ]);
};

/** The portfolio with the names of countries instead of their codes, if its rows are countries. */
export const nameCountries = (portfolio: PortfolioModel, look: FormatOptions): PortfolioModel =>
  portfolio.isByCountry
    ? { ...portfolio, holdings: portfolio.holdings.map((one) => ({ ...one, label: formatCountry(one.label, look) })) }
    : portfolio;

export const registrationNote =
  'Country of registration (ISIN): a fund counts where it is registered, not where it invests.';

/** Describes one holding in a sentence, for the line below a drawing and for screen readers. */
export function describeHolding(holding: HoldingModel, currency: string | undefined, look: FormatOptions): string {
  const { label, ticker, value, weightPercent, profitLoss, profitLossPercent } = holding;
  const parts = [
    `${label}${ticker === undefined ? '' : ` (${ticker})`}`,
    `value ${formatMoney(value, currency, look)}`,
    weightPercent === undefined ? undefined : `weight ${formatPercent(weightPercent, look)}`,
    `${profitLossLabel(profitLoss ?? profitLossPercent)} ${formatSignedMoney(profitLoss, currency, look)}`,
    profitLossPercent === undefined ? undefined : formatSignedPercent(profitLossPercent, look),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

const profitLossLabel = (decimal: string | undefined): string =>
  decimal === undefined ? 'profit or loss' : (['loss', 'no profit or loss', 'profit'][getSign(decimal) + 1] as string);

/** An optional column is shown when any row has a value for it. */
export function holdingsTable({ holdings, currency }: PortfolioModel, look: FormatOptions): Markup {
  const has = (pick: (holding: HoldingModel) => string | undefined) => holdings.some((one) => pick(one) !== undefined);
  const amount = (label: string, pick: (holding: HoldingModel) => string | undefined): Column<HoldingModel> => ({
    label,
    text: (one) => formatNumber(pick(one), look),
    key: pick,
    isNumber: true,
  });
  const change = (label: string, pick: (holding: HoldingModel) => string | undefined, inPercent: boolean) => ({
    ...amount(label, pick),
    text: (one: HoldingModel) =>
      inPercent ? formatSignedPercent(pick(one), look) : formatSignedMoney(pick(one), undefined, look),
    look: (one: HoldingModel) => signClass(pick(one)),
  });
  const columns: readonly (Column<HoldingModel> | false)[] = [
    { label: 'Name', text: (one) => one.label, small: (one) => one.ticker },
    amount('Value', (one) => one.value),
    has((one) => one.weightPercent) && {
      ...amount('Weight', (one) => one.weightPercent),
      text: (one) => formatPercent(one.weightPercent, look),
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
