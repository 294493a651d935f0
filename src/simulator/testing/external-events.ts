/** Changes to the account from outside the interface: the app, the market, other clients. */
import Big from 'big.js';
import type { EndpointId } from '../../core/endpoints/index.ts';
import type { InitiatedFrom, OrderRecord, OrderType } from '../account/records.ts';
import { addTransaction, newTransaction } from '../account/simulated-account.ts';
import type { State } from '../handlers/handler-state.ts';
import { payDividend } from '../handlers/histories.ts';
import type { RequestLimits } from '../http/request-limits.ts';
import { closeUnfilled } from '../orders/advance-orders.ts';
import { type NewOrder, placeOrder } from '../orders/place.ts';

export interface AppOrder {
  readonly ticker: string;
  /** Negative sells. */
  readonly quantity: string | number;
  /** Default MARKET. */
  readonly type?: OrderType;
  readonly limitPrice?: string | number;
  readonly stopPrice?: string | number;
  /** Default GOOD_TILL_CANCEL. */
  readonly timeValidity?: OrderRecord['timeInForce'];
  /** Default IOS. */
  readonly initiatedFrom?: InitiatedFrom;
}

export interface TestControls {
  /** Places an order as the app would; returns its id. Throws an ApiError when the service would reject it. */
  order(order: AppOrder): string;
  /**
   * Sets the price from now on, in the instrument's currency; undefined restores the simulated price. A restart resets
   * it.
   */
  setPrice(ticker: string, price: string | number | undefined): void;
  /** Counts requests to an endpoint's rate limit, as another client of the account would. */
  foreignUse(endpoint: EndpointId, requests: number): void;
  /** Rejects a pending order, as the exchange would. */
  rejectOrder(id: string): void;
  /** Pays a dividend on a holding; returns false when there is none. */
  dividend(ticker: string, grossAmountPerShare: string | number): boolean;
  /** Moves cash: positive is a deposit, negative a withdrawal. */
  transfer(amount: string | number): void;
  /** Charges the account a fee, which is positive here. */
  fee(amount: string | number): void;
}

export function createInject(state: () => State, limits: RequestLimits, keep: () => void): TestControls {
  /** Advances the account before the change and saves it afterwards. */
  const change = <T>(act: (state: State) => T): T => {
    const result = act(state());
    keep();
    return result;
  };
  return {
    order: (asked) =>
      change(({ world, account, quirks, now }) => {
        const wanted: NewOrder = {
          ticker: asked.ticker,
          type: asked.type ?? 'MARKET',
          quantity: new Big(asked.quantity),
          ...(asked.limitPrice !== undefined && { limitPrice: new Big(asked.limitPrice) }),
          ...(asked.stopPrice !== undefined && { stopPrice: new Big(asked.stopPrice) }),
          timeInForce: asked.timeValidity ?? 'GOOD_TILL_CANCEL',
          extendedHours: false,
        };
        return String(placeOrder(world, account, quirks, wanted, asked.initiatedFrom ?? 'IOS', now).id);
      }),
    setPrice: (ticker, price) =>
      change(({ world, now }) => world.prices.override(ticker, price === undefined ? undefined : new Big(price), now)),
    foreignUse: (endpoint, requests) => limits.spend(endpoint, requests, state().now),
    rejectOrder: (id) =>
      change(({ account, now }) => {
        const order = account.pending.get(Number(id));
        if (order) closeUnfilled(account, order, 'REJECTED', now);
      }),
    dividend: (ticker, perShare) => change((now) => payDividend(now, ticker, new Big(perShare))),
    transfer: (amount) =>
      change(({ account, now }) => {
        const exact = new Big(amount);
        addTransaction(account, newTransaction(account, exact.lt(0) ? 'WITHDRAW' : 'DEPOSIT', exact, now));
      }),
    fee: (amount) =>
      change(({ account, now }) => addTransaction(account, newTransaction(account, 'FEE', new Big(amount).neg(), now))),
  };
}
