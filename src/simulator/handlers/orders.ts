import Big from 'big.js';
import type { OrderRecord } from '../account/records.ts';
import { notFound } from '../api-error.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { World } from '../world/world.ts';
import type { State } from './handler-state.ts';

export const instrumentBody = (world: World, ticker: string) => {
  const { name, isin, currency } = world.get(ticker);
  return { ticker, name, isin, currency };
};

/** Formats a signed quantity, without its sign where the quirk says so. */
export const formatQuantity = (quantity: string, quirks: Quirks): Big =>
  quirks.unsignedSells ? new Big(quantity).abs() : new Big(quantity);

export const optionalBig = (text: string | undefined): Big | undefined =>
  text === undefined ? undefined : new Big(text);

export function orderBody(order: OrderRecord, { world, quirks }: Pick<State, 'world' | 'quirks'>) {
  const byValue = order.value !== undefined;
  return {
    id: BigInt(order.id),
    createdAt: new Date(order.createdAt),
    currency: world.currency,
    extendedHours: order.extendedHours,
    filledQuantity: byValue ? undefined : formatQuantity(order.filledQuantity, quirks),
    filledValue: optionalBig(order.filledValue),
    initiatedFrom:
      quirks.unknownEnums && order.initiatedFrom === 'AUTOINVEST' ? 'INSTRUMENT_AUTOINVEST' : order.initiatedFrom,
    instrument: instrumentBody(world, order.ticker),
    limitPrice: optionalBig(order.limitPrice),
    stopPrice: optionalBig(order.stopPrice),
    quantity: order.quantity === undefined ? undefined : formatQuantity(order.quantity, quirks),
    value: optionalBig(order.value),
    side: order.side,
    status: order.status,
    strategy: byValue ? 'VALUE' : 'QUANTITY',
    ticker: order.ticker,
    // Observed: a market order has no validity.
    timeInForce: order.type === 'MARKET' ? undefined : order.timeInForce,
    type: order.type,
  };
}

/**
 * Returns pending orders as a client sees them: without the newest, and still with those just filled, when these quirks
 * are on.
 */
export function visibleOrders({ account, quirks, now }: State): OrderRecord[] {
  const lagging =
    account.beforeFill && now < account.beforeFill.at + quirks.staleReadMs
      ? account.beforeFill.orders.filter(({ id }) => !account.pending.has(id))
      : [];
  return [...account.pending.values(), ...lagging].filter(
    ({ createdAt }) => now >= createdAt + quirks.unreadableOrderMs,
  );
}

export function visibleOrder(state: State, id: number): OrderRecord {
  const order = visibleOrders(state).find((one) => one.id === id);
  if (!order) throw notFound(`order ${id}`);
  return order;
}
