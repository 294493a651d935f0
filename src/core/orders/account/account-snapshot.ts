/** The account data around an order before it is placed. The interface has no quotes, so every price here is old. */

import Big from 'big.js';
import type { Broker, CallContext } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import { getAccountSummary, listPositions } from '../../endpoints/account.ts';
import { listHistoricalOrders } from '../../endpoints/history.ts';
import type { AccountSummary, HistoricalOrder, Order, Position, TradableInstrument } from '../../endpoints/index.ts';
import { getTicker } from '../../endpoints/instruments.ts';
import { listPendingOrders } from '../../endpoints/orders.ts';
import { log } from '../../log.ts';
import { isPence } from '../../text/currency-units.ts';
import type { Baseline } from '../intent/intent.ts';

/** The account as it was read. */
export interface AccountSnapshot {
  readonly summary: AccountSummary;
  readonly positions: readonly Position[];
  readonly pending: readonly Order[];
  /** When the oldest of these was requested (ms); later changes may be missing. */
  readonly askedAt: number;
  /** When the oldest of these was returned (ms). */
  readonly asOf: number;
  readonly serviceOffsetMs: number | undefined;
}

export interface OrderContext extends AccountSnapshot {
  readonly instrument: TradableInstrument;
  /** Read only when the positions show no price of the instrument or no rate of its currency. */
  readonly fills: readonly RecentFill[];
  /** The owner's setting, for times in texts (IANA name). */
  readonly zone?: string | undefined;
}

/** Account data may be this old when an order is created, because the journal has our own orders since then. */
export const carriedMs = 30_000;

/** The longest wait for the newest fills. */
const patienceMs = 5_000;

export interface SnapshotReader {
  /** Reads the account, not older than 30 seconds, nor than `notBefore` (ms). Throws when it cannot be read. */
  readAccount(context: CallContext, notBefore?: number): Promise<AccountSnapshot>;
  /** The same with the facts of one instrument. */
  read(instrument: TradableInstrument, context: CallContext, notBefore?: number): Promise<OrderContext>;
}

/** Creates a reader that keeps its last snapshot, so that orders in quick succession share one. */
export function createSnapshotReader(broker: Broker, clock: Clock, zone?: string): SnapshotReader {
  let last: AccountSnapshot | undefined;
  const readShared = async (context: CallContext, since = 0): Promise<AccountSnapshot> => {
    const notBefore = Math.max(since, clock.now() - carriedMs);
    // A snapshot from the future was read before the clock was set back.
    const isUsable = last && last.askedAt >= notBefore && last.askedAt <= clock.now();
    const account = isUsable && last ? last : await readAccount(broker, { ...context, notBefore });
    if (!last || account.askedAt > last.askedAt || last.askedAt > clock.now()) last = account;
    return account;
  };
  return {
    readAccount: readShared,
    read: async (instrument, context, notBefore) => {
      const account = await readShared(context, notBefore);
      const fills = isPriced(instrument, account)
        ? []
        : await readRecentFills(broker, clock.now(), { ...context, waitUntil: clock.now() + patienceMs });
      return { ...account, instrument, fills, zone };
    },
  };
}

/** Reads summary, positions and pending orders. Throws when one of them cannot be read. */
export async function readAccount(broker: Broker, context: CallContext): Promise<AccountSnapshot> {
  const [summary, positions, pending] = await Promise.all([
    broker.call(getAccountSummary, {}, context),
    broker.call(listPositions, {}, context),
    broker.call(listPendingOrders, {}, context),
  ]);
  const answers = [summary, positions, pending];
  return {
    summary: summary.data,
    positions: positions.data,
    pending: pending.data,
    askedAt: Math.min(...answers.map(({ askedAt }) => askedAt)),
    asOf: Math.min(...answers.map(({ answeredAt }) => answeredAt)),
    serviceOffsetMs: answers.find(({ serviceOffsetMs }) => serviceOffsetMs !== undefined)?.serviceOffsetMs,
  };
}

/** In the instrument currency, from the positions or else from a recent fill; undefined when neither has one. */
export const lastKnownPrice = (ticker: string, facts: Pick<OrderContext, 'positions' | 'fills'>): string | undefined =>
  facts.positions.find((position) => position.instrument?.ticker === ticker)?.currentPrice ??
  facts.fills.find((fill) => fill.ticker === ticker)?.price;

/** Whether the positions alone show a price and an exchange rate. */
function isPriced(instrument: TradableInstrument, { positions, summary }: AccountSnapshot): boolean {
  const isHeld = positions.some((position) => position.instrument?.ticker === instrument.ticker);
  const { currencyCode } = instrument;
  const hasRate =
    currencyCode === summary.currency ||
    (isPence(currencyCode) && summary.currency === 'GBP') ||
    positions.some((position) => position.instrument?.currency === currencyCode);
  return isHeld && hasRate;
}

/** The part of the account data that is stored with an intent. */
export const toBaseline = (ticker: string, facts: OrderContext): Baseline => ({
  askedAt: facts.askedAt,
  pendingIds: facts.pending.flatMap(({ id }) => (id === undefined ? [] : [id])),
  position: heldQuantity(ticker, facts),
  cash: facts.summary.cash?.availableToTrade,
  free: sellableQuantity(ticker, facts).toFixed(),
  bought: maxHolding(ticker, facts).toFixed(),
  price: lastKnownPrice(ticker, facts),
  serviceOffsetMs: facts.serviceOffsetMs,
});

// Shares held, pending and free of one ticker, as the account was read.

export interface Holdings {
  readonly positions: readonly Position[];
  readonly pending: readonly Order[];
}

export const pendingOnTicker = (ticker: string, { pending }: Pick<Holdings, 'pending'>): readonly Order[] =>
  pending.filter((other) => getTicker(other) === ticker);

/** Shares held, as a decimal string; "0" for a ticker that is not held. */
export const heldQuantity = (ticker: string, { positions }: Pick<Holdings, 'positions'>): string =>
  findPosition(ticker, positions)?.quantity ?? '0';

/**
 * Shares of the ticker that can be sold. Shares in pies and in pending sales are not free, even if the position
 * reports them as available.
 */
export function sellableQuantity(ticker: string, facts: Holdings): Big {
  const held = findPosition(ticker, facts.positions);
  if (!held) return new Big(0);
  const free = new Big(held.quantity ?? 0).minus(held.quantityInPies ?? 0).minus(pendingSales(ticker, facts));
  const available = new Big(held.quantityAvailableForTrading ?? free);
  const smaller = free.lt(available) ? free : available;
  return smaller.lt(0) ? new Big(0) : smaller;
}

/** How many shares can be sold, for the reason of a refusal, and why it is not the rest. */
export function saySellable(ticker: string, most: Big, { positions }: Pick<Holdings, 'positions'>): string {
  const inPies = new Big(findPosition(ticker, positions)?.quantityInPies ?? 0);
  const why = inPies.gt(0) ? ` ${inPies.toFixed()} of the shares held are in pies.` : '';
  return most.gt(0) ? `At most ${most.toFixed()} can be sold.${why}` : `No shares of ${ticker} can be sold.${why}`;
}

/** Shares that pending sales of the ticker may still take. */
export const pendingSales = (ticker: string, facts: Pick<Holdings, 'pending'>): Big =>
  openQuantity(pendingOnTicker(ticker, facts).filter((order) => !isBuy(order)));

/** Shares held plus those that pending purchases may add. */
export const maxHolding = (ticker: string, facts: Holdings): Big =>
  openQuantity(pendingOnTicker(ticker, facts).filter(isBuy)).plus(heldQuantity(ticker, facts));

const findPosition = (ticker: string, positions: readonly Position[]): Position | undefined =>
  positions.find((position) => position.instrument?.ticker === ticker);

/** Whether a pending order buys. */
export const isBuy = ({ side, quantity }: Order): boolean =>
  side === 'BUY' || (side === undefined && !quantity?.startsWith('-'));

/** An order for an amount has no quantity, so it takes no known number of shares. */
const openQuantity = (orders: readonly Order[]): Big =>
  orders.reduce((sum, { quantity, filledQuantity }) => {
    const open = new Big(quantity ?? 0).abs().minus(new Big(filledQuantity ?? 0).abs());
    return open.gt(0) ? sum.plus(open) : sum;
  }, new Big(0));

// Prices and exchange rates from recent trades, for instruments that are not held: the interface has no quotes.

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
    for await (const page of broker.pages(listHistoricalOrders, {}, context)) return toRecentFills(page.items, now);
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
