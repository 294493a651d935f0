/**
 * Converts the trades of one holding to the movements that the methods use: shares acquired, sold or removed
 * otherwise.
 */
import type Big from 'big.js';
import { type FillMeaning, getFillMeaning } from '../fill-types.ts';
import type { Trade } from '../trades.ts';
import type { TradeColumns } from './columnar-trades.ts';
import { type CostBasis, canHaveEntry } from './cost-basis.ts';
import { type FixedPointScale, toUnits } from './fixed-point.ts';
import type { UnmatchedSale } from './gain-types.ts';
import { toSplitUnits } from './splits.ts';

export interface Movement {
  /**
   * `exchanged`: removed for cash and other shares, so that only the broker's own result is a gain. `cost_changed`: no
   * share moved, and `amount` was added to the cost of all, or deducted from it if it is negative.
   */
  readonly kind: 'acquired' | 'sold' | 'removed' | 'exchanged' | 'cost_changed';
  readonly trade: Trade;
  /** The time that counts for the rules (ms): of the trade, or of the purchase of transferred shares. */
  readonly at: number;
  /** False for shares from a reorganisation, which no sale of the same day or of the 30 days before is matched with. */
  readonly isPurchase: boolean;
  /** False for shares that were transferred in and whose cost was not entered. */
  readonly isCostKnown: boolean;
  /** In a unit that no split changes (splits.ts), and the number of units in 10^-scale.quantity of a share. */
  readonly units: bigint;
  readonly weight: bigint;
  /** The amount paid or received, in 10^-scale.money; 0 for removed shares. */
  readonly amount: bigint;
  /** The broker's own result, in the same unit. */
  readonly result: bigint | undefined;
}

/** What a corporate action did, where an assumption or a missing figure must be described to the user. */
export type ActionEffect =
  | 'came_free'
  | 'came_from_spin_off'
  | 'came_from_takeover'
  | 'transferred'
  | 'exchanged'
  | 'left'
  | 'no_ratio'
  | 'free_purchase'
  | 'capital_returned'
  | 'cost_to_spin_off';

export interface CorporateAction {
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
}

type Kind = Movement['kind'] | 'nothing';

/** Builds the movements of a holding. Corporate actions: docs/interface.md, Fields and shapes. */
export function buildHolding(rows: TradeColumns, context: HoldingContext): HoldingEvents {
  const { trades, amounts, results } = rows;
  const { paperAt } = context;
  const { units: changes, weightAt, lastWeight, held, unusual } = toSplitUnits(rows);
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
    const basis = change > 0n && canHaveEntry(trade) ? context.costBasis(trade) : undefined;
    const reason = unmatchedReason(trade, meaning, change);
    if (reason) {
      const proceeds = side === 'SELL' ? netValue : undefined;
      unmatched.push({ at, ticker, side, quantity: quantity.abs(), proceeds, reason });
    }
    const effect = basis
      ? undefined
      : resolveEffect(trade, meaning, { change, amount: value, unusual: unusual.get(trade), paperAt });
    if (effect) actions.push(toAction(trade, effect, context));
    const kind = effect === 'no_ratio' ? 'nothing' : resolveKind(trade, meaning, { change, effect });
    if (kind === 'nothing') return;
    const amount = kind === 'removed' ? 0n : value;
    movements.push({
      kind,
      trade,
      at: basis?.acquiredAt ?? at,
      isPurchase: meaning === (basis ? 'transfer' : 'trade'),
      isCostKnown: effect !== 'transferred',
      units: change < 0n ? -change : change,
      weight: weightAt(index),
      amount: basis ? toUnits(basis.cost, context.scale.money) : effect === 'transferred' ? 0n : amount,
      result: results[index],
    });
  });
  return { tickers: [...tickers], movements, lastWeight, held, unmatched, actions };
}

const toAction = (trade: Trade, effect: ActionEffect, { findParent }: HoldingContext): CorporateAction => ({
  at: trade.at,
  ticker: trade.ticker,
  type: trade.type,
  effect,
  quantity: trade.quantity.abs(),
  netValue: trade.netValue,
  fillId: trade.fillId,
  valueCurrency: trade.valueCurrency,
  parent: effect === 'came_from_spin_off' ? findParent(trade) : undefined,
});

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
}

function resolveEffect(
  { at, type, netValue }: Trade,
  meaning: FillMeaning,
  { change, amount, unusual, paperAt }: EffectFacts,
): ActionEffect | undefined {
  if (type === 'CAPITAL_RETURNED') return 'capital_returned';
  if (type === 'COST_TO_SPIN_OFF') return 'cost_to_spin_off';
  if (change === 0n) return undefined;
  if (unusual) return unusual === 'took_all' ? 'left' : unusual;
  if (meaning === 'split') return undefined;
  const isPaid = amount > 0n;
  if (meaning === 'trade') return change > 0n && netValue && !isPaid ? 'free_purchase' : undefined;
  if (change < 0n) {
    if (meaning !== 'takeover' || !isPaid) return 'left';
    return paperAt.some((one) => Math.abs(one - at) <= sameTakeoverMs) ? 'exchanged' : undefined;
  }
  if (meaning === 'transfer') return 'transferred';
  if (isPaid) return undefined;
  if (meaning === 'spin_off') return 'came_from_spin_off';
  return meaning === 'takeover' ? 'came_from_takeover' : 'came_free';
}

/** The rows of one take-over can be some days apart. */
const sameTakeoverMs = 7 * 86_400_000;

function resolveKind(
  { netValue }: Trade,
  meaning: FillMeaning,
  { change, effect }: { readonly change: bigint; readonly effect: ActionEffect | undefined },
): Kind {
  if (meaning === 'cost_change') return 'cost_changed';
  if (change === 0n) return 'nothing';
  if (effect === 'left') return 'removed';
  if (effect === 'exchanged') return 'exchanged';
  if (meaning === 'split') return 'nothing';
  if (change > 0n) return meaning === 'trade' && !netValue ? 'nothing' : 'acquired';
  // Without a value the gain is unknown, but the shares have left the holding.
  return netValue ? 'sold' : 'removed';
}
