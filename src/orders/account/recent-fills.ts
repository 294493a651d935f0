/** Prices and rates from what was traded lately, for what is not held: the interface has no quotes. */
import Big from 'big.js';
import type { Broker, CallContext } from '../../broker/types.ts';
import { getTicker } from '../../catalogue/get-ticker.ts';
import { endpoints, type HistoricalOrder } from '../../catalogue/index.ts';

export interface RecentFill {
  readonly ticker: string;
  /** Per share, instrument currency. */
  readonly price: string;
  readonly currency: string | undefined;
  /** Account currency for one unit of the instrument's currency. */
  readonly rate: Big | undefined;
}

/** An older price says nothing about today's. */
const recentMs = 30 * 86_400_000;

/** Of the newest history page, newest first; empty when it cannot be read in time. */
export async function readRecentFills(broker: Broker, now: number, context: CallContext): Promise<RecentFill[]> {
  try {
    for await (const page of broker.pages(endpoints.listHistoricalOrders, {}, context))
      return page.items.flatMap((row) => readFill(row, now) ?? []);
  } catch {
    // Without them the price is unknown, and the rules say what that means.
  }
  return [];
}

function readFill({ order, fill }: HistoricalOrder, now: number): RecentFill | undefined {
  const ticker = getTicker(order);
  if (ticker === undefined || !fill?.price || new Big(fill.price).lte(0)) return undefined;
  if (!(Date.parse(fill.filledAt ?? '') > now - recentMs)) return undefined;
  const currency = order?.instrument?.currency ?? order?.currency;
  return { ticker, price: fill.price, currency, rate: computeRate(fill) };
}

/** The direction of `fxRate` is not dependable, so the rate comes from the amounts; fees make it a little off. */
function computeRate({ quantity, price, walletImpact }: NonNullable<HistoricalOrder['fill']>): Big | undefined {
  if (!quantity || !price || !walletImpact?.netValue) return undefined;
  const traded = new Big(quantity).times(price).abs();
  const rate = traded.eq(0) ? undefined : new Big(walletImpact.netValue).abs().div(traded);
  return rate?.gt(0) ? rate : undefined;
}
