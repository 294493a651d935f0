/**
 * Excess reportable income: what an offshore reporting fund earned and did not pay. It is income of the holders at the
 * end of the period, on the day six months after it (Offshore Funds (Tax) Regulations 2009 reg 94), and counts as a cost
 * of their shares, for a sale before that day too (reg 99).
 */
import Big from 'big.js';
import { type Trade, toChange } from '../analytics/trades.ts';
import type { ReportableIncome } from './cost-entries.ts';
import { toLondonDate } from './london-day.ts';

export interface FundIncome {
  readonly isin: string;
  readonly ticker: string;
  /** `YYYY-MM-DD`. */
  readonly periodEnd: string;
  /** The day on which it is income, `YYYY-MM-DD`. */
  readonly taxedOn: string;
  /** Held at the end of the period. */
  readonly shares: Big;
  readonly amount: Big;
  readonly currency: string;
}

export interface FundIncomes {
  readonly income: readonly FundIncome[];
  /** Entries in another currency than the shares were bought in, which are in no figure. */
  readonly inOtherCurrency: readonly ReportableIncome[];
}

/** The income of the shares that were held. An entry for shares that were not held gives none. */
export function computeFundIncome(entries: readonly ReportableIncome[], trades: readonly Trade[]): FundIncomes {
  const income: FundIncome[] = [];
  const inOtherCurrency: ReportableIncome[] = [];
  for (const entry of entries) {
    const { isin, periodEnd, amountPerShare, currency } = entry;
    const rows = trades.filter((trade) => trade.isin === isin && toLondonDate(trade.at) <= periodEnd);
    const shares = rows.reduce((sum, trade) => sum.plus(toChange(trade)), new Big(0));
    const ticker = rows.at(-1)?.ticker;
    if (ticker === undefined || shares.lte(0)) continue;
    if (rows.some(({ valueCurrency }) => valueCurrency !== undefined && valueCurrency !== currency))
      inOtherCurrency.push(entry);
    else
      income.push({
        isin,
        ticker,
        periodEnd,
        taxedOn: addMonths(periodEnd, 6),
        shares,
        amount: shares.times(amountPerShare),
        currency,
      });
  }
  return { income, inOtherCurrency };
}

/** The same day of a later month, or its last day if it is shorter. Both dates are `YYYY-MM-DD`. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

/** Noon in UTC of a date `YYYY-MM-DD` (ms), which is the same day in London. */
export const toNoon = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** Whether the country of the ISIN is another one than the United Kingdom. */
export const isForeign = ({ isin }: Pick<Trade, 'isin'>): boolean => isin !== undefined && !isin.startsWith('GB');

/** A fund that is not British, and whose income of the range the owner did not enter. */
export interface FundWithoutIncome {
  readonly isin: string;
  readonly ticker: string;
}

/** A period lasts a year, and is taxed six months after its end. */
const [periodMonths, delayMonths] = [12, 6];

/**
 * The offshore funds of the trades without an entry that is taxed in the range. `isFund` says which tickers are funds.
 * Funds that were held only before the periods of the range, or only for periods that are taxed after it, are left out.
 */
export function listFundsWithoutIncome(
  trades: readonly Trade[],
  entries: readonly ReportableIncome[],
  isFund: (ticker: string) => boolean,
  range: { readonly since?: number | undefined; readonly until: number },
): FundWithoutIncome[] {
  const { since = Number.NEGATIVE_INFINITY, until } = range;
  const funds = new Map<string, { ticker: string; first: number; last: number; held: Big }>();
  for (const trade of trades) {
    const { isin, ticker, at } = trade;
    if (!isin || !isForeign(trade) || !isFund(ticker)) continue;
    const known = funds.get(isin);
    const held = toChange(trade).plus(known?.held ?? 0);
    funds.set(isin, { ticker, first: known?.first ?? at, last: at, held });
  }
  const isEntered = (isin: string) =>
    entries.some((entry) => {
      const taxedAt = toNoon(addMonths(entry.periodEnd, delayMonths));
      return entry.isin === isin && taxedAt >= since && taxedAt < until;
    });
  const shift = (at: number, months: number) =>
    Number.isFinite(at) ? toNoon(addMonths(toLondonDate(at), months)) : at;
  return [...funds]
    .filter(([isin, { first, last, held }]) => {
      const wasHeld = held.gt(0) || last >= shift(since, -periodMonths - delayMonths);
      return wasHeld && first < shift(until, -delayMonths) && !isEntered(isin);
    })
    .map(([isin, { ticker }]) => ({ isin, ticker }));
}
