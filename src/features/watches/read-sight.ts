/**
 * Reads what is there now: from the store always, and from the service with what its limits leave free. No read waits
 * for a limit, so none is ahead of a call or an order, and none begins while an order is under way.
 */

import type { Broker, CallContext } from '../../core/broker/types.ts';
import { type Clock, isWithin } from '../../core/clock.ts';
import { endpoints } from '../../core/endpoints/index.ts';
import { isFailure } from '../../core/errors.ts';
import { log } from '../../core/log.ts';
import { readHalt } from '../../core/orders/halt/trading-state.ts';
import type { Intent } from '../../core/orders/intent/intent.ts';
import { resolveZone, toZoneDate } from '../../core/text/dates.ts';
import { readPlanName } from '../drafts/book/draft-plan.ts';
import { isPastApproval } from '../drafts/submission/approve-draft.ts';
import { openStates, type SubmissionStore, type SubmissionView } from '../drafts/submission/submission.ts';
import type { History, HistoryQuery } from '../history/history-port.ts';
import type { HistoryKind, RowOf } from '../history/kinds.ts';
import type { WatchEvent } from './event.ts';
import { nameOrder, type OpenOrder, type Reading, type Sight, windowMs } from './find-events.ts';
import { toDividendEvents, toFeeEvents, toOrderEvents, toPriceReading } from './row-events.ts';

/** The account as the rows of the store name it. */
export interface SightPlace {
  readonly accountKey: string;
  readonly environment: string;
}

export interface SightDeps {
  readonly broker: Broker;
  readonly history: Pick<History, 'read'>;
  /** Orders, drafts and attempts to send them. */
  readonly store: SubmissionStore;
  readonly clock: Clock;
  /** The owner's time zone; undefined for that of the account. */
  readonly taxZone: string | undefined;
}

// What the store has. It costs no request.

/** Reads approvals, drafts, submissions, rejected orders and the halt. Throws `store_unavailable`. */
export const readStoreSight = ({ store, clock }: SightDeps, place: SightPlace): Promise<Reading['found']> =>
  store.read(async (tx) => {
    const now = clock.now();
    const halt = await readHalt(tx);
    return {
      approvals: [...(await listOrderApprovals(tx, place, now)), ...(await listDraftApprovals(tx, place, now))],
      drafts: await listDueDrafts(tx, place),
      submissions: await listStopped(tx, place, now),
      intents: await listRejected(tx, place, now),
      halt: halt ? [{ key: `halt:${halt.at}`, kind: 'halt', at: halt.at, facts: { since: halt.at } }] : [],
    };
  });

async function listOrderApprovals(tx: SubmissionView, place: SightPlace, now: number): Promise<readonly WatchEvent[]> {
  const waiting = await tx.list({ ...place, states: ['AWAITING_APPROVAL'] });
  return waiting.flatMap(({ id, ticker, createdAt, approval }): readonly WatchEvent[] => {
    if (!approval || approval.expiresAt <= now) return [];
    const facts = { subject: 'order', ticker, expiresAt: approval.expiresAt } as const;
    return [{ key: `approval:${id}`, kind: 'approval_waits', at: createdAt, facts }];
  });
}

async function listDraftApprovals(tx: SubmissionView, place: SightPlace, now: number): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = [];
  for (const submission of await tx.listSubmissions({ ...place, states: ['awaiting_approval'] })) {
    const { id, createdAt, approval } = submission;
    if (!approval || isPastApproval(submission, now)) continue;
    const legs = (await tx.listSubmissionLegs(id)).length;
    const facts = { subject: 'draft', legs, expiresAt: approval.expiresAt } as const;
    events.push({ key: `approval:${id}`, kind: 'approval_waits', at: createdAt, facts });
  }
  return events;
}

async function listDueDrafts(tx: SubmissionView, place: SightPlace): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = [];
  for (const { id, version, source, createdAt } of await tx.listDrafts({ ...place, states: ['open'] })) {
    const plan = readPlanName(source);
    if (plan === undefined) continue;
    const legs = (await tx.findVersion(id, version))?.legs.length ?? 0;
    const facts = { plan, legs };
    events.push({ key: `draft:${id}`, kind: 'draft_due', at: createdAt, facts });
  }
  return events;
}

async function listStopped(tx: SubmissionView, place: SightPlace, now: number): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = [];
  const stopped = await tx.listSubmissions({ ...place, states: ['stopped'], createdSince: now - windowMs });
  for (const { id, createdAt, rule, endedBy } of stopped) {
    const legs = (await tx.listSubmissionLegs(id)).length;
    const placed = (await tx.list({ submissionId: id, states: ['PLACED'] })).length;
    const facts = { legs, placed, reason: rule ?? endedBy ?? 'stopped' };
    events.push({ key: `submission:${id}`, kind: 'draft_stopped', at: createdAt, facts });
  }
  return events;
}

async function listRejected(tx: SubmissionView, place: SightPlace, now: number): Promise<readonly WatchEvent[]> {
  const rejected = await tx.list({ ...place, states: ['REJECTED'], createdSince: now - windowMs });
  return rejected.map((intent) => ({
    // The history can have the same order.
    key: intent.orderId === undefined ? `intent:${intent.id}` : nameOrder(intent.orderId),
    kind: 'order_rejected',
    at: intent.createdAt,
    facts: toOrderFacts(intent),
  }));
}

function toOrderFacts({ ticker, request, approval, brokerCode, errorCode }: Intent) {
  const { name, currency } = approval?.ticket.instrument ?? {};
  const price = request.limitPrice ?? request.stopPrice;
  return {
    ticker,
    name,
    side: request.side,
    type: request.type,
    quantity: request.quantity,
    price: price === undefined ? undefined : { amount: price, currency },
    reason: brokerCode ?? errorCode,
  };
}

/** An order of this long ago (ms) can be followed by another that reads the account. */
const settledMs = 30_000;

/** Whether an order of this account is on its way, which needs the requests of the service itself. */
export const isOrderUnderWay = ({ store, clock }: SightDeps, place: SightPlace): Promise<boolean> =>
  store.read(async (tx) => {
    const open = await tx.list({ ...place, states: ['DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'SENDING', 'UNKNOWN'] });
    const now = clock.now();
    const [newest] = await tx.list({ ...place, limit: 1 });
    const isRecent = newest !== undefined && isWithin(newest.changedAt, now, settledMs);
    if (isRecent || open.length > 0) return true;
    return (await tx.listSubmissions({ ...place, states: openStates })).length > 0;
  });

// What the service has.

/** A read may take this long (ms). */
const readMs = 20_000;

export interface ServiceSight extends Pick<Reading, 'found' | 'prices' | 'pending'> {
  /** Undefined when the summary was not read. */
  readonly zone?: string | undefined;
}

/** Reads what the limits leave free. A part that cannot be read now is absent. */
export async function readServiceSight(deps: SightDeps, earlier: Sight, signal: AbortSignal): Promise<ServiceSight> {
  const now = deps.clock.now();
  // `waitUntil` is now, so that a read without a free slot ends at once instead of joining the queue.
  const context: CallContext = { priority: 'read', deadlineAt: now + readMs, waitUntil: now, signal };
  const summary = await part(
    'summary',
    async () => (await deps.broker.call(endpoints.getAccountSummary, {}, context)).data,
  );
  const positions = await part(
    'positions',
    async () => (await deps.broker.call(endpoints.listPositions, {}, context)).data,
  );
  const pending = await part('orders', () => readPending(deps.broker, context));
  const zone = summary && resolveZone(deps.taxZone, summary.currency);
  const inBackground: CallContext = { ...context, priority: 'sync' };
  const orders = await part('order history', () => readOrders(deps, earlier, pending, inBackground));
  const dividends = await part('dividends', () => readRows(deps, earlier, 'dividends', inBackground));
  const transactions = await part('transactions', () => readRows(deps, earlier, 'transactions', inBackground));
  return {
    zone,
    pending,
    prices: summary && positions && zone ? toPriceReading(summary, positions, toZoneDate(now, zone)) : undefined,
    found: {
      ...(orders && { orders }),
      ...(dividends && { dividends: toDividendEvents(dividends, summary?.currency) }),
      ...(transactions && { fees: toFeeEvents(transactions, summary?.currency) }),
    },
  };
}

/** Undefined for a part that cannot be read now: the next round reads it. */
async function part<Result>(name: string, read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isFailure(error)) throw error;
    log.info('watch', { part: name, code: error.code });
    return undefined;
  }
}

async function readPending(broker: Broker, context: CallContext): Promise<readonly OpenOrder[]> {
  const { data } = await broker.call(endpoints.listPendingOrders, {}, context);
  return data.flatMap(({ id, createdAt }) =>
    id === undefined ? [] : [{ id, createdAt: Date.parse(createdAt ?? '') || 0 }],
  );
}

const sourceOf = { orders: 'orders', dividends: 'dividends', transactions: 'fees' } as const;

/** The rows of the window; undefined while its first sight would miss some, which would be events later. */
async function readRows<Kind extends HistoryKind>(
  { history, clock }: SightDeps,
  earlier: Sight,
  kind: Kind,
  context: CallContext,
  since = clock.now() - windowMs,
): Promise<readonly RowOf[Kind][] | undefined> {
  const { rows, coverage } = await history.read({ kind, since } as HistoryQuery<Kind>, { context });
  const isFirst = earlier.sources[sourceOf[kind]] === undefined;
  if (coverage.error) log.info('watch', { part: kind, code: coverage.error.code });
  return isFirst && !coverage.complete ? undefined : rows;
}

async function readOrders(
  deps: SightDeps,
  earlier: Sight,
  pending: readonly OpenOrder[] | undefined,
  context: CallContext,
): Promise<readonly WatchEvent[] | undefined> {
  const now = deps.clock.now();
  const waiting = new Set(pending?.map(({ id }) => id));
  // An order that ended without a fill is listed by when it was created.
  const gone = pending ? earlier.open.filter(({ id }) => !waiting.has(id)) : [];
  const since = Math.min(now - windowMs, ...gone.map(({ createdAt }) => createdAt));
  const rows = await readRows(deps, earlier, 'orders', context, since);
  return rows && toOrderEvents(rows, new Set(earlier.open.map(({ id }) => id)), now);
}
