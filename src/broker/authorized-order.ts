import type { Endpoint } from '../catalogue/index.ts';

declare const cleared: unique symbol;

/** An order that the desk has let through. Only orders/order-manager.ts may make one (a lint rule holds that). */
export interface AuthorizedOrder {
  readonly [cleared]: true;
  readonly endpoint: Endpoint;
  /** The exact bytes of the request body. */
  readonly body: string;
  readonly intentId: string;
}

export const authorizeOrder = (order: Omit<AuthorizedOrder, typeof cleared>): AuthorizedOrder =>
  order as AuthorizedOrder;
