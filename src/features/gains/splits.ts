/**
 * Expresses quantities before and after a split in one unit. Scaling every lot at every split would round. Instead
 * the unit is so small that a share before and a share after each split are integer numbers of units, so a split
 * changes no lot and no pool, and nothing is rounded.
 */
import { getListing, type Trade } from '../analytics/trades.ts';
import type { TradeColumns } from './columnar-trades.ts';
import type { Exchange } from './share-exchanges.ts';

/** Listings of one class are split together, but their rows may be some days apart. */
const sameSplitMs = 7 * 86_400_000;

interface Split {
  readonly at: number;
  /** The listings that were split. */
  readonly listings: Set<string>;
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
  /** The rows of exchanges of these shares for the same shares, such as a renamed ticker: they move nothing. */
  readonly renamed: ReadonlySet<Trade>;
}

/**
 * Finds the ratio of each split from the shares held after and before it, which requires that shares were held. An
 * exchange within the holding that changes the number of all shares is a split.
 */
export function toSplitUnits({ trades, changes }: TradeColumns, exchanges: ReadonlyMap<Trade, Exchange>): SplitUnits {
  const held = changes.reduce((sum, change) => sum + change, 0n);
  const { splits, eras, unusual, renamed } = findSplits(trades, changes, exchanges);
  if (splits.length === 0) return { units: changes, weightAt: () => 1n, lastWeight: 1n, held, unusual, renamed };
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
    renamed,
  };
}

/** The splits, and the number of splits before each trade. */
function findSplits(trades: readonly Trade[], changes: readonly bigint[], exchanges: ReadonlyMap<Trade, Exchange>) {
  const splits: Split[] = [];
  const eras: number[] = [];
  const unusual = new Map<Trade, 'no_ratio' | 'took_all'>();
  const renamed = new Set<Trade>();
  const exchanged = listWithin(trades, changes, exchanges);
  if (exchanged.size === 0 && !trades.some(({ type }) => type === 'STOCK_SPLIT'))
    return { splits, eras, unusual, renamed };
  const held = new Map<string, bigint>();
  trades.forEach((trade, index) => {
    const { at } = trade;
    const listing = getListing(trade);
    const before = held.get(listing) ?? 0n;
    const after = before + (changes[index] ?? 0n);
    const exchange = exchanged.get(trade);
    if (exchange && !renamed.has(trade)) {
      const { rows, out, back } = exchange;
      const heldThen = [...held].filter(([name]) => isOfAccounts(name, rows));
      const isOfAll = heldThen.reduce((sum, [, shares]) => sum + shares, 0n) === out;
      if (isOfAll || out === back) for (const row of rows) renamed.add(row);
      if (isOfAll && out !== back) addSplit(splits, at, rows.map(getListing), [back, out]);
    }
    held.set(listing, after);
    if (trade.type === 'STOCK_SPLIT') {
      if (before <= 0n) unusual.set(trade, 'no_ratio');
      else if (after <= 0n) unusual.set(trade, 'took_all');
      else addSplit(splits, at, [listing], [after, before]);
    }
    eras.push(splits.length);
  });
  return { splits, eras, unusual, renamed };
}

/** Adds a split, or the listings to the last one, which they had in the same days. */
function addSplit(
  splits: Split[],
  at: number,
  listings: readonly string[],
  [after, before]: readonly [bigint, bigint],
): void {
  const last = splits.at(-1);
  if (last && at - last.at <= sameSplitMs && !listings.some((name) => last.listings.has(name)))
    for (const name of listings) last.listings.add(name);
  else splits.push({ at, listings: new Set(listings), ...reduced(after, before) });
}

/** Whether a listing is of an account that has one of the rows. */
const isOfAccounts = (listing: string, rows: readonly Trade[]): boolean =>
  rows.some((row) => row.account === undefined || listing.startsWith(`${row.account} `));

/** An exchange whose old and new shares are in one holding: how many went, and how many came. */
interface ExchangeWithin {
  readonly rows: readonly Trade[];
  readonly out: bigint;
  readonly back: bigint;
}

function listWithin(
  trades: readonly Trade[],
  changes: readonly bigint[],
  exchanges: ReadonlyMap<Trade, Exchange>,
): ReadonlyMap<Trade, ExchangeWithin> {
  const found = new Map<Trade, ExchangeWithin>();
  if (exchanges.size === 0) return found;
  const own = new Map<Trade, bigint>();
  trades.forEach((trade, index) => {
    if (exchanges.has(trade)) own.set(trade, changes[index] ?? 0n);
  });
  const sum = (rows: readonly Trade[]) => rows.reduce((total, row) => total + (own.get(row) ?? 0n), 0n);
  for (const { left, came } of new Set([...own.keys()].flatMap((row) => exchanges.get(row) ?? []))) {
    const rows = [...left, ...came];
    if (!rows.every((row) => own.has(row))) continue;
    for (const row of rows) found.set(row, { rows, out: -sum(left), back: sum(came) });
  }
  return found;
}

function reduced(after: bigint, before: bigint): Pick<Split, 'after' | 'before'> {
  let [divisor, rest] = [after, before];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return { after: after / divisor, before: before / divisor };
}
