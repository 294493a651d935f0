import Big from 'big.js';
import { hashText, toUuid } from '../random.ts';
import { type Featured, featured } from '../world/fixed-instruments.ts';
import { dayMs, hourMs, minuteMs } from '../world/time-zones.ts';
import type { World } from '../world/world.ts';
import { roundToPence, toAccountCurrency } from './ledger.ts';
import type { DividendRecord, HistoryRow } from './records.ts';
import { pastDays } from './seed-history-plan.ts';

/** How many dividends the seeded account has received. */
const dividendCount = 240;

export function planPastDividends(
  world: World,
  startedAt: number,
  history: readonly HistoryRow[],
  getPrice: (instrument: Featured, at: number) => Big,
  seed: number,
): DividendRecord[] {
  const begin = startedAt - pastDays * dayMs;
  const all: DividendRecord[] = [];
  for (const instrument of featured) {
    const { dividend, ticker } = instrument;
    if (!dividend || !instrument.role) continue;
    const trades = history.filter(({ order, fill }) => fill && order.ticker === ticker);
    const period = Math.floor((365 * dayMs) / dividend.perYear);
    const offset = 24 * dayMs + (hashText(ticker, world.seed) % Math.floor(period / minuteMs)) * minuteMs;
    for (let at = begin + offset; at < startedAt - 3 * hourMs; at += period) {
      const quantity = quantityAt(trades, at);
      const perShare = getPrice(instrument, at)
        .times(dividend.yieldPercent)
        .div(100 * dividend.perYear)
        .round(4, 1);
      const row = buildDividend(world, instrument, quantity, perShare, Math.floor(at / 1000) * 1000, seed);
      if (row) all.push(row);
    }
  }
  // Removes those with the highest hashes, so that the number is the same in every world.
  const surplus = [...all]
    .sort((a, b) => hashText(b.reference) - hashText(a.reference))
    .slice(0, Math.max(0, all.length - dividendCount));
  const removed = new Set(surplus);
  return all.filter((row) => !removed.has(row)).sort((a, b) => a.at - b.at);
}

/** Returns undefined when there is nothing to pay. */
export function buildDividend(
  world: World,
  instrument: { ticker: string; isin: string; currency: string; type: string; name: string },
  quantity: Big,
  perShare: Big,
  at: number,
  seed = world.seed,
): DividendRecord | undefined {
  if (quantity.lte(0)) return undefined;
  const rate = world.prices.rateAt(instrument.currency, at);
  const isUs = instrument.isin.startsWith('US');
  const gross = toAccountCurrency(quantity.times(perShare), rate);
  const amount = roundToPence(gross.times(isUs ? '0.85' : '1'));
  if (amount.lte(0)) return undefined;
  return {
    reference: toUuid(`dividend ${seed} ${instrument.ticker} ${at}`),
    ticker: instrument.ticker,
    quantity: quantity.toFixed(),
    amount: amount.toFixed(2),
    amountInEuro: roundToPence(amount.times(world.prices.rateAt('EUR', at))).toFixed(2),
    grossAmountPerShare: perShare.toFixed(),
    // In the instrument's currency, as on statements.
    withheld: isUs ? roundToPence(quantity.times(perShare).times('0.15')).toFixed(2) : '0',
    fxRate: rate.toFixed(),
    at,
    type: dividendType(instrument, isUs),
  };
}

function dividendType({ name, type }: { name: string; type: string }, isUs: boolean): string {
  if (name.includes('Property')) return 'PROPERTY_INCOME';
  if (name.includes('Bond')) return 'INTEREST';
  if (isUs) return 'DIVIDENDS_PAID_BY_US_CORPORATIONS';
  return type === 'ETF' ? 'DIVIDEND' : 'ORDINARY';
}

function quantityAt(trades: readonly HistoryRow[], at: number): Big {
  let quantity = new Big(0);
  for (const { fill, at: filledAt } of trades) {
    if (filledAt > at) break;
    quantity = quantity.plus(fill?.quantity ?? 0);
  }
  return quantity;
}
