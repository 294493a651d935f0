/**
 * The one way for an order to leave. The desk writes down the intent, asks the rules, clears the
 * order, and turns what came back into a state. It never sends an order again by itself once it may
 * have left.
 */
import { randomBytes } from 'node:crypto';
import { clearOrder } from '../broker/cleared-order.ts';
import type { Broker, CallContext, PlaceResult } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../config.ts';
import { classify, type Verdict } from './classify.ts';
import type { Intent } from './intent.ts';
import { describeIntent, type OrderOutcome } from './outcome.ts';
import type { Journal } from './ports.ts';
import { fingerprintOf, type OrderRequest, wireOrder } from './request.ts';
import { refusal } from './rules.ts';
import { type IntentState, intentStates, isFinal, nextState } from './states.ts';

export interface DeskParts {
  readonly broker: Broker;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly liveTrading: boolean;
  /** The stable key of the account that orders are for. */
  readonly accountKey: () => Promise<string>;
}

export interface Desk {
  /** Places one order that has been checked for sense, and answers what became of it. */
  place(request: OrderRequest, context: CallContext): Promise<OrderOutcome>;
  /** The present state of an intent; undefined when there is none of that id. */
  find(intentId: string): Promise<OrderOutcome | undefined>;
  /** How many intents are not at their end. */
  openIntents(): Promise<number>;
}

const openStates = intentStates.filter((state) => !isFinal(state));

/** An order that provably never left may be tried again this often, within this time. */
const resend = { attempts: 2, withinMs: 10_000 };
/** After a refusal for the rate, once. */
const resendAfterLimit = 1;

export function createDesk(parts: DeskParts): Desk {
  let inFlight: Promise<unknown> = Promise.resolve();

  /** One order in flight per account at a time: orders queue here in the order they came. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = inFlight.then(work, work);
    inFlight = turn.catch(() => undefined);
    return turn;
  };

  const move = async (intent: Intent, state: IntentState, change: Partial<Intent> = {}): Promise<Intent> => {
    const moved = { ...change, state, changedAt: parts.clock.now() };
    if (!(await parts.journal.move(intent.id, intent.state, moved)))
      throw new Error(`Intent ${intent.id} is no longer in ${intent.state}.`);
    return { ...intent, ...moved };
  };

  const open = async (request: OrderRequest): Promise<Intent> => {
    const accountKey = await parts.accountKey();
    const now = parts.clock.now();
    const intent: Intent = {
      id: randomBytes(16).toString('hex'),
      state: 'DRAFT',
      environment: parts.environment,
      accountKey,
      fingerprint: fingerprintOf(request, { environment: parts.environment, accountKey }),
      request,
      createdAt: now,
      changedAt: now,
    };
    await parts.journal.insert(intent);
    return intent;
  };

  const send = async (approved: Intent, context: CallContext): Promise<Intent> => {
    let intent = approved;
    const order = clearOrder({ ...wireOrder(intent.request), intentId: intent.id });
    const startedAt = parts.clock.now();
    let connectionFailures = 0;
    let limited = 0;
    for (;;) {
      const commit = async () => {
        intent = await move(intent, nextState(intent.state, 'commit'), { sentAt: parts.clock.now() });
        return true;
      };
      const result: PlaceResult = await parts.broker.place(order, commit, context);
      const verdict = classify(result, intent.request);
      if (!verdict) throw new Error(`Intent ${intent.id} was not committed.`);
      intent = await move(intent, nextState(intent.state, verdict.event), facts(verdict));
      if (intent.state !== 'NOT_SENT') return intent;

      const wait = verdict.event === 'limit' ? (verdict.retryAfterSeconds ?? 0) * 1000 : 0;
      const mayTryAgain =
        verdict.event === 'limit'
          ? limited++ < resendAfterLimit && parts.clock.now() + wait < context.deadlineAt
          : result.kind === 'not_connected' &&
            connectionFailures++ < resend.attempts &&
            parts.clock.now() - startedAt < resend.withinMs;
      if (!mayTryAgain) return intent;
      await parts.clock.sleep(wait, context.signal);
      intent = await move(intent, nextState(intent.state, 'tryAgain'));
    }
  };

  return {
    place: (request, context) =>
      inTurn(async () => {
        const intent = await open(request);
        const refused = refusal(parts);
        if (refused) return describeIntent(await move(intent, nextState(intent.state, 'refuse'), refused));
        const approved = await move(intent, nextState(intent.state, 'approve'));
        return describeIntent(await send(approved, context));
      }),
    find: async (intentId) => {
      const intent = await parts.journal.find(intentId);
      return intent && describeIntent(intent);
    },
    openIntents: async () => (await parts.journal.list({ states: openStates })).length,
  };
}

function facts(verdict: Verdict): Partial<Intent> {
  switch (verdict.event) {
    case 'accept':
      return { orderId: verdict.order.id, orderStatus: verdict.order.status, mismatch: verdict.mismatch };
    case 'reject':
      return { reason: verdict.reason, brokerCode: verdict.brokerCode };
    default:
      return { reason: verdict.reason };
  }
}
