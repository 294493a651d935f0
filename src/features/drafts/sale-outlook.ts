/** What a sale would realise, as a tool reports it: figures, or what is missing for them. Never an amount of tax. */

import Big from 'big.js';
import { dayMs } from '../../core/clock.ts';
import type { SaleMethod } from '../../core/mcp/order-arguments.ts';
import { lagMs } from '../../core/orders/account/exposure.ts';
import type { TradableAccount } from '../../core/orders/tradable-account.ts';
import { secondsOf } from '../../core/text/count-of.ts';
import { findTaxYear, type NamedTaxYear, resolveZone, taxYearZone, toZoneDate } from '../../core/text/dates.ts';
import { formatMoney } from '../../core/text/format-figures.ts';
import { describeUnmatched, formatPence, formatQuantity } from '../gains/format-gains.ts';
import type { Match } from '../gains/gain-types.ts';
import {
  createSaleBooks,
  createSaleSimulator,
  type MissingFigures,
  type SaleBooks,
  type SaleFigures,
  type SaleQuestion,
  type SaleSimulator,
} from '../gains/what-if-sale.ts';
import type { History } from '../history/history-port.ts';
import type { PlanLot } from '../planner/plan-types.ts';
import type { CostHistory, OwnHistory } from './cost-history.ts';

export interface SaleOutlookOptions {
  readonly method: SaleMethod;
  readonly account: TradableAccount;
  readonly history: OwnHistory;
  readonly costs: CostHistory;
  readonly keep: History['keep'];
  /** The owner's setting for tax days. */
  readonly taxZone: string | undefined;
  /** When the sale would be made (ms). */
  readonly now: number;
}

/** A part of a sale, and the day (`YYYY-MM-DD`) on which its shares were acquired, if the rule names one. */
export interface MatchRow {
  readonly rule: string;
  readonly quantity: string;
  readonly cost: string | undefined;
  readonly acquiredOn?: string;
}

/** A purchase that a rule about days counts. */
export interface PurchaseRow {
  readonly on: string;
  readonly ticker: string;
  readonly quantity: string;
}

/** A sale as it would be. Amounts are in the account's currency, with two decimals. */
export interface WhatIf {
  readonly method: SaleMethod;
  readonly gain?: string | undefined;
  readonly cost?: string | undefined;
  readonly proceeds?: string | undefined;
  readonly quantityLeft?: string;
  readonly costLeft?: string | undefined;
  readonly matches?: readonly MatchRow[];
  /** UK rules: purchases of the last 30 days. */
  readonly recentPurchases?: readonly PurchaseRow[];
  readonly taxYear?: string;
  /** The first day of a UK tax year, in place of its name, for a method that is not that of UK tax. */
  readonly yearSince?: string;
  /** The realised gain of the tax year. */
  readonly yearGainBefore?: string | undefined;
  readonly yearGainAfter?: string | undefined;
  readonly remarks?: readonly string[];
  /** Why figures are missing: a code, a sentence, and the next step. */
  readonly missing?: { readonly code: string; readonly reason: string; readonly next: string };
}

/** The realised gain of the tax year before and after sales. */
export type YearGain = Pick<WhatIf, 'taxYear' | 'yearSince' | 'yearGainBefore' | 'yearGainAfter'>;

export interface SaleOutlook {
  /** One sale alone. */
  describe(sale: SaleQuestion): WhatIf;
  /** The tax year with all of these sales; undefined when its gain is unknown. */
  describeYear(sales: readonly SaleQuestion[]): YearGain | undefined;
  /** The lots of what can be sold; undefined when a cost is unknown. `price` is net of charges, per share. */
  listLots(ticker: string, sellable: Big): readonly PlanLot[] | undefined;
}

/** Creates the outlook. Without the complete history it has no figures. */
export function createSaleOutlook(options: SaleOutlookOptions): SaleOutlook {
  const { method, account, history, taxZone, now } = options;
  const { currency } = account.snapshot.summary;
  const zone = method === 'uk_section_104' ? taxYearZone : resolveZone(taxZone, currency);
  const year = findTaxYear(now, zone);
  const simulator = history.coverage?.complete
    ? createSaleSimulator({
        books: keepBooks(options, year),
        at: now,
        currency,
        getHeld: (ticker) => account.getShares(ticker).held,
      })
    : undefined;
  return {
    describe: (sale) =>
      simulator
        ? describeSale(sale, simulator, { ...options, year, zone })
        : { method, missing: { code: 'history_incomplete', reason: explainHistory(history), next: readStep } },
    describeYear: (sales) =>
      simulator && describeYear({ method, year, zone }, simulator.sumRange(), simulator.sumRange(sales)),
    listLots: (ticker, sellable) => simulator && listLots(simulator, ticker, sellable),
  };
}

/** About what a trade takes in the books, beside the trade itself. */
const bytesPerTrade = 50;

/** Equal books are made once, because they need the gains of all trades. */
const keepBooks = ({ method, history, costs, keep }: SaleOutlookOptions, { since, until }: NamedTaxYear): SaleBooks =>
  keep(`sales ${method} ${since} ${until}`, `${history.version} ${costs.version}`, () => {
    const { trades, options: known } = costs.apply(history.trades, method);
    return {
      value: createSaleBooks(trades, { method, since, until, known }),
      bytes: trades.length * bytesPerTrade,
    };
  });

const explainHistory = ({ coverage }: OwnHistory): string =>
  ['The order history is not complete, so the cost of the shares is unknown.', ...(coverage?.missing ?? [])].join(' ');

interface OutlookContext extends SaleOutlookOptions {
  readonly year: NamedTaxYear;
  readonly zone: string;
}

function describeSale(sale: SaleQuestion, simulator: SaleSimulator, context: OutlookContext): WhatIf {
  const { method } = context;
  const { figures, missing } = simulator.sell(sale);
  if (!figures) return { method, missing: explainMissing(missing, sale.ticker, context) };
  const before = simulator.sumRange();
  const yearGain = describeYear(context, before, before?.plus(figures.gainChange));
  return {
    method,
    gain: formatPence(figures.gain),
    cost: formatPence(figures.cost),
    proceeds: formatMoney(figures.proceeds),
    quantityLeft: formatQuantity(figures.quantityLeft),
    costLeft: figures.costLeft && formatPence(figures.costLeft),
    ...(figures.isJoined ? {} : { matches: figures.matches.map((match) => formatMatch(match, context)) }),
    ...(yearGain ?? {}),
    ...(method === 'uk_section_104' ? { recentPurchases: listRecentPurchases(figures, context) } : {}),
    ...toRemarks([...describeRemarks(figures, context), ...explainYear(figures, yearGain)]),
  };
}

/** A preview loads no old page itself: the request could delay the order that follows it. */
const readStep = 'Call fetch_history with kind orders until it is complete, then call again for the gain.';
const compareStep =
  'Tell the user that the gain of this sale is unknown; fetch_history with this ticker shows what is known of it.';
const enterStep = 'Call summarize_realised_gains: it names each row of unknown cost, and the command that enters it.';

const waitStep = 'Preview the sale again in half a minute; the gain is unknown until then.';

function explainMissing(code: MissingFigures, ticker: string, context: OutlookContext): NonNullable<WhatIf['missing']> {
  if (code !== 'no_trades' && code !== 'quantity_differs')
    return { code, reason: describeUnmatched(code), next: enterStep };
  const unread = explainUnread(ticker, context);
  if (unread !== undefined) return { code: 'not_read_yet', reason: unread, next: waitStep };
  const what =
    code === 'no_trades'
      ? 'The history that was read has no trade of this ticker, so the cost of its shares is unknown.'
      : 'The fills of this ticker that were read do not add up to the shares held, so the cost of the shares is unknown.';
  return { code, reason: `${what}${compareTimes(context)}`, next: compareStep };
}

/** Whether one copy is known to be older than a trade that explains why account and history differ. */
function explainUnread(ticker: string, { account, history, now }: OutlookContext): string | undefined {
  const { askedAt, serviceOffsetMs = 0 } = account.snapshot;
  const newest = history.trades.findLast((trade) => trade.ticker === ticker);
  const filledAt = newest && newest.at - serviceOffsetMs;
  if (filledAt !== undefined && filledAt > askedAt && filledAt <= now)
    return `The shares held were read before the newest fill of ${ticker}, so the two cannot be compared yet.`;
  const sent = account.findLastSent(ticker);
  if (!sent || history.asOf === undefined || history.asOf >= sent.sentAt + lagMs) return undefined;
  if (newest?.orderId !== undefined && newest.orderId === sent.orderId) return undefined;
  return `This program sent an order for ${ticker} ${secondsOf(now - sent.sentAt)} ago, and its fills are not in the history that was read yet.`;
}

/** A difference of the times of two reads (ms) from which a trade in between is likely enough to be named. */
const apartMs = 3_000;

function compareTimes({ account, history }: OutlookContext): string {
  const apart = history.asOf === undefined ? 0 : account.snapshot.asOf - history.asOf;
  if (Math.abs(apart) < apartMs) return '';
  return ` The fills were read ${secondsOf(Math.abs(apart))} ${apart > 0 ? 'before' : 'after'} the shares, so one of the two may lack a trade.`;
}

const formatMatch = ({ rule, quantity, cost, acquiredAt }: Match, { zone }: OutlookContext): MatchRow => ({
  rule,
  quantity: formatQuantity(quantity),
  cost: formatPence(cost),
  ...(acquiredAt === undefined ? {} : { acquiredOn: toZoneDate(acquiredAt, zone) }),
});

type YearContext = Pick<OutlookContext, 'method' | 'year' | 'zone'>;

/** Whether the year is a UK tax year and the gain is by other rules than those of UK tax. */
const isOtherThanTax = ({ method, zone }: YearContext): boolean => zone === taxYearZone && method !== 'uk_section_104';

const describeYear = (context: YearContext, before: Big | undefined, after: Big | undefined): YearGain | undefined =>
  before &&
  after && {
    ...(isOtherThanTax(context)
      ? { yearSince: toZoneDate(context.year.since, context.zone) }
      : { taxYear: context.year.name }),
    yearGainBefore: formatPence(before),
    yearGainAfter: formatPence(after),
  };

const toRemarks = (remarks: readonly string[]): Pick<WhatIf, 'remarks'> => (remarks.length > 0 ? { remarks } : {});

/** Exact figures have a periodic part that is cut off at more decimals than this. */
const cutOff = new Big('1e-9');

const earlierSalesRemark =
  'This sale also changes the gain of earlier sales of the tax year, so the year changes by another amount than its gain.';

function explainYear({ gain, gainChange }: SaleFigures, year: YearGain | undefined): readonly string[] {
  if (!year) return [];
  return [...(year.yearSince === undefined ? [] : [otherMethodRemark]), ...explainChange({ gain, gainChange }, year)];
}

const otherMethodRemark = 'For UK tax, gains are by the method uk_section_104.';

function explainChange(
  { gain, gainChange }: Pick<SaleFigures, 'gain' | 'gainChange'>,
  year: YearGain,
): readonly string[] {
  if (gainChange.minus(gain).abs().gt(cutOff)) return [earlierSalesRemark];
  return explainRounding([formatPence(gain)], year);
}

/**
 * A sentence for figures whose sum differs from the year after the sales only because each was rounded on its own; the
 * figures stay as they are, so that they equal those of other tools.
 */
export function explainRounding(
  gains: readonly (string | undefined)[],
  { yearGainBefore, yearGainAfter }: YearGain,
): readonly string[] {
  if (yearGainBefore === undefined || yearGainAfter === undefined) return [];
  const sum = gains.reduce((total, gain) => total.plus(gain ?? 0), new Big(yearGainBefore));
  const difference = sum.minus(yearGainAfter).abs();
  // Half a penny of each gain, and of the two figures of the year.
  const isRounding = difference.gt(0) && difference.lte(new Big('0.005').times(gains.length + 2));
  return isRounding ? ['Each figure is rounded on its own, so a sum of them can differ in the last digit.'] : [];
}

const thirtyDaysMs = 30 * dayMs;

const capitalRemark = 'Some dividends are not read yet; capital that was returned in one of them would lower the cost.';

/** What the UK rules add, and what is not known of the cost. */
function describeRemarks({ isJoined }: SaleFigures, { method, costs }: OutlookContext): readonly string[] {
  return [
    ...(method === 'uk_section_104'
      ? ['A purchase of these shares in the next 30 days would become the cost of this sale and change the gain.']
      : []),
    ...(method === 'uk_section_104' && isJoined
      ? ['The sales of one day are one disposal: the figures are what this sale adds to it.']
      : []),
    ...(costs.isComplete ? [] : [capitalRemark]),
  ];
}

/** Purchases of the last 30 days, which the UK rules count. */
function listRecentPurchases({ tickers }: SaleFigures, { history, now, zone }: OutlookContext): readonly PurchaseRow[] {
  return history.trades
    .filter(
      ({ ticker, side, type, at }) =>
        side === 'BUY' && type === 'TRADE' && at > now - thirtyDaysMs && tickers.includes(ticker),
    )
    .map(({ at, ticker, quantity }) => ({ on: toZoneDate(at, zone), ticker, quantity: formatQuantity(quantity) }));
}

/** The parts of a sale of everything are the lots; a sale that is joined with another one is a single lot. */
function listLots(simulator: SaleSimulator, ticker: string, sellable: Big): readonly PlanLot[] | undefined {
  if (!sellable.gt(0)) return [];
  const { figures } = simulator.sell({ ticker, quantity: sellable, netProceeds: new Big(0) });
  if (!figures) return undefined;
  const parts = figures.isJoined ? [{ quantity: sellable, cost: figures.cost }] : figures.matches;
  return parts.map(({ quantity, cost }) => ({ quantity: quantity.toFixed(), cost: cost.round(16).toFixed() }));
}
