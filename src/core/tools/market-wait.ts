/** What the opening hours mean for an order that was accepted. */

import { describeOpening } from '../instruments/describe-opening.ts';
import { marketHours } from '../instruments/market-hours.ts';
import { log } from '../log.ts';
import type { ToolCall } from '../mcp/tool.ts';
import { resolveTaxZone } from '../text/zone-day.ts';
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
  return opening && `The market is closed. It ${opening}.`;
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
    const zone = resolveTaxZone(deps.config.taxZone, undefined);
    return describeOpening(nextOpenAt, { now, zone });
  } catch (error) {
    log.fault('read the opening hours', error);
    // The sentence is extra. An order that was placed must be reported, and an error would invite the caller to retry.
    return undefined;
  }
}
