/** What a person needs to know before an order is sent. Pure. */
import Big from 'big.js';
import type { Exchange } from '../../endpoints/index.ts';
import { describeOpening, type MarketHours, marketHours, warnOfWait } from '../../instruments/market-hours.ts';
import { countOf } from '../../text/count-of.ts';
import { isPence, penceFact } from '../../text/currency-units.ts';
import { resolveZone } from '../../text/dates.ts';
import { defaultLocale, writeMoney } from '../../text/format-money.ts';
import { foreignWord } from '../../text/sanitize-text.ts';
import { type OrderContext, saySellable } from '../account/account-snapshot.ts';
import { crossesMarket, type Estimate, estimateOrder, stopFiresAtOnce, worstCaseValue } from '../account/estimate.ts';
import {
  cashLeft,
  countPending,
  holdingWithOwn,
  isFillShown,
  type OwnOrders,
  sharesLeft,
  staleSnapshotNote,
  unlisted,
} from '../account/exposure.ts';
import type { Intent } from '../intent/intent.ts';
import type { OrderRequest } from '../intent/order-request.ts';
import type { RiskLimits } from '../intent/risk-limits.ts';
import { describeDistance, priceDeviations } from './risk-rules.ts';

export interface PreviewCheck {
  readonly check: string;
  /** Undefined when data for the check is missing. */
  readonly ok: boolean | undefined;
  readonly detail: string;
}

export interface OrderPreview {
  readonly order: OrderRequest;
  readonly instrument: Record<string, unknown>;
  readonly market: Record<string, unknown>;
  readonly estimate: Estimate;
  readonly position: { readonly before: string; readonly after: string };
  readonly pendingOnTicker: number;
  readonly checks: readonly PreviewCheck[];
  /** False when a check failed: the broker would refuse the order, or the order is likely a mistake. */
  readonly passes: boolean;
  readonly warnings: readonly string[];
  readonly sent: false;
}

/**
 * Computes the estimate, checks and warnings of an order at the time `now` (ms). `own` are our orders of
 * the last day and the undecided ones. `assumedPrice` is the caller's; no check reads it.
 */
export function previewOrder(
  order: OrderRequest,
  facts: OrderContext,
  exchanges: readonly Exchange[],
  now: number,
  limits: Pick<RiskLimits, 'maxPendingPerTicker' | 'maxPriceDistance' | 'maxOrderValue'>,
  own: readonly Intent[],
  assumedPrice?: string,
): OrderPreview {
  const estimate = estimateOrder(order, facts, assumedPrice);
  const held = facts.positions.find((position) => position.instrument?.ticker === order.ticker);
  const before = new Big(held?.quantity ?? 0);
  const change = new Big(order.quantity).times(order.side === 'SELL' ? -1 : 1);
  const account: OwnOrders = { facts, own, now };
  const pending = countPending(order.ticker, account);
  const filled = countFilled(order.ticker, account);
  const hours = marketHours(exchanges, facts.instrument.workingScheduleId, now);
  const checks = [
    ...(order.side === 'BUY'
      ? [
          enoughCash(worstCaseValue(order, facts), estimate, cashLeft(account, limits.maxOrderValue)),
          withinMaximum(holdingWithOwn(order.ticker, account).plus(change), facts),
        ]
      : [enoughShares(order, sharesLeft(order.ticker, account), facts)]),
    pendingRoom(pending, filled, limits.maxPendingPerTicker),
    ...nearLastPrice(order, facts, limits.maxPriceDistance),
  ];
  const { ticker, name, isin, type, currencyCode } = facts.instrument;
  return {
    order,
    instrument: { ticker, name, isin, type, currencyCode },
    market: { exchange: hours.exchangeName, state: hours.state, openNow: hours.openNow, nextOpenAt: hours.nextOpenAt },
    estimate,
    position: { before: before.toFixed(), after: before.plus(change).toFixed() },
    pendingOnTicker: pending - filled,
    checks,
    passes: checks.every((check) => check.ok !== false),
    warnings: [
      ...staleSnapshotNote(account),
      ...listOrderWarnings(order, facts, estimate),
      ...marketWarnings(order, facts, hours, now),
    ],
    sent: false,
  };
}

/** Own orders that the rule still counts as pending, although the position shows that they were filled. */
const countFilled = (ticker: string, account: OwnOrders): number =>
  unlisted(account).filter(
    (intent) => intent.ticker === ticker && intent.state === 'PLACED' && isFillShown(intent, account.facts),
  ).length;

/** As the rule decides it (`cash` in risk-rules.ts). */
function enoughCash(needed: Big | undefined, { currency }: Estimate, cash: Big | undefined): PreviewCheck {
  if (needed === undefined)
    return {
      check: 'cash',
      ok: undefined,
      detail: 'The cost is unknown, so it cannot be compared with the available cash.',
    };
  if (cash === undefined) return { check: 'cash', ok: false, detail: 'The service did not report the available cash.' };
  const inCurrency = (amount: Big) => writeMoney(amount.toFixed(), currency, defaultLocale);
  return {
    check: 'cash',
    ok: needed.lte(cash),
    detail: `Needs about ${inCurrency(needed.round(2))} with a margin of 2.0%; ${inCurrency(cash)} is available.`,
  };
}

function enoughShares(order: OrderRequest, largest: Big, facts: OrderContext): PreviewCheck {
  return {
    check: 'shares',
    ok: largest.gte(order.quantity),
    detail: saySellable(order.ticker, largest, facts),
  };
}

function withinMaximum(after: Big, facts: OrderContext): PreviewCheck {
  const most = facts.instrument.maxOpenQuantity;
  if (most === undefined) return { check: 'maxOpenQuantity', ok: undefined, detail: 'The service sets no maximum.' };
  return { check: 'maxOpenQuantity', ok: after.lte(most), detail: `At most ${countOf(most, 'share')} may be held.` };
}

const pendingRoom = (pending: number, filled: number, most: number): PreviewCheck => ({
  check: 'pendingOrders',
  ok: pending < most,
  detail: `${pending - filled} of ${most} pending orders on this ticker.${
    filled === 0 ? '' : ` The limit still counts ${countOf(filled, 'order')} filled in the last 30 seconds.`
  }`,
});

function nearLastPrice(order: OrderRequest, facts: OrderContext, mostPercent: string): PreviewCheck[] {
  const distances = priceDeviations(order, estimateOrder(order, facts).lastKnownPrice);
  return (['limitPrice', 'stopPrice'] as const).flatMap((name): PreviewCheck[] => {
    if (order[name] === undefined) return [];
    const found = distances.find((distance) => distance.name === name);
    if (!found) return [{ check: name, ok: undefined, detail: 'No last price is known for comparison.' }];
    const distance = `${describeDistance(found)}.`;
    const ok = found.percent.abs().lte(mostPercent);
    return [{ check: name, ok, detail: found.hundredfold ? `${distance} Pence or pounds?` : distance }];
  });
}

/** What a person should know of an order itself: its prices, its value and its instrument. */
export function listOrderWarnings(
  order: OrderRequest,
  facts: OrderContext,
  estimate: Estimate = estimateOrder(order, facts),
): string[] {
  const warnings: string[] = [];
  if (isPence(facts.instrument.currencyCode)) warnings.push(penceFact);
  if (estimate.assumed)
    warnings.push(
      `The value is an estimate at an assumed price of ${estimate.assumed.price}, which is not a market price: no limit and no sum uses it.`,
    );
  else if (estimate.value === undefined)
    warnings.push('The value of this order is unknown: the price or the exchange rate is unknown.');
  if (stopFiresAtOnce(order, estimate.lastKnownPrice))
    warnings.push('The stop price is on the wrong side of the last known price: it would trigger immediately.');
  if (crossesMarket(order, estimate.lastKnownPrice))
    warnings.push(
      `The limit price is ${order.side === 'BUY' ? 'above' : 'below'} the last known price: the order would trade immediately.`,
    );
  if (facts.instrument.type !== 'STOCK' && facts.instrument.type !== 'ETF')
    warnings.push(
      `This instrument is neither a stock nor an ETF; its type is ${foreignWord(facts.instrument.type) ?? 'unknown'}.`,
    );
  return warnings;
}

function marketWarnings(order: OrderRequest, facts: OrderContext, hours: MarketHours, now: number): string[] {
  if (hours.openNow === undefined) return ['Whether the market is open is unknown.'];
  if (hours.openNow) return [];
  const zone = resolveZone(facts.zone, facts.summary.currency);
  const opens = describeOpening(hours.nextOpenAt, { now, zone });
  return [warnOfWait(opens, order)];
}
