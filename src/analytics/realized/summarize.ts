/** Realised gains: selects the sales, matches them by the chosen method and sums them. */
import { computeSum } from '../sums.ts';
import type { Trade } from '../trades.ts';
import { describeAssumptions } from './assumptions.ts';
import { groupByHolding } from './columnar-trades.ts';
import { computeScale } from './fixed-point.ts';
import type { RealisedGains, RealisedGainsOptions } from './gain-types.ts';
import { computeTotals, totalsByTicker } from './gains-totals.ts';
import { computeHoldingGains, type HoldingGains } from './holding-gains.ts';
import { findShareClasses } from './share-classes.ts';
import { checkResults, checkShares } from './verify-matching.ts';

/**
 * Gains and losses of sales (docs/interface.md, Fields and shapes), exact, in the account's currency. `trades` must
 * be all known trades, oldest first: the cost of a sale in the range comes from purchases before it, and for UK tax
 * also after it. Sales without a known cost are in `unmatched` and in no sum. Holdings are by ticker, and for
 * `uk_section_104` by share class.
 */
export function summarizeRealisedGains(trades: readonly Trade[], options: RealisedGainsOptions): RealisedGains {
  const { method, ticker, until = Number.POSITIVE_INFINITY } = options;
  const scale = computeScale(trades);
  const { getClass, renamed } = findShareClasses(method === 'uk_section_104' ? trades : []);
  const chosen = ticker === undefined ? trades : trades.filter((trade) => getClass(trade.ticker) === getClass(ticker));
  const holdings = [...groupByHolding(chosen, getClass, scale).values()].map((rows) =>
    computeHoldingGains(rows, options, scale),
  );

  const compared = holdings.flatMap((holding) => holding.compared ?? []);
  const isChecked = holdings.every((holding) => holding.compared !== undefined);
  const all = <Row>(listRows: (holding: HoldingGains) => Iterable<Row>) =>
    holdings.flatMap((part) => [...listRows(part)]);
  const oldestFirst = (a: { readonly at: number }, b: { readonly at: number }) => a.at - b.at;
  const sums = all((part) => part.sums);
  const tickers = new Set(all((part) => part.left.tickers));
  return {
    method,
    disposals: all((part) => part.disposals).sort(oldestFirst),
    totals: computeTotals(
      sums.map(([, sum]) => sum),
      scale,
    ),
    byTicker: totalsByTicker(sums, scale),
    unmatched: all((part) => part.unmatched).sort(oldestFirst),
    remarks: [
      // Corporate actions do not change the broker's results.
      ...(method === 'broker' ? [] : describeAssumptions(all((part) => part.actions).filter(({ at }) => at < until))),
      ...renamed
        .filter((name) => tickers.has(name))
        .map((name) => `${name}: it has had more than one ISIN, and is treated as a single class of shares.`),
      ...(isChecked ? [] : [notChecked]),
    ],
    left: method === 'broker' ? [] : holdings.map((part) => part.left),
    checks: isChecked
      ? [
          checkResults(compared, scale),
          checkShares(
            computeSum(holdings.map((part) => part.booked)),
            computeSum(holdings.map((part) => part.left.quantity)),
          ),
        ]
      : [],
  };
}

const notChecked =
  'Some trades of the history could not be matched, so the gains were not checked against the broker’s own results.';
