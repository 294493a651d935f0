/** Builds three years of history step by step on the ledger, so that the books balance. */

import { setImmediate } from 'node:timers/promises';
import Big from 'big.js';
import { createRandom, hashText, type Random, toUuid } from '../random.ts';
import { type Featured, splitRatio, splitTicker } from '../world/fixed-instruments.ts';
import { type Instrument, priceDecimals } from '../world/instrument.ts';
import { dayMs, hourMs, minuteMs, nextMidnight } from '../world/time-zones.ts';
import { getSchedule } from '../world/venues.ts';
import type { World } from '../world/world.ts';
import { buildFill } from './build-fill.ts';
import { bookCash, bookFill, copyLedger, createLedger, type Ledger } from './ledger.ts';
import {
  type DividendRecord,
  type FillRecord,
  firstOrderId,
  getFillId,
  type HistoryRow,
  type InitiatedFrom,
  type OrderRecord,
  type TransactionRecord,
} from './records.ts';
import { planPastDividends } from './seed-dividends.ts';
import { type OrderOrigin, type PastStep, planPast, splitTimestamp } from './seed-history-plan.ts';

export interface SeedHistory {
  readonly ledger: Ledger;
  readonly history: HistoryRow[];
  readonly dividends: DividendRecord[];
  readonly transactions: TransactionRecord[];
}

const known = new Map<string, SeedHistory>();
const maxCachedSeeds = 16;

/** More ids than the past of an account takes: no two orders of a service have one id. */
const idsOfAccount = 100_000_000;

/** This number of steps takes a few milliseconds; then other clients of the process get a turn. */
const stepsInOneGo = 25;

/** Account 1 has the past that a service with one account has; the others have one of their own in the same world. */
const pastSeed = (world: World, number: number): number =>
  number === 1 ? world.seed : hashText(`account ${number}`, world.seed);

/**
 * Returns the seeded past of an account of the service that ends with the hour before `startedAt`. Building it takes a tenth of a second, so the
 * simulators that a process starts in one hour share it; each gets its own lists and ledger.
 */
export async function getSeedHistory(world: World, startedAt: number, number = 1): Promise<SeedHistory> {
  const end = Math.floor(startedAt / hourMs) * hourMs;
  const key = `${world.seed}/${end}/${number}`;
  const past = known.get(key) ?? (await createPast(world, end, number));
  known.delete(key);
  known.set(key, past);
  const [oldest] = known.keys();
  if (known.size > maxCachedSeeds && oldest !== undefined) known.delete(oldest);
  return {
    ledger: copyLedger(past.ledger),
    history: [...past.history],
    dividends: [...past.dividends],
    transactions: [...past.transactions],
  };
}

async function createPast(world: World, startedAt: number, number: number): Promise<SeedHistory> {
  const seed = pastSeed(world, number);
  const random = createRandom(hashText('past', seed));
  const ledger = createLedger();
  const rows: DraftRow[] = [];
  const transactions: TransactionRecord[] = [];
  const getPrice = getPastPrice(world, startedAt);
  const context: PastContext = { world, random, ledger, rows, getPrice };

  for (const [index, step] of planPast(startedAt, random).entries()) {
    if (index % stepsInOneGo === 0) await setImmediate();
    if (step.kind === 'cash' || step.kind === 'interest') {
      const row = toTransaction(step, transactions.length, seed);
      transactions.push(row);
      bookCash(ledger, row);
    } else if (step.kind === 'split') split(context, step);
    else if (step.kind === 'unfilled') addUnfilledOrder(context, step);
    else trade(context, step);
  }

  const history = numbered(rows, random, firstOrderId + (number - 1) * idsOfAccount);
  const dividends = planPastDividends(world, startedAt, history, getPrice, seed);
  for (const row of dividends) bookCash(ledger, row);
  return { ledger, history, dividends, transactions };
}

/** Returns the price of a moment (ms) in a past that ends at `startedAt`: before the split of one instrument, its old one. */
export function getPastPrice(world: World, startedAt: number): (instrument: Instrument, at: number) => Big {
  const splitAt = splitTimestamp(startedAt);
  return (instrument, at) => {
    const price = world.prices.priceAt(instrument, at);
    return instrument.ticker === splitTicker && at < splitAt ? price.times(splitRatio) : price;
  };
}

function toTransaction(
  step: Extract<PastStep, { kind: 'cash' | 'interest' }>,
  index: number,
  seed: number,
): TransactionRecord {
  return {
    reference: toUuid(`transaction ${seed} ${index}`),
    type: step.kind === 'interest' ? 'INTEREST_ON_FREE_CASH' : step.type,
    amount: new Big(step.pence).div(100).toFixed(2),
    at: step.at,
  };
}

/** Assigns ids in the order of creation and sorts the rows by the time they happened. */
function numbered(rows: readonly DraftRow[], random: Random, firstId: number): HistoryRow[] {
  let id = firstId;
  const begin = rows.reduce((least, { order }) => Math.min(least, order.createdAt), Number.POSITIVE_INFINITY);
  let before = begin - dayMs;
  const withId = [...rows]
    .sort((a, b) => a.order.createdAt - b.order.createdAt)
    .map((row): HistoryRow => {
      id += 2 + Math.floor((row.order.createdAt - before) / 4000) + random.integer(0, 400);
      before = row.order.createdAt;
      const { order, fill, at } = row;
      return { order: { ...order, id }, at, ...(fill && { fill: { ...fill, id: getFillId(id, 1) } }) };
    });
  return withId.sort((a, b) => a.at - b.at || a.order.id - b.order.id);
}

// Each function adds one past order: bought, sold, split, or ended without a fill.

/** An order without its id: ids follow the time of creation, which is only known at the end. */
type Draft = Omit<OrderRecord, 'id'> & { id?: number };
interface DraftRow {
  order: Draft;
  /** Its id is 0. */
  fill?: FillRecord;
  at: number;
}

/** Minimum cash that a past buy leaves. */
const cushion = 12_000;

interface PastContext {
  readonly world: World;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly rows: DraftRow[];
  readonly getPrice: (instrument: Featured, at: number) => Big;
}

type Trade = Extract<PastStep, { kind: 'buy' | 'sell' | 'sellAll' | 'unfilled' | 'split' }>;

function trade(context: PastContext, step: Trade): void {
  const { random, ledger, world } = context;
  const { instrument, at } = step;
  const price = context.getPrice(instrument, at);
  const holding = ledger.holdings.get(instrument.ticker);
  const pounds = 'pounds' in step ? step.pounds : 0;
  const how: OrderOrigin = 'how' in step ? step.how : 'MARKET';
  const sharesFor = (amount: number, decimals: number) =>
    new Big(amount).times(world.prices.rateAt(instrument.currency, at)).div(price).round(decimals, 0);

  const wanted =
    step.kind === 'sell' && holding ? holding.quantity.times(random.integer(10, 40)).div(100).round(3, 0) : undefined;
  const isSale = step.kind === 'sellAll' || (wanted?.gt('0.05') ?? false);
  const affordable = Math.max(40, Math.min(pounds, Number(ledger.cash) - cushion));
  const byValue = !isSale && (how === 'VALUE' || how === 'AUTOINVEST');
  const quantity = isSale
    ? step.kind === 'sellAll'
      ? holding?.quantity
      : wanted
    : sharesFor(affordable, byValue ? 8 : random.integer(1, 4));
  if (!quantity?.gt(0)) return;

  const side = isSale ? 'SELL' : 'BUY';
  const fill = bookFill(
    ledger,
    { ticker: instrument.ticker, side },
    buildFill(world, { id: 0, instrument, side, quantity, price, at, tradingMethod: pickMethod(random) }),
  );
  const type = how === 'VALUE' || how === 'AUTOINVEST' ? 'MARKET' : how;
  const waited = type === 'MARKET' ? 1000 + random.integer(0, 2) * 1000 : random.integer(2, 4000) * minuteMs;
  context.rows.push({
    at,
    fill,
    order: {
      createdAt: at - waited + (type === 'MARKET' ? 0 : random.integer(0, 999)),
      ticker: instrument.ticker,
      type,
      side,
      ...(byValue ? { value: fill.netValue, filledValue: fill.netValue } : { quantity: fill.quantity }),
      ...pickPrices(type, side, price, instrument, random),
      timeInForce: type !== 'MARKET' && waited < 200 * minuteMs ? 'DAY' : 'GOOD_TILL_CANCEL',
      extendedHours: false,
      initiatedFrom:
        how === 'AUTOINVEST' ? 'AUTOINVEST' : byValue ? random.pick(['IOS', 'ANDROID']) : pickInitiator(random),
      status: 'FILLED',
      filledQuantity: fill.quantity,
      reserved: '0',
    },
  });
}

const pickMethod = (random: Random): FillRecord['tradingMethod'] => (random.chance(1 / 7) ? 'OTC' : 'TOTV');

const pickInitiator = (random: Random): InitiatedFrom => random.pick(['API', 'API', 'API', 'IOS', 'ANDROID', 'WEB']);

/** Returns limit and stop prices that agree with the price of the fill. */
function pickPrices(type: OrderRecord['type'], side: 'BUY' | 'SELL', price: Big, instrument: Featured, random: Random) {
  const decimals = priceDecimals(instrument.currency, Number(price));
  const away = (perMille: number, up: boolean) =>
    price
      .times(1 + ((up ? 1 : -1) * perMille) / 1000)
      .round(decimals, up ? 3 : 0)
      .toFixed();
  const isBuy = side === 'BUY';
  const limit = { limitPrice: away(random.integer(0, 9), isBuy) };
  const stop = { stopPrice: away(random.integer(0, 5), !isBuy) };
  if (type === 'LIMIT') return limit;
  if (type === 'STOP') return stop;
  return type === 'STOP_LIMIT' ? { ...limit, ...stop } : {};
}

function split(context: PastContext, { instrument, at }: Trade): void {
  const holding = context.ledger.holdings.get(instrument.ticker);
  if (!holding) return;
  const added = holding.quantity.times(splitRatio - 1).toFixed();
  const fill: FillRecord = {
    id: 0,
    filledAt: at,
    price: '0',
    quantity: added,
    type: 'STOCK_SPLIT',
    tradingMethod: pickMethod(context.random),
    fxRate: '1',
    netValue: '0',
    taxes: [],
    realisedProfitLoss: '0',
  };
  const order: Draft = {
    createdAt: at,
    ticker: instrument.ticker,
    type: 'MARKET',
    side: 'BUY',
    quantity: added,
    timeInForce: 'GOOD_TILL_CANCEL',
    extendedHours: false,
    initiatedFrom: 'SYSTEM',
    status: 'FILLED',
    filledQuantity: added,
    reserved: '0',
  };
  context.rows.push({ at, order, fill: bookFill(context.ledger, order, fill) });
}

/** Adds an order that was cancelled, rejected, or expired at midnight. */
function addUnfilledOrder(context: PastContext, { instrument, at }: Trade): void {
  const { random } = context;
  const price = context.getPrice(instrument, at);
  const end = random.pick(['cancelled', 'cancelled', 'expired', 'rejected'] as const);
  const isExpired = end === 'expired';
  const side = random.chance(0.7) ? 'BUY' : 'SELL';
  const quantity = new Big(random.integer(1, 12));
  const limit = price.times(side === 'BUY' ? 0.9 : 1.1).round(priceDecimals(instrument.currency, Number(price)), 1);
  const endedAt = isExpired
    ? nextMidnight(getSchedule(instrument.scheduleId).zone, at)
    : at + (end === 'rejected' ? 1000 : random.integer(1, 900) * minuteMs);
  context.rows.push({
    at: endedAt,
    order: {
      createdAt: at,
      ticker: instrument.ticker,
      type: end === 'rejected' ? 'MARKET' : 'LIMIT',
      side,
      quantity: (side === 'BUY' ? quantity : quantity.neg()).toFixed(),
      ...(end === 'rejected' ? {} : { limitPrice: limit.toFixed() }),
      timeInForce: isExpired ? 'DAY' : 'GOOD_TILL_CANCEL',
      extendedHours: false,
      initiatedFrom: pickInitiator(random),
      status: end === 'rejected' ? 'REJECTED' : 'CANCELLED',
      filledQuantity: '0',
      reserved: '0',
    },
  });
}
