/** The account as a plan of several orders needs it: what our own orders leave of its cash and shares. */

import Big from 'big.js';
import type { CallContext } from '../broker/types.ts';
import { hasCode } from '../errors.ts';
import { orElse } from '../log.ts';
import {
  type AccountSnapshot,
  carriedMs,
  heldQuantity,
  isBuy,
  pendingOnTicker,
  pendingSales,
  sellableQuantity,
} from './account/account-snapshot.ts';
import { cashLeft, countsInLimits, holdingWithOwn, type OwnOrders, sharesLeft, unlisted } from './account/exposure.ts';
import { currentLimits } from './halt/trading-state.ts';
import { correctTime, getPlacedAt, type Intent } from './intent/intent.ts';
import type { OrderRequest } from './intent/order-request.ts';
import type { OrderDeps } from './order-deps.ts';
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

interface SentOrder {
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

/** Reads the account and our own orders. Throws when one of them cannot be read. */
export async function readTradableAccount(deps: OrderDeps, context: CallContext): Promise<TradableAccount> {
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

// Reads the account again after an own order, instead of using a copy from before it.

/** The longest delay (ms) after which the broker was reported to show an order and its fill. */
const settlingMs = 3_000;

/** How long a caller waits (ms) for the rate limit: the longest period of the three reads of an account, and a margin. */
const patienceMs = 7_000;

/** An account, and since when (ms) a copy must have been read to be as new; undefined without a recent own order. */
interface ReadAfterOrders<Account> {
  readonly account: Account;
  readonly since: number | undefined;
}

/**
 * Calls `read` with the time (ms) before which the account must not have been read: `context.notBefore`, or after the
 * newest own order; undefined for the usual age. While the rate limit allows no new read, the usual age is used.
 */
export async function readAfterOrders<Account>(
  deps: Pick<OrderDeps, 'journal' | 'clock' | 'accountKey'>,
  { notBefore, ...context }: CallContext,
  read: (context: CallContext, notBefore: number | undefined) => Promise<Account>,
): Promise<ReadAfterOrders<Account>> {
  const since = notBefore ?? (await findSettledAt(deps));
  if (since === undefined) return { account: await read(context, undefined), since };
  const waitUntil = Math.min(context.waitUntil ?? context.deadlineAt, deps.clock.now() + patienceMs);
  try {
    return { account: await read({ ...context, waitUntil }, since), since };
  } catch (error) {
    if (!hasCode(error, 'rate_limited')) throw error;
    return { account: await read(context, undefined), since };
  }
}

/** When the broker shows the newest own order (ms), at the latest now; undefined if each usable copy is newer. */
async function findSettledAt({
  journal,
  clock,
  accountKey,
}: Pick<OrderDeps, 'journal' | 'clock' | 'accountKey'>): Promise<number | undefined> {
  const now = clock.now();
  const key = await accountKey();
  // The journal is not needed to read the account; the caller reports what is wrong with it.
  const own = await journal.read((tx) => listOwn(tx, key, now)).catch(orElse('orders', []));
  const newest = Math.max(...own.flatMap((intent) => getSentAt(intent, now) ?? []), Number.NEGATIVE_INFINITY);
  return newest + settlingMs > now - carriedMs ? Math.min(now, newest + settlingMs) : undefined;
}

/** When the order was sent, or the broker's response was recorded (ms). */
const getSentAt = (intent: Intent, now: number): number | undefined =>
  intent.sentAt === undefined ? undefined : correctTime(Math.max(intent.sentAt, intent.changedAt), intent, now);
