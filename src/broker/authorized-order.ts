import type { Endpoint } from '../catalogue/index.ts';

declare const cleared: unique symbol;

/**
 * An order that the order manager has authorized. Only orders/order-manager.ts may create one; a lint rule enforces
 * it.
 */
export interface AuthorizedOrder {
  readonly [cleared]: true;
  readonly endpoint: Endpoint;
  /** The exact bytes of the request body. */
  readonly body: string;
  readonly intentId: string;
}

/** Marks an order as authorized. Only orders/order-manager.ts may call it. */
export const authorizeOrder = (order: Omit<AuthorizedOrder, typeof cleared>): AuthorizedOrder =>
  order as AuthorizedOrder;
