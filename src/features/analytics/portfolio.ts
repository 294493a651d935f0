/** Groups open positions with their values, weights and results, all in the account's currency. */

import type Big from 'big.js';
import type { AccountSummary, Position } from '../../core/endpoints/index.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { type Check, reconciliationCheck } from './check.ts';
import { findCountry } from './names.ts';
import { computePercent, computeSum, sumIfComplete, toBig, zero } from './sums.ts';

export type PortfolioBy = 'instrument' | 'currency' | 'country' | 'type';

/** A figure is undefined when the service did not report something that it needs. */
export interface PortfolioGroup {
  readonly group: string;
  /** The instrument's name; only when grouped by instrument. */
  readonly name: string | undefined;
  readonly value: Big | undefined;
  /** In percent of the value of all positions, without cash. */
  readonly weightPercent: Big | undefined;
  readonly cost: Big | undefined;
  readonly profitLoss: Big | undefined;
  /** In percent of the cost. */
  readonly profitLossPercent: Big | undefined;
  /** The part of the value that comes from exchange rate changes. */
  readonly fxImpact: Big | undefined;
  readonly positions: number;
}

export interface Portfolio {
  readonly currency: string | undefined;
  /** From the summary: cash for trading, in pies and reserved. */
  readonly cash: Big | undefined;
  readonly totalValue: Big | undefined;
  /** What the positions are worth now; `cost` is what was paid for them. */
  readonly holdingsValue: Big | undefined;
  readonly cost: Big | undefined;
  readonly profitLoss: Big | undefined;
  readonly fxImpact: Big | undefined;
  /** Over instruments, independent of the grouping. Undefined when a value is missing or nothing is held. */
  readonly concentration: Concentration | undefined;
  /** Largest value first; groups without a value last. */
  readonly groups: readonly PortfolioGroup[];
  /** The instruments with the largest gains and losses, largest first. */
  readonly ends: { readonly winners: readonly PortfolioGroup[]; readonly losers: readonly PortfolioGroup[] };
  /** Why figures are missing, one sentence per figure. */
  readonly unknown: readonly string[];
  readonly checks: readonly Check[];
}

export interface PortfolioOptions {
  readonly by: PortfolioBy;
  /** The number of groups to keep, largest first; the others are combined into `other (n)`. By default all. */
  readonly top?: number | undefined;
  /** Returns the type of an instrument from the instrument list. Called only when grouped by type. */
  readonly getType: (ticker: string) => string | undefined;
}

/**
 * Groups open positions (docs/interface.md, Fields and shapes). The country is the ISIN's, which is where the
 * security is registered. GBX and GBP are two trading currencies and stay two groups.
 */
export function analyzePortfolio(
  positions: readonly Position[],
  summary: AccountSummary,
  options: PortfolioOptions,
): Portfolio {
  const { holdings, unknown } = toHoldings(positions, summary.currency);
  const holdingsValue = sumIfComplete(holdings.map(({ value }) => value));
  const groups = [...groupBy(holdings, (holding) => getGroupKey(holding, options))]
    .map(([group, members]) => toGroup(group, members, holdingsValue, options.by === 'instrument'))
    .sort((a, b) => byValue(a, b) || (a.group < b.group ? -1 : 1));
  const { availableToTrade, inPies, reservedForOrders } = summary.cash ?? {};
  const cash = sumIfComplete([availableToTrade, inPies, reservedForOrders].map(toBig));
  return {
    currency: summary.currency,
    cash,
    totalValue: toBig(summary.totalValue),
    holdingsValue,
    cost: sumIfComplete(holdings.map(({ cost }) => cost)),
    profitLoss: sumIfComplete(holdings.map(({ profitLoss }) => profitLoss)),
    fxImpact: sumIfComplete(holdings.map(({ fxImpact }) => fxImpact)),
    concentration: holdingsValue && computeConcentration(byTicker(holdings)),
    ends: findEnds(holdings, holdingsValue),
    groups: cut(groups, holdings, holdingsValue, options),
    unknown: [
      ...unknown,
      ...(cash ? [] : ['The summary does not report all parts of the cash.']),
      ...(summary.totalValue === undefined ? ['The summary does not report the total value.'] : []),
    ],
    checks: checkPortfolio(holdings, summary),
  };
}

const maxEnds = 3;

function findEnds(holdings: readonly PortfolioHolding[], holdingsValue: Big | undefined): Portfolio['ends'] {
  const known = [...groupBy(holdings, ({ ticker }) => ticker)].flatMap(([ticker, members]) => {
    const group = toGroup(ticker, members, holdingsValue, true);
    return group.profitLoss ? [{ group, profitLoss: group.profitLoss }] : [];
  });
  known.sort((a, b) => b.profitLoss.cmp(a.profitLoss));
  return {
    winners: known
      .filter(({ profitLoss }) => profitLoss.gt(0))
      .slice(0, maxEnds)
      .map(({ group }) => group),
    losers: known
      .filter(({ profitLoss }) => profitLoss.lt(0))
      .slice(-maxEnds)
      .reverse()
      .map(({ group }) => group),
  };
}

const groupKeys: Readonly<Record<PortfolioBy, (holding: PortfolioHolding, options: PortfolioOptions) => string>> = {
  instrument: ({ ticker }) => ticker,
  currency: ({ currency }) => currency ?? 'unknown',
  country: ({ isin }) => findCountry(isin),
  type: ({ ticker }, { getType }) => getType(ticker) ?? 'unknown',
};

const getGroupKey = (holding: PortfolioHolding, options: PortfolioOptions): string =>
  groupKeys[options.by](holding, options);

function toGroup(
  group: string,
  members: readonly PortfolioHolding[],
  holdingsValue: Big | undefined,
  isNamed: boolean,
): PortfolioGroup {
  const value = sumIfComplete(members.map((member) => member.value));
  const cost = sumIfComplete(members.map((member) => member.cost));
  const profitLoss = sumIfComplete(members.map((member) => member.profitLoss));
  return {
    group,
    name: isNamed ? members[0]?.name : undefined,
    value,
    weightPercent: computePercent(value, holdingsValue),
    cost,
    profitLoss,
    profitLossPercent: computePercent(profitLoss, cost),
    fxImpact: sumIfComplete(members.map((member) => member.fxImpact)),
    positions: members.length,
  };
}

const byValue = (a: PortfolioGroup, b: PortfolioGroup): number =>
  a.value && b.value ? b.value.cmp(a.value) : Number(!a.value) - Number(!b.value);

function cut(
  groups: readonly PortfolioGroup[],
  holdings: readonly PortfolioHolding[],
  holdingsValue: Big | undefined,
  options: PortfolioOptions,
): readonly PortfolioGroup[] {
  const { top } = options;
  if (top === undefined || groups.length <= top) return groups;
  const kept = groups.slice(0, top);
  const shown = new Set(kept.map(({ group }) => group));
  const rest = holdings.filter((holding) => !shown.has(getGroupKey(holding, options)));
  return [...kept, toGroup(`other (${groups.length - top})`, rest, holdingsValue, false)];
}

/** Combines the positions of one instrument, in case the service lists it twice. */
const byTicker = (holdings: readonly PortfolioHolding[]) =>
  [...groupBy(holdings, ({ ticker }) => ticker)].flatMap(([ticker, members]) => {
    const value = sumIfComplete(members.map((member) => member.value));
    return value ? [{ ticker, value }] : [];
  });

// How much of the invested money is in few instruments.

interface Concentration {
  /** Sum of the squared weights: 1 for a single instrument, 1/n for n equal parts. */
  readonly herfindahl: Big;
  /** 1 / herfindahl: the number of equal holdings with the same concentration. */
  readonly effectiveNumber: Big;
  readonly largestWeightPercent: Big;
  /** The ticker of the largest holding. */
  readonly largest: string;
}

/**
 * The concentration of holdings whose values are in one currency; undefined when there are none or their sum is not
 * above zero.
 */
export function computeConcentration(
  holdings: readonly { readonly ticker: string; readonly value: Big }[],
): Concentration | undefined {
  const total = computeSum(holdings.map(({ value }) => value));
  const [first] = holdings;
  if (!first || !total.gt(0)) return undefined;
  const squares = computeSum(holdings.map(({ value }) => value.times(value)));
  const largest = holdings.reduce((most, holding) => (holding.value.gt(most.value) ? holding : most), first);
  const whole = total.times(total);
  return {
    // One division per figure: a quotient is rounded, and rounded weights would accumulate errors.
    herfindahl: squares.div(whole),
    effectiveNumber: whole.div(squares),
    largestWeightPercent: computePercent(largest.value, total) ?? total,
    largest: largest.ticker,
  };
}

// Compares the positions with the summary.

const readApart = 'Positions and summary were read at different times, and prices changed in between.';

/** Checks each pair of figures; a pair with an unknown figure is left out. */
function checkPortfolio(holdings: readonly PortfolioHolding[], summary: AccountSummary): Check[] {
  const { investments, cash } = summary;
  const sum = (figure: (holding: PortfolioHolding) => Big | undefined) => sumIfComplete(holdings.map(figure));
  const parts = [cash?.availableToTrade, cash?.inPies, cash?.reservedForOrders, investments?.currentValue];
  return [
    ...compare(
      'sum of the positions’ values = value of the investments',
      toBig(investments?.currentValue),
      sum(({ value }) => value),
      readApart,
    ),
    ...compare(
      'sum of the positions’ costs = cost of the investments',
      toBig(investments?.totalCost),
      sum(({ cost }) => cost),
      'Positions and summary were read at different times, or a trade was just booked.',
    ),
    ...compare(
      'sum of the positions’ profits = profit of the investments',
      toBig(investments?.unrealizedProfitLoss),
      sum(({ profitLoss }) => profitLoss),
      readApart,
    ),
    ...compare(
      'cash + investments = value of the account',
      toBig(summary.totalValue),
      sumIfComplete(parts.map(toBig)),
      'The service’s own figures do not add up; it may include something that it does not list.',
    ),
  ];
}

const compare = (name: string, expected: Big | undefined, actual: Big | undefined, note: string): Check[] =>
  expected && actual ? [reconciliationCheck(name, expected, actual, { note })] : [];

// Converts open positions to figures, with a sentence for each missing one.

/** Amounts in the account's currency; undefined where the service did not report them. */
export interface PortfolioHolding {
  readonly ticker: string;
  readonly name: string | undefined;
  readonly isin: string | undefined;
  /** The currency in which it trades. */
  readonly currency: string | undefined;
  readonly value: Big | undefined;
  readonly cost: Big | undefined;
  readonly profitLoss: Big | undefined;
  readonly fxImpact: Big | undefined;
}

const figures = {
  value: { field: 'currentValue', words: 'value' },
  cost: { field: 'totalCost', words: 'cost' },
  profitLoss: { field: 'unrealizedProfitLoss', words: 'profit or loss' },
  fxImpact: { field: 'fxImpact', words: 'currency effect' },
} as const;

export function toHoldings(
  positions: readonly Position[],
  accountCurrency: string | undefined,
): { readonly holdings: readonly PortfolioHolding[]; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const holdings = positions.map((position, index): PortfolioHolding => {
    const { instrument, walletImpact } = position;
    const ticker = instrument?.ticker ?? instrument?.isin ?? `position ${index + 1}`;
    const isOther = differ(walletImpact?.currency, accountCurrency);
    if (isOther) unknown.push(`${ticker} is valued in ${walletImpact?.currency}, not in the account's currency.`);
    const figure = (key: keyof typeof figures): Big | undefined => {
      const amount = isOther ? undefined : toBig(walletImpact?.[figures[key].field]);
      if (amount !== undefined) return amount;
      if (key === 'fxImpact' && walletImpact && !isOther && isOwn(instrument?.currency, accountCurrency)) return zero;
      if (!isOther) unknown.push(`The service does not report the ${figures[key].words} of ${ticker}.`);
      return undefined;
    };
    return {
      ticker,
      name: instrument?.name,
      isin: instrument?.isin,
      currency: instrument?.currency,
      value: figure('value'),
      cost: figure('cost'),
      profitLoss: figure('profitLoss'),
      fxImpact: figure('fxImpact'),
    };
  });
  return { holdings, unknown };
}

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/**
 * Whether no exchange rate applies between instrument and account, so that a missing currency effect is zero. GBX
 * counts as GBP.
 */
const isOwn = (currency: string | undefined, accountCurrency: string | undefined): boolean =>
  currency !== undefined && (currency === accountCurrency || (currency === 'GBX' && accountCurrency === 'GBP'));
