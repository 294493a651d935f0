/**
 * The broker of the model: an account with its own books, and the log of every order that arrived. What it does with the
 * next orders is said before. It shows a new order about a second late, as the service does.
 */
import type { Broker, PlaceResult } from '../../../../../src/core/broker/types.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const answers = [
  'accept',
  'fill',
  'fillPartly',
  'refuse',
  'loseAccepted',
  'loseUnaccepted',
  'serverErrorAccepted',
  'notConnected',
  'limited',
  'noSlot',
  'busy',
  'slow',
  'verySlow',
  'differ',
  'notWritten',
] as const;
export type AnswerKind = (typeof answers)[number];

/** The fields of an order as they arrived. */
export interface WireOrder {
  readonly ticker: string;
  readonly quantity: number;
  readonly limitPrice?: number;
  readonly stopPrice?: number;
  readonly timeValidity?: string;
  readonly extendedHours?: boolean;
}

/** One request to place an order that arrived. */
export interface Arrival {
  readonly intentId: string;
  readonly endpoint: string;
  readonly order: WireOrder;
  readonly answer: AnswerKind;
  /** The order that it became, whatever the caller was told. */
  readonly orderId: string | undefined;
  /** The caller was told that the order was not accepted because of the limit of requests. */
  readonly isLimited: boolean;
}

interface BookOrder {
  readonly id: string;
  readonly order: WireOrder;
  readonly type: string;
  readonly at: number;
  filled: number;
  status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELLED';
}

export interface Book {
  readonly arrivals: Arrival[];
  /** What happens to the next orders, oldest first; afterwards each is accepted. */
  readonly script: AnswerKind[];
  /** Whether market orders are filled at once. */
  fillsAtOnce: boolean;
  cash: number;
  /** The cash that no pending purchase has reserved. */
  free(): number;
  listOpen(): readonly BookOrder[];
  find(orderId: string): BookOrder | undefined;
  fill(orderId: string, share?: number): void;
  cancel(orderId: string): void;
  /** The broker as one process sees it. `gate` is a point at which the process can be killed. */
  connect(clock: VirtualClock, gate: () => Promise<void>): Broker;
}

export const prices: Readonly<Record<string, number>> = { AAA: 10, BBB: 20, CCC: 5, DDD: 8, EEE: 1 };
const held = 1_000;
const listedAfterMs = 900;
const slotMs = 2_000;

const typeOf: Record<string, string> = {
  placeMarketOrder: 'MARKET',
  placeLimitOrder: 'LIMIT',
  placeStopOrder: 'STOP',
  placeStopLimitOrder: 'STOP_LIMIT',
};

export function createBook(clock: VirtualClock, onArrival: (arrival: Arrival) => void): Book {
  const orders = new Map<string, BookOrder>();
  const shares = new Map(Object.keys(prices).map((ticker) => [ticker, held]));
  let nextId = 1;
  let lastAt = Number.NEGATIVE_INFINITY;
  const priceOf = ({ order, type }: Pick<BookOrder, 'order' | 'type'>) =>
    type === 'LIMIT' ? (order.limitPrice ?? 0) : (prices[order.ticker] ?? 0);
  const isOpen = ({ status }: BookOrder) => status === 'NEW' || status === 'PARTIALLY_FILLED';
  const reserved = () =>
    [...orders.values()]
      .filter((one) => isOpen(one) && one.order.quantity > 0)
      .reduce((sum, one) => sum + (one.order.quantity - one.filled) * priceOf(one), 0);
  const book: Book = {
    arrivals: [],
    script: [],
    fillsAtOnce: true,
    cash: 0,
    free: () => book.cash - reserved(),
    listOpen: () => [...orders.values()].filter(isOpen),
    find: (orderId) => orders.get(orderId),
    fill: (orderId, share = 1) => {
      const one = orders.get(orderId);
      if (!one || !isOpen(one)) return;
      const left = Math.abs(one.order.quantity) - one.filled;
      const now = share === 1 ? left : left * share;
      one.filled += now;
      one.status = one.filled === Math.abs(one.order.quantity) ? 'FILLED' : 'PARTIALLY_FILLED';
      const signed = Math.sign(one.order.quantity) * now;
      book.cash -= signed * priceOf(one);
      shares.set(one.order.ticker, (shares.get(one.order.ticker) ?? 0) + signed);
    },
    cancel: (orderId) => {
      const one = orders.get(orderId);
      if (one && isOpen(one)) one.status = 'CANCELLED';
    },
    connect: (own, gate) => connect(own, gate),
  };

  const toRow = (one: BookOrder) => ({
    id: one.id,
    createdAt: new Date(one.at).toISOString(),
    currency: 'GBP',
    ...one.order,
    instrument: { ticker: one.order.ticker, currency: 'GBP' },
    timeInForce: one.order.timeValidity,
    filledQuantity: one.filled * Math.sign(one.order.quantity),
    side: one.order.quantity > 0 ? 'BUY' : 'SELL',
    status: one.status,
    strategy: 'QUANTITY',
    initiatedFrom: 'API',
    type: one.type,
  });
  const data: Partial<Record<string, () => unknown>> = {
    getAccountSummary: () => ({
      id: 4711,
      currency: 'GBP',
      totalValue: 100_000,
      cash: { availableToTrade: book.free(), inPies: 0, reservedForOrders: reserved() },
    }),
    listPositions: () =>
      [...shares].map(([ticker, quantity]) => ({
        instrument: { ticker, currency: 'GBP' },
        quantity,
        quantityAvailableForTrading: quantity,
        currentPrice: prices[ticker],
        walletImpact: { currency: 'GBP', currentValue: quantity * (prices[ticker] ?? 0) },
      })),
    listPendingOrders: () =>
      book
        .listOpen()
        .filter(({ at }) => at + listedAfterMs <= clock.real())
        .map(toRow),
  };
  const listHistory = () =>
    [...orders.values()]
      .filter((one) => !isOpen(one))
      .toReversed()
      .map((one) => ({ order: toRow(one) }));

  const accept = (order: WireOrder, type: string): BookOrder => {
    const one: BookOrder = { id: String(nextId++), order, type, at: clock.real(), filled: 0, status: 'NEW' };
    orders.set(one.id, one);
    return one;
  };

  function connect(own: VirtualClock, gate: () => Promise<void>): Broker {
    return {
      call: async (endpoint, request) => {
        await gate();
        const one = orders.get(request.id ?? '');
        const raw = endpoint.id === 'getPendingOrder' && one ? toRow(one) : data[endpoint.id]?.();
        return answered(endpoint, raw ?? {}, own) as never;
      },
      pages: async function* (endpoint) {
        await gate();
        const {
          data: page,
          askedAt,
          answeredAt,
        } = answered(endpoint, { items: listHistory(), nextPagePath: null }, own);
        yield { items: (page as { items: never[] }).items, askedAt, answeredAt, next: undefined };
      },
      place: async (order, commit, context) => {
        await gate();
        const answer = book.script.shift() ?? 'accept';
        if (context.signal?.aborted) return { kind: 'not_connected', reason: 'The call ended.' };
        if (answer === 'notConnected') return { kind: 'not_connected', reason: 'The broker refused the connection.' };
        if (answer === 'noSlot') return { kind: 'rate_limited', retryAfterSeconds: 2 };
        // The limit of requests: one order in two seconds. The order waits for its slot, and can be stopped meanwhile.
        const waitMs = answer === 'busy' ? 8_000 : lastAt + slotMs - clock.real();
        if (waitMs > 0) await own.sleep(waitMs, context.signal).catch(() => undefined);
        if (context.signal?.aborted) return { kind: 'not_connected', reason: 'The call ended.' };
        lastAt = clock.real();
        const committed = await commit();
        if (!committed) return { kind: 'not_committed' };
        await gate();
        if (answer === 'notWritten' || own.now() > committed.writeBy)
          return { kind: 'not_written', reason: 'The time to write the request had passed.' };
        return take(order, answer, own, gate);
      },
    };
  }

  async function take(
    { endpoint, body, intentId }: Parameters<Broker['place']>[0],
    answer: AnswerKind,
    own: VirtualClock,
    gate: () => Promise<void>,
  ): Promise<PlaceResult> {
    const order = JSON.parse(body) as WireOrder;
    const type = typeOf[endpoint.id] ?? endpoint.id;
    const isTaken = !['refuse', 'loseUnaccepted', 'limited'].includes(answer);
    const one = isTaken ? accept(order, type) : undefined;
    const arrival = { intentId, endpoint: endpoint.id, order, answer, orderId: one?.id };
    const logged: Arrival = { ...arrival, isLimited: answer === 'limited' };
    book.arrivals.push(logged);
    onArrival(logged);
    if (one && (answer === 'fill' || (type === 'MARKET' && book.fillsAtOnce && answer !== 'fillPartly')))
      book.fill(one.id);
    if (one && answer === 'fillPartly') book.fill(one.id, 0.5);
    if (answer === 'slow') await own.sleep(6_000);
    if (answer === 'verySlow') await own.sleep(40_000);
    await gate();
    if (answer === 'loseAccepted' || answer === 'loseUnaccepted')
      return { kind: 'lost', reason: 'The connection was reset.' };
    const base = { isBlocked: false, error: undefined, date: undefined, tooManyRequests: false } as const;
    const say = (status: number, value: unknown) =>
      ({ kind: 'answered', ...base, status, body: value, retryAfterSeconds: undefined }) as const;
    if (answer === 'limited') return { ...say(429, undefined), tooManyRequests: true, retryAfterSeconds: 3 };
    if (answer === 'refuse') return say(400, {});
    if (!one || answer === 'serverErrorAccepted') return say(502, undefined);
    const row = toRow(one);
    return say(200, answer === 'differ' ? { ...row, quantity: row.quantity * 2 } : row);
  }

  const answered = (endpoint: { response: { parse(raw: unknown): unknown } }, raw: unknown, own: VirtualClock) => ({
    data: endpoint.response.parse(raw),
    askedAt: own.now(),
    answeredAt: own.now(),
    shared: false,
    serviceOffsetMs: clock.real() - own.now(),
  });
  return book;
}
