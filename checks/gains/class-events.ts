/** What happened to the shares of one class, in units of its last day. */
import { type Account, type AccountRow, isDividend } from './account-row.ts';
import { addAll, type Fraction, multiply, subtract, toFraction, zero } from './fraction.ts';
import { convertParts, type GivenPart, isExchangeRow, type ShareExchange } from './share-exchanges.ts';
import { findUnits } from './share-units.ts';

/** Shares that arrive. A cost that nobody knows is undefined. */
interface Arrival {
  /** `purchase`: can be matched with a sale. `addition`: belongs to the shares held, such as a rights issue. */
  readonly kind: 'purchase' | 'addition';
  /** When they were acquired, which is before `index` for shares that were transferred in. */
  readonly acquiredAt: number;
  readonly cost: Fraction | undefined;
}

interface Sale {
  readonly kind: 'sale';
  readonly proceeds: Fraction;
  readonly charges: Fraction;
}

/** Capital that was paid back, without any shares. */
interface Return {
  readonly kind: 'return';
  readonly amount: Fraction;
}

/** Shares that leave. With the id of the row, their cost goes to those for which they are exchanged. */
interface Removal {
  readonly kind: 'removal';
  readonly exchangeId?: bigint;
}

export type ClassEvent = (Arrival | Sale | Return | Removal) & {
  /** The place among the rows of the class, which is the order of execution. */
  readonly index: number;
  readonly at: number;
  readonly ticker: string;
  readonly quantity: Fraction;
  /** Units in one share, as shares were at the row. */
  readonly perShare: Fraction;
};

export type SaleEvent = ClassEvent & Sale;
export type ArrivalEvent = ClassEvent & Arrival;

/** What is known of the exchanges of an account. */
export interface ExchangeFacts {
  readonly exchanges: ReadonlyMap<bigint, ShareExchange>;
  /** What left in an exchange. */
  readonly getGiven: (exchange: ShareExchange) => readonly GivenPart[];
}

/** `rows` are those of one share class, in the order of execution. */
export function readEvents(
  rows: readonly AccountRow[],
  originalCosts: Account['originalCosts'],
  { exchanges, getGiven }: ExchangeFacts,
): ClassEvent[] {
  const units = findUnits(rows);
  return rows.flatMap((row, index): ClassEvent[] => {
    if (row.type === 'STOCK_SPLIT') return [];
    const perShare = units[index] as Fraction;
    const quantity = multiply(toFraction(row.quantity), perShare);
    const place = { index, at: row.at, ticker: row.ticker, perShare };
    const exchange = exchanges.get(row.id);
    // The same shares under another ticker: nothing happened.
    if (exchange && exchange.in.isin === exchange.out.isin) return [];
    if (exchange && row.side === 'BUY')
      return convertParts(getGiven(exchange), quantity).map((part) => ({
        ...place,
        kind: 'addition',
        quantity: part.units,
        acquiredAt: part.acquiredAt ?? row.at,
        cost: part.cost,
      }));
    return [{ ...place, quantity, ...classify(row, originalCosts), ...(exchange ? { exchangeId: row.id } : {}) }];
  });
}

function classify(row: AccountRow, originalCosts: Account['originalCosts']): Arrival | Sale | Return | Removal {
  const value = toFraction(row.value ?? '0');
  if (isDividend(row)) return { kind: 'return', amount: value };
  if (row.side === 'SELL') {
    if (row.type !== 'TRADE') return { kind: 'removal' };
    return { kind: 'sale', proceeds: value, charges: subtract(zero, addAll(row.charges.map(toFraction))) };
  }
  if (row.type === 'TRADE') return { kind: 'purchase', acquiredAt: row.at, cost: value };
  if (isExchangeRow(row)) return { kind: 'addition', acquiredAt: row.at, cost: undefined };
  if (row.type !== 'FOP') return { kind: 'addition', acquiredAt: row.at, cost: value };
  const original = originalCosts.get(row.id);
  return original
    ? { kind: 'purchase', acquiredAt: original.acquiredAt, cost: toFraction(original.cost) }
    : { kind: 'addition', acquiredAt: row.at, cost: undefined };
}

export const isSale = (event: ClassEvent): event is SaleEvent => event.kind === 'sale';
export const isArrival = (event: ClassEvent): event is ArrivalEvent =>
  event.kind === 'purchase' || event.kind === 'addition';
