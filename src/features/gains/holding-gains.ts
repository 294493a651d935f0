/** The gains of one holding: matches its trades and selects the requested sales. */

import Big from 'big.js';
import { type Check, reconciliationCheck } from '../analytics/check.ts';
import { getFillMeaning } from '../analytics/executions.ts';
import { getListing, type Trade } from '../analytics/trades.ts';
import { type EmptyTime, findEmptyTimes } from './assumptions.ts';
import { listCurrencies, splitRows, type TradeColumns } from './columnar-trades.ts';
import { formatCostCommand } from './cost-entries.ts';
import {
  addSale,
  computeFigures,
  emptyTotals,
  nameAccounts,
  type Sums,
  toDisposal,
  toUnmatchedSales,
} from './disposals.ts';
import { type FixedPointScale, fromUnits, toShares, toUnits } from './fixed-point.ts';
import type { Disposal, GainsMethod, RealisedGainsOptions, RemainingHolding, UnmatchedSale } from './gain-types.ts';
import {
  buildHolding,
  type CorporateAction,
  type HoldingContext,
  type HoldingEvents,
  type Movement,
} from './holding-events.ts';
import { lotNameSeparator, type MatchedSale, type Matching, matchedSale } from './lot-matching.ts';
import { matchAverage, matchBroker, matchFifo } from './matching-methods.ts';
import { matchSection104 } from './section-104.ts';

export interface HoldingGains {
  /** The currency of all its amounts; undefined when the service reported none. */
  readonly currency: string | undefined;
  readonly disposals: readonly Disposal[];
  /** Sums by the ticker of the disposals. */
  readonly sums: ReadonlyMap<string, Sums>;
  readonly unmatched: readonly UnmatchedSale[];
  readonly actions: readonly CorporateAction[];
  /** Of the chosen sales; only by the UK rules. */
  readonly emptyTimes: readonly EmptyTime[];
  readonly left: RemainingHolding;
  /** The tickers of a holding whose trades could not all be matched by average cost. */
  readonly unchecked: readonly string[];
  /** Undefined when a part of the holding could not be matched, so that a comparison would be meaningless. */
  readonly compared: readonly BrokerComparison[] | undefined;
}

export const matchers: Readonly<Record<GainsMethod, (movements: readonly Movement[]) => Matching>> = {
  broker: matchBroker,
  fifo: matchFifo,
  average: matchAverage,
  uk_section_104: matchSection104,
};

/**
 * Computes the gains of one share class, or of one ticker's rows for the broker's results. `byListing` is the context of
 * the tickers, which the comparison with the broker uses.
 */
export function computeHoldingGains(
  rows: TradeColumns,
  options: RealisedGainsOptions,
  context: HoldingContext,
  byListing: HoldingContext,
): HoldingGains {
  const { method } = options;
  const { scale } = context;
  const holding = buildHolding(rows, context);
  const matching = matchers[method](holding.movements);
  const disposals: Disposal[] = [];
  const unmatched = [
    ...holding.unmatched,
    ...listExchanged(holding, method),
    ...listDistributed(holding),
    ...listUnknownCosts(holding),
    ...listBeyondCost(matching, scale),
  ].filter((row) => isLeftOut(row, options));
  const sums = new Map<string, Sums>();
  const currencies = listCurrencies(rows);
  for (const sale of [...matching.sales, ...listEntered(holding, scale)]) {
    if (!isChosen(sale, options)) continue;
    if (currencies.length > 1) {
      unmatched.push(toSaleInCurrencies(sale, scale));
      continue;
    }
    unmatched.push(...toUnmatchedSales(sale, method, scale));
    if (sale.pieces.length === 0) continue;
    disposals.push(toDisposal(sale, scale));
    const sum = sums.get(sale.ticker) ?? emptyTotals();
    sums.set(sale.ticker, sum);
    addSale(sum, computeFigures(sale));
  }

  const byAverage = matchByListing(rows, holding, byListing, method === 'average' ? matching : undefined);
  // The broker's results match no shares, so the average method determines the remaining holding.
  const [average] = byAverage;
  const rest = method === 'broker' && average ? average.matching : matching;
  return {
    currency: currencies.length > 1 ? undefined : (currencies[0] ?? findCurrency(rows)),
    disposals,
    sums,
    unmatched,
    emptyTimes: findEmptyTimes(
      holding.movements,
      matching.sales.filter((sale) => isChosen(sale, options)),
    ),
    actions: listActions(holding, matching, scale),
    left: {
      tickers: holding.tickers,
      quantity: toShares(rest.left.units, holding.lastWeight, scale),
      cost: rest.left.unknown > 0n ? undefined : fromUnits(rest.left.cost, scale.money),
      removedCost: fromUnits(rest.removedCost, scale.money),
    },
    unchecked:
      currencies.length <= 1 && byAverage.every((part) => isComplete(part.holding, part.matching))
        ? []
        : holding.tickers,
    compared:
      currencies.length <= 1 && byAverage.every((part) => isComplete(part.holding, part.matching))
        ? byAverage.map((part) => compareWithBroker(part.matching))
        : undefined,
  };
}

/** The currency of rows whose amounts are all zero. */
const findCurrency = ({ trades }: TradeColumns): string | undefined =>
  trades.find(({ type, valueCurrency }) => valueCurrency && getFillMeaning(type) !== 'cost_change')?.valueCurrency;

/** A change of cost is described by what it did. */
function listActions({ actions }: HoldingEvents, { costChanges }: Matching, scale: FixedPointScale): CorporateAction[] {
  const changes = new Map(costChanges.map(({ trade, changed }) => [trade, changed]));
  return actions.map((action) => {
    const changed = changes.get(action.trade);
    return changed === undefined ? action : { ...action, netValue: fromUnits(changed, scale.money) };
  });
}

const toSaleInCurrencies = (sale: MatchedSale, scale: FixedPointScale): UnmatchedSale => ({
  at: sale.at,
  ticker: sale.ticker,
  side: 'SELL',
  quantity: toShares(sale.units, sale.weight, scale),
  proceeds: fromUnits(sale.amount, scale.money),
  reason: 'several_currencies',
  account: nameAccounts(sale),
});

/** Shares that left for cash and other shares: only the broker's own result gives their gain. */
const listExchanged = ({ movements }: HoldingEvents, method: GainsMethod): UnmatchedSale[] =>
  movements
    .filter(
      ({ kind, result, entered }) =>
        kind === 'exchanged' && entered === undefined && !(method === 'broker' && result !== undefined),
    )
    .map(({ trade }) => ({
      at: trade.at,
      ticker: trade.ticker,
      side: trade.side,
      quantity: trade.quantity.abs(),
      proceeds: trade.netValue,
      reason: 'apportionment_needed',
      account: trade.account,
      next: formatCostCommand(trade, trade.valueCurrency, { part: true }),
    }));

/** Payments of capital that can be part disposals, and whose part of the cost was not entered. */
const listDistributed = ({ actions }: HoldingEvents): UnmatchedSale[] =>
  actions
    .filter(({ effect }) => effect === 'capital_distributed')
    .map((action) => ({
      at: action.at,
      ticker: action.ticker,
      side: 'SELL',
      quantity: action.quantity,
      proceeds: action.netValue,
      reason: 'capital_distribution',
      next: formatCostCommand(action, action.valueCurrency, { part: true }),
    }));

/** Money that came without a sale, with the cost that the owner entered for it. */
const listEntered = ({ movements }: HoldingEvents, { money }: FixedPointScale): MatchedSale[] =>
  movements.flatMap((movement) => {
    const { entered, trade, units } = movement;
    if (entered === undefined) return [];
    const amount = trade.netValue ? toUnits(trade.netValue, money) : 0n;
    return matchedSale({ ...movement, amount }, [{ rule: 'entered', units, cost: entered }], 0n);
  });

/** Shares that came by a transfer or a take-over and whose cost was not entered, with the command that enters it. */
function listUnknownCosts({ movements }: HoldingEvents): UnmatchedSale[] {
  const trades = new Set<Trade>();
  for (const { isCostKnown, trade } of movements) if (!isCostKnown) trades.add(trade);
  return [...trades].map((trade) => ({
    at: trade.at,
    ticker: trade.ticker,
    side: trade.side,
    quantity: trade.quantity.abs(),
    proceeds: undefined,
    account: trade.account,
    reason: getFillMeaning(trade.type) === 'takeover' ? 'exchanged_cost_unknown' : 'original_cost_unknown',
    next: formatCostCommand(trade, trade.valueCurrency, { acquired: true }),
  }));
}

const listBeyondCost = ({ costChanges }: Matching, scale: FixedPointScale): UnmatchedSale[] =>
  costChanges
    .filter(({ beyond }) => beyond > 0n)
    .map(({ trade: { at, ticker, type, quantity }, beyond }) => ({
      at,
      ticker,
      side: 'SELL',
      quantity,
      proceeds: fromUnits(beyond, scale.money),
      reason: type === 'COST_TO_SPIN_OFF' ? 'spin_off_beyond_cost' : 'capital_beyond_cost',
    }));

/** Matches each listing separately for the comparison, because the broker counts by ticker and account. */
function matchByListing(
  rows: TradeColumns,
  holding: HoldingEvents,
  context: HoldingContext,
  known: Matching | undefined,
) {
  // The broker's average price knows nothing of a change of cost.
  const hasChanges = holding.movements.some(({ kind }) => kind === 'cost_changed');
  const match = ({ movements }: HoldingEvents) =>
    matchAverage(hasChanges ? movements.filter(({ kind }) => kind !== 'cost_changed') : movements);
  // The shares of an exchange have another cost by average cost than by other methods.
  const listings = splitRows(rows, getListing);
  if (listings.length === 1 && context.exchanges.size === 0)
    return [{ holding, matching: known && !hasChanges ? known : match(holding) }];
  return listings.map((listing) => {
    const part = buildHolding(listing, context);
    return { holding: part, matching: match(part) };
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

// Checks that the lots explain the trades, and that the average method matches the broker's own results.

/** Whether nothing was left out and every sale found its shares, so that the data start where the holding does. */
export const isComplete = (holding: HoldingEvents, matching: Matching): boolean =>
  holding.unmatched.length === 0 &&
  holding.actions.every(({ effect }) => effect !== 'no_ratio' && effect !== 'exchanged') &&
  matching.missingRemoved === 0n &&
  matching.sales.every(({ missing }) => missing === 0n);

/** Results of the same sales: computed by average cost, and reported by the broker. */
interface BrokerComparison {
  readonly sales: number;
  readonly ours: bigint;
  readonly theirs: bigint;
}

export function compareWithBroker(byAverage: Matching): BrokerComparison {
  let ours = 0n;
  let theirs = 0n;
  let sales = 0;
  for (const { amount, result, pieces } of byAverage.sales) {
    // Without the broker's result this sale cannot be compared.
    if (result === undefined) continue;
    sales++;
    theirs += result;
    ours += amount;
    for (const { cost } of pieces) ours -= cost;
  }
  return { sales, ours, theirs };
}

/** A broker that rounds to pennies can differ by up to one penny per sale. */
export function checkResults(compared: readonly BrokerComparison[], scale: FixedPointScale): Check {
  const sum = (getFigure: (part: BrokerComparison) => bigint) =>
    compared.reduce((total, part) => total + getFigure(part), 0n);
  const sales = compared.reduce((total, part) => total + part.sales, 0);
  return reconciliationCheck(
    'gains of all time by average cost = the broker’s own results',
    fromUnits(
      sum(({ theirs }) => theirs),
      scale.money,
    ),
    fromUnits(
      sum(({ ours }) => ours),
      scale.money,
    ),
    {
      tolerance: new Big('0.01').times(Math.max(sales, 1)).toFixed(),
      note: 'The broker may treat corporate actions or charges differently, or rows of the history are missing.',
    },
  );
}
