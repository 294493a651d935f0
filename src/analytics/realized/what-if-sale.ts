/** What a sale would realise now: the sale is added to the trades, and the difference is what it changes. */
import Big from 'big.js';
import { groupBy } from '../group-by.ts';
import type { Trade } from '../trades.ts';
import { noCostBasis } from './cost-basis.ts';
import { connectHoldings, findExchanges } from './exchanges.ts';
import type {
  Disposal,
  GainsMethod,
  Match,
  RealisedGains,
  RealisedGainsOptions,
  UnmatchedReason,
} from './gain-types.ts';
import { lotNameSeparator } from './lot-matching.ts';
import { findShareClasses } from './share-classes.ts';
import { summarizeRealisedGains } from './summarize.ts';

/** A sale that was not made. Amounts are in the account's currency. */
export interface SaleQuestion {
  readonly ticker: string;
  readonly quantity: Big;
  /** Proceeds after charges. */
  readonly netProceeds: Big;
}

/** What a sale would realise. Amounts are in the account's currency. */
export interface SaleFigures {
  readonly proceeds: Big;
  readonly cost: Big;
  readonly gain: Big;
  /** The parts of the sale in the order in which they are matched. Empty if `isJoined`. */
  readonly matches: readonly Match[];
  /** Whether the method joins it with another sale of the day, so that its parts are not its own. */
  readonly isJoined: boolean;
  /** What stays of the share class. */
  readonly quantityLeft: Big;
  /** Undefined when the cost of a part is unknown. */
  readonly costLeft: Big | undefined;
  /** The tickers of the holding. */
  readonly tickers: readonly string[];
  /** How much the realised gain of the range changes, earlier sales included. */
  readonly gainChange: Big;
}

/** Why there are no figures. */
export type MissingFigures = UnmatchedReason | 'no_trades' | 'quantity_differs';

export type SaleResult =
  | { readonly figures: SaleFigures; readonly missing?: undefined }
  | { readonly figures?: undefined; readonly missing: MissingFigures };

export interface SaleSimulatorOptions {
  /** All trades of the account, in the order of execution. */
  readonly trades: readonly Trade[];
  readonly method: Exclude<GainsMethod, 'broker'>;
  /** When the sales would be made (ms). */
  readonly at: number;
  /** The account's currency. */
  readonly currency: string | undefined;
  /** The range of the tax year (ms). */
  readonly since: number;
  readonly until: number;
  /** Shares of the ticker that the account reports; the trades have to explain them. */
  readonly getHeld: (ticker: string) => Big;
  /** What the owner entered, as `applyTaxRecords` returns it with the trades. */
  readonly known?: Pick<RealisedGainsOptions, 'costBasis' | 'findParent'> | undefined;
}

export interface SaleSimulator {
  /** One sale alone. */
  sell(question: SaleQuestion): SaleResult;
  /**
   * The realised gain of the range, with all of these sales; undefined when a sale of the range has no known cost, or
   * when the sales are in several currencies.
   */
  sumRange(questions?: readonly SaleQuestion[]): Big | undefined;
}

export function createSaleSimulator(options: SaleSimulatorOptions): SaleSimulator {
  const { trades, method, known } = options;
  const exchanges = findExchanges(trades, known?.costBasis ?? noCostBasis);
  const getGroup = connectHoldings(exchanges, findShareClasses(trades).getClass);
  const byGroup = groupBy(trades, getGroup);
  const match = (rows: readonly Trade[]) => summarizeRealisedGains(rows, { ...known, method });
  const newest = new Map(trades.map((trade) => [trade.ticker, trade]));
  // A trade in the future of this clock would be matched as if it came after the sale.
  const at = Math.max(options.at, trades.at(-1)?.at ?? 0);
  const toTrade = (question: SaleQuestion): Trade => makeTrade(question, at, options, newest.get(question.ticker));
  const computeRangeGain = (rows: readonly Trade[]): Big | undefined => {
    const { since, until } = options;
    const { totals, unmatched } = summarizeRealisedGains(rows, { ...known, method, since, until });
    return unmatched.some(({ side }) => side === 'SELL') ? undefined : totals?.gain;
  };
  let present: { readonly gain: Big | undefined } | undefined;
  return {
    sell: (question) => {
      const rows = byGroup.get(getGroup(question));
      if (!rows) return { missing: 'no_trades' };
      return compareGains(match(rows), match([...rows, toTrade(question)]), question, { ...options, at });
    },
    sumRange: (questions) => {
      if (questions) return computeRangeGain([...trades, ...questions.map(toTrade)]);
      present ??= { gain: computeRangeGain(trades) };
      return present.gain;
    },
  };
}

const makeTrade = (
  { ticker, quantity, netProceeds }: SaleQuestion,
  at: number,
  { currency }: SaleSimulatorOptions,
  newest: Trade | undefined,
): Trade => ({
  at,
  ticker,
  isin: newest?.isin,
  currency: newest?.currency,
  side: 'SELL',
  type: 'TRADE',
  quantity,
  price: undefined,
  netValue: netProceeds,
  valueCurrency: currency,
  realisedProfitLoss: undefined,
  charges: [],
  orderId: undefined,
  fillId: undefined,
});

/** A quantity that a split made periodic is rounded to more decimals than this. */
const roundedQuantity = new Big('1e-9');

function compareGains(
  before: RealisedGains,
  after: RealisedGains,
  { ticker, netProceeds, quantity }: SaleQuestion,
  { at, since, until, getHeld }: SaleSimulatorOptions,
): SaleResult {
  const [unmatched] = [...before.unmatched, ...after.unmatched];
  if (unmatched) return { missing: unmatched.reason };
  const left = after.left.find(({ tickers }) => tickers.includes(ticker));
  const own = after.disposals.findLast((disposal) => disposal.ticker.split(lotNameSeparator).includes(ticker));
  if (!left || !own) return { missing: 'no_trades' };
  const held = left.tickers.reduce((total, name) => total.plus(getHeld(name)), new Big(0));
  if (held.minus(left.quantity).minus(quantity).abs().gt(roundedQuantity)) return { missing: 'quantity_differs' };
  const isJoined = own.at !== at || !own.quantity.eq(quantity);
  const cost = isJoined ? sumCosts(after.disposals).minus(sumCosts(before.disposals)) : own.cost;
  const inRange = (disposals: readonly Disposal[]) => disposals.filter((sale) => sale.at >= since && sale.at < until);
  return {
    figures: {
      proceeds: netProceeds,
      cost,
      gain: netProceeds.minus(cost),
      matches: isJoined ? [] : own.matches,
      isJoined,
      quantityLeft: left.quantity,
      costLeft: left.cost,
      tickers: left.tickers,
      gainChange: sumGains(inRange(after.disposals)).minus(sumGains(inRange(before.disposals))),
    },
  };
}

const sumCosts = (disposals: readonly Disposal[]): Big =>
  disposals.reduce((total, { cost }) => total.plus(cost), new Big(0));
const sumGains = (disposals: readonly Disposal[]): Big =>
  disposals.reduce((total, { gain }) => total.plus(gain), new Big(0));
