/**
 * Orders that were created through the API and are not in the journal: another program trades on this account with a
 * key of its own. They count in the limits, and in live they halt trading, unless the owner turned that rule off.
 */

import { readEnrolment } from '../../approval/enrollment/enrollment.ts';
import { clockSlackMs, dayMs } from '../../clock.ts';
import type { Order } from '../../endpoints/index.ts';
import { getTicker } from '../../endpoints/instruments.ts';
import type { Environment } from '../../settings/config.ts';
import type { AccountSnapshot } from '../account/account-snapshot.ts';
import {
  type ExternalRecord,
  keepNewest,
  readExternalRecord,
  writeExternalRecord,
} from '../account/external-record.ts';
import { setHalt } from '../halt/trading-state.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalChange, JournalView } from '../intent/journal-port.ts';
import type { RiskLimits } from '../intent/risk-limits.ts';
import { unknownStates } from '../intent/states.ts';
import { isCandidate, submissionWindow } from './match-order.ts';

/** An order as it was read, and what its fills were worth if all of them are known. */
export interface SeenOrder {
  readonly order: Order;
  readonly value?: string | undefined;
}

/** The clocks of the service and of this machine may differ by this much. */
export const clockMarginMs = 120_000;
/**
 * When orders begin to count as those of another program (ms); undefined when none does: in the sandbox, which no other
 * program uses, and in live before the enrolment.
 */
export async function readWatchStart(
  tx: JournalView,
  environment: Environment,
  record: ExternalRecord | undefined,
  now: number,
): Promise<number | undefined> {
  if (environment === 'sandbox') return undefined;
  // A start of the future was written under a clock that was ahead, and would hide all orders until then.
  const since = record?.since === undefined ? undefined : Math.min(record.since, now);
  if (environment === 'demo') return since;
  const enrolledAt = (await readEnrolment(tx))?.enrolledAt;
  if (enrolledAt === undefined) return undefined;
  return enrolledAt <= now + clockSlackMs ? enrolledAt + clockMarginMs : (since ?? now);
}

/** The pending orders of an account. None is complete, so what each is worth is unknown. */
export const toPendingOrders = ({ pending, serviceOffsetMs }: AccountSnapshot) => ({
  orders: pending.map((order): SeenOrder => ({ order })),
  pending: new Set(pending.flatMap(({ id }) => id ?? [])),
  serviceOffsetMs,
});

/**
 * Records the orders of other programs among those that were read, and halts live trading when one was not known. The
 * read must have begun before this transaction, so that each own order among them has its intent.
 */
export async function noteExternalOrders(
  tx: JournalChange,
  question: {
    readonly environment: Environment;
    readonly limits: RiskLimits;
    readonly accountKey: string;
    readonly orders: readonly SeenOrder[];
    /** The ids of all pending orders; undefined when they were not read. */
    readonly pending: ReadonlySet<string> | undefined;
    readonly serviceOffsetMs: number | undefined;
    readonly now: number;
  },
): Promise<void> {
  const { environment, limits, accountKey, orders, now } = question;
  const record = await readExternalRecord(tx, accountKey);
  const since = await readWatchStart(tx, environment, record, now);
  if (since === undefined) return;
  const known = new Map((record?.orders ?? []).map((order) => [order.id, order]));
  const isOwn = await createOwnTest(tx, accountKey, question.serviceOffsetMs, now);
  let isChanged = false;
  let firstNew: string | undefined;
  for (const { order, value } of orders) {
    const { id, initiatedFrom, createdAt } = order;
    const at = Date.parse(createdAt ?? '');
    if (id === undefined || initiatedFrom !== 'API' || !(at >= since)) continue;
    const before = known.get(id);
    if (before ? before.value !== undefined || value === undefined : await isOwn(order, id, at)) continue;
    // A time in the future would count in the limits, and stay in the record, until it comes.
    known.set(id, { id, at: before?.at ?? Math.min(at, now), value });
    isChanged = true;
    if (before) continue;
    firstNew ??= id;
    await tx.note(environment, 'foreign_order', { orderId: id, createdAt });
  }
  if (isChanged) {
    const kept = keepNewest([...known.values()], now, question.pending);
    await writeExternalRecord(tx, accountKey, { nextAt: 0, ...record, orders: kept });
  }
  if (environment !== 'live' || !limits.haltOnForeignOrders || firstNew === undefined) return;
  const reason = `Order ${firstNew} was placed by another program with access to this account.`;
  await setHalt(tx, { at: now, by: 'rule', rule: 'foreign_order', reason });
}

/** Returns a test of whether an order is one of ours, or may be one that was not identified yet. */
async function createOwnTest(
  tx: JournalView,
  accountKey: string,
  serviceOffsetMs: number | undefined,
  now: number,
): Promise<(order: Order, id: string, at: number) => Promise<boolean>> {
  const undecided = await tx.list({ accountKey, states: ['SENDING', ...unknownStates] });
  return async (order, orderId, at) => {
    if ((await tx.list({ accountKey, orderId, limit: 1 })).length > 0) return true;
    const mayBe = (intent: Intent) => isCandidate(order, intent, submissionWindow(intent, serviceOffsetMs));
    if (undecided.some(mayBe)) return true;
    // A person may close an order that exists, and a service may book an order although it refused it. The order may be
    // pending for months, so the search goes back to its own time, and two days further for approvals and clocks.
    const createdSince = Math.min(at, now) - 2 * dayMs;
    const ticker = getTicker(order);
    const ended = await tx.list({
      accountKey,
      states: ['CLOSED', 'REJECTED'],
      createdSince,
      ...(ticker && { ticker }),
    });
    return ended.some(mayBe);
  };
}
