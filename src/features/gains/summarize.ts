/** Realised gains: selects the sales, matches them by the chosen method and sums them. */

import { groupBy } from '../../core/text/group-by.ts';
import { getFillMeaning } from '../analytics/executions.ts';
import { computeSum, zero } from '../analytics/sums.ts';
import { getListing, type Trade, toChange } from '../analytics/trades.ts';
import { describeAssumptions, describeEmptyTimes } from './assumptions.ts';
import { groupByHolding, listCurrencies, splitRows, type TradeColumns } from './columnar-trades.ts';
import { noCostBasis } from './cost-entries.ts';
import { computeTotals, totalsByTicker } from './disposals.ts';
import { computeScale, type FixedPointScale, prorate, toUnits } from './fixed-point.ts';
import type { GainsMethod, RealisedGains, RealisedGainsOptions } from './gain-types.ts';
import { buildHolding, type CarriedCosts, type HoldingContext, type Movement } from './holding-events.ts';
import { checkResults, computeHoldingGains, type HoldingGains, matchers } from './holding-gains.ts';
import type { Matching } from './lot-matching.ts';
import {
  type CarriedPart,
  type Exchange,
  findExchanges,
  findShareClasses,
  isWithinHolding,
  type ShareClasses,
} from './share-exchanges.ts';

/**
 * Gains and losses of sales (docs/interface.md, Fields and shapes), exact. `trades` must be all known trades in the
 * order of execution: the cost of a sale in the range comes from purchases before it, and for UK tax also after it.
 * Sales without a known cost are in `unmatched` and in no sum. A holding is a share class, because all listings of one
 * ISIN are the same shares; for `broker` it is a ticker, as brokers count. Amounts of several currencies are never added.
 */
export function summarizeRealisedGains(rows: readonly Trade[], options: RealisedGainsOptions): RealisedGains {
  const { method, isWhole = true } = options;
  const trades = mergeSplitRows(rows);
  const classes = findShareClasses(method === 'broker' ? [] : trades);
  const { holdings, scale } = computeHoldings(trades, classes, options);
  const compared = holdings.flatMap((holding) => holding.compared ?? []);
  const isChecked = isWhole && holdings.every((holding) => holding.compared !== undefined);
  const all = <Row>(listRows: (holding: HoldingGains) => Iterable<Row>) =>
    holdings.flatMap((part) => [...listRows(part)]);
  const oldestFirst = (a: { readonly at: number }, b: { readonly at: number }) => a.at - b.at;
  const totalsByCurrency = sumByCurrency(holdings, scale);
  const [totals = computeTotals([], scale), ...others] = totalsByCurrency;
  return {
    method,
    disposals: all((part) => part.disposals).sort(oldestFirst),
    totals: others.length === 0 ? totals : undefined,
    totalsByCurrency,
    byTicker: totalsByTicker(
      holdings.flatMap((part) => [...part.sums].map(([name, sums]) => [name, sums, part.currency] as const)),
      scale,
    ),
    unmatched: all((part) => part.unmatched).sort(oldestFirst),
    remarks: listRemarks(holdings, classes, options),
    left: method === 'broker' ? [] : holdings.map((part) => part.left),
    checks: isChecked ? [checkResults(compared, scale)] : [],
  };
}

/** The gains of the chosen holdings, and the scale of their integers. */
function computeHoldings(trades: readonly Trade[], { getClass }: ShareClasses, options: RealisedGainsOptions) {
  const { method, ticker, costBasis = noCostBasis, findParent = () => undefined } = options;
  const paperAt = options.paperAt ?? listPaperTimes(trades);
  const exchanges = findExchanges(trades, costBasis);
  const scale = computeScale(trades, exchanges.size > 0);
  const isChosen = (trade: Trade) => ticker === undefined || getClass(trade) === getClass({ ticker });
  // The cost of exchanged shares comes from other holdings.
  const grouped = groupByHolding(exchanges.size > 0 ? trades : trades.filter(isChosen), getClass, scale);
  const listings = exchanges.size > 0 ? groupByHolding(trades, getListing, scale) : grouped;
  const common = { scale, costBasis, findParent, paperAt, exchanges, carried: new Map() };
  const withCosts = (groups: ReadonlyMap<string, TradeColumns>, getKey: (trade: Trade) => string, by: GainsMethod) =>
    exchanges.size > 0 ? { ...common, carried: carryCosts(groups, getKey, matchers[by], common) } : common;
  const context = withCosts(grouped, getClass, method);
  const byListing = withCosts(listings, getListing, 'average');
  const chosen = [...grouped.values()].filter(({ trades: [first] }) => first && isChosen(first));
  // The broker's results match no shares, so its sales in each currency are apart.
  const columns = method === 'broker' ? chosen.flatMap((rows) => splitRows(rows, getValueCurrency)) : chosen;
  return { holdings: columns.map((rows) => computeHoldingGains(rows, options, context, byListing)), scale };
}

/** One row for each currency of the disposals. Disposals of nothing for nothing have no currency and join the first. */
function sumByCurrency(holdings: readonly HoldingGains[], scale: FixedPointScale): RealisedGains['totalsByCurrency'] {
  const known = holdings.find(({ currency, sums }) => currency !== undefined && sums.size > 0)?.currency;
  const isZero = ({ sums }: HoldingGains) =>
    [...sums.values()].every(({ proceeds, cost }) => proceeds === cost && cost === 0n);
  return [...groupBy(holdings, (part) => part.currency ?? (isZero(part) ? known : undefined))]
    .map(([currency, parts]) => ({
      currency,
      ...computeTotals(
        parts.flatMap((part) => [...part.sums.values()]),
        scale,
      ),
    }))
    .filter(({ disposals }, _, { length }) => disposals > 0 || length === 1);
}

const getValueCurrency = ({ valueCurrency = '' }: Trade): string => valueCurrency;

/** When shares of a take-over came (ms). */
export const listPaperTimes = (trades: readonly Trade[]): number[] =>
  trades
    .filter(({ type, side, quantity }) => getFillMeaning(type) === 'takeover' && side === 'BUY' && quantity.gt(0))
    .map(({ at }) => at);

function listRemarks(
  holdings: readonly HoldingGains[],
  { renamed }: ShareClasses,
  { method, until = Number.POSITIVE_INFINITY, isWhole = true, toDate }: RealisedGainsOptions,
): string[] {
  const tickers = new Set(holdings.flatMap((part) => part.left.tickers));
  const actions = holdings.flatMap((part) => part.actions).filter(({ at }) => at < until);
  const unchecked = [...new Set(holdings.flatMap((part) => part.unchecked))].sort();
  return [
    // Corporate actions do not change the broker's results.
    ...(method === 'broker' ? [] : describeAssumptions(actions, toDate)),
    ...describeEmptyTimes(holdings.flatMap((part) => part.emptyTimes)),
    ...renamed
      .filter((name) => tickers.has(name))
      .map((name) => `${name}: it has had more than one ISIN, and is treated as a single class of shares.`),
    ...(isWhole && unchecked.length > 0 ? [describeUnchecked(unchecked)] : []),
  ];
}

/** How many tickers one sentence names. */
const maxNames = 10;

const describeUnchecked = (tickers: readonly string[]): string =>
  `The gains were not checked against the broker’s own results, because not all trades can be matched by average cost: ${tickers
    .slice(0, maxNames)
    .join(', ')}${tickers.length > maxNames ? ` and ${tickers.length - maxNames} more` : ''}.`;

// Joins the rows of one split that is booked as a close of all shares and an open of the new ones.

/** The two rows come in either order, at most this far apart. */
const sameSplitMs = 1_000;

/**
 * The trades with the rows of one split of one ticker of an account as one row, whose quantity is the change of the holding and whose
 * value is the difference of theirs.
 * Between the two rows nothing would be held, and no ratio could be found.
 */
export function mergeSplitRows(trades: readonly Trade[]): readonly Trade[] {
  const isSplit = ({ type }: Trade) => getFillMeaning(type) === 'split';
  if (!trades.some(isSplit)) return trades;
  const merged: Trade[] = [];
  const lastSplit = new Map<string, { readonly index: number; readonly rows: Trade[] }>();
  for (const trade of trades) {
    const last = isSplit(trade) ? lastSplit.get(getListing(trade)) : undefined;
    if (last && trade.at - (last.rows.at(-1)?.at ?? 0) <= sameSplitMs) {
      last.rows.push(trade);
      merged[last.index] = joinRows(last.rows);
      continue;
    }
    if (isSplit(trade)) lastSplit.set(getListing(trade), { index: merged.length, rows: [trade] });
    merged.push(trade);
  }
  return merged;
}

function joinRows(rows: readonly Trade[]): Trade {
  const [first] = rows as readonly [Trade];
  const change = computeSum(rows.map(toChange));
  // Both rows are booked at the value of the shares; only a difference is money.
  const received = computeSum(rows.map(({ side, netValue = zero }) => (side === 'SELL' ? netValue : netValue.neg())));
  return {
    at: first.at,
    ticker: first.ticker,
    isin: first.isin,
    currency: first.currency,
    side: change.lt(0) ? 'SELL' : 'BUY',
    type: first.type,
    quantity: change,
    price: undefined,
    netValue: received.eq(0) ? undefined : received.abs(),
    valueCurrency: first.valueCurrency,
    realisedProfitLoss: undefined,
    charges: [],
    orderId: first.orderId,
    fillId: first.fillId,
    account: first.account,
  };
}

// What the shares of an exchange bring along from the holding that they replace.

/**
 * The cost of the new shares of each exchange, by the row that brought them. A holding is matched when the cost of all
 * that it received is known. Holdings that exchange shares in a circle have none, and their rows no cost.
 */
function carryCosts(
  holdings: ReadonlyMap<string, TradeColumns>,
  getKey: (trade: Trade) => string,
  match: (movements: readonly Movement[]) => Matching,
  context: HoldingContext,
): CarriedCosts {
  const carried = new Map<Trade, readonly CarriedPart[]>();
  const open = new Set([...new Set(context.exchanges.values())].filter((one) => !isWithinHolding(one, getKey)));
  const keyOf = ([row]: readonly Trade[]) => (row ? getKey(row) : '');
  const currencies = new Map<string, Set<string>>();
  const currenciesOf = (key: string): Set<string> => {
    const rows = holdings.get(key);
    const known = currencies.get(key) ?? new Set(rows ? listCurrencies(rows) : []);
    currencies.set(key, known);
    return known;
  };
  while (open.size > 0) {
    const waiting = new Set([...open].map(({ came }) => keyOf(came)));
    const ready = [...open].filter(({ left }) => !waiting.has(keyOf(left)));
    if (ready.length === 0) break;
    const matchings = new Map<string, Matching>();
    for (const exchange of ready) {
      const [from, to] = [keyOf(exchange.left), keyOf(exchange.came)];
      const rows = holdings.get(from);
      const matching = matchings.get(from) ?? match(rows ? buildHolding(rows, { ...context, carried }).movements : []);
      matchings.set(from, matching);
      for (const currency of currenciesOf(from)) currenciesOf(to).add(currency);
      const parts = exchange.left.flatMap((row) => matching.carried.get(row) ?? []);
      // A cost in one currency is none in another.
      const known = currenciesOf(to).size > 1 ? parts.map((part) => ({ ...part, cost: undefined })) : parts;
      for (const [row, ofRow] of shareOut(known, exchange, context)) carried.set(row, ofRow);
      open.delete(exchange);
    }
  }
  return carried;
}

/** Each row that brought shares has its part of what left. */
function shareOut(
  parts: readonly CarriedPart[],
  { came }: Exchange,
  { scale }: HoldingContext,
): [Trade, readonly CarriedPart[]][] {
  const sizes = came.map(({ quantity }) => toUnits(quantity, scale.quantity));
  let rest = sizes.reduce((sum, size) => sum + size, 0n);
  let open = parts;
  return came.map((row, index) => {
    const size = sizes[index] ?? 0n;
    const taken = open.map((part) => takePart(part, size, rest));
    open = open.map((part, place) => withoutPart(part, taken[place] as CarriedPart));
    rest -= size;
    return [row, taken];
  });
}

const takePart = (part: CarriedPart, size: bigint, whole: bigint): CarriedPart => ({
  ...part,
  units: prorate(part.units, size, whole),
  cost: part.cost === undefined ? undefined : prorate(part.cost, size, whole),
});

const withoutPart = (part: CarriedPart, taken: CarriedPart): CarriedPart => ({
  ...part,
  units: part.units - taken.units,
  cost: part.cost === undefined ? undefined : part.cost - (taken.cost ?? 0n),
});
