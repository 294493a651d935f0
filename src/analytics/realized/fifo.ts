/** First in, first out: a sale takes the oldest shares held. */
import type { Movement } from './holding-events.ts';
import { consumeLot, type Lot, type LotMatch, type MatchedSale, type Matching, matchedSale } from './lot-matching.ts';

export function matchFifo(movements: readonly Movement[]): Matching {
  const lots: (Lot & { readonly at: number })[] = [];
  // Lots before this index are used up. Removing them from the front of the array would move all others.
  let oldest = 0;
  const sales: MatchedSale[] = [];
  let removedCost = 0n;
  let missingRemoved = 0n;

  const takeOldest = (most: bigint): LotMatch | undefined => {
    const lot = lots[oldest];
    if (!lot || most === 0n) return undefined;
    const { units, cost } = consumeLot(lot, most);
    if (lot.units === 0n) oldest++;
    return { rule: 'fifo', units, cost, acquiredAt: lot.at };
  };

  for (const movement of movements) {
    const { kind, trade, units, amount } = movement;
    if (kind === 'acquired') {
      lots.push({ at: trade.at, units, cost: amount });
      continue;
    }
    const pieces: LotMatch[] = [];
    let missing = units;
    for (let piece = takeOldest(missing); piece; piece = takeOldest(missing)) {
      pieces.push(piece);
      missing -= piece.units;
    }
    if (kind === 'sold') sales.push(matchedSale(movement, pieces, missing));
    else {
      for (const { cost } of pieces) removedCost += cost;
      missingRemoved += missing;
    }
  }
  const left: Lot = { units: 0n, cost: 0n };
  for (const lot of lots.slice(oldest)) {
    left.units += lot.units;
    left.cost += lot.cost;
  }
  return { sales, left, removedCost, missingRemoved };
}
