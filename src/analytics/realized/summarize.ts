/** Realised gains: which sales, by which method, and what they add up to. */
import { sumOf } from '../sums.ts';
import type { Trade } from '../trades.ts';
import { describeAssumptions } from './assumptions.ts';
import { rowsOf } from './columnar-trades.ts';
import { scaleOf } from './fixed-point.ts';
import type { RealisedGains, RealisedGainsOptions } from './gain-types.ts';
import { totalsByTicker, totalsOf } from './gains-totals.ts';
import { computeHoldingGains, type HoldingGains } from './holding-gains.ts';
import { shareClassesOf } from './share-classes.ts';
import { checkResults, checkShares } from './verify-matching.ts';

/**
 * Gains and losses of sales (docs/interface.md, Fields and shapes), exact, in the account's currency.
 * `trades` are all trades that are known, oldest first: the cost of a sale in the range comes from
 * purchases before it, and for UK tax also after it. What has no known cost is in `unmatched` and in no
 * sum. Shares are held by ticker, and for `uk_section_104` by share class.
 */
export function summarizeRealisedGains(trades: readonly Trade[], options: RealisedGainsOptions): RealisedGains {
  const { method, ticker, until = Number.POSITIVE_INFINITY } = options;
  const scale = scaleOf(trades);
  const { classOf, renamed } = shareClassesOf(method === 'uk_section_104' ? trades : []);
  const chosen = ticker === undefined ? trades : trades.filter((trade) => classOf(trade.ticker) === classOf(ticker));
  const holdings = [...rowsOf(chosen, classOf, scale).values()].map((rows) =>
    computeHoldingGains(rows, options, scale),
  );

  const compared = holdings.flatMap((holding) => holding.compared ?? []);
  const isChecked = holdings.every((holding) => holding.compared !== undefined);
  const all = <Row>(rowsOf: (holding: HoldingGains) => Iterable<Row>) => holdings.flatMap((part) => [...rowsOf(part)]);
  const oldestFirst = (a: { readonly at: number }, b: { readonly at: number }) => a.at - b.at;
  const sums = all((part) => part.sums);
  const tickers = new Set(all((part) => part.left.tickers));
  return {
    method,
    disposals: all((part) => part.disposals).sort(oldestFirst),
    totals: totalsOf(
      sums.map(([, sum]) => sum),
      scale,
    ),
    byTicker: totalsByTicker(sums, scale),
    unmatched: all((part) => part.unmatched).sort(oldestFirst),
    remarks: [
      // The broker's results stand as they are, whatever the actions were.
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
          checkShares(sumOf(holdings.map((part) => part.booked)), sumOf(holdings.map((part) => part.left.quantity))),
        ]
      : [],
  };
}

const notChecked =
  'Some trades of the history could not be matched, so the gains were not checked against the broker’s own results.';
