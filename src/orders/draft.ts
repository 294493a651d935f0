/** From a request to an intent in the journal: the earlier one of the same kind, a refused one, or one that goes on. */
import type { CallContext } from '../broker/types.ts';
import type { Exchange, TradableInstrument } from '../catalogue/index.ts';
import { BrokerageError } from '../errors.ts';
import { type DeskParts, limitsNow } from './desk-parts.ts';
import { findDuplicate } from './duplicates.ts';
import { worstValue } from './estimate.ts';
import { baselineOf, type OrderFacts } from './facts.ts';
import { watchForeignOrders } from './foreign-orders.ts';
import { noticeHaltFile } from './halt.ts';
import type { Baseline, Intent } from './intent.ts';
import { rememberLive, whyLiveInDisguise } from './live-service.ts';
import { findOrder } from './order-lookup.ts';
import { settleOverdue } from './overdue.ts';
import type { JournalChange } from './ports.ts';
import { fingerprintOf, type OrderRequest } from './request.ts';
import type { Refusal } from './risk.ts';
import { nextState } from './states.ts';
import { askFor } from './ticket.ts';
import { approvalInForce, whyNoTrading } from './trading-state.ts';
import { whyNotNow } from './why-not.ts';

export interface Draft {
  readonly intent: Intent;
  /** It was there before: nothing is placed for this request. */
  readonly isOld: boolean;
  /** What was known when it was made; undefined when it goes no further. */
  readonly facts?: OrderFacts;
}

export interface Wanted {
  /** Of the intent, if one is made: whoever gets no answer of the store looks by it whether there is one. */
  readonly id: string;
  readonly request: OrderRequest;
  readonly repeatOf: string | undefined;
}

/** How long the state of an earlier order is asked for, before it is taken as it was. */
const patienceMs = 5_000;
/** A replaced order lives on under another id. */
const endsWithoutFill = new Set(['CANCELLED', 'REJECTED', 'EXPIRED']);
const nothingKnown: Omit<Baseline, 'askedAt'> = {
  pendingIds: [],
  position: '0',
  cash: undefined,
  price: undefined,
  serviceOffsetMs: undefined,
};

export function createDrafter(parts: DeskParts) {
  const { journal, clock, settings, processes } = parts;

  const blank = (
    { id, request }: Wanted,
    accountKey: string,
    facts?: OrderFacts,
  ): Omit<Intent, 'limits' | 'method'> => {
    const now = clock.now();
    return {
      id,
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
      baseline: facts ? baselineOf(request.ticker, facts) : { askedAt: now, ...nothingKnown },
    };
  };

  const complete = async (tx: JournalChange, draft: ReturnType<typeof blank>): Promise<Intent> => ({
    ...draft,
    limits: await limitsNow(parts, tx),
    method: await approvalInForce(settings, tx),
  });

  const insertAnd = async (
    tx: JournalChange,
    intent: Intent,
    event: 'refuse' | 'failBeforeSending' | 'approve' | 'askHuman',
    change: Partial<Intent>,
  ): Promise<Intent> => {
    await tx.insert(intent);
    const moved = { ...change, state: nextState('DRAFT', event), changedAt: clock.now() };
    return (await tx.move(intent.id, 'DRAFT', moved)) ?? intent;
  };

  /** What can be said before anything is asked of the broker. */
  const early = async (wanted: Wanted, context: CallContext) => {
    const { request, repeatOf } = wanted;
    const accountKey = await parts.accountKey();
    await journal.change(async (tx) => {
      await settleOverdue(tx, accountKey, processes, clock.now());
      await noticeHaltFile(tx, settings.haltFile, clock.now());
    });
    const fingerprint = fingerprintOf(request, { environment: settings.environment, accountKey });
    const look = () =>
      journal.read((tx) => findDuplicate(tx, { fingerprint, repeatOf, pendingIds: [], now: clock.now() }));
    const found = await look();
    if (found.kind === 'existing') {
      if (!(await hasEnded(found.intent, context))) return { intent: await current(found.intent), isOld: true };
      const again = await look();
      if (again.kind === 'existing') return { intent: again.intent, isOld: true };
    }
    return journal.change(async (tx): Promise<Draft | undefined> => {
      const refusal = await whyNoTrading(settings, tx, accountKey);
      if (!refusal) return undefined;
      const intent = await complete(tx, blank(wanted, accountKey));
      return { intent: await insertAnd(tx, intent, 'refuse', refusal), isOld: false };
    });
  };

  const current = async (intent: Intent): Promise<Intent> => (await journal.read((tx) => tx.find(intent.id))) ?? intent;

  /** An order that ended without a fill stands in nobody's way. */
  const hasEnded = async (intent: Intent, context: CallContext): Promise<boolean> => {
    if (intent.state !== 'PLACED' || intent.orderId === undefined) return false;
    const now = clock.now();
    const reading: CallContext = { ...context, priority: 'read', notBefore: now, waitUntil: now + patienceMs };
    const found = await findOrder(parts.broker, intent.orderId, reading).catch(() => undefined);
    if (!found) return false;
    const { status, filledQuantity } = found.order;
    const hasFill = found.fills.length > 0 || Number(filledQuantity ?? 0) !== 0;
    const endedAs = status !== undefined && endsWithoutFill.has(status) && !hasFill ? status : undefined;
    await journal.change((tx) => tx.move(intent.id, 'PLACED', { state: 'PLACED', orderStatus: status, endedAs }));
    return endedAs !== undefined;
  };

  /** Without the facts nothing is sent; that is an outcome of this order and no error of the call. */
  const notSent = async (wanted: Wanted, error: unknown): Promise<Draft> => {
    const isAnswer = error instanceof BrokerageError && !noAnswer.has(error.code);
    if (!isAnswer) throw error;
    const accountKey = await parts.accountKey();
    const reason = `The account could not be read before the order: ${error.message}`;
    const intent = await journal.change(async (tx) =>
      insertAnd(tx, await complete(tx, blank(wanted, accountKey)), 'failBeforeSending', { reason }),
    );
    return { intent, isOld: false };
  };

  /** Duplicates, the rules and the reservation, in one transaction: nothing can come in between. */
  const decide = (wanted: Wanted, facts: OrderFacts, accountKey: string, exchanges: readonly Exchange[]) =>
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
      await watchForeignOrders(tx, { environment: settings.environment, limits, accountKey, facts, now });
      const account = facts.summary.id;
      if (settings.environment === 'live') await rememberLive(tx, { origin: settings.origin, account });
      const refusal: Refusal | undefined =
        (await whyLiveInDisguise(tx, settings, account)) ??
        (await whyNotNow(tx, { settings, order: request, facts, accountKey, limits, now }));
      if (refusal) return { intent: await insertAnd(tx, intent, 'refuse', refusal), isOld: false };
      if (method === 'none') return { intent: await insertAnd(tx, intent, 'approve', {}), isOld: false, facts };
      const approval = askFor(intent, facts, exchanges, now);
      return { intent: await insertAnd(tx, intent, 'askHuman', { approval }), isOld: false, facts };
    });

  return async (wanted: Wanted, instrument: TradableInstrument, context: CallContext): Promise<Draft> => {
    const reading: CallContext = { ...context, priority: 'read' };
    const known = await early(wanted, context);
    if (known) return known;
    const facts = await parts.facts.read(instrument, reading).catch((error: unknown) => error);
    if (!isFacts(facts)) return notSent(wanted, facts);
    const method = await journal.read((tx) => approvalInForce(settings, tx));
    // They are for a warning alone.
    const exchanges =
      method === 'none'
        ? []
        : await parts.directory.exchanges(reading).then(
            (all) => all.exchanges,
            () => [],
          );
    // After the facts: the summary says which account it is, and nothing about an intent changes its key.
    return decide(wanted, facts, await parts.accountKey(), exchanges);
  };
}

/** These are not about the order. */
const noAnswer = new Set<string>(['cancelled', 'not_configured', 'store_unavailable', 'internal']);

const isFacts = (value: unknown): value is OrderFacts =>
  typeof value === 'object' && value !== null && 'positions' in value;
