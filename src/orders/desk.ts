/**
 * The one way for an order to leave: duplicates, facts, rules, the approval of a human, and then the
 * sender. Everything that is decided is in the journal before it happens, so any process can tell what
 * became of it, and another one can carry it on.
 */
import { randomBytes } from 'node:crypto';
import type { Broker, CallContext } from '../broker/types.ts';
import type { TradableInstrument } from '../catalogue/index.ts';
import type { Clock } from '../clock.ts';
import { BrokerageError } from '../errors.ts';
import type { InstrumentDirectory } from '../market/directory.ts';
import type { Ticket } from './approval-port.ts';
import type { AllApprovals } from './approvals.ts';
import { findDuplicate } from './duplicates.ts';
import { worstValue } from './estimate.ts';
import { baselineOf, createFactsReader, type OrderFacts } from './facts.ts';
import { watchForeignOrders } from './foreign-orders.ts';
import type { Intent } from './intent.ts';
import { findOrder, isFinalOrder } from './order-lookup.ts';
import { describeIntent, type OrderOutcome } from './outcome.ts';
import type { Channels, Journal, JournalChange, JournalView, Processes } from './ports.ts';
import { type OrderPreview, previewOrder } from './preview.ts';
import { reconcile } from './reconcile.ts';
import { fingerprintOf, type OrderRequest } from './request.ts';
import { dayMs, firstRefusal, type Refusal } from './risk.ts';
import { type ConfiguredLimits, limitsInForce, type RiskLimits } from './risk-limits.ts';
import { readEnrolment } from './security.ts';
import { createSender, giveUp, isAbandoned, openUnknown } from './send.ts';
import { nextState, openStates, unknownStates } from './states.ts';
import { askFor } from './ticket.ts';
import { approvalInForce, type TradingSettings, whyNoTrading } from './trading-state.ts';
import { createTurns } from './turn.ts';

export interface DeskParts {
  readonly broker: Broker;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly settings: TradingSettings;
  readonly configuredLimits: ConfiguredLimits;
  readonly directory: InstrumentDirectory;
  readonly approvals: AllApprovals;
  readonly channels: Channels;
  /** The stable key of the account that orders are for. */
  readonly accountKey: () => Promise<string>;
}

export interface PlaceOptions {
  readonly repeatOf?: string | undefined;
  /** Whether the caller can show a form. */
  readonly canAsk?: boolean | undefined;
  /** Whether the caller can open an address. */
  readonly canOpen?: boolean | undefined;
  readonly progress?: ((message: string) => void) | undefined;
}

/** What the human is asked through the caller: a form, or to open an address. The answer names the nonce. */
export interface Question {
  readonly nonce: string;
  readonly ticket: Ticket;
  readonly address?: string | undefined;
}

export interface PlaceReply extends OrderOutcome {
  /** It is an earlier order of the same kind: nothing was placed now. */
  readonly coalesced?: true | undefined;
  /** Where the human approves, while it waits. */
  readonly approval?:
    | {
        readonly method: string;
        readonly how: string;
        readonly address?: string | undefined;
        readonly secondsLeft: number;
      }
    | undefined;
  readonly ask?: Question | undefined;
}

export interface TradingState {
  readonly refusal: Refusal | undefined;
  readonly approval: string;
  readonly limits: RiskLimits;
  readonly openIntents: readonly (Pick<Intent, 'id' | 'request' | 'createdAt'> & Pick<OrderOutcome, 'outcome'>)[];
}

export interface Desk {
  preview(
    request: OrderRequest,
    instrument: TradableInstrument,
    context: CallContext,
  ): Promise<{ preview: OrderPreview; refusal: Refusal | undefined; asOf: number }>;
  /** Places one order that has been checked for sense, and answers what became of it. */
  place(
    request: OrderRequest,
    instrument: TradableInstrument,
    context: CallContext,
    options?: PlaceOptions,
  ): Promise<PlaceReply>;
  /** Goes on after a form was answered. */
  answer(
    form: {
      readonly nonce: string;
      readonly action: 'accept' | 'decline' | 'cancel';
      readonly confirmQuantity: unknown;
    },
    context: CallContext,
    options?: PlaceOptions,
  ): Promise<PlaceReply | undefined>;
  /** The present state of an intent; undefined when there is none of that id. Looks for it when it is unknown. */
  find(intentId: string, context: CallContext): Promise<PlaceReply | undefined>;
  state(): Promise<TradingState>;
  /** What has to go on by itself: expiries, approved orders, the search for unknown ones. Answers how many are open. */
  tick(): Promise<number>;
  /** Begins nothing new, and resolves when what is on its way has been written down. */
  stop(): Promise<void>;
}

/** A call waits this long for the human. */
const longestWaitMs = 40_000;
/** What must be left of a call to answer it. */
const answerMs = 3_000;
const lookEveryMs = 250;
/** An order that is carried on outside a call has this long. */
const carriedOnMs = 50_000;

export function createDesk(parts: DeskParts): Desk {
  const { journal, clock, broker, settings, processes } = parts;
  const factsReader = createFactsReader(broker, clock);
  const limitsNow = async (tx: JournalView) =>
    limitsInForce(settings.environment, parts.configuredLimits, (await readEnrolment(tx))?.limits);
  const sender = createSender({
    broker,
    journal,
    clock,
    processes,
    settings,
    limits: limitsNow,
    turns: createTurns({ journal, clock, processes }),
  });
  const busy = new Set<string>();
  const flights = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  /** A process that may not trade leaves what others approved alone: its no is not theirs. */
  const mayTrade = settings.environment !== 'live' || settings.liveTrading;

  const readContext = (context: CallContext): CallContext => ({ ...context, priority: 'read' });
  const describe = (intent: Intent): PlaceReply => describeIntent(intent, clock.now());
  const row = async (intent: Intent): Promise<Intent> => (await journal.read((tx) => tx.find(intent.id))) ?? intent;

  const blank = (
    request: OrderRequest,
    accountKey: string,
    facts: OrderFacts | undefined,
  ): Omit<Intent, 'limits' | 'method'> => {
    const now = clock.now();
    return {
      id: randomBytes(16).toString('hex'),
      kind: 'order',
      state: 'DRAFT',
      environment: settings.environment,
      accountKey,
      fingerprint: fingerprintOf(request, { environment: settings.environment, accountKey }),
      ticker: request.ticker,
      request,
      createdAt: now,
      changedAt: now,
      owner: processes.self,
      value: facts && worstValue(request, facts)?.toFixed(2),
      baseline: facts
        ? baselineOf(request.ticker, facts)
        : {
            askedAt: now,
            pendingIds: [],
            position: '0',
            cash: undefined,
            price: undefined,
            serviceOffsetMs: undefined,
          },
    };
  };

  const insertRefused = async (tx: JournalChange, intent: Intent, refusal: Refusal): Promise<Intent> => {
    await tx.insert(intent);
    const refused = { ...refusal, state: nextState('DRAFT', 'refuse'), changedAt: clock.now() };
    return (await tx.move(intent.id, 'DRAFT', refused)) ?? intent;
  };

  /** Without the facts nothing is sent; that is an outcome of this order and no error of the call. */
  const notSent = async (request: OrderRequest, error: unknown): Promise<Intent> => {
    const isAnswer =
      error instanceof BrokerageError && !['cancelled', 'not_configured', 'store_unavailable'].includes(error.code);
    if (!isAnswer) throw error;
    const accountKey = await parts.accountKey();
    return journal.change(async (tx) => {
      const limits = await limitsNow(tx);
      const intent: Intent = { ...blank(request, accountKey, undefined), limits, method: 'none' };
      await tx.insert(intent);
      const reason = `The account could not be read before the order: ${error.message}`;
      const change = { state: nextState('DRAFT', 'failBeforeSending'), changedAt: clock.now(), reason };
      return (await tx.move(intent.id, 'DRAFT', change)) ?? intent;
    });
  };

  /** Duplicates, the rules and the reservation, in one transaction: nothing can come in between. */
  const draft = (
    request: OrderRequest,
    facts: OrderFacts,
    accountKey: string,
    repeatOf: string | undefined,
    exchanges: Awaited<ReturnType<InstrumentDirectory['exchanges']>>['exchanges'],
  ) =>
    journal.change(async (tx): Promise<{ intent: Intent; isOld: boolean }> => {
      const now = clock.now();
      const fresh = blank(request, accountKey, facts);
      const { pendingIds } = fresh.baseline;
      const duplicate = await findDuplicate(tx, { fingerprint: fresh.fingerprint, repeatOf, now, pendingIds });
      if (duplicate.kind === 'existing') return { intent: duplicate.intent, isOld: true };
      const limits = await limitsNow(tx);
      const method = await approvalInForce(settings, tx);
      const repeats = duplicate.kind === 'repetition' ? { repeatOf: duplicate.of.id } : {};
      const intent: Intent = { ...fresh, ...repeats, limits, method };
      const refusal = await whyRefused(tx, request, facts, accountKey, limits, method, now);
      if (refusal) return { intent: await insertRefused(tx, intent, refusal), isOld: false };
      await tx.insert(intent);
      const next =
        method === 'none'
          ? { state: nextState('DRAFT', 'approve'), changedAt: now }
          : { state: nextState('DRAFT', 'askHuman'), changedAt: now, approval: askFor(intent, facts, exchanges, now) };
      return { intent: (await tx.move(intent.id, 'DRAFT', next)) ?? intent, isOld: false };
    });

  const whyRefused = async (
    tx: JournalChange,
    request: OrderRequest,
    facts: OrderFacts,
    accountKey: string,
    limits: RiskLimits,
    method: string,
    now: number,
  ): Promise<Refusal | undefined> => {
    await watchForeignOrders(tx, { environment: settings.environment, limits, accountKey, facts, now });
    const stopped = await whyNoTrading(settings, tx, accountKey);
    if (stopped) return stopped;
    const blocked = await tx.list({ states: unknownStates, accountKey, ticker: request.ticker });
    if (blocked.length > 0) return openUnknown(request.ticker);
    return firstRefusal({
      order: request,
      environment: settings.environment,
      limits,
      facts,
      own: await tx.list({ accountKey, createdSince: now - dayMs }),
      now,
      humanSeesIt: method === 'page' || method === 'terminal',
    });
  };

  /** What can be said before anything is asked of the broker. */
  const earlyAnswer = async (request: OrderRequest, repeatOf: string | undefined, context: CallContext) => {
    const accountKey = await parts.accountKey();
    const fingerprint = fingerprintOf(request, { environment: settings.environment, accountKey });
    const question = { fingerprint, repeatOf, pendingIds: [] };
    const look = () => journal.read((tx) => findDuplicate(tx, { ...question, now: clock.now() }));
    const found = await look();
    if (found.kind === 'existing') {
      if (!(await noteItsEnd(found.intent, context))) return found.intent;
      const again = await look();
      if (again.kind === 'existing') return again.intent;
    }
    return journal.change(async (tx) => {
      const refusal = await whyNoTrading(settings, tx, accountKey);
      if (!refusal) return undefined;
      const limits = await limitsNow(tx);
      const method = await approvalInForce(settings, tx);
      return {
        refused: await insertRefused(tx, { ...blank(request, accountKey, undefined), limits, method }, refusal),
      };
    });
  };

  /** An order that ended without a fill stands in nobody's way. True when that was found out now. */
  const noteItsEnd = async (intent: Intent, context: CallContext): Promise<boolean> => {
    if (intent.state !== 'PLACED' || intent.orderId === undefined) return false;
    const notBefore = clock.now();
    const found = await findOrder(broker, intent.orderId, { ...readContext(context), notBefore }).catch(
      () => undefined,
    );
    if (!found || found.fills.length > 0 || Number(found.order.filledQuantity ?? 0) !== 0) return false;
    const { status } = found.order;
    if (!isFinalOrder(found.order) || status === 'FILLED') return false;
    await journal.change((tx) => tx.move(intent.id, 'PLACED', { state: 'PLACED', endedAs: status }));
    return true;
  };

  /** What has been committed is finished even when its caller is gone. */
  const fly = <Result>(work: Promise<Result>): Promise<Result> => {
    flights.add(work);
    work.finally(() => flights.delete(work)).catch(() => undefined);
    return work;
  };

  const carryOn = async (intent: Intent, context: CallContext): Promise<Intent> => {
    const instrument = await parts.directory.require(intent.ticker, readContext(context));
    // After a human took their time, the account is looked at again.
    const notBefore = intent.approval?.approvedAt;
    const facts = await factsReader.read(instrument, readContext(context), notBefore);
    return fly(sender.send(intent, facts, context));
  };

  /** Waits for what others decide: the human, or the process that sends it. */
  const follow = async (start: Intent, context: CallContext, options: PlaceOptions): Promise<Intent> => {
    const until = Math.min(clock.now() + longestWaitMs, context.deadlineAt - answerMs);
    let intent = start;
    let told = false;
    for (;;) {
      const now = clock.now();
      const waitsForHuman = intent.state === 'AWAITING_APPROVAL';
      const isMoving = waitsForHuman || intent.state === 'SENDING' || intent.state === 'APPROVED';
      if (!isMoving && !(intent.state === 'NOT_SENT' && (intent.retryUntil ?? 0) > now)) return intent;
      if (intent.state === 'APPROVED' && intent.approval && mayTrade && !busy.has(intent.id))
        return carryOnAlone(intent, context);
      if (waitsForHuman && now >= (intent.approval?.expiresAt ?? 0)) return expire(intent);
      if (now + lookEveryMs > until || context.signal?.aborted) return intent;
      if (waitsForHuman && !told) options.progress?.('Waiting for the approval of a human');
      told = true;
      await clock.sleep(lookEveryMs, context.signal).catch(() => undefined);
      intent = await row(intent);
    }
  };

  const carryOnAlone = async (intent: Intent, context: CallContext): Promise<Intent> => {
    busy.add(intent.id);
    try {
      return await carryOn(intent, context);
    } finally {
      busy.delete(intent.id);
    }
  };

  const expire = async (intent: Intent): Promise<Intent> => {
    const change = {
      state: nextState(intent.state, 'expire'),
      changedAt: clock.now(),
      reason: intent.approval ? 'Nobody approved it in time.' : 'It was made too long ago to be sent now.',
    };
    return (await journal.change((tx) => tx.move(intent.id, intent.state, change))) ?? row(intent);
  };

  const reply = async (intent: Intent, isOld: boolean, options: PlaceOptions): Promise<PlaceReply> => {
    const said = describe(intent);
    const old = isOld
      ? {
          coalesced: true as const,
          message: `${said.message} This is the same order as before: it was not placed again.`,
          next: `${said.next} For a second identical order send repeatOf with this intentId.`,
        }
      : {};
    return { ...said, ...old, ...(await waiting(intent, options)) };
  };

  const waiting = async (intent: Intent, options: PlaceOptions): Promise<Pick<PlaceReply, 'approval' | 'ask'>> => {
    const { approval, method, state } = intent;
    const now = clock.now();
    if (state !== 'AWAITING_APPROVAL' || !approval || method === 'none' || now >= approval.expiresAt) return {};
    const secondsLeft = Math.ceil((approval.expiresAt - now) / 1000);
    const address = method === 'page' ? await parts.channels.pageAddress(approval.handle) : undefined;
    const inTerminal = 'the owner runs "brokerage-mcp approve" in a terminal';
    const how = {
      page: address
        ? `The owner opens the address, or runs "brokerage-mcp approve" in a terminal.`
        : `No page can be shown here: ${inTerminal}.`,
      terminal: `To approve it ${inTerminal}.`,
      elicitation: options.canAsk
        ? 'The form asks for the quantity.'
        : `This host shows no forms; if a passphrase is enrolled, ${inTerminal}.`,
    }[method];
    const { nonce, ticket } = approval;
    const asksForm = method === 'elicitation' && options.canAsk;
    const asksPage = address !== undefined && options.canOpen;
    const ask = asksForm ? { nonce, ticket } : asksPage ? { nonce, ticket, address } : undefined;
    return { approval: { method, how, address, secondsLeft }, ask };
  };

  const goOn = async (
    intent: Intent,
    isOld: boolean,
    context: CallContext,
    options: PlaceOptions,
  ): Promise<PlaceReply> => {
    const { approval } = intent;
    // The page is there before the call begins to wait for it.
    if (intent.state === 'AWAITING_APPROVAL' && approval && intent.method === 'page') {
      const address = await parts.channels.pageAddress(approval.handle);
      if (address) options.progress?.(`Waiting for the approval of a human at ${address}`);
    }
    const asksNow = intent.method === 'elicitation' ? options.canAsk : intent.method === 'page' && options.canOpen;
    const asks = intent.state === 'AWAITING_APPROVAL' && asksNow;
    return reply(asks ? intent : await follow(intent, context, options), isOld, options);
  };

  return {
    preview: async (request, instrument, context) => {
      const reading = readContext(context);
      const [facts, { exchanges }, accountKey] = await Promise.all([
        factsReader.read(instrument, reading),
        parts.directory.exchanges(reading),
        parts.accountKey(),
      ]);
      const now = clock.now();
      const refusal = await journal
        .read(async (tx) => {
          const method = await approvalInForce(settings, tx);
          const stopped = await whyNoTrading(settings, tx, accountKey);
          if (stopped) return stopped;
          const own = await tx.list({ accountKey, createdSince: now - dayMs });
          const limits = await limitsNow(tx);
          const humanSeesIt = method === 'page' || method === 'terminal';
          return firstRefusal({
            order: request,
            environment: settings.environment,
            limits,
            facts,
            own,
            now,
            humanSeesIt,
          });
        })
        .catch(storeRefusal);
      return { preview: previewOrder(request, facts, exchanges, now), refusal, asOf: facts.asOf };
    },

    place: async (request, instrument, context, options = {}) => {
      try {
        const early = await earlyAnswer(request, options.repeatOf, context);
        if (early && 'refused' in early) return describe(early.refused);
        if (early) return await goOn(early, true, context, options);

        const facts = await factsReader.read(instrument, readContext(context)).catch((error: unknown) => error);
        if (!isFacts(facts)) return describe(await notSent(request, facts));
        const method = await journal.read((tx) => approvalInForce(settings, tx));
        const exchanges = method === 'none' ? [] : (await parts.directory.exchanges(readContext(context))).exchanges;
        // After the facts: the summary says which account it is, and nothing about an intent changes its key.
        const accountKey = await parts.accountKey();
        const { intent, isOld } = await draft(request, facts, accountKey, options.repeatOf, exchanges);
        if (isOld || intent.state !== 'APPROVED') return await goOn(intent, isOld, context, options);
        try {
          return describe(await fly(sender.send(intent, facts, context)));
        } catch (error) {
          return { ...(await refusedByStore(error)), intentId: intent.id };
        }
      } catch (error) {
        return refusedByStore(error);
      }
    },

    answer: async (form, context, options = {}) => {
      const asked = await parts.approvals.findByNonce(form.nonce);
      if (!asked) return undefined;
      const quiet = { ...options, canAsk: false, canOpen: false };
      // A page is decided on the page: opening it, or not, says nothing about the order.
      if (asked.method === 'elicitation') {
        if (form.action === 'decline') await parts.approvals.declineForm(form.nonce);
        if (form.action === 'accept') {
          const decision = await parts.approvals.confirm(form);
          if (decision.kind === 'changed') {
            const said = await reply(await row(asked), false, quiet);
            return { ...said, message: `${said.message} The form was not answered with the quantity of the order.` };
          }
        }
        // Closed, or a host that cannot ask answered by itself: it waits until it expires.
        if (form.action === 'cancel') return reply(await row(asked), false, quiet);
      }
      return reply(await follow(await row(asked), context, quiet), false, quiet);
    },

    find: async (intentId, context) => {
      const intent = await journal.read((tx) => tx.find(intentId));
      if (!intent) return undefined;
      const looked =
        intent.state === 'UNKNOWN'
          ? ((await reconcile(parts, intentId, readContext(context)).catch(() => undefined)) ?? intent)
          : intent;
      return reply(looked, false, {});
    },

    state: () =>
      journal.read(async (tx) => {
        const openIntents = await tx.list({ states: openStates, environment: settings.environment });
        const [first] = openIntents;
        return {
          refusal: await whyNoTrading(settings, tx, first?.accountKey),
          approval: await approvalInForce(settings, tx),
          limits: await limitsNow(tx),
          openIntents: openIntents.map(({ id, request, createdAt, ...rest }) => ({
            id,
            request,
            createdAt,
            outcome: describe({ id, request, createdAt, ...rest }).outcome,
          })),
        };
      }),

    tick: async () => {
      if (stopping.signal.aborted) return 0;
      const open = await journal.read((tx) => tx.list({ states: openStates, environment: settings.environment }));
      if (open.length === 0) return 0;
      const accountKey = await parts.accountKey().catch(() => undefined);
      for (const intent of open) {
        if (intent.accountKey === accountKey && !busy.has(intent.id)) await care(intent);
      }
      return open.length;
    },

    stop: async () => {
      stopping.abort();
      await Promise.allSettled([...flights]);
    },
  };

  async function care(intent: Intent): Promise<void> {
    const now = clock.now();
    const { state, approval } = intent;
    const context: CallContext = { priority: 'place', deadlineAt: now + carriedOnMs, signal: stopping.signal };
    const isOver = approval ? now >= approval.expiresAt : now > intent.createdAt + longestCallMs;
    if (state === 'AWAITING_APPROVAL') {
      if (isOver) await expire(intent);
      // Whoever served its page may be gone.
      else if (intent.method === 'page' && approval) await parts.channels.pageAddress(approval.handle);
    } else if (state === 'APPROVED') {
      if (isOver) await expire(intent);
      else if (approval && mayTrade) void carryOnAlone(intent, context).catch(() => undefined);
    } else if (state === 'SENDING') {
      if (isAbandoned(intent, processes, now)) await journal.change((tx) => giveUp(tx, intent, now));
    } else if (state === 'UNKNOWN' && (intent.search?.nextAt ?? 0) <= now) {
      busy.add(intent.id);
      void reconcile(parts, intent.id, context)
        .catch(() => undefined)
        .finally(() => busy.delete(intent.id));
    }
  }
}

const isFacts = (value: unknown): value is OrderFacts =>
  typeof value === 'object' && value !== null && 'positions' in value;

/** Twice the longest call: its maker is not there any more. */
const longestCallMs = 120_000;

const storeRefusal = (error: unknown): Refusal => {
  if (!(error instanceof BrokerageError && error.code === 'store_unavailable')) throw error;
  return { rule: 'store_unavailable', reason: `${error.message} Without it no order is sent.` };
};

/** What cannot be written down does not leave. */
async function refusedByStore(error: unknown): Promise<PlaceReply> {
  const refusal = storeRefusal(error);
  return {
    outcome: 'refused',
    intentId: randomBytes(16).toString('hex'),
    ...refusal,
    message: 'The order was refused here; nothing was sent.',
    next: 'Tell the user; get_server_status says more.',
  };
}
