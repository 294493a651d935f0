/**
 * The only path by which an order is sent: duplicates, facts, rules, the approval of a human, and then the sender.
 * Every decision is in the journal before it takes effect, so any process can report the state of an order or
 * continue it.
 */
import { randomBytes } from 'node:crypto';
import type { CallContext } from '../broker/types.ts';
import type { TradableInstrument } from '../catalogue/index.ts';
import { BrokerageError, isAbort } from '../errors.ts';
import { isTicker } from '../untrusted-text.ts';
import { staleSnapshotNote } from './account/exposure.ts';
import { type FoundOrder, isFinalOrder } from './account/find-order.ts';
import { type CancelOutcome, cancelOrder } from './cancel-order.ts';
import { createIntentFactory } from './create-intent.ts';
import { noteStatus } from './earlier-order.ts';
import { approvalInForce, tradingRefusal } from './halt/trading-state.ts';
import type { Intent } from './intent/intent.ts';
import { type OrderRequest, orderFingerprint } from './intent/order-request.ts';
import { type OrderOutcome, toOutcome } from './intent/outcome.ts';
import type { ApprovalChannels } from './intent/ports.ts';
import type { Refusal } from './intent/refusal.ts';
import { effectiveLimits, type RiskLimits } from './intent/risk-limits.ts';
import { openStates } from './intent/states.ts';
import { applyTransition } from './intent/transition.ts';
import { createIntentRunner } from './intent-runner.ts';
import { currentLimits, type OrderDeps } from './order-deps.ts';
import { buildPlaceResult, type PlaceReply, type PromptCapabilities, replyUnread } from './place-result.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { evaluateOrder, listOwn } from './risk/evaluate-order.ts';
import { type OrderPreview, previewOrder } from './risk/order-preview.ts';
import { createAccountLock } from './send/account-lock.ts';
import { createSender } from './send/send-order.ts';

export interface PlaceOptions extends PromptCapabilities {
  readonly repeatOf?: string | undefined;
  readonly progress?: ((message: string) => void) | undefined;
}

/** What the status tool reports about orders. `refusal` is undefined when orders may be placed. */
export interface TradingState {
  readonly refusal: Refusal | undefined;
  readonly approval: string;
  readonly limits: RiskLimits;
  readonly openIntents: readonly (Pick<Intent, 'id' | 'request' | 'createdAt'> & Pick<OrderOutcome, 'outcome'>)[];
}

/** The order functions that the tools use. */
export interface OrderManager {
  /**
   * Checks an order without placing it. `asOf` is the time of the account data (ms). Throws when the account cannot
   * be read.
   */
  preview(
    request: OrderRequest,
    instrument: TradableInstrument,
    context: CallContext,
  ): Promise<{ preview: OrderPreview; refusal: Refusal | undefined; asOf: number }>;
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
  /** Continues after the response to a form; undefined when the form did not belong to exactly this order. */
  answer(
    request: OrderRequest,
    form: {
      readonly nonce: string;
      readonly action: 'accept' | 'decline' | 'cancel';
      readonly confirmQuantity: unknown;
    },
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
  noteEnd(found: FoundOrder): Promise<void>;
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
export function createOrderManager(parts: OrderDeps): OrderManager {
  const { journal, clock, settings, channels } = parts;
  const sender = createSender({ ...parts, turns: createAccountLock(parts), limits: (tx) => currentLimits(parts, tx) });
  const carrier = createIntentRunner(parts, sender);
  const draft = createIntentFactory(parts);

  const reply = (intent: Intent, isOld: boolean, options: PromptCapabilities) =>
    buildPlaceResult(intent, { ...options, isOld, now: clock.now(), channels: parts.readOnly ? noChannels : channels });

  /** The store is shared by all environments and accounts; this process handles only its own. */
  const isOwn = async ({ environment, accountKey }: Intent): Promise<boolean> =>
    environment === settings.environment && accountKey === (await parts.accountKey());

  const goOn = async (intent: Intent, isOld: boolean, context: CallContext, options: PlaceOptions) => {
    if (intent.state === 'AWAITING_APPROVAL' && intent.approval) {
      // Start serving the page before the call waits for it.
      if (intent.method === 'page') {
        const address = await channels.pageUrl(intent.approval.handle);
        if (address) options.progress?.(`Waiting for the approval of a human at ${address}`);
      }
      // The caller asks its user first and calls again with the response.
      const asksNow = intent.method === 'elicitation' ? options.canAsk : intent.method === 'page' && options.canOpen;
      if (asksNow) return reply(intent, isOld, options);
    }
    return reply(await carrier.follow(intent, context, options.progress), isOld, options);
  };

  const afterForm = async (
    asked: Intent,
    form: Parameters<OrderManager['answer']>[1],
    context: CallContext,
    progress: PlaceOptions['progress'],
  ): Promise<PlaceReply> => {
    // An order with a page is decided on the page: opening the page, or not, decides nothing.
    if (asked.method === 'elicitation') {
      if (form.action === 'decline') await parts.approvals.declineForm(form.nonce);
      // The form was closed, or a host that cannot show forms responded automatically: the order waits until it
      // expires.
      if (form.action === 'cancel') return reply(await carrier.current(asked), false, { wasAsked: true });
      if (form.action === 'accept' && (await parts.approvals.confirm(form)).kind === 'changed') {
        const said = await reply(await carrier.current(asked), false, { wasAsked: true });
        return { ...said, message: `${said.message} The form was not filled in with the quantity of the order.` };
      }
    }
    return reply(await carrier.follow(await carrier.current(asked), context, progress), false, {});
  };

  /**
   * Once an intent exists, return its state whatever failed, because an error would invite the caller to retry and
   * place a second order.
   */
  const despite = async (intent: Intent, isOld: boolean, error: unknown): Promise<PlaceReply> => {
    const now = await carrier.current(intent).catch(() => intent);
    if (!isOld && now.method === 'none' && now.state === 'APPROVED') {
      const refused = refusedByStore(error, now.id);
      // Record the refusal that is returned, in case the store works again, so that a repeated order is not matched
      // to this intent.
      await journal
        .change((tx) => applyTransition(tx, now, 'refuse', clock.now(), { rule: refused.rule, reason: refused.reason }))
        .catch(() => undefined);
      return refused;
    }
    const reason = error instanceof BrokerageError ? error.message : undefined;
    return { ...toOutcome(now, clock.now()), ...(reason === undefined ? {} : { reason }) };
  };

  /**
   * The insert may have succeeded although the store reported a failure. Read in a write transaction, because by
   * then a pending insert has either committed or rolled back.
   */
  const afterDraft = async (id: string, error: unknown): Promise<PlaceReply> => {
    const refused = refusedByStore(error, id);
    const written = await journal.change((tx) => tx.find(id)).catch(() => undefined);
    return written ? despite(written, false, error) : refused;
  };

  return {
    preview: async (request, instrument, context) => {
      const reading: CallContext = { ...context, priority: 'read' };
      const [facts, { exchanges }] = await Promise.all([
        parts.facts.read(instrument, reading),
        parts.directory.exchanges(reading),
      ]);
      const accountKey = await parts.accountKey();
      const now = clock.now();
      const asked = await journal
        .read(async (tx) => {
          const limits = await currentLimits(parts, tx);
          const refusal = await evaluateOrder(tx, { settings, order: request, facts, accountKey, limits, now });
          return { limits, refusal, own: await listOwn(tx, accountKey, now) };
        })
        .catch((error: unknown) => ({
          limits: effectiveLimits(settings.environment, parts.configuredLimits, undefined),
          refusal: storeRefusal(error),
          own: [],
        }));
      const { limits, own } = asked;
      const preview = previewOrder(request, facts, exchanges, now, limits, own);
      return {
        preview: { ...preview, warnings: [...staleSnapshotNote({ facts, own, now }), ...preview.warnings] },
        refusal: asked.refusal,
        asOf: facts.asOf,
      };
    },

    closed: () =>
      journal
        .change(async () => undefined)
        .catch((error: unknown) => refusedByStore(error, randomBytes(16).toString('hex'))),

    place: async (request, instrument, context, options = {}) => {
      // The service chooses these names, and a person approves by what the ticket shows.
      if (!isTicker(request.ticker))
        throw new BrokerageError(
          'invalid_argument',
          'The ticker of this instrument has characters that are not allowed in a ticker, so an order cannot display it safely.',
          'Choose another instrument, or place the order in the broker’s application.',
        );
      const id = randomBytes(16).toString('hex');
      try {
        const wanted = { id, request, repeatOf: options.repeatOf, progress: options.progress };
        const { intent, isOld, facts, unread } = await draft(wanted, instrument, context);
        if (unread) return replyUnread(intent, unread, clock.now());
        try {
          const isReady = !isOld && facts !== undefined && intent.state === 'APPROVED';
          if (!isReady) return await goOn(intent, isOld, context, options);
          return await reply(await carrier.send(intent, facts, context), false, options);
        } catch (error) {
          return await despite(intent, isOld, error);
        }
      } catch (error) {
        return afterDraft(id, error);
      }
    },

    answer: async (request, form, context, options = {}) => {
      const asked = await parts.approvals.findByNonce(form.nonce);
      if (!asked || !(await isOwn(asked))) return undefined;
      // The response to one order does not approve another.
      const { accountKey, environment, fingerprint } = asked;
      if (orderFingerprint(request, { accountKey, environment }) !== fingerprint) return undefined;
      try {
        return await afterForm(asked, form, context, options.progress);
      } catch (error) {
        return await despite(asked, false, error);
      }
    },

    cancel: async (orderId, context) => {
      const note = (data: object) =>
        journal.change((tx) => tx.note(settings.environment, 'cancel', { orderId, ...data })).catch(() => undefined);
      try {
        const outcome = await cancelOrder(parts, orderId, context);
        await note({ state: outcome.outcome });
        return outcome;
      } catch (error) {
        // The account's rate limit held this back: nothing reached the broker, and a model can call it in a loop.
        const isHeldBack = error instanceof BrokerageError && error.code === 'rate_limited';
        if (!isHeldBack) await note({ state: 'failed', reason: error instanceof Error ? error.message : undefined });
        throw error;
      }
    },

    placedAt: async (orderId) => {
      const accountKey = await parts.accountKey();
      const placed = await journal
        .read((tx) => tx.list({ accountKey, orderId, states: ['PLACED'], limit: 1 }))
        .catch(() => []);
      return placed[0]?.sentAt;
    },

    noteEnd: async (found) => {
      const { id } = found.order;
      if (parts.readOnly || id === undefined || !isFinalOrder(found.order)) return;
      const accountKey = await parts.accountKey();
      await journal
        .change(async (tx) => {
          const [intent] = await tx.list({ accountKey, orderId: id, states: ['PLACED'], limit: 1 });
          if (intent) await noteStatus(tx, intent, found);
        })
        // This is optional: without it, the next order reads the status again.
        .catch(() => undefined);
    },

    find: async (intentId, context) => {
      const intent = await journal.read((tx) => tx.find(intentId));
      if (intent?.environment !== settings.environment) return undefined;
      if (intent.state !== 'UNKNOWN' || parts.readOnly) return reply(intent, false, {});
      // A new API key is a new account name until the service reports which account it belongs to.
      const isOurs = (await isOwn(intent)) || (await parts.knowAccount(context).catch(() => '')) === intent.accountKey;
      if (!isOurs) return reply(intent, false, {});
      const looked = await reconcile(parts, intentId, context).catch(() => undefined);
      return reply(looked ?? intent, false, {});
    },

    state: async () => {
      const accountKey = await parts.accountKey().catch(() => undefined);
      return journal.read(async (tx) => {
        const open = await tx.list({ states: openStates, environment: settings.environment });
        return {
          refusal: await tradingRefusal(settings, tx, accountKey),
          approval: await approvalInForce(settings, tx),
          limits: await currentLimits(parts, tx),
          openIntents: open.map((intent) => ({
            id: intent.id,
            request: intent.request,
            createdAt: intent.createdAt,
            outcome: toOutcome(intent, clock.now()).outcome,
          })),
        };
      });
    },

    tick: carrier.tick,
    stop: carrier.stop,
  };
}

/** A read-only server serves no approval page. */
const noChannels: ApprovalChannels = { pageUrl: async () => undefined };

/**
 * Why nothing was sent after a failure. Nothing after the commit throws, so every error comes from before it.
 * Errors that the caller has to fix are thrown again.
 */
const storeRefusal = (error: unknown): Refusal => {
  if (error instanceof BrokerageError && error.code === 'store_unavailable')
    return { rule: 'store_unavailable', reason: `${error.message} No order is sent without it. ${error.next}` };
  if (error instanceof BrokerageError || isAbort(error)) throw error;
  return { rule: 'internal', reason: 'Internal error in brokerage-mcp before the order was sent.' };
};

/** An order that cannot be recorded is not sent. */
const refusedByStore = (error: unknown, intentId: string): PlaceReply => ({
  outcome: 'refused',
  intentId,
  ...storeRefusal(error),
  message: 'This server refused the order; nothing was sent.',
  next: 'Tell the user; call get_server_status for details.',
});
