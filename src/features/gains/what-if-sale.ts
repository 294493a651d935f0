/** What a sale would realise now: the sale is added to the trades, and the difference is what it changes. */
import Big from 'big.js';
import { groupBy } from '../../core/text/group-by.ts';
import type { Trade } from '../analytics/trades.ts';
import { noCostBasis } from './cost-entries.ts';
import type {
  Disposal,
  GainsMethod,
  Match,
  RealisedGains,
  RealisedGainsOptions,
  UnmatchedReason,
} from './gain-types.ts';
import { lotNameSeparator } from './lot-matching.ts';
import { connectHoldings, findExchanges, findShareClasses } from './share-exchanges.ts';
import { listPaperTimes, summarizeRealisedGains } from './summarize.ts';

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

/** What sales are computed from, independent of the call and its time. It can be kept until the trades change. */
export interface SaleBooks {
  readonly method: Exclude<GainsMethod, 'broker'>;
  /** The range of the tax year (ms). */
  readonly since: number;
  readonly until: number;
  /** Names the holdings that are computed together: a share class, and those whose cost an exchange carried to it. */
  readonly getGroup: (trade: Pick<Trade, 'ticker'>) => string;
  readonly byGroup: ReadonlyMap<string, readonly Trade[]>;
  /** When shares of a take-over came (ms), in any group. */
  readonly paperAt: readonly number[];
  readonly newest: ReadonlyMap<string, Trade>;
  readonly lastAt: number;
  /** What the owner entered, as `applyTaxRecords` returns it with the trades. */
  readonly known: Pick<RealisedGainsOptions, 'costBasis' | 'findParent'> | undefined;
  /** Undefined when a sale of the range has no known cost, or the sales are in several currencies. */
  readonly rangeGain: RangeGain | undefined;
}

/** The realised gain of a range. */
interface RangeGain {
  readonly gain: Big;
  /** The currency of the sales that have a value, by ticker; undefined if it is unknown. */
  readonly sales: readonly { readonly ticker: string; readonly currency: string | undefined }[];
}

/** `trades` are all trades of the account, in the order of execution. */
export function createSaleBooks(
  trades: readonly Trade[],
  options: Pick<SaleBooks, 'method' | 'since' | 'until'> & Partial<Pick<SaleBooks, 'known'>>,
): SaleBooks {
  const books = { known: undefined, ...options, paperAt: listPaperTimes(trades) };
  const exchanges = findExchanges(trades, books.known?.costBasis ?? noCostBasis);
  const getGroup = connectHoldings(exchanges, findShareClasses(trades).getClass);
  return {
    ...books,
    getGroup,
    byGroup: groupBy(trades, getGroup),
    newest: new Map(trades.map((trade) => [trade.ticker, trade])),
    lastAt: trades.at(-1)?.at ?? 0,
    rangeGain: computeRangeGain(trades, books),
  };
}

function computeRangeGain(
  trades: readonly Trade[],
  { known, ...options }: Pick<SaleBooks, 'known' | 'method' | 'paperAt' | 'since' | 'until'>,
): RangeGain | undefined {
  const { method, paperAt, since, until } = options;
  const { totals, byTicker, unmatched } = summarizeRealisedGains(trades, {
    ...known,
    method,
    paperAt,
    since,
    until,
  });
  if (!totals || unmatched.some(({ side }) => side === 'SELL')) return undefined;
  const sales = byTicker.filter(({ proceeds, cost }) => !(proceeds.eq(0) && cost.eq(0)));
  return { gain: totals.gain, sales: sales.map(({ ticker, currency }) => ({ ticker: firstOf(ticker), currency })) };
}

/** Listings of one share class can be sold as one disposal, with both names. */
const firstOf = (tickers: string): string => tickers.split(lotNameSeparator)[0] as string;

export interface SaleSimulatorOptions {
  readonly books: SaleBooks;
  /** When the sales would be made (ms). */
  readonly at: number;
  /** The account's currency. */
  readonly currency: string | undefined;
  /** Shares of the ticker that the account reports; the trades have to explain them. */
  readonly getHeld: (ticker: string) => Big;
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
  const { books } = options;
  const { method, known: entered, paperAt, getGroup, byGroup } = books;
  const match = (rows: readonly Trade[]) => summarizeRealisedGains(rows, { ...entered, method, paperAt });
  // A trade in the future of this clock would be matched as if it came after the sale.
  const at = Math.max(options.at, books.lastAt);
  const toTrade = (question: SaleQuestion): Trade =>
    makeTrade(question, at, options, books.newest.get(question.ticker));
  /** By how much sales of one group change the gain of the range; the other groups stay as they are. */
  const computeChange = ([name, questions]: [string, readonly SaleQuestion[]]): RangeGain | undefined => {
    const rows = byGroup.get(name) ?? [];
    const before = computeRangeGain(rows, books);
    const after = computeRangeGain([...rows, ...questions.map(toTrade)], books);
    return before && after && { gain: after.gain.minus(before.gain), sales: after.sales };
  };
  return {
    sell: (question) => {
      const rows = byGroup.get(getGroup(question));
      if (!rows) return { missing: 'no_trades' };
      return compareGains(match(rows), match([...rows, toTrade(question)]), question, { ...options, at });
    },
    sumRange: (questions = []) => {
      const sold = groupBy(questions, getGroup);
      const changes = [...sold].map(computeChange);
      const known = changes.flatMap((change) => change ?? []);
      if (!books.rangeGain || known.length < changes.length) return undefined;
      const others = books.rangeGain.sales.filter((sale) => !sold.has(getGroup(sale)));
      const currencies = new Set([...others, ...known.flatMap(({ sales }) => sales)].map(({ currency }) => currency));
      if (currencies.size > 1) return undefined;
      return known.reduce((sum, { gain }) => sum.plus(gain), books.rangeGain.gain);
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
  { at, books: { since, until }, getHeld }: SaleSimulatorOptions,
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
