/** The account as a plan of several orders needs it: what our own orders leave of its cash and shares. */
import Big from 'big.js';
import type { CallContext } from '../broker/types.ts';
import type { AccountSnapshot } from './account/account-snapshot.ts';
import { cashLeft, holdingWithOwn, type OwnOrders, sharesLeft, unlisted } from './account/exposure.ts';
import { heldQuantity, isBuy, pendingOnTicker, pendingSales, sellableQuantity } from './account/holdings.ts';
import type { OrderRequest } from './intent/order-request.ts';
import { currentLimits, type OrderDeps } from './order-deps.ts';
import { listOwn } from './risk/evaluate-order.ts';

export interface TradableAccount {
  readonly snapshot: AccountSnapshot;
  /** In the account currency; undefined when the service did not report the available cash. */
  readonly cash: Big | undefined;
  /** The shares of a ticker as they are and as they will be. */
  getShares(ticker: string): TickerShares;
  /** The number of open orders of one side for a ticker: pending at the service, or own and not in its list yet. */
  countOpen(ticker: string, side: OrderRequest['side']): number;
}

export interface TickerShares {
  /** As the service reports it. */
  readonly held: Big;
  /** With all pending and own orders counted as executed. */
  readonly afterPending: Big;
  /** What can be sold now. */
  readonly sellable: Big;
}

type Deps = Pick<OrderDeps, 'facts' | 'journal' | 'clock' | 'settings' | 'configuredLimits' | 'accountKey'>;

/** Reads the account and our own orders. Throws when one of them cannot be read. */
export async function readTradableAccount(deps: Deps, context: CallContext): Promise<TradableAccount> {
  const snapshot = await deps.facts.readAccount({ ...context, priority: 'read' });
  const accountKey = await deps.accountKey();
  const now = deps.clock.now();
  return deps.journal.read(async (tx) => {
    const { maxOrderValue } = await currentLimits(deps, tx);
    const account: OwnOrders = { facts: snapshot, own: await listOwn(tx, accountKey, now), now };
    return {
      snapshot,
      cash: cashLeft(account, maxOrderValue),
      getShares: (ticker) => countShares(ticker, account),
      countOpen: (ticker, side) => countOpen(ticker, side, account),
    };
  });
}

function countOpen(ticker: string, side: OrderRequest['side'], account: OwnOrders): number {
  const listed = pendingOnTicker(ticker, account.facts).filter((order) => isBuy(order) === (side === 'BUY'));
  const own = unlisted(account).filter((intent) => intent.ticker === ticker && intent.request.side === side);
  return listed.length + own.length;
}

function countShares(ticker: string, account: OwnOrders): TickerShares {
  const { facts } = account;
  const held = new Big(heldQuantity(ticker, facts));
  const sellable = sharesLeft(ticker, account);
  // `sellableQuantity` is after the listed sales, `sharesLeft` also after those that the list may not show yet.
  const unlistedSales = sellableQuantity(ticker, facts).minus(sellable);
  const bought = holdingWithOwn(ticker, account);
  const afterPending = bought.minus(pendingSales(ticker, facts)).minus(unlistedSales.gt(0) ? unlistedSales : 0);
  return { held, afterPending, sellable: sellable.gt(0) ? sellable : new Big(0) };
}
