/** Matched sales as they are shown: exact decimals again, in shares as they were at the sale. */
import type Big from 'big.js';
import type { Trade } from '../trades.ts';
import { fromWhole, partOf, type Scale, toShares } from './fixed-point.ts';
import type { MatchedSale, Piece } from './matching.ts';
import type { Disposal, GainsMethod, Match, Unmatched } from './types.ts';

/** The whole numbers behind a disposal, to be added up before anything is made a decimal. */
export interface SaleFigures {
  readonly sale: MatchedSale;
  /** Of the first of its sales. */
  readonly at: number;
  readonly tickers: readonly string[];
  readonly units: bigint;
  /** Of the units that have a cost, and of those that have none. */
  readonly proceeds: bigint;
  readonly missingProceeds: bigint;
  readonly cost: bigint;
}

export function figuresOf(sale: MatchedSale): SaleFigures {
  let units = 0n;
  let received = 0n;
  for (const part of sale.sales) {
    units += part.units;
    received += part.amount;
  }
  let cost = 0n;
  for (const piece of sale.pieces) cost += piece.cost;
  const proceeds = partOf(received, units - sale.missing, units);
  return {
    sale,
    at: sale.sales[0].trade.at,
    tickers: tickersOf(sale),
    units,
    proceeds,
    missingProceeds: received - proceeds,
    cost,
  };
}

const tickersOf = ({ sales }: MatchedSale): readonly string[] =>
  sales.length === 1 ? [sales[0].trade.ticker] : [...new Set(sales.map(({ trade }) => trade.ticker))];

export const labelOf = ({ tickers }: SaleFigures): string =>
  tickers.length === 1 ? String(tickers[0]) : tickers.join(' + ');

export const isMatched = ({ sale }: SaleFigures): boolean => sale.pieces.length > 0;

export function disposalOf(figures: SaleFigures, scale: Scale): Disposal {
  const { at, sale } = figures;
  const quantity = sharesOf(figures, figures.units - sale.missing, scale);
  const proceeds = asInRow(figures)?.netValue ?? fromWhole(figures.proceeds, scale.money);
  const cost = fromWhole(figures.cost, scale.money);
  const [only] = sale.pieces;
  const matches =
    only && sale.pieces.length === 1
      ? [matchOf(only, quantity, cost)]
      : sale.pieces.map((piece) =>
          matchOf(piece, sharesOf(figures, piece.units, scale), fromWhole(piece.cost, scale.money)),
        );
  return { at, ticker: labelOf(figures), quantity, proceeds, cost, gain: proceeds.minus(cost), matches };
}

/** What was sold without a known cost; undefined when there is none. */
export function unmatchedOf(figures: SaleFigures, method: GainsMethod, scale: Scale): Unmatched | undefined {
  const { missing } = figures.sale;
  if (missing === 0n) return undefined;
  return {
    at: figures.at,
    ticker: labelOf(figures),
    side: 'SELL',
    quantity: sharesOf(figures, missing, scale),
    proceeds: fromWhole(figures.missingProceeds, scale.money),
    reason: method === 'broker' ? noResult : soldTooMuch,
  };
}

const noResult = 'The service gave no realised result for this sale.';
const soldTooMuch = 'More was sold than is known to have been held: earlier purchases may be missing.';

const matchOf = ({ rule, acquiredAt }: Piece, quantity: Big, cost: Big): Match =>
  acquiredAt === undefined ? { rule, quantity, cost } : { rule, quantity, cost, acquiredAt };

/** The row, where it is the disposal as it stands: that saves converting its figures back. */
const asInRow = ({ sale: { sales, missing } }: SaleFigures): Trade | undefined =>
  sales.length === 1 && missing === 0n ? sales[0].trade : undefined;

/** The last sale of a day says what a share is, should there be a split between them. */
const sharesOf = (figures: SaleFigures, units: bigint, scale: Scale): Big =>
  (units === figures.units ? asInRow(figures)?.quantity : undefined) ??
  toShares(units, figures.sale.sales.at(-1)?.weight ?? 1n, scale);
