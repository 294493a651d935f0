/** What the opening hours mean for an order that was accepted. */

import type { TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import { describeOpening, marketHours, warnOfWait } from '../instruments/market-hours.ts';
import { log } from '../log.ts';
import type { ToolCall } from '../mcp/tool.ts';
import type { OrderRequest } from '../orders/intent/order-request.ts';
import { resolveZone } from '../text/dates.ts';
import type { EndpointDeps } from './endpoint-deps.ts';

interface PlacedOrder {
  readonly ticker: string | undefined;
  readonly type?: string | undefined;
  readonly extendedHours?: boolean | undefined;
}

type OpeningDeps = Pick<EndpointDeps, 'directory' | 'clock' | 'config'>;
type OpeningCall = Pick<ToolCall, 'context'>;

/**
 * That a market order waits, and for what, in one sentence; undefined when its market is open or that is not known. The
 * lists that it reads are shared and kept for long; it does not wait for them. The sentence names its time zone.
 */
export async function describeMarketWait(
  order: PlacedOrder,
  call: OpeningCall,
  deps: OpeningDeps,
): Promise<string | undefined> {
  if (order.type !== 'MARKET' || order.extendedHours) return undefined;
  const opening = await readOpening(order.ticker, call, deps);
  return opening && `Waiting: the market ${opening}.`;
}

/** The warning of a preview that the market of an order with a price is closed; undefined for other orders. */
export async function warnOfClosedMarket(
  order: PlacedOrder,
  call: OpeningCall,
  deps: OpeningDeps,
): Promise<string | undefined> {
  if (order.type === 'MARKET') return undefined;
  const opening = await readOpening(order.ticker, call, deps);
  return opening && warnOfWait(opening, order);
}

/** `opens today 08:00` for a closed market. */
async function readOpening(
  ticker: string | undefined,
  call: OpeningCall,
  deps: OpeningDeps,
): Promise<string | undefined> {
  if (ticker === undefined) return undefined;
  const now = deps.clock.now();
  const context = call.context({ waitUntil: now });
  try {
    const { workingScheduleId } = await deps.directory.getOrThrow(ticker, context);
    const { exchanges } = await deps.directory.exchanges(context);
    const { openNow, nextOpenAt } = marketHours(exchanges, workingScheduleId, now);
    if (openNow !== false) return undefined;
    const zone = resolveZone(deps.config.taxZone, undefined);
    return describeOpening(nextOpenAt, { now, zone });
  } catch (error) {
    log.fault('read the opening hours', error);
    // The sentence is extra. An order that was placed must be reported, and an error would invite the caller to retry.
    return undefined;
  }
}

// Whether an order can be sent outside regular hours, as far as the list of instruments says.

/** False where the service does not say whether the instrument has extended hours: then it decides. */
export const lacksExtendedHours = (
  order: Pick<OrderRequest, 'extendedHours'>,
  instrument: Pick<TradableInstrument, 'extendedHours'>,
): boolean => order.extendedHours === true && instrument.extendedHours === false;

/** Throws `invalid_argument` for an order outside regular hours of an instrument that has no others. */
export function requireExtendedHours(
  order: Pick<OrderRequest, 'extendedHours' | 'ticker'>,
  instrument: Pick<TradableInstrument, 'extendedHours'>,
): void {
  if (!lacksExtendedHours(order, instrument)) return;
  throw new BrokerageError(
    'invalid_argument',
    `${order.ticker} does not trade outside regular hours.`,
    'Omit extendedHours.',
  );
}
