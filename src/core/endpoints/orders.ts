import * as z from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { dateTime, decimal, flag, int64, nested, openEnum, row, text } from './fields.ts';
import { instrument } from './instruments.ts';
import { unpaginatedList, unspecifiedBody, wireNumber } from './shapes.ts';

/**
 * `DAY` expires at midnight in the time zone of the instrument's exchange. `GOOD_TILL_CANCEL` stays until it is
 * filled or cancelled.
 */
export const timeValidities = ['DAY', 'GOOD_TILL_CANCEL'] as const;

export const orderTypes = ['LIMIT', 'STOP', 'MARKET', 'STOP_LIMIT'] as const;
export const orderSides = ['BUY', 'SELL'] as const;

export const orderStatuses = [
  'LOCAL',
  'UNCONFIRMED',
  'CONFIRMED',
  'NEW',
  'CANCELLING',
  'CANCELLED',
  'PARTIALLY_FILLED',
  'FILLED',
  'REJECTED',
  'REPLACING',
  'REPLACED',
] as const;

export const order = row({
  id: int64(),
  createdAt: dateTime(),
  currency: text(),
  /** True: eligible for execution outside regular trading hours. */
  extendedHours: flag(),
  /** Shares executed; for quantity orders. */
  filledQuantity: decimal(),
  /** Monetary value executed; for value orders. */
  filledValue: decimal(),
  initiatedFrom: openEnum(['API', 'IOS', 'ANDROID', 'WEB', 'SYSTEM', 'AUTOINVEST']),
  instrument: nested(instrument),
  /** Applies to LIMIT and STOP_LIMIT; instrument currency. */
  limitPrice: decimal(),
  /** Applies to STOP and STOP_LIMIT; instrument currency. */
  stopPrice: decimal(),
  /** Total shares requested; for quantity orders. */
  quantity: decimal(),
  /** Total monetary value; for value orders. */
  value: decimal(),
  side: openEnum(orderSides),
  status: openEnum(orderStatuses),
  /** Only QUANTITY orders can be placed through the API. */
  strategy: openEnum(['QUANTITY', 'VALUE']),
  ticker: text(),
  timeInForce: openEnum(timeValidities),
  type: openEnum(orderTypes),
});

const ticker = z.string().min(1);
/** Observed: the service takes `DAY` for a body without it. */
const timeValidity = z.enum(timeValidities).default('DAY');

/** A negative quantity sells, a positive one buys. */
const quantity = wireNumber();

export const listPendingOrders = defineEndpoint({
  id: 'listPendingOrders',
  method: 'GET',
  path: '/equity/orders',
  effect: 'read',
  limit: { requests: 1, periodSeconds: 5 },
  response: unpaginatedList(order),
});

export const getPendingOrder = defineEndpoint({
  id: 'getPendingOrder',
  method: 'GET',
  path: '/equity/orders/{id}',
  effect: 'read',
  limit: { requests: 1, periodSeconds: 1 },
  response: order,
});

const placement = { method: 'POST', effect: 'place', response: order } as const;

export const placeLimitOrder = defineEndpoint({
  id: 'placeLimitOrder',
  ...placement,
  path: '/equity/orders/limit',
  limit: { requests: 1, periodSeconds: 2 },
  body: z.strictObject({ ticker, quantity, limitPrice: wireNumber(), timeValidity }),
});

export const placeMarketOrder = defineEndpoint({
  id: 'placeMarketOrder',
  ...placement,
  path: '/equity/orders/market',
  limit: { requests: 50, periodSeconds: 60 },
  body: z.strictObject({ ticker, quantity, extendedHours: z.boolean().default(false) }),
});

export const placeStopOrder = defineEndpoint({
  id: 'placeStopOrder',
  ...placement,
  path: '/equity/orders/stop',
  limit: { requests: 1, periodSeconds: 2 },
  body: z.strictObject({ ticker, quantity, stopPrice: wireNumber(), timeValidity }),
});

export const placeStopLimitOrder = defineEndpoint({
  id: 'placeStopLimitOrder',
  ...placement,
  path: '/equity/orders/stop_limit',
  limit: { requests: 1, periodSeconds: 2 },
  body: z.strictObject({ ticker, quantity, stopPrice: wireNumber(), limitPrice: wireNumber(), timeValidity }),
});

export const cancelOrder = defineEndpoint({
  id: 'cancelOrder',
  method: 'DELETE',
  path: '/equity/orders/{id}',
  effect: 'cancel',
  limit: { requests: 50, periodSeconds: 60 },
  response: unspecifiedBody(),
});
