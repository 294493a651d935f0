/** Why an order that was accepted does not trade yet: its market is closed. */
import { resolveTaxZone } from '../../analytics/zone-day.ts';
import { log } from '../../log.ts';
import { describeOpening } from '../../market/describe-opening.ts';
import { marketHours } from '../../market/market-hours.ts';
import type { ToolCall } from '../tool.ts';

interface PlacedOrder {
  readonly ticker: string | undefined;
  readonly type?: string | undefined;
  readonly extendedHours?: boolean | undefined;
}

/**
 * That a market order waits, and for what, in one sentence; undefined when its market is open or that is not known. The
 * lists that it reads are shared and kept for long; it does not wait for them. The sentence names its time zone.
 */
export async function describeMarketWait(
  { ticker, type, extendedHours }: PlacedOrder,
  call: Pick<ToolCall, 'directory' | 'clock' | 'config' | 'context'>,
): Promise<string | undefined> {
  if (type !== 'MARKET' || extendedHours || ticker === undefined) return undefined;
  const now = call.clock.now();
  const context = call.context({ waitUntil: now });
  try {
    const { workingScheduleId } = await call.directory.getOrThrow(ticker, context);
    const { exchanges } = await call.directory.exchanges(context);
    const { openNow, nextOpenAt } = marketHours(exchanges, workingScheduleId, now);
    if (openNow !== false) return undefined;
    const zone = resolveTaxZone(call.config.taxZone, undefined);
    return `Waiting: the market ${describeOpening(nextOpenAt, { now, zone })}.`;
  } catch (error) {
    log.fault('read the opening hours', error);
    // The sentence is extra. An order that was placed must be reported, and an error would invite the caller to retry.
    return undefined;
  }
}
