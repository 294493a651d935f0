/** Checks the orders of a draft together, before the first of them is sent. */
import Big from 'big.js';
import type { TradingSettings } from '../../approval/enrollment/live-origin-guard.ts';
import { countOf } from '../../text/count-of.ts';
import { type OrderContext, toBaseline } from '../account/account-snapshot.ts';
import { costMargin, estimateOrder, worstCaseValue } from '../account/estimate.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalView } from '../intent/journal-port.ts';
import type { OrderRequest } from '../intent/order-request.ts';
import type { Refusal } from '../intent/refusal.ts';
import type { RiskLimits } from '../intent/risk-limits.ts';
import { evaluateOrder, listTimesOfMinute } from './evaluate-order.ts';

/** One order of a draft, with the account as it was read. */
export interface DraftOrder {
  readonly order: OrderRequest;
  readonly facts: OrderContext;
}

/** What a draft is checked against. Times are milliseconds since 1970. */
export interface DraftQuestion {
  readonly settings: TradingSettings;
  /** In the sequence in which they are sent: all sells before all buys. */
  readonly orders: readonly DraftOrder[];
  readonly accountKey: string;
  readonly limits: RiskLimits;
  readonly now: number;
  /** Milliseconds in which the draft must be sent. */
  readonly withinMs: number;
}

/** The first refusal of a draft, and the index of the order that it is about; undefined when the draft passes. */
export async function evaluateDraft(
  tx: JournalView,
  question: DraftQuestion,
): Promise<{ readonly refusal: Refusal; readonly index: number } | undefined> {
  const { settings, orders, accountKey, limits, now } = question;
  const ahead: Intent[] = [];
  let proceeds = new Big(0);
  for (const [index, draftOrder] of orders.entries()) {
    const { order, facts } = draftOrder;
    const draft = { orders: ahead, proceeds };
    const refusal = await evaluateOrder(tx, { settings, order, facts, accountKey, limits, now, draft });
    if (refusal) return { refusal, index };
    ahead.push(toIntentAhead(draftOrder, index, question));
    proceeds = proceeds.plus(expectProceeds(order, estimateOrder(order, facts).value));
  }
  const refusal = await refusePace(tx, question);
  return refusal && { refusal, index: orders.length - 1 };
}

/** The part of a market sell's estimate that may be spent before the fill is known. */
const marketShare = new Big('0.98');

/**
 * What a sell is expected to bring in the currency of its value, before charges. A stop may never trigger, so it
 * brings nothing, and neither do a buy and a sell of unknown value.
 */
export function expectProceeds({ side, type }: OrderRequest, value: string | undefined): Big {
  if (side === 'BUY' || value === undefined) return new Big(0);
  if (type === 'LIMIT') return new Big(value);
  return type === 'MARKET' ? new Big(value).times(marketShare) : new Big(0);
}

/** The indexes of the buys for which the cash is not enough, with their margin: they wait for the sells of the draft. */
export function listDependentOrders(orders: readonly DraftOrder[], cash: Big): ReadonlySet<number> {
  const dependent = new Set<number>();
  if (!orders.some(({ order, facts }) => expectProceeds(order, estimateOrder(order, facts).value).gt(0)))
    return dependent;
  let cost = new Big(0);
  orders.forEach(({ order, facts }, index) => {
    if (order.side !== 'BUY') return;
    cost = cost.plus(new Big(estimateOrder(order, facts).value ?? 0).times(costMargin));
    if (cost.gt(cash)) dependent.add(index);
  });
  return dependent;
}

/** An order of the draft as the rules count it for the orders after it. It is never written. */
const toIntentAhead = (
  { order, facts }: DraftOrder,
  index: number,
  { settings, accountKey, limits, now }: DraftQuestion,
): Intent => ({
  id: `order ${index}`,
  kind: 'order',
  state: 'APPROVED',
  environment: settings.environment,
  accountKey,
  fingerprint: '',
  ticker: order.ticker,
  request: order,
  createdAt: now,
  changedAt: now,
  owner: '',
  limits,
  method: 'none',
  value: worstCaseValue(order, facts)?.toFixed(2),
  baseline: toBaseline(order.ticker, facts),
});

/** The limit per minute delays the orders of a draft. A draft that it delays for too long is refused. */
async function refusePace(
  tx: JournalView,
  { orders, accountKey, limits, now, withinMs }: DraftQuestion,
): Promise<Refusal | undefined> {
  const times = await listTimesOfMinute(tx, accountKey, now);
  const minutes = Math.floor((times.length + orders.length - 1) / limits.ordersPerMinute);
  if (minutes * 60_000 <= withinMs) return undefined;
  return {
    rule: 'orders_per_minute',
    reason: `At ${countOf(limits.ordersPerMinute, 'order')} per minute, sending ${countOf(orders.length, 'order')} takes ${countOf(minutes, 'minute')}; at most ${withinMs / 60_000} are allowed.`,
  };
}
