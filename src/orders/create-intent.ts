/** Creates the intent of a request in the journal: an earlier equal one, a refused one, or one that continues. */
import type { CallContext } from '../broker/types.ts';
import type { Exchange, TradableInstrument } from '../catalogue/index.ts';
import { BrokerageError } from '../errors.ts';
import { type OrderContext, toBaseline } from './account/account-snapshot.ts';
import { worstCaseValue } from './account/estimate.ts';
import { createApprovalRequest } from './approval/approval-request.ts';
import { readStanding } from './earlier-order.ts';
import { recordLiveOrigin } from './enrollment/live-origin-guard.ts';
import { applyHaltFile } from './halt/halt.ts';
import { approvalInForce, tradingRefusal } from './halt/trading-state.ts';
import { findDuplicate } from './intent/duplicates.ts';
import type { Baseline, EarlierOrder, Intent } from './intent/intent.ts';
import { type OrderRequest, orderFingerprint } from './intent/order-request.ts';
import type { JournalChange } from './intent/ports.ts';
import { nextState } from './intent/states.ts';
import { keepUnsent } from './intent/unsent-intents.ts';
import { currentLimits, type OrderDeps } from './order-deps.ts';
import type { Unread } from './place-result.ts';
import { expireOverdue } from './reconcile/expiry.ts';
import { haltOnExternalOrders } from './reconcile/external-orders.ts';
import { evaluateOrder, listOwn } from './risk/evaluate-order.ts';

export interface Draft {
  readonly intent: Intent;
  /** The intent existed before: nothing is placed for this request. */
  readonly isOld: boolean;
  /** The account data that it was created with; undefined when the intent goes no further. */
  readonly facts?: OrderContext;
  /** Set when the intent existed before and its current state could not be read. */
  readonly unread?: Unread;
}

export interface IntentRequest {
  /**
   * The id of the intent, if one is created. When the store fails to respond, the caller checks by this id whether
   * it was.
   */
  readonly id: string;
  readonly request: OrderRequest;
  readonly repeatOf: string | undefined;
  readonly progress: ((message: string) => void) | undefined;
}

const nothingKnown: Omit<Baseline, 'askedAt'> = {
  pendingIds: [],
  position: '0',
  cash: undefined,
  price: undefined,
  serviceOffsetMs: undefined,
};

/**
 * Returns the function that creates intents. It throws `invalid_argument` for a wrong `repeatOf`, and
 * `store_unavailable`; failures to read the account become an intent that was not sent.
 */
export function createIntentFactory(parts: OrderDeps) {
  const { journal, clock, settings, processes } = parts;

  const blank = (
    { id, request }: IntentRequest,
    accountKey: string,
    facts?: OrderContext,
  ): Omit<Intent, 'limits' | 'method'> => {
    const now = clock.now();
    return {
      id,
      kind: 'order',
      state: 'DRAFT',
      environment: settings.environment,
      accountKey,
      fingerprint: orderFingerprint(request, { environment: settings.environment, accountKey }),
      ticker: request.ticker,
      request,
      createdAt: now,
      changedAt: now,
      owner: processes.self,
      value: facts && worstCaseValue(request, facts)?.toFixed(2),
      baseline: facts ? toBaseline(request.ticker, facts) : { askedAt: now, ...nothingKnown },
    };
  };

  const complete = async (tx: JournalChange, draft: ReturnType<typeof blank>): Promise<Intent> => ({
    ...draft,
    limits: await currentLimits(parts, tx),
    method: await approvalInForce(settings, tx),
  });

  const insertAndTransition = async (
    tx: JournalChange,
    intent: Intent,
    event: 'approve' | 'askHuman',
    change: Partial<Intent>,
  ): Promise<Intent> => {
    await tx.insert(intent);
    const moved = { ...change, state: nextState('DRAFT', event), changedAt: clock.now() };
    return (await tx.move(intent.id, 'DRAFT', moved)) ?? intent;
  };

  /** What can be decided before any request to the broker. */
  const findExisting = async (wanted: IntentRequest, context: CallContext) => {
    const { request, repeatOf } = wanted;
    const accountKey = await parts.accountKey();
    await journal.change(async (tx) => {
      await expireOverdue(tx, accountKey, processes, clock.now());
      await applyHaltFile(tx, settings.haltFile, clock.now());
    });
    const fingerprint = orderFingerprint(request, { environment: settings.environment, accountKey });
    const found = await journal.read((tx) =>
      findDuplicate(tx, { fingerprint, repeatOf, pendingIds: [], now: clock.now() }),
    );
    const earlier = found.kind === 'existing' ? await resolveEarlier(found.intent, wanted, context) : undefined;
    if (earlier) return earlier;
    return journal.change(async (tx): Promise<Draft | undefined> => {
      const refusal = await tradingRefusal(settings, tx, accountKey);
      if (!refusal) return undefined;
      const intent = await complete(tx, blank(wanted, accountKey));
      return { intent: await keepUnsent(tx, intent, 'refuse', refusal, clock.now()), isOld: false };
    });
  };

  /** The result when an earlier equal order exists; undefined when that order no longer blocks a new one. */
  const resolveEarlier = async (
    intent: Intent,
    wanted: IntentRequest,
    context: CallContext,
  ): Promise<Draft | undefined> => {
    const { orderId } = intent;
    if (intent.state !== 'PLACED' || orderId === undefined) return { intent, isOld: true };
    const standing = await readStanding(parts, { ...intent, orderId }, context, wanted.progress);
    const named = { intentId: intent.id, orderId };
    switch (standing.kind) {
      case 'stands':
        return { intent: standing.intent, isOld: true };
      case 'unread':
        return { intent, isOld: true, unread: standing };
      case 'gone':
        return notAgain(wanted, { ...named, readableAt: clock.now() + standing.retryAfterSeconds * 1000 });
      case 'ended':
        // An order that ended without a fill does not block a new one, but each order is repeated only once.
        return wanted.repeatOf === undefined
          ? undefined
          : notAgain(wanted, { ...named, status: standing.intent.endedAs });
    }
  };

  const notAgain = async (wanted: IntentRequest, earlier: EarlierOrder): Promise<Draft> => {
    const accountKey = await parts.accountKey();
    const intent = await journal.change(async (tx) =>
      keepUnsent(
        tx,
        await complete(tx, blank(wanted, accountKey)),
        'failBeforeSending',
        { earlier, reason: undefined },
        clock.now(),
      ),
    );
    return { intent, isOld: false };
  };

  /** Without the account data nothing is sent. That is an outcome of this order and not an error of the call. */
  const notSent = async (wanted: IntentRequest, error: unknown): Promise<Draft> => {
    const isAnswer = error instanceof BrokerageError && !withoutResponse.has(error.code);
    if (!isAnswer) throw error;
    const accountKey = await parts.accountKey();
    const reason = `The account could not be read before the order: ${error.message}`;
    const intent = await journal.change(async (tx) =>
      keepUnsent(
        tx,
        await complete(tx, blank(wanted, accountKey)),
        'failBeforeSending',
        { reason, earlier: undefined },
        clock.now(),
      ),
    );
    return { intent, isOld: false };
  };

  /**
   * Checks duplicates and rules and reserves the order in one transaction, so that no other order can come in
   * between.
   */
  const decide = (wanted: IntentRequest, facts: OrderContext, accountKey: string, exchanges: readonly Exchange[]) =>
    journal.change(async (tx): Promise<Draft> => {
      const { request, repeatOf } = wanted;
      const now = clock.now();
      const draft = blank(wanted, accountKey, facts);
      const { fingerprint, baseline } = draft;
      const duplicate = await findDuplicate(tx, { fingerprint, repeatOf, now, pendingIds: baseline.pendingIds });
      if (duplicate.kind === 'existing') return { intent: duplicate.intent, isOld: true };
      const repeats = duplicate.kind === 'repetition' ? { repeatOf: duplicate.of.id } : {};
      const intent: Intent = { ...(await complete(tx, draft)), ...repeats };
      const { limits, method } = intent;
      await haltOnExternalOrders(tx, { environment: settings.environment, limits, accountKey, facts, now });
      const { origin, service } = settings;
      if (settings.environment === 'live')
        await recordLiveOrigin(tx, { ...service?.(), origin, account: facts.summary.id });
      const refusal = await evaluateOrder(tx, { settings, order: request, facts, accountKey, limits, now });
      if (refusal) return { intent: await keepUnsent(tx, intent, 'refuse', refusal, now), isOld: false };
      if (method === 'none')
        return { intent: await insertAndTransition(tx, intent, 'approve', {}), isOld: false, facts };
      const approval = createApprovalRequest(
        intent,
        { facts, own: await listOwn(tx, accountKey, now), exchanges },
        now,
      );
      return { intent: await insertAndTransition(tx, intent, 'askHuman', { approval }), isOld: false, facts };
    });

  return async (wanted: IntentRequest, instrument: TradableInstrument, context: CallContext): Promise<Draft> => {
    const reading: CallContext = { ...context, priority: 'lookUp' };
    const known = await findExisting(wanted, context);
    if (known) return known;
    const facts = await parts.facts.read(instrument, reading).catch((error: unknown) => error);
    if (!isOrderContext(facts)) return notSent(wanted, facts);
    const method = await journal.read((tx) => approvalInForce(settings, tx));
    // The exchanges are needed only for a warning, so a failure to read them does not matter.
    const exchanges =
      method === 'none'
        ? []
        : await parts.directory.exchanges(reading).then(
            (all) => all.exchanges,
            () => [],
          );
    // Read after the account data, because the summary identifies the account that the intent is recorded under.
    const accountKey = await parts.accountKey();
    for (;;) {
      const drafted = await decide(wanted, facts, accountKey, exchanges);
      // Another call created the order in the meantime, it has been pending for a long time, or several equal ones
      // exist.
      const earlier = drafted.isOld ? await resolveEarlier(drafted.intent, wanted, context) : drafted;
      if (earlier) return earlier;
    }
  };
}

/** Errors that are not about the order. */
const withoutResponse = new Set<string>(['cancelled', 'not_configured', 'store_unavailable', 'internal']);

const isOrderContext = (value: unknown): value is OrderContext =>
  typeof value === 'object' && value !== null && 'positions' in value;
