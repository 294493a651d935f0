/** An order manager in this process: a service that answers as a test says, a journal in memory, and a clock that stands. */
import { onTestFinished } from 'vitest';
import { createApprovals } from '../../../../src/core/approval/approval-service.ts';
import { draftDigest, legDigest } from '../../../../src/core/approval/draft-digest.ts';
import { createSecurity } from '../../../../src/core/approval/enrollment/enrollment.ts';
import type { TradingSettings } from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import type { Broker, CallContext, CallRequest, PlaceResult } from '../../../../src/core/broker/types.ts';
import type { Endpoint, HistoricalOrder, Order } from '../../../../src/core/endpoints/index.ts';
import { BrokerageError, type ErrorCode, type ErrorDetails } from '../../../../src/core/errors.ts';
import { createInstrumentDirectory } from '../../../../src/core/instruments/instrument-directory.ts';
import { createSnapshotReader } from '../../../../src/core/orders/account/account-snapshot.ts';
import type { ApprovalMethod } from '../../../../src/core/orders/intent/approval-methods.ts';
import type { DraftApproval } from '../../../../src/core/orders/intent/draft-approval.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { Journal, JournalChange } from '../../../../src/core/orders/intent/journal-port.ts';
import { type OrderRequest, orderFingerprint } from '../../../../src/core/orders/intent/order-request.ts';
import type { OrderDeps } from '../../../../src/core/orders/order-deps.ts';
import { createOrderManager } from '../../../../src/core/orders/order-manager.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import type { SubmissionDeps } from '../../../../src/features/drafts/submission/submission.ts';
import { findNearest } from '../../../../src/features/search/search.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';
import { createStepClock, type StepClock } from '../../../support/step-clock.ts';
import { account, buy, makeIntent, now, ticker } from '../risk/example-account.ts';

export const { instrument } = account();
export const startAt = now;
export const key = 'account';

/** An error as the broker and the store throw it. */
export const failure = (code: ErrorCode, facts: ErrorDetails = {}) =>
  new BrokerageError(code, `It failed: ${code}.`, 'Do something else.', facts);

export const rejectWith = (error: unknown) => async (): Promise<never> => {
  throw error;
};

/** A call of 50 seconds that begins at the start. */
export const context: CallContext = { priority: 'place', deadlineAt: startAt + 50_000 };

export interface Call {
  readonly id: string;
  readonly request: CallRequest;
  readonly context: CallContext;
}

export type Answer = (request: CallRequest, context: CallContext) => unknown;

export type FakeBroker = ReturnType<typeof createBroker>;

/** A service with 100 shares, and the orders that it accepted; a test replaces its answers and its responses to orders. */
export function createBroker(clock: { now(): number }) {
  const calls: Call[] = [];
  const sent: { readonly body: Record<string, unknown>; readonly intentId: string; readonly context: CallContext }[] =
    [];
  /** The responses to the next orders; an order is accepted when there is none. */
  const results: PlaceResult[] = [];
  const pending: Order[] = [];
  const history: HistoricalOrder[] = [];
  const { summary, positions } = account();
  const answers: Record<string, Answer> = {
    getAccountSummary: () => summary,
    listPositions: () => positions,
    listPendingOrders: () => [...pending],
    listInstruments: () => [instrument],
    listExchanges: () => [],
    cancelOrder: () => undefined,
    getPendingOrder: ({ id }) => {
      const found = pending.find((order) => order.id === id);
      if (!found) throw failure('not_found');
      return found;
    },
    listHistoricalOrders: () => ({ items: [...history], next: undefined }),
  };
  const ask = async (endpoint: Endpoint, request: CallRequest, asked: CallContext) => {
    calls.push({ id: endpoint.id, request, context: asked });
    const answer = answers[endpoint.id];
    if (!answer) throw new Error(`The service has no ${endpoint.id}.`);
    const at = clock.now();
    const data = await answer(request, asked);
    return { data, askedAt: at, answeredAt: at, shared: false, serviceOffsetMs: 0 };
  };
  const broker: Broker = {
    call: ask as Broker['call'],
    pages: async function* (endpoint: Endpoint, walk: { from?: Record<string, string> }, asked: CallContext) {
      let from = walk.from;
      do {
        const { data, askedAt, answeredAt } = await ask(endpoint, { query: from }, asked);
        const page = { askedAt, answeredAt, ...(data as { next?: Record<string, string> }) };
        from = page.next;
        yield page;
      } while (from);
    } as unknown as Broker['pages'],
    place: async ({ body, intentId }, commit, asked) => {
      const result = results.shift();
      if (result?.kind === 'not_connected' || result?.kind === 'rate_limited') return result;
      if (!(await commit())) return { kind: 'not_committed' };
      sent.push({ body: JSON.parse(body), intentId, context: asked });
      return result ?? accept(JSON.parse(body));
    },
  };
  const accept = (body: { ticker: string; quantity: number; limitPrice?: number }): PlaceResult => {
    const order = {
      id: String(1_000 + sent.length),
      ticker: body.ticker,
      side: body.quantity < 0 ? 'SELL' : 'BUY',
      quantity: String(body.quantity),
      limitPrice: body.limitPrice === undefined ? undefined : String(body.limitPrice),
      status: 'NEW',
      createdAt: new Date(clock.now()).toISOString(),
      initiatedFrom: 'API',
    };
    pending.push(order as unknown as Order);
    return answered(200, { id: Number(order.id), ticker: body.ticker, status: 'NEW' });
  };
  /** An order leaves the pending ones, with the shares that were filled until then. */
  const end = (id: string, status: string, filled = '0') => {
    const at = pending.findIndex((order) => order.id === id);
    const [order] = pending.splice(at, at < 0 ? 0 : 1);
    const fill = filled === '0' ? {} : { fill: { quantity: filled, filledAt: new Date(clock.now()).toISOString() } };
    history.unshift({ order: { id, ...order, status, filledQuantity: filled }, ...fill } as unknown as HistoricalOrder);
  };
  return { ...broker, broker, calls, sent, results, pending, history, answers, end };
}

/** A complete response to an order. */
export const answered = (status: number, body: unknown, change: object = {}): PlaceResult => ({
  kind: 'answered',
  status,
  body,
  error: undefined,
  tooManyRequests: false,
  isBlocked: false,
  retryAfterSeconds: undefined,
  date: undefined,
  ...change,
});

export const lost: PlaceResult = { kind: 'lost', reason: 'The connection was reset.' };

export interface WorldOptions {
  readonly settings?: Partial<TradingSettings>;
  readonly limits?: OrderDeps['configuredLimits'];
  readonly deps?: Partial<OrderDeps>;
  /** How long a call lasts. */
  readonly callMs?: number;
  /** Another process with the same store, service and clock. */
  readonly beside?: { readonly clock: StepClock; readonly journal: Journal; readonly service: FakeBroker };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld({
  settings: changed = {},
  limits = {},
  deps: others = {},
  callMs = 50_000,
  beside,
}: WorldOptions = {}) {
  const clock = beside?.clock ?? createStepClock(startAt);
  const journal = beside?.journal ?? (await openJournal(clock));
  const service = beside?.service ?? createBroker(clock);
  const settings: TradingSettings = {
    environment: 'sandbox',
    origin: undefined,
    liveTrading: false,
    approval: undefined,
    haltFile: () => false,
    ...changed,
  };
  const deps: OrderDeps = {
    broker: service.broker,
    journal,
    clock,
    processes: { self: 'test', isAlive: () => true },
    settings,
    configuredLimits: limits,
    directory: createInstrumentDirectory(service.broker, findNearest),
    approvals: createApprovals({ journal, clock, security: createSecurity(journal, clock), settings }),
    channels: { pageUrl: async () => undefined, opensBrowser: false },
    facts: createSnapshotReader(service.broker, clock),
    accountKey: async () => key,
    identifyAccount: async () => key,
    readOnly: false,
    ...others,
  };
  const orders = createOrderManager(deps);
  const callOf = (): CallContext => ({ priority: 'place', deadlineAt: clock.now() + callMs });
  const find = (id: string) => journal.read((tx) => tx.find(id));
  return {
    ...{ clock, journal, service, settings, deps, orders, find },
    insert: (...intents: readonly Intent[]) =>
      journal.change(async (tx) => {
        for (const intent of intents) await tx.insert(intent);
      }),
    list: () => journal.read((tx) => tx.list()),
    asked: (id: string) => service.calls.filter((call) => call.id === id),
    /** Places an order of 10 shares in a call that begins now. */
    place: (change: Partial<OrderRequest> = {}, options: Parameters<typeof orders.place>[3] = {}) =>
      clock.run(orders.place({ ...buy, ...change }, instrument, callOf(), options)),
    callOf,
  };
}

export async function openJournal(clock: { now(): number }): Promise<Journal> {
  const engine = await createMemoryEngine();
  onTestFinished(() => engine.close());
  return createJournal(engine, clock) as unknown as Journal;
}

/** A journal of which some functions fail, and the others are those of the given one. */
export const breaking = (journal: Journal, broken: { readonly [Name in keyof Journal]?: unknown }): Journal => ({
  change: broken.change === undefined ? journal.change : rejectWith(broken.change),
  read: broken.read === undefined ? journal.read : rejectWith(broken.read),
});

/** What the owner enrolled. */
export const enrol = (tx: JournalChange, approval: string, limits: object = {}) =>
  tx.set('security', { approval, limits, enrolledAt: startAt - 86_400_000 });

/** The order that `buy` asks for, as it was placed two minutes ago under the id 7. */
export const placed = (change: Partial<Intent> = {}): Intent & { readonly orderId: string } => ({
  ...makeIntent({
    id: 'p'.repeat(32),
    ticker,
    request: buy,
    fingerprint: orderFingerprint(buy, { environment: change.environment ?? 'sandbox', accountKey: key }),
    ...change,
  }),
  orderId: '7',
});

/** The order with this id as the service lists it. */
export const order = (change: object = {}) =>
  ({ id: '7', ticker, side: 'BUY', quantity: '10', limitPrice: '20', status: 'NEW', ...change }) as unknown as Order;

/** A draft whose only leg is `buy`, that is being sent now; with its approval, if it has one. */
export async function addSubmission(
  journal: Journal,
  given?: { readonly by: ApprovalMethod; readonly approvedAt: number },
) {
  const gate = { id: 's', draftId: 'd', version: 1, environment: 'sandbox', accountKey: key, haltCount: 0 };
  const legs = [{ number: 1, digest: legDigest(1, buy, undefined) }];
  const ticket = { legs: [{ number: 1, priceNow: '20' }] } as unknown as DraftApproval['ticket'];
  const asked = { nonce: 'draft-nonce', expiresAt: startAt + 120_000, legs, ticket };
  const digest = draftDigest(gate, asked);
  const approval = given && { ...asked, ...given, handle: 'draft-handle', method: given.by, digest, askedAt: startAt };
  const submission = { ...gate, state: 'sending', createdAt: startAt, endsAt: startAt + 900_000, approval };
  const draft = { ...gate, id: 'd', state: 'open', source: 'test', createdAt: startAt, expiresAt: startAt + 900_000 };
  const version = { draftId: 'd', version: 1, createdAt: startAt, channel: 'tool', legs: [buy] };
  const leg = { submissionId: 's', number: 1, state: 'waiting', position: 0, isDependent: false, value: '204.00' };
  await (journal as unknown as SubmissionDeps['store']).change(async (tx) => {
    await tx.insertDraft(draft as never);
    await tx.insertVersion(version as never);
    await tx.insertSubmission(submission as never, [leg as never]);
  });
}
