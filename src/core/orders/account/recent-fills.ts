/** Prices and exchange rates from recent trades, for instruments that are not held: the interface has no quotes. */
import Big from 'big.js';
import type { Broker, CallContext } from '../../broker/types.ts';
import { getTicker } from '../../endpoints/get-ticker.ts';
import { endpoints, type HistoricalOrder } from '../../endpoints/index.ts';
import { log } from '../../log.ts';

export interface RecentFill {
  readonly ticker: string;
  /** Per share, in the instrument currency. */
  readonly price: string;
  readonly currency: string | undefined;
  /** Account currency for one unit of the instrument currency. */
  readonly rate: Big | undefined;
}

/** Older prices are ignored, because they show nothing about the present price. */
export const recentMs = 30 * 86_400_000;

/** The fills of the newest history page, newest first; empty when it cannot be read in time. */
export async function readRecentFills(broker: Broker, now: number, context: CallContext): Promise<RecentFill[]> {
  try {
    for await (const page of broker.pages(endpoints.listHistoricalOrders, {}, context))
      return toRecentFills(page.items, now);
  } catch (error) {
    log.fault('read the newest fills', error);
    // Without fills the price is unknown, and the rules decide what follows.
  }
  return [];
}

/** The fills of the last 30 days before `now` (ms) that have a price, in the order of the rows. */
const toRecentFills = (rows: readonly HistoricalOrder[], now: number): RecentFill[] =>
  rows.flatMap((row) => readFill(row, now) ?? []);

function readFill({ order, fill }: HistoricalOrder, now: number): RecentFill | undefined {
  const ticker = getTicker(order);
  if (ticker === undefined || !fill?.price || new Big(fill.price).lte(0)) return undefined;
  if (!(Date.parse(fill.filledAt ?? '') > now - recentMs)) return undefined;
  const currency = order?.instrument?.currency ?? order?.currency;
  const { quantity, price, walletImpact } = fill;
  const rate =
    quantity && walletImpact?.netValue ? computeRate({ quantity, price, netValue: walletImpact.netValue }) : undefined;
  return { ticker, price, currency, rate };
}

/**
 * The direction of `fxRate` is not reliable, so the rate is computed from the amounts; fees make it slightly
 * inexact.
 */
export function computeRate(fill: Readonly<Record<'quantity' | 'price' | 'netValue', Big | string>>): Big | undefined {
  const traded = new Big(fill.quantity).times(fill.price).abs();
  const rate = traded.eq(0) ? undefined : new Big(fill.netValue).abs().div(traded);
  return rate?.gt(0) ? rate : undefined;
}
