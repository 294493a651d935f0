/**
 * The limits of orders as a sum over what the service received and what waits. It is written from the rules
 * (docs/live-orders.md, Limits) and shares only the names of limits with the program. Money is in pennies.
 */
import type { RiskLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { type Attempt, held, lastPrice } from './fake-service.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** A person has this long for an order; a draft has ten seconds more for each leg after the third. */
export const approvalMs = 120_000;
/** How long the legs of a draft may take. */
export const draftMs = 15 * minuteMs;
/** The wait after a refusal for the rate limit, by the fake service. */
const retryMs = 2_000;
/** The account may have been read this long before an order, and the service shows an order at most this late. */
const readingMs = 30_000;
/** As long as this the program may count an order that has ended. */
const lateMs = 95_000;

/** The limits on sums and counts; amounts are in pounds. A new limit is modelled here, or looks at one order alone. */
export type ModelLimits = Omit<
  RiskLimits,
  'maxOrderQuantity' | 'maxPriceDistance' | 'tickers' | 'instrumentTypes' | 'haltOnForeignOrders'
>;

export interface ModelOrder {
  readonly ticker: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: number;
  readonly price: number;
}

/** An order that a person was asked about. It counts in the number of orders even if the person never answers. */
export interface Asked {
  readonly order: ModelOrder;
  readonly createdAt: number;
  isDecided: boolean;
}

export interface ModelDraft {
  readonly submissionId: string;
  readonly legs: readonly ModelOrder[];
  /** The legs that became orders, by price: each order has a price of its own. */
  readonly begun: Map<number, string | undefined>;
  isSending: boolean;
  endsAt: number;
}

/** Undefined when the order passes. A missing reason means that the amounts are not determined. */
export type Answer = { readonly rule: string; readonly reason?: string } | undefined;

/** At worst, in hundredths of a penny: 2 % more for a buy, and a sell at the highest price that is known. */
export const worst = ({ side, price, quantity }: ModelOrder): number =>
  side === 'BUY' ? price * quantity * 102 : Math.max(price, lastPrice) * quantity * 100;

/** As the journal keeps it. */
export const inPennies = (order: ModelOrder): number => Math.floor((worst(order) + 50) / 100);
const inPounds = (pennies: number): string =>
  (pennies / 100).toLocaleString('en-GB', { style: 'currency', currency: 'GBP' });
const toPennies = (pounds: string): number => Number(pounds) * 100;
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);
const orders = (count: number): string => `${count} ${count === 1 ? 'order' : 'orders'}`;

export const isLost = ({ fate }: Attempt): boolean => fate === 'lost after it arrived' || fate === 'lost on the way';
const isPlaced = ({ fate }: Attempt): boolean => fate === 'accepted' || fate === 'filled';
const isLimited = ({ fate }: Attempt): boolean => fate === 'over the rate limit';

interface Question {
  /** The order itself, if it waits: it does not count against itself. */
  readonly self?: string | undefined;
  /** The orders of the same draft before it. */
  readonly ahead?: readonly ModelOrder[];
}

/** How certain it is that an order counts. */
type Bounds = { readonly least: number; readonly most: number };

export class LimitsModel {
  readonly asked = new Map<string, Asked>();
  /** Refused by this program after they were approved, or after the service had asked to wait. */
  readonly refused = new Set<string>();
  /** Lost orders that a search found, and when. */
  readonly found = new Map<string, number>();
  draft: ModelDraft | undefined;
  readonly #log: readonly Attempt[];
  readonly #limits: ModelLimits;

  constructor(log: readonly Attempt[], limits: ModelLimits) {
    this.#log = log;
    this.#limits = limits;
  }

  /** The last attempt of each order decides. */
  last(): readonly Attempt[] {
    return [...new Map(this.#log.map((one) => [one.intentId, one])).values()];
  }

  lost(): readonly Attempt[] {
    return this.last().filter((one) => isLost(one) && !this.found.has(one.intentId));
  }

  waiting(now: number): readonly [string, Asked][] {
    return [...this.asked].filter(([, one]) => !one.isDecided && now < one.createdAt + approvalMs);
  }

  /** The draft while its legs are reserved. */
  openDraft(now: number): ModelDraft | undefined {
    const { draft } = this;
    if (!draft || now >= draft.endsAt) return undefined;
    const tries = this.last();
    for (const intentId of draft.begun.values()) {
      const one = tries.find((attempt) => attempt.intentId === intentId);
      if (!one || !(isPlaced(one) || this.#isRetried(one, now))) return undefined;
    }
    const isDone = draft.begun.size === draft.legs.length && tries.every((one) => !this.#isRetried(one, now));
    return isDone ? undefined : draft;
  }

  reserved(now: number): readonly ModelOrder[] {
    const draft = this.openDraft(now);
    return draft?.legs.filter(({ price }) => !draft.begun.has(price)) ?? [];
  }

  /** When the orders were placed that count in their number. */
  times(now: number, self?: string): readonly number[] {
    const sent = this.last().flatMap((one) => {
      if (one.intentId === self || this.refused.has(one.intentId)) return [];
      if (!isLimited(one)) return [one.at];
      const asked = this.asked.get(one.intentId);
      return asked || this.#isRetried(one, now) ? [asked?.createdAt ?? one.at] : [];
    });
    const attempted = new Set(this.#log.map(({ intentId }) => intentId));
    const waited = [...this.asked].filter(([id]) => id !== self && !attempted.has(id) && !this.refused.has(id));
    return [...sent, ...waited.map(([, { createdAt }]) => createdAt)];
  }

  /** What is spent of the value of a day. */
  spent(now: number, { self, ahead = [] }: Question): number {
    const sent = this.last().filter(
      (one) =>
        one.intentId !== self &&
        (((isPlaced(one) || isLost(one)) && one.at > now - dayMs) || this.#isRetried(one, now)),
    );
    const attempted = new Set(this.#log.map(({ intentId }) => intentId));
    const waiting = this.waiting(now).filter(([id]) => id !== self && !attempted.has(id));
    const all = [...sent, ...waiting.map(([, { order }]) => order), ...this.reserved(now), ...ahead];
    return sum(all.map(inPennies));
  }

  /** Every answer that the rules allow: more than one only where the service may be late. */
  decide(order: ModelOrder, now: number, question: Question = {}): readonly Answer[] {
    const answers: Answer[] = [];
    for (const { is, ...answer } of this.#listRefusals(order, now, question)) {
      if (is !== 'no') answers.push(answer);
      if (is === 'sure') return answers;
    }
    return [...answers, undefined];
  }

  /** The largest quantity that passes; undefined when none does, or when it is not determined. */
  largest(order: ModelOrder, now: number): { readonly quantity: string | undefined } | undefined {
    for (let quantity = order.quantity; quantity > 0; quantity--) {
      const answers = this.decide({ ...order, quantity }, now);
      if (answers.length > 1) return undefined;
      if (answers[0] === undefined) return { quantity: String(quantity) };
    }
    return { quantity: undefined };
  }

  /** The same for a draft: the first leg that is refused, all sells before all buys; each one that may be the first. */
  decideDraft(legs: readonly ModelOrder[], now: number): readonly Answer[] {
    const sequence = [...legs.filter(({ side }) => side === 'SELL'), ...legs.filter(({ side }) => side === 'BUY')];
    const answers: Answer[] = [];
    for (const [index, leg] of sequence.entries()) {
      const ofLeg = this.decide(leg, now, { ahead: sequence.slice(0, index) });
      answers.push(...ofLeg.filter((answer) => answer !== undefined));
      if (!ofLeg.includes(undefined)) return answers;
    }
    const minutes = Math.floor(
      (this.times(now).filter((at) => at > now - minuteMs).length + legs.length - 1) / this.#limits.ordersPerMinute,
    );
    return [...answers, minutes * minuteMs > draftMs ? { rule: 'orders_per_minute' } : undefined];
  }

  *#listRefusals(order: ModelOrder, now: number, question: Question) {
    const limits = this.#limits;
    const when = (isTrue: boolean) => (isTrue ? ('sure' as const) : ('no' as const));
    const lost = this.lost();
    yield { rule: 'open_unknown', is: when(lost.length > 1 || lost.some(({ ticker }) => ticker === order.ticker)) };
    const value = worst(order);
    yield {
      rule: 'max_order_value',
      is: when(value > toPennies(limits.maxOrderValue) * 100),
      reason: `At most ${inPounds(toPennies(limits.maxOrderValue))} per order is allowed; this order may ${order.side === 'BUY' ? 'cost' : 'bring'} ${inPounds(Math.floor((value + 50) / 100))}.`,
    };
    const spent = this.spent(now, question);
    yield {
      rule: 'max_day_value',
      is: when(spent * 100 + value > toPennies(limits.maxDayValue) * 100),
      reason: `At most ${inPounds(toPennies(limits.maxDayValue))} in 24 hours is allowed; ${inPounds(spent)} is already used.`,
    };
    const { ahead } = question;
    const times = [...this.times(now, question.self), ...(ahead ?? []).map(() => now)];
    const later = this.reserved(now).length;
    for (const [name, ms, most, waiting] of [
      ['minute', minuteMs, ahead ? Number.POSITIVE_INFINITY : limits.ordersPerMinute, 0],
      ['hour', hourMs, limits.ordersPerHour, later],
      ['day', dayMs, limits.ordersPerDay, later],
    ] as const)
      yield {
        rule: `orders_per_${name}`,
        is: when(times.filter((at) => at > now - ms).length + waiting >= most),
        reason: `The limit of ${orders(most)} per ${name} has been reached.`,
      };
    yield {
      rule: 'pending_orders',
      is: atLeast(this.#pending(order.ticker, now, question), limits.maxPendingPerTicker),
      reason: `At most ${orders(limits.maxPendingPerTicker)} may be pending on ${order.ticker}.`,
    };
    if (order.side === 'BUY') return;
    const taken = this.#sold(order.ticker, now, question);
    const free = held - taken.most;
    yield {
      rule: 'shares',
      is: atLeast({ least: taken.least + order.quantity, most: taken.most + order.quantity }, held + 1),
      ...(taken.least === taken.most
        ? { reason: free > 0 ? `At most ${free} can be sold.` : `No shares of ${order.ticker} can be sold.` }
        : {}),
    };
  }

  /** Orders of a ticker that are open at the service or wait here. */
  #pending(ticker: string, now: number, question: Question): Bounds {
    const { open, late, here } = this.#listOpen(ticker, now, question);
    const least = open.length + here.length;
    return { least, most: least + late.length };
  }

  /** Shares that sells of the ticker took or may take. */
  #sold(ticker: string, now: number, question: Question): Bounds {
    const { open, late, here, filled, unsettled } = this.#listOpen(ticker, now, question);
    const quantity = (list: readonly ModelOrder[]) =>
      sum(list.filter(({ side }) => side === 'SELL').map((one) => one.quantity));
    const least = quantity([...open, ...here, ...filled]);
    const cancelled = late.filter(({ state }) => state === 'cancelled');
    return { least, most: least + quantity([...cancelled, ...unsettled]) };
  }

  #listOpen(ticker: string, now: number, { self, ahead = [] }: Question) {
    const sent = this.last().filter((one) => one.ticker === ticker && one.intentId !== self);
    const attempted = new Set(this.#log.map(({ intentId }) => intentId));
    const waiting = this.waiting(now).filter(([id]) => id !== self && !attempted.has(id));
    const retried = sent.filter((one) => this.#isRetried(one, now));
    return {
      open: sent.filter(({ state }) => state === 'open'),
      filled: sent.filter(({ state }) => state === 'filled'),
      late: sent.filter(({ endedAt, intentId, at }) => {
        const placedAt = Math.max(endedAt ?? 0, this.found.get(intentId) ?? at);
        return endedAt !== undefined && placedAt > now - lateMs;
      }),
      here: [...waiting.map(([, { order }]) => order), ...ahead, ...retried].filter((one) => one.ticker === ticker),
      /** The account was read long before they were sent, so the program cannot tell whether it shows them. */
      unsettled: sent.filter(({ intentId, at, orderId }) => {
        const foundAt = this.found.get(intentId);
        if (orderId === undefined || foundAt !== undefined) return (foundAt ?? 0) > now - lateMs;
        const createdAt = this.asked.get(intentId)?.createdAt ?? at;
        return createdAt < at && now > createdAt + readingMs && now < at + 2 * readingMs;
      }),
    };
  }

  /** Refused for the rate limit once, and tried again when the wait is over. */
  #isRetried(one: Attempt, now: number): boolean {
    const isFirst = this.#log.filter(({ intentId }) => intentId === one.intentId).length === 1;
    return isLimited(one) && isFirst && now < one.at + retryMs && !this.refused.has(one.intentId);
  }
}

const atLeast = ({ least, most }: Bounds, limit: number) => (least >= limit ? 'sure' : most >= limit ? 'maybe' : 'no');
