/** The life of pending orders: advances the book from the last settled time to now. */

import Big from 'big.js';
import { buildFill } from '../account/build-fill.ts';
import { getFillId, type OrderRecord } from '../account/records.ts';
import { type Account, addFill, pieCash, reservedCash } from '../account/simulated-account.ts';
import { hashNumbers } from '../random.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { Instrument } from '../world/instrument.ts';
import { minuteMs, nextMidnight } from '../world/time-zones.ts';
import { isOpen, sessionAt } from '../world/trading-sessions.ts';
import { getSchedule } from '../world/venues.ts';
import type { World } from '../world/world.ts';

/** With the quirk `confirmsOrders`, a new order is confirmed after this time. It can fill after `workingMs`. */
const confirmMs = 300;
const workingMs = 1000;
/** The remainder of an order that fills in two parts follows after this time. */
const restMs = 2000;

interface Transition {
  readonly at: number;
  readonly kind: 'confirm' | 'fill' | 'trigger' | 'cancel' | 'expire';
}

export function advanceOrders(world: World, account: Account, quirks: Quirks, nowMs: number): void {
  const next = new Map<OrderRecord, Transition | undefined>();
  for (;;) {
    let first: { order: OrderRecord; transition: Transition } | undefined;
    for (const order of account.pending.values()) {
      if (!next.has(order)) next.set(order, nextTransition(world, order, quirks, account.settledAt, nowMs));
      const transition = next.get(order);
      if (transition && (!first || transition.at < first.transition.at)) first = { order, transition };
    }
    if (!first) break;
    apply(world, account, quirks, first.order, first.transition, nowMs);
    next.delete(first.order);
  }
  account.settledAt = Math.max(account.settledAt, nowMs);
}

/** Returns the next event of the order, if it happens until `nowMs`. */
function nextTransition(
  world: World,
  order: OrderRecord,
  quirks: Quirks,
  sinceMs: number,
  nowMs: number,
): Transition | undefined {
  const instrument = world.get(order.ticker);
  const candidates: Transition[] = [];
  const add = (kind: Transition['kind'], at: number | undefined) => {
    if (at !== undefined && at <= nowMs) candidates.push({ kind, at });
  };
  // Observed: an order stays NEW until it fills or is being cancelled.
  if (quirks.confirmsOrders && order.status === 'NEW') add('confirm', order.createdAt + confirmMs);
  add('cancel', order.cancelAt);
  if (order.timeInForce === 'DAY') {
    add('expire', nextMidnight(getSchedule(instrument.scheduleId).zone, order.createdAt));
  }
  // Events after the end of the order need not be searched.
  const until = candidates.reduce((least, { kind, at }) => (kind === 'confirm' ? least : Math.min(least, at)), nowMs);
  const from = Math.max(order.restAt ?? 0, order.triggeredAt ?? 0, order.createdAt) + (order.restAt ? 0 : workingMs);
  const isStop = (order.type === 'STOP' || order.type === 'STOP_LIMIT') && order.triggeredAt === undefined;
  // An order by value comes from the app, and how many shares it buys is not modelled: it stays pending.
  if (order.quantity === undefined) return candidates.sort((a, b) => a.at - b.at)[0];
  add(isStop ? 'trigger' : 'fill', nextPriceMatch(world, instrument, order, { isStop, from, sinceMs, untilMs: until }));
  return candidates.sort((a, b) => a.at - b.at)[0];
}

function apply(
  world: World,
  account: Account,
  quirks: Quirks,
  order: OrderRecord,
  { kind, at }: Transition,
  nowMs: number,
): void {
  account.revision++;
  if (kind === 'confirm') order.status = 'CONFIRMED';
  else if (kind === 'trigger') order.triggeredAt = at;
  else if (kind === 'fill') fill(world, account, quirks, order, at, nowMs);
  else closeUnfilled(account, order, 'CANCELLED', at);
}

/** Removes the order from the book; an order without any fill gets its own row. */
export function closeUnfilled(
  account: Account,
  order: OrderRecord,
  status: 'CANCELLED' | 'REJECTED',
  at: number,
): void {
  order.status = status;
  order.reserved = '0';
  account.pending.delete(order.id);
  if (order.filledQuantity === '0') account.history.push({ order, at });
  account.revision++;
}

function fill(world: World, account: Account, quirks: Quirks, order: OrderRecord, at: number, nowMs: number): void {
  const instrument = world.get(order.ticker);
  const open = new Big(order.quantity ?? '0').minus(order.filledQuantity);
  const isPart = order.restAt === undefined && fillsInParts(world, quirks, order);
  const quantity = (isPart ? open.times('0.4').round(0, 0) : open).abs();
  const price = computeFillPrice(world, order, at);
  const id = getFillId(order.id, order.restAt === undefined ? 1 : 2);
  const tradingMethod = hashNumbers(world.seed, id) % 7 === 0 ? 'OTC' : 'TOTV';
  const built = buildFill(world, { id, instrument, side: order.side, quantity, price, at, tradingMethod });
  const free = account.ledger.cash.minus(reservedCash(account)).minus(pieCash(account)).plus(order.reserved);
  if (order.side === 'BUY' && free.lt(built.netValue)) {
    closeUnfilled(account, order, 'REJECTED', at);
    return;
  }

  addFill(account, order, built, nowMs);
  order.filledQuantity = new Big(order.filledQuantity).plus(built.quantity).toFixed();
  if (isPart) {
    if (order.status !== 'CANCELLING') order.status = 'PARTIALLY_FILLED';
    order.restAt = at + restMs;
    const left = new Big(order.reserved).minus(built.netValue);
    order.reserved = left.gt(0) ? left.toFixed() : '0';
    return;
  }
  order.status = 'FILLED';
  order.reserved = '0';
  account.pending.delete(order.id);
}

function fillsInParts(world: World, quirks: Quirks, order: OrderRecord): boolean {
  if (order.type !== 'LIMIT' || quirks.partialFills === 'never' || new Big(order.quantity ?? 0).abs().lt(3))
    return false;
  if (quirks.partialFills === 'always') return true;
  return new Big(order.quantity ?? 0).abs().gte(10) && hashNumbers(world.seed, order.id) % 5 === 0;
}

/** Returns the market price, but never one beyond the limit, which rounding could cause. */
function computeFillPrice(world: World, order: OrderRecord, at: number): Big {
  const market = world.prices.priceAt(world.get(order.ticker), at);
  if (order.limitPrice === undefined) return market;
  const isWorse = order.side === 'BUY' ? market.gt(order.limitPrice) : market.lt(order.limitPrice);
  return isWorse ? new Big(order.limitPrice) : market;
}

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
function nextPriceMatch(
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
