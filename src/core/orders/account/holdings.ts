/** Shares held, pending and free of one ticker, as the account was read. */
import Big from 'big.js';
import { getTicker } from '../../endpoints/get-ticker.ts';
import type { Order, Position } from '../../endpoints/index.ts';

export interface Holdings {
  readonly positions: readonly Position[];
  readonly pending: readonly Order[];
}

export const pendingOnTicker = (ticker: string, { pending }: Pick<Holdings, 'pending'>): readonly Order[] =>
  pending.filter((other) => getTicker(other) === ticker);

/** Shares held, as a decimal string; "0" for a ticker that is not held. */
export const heldQuantity = (ticker: string, { positions }: Pick<Holdings, 'positions'>): string =>
  findPosition(ticker, positions)?.quantity ?? '0';

/**
 * Shares of the ticker that can be sold. Shares in pies and in pending sales are not free, even if the position
 * reports them as available.
 */
export function sellableQuantity(ticker: string, facts: Holdings): Big {
  const held = findPosition(ticker, facts.positions);
  if (!held) return new Big(0);
  const free = new Big(held.quantity ?? 0).minus(held.quantityInPies ?? 0).minus(pendingSales(ticker, facts));
  const available = new Big(held.quantityAvailableForTrading ?? free);
  const smaller = free.lt(available) ? free : available;
  return smaller.lt(0) ? new Big(0) : smaller;
}

/** How many shares can be sold, for the reason of a refusal, and why it is not the rest. */
export function saySellable(ticker: string, most: Big, { positions }: Pick<Holdings, 'positions'>): string {
  const inPies = new Big(findPosition(ticker, positions)?.quantityInPies ?? 0);
  const why = inPies.gt(0) ? ` ${inPies.toFixed()} of the shares held are in pies.` : '';
  return most.gt(0) ? `At most ${most.toFixed()} can be sold.${why}` : `No shares of ${ticker} can be sold.${why}`;
}

/** Shares that pending sales of the ticker may still take. */
export const pendingSales = (ticker: string, facts: Pick<Holdings, 'pending'>): Big =>
  openQuantity(pendingOnTicker(ticker, facts).filter((order) => !isBuy(order)));

/** Shares held plus those that pending purchases may add. */
export const maxHolding = (ticker: string, facts: Holdings): Big =>
  openQuantity(pendingOnTicker(ticker, facts).filter(isBuy)).plus(heldQuantity(ticker, facts));

const findPosition = (ticker: string, positions: readonly Position[]): Position | undefined =>
  positions.find((position) => position.instrument?.ticker === ticker);

/** Whether a pending order buys. */
export const isBuy = ({ side, quantity }: Order): boolean =>
  side === 'BUY' || (side === undefined && !quantity?.startsWith('-'));

/** An order for an amount has no quantity, so it takes no known number of shares. */
const openQuantity = (orders: readonly Order[]): Big =>
  orders.reduce((sum, { quantity, filledQuantity }) => {
    const open = new Big(quantity ?? 0).abs().minus(new Big(filledQuantity ?? 0).abs());
    return open.gt(0) ? sum.plus(open) : sum;
  }, new Big(0));
