/** The gains of one holding: matches its trades and selects the requested sales. */
import type Big from 'big.js';
import { matchAverage } from './average.ts';
import { matchBroker } from './broker-reported.ts';
import { rowsByTicker, type TradeColumns } from './columnar-trades.ts';
import { computeFigures, toDisposal, toUnmatchedSale } from './disposals.ts';
import { matchFifo } from './fifo.ts';
import { type FixedPointScale, fromUnits, toShares } from './fixed-point.ts';
import type { Disposal, GainsMethod, RealisedGainsOptions, RemainingHolding, UnmatchedSale } from './gain-types.ts';
import { addSale, emptyTotals, type Sums } from './gains-totals.ts';
import { buildHolding, type CorporateAction, type HoldingEvents, type Movement } from './holding-events.ts';
import { lotNameSeparator, type MatchedSale, type Matching } from './lot-matching.ts';
import { matchSection104 } from './section-104.ts';
import { type BrokerComparison, compareWithBroker, isComplete } from './verify-matching.ts';

export interface HoldingGains {
  readonly disposals: readonly Disposal[];
  /** Sums by the ticker of the disposals. */
  readonly sums: ReadonlyMap<string, Sums>;
  readonly unmatched: readonly UnmatchedSale[];
  readonly actions: readonly CorporateAction[];
  /** The share count of all rows without matching, and the rest after matching. */
  readonly booked: Big;
  readonly left: RemainingHolding;
  /** Undefined when a part of the holding could not be matched, so that a comparison would be meaningless. */
  readonly compared: readonly BrokerComparison[] | undefined;
}

const matchers: Readonly<Record<GainsMethod, (movements: readonly Movement[]) => Matching>> = {
  broker: matchBroker,
  fifo: matchFifo,
  average: matchAverage,
  uk_section_104: matchSection104,
};

/** Computes the gains of one ticker's rows, or of one share class for UK tax. */
export function computeHoldingGains(
  rows: TradeColumns,
  options: RealisedGainsOptions,
  scale: FixedPointScale,
): HoldingGains {
  const { method } = options;
  const holding = buildHolding(rows);
  const matching = matchers[method](holding.movements);
  const disposals: Disposal[] = [];
  const unmatched = holding.unmatched.filter((row) => isLeftOut(row, options));
  const sums = new Map<string, Sums>();
  for (const sale of matching.sales) {
    if (!isChosen(sale, options)) continue;
    const rest = toUnmatchedSale(sale, method, scale);
    if (rest) unmatched.push(rest);
    if (sale.pieces.length === 0) continue;
    disposals.push(toDisposal(sale, scale));
    const sum = sums.get(sale.ticker) ?? emptyTotals();
    sums.set(sale.ticker, sum);
    addSale(sum, computeFigures(sale));
  }

  const byAverage = matchByListing(rows, holding, method === 'average' ? matching : undefined);
  // The broker's results match no shares, so the average method determines the remaining holding.
  const [average] = byAverage;
  const rest = method === 'broker' && average ? average.matching : matching;
  return {
    disposals,
    sums,
    unmatched,
    actions: holding.actions,
    booked: fromUnits(holding.held, scale.quantity),
    left: {
      tickers: holding.tickers,
      quantity: toShares(rest.left.units, holding.lastWeight, scale),
      cost: fromUnits(rest.left.cost, scale.money),
      removedCost: fromUnits(rest.removedCost, scale.money),
    },
    compared: byAverage.every((part) => isComplete(part.holding, part.matching))
      ? byAverage.map((part) => compareWithBroker(part.matching))
      : undefined,
  };
}

/** Matches each listing separately for the comparison, because the broker counts by ticker. */
function matchByListing(rows: TradeColumns, holding: HoldingEvents, known: Matching | undefined) {
  if (holding.tickers.length === 1) return [{ holding, matching: known ?? matchAverage(holding.movements) }];
  return rowsByTicker(rows).map((listing) => {
    const part = buildHolding(listing);
    return { holding: part, matching: matchAverage(part.movements) };
  });
}

const isInRange = (at: number, { since, until }: RealisedGainsOptions): boolean =>
  (since === undefined || at >= since) && (until === undefined || at < until);

const isChosen = (sale: MatchedSale, options: RealisedGainsOptions): boolean =>
  isInRange(sale.at, options) &&
  (options.ticker === undefined || sale.ticker.split(lotNameSeparator).includes(options.ticker));

/** A purchase without a value affects every later range, except for the broker's own results. */
const isLeftOut = (
  { at, ticker, side }: UnmatchedSale,
  { method, since, until, ...options }: RealisedGainsOptions,
): boolean =>
  isInRange(at, { method, until, since: side === 'SELL' ? since : undefined }) &&
  (side === 'SELL' || method !== 'broker') &&
  (options.ticker === undefined || options.ticker === ticker);
