/** Compares the gains of the product with the reference, figure by figure. */
import Big from 'big.js';
import { type Trade, toTrades } from '../../src/features/analytics/trades.ts';
import { applyTaxRecords } from '../../src/features/gains/apply-records.ts';
import type { RealisedGains } from '../../src/features/gains/gain-types.ts';
import { summarizeRealisedGains } from '../../src/features/gains/summarize.ts';
import {
  type Account,
  type AccountRow,
  type FundIncome,
  isDividend,
  toDividend,
  toHistoricalOrder,
} from './account-row.ts';
import { readEvents } from './class-events.ts';
import {
  add,
  addAll,
  divide,
  type Fraction,
  isLess,
  isNegative,
  isPositive,
  multiply,
  subtract,
  toDecimalText,
  toFraction,
  zero,
} from './fraction.ts';
import { groupRows } from './group-rows.ts';
import type { Disposal, Outcome } from './outcome.ts';
import { applyAverage, applyFifo } from './reference-lots.ts';
import { applySection104, findDay } from './reference-section-104.ts';
import { findShareExchanges } from './share-exchanges.ts';

const comparedMethods = ['uk_section_104', 'fifo', 'average'] as const;
type Method = (typeof comparedMethods)[number];

/** Figures by what they are: `2024-06-10 IE0 cost`. */
export type Figures = Map<string, Fraction>;

export interface Comparison {
  readonly figures: number;
  /** One line for each figure that differs. */
  readonly differences: readonly string[];
  /** The rule of each match and the reason of each part without a cost, as often as they occur. */
  readonly rules: readonly string[];
}

export function compareAccount(account: Account): Comparison {
  let figures = 0;
  const differences: string[] = [];
  const rules: string[] = [];
  for (const method of comparedMethods) {
    const found = compareFigures(readReference(account, method), readProduct(account, method));
    figures += found.figures;
    rules.push(...found.rules);
    differences.push(...found.differences.map((line) => `${method} ${line}`));
  }
  return { figures, differences, rules };
}

export function compareFigures(expected: Figures, actual: Figures): Comparison {
  const rules = [...expected.keys()].flatMap((name) => ruleOfFigure.exec(name)?.slice(1) ?? []);
  const differences = [...new Set([...expected.keys(), ...actual.keys()])].flatMap((name) => {
    const [right, given] = [expected.get(name) ?? zero, actual.get(name) ?? zero];
    return isFar(right, given) ? [`${name}: ${show(given)}, expected ${show(right)}`] : [];
  });
  return { figures: expected.size, differences, rules };
}

const ruleOfFigure = / (\w+) (?:quantity|proceeds)$/;

/** The product divides to 24 decimals, the reference exactly. */
const tolerance = toFraction('0.000000000001');
const isFar = (a: Fraction, b: Fraction): boolean => {
  const difference = subtract(a, b);
  return isLess(tolerance, isNegative(difference) ? subtract(zero, difference) : difference);
};
const show = (figure: Fraction): string => toDecimalText(figure, 12);

export const addTo = (figures: Figures, name: string, figure: Fraction) =>
  figures.set(name, add(figures.get(name) ?? zero, figure));

/** A day of London is one disposal of a class under the UK rules; otherwise each sale is one. */
export const nameDisposal = (method: Method, at: number, ticker: string, isin: string): string =>
  method === 'uk_section_104' ? `day ${findDay(at)} of ${isin}` : `${new Date(at).toISOString()} of ${ticker}`;

export function readReference({ rows, originalCosts, fundIncome }: Account, method: Method): Figures {
  const figures: Figures = new Map();
  const groups = groupRows(rows, ({ isin }) => isin);
  const outcomes = new Map<string, Outcome>();
  const exchanges = findShareExchanges(rows);
  // The new shares of an exchange need the outcome of the old ones.
  const solve = (isin: string): Outcome => {
    const known = outcomes.get(isin);
    if (known) return known;
    const group = groups.get(isin) ?? [];
    const settled = method === 'uk_section_104' ? group.filter((row) => !isLargePayment(row)) : group;
    const events = readEvents(settled, originalCosts, {
      exchanges,
      getGiven: ({ out }) => solve(out.isin).given.get(out.id) ?? [],
    });
    const outcome =
      method === 'fifo'
        ? applyFifo(events)
        : method === 'average'
          ? applyAverage(events)
          : applySection104(events, groupIncome(fundIncome, isin, group));
    outcomes.set(isin, outcome);
    return outcome;
  };
  for (const [isin, group] of groups) {
    const large = method === 'uk_section_104' ? group.filter(isLargePayment) : [];
    for (const { at, ticker, value = '0' } of large)
      addTo(figures, `${nameDisposal(method, at, ticker, isin)} capital_distribution proceeds`, toFraction(value));
    writeOutcome(figures, method, isin, solve(isin));
  }
  return figures;
}

/** HMRC CG57836: capital of at most 3,000 pounds is small; whether more is small depends on a value that no row has. */
const isLargePayment = (row: AccountRow): boolean =>
  isDividend(row) && isLess(toFraction('3000'), toFraction(row.value ?? '0'));

/** The income of the shares held at the end of a period, by its last day. */
function groupIncome(list: readonly FundIncome[], isin: string, rows: readonly AccountRow[]) {
  const days = new Map<number, Fraction[]>();
  for (const { periodEnd, perShare } of list.filter((income) => income.isin === isin)) {
    const day = Date.parse(periodEnd) / 86_400_000;
    const held = rows
      .filter(({ at }) => findDay(at) <= day)
      .map(({ side, quantity }) => (side === 'SELL' ? subtract(zero, toFraction(quantity)) : toFraction(quantity)));
    const amount = multiply(addAll(held), toFraction(perShare));
    if (isPositive(amount)) days.set(day, [...(days.get(day) ?? []), amount]);
  }
  return days;
}

function writeOutcome(figures: Figures, method: Method, isin: string, outcome: Outcome): void {
  for (const disposal of outcome.disposals) {
    const { sale, proceeds, charges, cost } = disposal;
    const name = nameDisposal(method, sale.at, sale.ticker, isin);
    addTo(figures, `${name} proceeds`, proceeds);
    addTo(figures, `${name} charges`, charges);
    addTo(figures, `${name} cost`, cost);
    writeParts(figures, name, disposal);
  }
  for (const { sale, reason, units, proceeds } of outcome.unknown) {
    const name = `${nameDisposal(method, sale.at, sale.ticker, isin)} ${reason}`;
    addTo(figures, `${name} quantity`, divide(units, sale.perShare));
    addTo(figures, `${name} proceeds`, proceeds);
  }
  for (const { at, ticker, amount } of outcome.beyond)
    if (isPositive(amount))
      addTo(figures, `${nameDisposal(method, at, ticker, isin)} capital_beyond_cost proceeds`, amount);
  addTo(figures, `left of ${isin} quantity`, outcome.left.units);
  if (outcome.left.cost) addTo(figures, `left of ${isin} cost`, outcome.left.cost);
}

function writeParts(figures: Figures, name: string, { sale, parts, poolAfter }: Disposal): void {
  for (const { rule, units, cost } of parts) {
    addTo(figures, `${name} ${rule} quantity`, divide(units, sale.perShare));
    addTo(figures, `${name} ${rule} cost`, cost);
  }
  if (!poolAfter) return;
  addTo(figures, `${name} pool quantity`, divide(poolAfter.units, sale.perShare));
  if (poolAfter.cost) addTo(figures, `${name} pool cost`, poolAfter.cost);
}

const toExact = (figure: Big): Fraction => toFraction(figure.toFixed());

/** As the pages of the service come, newest first. */
export const readTrades = (rows: readonly AccountRow[]) =>
  toTrades(
    rows
      .filter((row) => !isDividend(row))
      .map(toHistoricalOrder)
      .reverse(),
  );

const readProduct = (account: Account, method: Method): Figures =>
  writeGains(computeGains(account, readTrades(account.rows), method), method, listIsins(account));

export const listIsins = ({ rows }: Account): ReadonlyMap<string, string> =>
  new Map(rows.map(({ ticker, isin }) => [ticker, isin]));

/** The gains of the product for trades of the account. */
export function computeGains(
  { rows, originalCosts, fundIncome }: Account,
  read: readonly Trade[],
  method: Method,
): RealisedGains {
  const costs = [...originalCosts].map(([id, { acquiredAt, cost }]) => ({
    fillId: String(id),
    ticker: undefined,
    at: undefined,
    acquiredAt,
    cost: new Big(cost),
    currency: 'GBP',
    parent: undefined,
  }));
  const reportableIncome = fundIncome.map(({ perShare, ...income }) => ({
    ...income,
    amountPerShare: new Big(perShare),
    currency: 'GBP',
  }));
  const dividends = rows.filter(isDividend).map(toDividend);
  const { trades, options } = applyTaxRecords(read, dividends, { costs, reportableIncome }, method);
  return summarizeRealisedGains(trades, { method, ...options });
}

export function writeGains(gains: RealisedGains, method: Method, isins: ReadonlyMap<string, string>): Figures {
  const figures: Figures = new Map();
  const findIsin = (tickers: string) => isins.get(tickers.split(' + ')[0] ?? '') ?? '';
  for (const disposal of gains.disposals) {
    const name = nameDisposal(method, disposal.at, disposal.ticker, findIsin(disposal.ticker));
    addTo(figures, `${name} proceeds`, toExact(disposal.proceeds));
    if (disposal.charges) addTo(figures, `${name} charges`, toExact(disposal.charges));
    addTo(figures, `${name} cost`, toExact(disposal.cost));
    for (const { rule, quantity, cost } of disposal.matches) {
      addTo(figures, `${name} ${rule} quantity`, toExact(quantity));
      addTo(figures, `${name} ${rule} cost`, toExact(cost));
    }
    if (!disposal.poolAfter) continue;
    addTo(figures, `${name} pool quantity`, toExact(disposal.poolAfter.quantity));
    if (disposal.poolAfter.cost) addTo(figures, `${name} pool cost`, toExact(disposal.poolAfter.cost));
  }
  for (const { at, ticker, side, reason, quantity, proceeds } of gains.unmatched) {
    if (side === 'BUY') continue;
    const name = `${nameDisposal(method, at, ticker, findIsin(ticker))} ${reason}`;
    if (quantity.gt(0)) addTo(figures, `${name} quantity`, toExact(quantity));
    if (proceeds) addTo(figures, `${name} proceeds`, toExact(proceeds));
  }
  for (const { tickers, quantity, cost } of gains.left) {
    const holding = findIsin(tickers[0] ?? '');
    addTo(figures, `left of ${holding} quantity`, toExact(quantity));
    if (cost) addTo(figures, `left of ${holding} cost`, toExact(cost));
  }
  return figures;
}
