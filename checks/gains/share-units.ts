/**
 * Expresses all shares of a class in the units of its last day, so that no rule has to know of splits: a share before
 * a split of two for one is two units, a share after it is one.
 */
import { type AccountRow, nameListing } from './account-row.ts';
import { add, divide, type Fraction, isPositive, multiply, one, subtract, toFraction, zero } from './fraction.ts';

interface SplitRow {
  /** The place in the list of rows. */
  readonly index: number;
  readonly listing: string;
  readonly at: number;
  readonly ratio: Fraction;
}

interface Split {
  readonly ratio: Fraction;
  /** The place from which on rows of a listing are in new shares. */
  readonly startsAt: ReadonlyMap<string, number>;
  readonly first: number;
}

/** A company splits all listings of a share within days; a second split so soon would be a new one. */
const sameSplitMs = 7 * 86_400_000;

/** Units for each share of a row, by the place of the row. `rows` are those of one share class. */
export function findUnits(rows: readonly AccountRow[]): Fraction[] {
  const splits = joinListings(readSplitRows(rows));
  return rows.map((row, index) =>
    splits
      .filter((split) => index < (split.startsAt.get(nameListing(row)) ?? split.first))
      .reduce((units, { ratio }) => multiply(units, ratio), one),
  );
}

/** TCGA 1992 ss 126 and 127: the new shares stand in the place of the old. */
function readSplitRows(rows: readonly AccountRow[]): SplitRow[] {
  const held = new Map<string, Fraction>();
  const found: SplitRow[] = [];
  const paired = new Set<number>();
  rows.forEach((row, index) => {
    const { at } = row;
    const listing = nameListing(row);
    const before = held.get(listing) ?? zero;
    const quantity = toFraction(row.quantity);
    if (row.type === 'STOCK_SPLIT' && !paired.has(index)) {
      const other = findOtherHalf(rows, index);
      if (other === undefined) {
        found.push({ index, listing, at, ratio: divide(add(before, quantity), before) });
      } else {
        paired.add(other);
        const [close, open] = row.side === 'SELL' ? [row, rows[other]] : [rows[other], row];
        const ratio = divide(toFraction(open?.quantity ?? '0'), toFraction(close?.quantity ?? '0'));
        found.push({ index, listing, at, ratio });
      }
    }
    held.set(listing, row.side === 'SELL' ? subtract(before, quantity) : add(before, quantity));
  });
  return found.filter(({ ratio }) => isPositive(ratio));
}

function findOtherHalf(rows: readonly AccountRow[], index: number): number | undefined {
  const row = rows[index] as AccountRow;
  const other = rows.findIndex(
    (one, place) =>
      place > index &&
      one.type === row.type &&
      nameListing(one) === nameListing(row) &&
      one.side !== row.side &&
      one.at - row.at <= 1000,
  );
  return other < 0 ? undefined : other;
}

function joinListings(rows: readonly SplitRow[]): Split[] {
  const splits: { ratio: Fraction; startsAt: Map<string, number>; first: number; at: number }[] = [];
  for (const { index, listing, at, ratio } of rows) {
    const known = splits.find(
      (split) =>
        !split.startsAt.has(listing) &&
        at - split.at <= sameSplitMs &&
        split.ratio[0] === ratio[0] &&
        split.ratio[1] === ratio[1],
    );
    if (known) known.startsAt.set(listing, index);
    else splits.push({ ratio, at, first: index, startsAt: new Map([[listing, index]]) });
  }
  return splits;
}
