import { createHash } from 'node:crypto';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import {
  type orderSides,
  type orderTypes,
  placeLimitOrder,
  placeMarketOrder,
  placeStopLimitOrder,
  placeStopOrder,
  type timeValidities,
} from '../../endpoints/orders.ts';
import { WireNumber, writeBody } from '../../endpoints/shapes.ts';

export type OrderType = (typeof orderTypes)[number];
export type OrderSide = (typeof orderSides)[number];
export type TimeValidity = (typeof timeValidities)[number];

/**
 * One order as requested, in canonical form: quantities and prices are plain decimal strings without exponent or
 * trailing zeros, `quantity` is positive, and `side` gives the direction.
 */
export interface OrderRequest {
  readonly type: OrderType;
  readonly ticker: string;
  readonly side: OrderSide;
  readonly quantity: string;
  /** In the instrument currency (pence for GBX). LIMIT and STOP_LIMIT. */
  readonly limitPrice?: string | undefined;
  /** In the instrument currency (pence for GBX). STOP and STOP_LIMIT. */
  readonly stopPrice?: string | undefined;
  /** All types except MARKET. */
  readonly timeValidity?: TimeValidity | undefined;
  /** MARKET only. */
  readonly extendedHours?: boolean | undefined;
}

const orderEndpoints: Record<OrderType, Endpoint> = {
  LIMIT: placeLimitOrder,
  MARKET: placeMarketOrder,
  STOP: placeStopOrder,
  STOP_LIMIT: placeStopLimitOrder,
};

/** The quantity as the interface expects it: negative for a sale. */
export const signedQuantity = (order: Pick<OrderRequest, 'side' | 'quantity'>): string =>
  order.side === 'SELL' ? `-${order.quantity}` : order.quantity;

/**
 * Returns the endpoint and the exact bytes of the body. The numbers are written from the decimal strings, so none
 * passes through floating point. Only the fields of the type are included: the service refuses an extra one
 * (docs/interface.md, Orders).
 */
export function toWireOrder(order: OrderRequest): { endpoint: Endpoint; body: string } {
  const number = (value: string | undefined) => (value === undefined ? undefined : new WireNumber(value));
  const body = writeBody({
    ticker: order.ticker,
    quantity: new WireNumber(signedQuantity(order)),
    stopPrice: number(order.stopPrice),
    limitPrice: number(order.limitPrice),
    ...(order.type === 'MARKET'
      ? { extendedHours: order.extendedHours ?? false }
      : { timeValidity: order.timeValidity }),
  });
  return { endpoint: orderEndpoints[order.type], body };
}

/** SHA-256 (hexadecimal) over everything that makes two orders the same order on the same account. */
export function orderFingerprint(order: OrderRequest, place: { environment: string; accountKey: string }): string {
  const parts = [
    place.environment,
    place.accountKey,
    orderEndpoints[order.type].id,
    order.ticker,
    order.side,
    order.quantity,
    order.limitPrice ?? '',
    order.stopPrice ?? '',
    order.timeValidity ?? '',
    String(order.extendedHours ?? false),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
