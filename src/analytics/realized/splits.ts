/**
 * Expresses quantities before and after a split in one unit. Scaling every lot at every split would round. Instead
 * the unit is so small that a share before and a share after each split are integer numbers of units, so a split
 * changes no lot and no pool, and nothing is rounded.
 */
import type { Trade } from '../trades.ts';
import type { TradeColumns } from './columnar-trades.ts';

/** Listings of one class are split together, but their rows may be some days apart. */
const sameSplitMs = 7 * 86_400_000;

interface Split {
  readonly at: number;
  readonly tickers: Set<string>;
  /** This many shares after the split … */
  readonly after: bigint;
  /** … replace this many before it. */
  readonly before: bigint;
}

export interface SplitUnits {
  /** The units that each trade adds to the holding; negative if it removes them. */
  readonly units: readonly bigint[];
  /** Units in 10^-scale.quantity of a share, at the time of the trade with this index. */
  readonly weightAt: (index: number) => bigint;
  /** The weight after the last trade. */
  readonly lastWeight: bigint;
  /** The sum of all trades, in 10^-scale.quantity of a share. */
  readonly held: bigint;
  /** `no_ratio`: no shares are known to have been held, so the ratio is unknown. `took_all`: no shares are left. */
  readonly unusual: ReadonlyMap<Trade, 'no_ratio' | 'took_all'>;
}

/** Finds the ratio of each split from the shares held after and before it, which requires that shares were held. */
export function toSplitUnits({ trades, changes }: TradeColumns): SplitUnits {
  const held = changes.reduce((sum, change) => sum + change, 0n);
  const { splits, eras, unusual } = findSplits(trades, changes);
  if (splits.length === 0) return { units: changes, weightAt: () => 1n, lastWeight: 1n, held, unusual };
  const weights = Array.from({ length: splits.length + 1 }, (_, era) =>
    splits.reduce((weight, split, index) => weight * (index < era ? split.before : split.after), 1n),
  );
  const weightAt = (index: number) => weights[eras[index] ?? 0] ?? 1n;
  return {
    units: changes.map((change, index) => change * weightAt(index)),
    weightAt,
    lastWeight: weights.at(-1) ?? 1n,
    held,
    unusual,
  };
}

/** The splits, and the number of splits before each trade. */
function findSplits(trades: readonly Trade[], changes: readonly bigint[]) {
  const splits: Split[] = [];
  const eras: number[] = [];
  const unusual = new Map<Trade, 'no_ratio' | 'took_all'>();
  if (!trades.some(({ type }) => type === 'STOCK_SPLIT')) return { splits, eras, unusual };
  const held = new Map<string, bigint>();
  trades.forEach((trade, index) => {
    const { at, ticker } = trade;
    const before = held.get(ticker) ?? 0n;
    const after = before + (changes[index] ?? 0n);
    held.set(ticker, after);
    if (trade.type === 'STOCK_SPLIT') {
      const last = splits.at(-1);
      if (before <= 0n) unusual.set(trade, 'no_ratio');
      else if (after <= 0n) unusual.set(trade, 'took_all');
      else if (last && at - last.at <= sameSplitMs && !last.tickers.has(ticker)) last.tickers.add(ticker);
      else splits.push({ at, tickers: new Set([ticker]), ...reduced(after, before) });
    }
    eras.push(splits.length);
  });
  return { splits, eras, unusual };
}

function reduced(after: bigint, before: bigint): Pick<Split, 'after' | 'before'> {
  let [divisor, rest] = [after, before];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return { after: after / divisor, before: before / divisor };
}
