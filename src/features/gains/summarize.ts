/** Realised gains: selects the sales, matches them by the chosen method and sums them. */

import { groupBy } from '../../core/text/group-by.ts';
import { getFillMeaning } from '../analytics/fill-types.ts';
import type { Trade } from '../analytics/trades.ts';
import { describeAssumptions } from './assumptions.ts';
import { carryCosts } from './carried-costs.ts';
import { groupByHolding, splitRows, type TradeColumns } from './columnar-trades.ts';
import { noCostBasis } from './cost-basis.ts';
import { describeEmptyTimes } from './empty-times.ts';
import { findExchanges } from './exchanges.ts';
import { computeScale, type FixedPointScale } from './fixed-point.ts';
import type { GainsMethod, RealisedGains, RealisedGainsOptions } from './gain-types.ts';
import { computeTotals, totalsByTicker } from './gains-totals.ts';
import { computeHoldingGains, type HoldingGains, matchers } from './holding-gains.ts';
import { mergeSplitRows } from './merge-split-rows.ts';
import { findShareClasses, type ShareClasses } from './share-classes.ts';
import { checkResults } from './verify-matching.ts';

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
  const listings = exchanges.size > 0 ? groupByHolding(trades, getTicker, scale) : grouped;
  const common = { scale, costBasis, findParent, paperAt, exchanges, carried: new Map() };
  const withCosts = (groups: ReadonlyMap<string, TradeColumns>, getKey: (trade: Trade) => string, by: GainsMethod) =>
    exchanges.size > 0 ? { ...common, carried: carryCosts(groups, getKey, matchers[by], common) } : common;
  const context = withCosts(grouped, getClass, method);
  const byListing = withCosts(listings, getTicker, 'average');
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

const getTicker = ({ ticker }: Trade): string => ticker;
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
