/** A service that keeps a log of the orders that it received: the only thing that a model of the limits may read. */

import type {
  AuthorizedOrder,
  Broker,
  CallContext,
  CommitCallback,
  PlaceResult,
} from '../../../../src/core/broker/types.ts';
import type { Clock } from '../../../../src/core/clock.ts';
import { type Endpoint, endpoints, type TradableInstrument } from '../../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import type { InstrumentDirectory } from '../../../../src/core/instruments/instrument-directory.ts';

/** What becomes of an attempt to send an order. */
export const fates = [
  'accepted',
  'filled',
  'refused',
  'lost after it arrived',
  'lost on the way',
  'not connected',
  'not written',
  'over the rate limit',
] as const;
export type Fate = (typeof fates)[number];

/** One attempt that the order manager committed. Money is in pennies. */
export interface Attempt {
  readonly intentId: string;
  readonly at: number;
  readonly ticker: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: number;
  readonly price: number;
  readonly fate: Fate;
  /** Undefined where no order exists. */
  readonly orderId: string | undefined;
  state: 'open' | 'filled' | 'cancelled' | 'none';
  endedAt: number | undefined;
}

/** Every instrument costs 10 pounds, and this many shares of each are held at first. */
export const held = 30;
export const lastPrice = 1_000;
const cash = '1000000000';

export interface FakeService extends Broker {
  readonly log: readonly Attempt[];
  readonly directory: InstrumentDirectory;
  /** Called before each attempt; the commit follows. Returns what becomes of it. */
  onAttempt: (order: { intentId: string; ticker: string; price: number }) => Fate;
  /** Called after each commit. */
  onCommit: (intentId: string, isCommitted: boolean) => void;
  end(order: Attempt, as: 'filled' | 'cancelled'): void;
}

/** `delayMs`: how late the service shows an order that it accepted. */
export function createFakeService(clock: Clock, tickers: readonly string[], delayMs: number): FakeService {
  const log: Attempt[] = [];
  const instruments = tickers.map(
    (ticker): TradableInstrument =>
      ({ ticker, name: ticker, type: 'STOCK', currencyCode: 'GBP' }) as TradableInstrument,
  );
  const byTicker = (ticker: string) => instruments.find((one) => one.ticker === ticker);
  const shown = () => log.filter(({ at, orderId }) => orderId !== undefined && at + delayMs <= clock.now());
  const toOrder = (one: Attempt) => ({
    id: one.orderId,
    ticker: one.ticker,
    type: 'LIMIT',
    side: one.side,
    quantity: String(one.side === 'SELL' ? -one.quantity : one.quantity),
    limitPrice: (one.price / 100).toFixed(2),
    createdAt: new Date(one.at).toISOString(),
    initiatedFrom: 'API',
    status: one.state === 'open' ? 'NEW' : one.state.toUpperCase(),
    timeInForce: 'DAY',
  });
  const position = (ticker: string) => {
    const own = shown().filter((one) => one.ticker === ticker);
    const sum = (side: string, state: string) =>
      own.filter((one) => one.side === side && one.state === state).reduce((total, one) => total + one.quantity, 0);
    const quantity = held + sum('BUY', 'filled') - sum('SELL', 'filled');
    return {
      instrument: { ticker, currency: 'GBP' },
      quantity: String(quantity),
      quantityAvailableForTrading: String(quantity - sum('SELL', 'open')),
      currentPrice: '10',
      walletImpact: { currency: 'GBP', currentValue: String(quantity * 10) },
    };
  };
  const answers: Record<string, (id: string | undefined) => unknown> = {
    [endpoints.getAccountSummary.id]: () => ({ id: '1', currency: 'GBP', cash: { availableToTrade: cash } }),
    [endpoints.listPositions.id]: () => tickers.map(position),
    [endpoints.listPendingOrders.id]: () =>
      shown()
        .filter(({ state }) => state === 'open')
        .map(toOrder),
    [endpoints.listInstruments.id]: () => instruments,
    [endpoints.listExchanges.id]: () => [],
    [endpoints.getPendingOrder.id]: (id) => {
      const found = shown().find(({ orderId, state }) => orderId === id && state === 'open');
      if (!found) throw new BrokerageError('not_found', 'No such order.', 'None.');
      return toOrder(found);
    },
  };
  const answer = (endpoint: Endpoint, id: string | undefined) => {
    const make = answers[endpoint.id];
    if (!make) throw new Error(`The service has no ${endpoint.id}.`);
    return { data: make(id), askedAt: clock.now(), answeredAt: clock.now(), shared: false, serviceOffsetMs: 0 };
  };
  const service: FakeService = {
    log,
    directory: {
      lastList: () => undefined,
      instruments: async () => ({ instruments, byTicker, answeredAt: clock.now(), unreadable: 0 }),
      exchanges: async () => ({ exchanges: [], answeredAt: clock.now(), unreadable: 0 }),
      getOrThrow: async (ticker) => byTicker(ticker) as TradableInstrument,
    },
    onAttempt: () => 'accepted',
    onCommit: () => undefined,
    end: (order, as) => Object.assign(order, { state: as, endedAt: clock.now() }),
    call: (async (endpoint: Endpoint, request: { id?: string }, _: CallContext) =>
      answer(endpoint, request.id)) as unknown as Broker['call'],
    pages: async function* () {
      const items = shown()
        .filter(({ state }) => state !== 'open')
        .map((one) => ({ order: toOrder(one) }))
        .reverse();
      yield { items, askedAt: clock.now(), answeredAt: clock.now(), next: undefined };
    } as unknown as Broker['pages'],
    place: async (order, commit) => place(service, log, clock, order, commit),
  };
  return service;
}

async function place(
  service: FakeService,
  log: Attempt[],
  clock: Clock,
  { body, intentId }: AuthorizedOrder,
  commit: CommitCallback,
): Promise<PlaceResult> {
  const { ticker, quantity, limitPrice } = JSON.parse(body) as { ticker: string; quantity: number; limitPrice: number };
  const price = Math.round(limitPrice * 100);
  const fate = service.onAttempt({ intentId, ticker, price });
  if (fate === 'not connected') return { kind: 'not_connected', reason: 'No connection.' };
  const committed = await commit();
  service.onCommit(intentId, committed !== undefined);
  if (!committed) return { kind: 'not_committed' };
  const exists = fate === 'accepted' || fate === 'filled' || fate === 'lost after it arrived';
  const attempt: Attempt = {
    intentId,
    at: clock.now(),
    ticker,
    side: quantity < 0 ? 'SELL' : 'BUY',
    quantity: Math.abs(quantity),
    price,
    fate,
    orderId: exists ? String(1_000 + log.length) : undefined,
    state: fate === 'filled' ? 'filled' : exists ? 'open' : 'none',
    endedAt: fate === 'filled' ? clock.now() : undefined,
  };
  log.push(attempt);
  return toResult(attempt);
}

function toResult({ fate, orderId, ticker, state }: Attempt): PlaceResult {
  const answered = {
    kind: 'answered',
    error: undefined,
    tooManyRequests: false,
    isBlocked: false,
    retryAfterSeconds: undefined,
    date: undefined,
  } as const;
  switch (fate) {
    case 'accepted':
    case 'filled':
      return {
        ...answered,
        status: 200,
        body: { id: Number(orderId), ticker, status: state === 'open' ? 'NEW' : 'FILLED' },
      };
    case 'refused':
      return { ...answered, status: 400, body: {}, error: { code: 'price-too-far', detail: undefined } };
    case 'over the rate limit':
      return { ...answered, status: 429, body: undefined, tooManyRequests: true, retryAfterSeconds: 2 };
    case 'not written':
      return { kind: 'not_written', reason: 'It was too late to write.' };
    default:
      return { kind: 'lost', reason: 'The connection was reset.' };
  }
}
