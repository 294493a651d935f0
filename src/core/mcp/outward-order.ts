/**
 * An order of the service in the form of the other results: `side` with a positive quantity, and each currency named
 * for what it is the currency of. The service sells with a negative quantity.
 */
import type { HistoricalOrder, Order } from '../endpoints/index.ts';

const isNegative = (quantity: string | undefined): boolean => quantity?.startsWith('-') === true;

/** The quantity without its sign. */
export const positive = (quantity: string | undefined): string | undefined => quantity?.replace(/^-/, '');

/** The side, also of an order for which the service returns only a sign. */
export const sideOf = (order: Pick<Order, 'side' | 'quantity'>): string | undefined =>
  order.side ?? (order.quantity === undefined ? undefined : isNegative(order.quantity) ? 'SELL' : 'BUY');

/** The currency of an order's prices; undefined when the service does not name it, because its own is the account's. */
export const priceCurrencyOf = ({ instrument }: Pick<Order, 'instrument'>): string | undefined => instrument?.currency;

export function toOutwardOrder({ currency, ...order }: Order) {
  return {
    ...order,
    side: sideOf(order),
    quantity: positive(order.quantity),
    filledQuantity: positive(order.filledQuantity),
    priceCurrency: priceCurrencyOf(order),
    valueCurrency: currency,
  };
}

export const toOutwardFill = (fill: NonNullable<HistoricalOrder['fill']>) => ({
  ...fill,
  quantity: positive(fill.quantity),
});
