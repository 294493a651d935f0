/** The arguments of an order of any type, for tools that take the type as an argument. */
import * as z from 'zod';
import { extendedHours, limitPrice, quantity, side, stopPrice, ticker, timeValidity } from './arguments.ts';

/** The fields of an order, with its type. */
export const orderShape = () => ({
  type: z
    .enum(['LIMIT', 'MARKET', 'STOP', 'STOP_LIMIT'], 'must be LIMIT, MARKET, STOP or STOP_LIMIT')
    .meta({ description: 'Order type' }),
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
