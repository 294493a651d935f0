/** Plans what the seeded account did, and when. The plan does not depend on prices. */
import { hashText, type Random } from '../random.ts';
import { type Featured, featured, splitTicker } from '../world/fixed-instruments.ts';
import { dayMs, localDay, minuteMs } from '../world/time-zones.ts';
import { eventsOfDay } from '../world/trading-sessions.ts';
import { getSchedule } from '../world/venues.ts';
import type { OrderType } from './records.ts';

export type PastStep =
  | {
      readonly kind: 'cash';
      readonly at: number;
      readonly type: 'DEPOSIT' | 'WITHDRAW' | 'FEE';
      readonly pence: number;
    }
  | { readonly kind: 'interest'; readonly at: number; readonly pence: number }
  | {
      readonly kind: 'buy' | 'sell';
      readonly at: number;
      readonly instrument: Featured;
      readonly how: OrderOrigin;
      readonly pounds: number;
    }
  | { readonly kind: 'sellAll' | 'split' | 'unfilled'; readonly at: number; readonly instrument: Featured };

export type OrderOrigin = OrderType | 'VALUE' | 'AUTOINVEST';

export const pastDays = 1096;
const autoinvested = ['QWRLDl_EQ', 'ZSANXl_EQ', 'QDIVIl_EQ', 'ZBONDl_EQ', 'QBRAMl_EQ', 'ZWEXOl_EQ'];

export function planPast(startedAt: number, random: Random): PastStep[] {
  const begin = startedAt - pastDays * dayMs;
  const end = startedAt - 8 * dayMs;
  const traded = featured.filter(({ role }) => role !== undefined);
  const held = traded.filter(({ role }) => role === 'held');
  const steps: PastStep[] = [...planCash(begin, end, random)];

  const soldAt = new Map<string, number>();
  for (const instrument of traded) {
    const first = pickOpenTimestamp(instrument, begin + random.integer(2, 20) * dayMs, random);
    steps.push({ kind: 'buy', at: first, instrument, how: 'MARKET', pounds: random.integer(600, 1100) });
    if (instrument.role !== 'sold') continue;
    const last = pickOpenTimestamp(instrument, begin + random.integer(480, 900) * dayMs, random);
    soldAt.set(instrument.ticker, last);
    steps.push({ kind: 'sellAll', at: last, instrument });
  }

  for (let month = 1; month <= 33; month++) {
    const funds = featured.filter(({ ticker }) => autoinvested.includes(ticker));
    const first = funds[0];
    if (!first) continue;
    // All in one second, because paging must handle rows of the same second.
    const at = pickOpenTimestamp(first, begin + (month * 31 + 10) * dayMs, random);
    for (const instrument of funds) {
      steps.push({ kind: 'buy', at, instrument, how: 'AUTOINVEST', pounds: 60 + (hashText(instrument.ticker) % 60) });
    }
  }

  for (let index = 0; index < 324; index++) {
    const target = random.pick(traded);
    const isLarge = index === 0;
    // The large one is early, while the first deposit is still available.
    const day = begin + (isLarge ? 24 : random.integer(25, pastDays - 10)) * dayMs;
    const gone = day > (soldAt.get(target.ticker) ?? Number.POSITIVE_INFINITY) - 6 * dayMs;
    const instrument = gone ? random.pick(held) : target;
    const how = random.pick<OrderOrigin>([
      'MARKET',
      'MARKET',
      'MARKET',
      'MARKET',
      'LIMIT',
      'LIMIT',
      'LIMIT',
      'STOP',
      'STOP_LIMIT',
      'VALUE',
    ]);
    const kind = how !== 'VALUE' && random.chance(0.4) ? 'sell' : 'buy';
    const pounds = isLarge ? 10_800 : random.integer(90, 900);
    const stock = isLarge ? (held.find(({ ticker }) => ticker === 'QBRAMl_EQ') ?? instrument) : instrument;
    steps.push({
      kind: isLarge ? 'buy' : kind,
      at: pickOpenTimestamp(stock, day, random),
      instrument: stock,
      how,
      pounds,
    });
  }

  for (let index = 0; index < 46; index++) {
    const instrument = random.pick(held);
    const at = pickOpenTimestamp(instrument, begin + random.integer(25, pastDays - 10) * dayMs, random);
    steps.push({ kind: 'unfilled', at, instrument });
  }

  const split = held.find(({ ticker }) => ticker === splitTicker);
  if (split) steps.push({ kind: 'split', at: splitTimestamp(startedAt), instrument: split });
  return steps.sort((a, b) => a.at - b.at);
}

function planCash(begin: number, end: number, random: Random): PastStep[] {
  const steps: PastStep[] = [{ kind: 'cash', at: begin + 9 * 60 * minuteMs, type: 'DEPOSIT', pence: 52_000_00 }];
  const spread = (count: number, index: number) =>
    begin +
    Math.floor(((end - begin) * (index + 0.2 + random.next() * 0.7)) / count / minuteMs) * minuteMs +
    random.integer(0, 59) * 1000;
  for (let index = 0; index < 69; index++) {
    steps.push({ kind: 'cash', at: spread(69, index), type: 'DEPOSIT', pence: random.integer(12, 34) * 25_00 });
  }
  for (let index = 0; index < 6; index++) {
    steps.push({ kind: 'cash', at: spread(6, index), type: 'WITHDRAW', pence: -random.integer(150_00, 1400_00) });
  }
  for (let index = 0; index < 8; index++) {
    steps.push({ kind: 'cash', at: spread(8, index), type: 'FEE', pence: -random.integer(75, 12_50) });
  }
  for (let index = 0; index < 36; index++) {
    steps.push({ kind: 'interest', at: spread(36, index), pence: random.integer(4_00, 46_00) });
  }
  return steps;
}

/** Returns the time of the split: before the market opens, on a date without an earlier trade. */
export const splitTimestamp = (startedAt: number): number =>
  Math.floor((startedAt - 420 * dayMs) / dayMs) * dayMs + 5 * 60 * minuteMs;

/** Returns a full second within the regular session of that day, or of the next day that has one. */
function pickOpenTimestamp(instrument: Featured, near: number, random: Random): number {
  const schedule = getSchedule(instrument.scheduleId);
  for (let day = localDay(schedule.zone, near); ; day++) {
    const events = eventsOfDay(schedule, day);
    const open = events.find(({ type }) => type === 'OPEN');
    if (!open) continue;
    const end = events.find(({ at, type }) => at > open.at && type !== 'BREAK_END')?.at ?? open.at + dayMs;
    return Math.floor((open.at + (end - open.at) * (0.02 + random.next() * 0.95)) / 1000) * 1000;
  }
}
