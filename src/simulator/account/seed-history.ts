/** Builds three years of history step by step on the ledger, so that the books balance. */
import { setImmediate } from 'node:timers/promises';
import Big from 'big.js';
import { createRandom, hashText, type Random, toUuid } from '../random.ts';
import { type Featured, splitRatio, splitTicker } from '../world/fixed-instruments.ts';
import { dayMs, hourMs } from '../world/time-zones.ts';
import type { World } from '../world/world.ts';
import { bookCash, copyLedger, createLedger, type Ledger } from './ledger.ts';
import { type DividendRecord, firstOrderId, getFillId, type HistoryRow, type TransactionRecord } from './records.ts';
import { planPastDividends } from './seed-dividends.ts';
import { type PastStep, planPast, splitTimestamp } from './seed-history-plan.ts';
import { addUnfilledOrder, type DraftRow, type PastContext, split, trade } from './seed-trades.ts';

export interface SeedHistory {
  readonly ledger: Ledger;
  readonly history: HistoryRow[];
  readonly dividends: DividendRecord[];
  readonly transactions: TransactionRecord[];
}

const known = new Map<string, SeedHistory>();
const maxCachedSeeds = 16;

/** This number of steps takes a few milliseconds; then other clients of the process get a turn. */
const stepsInOneGo = 25;

/**
 * Returns the seeded past that ends with the hour before `startedAt`. Building it takes a tenth of a second, so the
 * simulators that a process starts in one hour share it; each gets its own lists and ledger.
 */
export async function getSeedHistory(world: World, startedAt: number): Promise<SeedHistory> {
  const end = Math.floor(startedAt / hourMs) * hourMs;
  const key = `${world.seed}/${end}`;
  const past = known.get(key) ?? (await createPast(world, end));
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

async function createPast(world: World, startedAt: number): Promise<SeedHistory> {
  const random = createRandom(hashText('past', world.seed));
  const ledger = createLedger();
  const rows: DraftRow[] = [];
  const transactions: TransactionRecord[] = [];
  const splitAt = splitTimestamp(startedAt);
  const getPrice = (instrument: Featured, at: number): Big => {
    const price = world.prices.priceAt(instrument, at);
    return instrument.ticker === splitTicker && at < splitAt ? price.times(splitRatio) : price;
  };
  const context: PastContext = { world, random, ledger, rows, getPrice };

  for (const [index, step] of planPast(startedAt, random).entries()) {
    if (index % stepsInOneGo === 0) await setImmediate();
    if (step.kind === 'cash' || step.kind === 'interest') {
      const row = toTransaction(step, transactions.length, world.seed);
      transactions.push(row);
      bookCash(ledger, row);
    } else if (step.kind === 'split') split(context, step);
    else if (step.kind === 'unfilled') addUnfilledOrder(context, step);
    else trade(context, step);
  }

  const history = numbered(rows, random);
  const dividends = planPastDividends(world, startedAt, history, getPrice);
  for (const row of dividends) bookCash(ledger, row);
  return { ledger, history, dividends, transactions };
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
function numbered(rows: readonly DraftRow[], random: Random): HistoryRow[] {
  let id = firstOrderId;
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
