/** Determines which orders of the account may be the one whose response was lost. Pure. */
import Big from 'big.js';
import type { Order } from '../../endpoints/index.ts';
import { getTicker } from '../../endpoints/instruments.ts';
import type { Intent } from '../intent/intent.ts';
import { signedQuantity } from '../intent/order-request.ts';

/** Clocks differ; without the service's Date header the difference is unknown, so the window is wider. */
const windowMs = 30_000;
const windowWithoutOffsetMs = 120_000;

/** When the service may have created the order (ms), by its own clock. */
export function submissionWindow(intent: Intent, serviceOffsetMs: number | undefined): { from: number; to: number } {
  // The offset at the time of the order is preferred: this machine's clock may have been corrected since.
  const offset = intent.baseline.serviceOffsetMs ?? serviceOffsetMs;
  const margin = offset === undefined ? windowWithoutOffsetMs : windowMs;
  const sentAt = intent.sentAt ?? intent.changedAt;
  const from = sentAt + (offset ?? 0) - margin;
  return { from, to: (intent.answerBy ?? sentAt) + (offset ?? 0) + margin };
}

/**
 * Whether an order may be the one of the intent: every field that both have is equal, and its time lies in the
 * window.
 */
export function isCandidate(
  order: Order,
  intent: Intent,
  window: { readonly from: number; readonly to: number },
): boolean {
  const { request, baseline } = intent;
  if (order.id === undefined || baseline.pendingIds.includes(order.id)) return false;
  if (order.initiatedFrom !== undefined && order.initiatedFrom !== 'API') return false;
  const createdAt = Date.parse(order.createdAt ?? '');
  // An order without a time cannot be excluded by it: NaN is neither below nor above.
  if (createdAt < window.from || createdAt > window.to) return false;
  return (
    getTicker(order) === request.ticker &&
    order.type === request.type &&
    sameQuantity(order, intent) &&
    sameAmount(order.limitPrice, request.limitPrice) &&
    sameAmount(order.stopPrice, request.stopPrice) &&
    (order.timeInForce === undefined ||
      request.timeValidity === undefined ||
      order.timeInForce === request.timeValidity)
  );
}

function sameQuantity(order: Order, { request }: Intent): boolean {
  if (order.quantity === undefined) return false;
  if (order.side !== undefined)
    return order.side === request.side && new Big(order.quantity).abs().eq(request.quantity);
  return new Big(order.quantity).eq(signedQuantity(request));
}

function sameAmount(reported: string | undefined, wanted: string | undefined): boolean {
  if (reported === undefined || wanted === undefined) return reported === undefined && wanted === undefined;
  return new Big(reported).eq(wanted);
}

/** Whether the position or the cash changed by about as much as the order would have changed it. */
export function matchesBalanceChange(
  intent: Intent,
  now: { readonly position: string; readonly cash: string | undefined },
): boolean {
  const { baseline, request } = intent;
  const wanted = new Big(signedQuantity(request));
  const shares = new Big(now.position).minus(baseline.position);
  // A partial change counts too: an order may fill in parts.
  if (shares.gt(0) === wanted.gt(0) && !shares.eq(0) && shares.abs().lte(wanted.abs())) return true;
  if (intent.value === undefined || baseline.cash === undefined || now.cash === undefined) return false;
  const spent = new Big(baseline.cash).minus(now.cash);
  const expected = request.side === 'BUY' ? new Big(intent.value) : new Big(intent.value).times(-1);
  if (expected.eq(0)) return false;
  const ratio = spent.div(expected);
  return ratio.gte('0.9') && ratio.lte('1.1');
}
