/**
 * Converts the trades of one holding to the movements that the methods use: shares acquired, sold or removed
 * otherwise.
 */
import type Big from 'big.js';
import type { Trade } from '../trades.ts';
import type { TradeColumns } from './columnar-trades.ts';
import type { UnmatchedSale } from './gain-types.ts';
import { toSplitUnits } from './splits.ts';

export interface Movement {
  readonly kind: 'acquired' | 'sold' | 'removed';
  readonly trade: Trade;
  /** In a unit that no split changes (splits.ts), and the number of units in 10^-scale.quantity of a share. */
  readonly units: bigint;
  readonly weight: bigint;
  /** The amount paid or received, in 10^-scale.money; 0 for removed shares. */
  readonly amount: bigint;
  /** The broker's own result, in the same unit. */
  readonly result: bigint | undefined;
}

/** A corporate action that needs an assumption, which is described to the user. */
export interface CorporateAction {
  readonly at: number;
  readonly ticker: string;
  readonly type: string;
  readonly effect: 'came_free' | 'left' | 'no_ratio';
  readonly quantity: Big;
  readonly netValue: Big | undefined;
}

export interface HoldingEvents {
  readonly tickers: readonly string[];
  /** Oldest first. */
  readonly movements: readonly Movement[];
  /** The weight after the last trade. */
  readonly lastWeight: bigint;
  /** The sum of all trades without any matching, in 10^-scale.quantity of a share. */
  readonly held: bigint;
  readonly unmatched: readonly UnmatchedSale[];
  readonly actions: readonly CorporateAction[];
}

type Kind = Movement['kind'] | 'nothing';

/** Builds the movements of a holding. Corporate actions: docs/interface.md, Fields and shapes. */
export function buildHolding(rows: TradeColumns): HoldingEvents {
  const { trades, amounts, results } = rows;
  const { units: changes, weightAt, lastWeight, held, unusual } = toSplitUnits(rows);
  const tickers = new Set<string>();
  const movements: Movement[] = [];
  const unmatched: UnmatchedSale[] = [];
  const actions: CorporateAction[] = [];

  trades.forEach((trade, index) => {
    const { at, ticker, side, quantity, netValue } = trade;
    const change = changes[index] ?? 0n;
    tickers.add(ticker);
    const reason = unmatchedReason(trade, change);
    if (reason) {
      const proceeds = side === 'SELL' ? netValue : undefined;
      unmatched.push({ at, ticker, side, quantity: quantity.abs(), proceeds, reason });
    }
    const effect = resolveEffect(trade, change, unusual.get(trade));
    if (effect) actions.push({ at, ticker, type: trade.type, effect, quantity: quantity.abs(), netValue });
    const kind = effect === 'no_ratio' ? 'nothing' : resolveKind(trade, change, effect);
    if (kind === 'nothing') return;
    const units = change < 0n ? -change : change;
    const amount = kind === 'removed' ? 0n : (amounts[index] ?? 0n);
    movements.push({ kind, trade, units, weight: weightAt(index), amount, result: results[index] });
  });
  return { tickers: [...tickers], movements, lastWeight, held, unmatched, actions };
}

function unmatchedReason({ type, side, netValue }: Trade, change: bigint): string | undefined {
  if (type !== 'TRADE') return undefined;
  if (change === 0n) return netValue?.gt(0) ? 'The row has a value but no quantity.' : undefined;
  if (netValue) return undefined;
  return side === 'SELL'
    ? 'The service reports no value for this sale.'
    : 'The service reports no value for this purchase, so the cost of its shares is unknown and they are omitted.';
}

function resolveEffect(
  { type, netValue }: Trade,
  change: bigint,
  unusual: 'no_ratio' | 'took_all' | undefined,
): CorporateAction['effect'] | undefined {
  if (type === 'TRADE' || change === 0n) return undefined;
  if (unusual) return unusual === 'took_all' ? 'left' : unusual;
  if (type === 'STOCK_SPLIT') return undefined;
  if (change < 0n) return 'left';
  return netValue?.gt(0) ? undefined : 'came_free';
}

function resolveKind({ type, netValue }: Trade, change: bigint, effect: CorporateAction['effect'] | undefined): Kind {
  if (change === 0n) return 'nothing';
  if (effect === 'left') return 'removed';
  if (type === 'STOCK_SPLIT') return 'nothing';
  if (type !== 'TRADE') return 'acquired';
  if (change > 0n) return netValue ? 'acquired' : 'nothing';
  // Without a value the gain is unknown, but the shares have left the holding.
  return netValue ? 'sold' : 'removed';
}
