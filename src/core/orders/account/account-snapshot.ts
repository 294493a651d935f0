/** The account data around an order before it is placed. The interface has no quotes, so every price here is old. */
import type { Broker, CallContext } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import {
  type AccountSummary,
  endpoints,
  type Order,
  type Position,
  type TradableInstrument,
} from '../../endpoints/index.ts';
import { isPence } from '../../text/currency-units.ts';
import type { Baseline } from '../intent/intent.ts';
import { heldQuantity, maxHolding, sellableQuantity } from './holdings.ts';
import { type RecentFill, readRecentFills } from './recent-fills.ts';

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
    broker.call(endpoints.getAccountSummary, {}, context),
    broker.call(endpoints.listPositions, {}, context),
    broker.call(endpoints.listPendingOrders, {}, context),
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
