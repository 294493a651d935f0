/** What the books say about the tickers of a plan. It shares no code with the planner. */
import {
  add,
  addAll,
  divide,
  type Fraction,
  isPositive,
  multiply,
  smaller,
  subtract,
  toFraction,
  zero,
} from '../../checks/gains/fraction.ts';
import type { GroundTruth } from '../../src/simulator/testing/ground-truth.ts';
import type { Truth } from '../types.ts';
import { tradesOf } from './ledger.ts';

/** The account at the moment of a plan. */
export type Account = Pick<Truth, 'books' | 'world' | 'at'>;
export type Side = 'BUY' | 'SELL';

/** A charge as a part of the value of an order. */
export interface Charge {
  readonly kind: string;
  readonly rate: Fraction;
}

export interface Asset {
  readonly ticker: string;
  /** With pending orders counted as executed. */
  readonly held: Fraction;
  /** Neither in a pie nor in a pending sale. */
  readonly sellable: Fraction;
  /** Of one share, in the account currency. */
  readonly price: Fraction;
  /** Of the quantity of an order. */
  readonly decimals: number;
  readonly charges: Readonly<Record<Side, readonly Charge[]>>;
}

/** An asset; `assumed` is the price in its currency of a ticker that is not held. */
export function assetOf(account: Account, ticker: string, assumed?: string): Asset {
  const { books, world } = account;
  const { currency } = world.get(ticker);
  const position = books.positions.find((one) => one.ticker === ticker);
  const quantity = toFraction(position?.quantity ?? '0');
  const open = books.pendingOrders
    .filter((order) => order.ticker === ticker)
    .map((order) => subtract(toFraction(order.quantity ?? '0'), toFraction(order.filledQuantity)));
  const sales = open.map((signed) => smaller(signed, zero));
  return {
    ticker,
    held: addAll([quantity, ...open]),
    sellable: addAll([quantity, subtract(zero, toFraction(position?.quantityInPies ?? '0')), ...sales]),
    price: position ? priceOf(account, position) : multiply(toFraction(assumed ?? '0'), knownRate(currency)),
    decimals: tradedDecimals(account, ticker),
    charges: { BUY: chargesOf(account, ticker, 'BUY'), SELL: chargesOf(account, ticker, 'SELL') },
  };
}

export const heldAssets = (account: Account): Asset[] =>
  account.books.positions.map(({ ticker }) => assetOf(account, ticker));

export const heldValue = ({ held, price }: Asset): Fraction => multiply(held, price);

/** In pounds and pence the price itself; in another currency the value of what is held shows the rate. */
function priceOf(
  { world, at }: Account,
  { ticker, currentValue, quantity }: GroundTruth['positions'][number],
): Fraction {
  const instrument = world.get(ticker);
  const rate = exactRates[instrument.currency];
  if (!rate) return divide(toFraction(currentValue), toFraction(quantity));
  return multiply(toFraction(world.prices.priceAt(instrument, at).toFixed()), rate);
}

const exactRates: Readonly<Record<string, Fraction>> = { GBP: [1n, 1n], GBX: [1n, 100n] };

/** For an assumed price: the rates of other currencies are known only by what is held in them. */
function knownRate(currency: string): Fraction {
  const rate = exactRates[currency];
  if (!rate) throw new Error(`no rate of ${currency} is known here`);
  return rate;
}

/** The most decimals of an order by quantity that was filled; none without one. */
function tradedDecimals({ books }: Account, ticker: string): number {
  const quantities = tradesOf(books).flatMap(({ order }) =>
    order.ticker === ticker && order.value === undefined ? [order.quantity ?? '0'] : [],
  );
  return Math.max(0, ...quantities.map((quantity) => quantity.split('.')[1]?.length ?? 0));
}

/** The newest twenty fills show what a trade is charged: of the ticker, or of instruments of the same kind. */
const newestFills = 20;

function chargesOf({ books, world }: Account, ticker: string, side: Side): Charge[] {
  const kindOf = (name: string) => {
    const { currency, isin, type } = world.get(name);
    return [currency, isin.slice(0, 2), type].join();
  };
  const fills = tradesOf(books)
    .filter(({ order, fill }) => order.side === side && fill.netValue !== '0')
    .reverse();
  const own = fills.filter(({ order }) => order.ticker === ticker);
  const alike = fills.filter(({ order }) => kindOf(order.ticker) === kindOf(ticker));
  const newest = (own.length > 0 ? own : alike).slice(0, newestFills).map(({ fill }) => fill);
  const taxes = newest.flatMap((fill) => fill.taxes);
  const sumOf = (list: typeof taxes) => addAll(list.map(({ quantity }) => toFraction(quantity)));
  const net = addAll(newest.map(({ netValue }) => toFraction(netValue)));
  // Charges are added to what a buy takes, and subtracted from what a sale brings.
  const gross = side === 'BUY' ? subtract(net, sumOf(taxes)) : add(net, sumOf(taxes));
  return [...new Set(taxes.map(({ name }) => name))]
    .map((kind) => ({ kind, amount: sumOf(taxes.filter(({ name }) => name === kind)) }))
    .filter(({ amount }) => isPositive(amount))
    .map(({ kind, amount }) => ({ kind, rate: divide(amount, gross) }));
}
