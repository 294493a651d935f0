/** Shared by the two drawings of a portfolio: its figures and its table. */
import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
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
  sumDecimals,
  toNumber,
} from './format-values.ts';
import { type Column, type Figure, hero, signClass, table } from './section.ts';

/** The value of the account, or the profit of its holdings, whichever the picture is about. */
export function portfolioFigures(portfolio: PortfolioModel, look: FormatOptions, about: 'value' | 'profit'): Markup {
  const { currency, totalValue, holdingsValue, cost, cash, effectiveNumber, largestWeightPercent } = portfolio;
  const amount = (term: string, decimal: string | undefined) =>
    decimal !== undefined && ([term, formatMoney(decimal, currency, look)] as const);
  const profit = profitFigure(portfolio, look);
  const holdings = amount('Holdings', holdingsValue);
  const [total, money] = [amount('Total value', totalValue), amount('Cash', cash)];
  if (about === 'profit') return hero(profit, [holdings, amount('Cost', cost)], look.isPart ? [] : [total, money]);
  const spread: readonly (Figure | false)[] = [
    largestWeightPercent !== undefined && [
      'Largest position',
      nameLargest(portfolio),
      undefined,
      formatPercent(largestWeightPercent, look),
    ],
    effectiveNumber !== undefined && [
      'Spread',
      `as ${countOf(formatNumber(toNumber(effectiveNumber).toFixed(0), look), 'equal holding')}`,
    ],
  ];
  // A document has its profit in a part of its own.
  if (look.isPart || portfolio.holdings.length < 2) return hero(total || holdings, [total && holdings, money], spread);
  return hero(total || holdings, [total && holdings, money, profit], [amount('Cost', cost), ...spread]);
}

/** By its name, where a row has it. */
const nameLargest = ({ largest, holdings }: PortfolioModel): string =>
  holdings.find(({ ticker }) => ticker !== undefined && ticker === largest)?.label ?? formatTicker(largest ?? '');

/** The profit of what is held; the gain on all money that was paid in is another. */
export function profitFigure(portfolio: PortfolioModel, look: FormatOptions): Figure | false {
  const { profitLoss, currency } = portfolio;
  if (profitLoss === undefined) return false;
  const name = getSign(profitLoss) < 0 ? 'Loss' : 'Profit';
  const percent = toPercent(portfolio);
  return [
    `${name} on what you hold`,
    formatSignedMoney(profitLoss, currency, look),
    profitLoss,
    percent && formatSignedPercent(percent, look),
  ];
}

/** The profit as a part of the cost, in percent. */
const toPercent = ({ profitLoss, cost }: Pick<HoldingModel, 'profitLoss' | 'cost'>): string | undefined =>
  getSign(cost) <= 0 || profitLoss === undefined
    ? undefined
    : ((toNumber(profitLoss) / toNumber(cost)) * 100).toFixed(9);

/** Several holdings as one row; what is unknown of one is unknown. */
export function mergeHoldings(list: readonly HoldingModel[]): HoldingModel {
  const sum = (pick: (holding: HoldingModel) => string | undefined) => {
    const parts = list.map(pick);
    return parts.every((part) => part !== undefined) ? sumDecimals(parts) : undefined;
  };
  const sums = {
    value: sum((one) => one.value),
    weightPercent: sum((one) => one.weightPercent),
    cost: sum((one) => one.cost),
    profitLoss: sum((one) => one.profitLoss),
  };
  const unknown = { ticker: undefined, isTicker: false, fxImpact: undefined, positions: undefined };
  return { ...unknown, ...sums, label: countOf(list.length, 'other'), profitLossPercent: toPercent(sums) };
}

/** The portfolio with the names of countries instead of their codes, if its rows are countries. */
export const nameCountries = (portfolio: PortfolioModel, look: FormatOptions): PortfolioModel =>
  portfolio.isByCountry
    ? { ...portfolio, holdings: portfolio.holdings.map((one) => ({ ...one, label: formatCountry(one.label, look) })) }
    : portfolio;

export const registrationNote = 'A fund counts in the country where it is registered, not where it invests.';

/** Describes one holding in a sentence, for the line below a drawing and for screen readers. */
export function describeHolding(holding: HoldingModel, currency: string | undefined, look: FormatOptions): string {
  const { label, ticker, value, weightPercent, profitLoss, profitLossPercent } = holding;
  const parts = [
    `${label}${ticker === undefined ? '' : ` (${formatTicker(ticker)})`}`,
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
export function holdingsTable(
  { holdings, currency }: PortfolioModel,
  look: FormatOptions,
  about: 'value' | 'profit',
): Markup {
  const has = (pick: (holding: HoldingModel) => string | undefined) => holdings.some((one) => pick(one) !== undefined);
  const money = (label: string, pick: (holding: HoldingModel) => string | undefined): Column<HoldingModel> => ({
    label,
    text: (one) => formatMoney(pick(one), currency, look),
    key: pick,
    isNumber: true,
  });
  const change = (label: string, pick: (holding: HoldingModel) => string | undefined): Column<HoldingModel> => ({
    ...money(label, pick),
    text: (one) => formatSignedMoney(pick(one), currency, look),
    look: (one) => signClass(pick(one)),
  });
  const columns: readonly (Column<HoldingModel> | false)[] = [
    {
      label: 'Name',
      text: ({ label, isTicker }) => (isTicker ? formatTicker(label) : label),
      small: ({ ticker }) => ticker && formatTicker(ticker),
    },
    { ...money('Value', (one) => one.value), isResult: about === 'value' },
    has((one) => one.weightPercent) && {
      label: 'Weight',
      text: (one) => formatPercent(one.weightPercent, look),
      key: (one) => one.weightPercent,
      isNumber: true,
    },
    money('Cost', (one) => one.cost),
    {
      ...change('Profit or loss', (one) => one.profitLoss),
      isResult: about === 'profit',
      small: ({ profitLossPercent: percent }) => percent && formatSignedPercent(percent, look),
    },
    has((one) => one.fxImpact) && change('Currency effect', (one) => one.fxImpact),
    // A row that is one instrument has one position.
    holdings.some(
      ({ positions, ticker, isTicker }) => positions !== undefined && ticker === undefined && !isTicker,
    ) && {
      label: 'Positions',
      text: (one) => one.positions ?? '',
      key: (one) => one.positions,
      isNumber: true,
    },
  ];
  return table(
    'What you hold',
    columns.filter((column) => column !== false),
    holdings,
  );
}
