import type { Endpoint } from '../endpoints/index.ts';

declare const authorized: unique symbol;

/**
 * An order whose intent is approved; the commit checks it again before it is sent. Only orders/send/send-order.ts may
 * create one; a lint rule and tests enforce it.
 */
export interface AuthorizedOrder {
  readonly [authorized]: true;
  readonly endpoint: Endpoint;
  /** The exact bytes of the request body. */
  readonly body: string;
  readonly intentId: string;
}

/** Marks an order as authorized. It checks nothing: the caller has read the intent in the state APPROVED. */
export const authorizeOrder = (order: Omit<AuthorizedOrder, typeof authorized>): AuthorizedOrder =>
  order as AuthorizedOrder;
