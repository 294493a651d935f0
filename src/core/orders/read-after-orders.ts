/** Reads the account again after an own order, instead of using a copy from before it. */
import type { CallContext } from '../broker/types.ts';
import { BrokerageError } from '../errors.ts';
import { orElse } from '../log.ts';
import { carriedMs } from './account/account-snapshot.ts';
import type { Intent } from './intent/intent.ts';
import { correctTime } from './intent/order-time.ts';
import type { OrderDeps } from './order-deps.ts';
import { listOwn } from './risk/evaluate-order.ts';

/** The longest delay (ms) after which the broker was reported to show an order and its fill. */
const settlingMs = 3_000;

/** How long a caller waits (ms) for the rate limit: the longest period of the three reads of an account, and a margin. */
const patienceMs = 7_000;

/** An account, and since when (ms) a copy must have been read to be as new; undefined without a recent own order. */
export interface ReadAfterOrders<Account> {
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
    if (!(error instanceof BrokerageError) || error.code !== 'rate_limited') throw error;
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
