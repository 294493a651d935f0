/**
 * The only path by which an order is sent: duplicates, facts, rules, the approval of a human, and then the sender.
 * Every decision is in the journal before it takes effect, so any process can report the state of an order or
 * continue it.
 */

import { randomBytes } from 'node:crypto';
import type { CallContext } from '../broker/types.ts';
import { endpoints, type TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError, hasCode } from '../errors.ts';
import { orElse } from '../log.ts';
import { type FoundOrder, findOrder, isFinalOrder } from './account/find-order.ts';
import { currentLimits } from './halt/trading-state.ts';
import type { Intent } from './intent/intent.ts';
import type { OrderRequest } from './intent/order-request.ts';
import type { Refusal } from './intent/refusal.ts';
import { effectiveLimits } from './intent/risk-limits.ts';
import { createIntentRunner } from './intent-runner.ts';
import type { OrderDeps } from './order-deps.ts';
import {
  continueAfterForm,
  type FormResponse,
  type LegOrder,
  type PlaceOptions,
  type PlacingDeps,
  placeLeg,
  placeOrder,
} from './place-order.ts';
import { type PlaceReply, refusedByStore, toStoreRefusal } from './place-result.ts';
import { findIntent, readPlacedAt, readTradingState, recordEnd, type TradingState } from './read-orders.ts';
import { evaluateOrder, listOwn } from './risk/evaluate-order.ts';
import { type OrderPreview, previewOrder } from './risk/order-preview.ts';
import { createAccountLock } from './send/account-lock.ts';
import { createSender } from './send/send-order.ts';
import { readAfterOrders, readTradableAccount, type TradableAccount } from './tradable-account.ts';

/** The order functions that the tools use. */
export interface OrderManager {
  /**
   * Checks an order without placing it. `asOf` is the time of the account data (ms). Throws when the account cannot
   * be read. `assumedPrice` is the caller's, for a value to show where no price is known.
   */
  preview(
    request: OrderRequest,
    instrument: TradableInstrument,
    context: CallContext,
    assumedPrice?: string,
  ): Promise<CheckedOrder>;
  /** The account with our own orders, for a plan of several orders. Throws when it cannot be read. */
  readAccount(context: CallContext): Promise<TradableAccount>;
  /** The refusal of every order while the journal cannot be written; undefined when it can. */
  closed(): Promise<PlaceReply | undefined>;
  /**
   * Places one order whose arguments were validated, and returns its outcome. Throws `invalid_argument` for an
   * unusable ticker or `repeatOf`, and errors that are not about the order, such as `cancelled` and `not_configured`.
   * Once an intent exists, failures are outcomes.
   */
  place(
    request: OrderRequest,
    instrument: TradableInstrument,
    context: CallContext,
    options?: PlaceOptions,
  ): Promise<PlaceReply>;
  /** Creates the intent of a leg of a draft and sends it; see `placeLeg`. */
  placeLeg(leg: LegOrder, context: CallContext): Promise<Intent>;
  /** Continues after the response to a form; undefined when the form did not belong to exactly this order. */
  continueAfterForm(
    request: OrderRequest,
    form: FormResponse,
    context: CallContext,
    options?: PlaceOptions,
  ): Promise<PlaceReply | undefined>;
  /**
   * Requests cancellation of a pending order. No rule and no halt blocks it. Throws when the broker's refusal or a
   * failure before sending leaves the order as it was.
   */
  cancel(orderId: string, context: CallContext): Promise<CancelOutcome>;
  /** When an order of ours was placed (ms); undefined for an id that the journal does not have. */
  placedAt(orderId: string): Promise<number | undefined>;
  /** Stores the final status of an order that was read by its id, so that a repeated order needs no further request. */
  recordEnd(found: FoundOrder): Promise<void>;
  /**
   * The current state of an intent; undefined when there is none with that id. Searches the account when the
   * outcome is unknown.
   */
  find(intentId: string, context: CallContext): Promise<PlaceReply | undefined>;
  /** Whether orders can be placed, the approval and limits in force, and the undecided intents of this environment. */
  state(): Promise<TradingState>;
  /**
   * One round of background work: expiries, approved orders, the search for unknown ones. Returns how many intents
   * are open.
   */
  tick(): Promise<number>;
  /** Starts nothing new, and resolves when the results of requests in flight are recorded. */
  stop(): Promise<void>;
}

/** Creates the order manager of one process. It starts no work until it is called. */
export function createOrderManager(deps: OrderDeps): OrderManager {
  const runner = createIntentRunner(deps, createSender({ ...deps, turns: createAccountLock(deps) }));
  const placing: PlacingDeps = { ...deps, runner };
  return {
    preview: (request, instrument, context, assumedPrice) =>
      checkOrder(deps, request, instrument, context, assumedPrice),
    readAccount: (context) => readTradableAccount(deps, context),
    closed: () => readClosed(deps),
    place: (request, instrument, context, options = {}) => placeOrder(placing, request, instrument, context, options),
    placeLeg: (leg, context) => placeLeg(placing, leg, context),
    continueAfterForm: (request, form, context, options = {}) =>
      continueAfterForm(placing, request, form, context, options),
    cancel: (orderId, context) => cancelAndRecord(deps, orderId, context),
    placedAt: (orderId) => readPlacedAt(deps, orderId),
    recordEnd: (found) => recordEnd(deps, found),
    find: (intentId, context) => findIntent(deps, intentId, context),
    state: () => readTradingState(deps),
    tick: runner.tick,
    stop: runner.stop,
  };
}

const readClosed = ({ journal }: OrderDeps): Promise<PlaceReply | undefined> =>
  journal
    .change(async () => undefined)
    .catch((error: unknown) => refusedByStore(error, randomBytes(16).toString('hex')));

/** Cancels, and records in the audit trail that it was tried. */
async function cancelAndRecord(deps: OrderDeps, orderId: string, context: CallContext): Promise<CancelOutcome> {
  const { journal, settings } = deps;
  const record = (data: object) =>
    journal
      .change((tx) => tx.note(settings.environment, 'cancel', { orderId, ...data }))
      .catch(orElse('orders', undefined));
  try {
    const outcome = await cancelOrder(deps, orderId, context);
    await record({ state: outcome.outcome });
    return outcome;
  } catch (error) {
    // The account's rate limit held this back: nothing reached the broker, and a model can call it in a loop.
    const isHeldBack = hasCode(error, 'rate_limited');
    if (!isHeldBack) await record({ state: 'failed', reason: error instanceof Error ? error.message : undefined });
    throw error;
  }
}

// Cancellation is a request: success means that the broker accepted it, not that the order is cancelled
// (docs/interface.md, Orders).

interface CancelOutcome {
  readonly outcome: 'requested' | 'already_done' | 'unknown';
  readonly orderId: string;
  readonly status?: string | undefined;
  readonly message: string;
  readonly next: string;
}

/** A cancellation names the order and is safe to repeat, so it is sent up to this often when the response is lost. */
const maxAttempts = 3;

/**
 * Requests cancellation of one order. Throws when nothing was sent, or when the broker refused and the order is
 * still pending or cannot be found.
 */
export async function cancelOrder(
  deps: Pick<OrderDeps, 'broker' | 'clock'>,
  orderId: string,
  context: CallContext,
): Promise<CancelOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      await deps.broker.call(endpoints.cancelOrder, { id: orderId }, context);
      return {
        outcome: 'requested',
        orderId,
        message: 'The broker accepted the cancellation request; the order may still fill.',
        next: 'Call get_order to see whether it was cancelled.',
      };
    } catch (error) {
      if (!(error instanceof BrokerageError)) throw error;
      if (error.code === 'not_found' || error.code === 'rejected') return reportEnd(deps, orderId, context, error);
      if (!error.facts.mayHaveHappened) throw error;
      if (attempt >= maxAttempts) {
        return {
          outcome: 'unknown',
          orderId,
          message: 'The response to the cancellation request was lost; the order may or may not be cancelled.',
          next: 'Call get_order to check its state; cancelling again is safe.',
        };
      }
    }
  }
}

/** The broker has nothing to cancel: report how the order ended, or throw the broker's refusal again. */
async function reportEnd(
  deps: Pick<OrderDeps, 'broker' | 'clock'>,
  orderId: string,
  context: CallContext,
  refusal: BrokerageError,
): Promise<CancelOutcome> {
  const found = await findOrder(deps, orderId, context);
  if (!found || (found.foundIn === 'pending' && !isFinalOrder(found.order))) throw refusal;
  return {
    outcome: 'already_done',
    orderId,
    status: found.order.status,
    message: `The order is no longer pending: it is ${found.order.status ?? 'in the history'}.`,
    next: 'Nothing is left to cancel.',
  };
}

// Checks an order without placing it: the preview, and the rule that would refuse it.

interface CheckedOrder {
  readonly preview: OrderPreview;
  /** Undefined when the order passes all rules now. */
  readonly refusal: Refusal | undefined;
  /** The time of the account data (ms), and when it was requested. */
  readonly asOf: number;
  readonly askedAt: number;
  /** Since when (ms) a history must have been read to have the newest own order; undefined without a recent one. */
  readonly since: number | undefined;
}

/** Checks an order against the account as it is now. Throws when the account cannot be read. */
export async function checkOrder(
  deps: Pick<OrderDeps, 'facts' | 'directory' | 'journal' | 'clock' | 'settings' | 'configuredLimits' | 'accountKey'>,
  request: OrderRequest,
  instrument: TradableInstrument,
  context: CallContext,
  assumedPrice?: string,
): Promise<CheckedOrder> {
  const { settings } = deps;
  const reading: CallContext = { ...context, priority: 'read' };
  const [{ account: facts, since }, { exchanges }] = await Promise.all([
    readAfterOrders(deps, reading, (bounded, oldest) => deps.facts.read(instrument, bounded, oldest)),
    deps.directory.exchanges({ ...reading, notBefore: undefined }),
  ]);
  const accountKey = await deps.accountKey();
  const now = deps.clock.now();
  const { limits, refusal, own } = await deps.journal
    .read(async (tx) => {
      const inForce = await currentLimits(deps, tx);
      const refused = await evaluateOrder(tx, { settings, order: request, facts, accountKey, limits: inForce, now });
      return { limits: inForce, refusal: refused, own: await listOwn(tx, accountKey, now) };
    })
    .catch((error: unknown) => ({
      limits: effectiveLimits(settings.environment, deps.configuredLimits, undefined),
      refusal: toStoreRefusal(error),
      own: [],
    }));
  const preview = previewOrder(request, facts, exchanges, now, limits, own, assumedPrice);
  return {
    preview,
    refusal,
    asOf: facts.asOf,
    askedAt: facts.askedAt,
    since,
  };
}
