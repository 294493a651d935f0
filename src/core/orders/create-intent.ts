/** Creates the intent of a request in the journal: an earlier equal one, a refused one, or one that continues. */

import { createApprovalRequest } from '../approval/approval-request.ts';
import { draftApprovalRefusal } from '../approval/draft-digest.ts';
import { recordLiveOrigin } from '../approval/enrollment/live-origin-guard.ts';
import type { CallContext } from '../broker/types.ts';
import type { Exchange, TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import { orElse } from '../log.ts';
import { type OrderContext, toBaseline } from './account/account-snapshot.ts';
import { worstCaseValue } from './account/estimate.ts';
import { readStanding } from './account/find-order.ts';
import { applyHaltFile, approvalInForce, currentLimits, tradingRefusal } from './halt/trading-state.ts';
import { findDuplicate, keepUnsent } from './intent/duplicates.ts';
import type { Baseline, EarlierOrder, Intent, LegReference } from './intent/intent.ts';
import { applyTransition, type JournalChange, type JournalView } from './intent/journal-port.ts';
import { type OrderRequest, orderFingerprint } from './intent/order-request.ts';
import type { Refusal } from './intent/refusal.ts';
import type { OrderDeps } from './order-deps.ts';
import type { Unread } from './place-result.ts';
import { noteExternalOrders, toPendingOrders } from './reconcile/external-orders.ts';
import { expireOverdue } from './reconcile/reconcile-schedule.ts';
import { watchOrders } from './reconcile/watch-orders.ts';
import { evaluateOrder, listOwn } from './risk/evaluate-order.ts';

/**
 * Creates the intent of a request, or returns the earlier equal one. Throws `invalid_argument` for a wrong
 * `repeatOf`, and `store_unavailable`; failures to read the account become an intent that was not sent.
 */
export async function createIntent(
  deps: OrderDeps,
  wanted: IntentRequest,
  instrument: TradableInstrument,
  context: CallContext,
): Promise<RequestedIntent> {
  const existing = await findExisting(deps, wanted, context);
  if (existing) return existing;
  const reading: CallContext = { ...context, priority: 'lookUp' };
  const facts = await deps.facts.read(instrument, reading, wanted.leg?.accountSince).catch((error: unknown) => error);
  if (!isOrderContext(facts)) return notRead(deps, wanted, facts);
  const exchanges = await readExchanges(deps, reading);
  // Read after the account data, because the summary identifies the account that the intent is recorded under.
  const accountKey = await deps.accountKey();
  await watchOrders(deps, accountKey, {
    ...context,
    waitUntil: deps.clock.now() + watchPatienceMs,
  });
  for (;;) {
    const decided = await decide(deps, wanted, { facts, accountKey, exchanges });
    // Another call created the order in the meantime, it has been pending for a long time, or several equal ones
    // exist.
    const result = decided.isOld ? await resolveEarlier(deps, decided.intent, wanted, context) : decided;
    if (result) return result;
  }
}

/** The longest that an order waits until the newest orders of the account can be read. */
const watchPatienceMs = 5_000;

/** Errors that are not about the order. */
const withoutResponse = new Set<string>(['cancelled', 'not_configured', 'store_unavailable', 'internal']);

const isOrderContext = (value: unknown): value is OrderContext =>
  typeof value === 'object' && value !== null && 'positions' in value;

/** Without the account data nothing is sent. That is an outcome of this order and not an error of the call. */
async function notRead(deps: OrderDeps, wanted: IntentRequest, error: unknown): Promise<RequestedIntent> {
  if (!(error instanceof BrokerageError) || withoutResponse.has(error.code)) throw error;
  const reason = `The account could not be read before the order: ${error.message}`;
  return { intent: await recordNotSent(deps, wanted, { reason, earlier: undefined }), isOld: false };
}

/** The exchanges are needed only for a warning on the ticket, so a failure to read them does not matter. */
async function readExchanges(
  { journal, settings, directory }: OrderDeps,
  reading: CallContext,
): Promise<readonly Exchange[]> {
  const method = await journal.read((tx) => approvalInForce(settings, tx));
  if (method === 'none') return [];
  const read = await directory.exchanges(reading).catch(orElse('read the opening hours', undefined));
  return read?.exchanges ?? [];
}

/**
 * Checks duplicates and rules and reserves the order in one transaction, so that no other order can come in
 * between.
 */
function decide(
  deps: OrderDeps,
  wanted: IntentRequest,
  account: { readonly facts: OrderContext; readonly accountKey: string; readonly exchanges: readonly Exchange[] },
): Promise<RequestedIntent> {
  const { settings, clock } = deps;
  const { request, repeatOf } = wanted;
  const { facts, accountKey, exchanges } = account;
  return deps.journal.change(async (tx): Promise<RequestedIntent> => {
    const now = clock.now();
    await wanted.leg?.requireTurn(tx);
    const draft = await buildIntent(deps, tx, wanted, accountKey, facts);
    const { fingerprint, baseline, limits, method } = draft;
    const duplicate = await findDuplicate(tx, { fingerprint, repeatOf, now, pendingIds: baseline.pendingIds });
    if (duplicate.kind === 'existing') return { intent: duplicate.intent, isOld: true };
    const intent = duplicate.kind === 'repetition' ? { ...draft, repeatOf: duplicate.of.id } : draft;
    const { environment } = settings;
    await noteExternalOrders(tx, { environment, limits, accountKey, ...toPendingOrders(facts), now });
    const { origin, service } = settings;
    if (settings.environment === 'live')
      await recordLiveOrigin(tx, { ...service?.(), origin, account: facts.summary.id });
    const refusal =
      (await refuseUnapprovedLeg(tx, intent, now)) ??
      (await evaluateOrder(tx, { settings, order: request, facts, accountKey, limits, now, leg: intent.leg }));
    if (refusal) return { intent: await keepUnsent(tx, intent, 'refuse', refusal, now), isOld: false };
    if (method === 'none' || intent.leg)
      return { intent: await insertAs(tx, intent, 'approve', {}, now), isOld: false, facts };
    const own = await listOwn(tx, accountKey, now);
    const approval = createApprovalRequest(intent, { facts, own, exchanges }, now);
    return { intent: await insertAs(tx, intent, 'askHuman', { approval }, now), isOld: false, facts };
  });
}

/** A leg is approved with its draft: a person is never asked for a leg alone. */
const refuseUnapprovedLeg = async (tx: JournalChange, intent: Intent, now: number): Promise<Refusal | undefined> =>
  intent.leg && intent.method !== 'none'
    ? draftApprovalRefusal(await tx.findSubmission(intent.leg.submissionId), intent, intent.method, now)
    : undefined;

/** Inserts a draft and takes it one step further, so that the audit trail has both. */
async function insertAs(
  tx: JournalChange,
  intent: Intent,
  event: 'approve' | 'askHuman',
  change: Partial<Intent>,
  now: number,
): Promise<Intent> {
  await tx.insert(intent);
  return applyTransition(tx, intent, event, now, change);
}

// Finds out, before the account is read, whether a request creates an intent at all.

/** The intent that a request led to. */
interface RequestedIntent {
  readonly intent: Intent;
  /** The intent existed before: nothing is placed for this request. */
  readonly isOld: boolean;
  /** The account data that it was created with; undefined when the intent goes no further. */
  readonly facts?: OrderContext;
  /** Set when the intent existed before and its current state could not be read. */
  readonly unread?: Unread;
}

/**
 * Returns the earlier equal order of a request, or its refusal by a rule that needs no account data; undefined when
 * an intent may be created.
 */
export async function findExisting(
  deps: OrderDeps,
  wanted: IntentRequest,
  context: CallContext,
): Promise<RequestedIntent | undefined> {
  const { journal, clock, settings, processes } = deps;
  const { request, repeatOf } = wanted;
  const accountKey = await deps.accountKey();
  await journal.change(async (tx) => {
    await expireOverdue(tx, accountKey, processes, clock.now());
    await applyHaltFile(tx, settings.haltFile, clock.now());
  });
  const fingerprint = orderFingerprint(request, { environment: settings.environment, accountKey });
  const found = await journal.read((tx) =>
    findDuplicate(tx, { fingerprint, repeatOf, pendingIds: [], now: clock.now() }),
  );
  const earlier = found.kind === 'existing' ? await resolveEarlier(deps, found.intent, wanted, context) : undefined;
  if (earlier) return earlier;
  return journal.change(async (tx): Promise<RequestedIntent | undefined> => {
    const refusal = await tradingRefusal(settings, tx, accountKey);
    if (!refusal) return undefined;
    const intent = await buildIntent(deps, tx, wanted, accountKey);
    return { intent: await keepUnsent(tx, intent, 'refuse', refusal, clock.now()), isOld: false };
  });
}

/** The result when an earlier equal order exists; undefined when that order no longer blocks a new one. */
export async function resolveEarlier(
  deps: OrderDeps,
  intent: Intent,
  wanted: IntentRequest,
  context: CallContext,
): Promise<RequestedIntent | undefined> {
  const { orderId } = intent;
  if (intent.state !== 'PLACED' || orderId === undefined) return { intent, isOld: true };
  const standing = await readStanding(deps, { ...intent, orderId }, context, wanted.progress);
  const earlier = { intentId: intent.id, orderId };
  switch (standing.kind) {
    case 'stands':
      return { intent: standing.intent, isOld: true };
    case 'unread':
      return { intent, isOld: true, unread: standing };
    case 'gone': {
      const readableAt = deps.clock.now() + standing.retryAfterSeconds * 1000;
      return notRepeated(deps, wanted, { ...earlier, readableAt });
    }
    case 'ended':
      // An order that ended without a fill does not block a new one, but each order is repeated only once.
      return wanted.repeatOf === undefined
        ? undefined
        : notRepeated(deps, wanted, { ...earlier, status: standing.intent.endedAs });
  }
}

const notRepeated = async (
  deps: OrderDeps,
  wanted: IntentRequest,
  earlier: NonNullable<Intent['earlier']>,
): Promise<RequestedIntent> => ({
  intent: await recordNotSent(deps, wanted, { earlier, reason: undefined }),
  isOld: false,
});

// Builds the intent of a request, and records one that goes no further.

/** A request for one order, under the id that its intent gets if one is created. */
export interface IntentRequest {
  /** When the store fails to respond, the caller checks by this id whether the intent was created. */
  readonly id: string;
  readonly request: OrderRequest;
  readonly repeatOf: string | undefined;
  readonly progress: ((message: string) => void) | undefined;
  /** Set for a leg of a draft. */
  readonly leg?: LegTurn | undefined;
}

/** A leg of a draft whose turn has come. */
export interface LegTurn {
  readonly reference: LegReference;
  /** The account is read again if it was read before this time (ms); undefined for the usual age. */
  readonly accountSince: number | undefined;
  /** Called in the transaction that creates the intent. Throws when it is no longer the turn of this leg. */
  readonly requireTurn: (tx: JournalView) => Promise<void>;
}

const emptyBaseline: Omit<Baseline, 'askedAt'> = {
  pendingIds: [],
  position: '0',
  cash: undefined,
  price: undefined,
  serviceOffsetMs: undefined,
};

/**
 * Builds an intent in the state DRAFT, with the limits and the approval method that are in force. Without `facts`,
 * the account as it was read, its value is unknown and its baseline is empty.
 */
export async function buildIntent(
  deps: OrderDeps,
  tx: JournalChange,
  { id, request, leg }: IntentRequest,
  accountKey: string,
  facts?: OrderContext,
): Promise<Intent> {
  const { settings, processes } = deps;
  const now = deps.clock.now();
  return {
    id,
    kind: 'order',
    state: 'DRAFT',
    environment: settings.environment,
    accountKey,
    ...(settings.account !== undefined && { accountName: settings.account }),
    fingerprint: orderFingerprint(request, { environment: settings.environment, accountKey }),
    ticker: request.ticker,
    request,
    ...(leg ? { leg: leg.reference } : {}),
    createdAt: now,
    changedAt: now,
    owner: processes.self,
    value: facts && worstCaseValue(request, facts)?.toFixed(2),
    baseline: facts ? toBaseline(request.ticker, facts) : { askedAt: now, ...emptyBaseline },
    limits: await currentLimits(deps, tx),
    method: await approvalInForce(settings, tx),
  };
}

/** Records that the order of a request is not sent, because of an earlier order or for a reason. */
export async function recordNotSent(
  deps: OrderDeps,
  wanted: IntentRequest,
  why: { readonly earlier: EarlierOrder | undefined; readonly reason: string | undefined },
): Promise<Intent> {
  const accountKey = await deps.accountKey();
  return deps.journal.change(async (tx) =>
    keepUnsent(tx, await buildIntent(deps, tx, wanted, accountKey), 'failBeforeSending', why, deps.clock.now()),
  );
}
