import type { OrderRecord } from '../account/records.ts';
import { getSchedule } from '../world/exchanges.ts';
import type { Instrument } from '../world/instrument.ts';
import { minuteMs } from '../world/time-zones.ts';
import { isOpen, sessionAt } from '../world/trading-sessions.ts';
import type { World } from '../world/world.ts';

interface Search {
  /** Searches for the stop price instead of a price for a fill. */
  readonly isStop: boolean;
  /** The earliest time at which the order is active. */
  readonly from: number;
  /** The search starts here; everything before has been searched. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Maximum prices checked in one search; a longer time span is searched in larger steps. */
const maxSamples = 1500;

/**
 * Returns the first time at which the market is open and the price matches the order. Prices change only at full
 * minutes, at the start of a session and when set by a test, so no other time is checked.
 */
export function nextPriceMatch(
  world: World,
  instrument: Instrument,
  order: OrderRecord,
  { isStop, from, sinceMs, untilMs }: Search,
): number | undefined {
  if (from > untilMs) return undefined;
  const schedule = getSchedule(instrument.scheduleId);
  const start = Math.max(from, sinceMs);
  const step = Math.max(1, Math.ceil((untilMs - start) / minuteMs / maxSamples)) * minuteMs;
  const byHand = world.prices.overridesBetween(instrument.ticker, start, untilMs);
  let at = start;
  while (at <= untilMs) {
    const session = sessionAt(schedule, at);
    if (!isOpen(session.kind, order.extendedHours)) {
      at = session.until;
      continue;
    }
    const end = Math.min(session.until - 1, untilMs);
    while (at <= end) {
      if (suits(world, instrument, order, isStop, at)) return at;
      const nextStep = (Math.floor(at / step) + 1) * step;
      const set = byHand.find((moment) => moment > at && moment < nextStep);
      at = set ?? nextStep;
    }
    at = Math.min(at, session.until);
  }
  return undefined;
}

function suits(world: World, instrument: Instrument, order: OrderRecord, isStop: boolean, at: number): boolean {
  const price = world.prices.priceAt(instrument, at);
  const isBuy = order.side === 'BUY';
  if (isStop) return isBuy ? price.gte(order.stopPrice ?? 0) : price.lte(order.stopPrice ?? 0);
  // The remainder of a partly filled order fills without another price check.
  if (order.limitPrice === undefined || order.restAt !== undefined) return true;
  return isBuy ? price.lte(order.limitPrice) : price.gte(order.limitPrice);
}
