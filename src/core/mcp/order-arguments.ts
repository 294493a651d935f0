/** The arguments of an order of any type, for tools that take the type as an argument. */

import * as z from 'zod';
import type { HistoricalOrder, Order } from '../endpoints/index.ts';
import { extendedHours, limitPrice, quantity, side, stopPrice, ticker, timeValidity } from './arguments.ts';

/** The fields of an order, with its type. */
export const orderShape = () => ({
  type: z
    .enum(['LIMIT', 'MARKET', 'STOP', 'STOP_LIMIT'], 'must be LIMIT, MARKET, STOP or STOP_LIMIT')
    .meta({ description: 'Type' }),
  ticker: ticker(),
  side: side(),
  quantity: quantity(),
  limitPrice: limitPrice().optional(),
  stopPrice: stopPrice().optional(),
  timeValidity: timeValidity().optional(),
  extendedHours: extendedHours(),
});

/** The methods by which a sale can be matched with shares. */
export const saleMethods = ['fifo', 'average', 'uk_section_104'] as const;
export type SaleMethod = (typeof saleMethods)[number];

/** The method by which a sale is matched with shares. */
export const saleMethod = (description: string) =>
  z.enum(saleMethods, 'must be fifo, average or uk_section_104').optional().meta({ description });

const fieldTypes = {
  limitPrice: ['LIMIT', 'STOP_LIMIT'],
  stopPrice: ['STOP', 'STOP_LIMIT'],
  timeValidity: ['LIMIT', 'STOP', 'STOP_LIMIT'],
  extendedHours: ['MARKET'],
} as const satisfies Record<string, readonly string[]>;

/** For `superRefine`: an order has exactly the fields of its type. */
export function checkOrderFields(
  order: { readonly type: string } & { readonly [Name in keyof typeof fieldTypes]?: unknown },
  ctx: z.RefinementCtx,
): void {
  for (const [name, types] of Object.entries(fieldTypes)) {
    const given = order[name as keyof typeof fieldTypes] !== undefined;
    const allowed = (types as readonly string[]).includes(order.type);
    if (given && !allowed)
      ctx.addIssue({ code: 'custom', message: `${name} is not allowed for a ${order.type} order` });
    if (!given && allowed && name !== 'extendedHours')
      ctx.addIssue({ code: 'custom', message: `${name} is missing: a ${order.type} order needs it` });
  }
}

// An order of the service in the form of the other results: `side` with a positive quantity, and each currency named
// for what it is the currency of. The service sells with a negative quantity.

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
