/** The account as a plan of several orders needs it: what our own orders leave of its cash and shares. */
import Big from 'big.js';
import type { CallContext } from '../broker/types.ts';
import type { AccountSnapshot } from './account/account-snapshot.ts';
import { cashLeft, countsInLimits, holdingWithOwn, type OwnOrders, sharesLeft, unlisted } from './account/exposure.ts';
import { heldQuantity, isBuy, pendingOnTicker, pendingSales, sellableQuantity } from './account/holdings.ts';
import type { OrderRequest } from './intent/order-request.ts';
import { getPlacedAt } from './intent/order-time.ts';
import { currentLimits, type OrderDeps } from './order-deps.ts';
import { readAfterOrders } from './read-after-orders.ts';
import { listOwn } from './risk/evaluate-order.ts';

export interface TradableAccount {
  readonly snapshot: AccountSnapshot;
  /** Since when (ms) a history must have been read to have the newest own order; undefined without a recent one. */
  readonly since: number | undefined;
  /** In the account currency; undefined when the service did not report the available cash. */
  readonly cash: Big | undefined;
  /** The shares of a ticker as they are and as they will be. */
  getShares(ticker: string): TickerShares;
  /** The number of open orders of one side for a ticker: pending at the service, or own and not in its list yet. */
  countOpen(ticker: string, side: OrderRequest['side']): number;
  /** The newest own order of the last day that was sent for a ticker, unless it ended without a fill. */
  findLastSent(ticker: string): SentOrder | undefined;
}

export interface SentOrder {
  readonly sentAt: number;
  /** Undefined while its outcome is unknown. */
  readonly orderId: string | undefined;
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
  const { account: snapshot, since } = await readAfterOrders(
    deps,
    { ...context, priority: 'read' },
    (reading, oldest) => deps.facts.readAccount(reading, oldest),
  );
  const accountKey = await deps.accountKey();
  const now = deps.clock.now();
  return deps.journal.read(async (tx) => {
    const { maxOrderValue } = await currentLimits(deps, tx);
    const account: OwnOrders = { facts: snapshot, own: await listOwn(tx, accountKey, now), now };
    return {
      snapshot,
      since,
      cash: cashLeft(account, maxOrderValue),
      getShares: (ticker) => countShares(ticker, account),
      countOpen: (ticker, side) => countOpen(ticker, side, account),
      findLastSent: (ticker) => findLastSent(ticker, account),
    };
  });
}

function countOpen(ticker: string, side: OrderRequest['side'], account: OwnOrders): number {
  const listed = pendingOnTicker(ticker, account.facts).filter((order) => isBuy(order) === (side === 'BUY'));
  const own = unlisted(account).filter((intent) => intent.ticker === ticker && intent.request.side === side);
  return listed.length + own.length;
}

function findLastSent(ticker: string, { own, now }: OwnOrders): SentOrder | undefined {
  const sent = own
    .filter((intent) => intent.ticker === ticker && intent.sentAt !== undefined && countsInLimits(intent, now))
    .filter(({ endedAs }) => endedAs === undefined)
    .map((intent): SentOrder => ({ sentAt: getPlacedAt(intent, now), orderId: intent.orderId }));
  return sent.toSorted((a, b) => b.sentAt - a.sentAt)[0];
}

function countShares(ticker: string, account: OwnOrders): TickerShares {
  const { facts } = account;
  const held = new Big(heldQuantity(ticker, facts));
  const sellable = sharesLeft(ticker, account);
  // `sellableQuantity` is after the listed sales, `sharesLeft` also after those that the list may not show yet.
  const unlistedSales = sellableQuantity(ticker, facts).minus(sellable);
  const bought = holdingWithOwn(ticker, account);
  const afterPending = bought.minus(pendingSales(ticker, facts)).minus(unlistedSales);
  return { held, afterPending, sellable: sellable.gt(0) ? sellable : new Big(0) };
}
