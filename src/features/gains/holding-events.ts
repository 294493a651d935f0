/**
 * Converts the trades of one holding to the movements that the methods use: shares acquired, sold or removed
 * otherwise.
 */
import type Big from 'big.js';
import { type FillMeaning, getFillMeaning } from '../analytics/executions.ts';
import { zero } from '../analytics/sums.ts';
import type { Trade } from '../analytics/trades.ts';
import type { TradeColumns } from './columnar-trades.ts';
import { type CostBasis, canHaveEntry } from './cost-entries.ts';
import { type FixedPointScale, prorate, toUnits } from './fixed-point.ts';
import type { UnmatchedSale } from './gain-types.ts';
import type { CarriedPart, Exchange } from './share-exchanges.ts';
import { toSplitUnits } from './splits.ts';

export interface Movement {
  /**
   * `exchanged`: removed for cash and other shares, so that only the broker's own result is a gain. `carried`: removed
   * for other shares alone, which have their cost. `cost_changed`: no share moved, and `amount` was added to the cost of
   * all, or deducted from it if it is negative.
   */
  readonly kind: 'acquired' | 'sold' | 'removed' | 'exchanged' | 'carried' | 'cost_changed';
  readonly trade: Trade;
  /** The time that counts for the rules (ms): of the trade, or of the purchase of transferred or exchanged shares. */
  readonly at: number;
  /** False for shares from a reorganisation, which no sale of the same day or of the 30 days before is matched with. */
  readonly isPurchase: boolean;
  /** False for shares that came by a transfer or a take-over and whose cost was not entered. */
  readonly isCostKnown: boolean;
  /** In a unit that no split changes (splits.ts), and the number of units in 10^-scale.quantity of a share. */
  readonly units: bigint;
  readonly weight: bigint;
  /** The amount paid or received, in 10^-scale.money; 0 for removed shares. */
  readonly amount: bigint;
  /** The broker's own result, in the same unit. */
  readonly result: bigint | undefined;
  /** What the owner entered as the cost of money that came without a sale, in the same unit. */
  readonly entered: bigint | undefined;
}

/** What a corporate action did, where an assumption or a missing figure must be described to the user. */
export type ActionEffect =
  | 'came_free'
  | 'came_from_spin_off'
  | 'came_from_takeover'
  | 'transferred'
  | 'exchanged'
  | 'exchanged_for_shares'
  | 'left'
  | 'no_ratio'
  | 'split_with_value'
  | 'free_purchase'
  | 'capital_returned'
  | 'capital_distributed'
  | 'cost_to_spin_off';

export interface CorporateAction {
  readonly trade: Trade;
  readonly at: number;
  readonly ticker: string;
  readonly type: string;
  readonly effect: ActionEffect;
  readonly quantity: Big;
  readonly netValue: Big | undefined;
  readonly fillId: string | undefined;
  readonly valueCurrency: string | undefined;
  /** The company that gave the shares of a spin-off, if the rows show it. */
  readonly parent: string | undefined;
  /** The shares that came in an exchange; undefined for the other rows of it, and for other actions. */
  readonly replacedBy: { readonly ticker: string; readonly quantity: Big } | undefined;
}

export interface HoldingEvents {
  readonly tickers: readonly string[];
  /** In the order of execution. */
  readonly movements: readonly Movement[];
  /** The weight after the last trade. */
  readonly lastWeight: bigint;
  /** The sum of all trades without any matching, in 10^-scale.quantity of a share. */
  readonly held: bigint;
  readonly unmatched: readonly UnmatchedSale[];
  readonly actions: readonly CorporateAction[];
}

/** What the rows of one holding do not show. */
export interface HoldingContext {
  readonly scale: FixedPointScale;
  readonly costBasis: CostBasis;
  readonly findParent: (spinOff: Trade) => string | undefined;
  /** When shares of other companies came for a take-over (ms). */
  readonly paperAt: readonly number[];
  /** By each row of them. */
  readonly exchanges: ReadonlyMap<Trade, Exchange>;
  /** The cost of the shares of an exchange, by the row that brought them. */
  readonly carried: CarriedCosts;
}

export type CarriedCosts = ReadonlyMap<Trade, readonly CarriedPart[]>;

type Kind = Movement['kind'] | 'nothing';

/** Builds the movements of a holding. Corporate actions: docs/interface.md, Fields and shapes. */
export function buildHolding(rows: TradeColumns, context: HoldingContext): HoldingEvents {
  const { trades, amounts, results } = rows;
  const { paperAt } = context;
  const { units: changes, weightAt, lastWeight, held, unusual, renamed } = toSplitUnits(rows, context.exchanges);
  const tickers = new Set<string>();
  const movements: Movement[] = [];
  const unmatched: UnmatchedSale[] = [];
  const actions: CorporateAction[] = [];

  trades.forEach((trade, index) => {
    const { at, ticker, side, quantity, netValue } = trade;
    const change = changes[index] ?? 0n;
    const value = amounts[index] ?? 0n;
    const meaning = getFillMeaning(trade.type);
    tickers.add(ticker);
    if (renamed.has(trade)) return;
    const basis = canHaveEntry(trade) ? context.costBasis(trade) : undefined;
    const cost = basis && toUnits(basis.cost, context.scale.money);
    const entered = change > 0n ? undefined : cost;
    const reason = unmatchedReason(trade, meaning, change);
    if (reason) {
      const proceeds = side === 'SELL' ? netValue : undefined;
      unmatched.push({ at, ticker, side, quantity: quantity.abs(), proceeds, reason, account: trade.account });
    }
    const effect = basis
      ? undefined
      : resolveEffect(trade, meaning, { change, amount: value, unusual: unusual.get(trade), paperAt, context });
    if (effect) actions.push(toAction(trade, effect, context));
    const kind = resolveKind(trade, meaning, { change, effect, entered });
    if (kind === 'nothing') return;
    const isRemoved = kind === 'removed' || kind === 'carried';
    const amount = isRemoved ? 0n : kind === 'cost_changed' && entered !== undefined ? -entered : value;
    const isCostKnown = effect !== 'transferred' && effect !== 'came_from_takeover';
    const movement: Movement = {
      kind,
      trade,
      at: entered === undefined ? (basis?.acquiredAt ?? at) : at,
      isPurchase: meaning === (basis ? 'transfer' : 'trade'),
      isCostKnown,
      units: change < 0n ? -change : change,
      weight: weightAt(index),
      amount: entered === undefined && cost !== undefined ? cost : isCostKnown ? amount : 0n,
      result: results[index],
      entered,
    };
    const parts = kind === 'acquired' ? context.carried.get(trade) : undefined;
    if (parts) movements.push(...toCarriedMovements(movement, parts));
    else movements.push(movement);
  });
  return { tickers: [...tickers], movements, lastWeight, held, unmatched, actions };
}

/** The shares that came in an exchange, in the parts in which the old shares had been acquired. */
function toCarriedMovements(movement: Movement, parts: readonly CarriedPart[]): Movement[] {
  const whole = parts.reduce((sum, { units }) => sum + units, 0n);
  let [restUnits, restParts] = [movement.units, whole];
  return parts.map(({ units, cost, acquiredAt }) => {
    const ownUnits = prorate(restUnits, units, restParts);
    restUnits -= ownUnits;
    restParts -= units;
    return {
      ...movement,
      at: acquiredAt ?? movement.at,
      units: ownUnits,
      amount: cost ?? 0n,
      isCostKnown: cost !== undefined,
    };
  });
}

function toAction(trade: Trade, effect: ActionEffect, { findParent, exchanges }: HoldingContext): CorporateAction {
  const { left: [first] = [], came = [] } = exchanges.get(trade) ?? {};
  return {
    trade,
    at: trade.at,
    ticker: trade.ticker,
    type: trade.type,
    effect,
    quantity: trade.quantity.abs(),
    netValue: trade.netValue,
    fillId: trade.fillId,
    valueCurrency: trade.valueCurrency,
    parent: effect === 'came_from_spin_off' ? findParent(trade) : undefined,
    replacedBy:
      first === trade && came[0]
        ? { ticker: came[0].ticker, quantity: came.reduce((sum, { quantity }) => sum.plus(quantity), zero) }
        : undefined,
  };
}

function unmatchedReason(
  { side, netValue }: Trade,
  meaning: FillMeaning,
  change: bigint,
): UnmatchedSale['reason'] | undefined {
  if (meaning !== 'trade') return undefined;
  if (change === 0n) return netValue?.eq(0) ? undefined : 'no_quantity';
  if (netValue) return undefined;
  return side === 'SELL' ? 'no_value_of_sale' : 'no_value_of_purchase';
}

interface EffectFacts {
  readonly change: bigint;
  /** Zero or more; zero if the service reported none. */
  readonly amount: bigint;
  readonly unusual: 'no_ratio' | 'took_all' | undefined;
  readonly paperAt: readonly number[];
  readonly context: HoldingContext;
}

function resolveEffect(
  trade: Trade,
  meaning: FillMeaning,
  { change, amount, unusual, paperAt, context }: EffectFacts,
): ActionEffect | undefined {
  const { at, type, netValue } = trade;
  if (type === 'CAPITAL_RETURNED') return 'capital_returned';
  if (type === 'CAPITAL_DISTRIBUTED') return 'capital_distributed';
  if (type === 'COST_TO_SPIN_OFF') return 'cost_to_spin_off';
  if (change === 0n) return undefined;
  if (unusual) return unusual === 'took_all' ? 'left' : unusual;
  const isPaid = amount > 0n;
  if (meaning === 'split') return isPaid ? 'split_with_value' : undefined;
  if (meaning === 'trade') return change > 0n && netValue && !isPaid ? 'free_purchase' : undefined;
  if (change < 0n) {
    if (context.exchanges.has(trade)) return 'exchanged_for_shares';
    if (meaning !== 'takeover' || !isPaid) return 'left';
    return paperAt.some((one) => Math.abs(one - at) <= sameTakeoverMs) ? 'exchanged' : undefined;
  }
  if (meaning === 'transfer') return 'transferred';
  if (isPaid) return undefined;
  if (meaning === 'spin_off') return 'came_from_spin_off';
  if (meaning !== 'takeover') return 'came_free';
  const parts = context.carried.get(trade) ?? [];
  return parts.length > 0 && parts.every(({ cost }) => cost !== undefined) ? undefined : 'came_from_takeover';
}

/** The rows of one take-over can be some days apart. */
const sameTakeoverMs = 7 * 86_400_000;

function resolveKind(
  { netValue }: Trade,
  meaning: FillMeaning,
  facts: {
    readonly change: bigint;
    readonly effect: ActionEffect | undefined;
    readonly entered: bigint | undefined;
  },
): Kind {
  const { change, effect, entered } = facts;
  if (effect === 'no_ratio' || effect === 'capital_distributed') return 'nothing';
  if (meaning === 'cost_change') return 'cost_changed';
  if (change === 0n) return 'nothing';
  if (effect === 'left') return 'removed';
  if (effect === 'exchanged_for_shares') return 'carried';
  if (effect === 'exchanged' || entered !== undefined) return 'exchanged';
  if (meaning === 'split') return 'nothing';
  if (change > 0n) return meaning === 'trade' && !netValue ? 'nothing' : 'acquired';
  // Without a value the gain is unknown, but the shares have left the holding.
  return netValue ? 'sold' : 'removed';
}
