/** Realised gains: selects the sales, matches them by the chosen method and sums them. */
import { getFillMeaning } from '../fill-types.ts';
import { groupBy } from '../group-by.ts';
import type { Trade } from '../trades.ts';
import { describeAssumptions } from './assumptions.ts';
import { toColumns } from './columnar-trades.ts';
import { noCostBasis } from './cost-basis.ts';
import { computeScale } from './fixed-point.ts';
import type { RealisedGains, RealisedGainsOptions } from './gain-types.ts';
import { computeTotals, totalsByTicker } from './gains-totals.ts';
import { computeHoldingGains, type HoldingGains } from './holding-gains.ts';
import { mergeSplitRows } from './merge-split-rows.ts';
import { findShareClasses, type ShareClasses } from './share-classes.ts';
import { checkResults } from './verify-matching.ts';

/**
 * Gains and losses of sales (docs/interface.md, Fields and shapes), exact. `trades` must be all known trades in the
 * order of execution: the cost of a sale in the range comes from purchases before it, and for UK tax also after it.
 * Sales without a known cost are in `unmatched` and in no sum. For the tax rules `fifo` and `uk_section_104` a holding
 * is a share class, because all listings of one ISIN are the same shares; for `average` and `broker` it is a ticker,
 * as brokers count. Amounts of several currencies are never added.
 */
export function summarizeRealisedGains(rows: readonly Trade[], options: RealisedGainsOptions): RealisedGains {
  const { method, ticker, costBasis = noCostBasis, findParent = () => undefined, isWhole = true } = options;
  const trades = mergeSplitRows(rows);
  const scale = computeScale(trades);
  const classes = findShareClasses(method === 'fifo' || method === 'uk_section_104' ? trades : []);
  const { getClass } = classes;
  const chosen = ticker === undefined ? trades : trades.filter((trade) => getClass(trade) === getClass({ ticker }));
  const context = { scale, costBasis, findParent, paperAt: listPaperTimes(trades) };
  const byHolding = [...groupBy(chosen, getClass).values()];
  // The broker's results match no shares, so its sales in each currency are apart.
  const parts =
    method === 'broker' ? byHolding.flatMap((rows) => [...groupBy(rows, getValueCurrency).values()]) : byHolding;
  const holdings = parts.map((rows) => computeHoldingGains(toColumns(rows, scale), options, context));

  const compared = holdings.flatMap((holding) => holding.compared ?? []);
  const isChecked = isWhole && holdings.every((holding) => holding.compared !== undefined);
  const all = <Row>(listRows: (holding: HoldingGains) => Iterable<Row>) =>
    holdings.flatMap((part) => [...listRows(part)]);
  const oldestFirst = (a: { readonly at: number }, b: { readonly at: number }) => a.at - b.at;
  const totalsByCurrency = [...groupBy(holdings, ({ currency }) => currency ?? '')]
    .map(([currency, parts]) => ({
      currency: currency === '' ? undefined : currency,
      ...computeTotals(
        parts.flatMap((part) => [...part.sums.values()]),
        scale,
      ),
    }))
    .filter(({ disposals }, _, { length }) => disposals > 0 || length === 1);
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

const getValueCurrency = ({ valueCurrency = '' }: Trade): string => valueCurrency;

/** When shares of a take-over came (ms). */
const listPaperTimes = (trades: readonly Trade[]): number[] =>
  trades
    .filter(({ type, side, quantity }) => getFillMeaning(type) === 'takeover' && side === 'BUY' && quantity.gt(0))
    .map(({ at }) => at);

function listRemarks(
  holdings: readonly HoldingGains[],
  { renamed }: ShareClasses,
  { method, until = Number.POSITIVE_INFINITY, isWhole = true }: RealisedGainsOptions,
): string[] {
  const tickers = new Set(holdings.flatMap((part) => part.left.tickers));
  const actions = holdings.flatMap((part) => part.actions).filter(({ at }) => at < until);
  const unchecked = [...new Set(holdings.flatMap((part) => part.unchecked))].sort();
  return [
    // Corporate actions do not change the broker's results.
    ...(method === 'broker' ? [] : describeAssumptions(actions)),
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
