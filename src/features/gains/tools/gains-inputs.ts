/** Reads what realised gains are computed from: orders, dividends, and what the owner entered for tax. */

import Big from 'big.js';
import { orElse } from '../../../core/log.ts';
import type { Columns } from '../../../core/mcp/pagination.ts';
import type { ToolCall } from '../../../core/mcp/tool.ts';
import { toZoneDate } from '../../../core/text/dates.ts';
import { executions } from '../../analytics/executions.ts';
import { readOptions } from '../../analytics/tools/coverage-fields.ts';
import type { Trade } from '../../analytics/trades.ts';
import { allDividends } from '../../history/all-rows.ts';
import type { Coverage, History } from '../../history/history-port.ts';
import { type AppliedRecords, applyTaxRecords } from '../apply-records.ts';
import { noTaxRecords, type TaxRecords } from '../cost-entries.ts';
import { formatPence, formatQuantity } from '../format-gains.ts';
import type { GainsMethod, RealisedGains, RealisedGainsOptions } from '../gain-types.ts';
import type { GainsDeps } from '../gains-deps.ts';
import {
  type FundIncome,
  type FundWithoutIncome,
  isForeign,
  listFundsWithoutIncome,
  toNoon,
} from '../reportable-income.ts';
import { summarizeRealisedGains } from '../summarize.ts';
import { joinCoverage, joinTrades, listPooled } from './pooled-accounts.ts';

/** Inclusive and exclusive bounds (ms); undefined means unbounded. */
interface GainsRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export interface GainsInputs {
  /** A text that is different when the histories or what the owner entered are. */
  readonly version: string;
  readonly trades: readonly Trade[];
  readonly records: TaxRecords;
  readonly applied: AppliedRecords;
  readonly coverage: { readonly orders: Coverage; readonly dividends?: Coverage };
  readonly asOf: number;
  /** Whether the orders reach from the first one to now. */
  readonly isWhole: boolean;
}

/** Throws a BrokerageError when a history cannot be read, or a file of the owner is invalid. */
export async function readGainsInputs(
  method: GainsMethod,
  range: GainsRange,
  call: ToolCall,
  deps: GainsDeps,
): Promise<GainsInputs> {
  // The broker's own results already contain what its company knows of dividends and costs.
  const isBroker = method === 'broker';
  const [records, ...accounts] = await Promise.all([
    isBroker ? noTaxRecords : deps.taxRecords(),
    ...listPooled(deps).map((account) => readRows(method, range, call, account)),
  ]);
  const trades = joinTrades(accounts.map(({ deps: of, orders }) => ({ of, trades: orders.value.trades })));
  const dividends = accounts.flatMap(({ deps: of, dividends: own }) => (own ? { of, ...own } : []));
  const rows = dividends.flatMap(({ value }) => value);
  return {
    version: [...accounts.map(({ version }) => version), JSON.stringify(records)].join(' '),
    trades,
    records,
    applied: applyTaxRecords(trades, rows, records, method),
    coverage: {
      orders: joinCoverage(accounts.map(({ deps: of, orders }) => ({ of, coverage: orders.coverage }))),
      ...(dividends.length > 0 && { dividends: joinCoverage(dividends) }),
    },
    asOf: Math.min(...accounts.map(({ orders }) => orders.asOf), ...dividends.map(({ asOf }) => asOf)),
    isWhole: accounts.every(({ orders }) => orders.isWhole),
  };
}

async function readRows(method: GainsMethod, range: GainsRange, call: ToolCall, deps: GainsDeps) {
  const [orders, dividends] = await Promise.all([
    readOrders(method, range, call, deps),
    method === 'broker' ? undefined : deps.history.derive({ kind: 'dividends' }, allDividends, readOptions(call, deps)),
  ]);
  const version = [orders.version, dividends?.version].join(' ');
  return { deps, orders, dividends, version };
}

/**
 * Reads all time, because the cost of a sale was paid before the range; the broker's own figures need only the range.
 */
async function readOrders(
  method: GainsMethod,
  { since: from, until: to }: GainsRange,
  call: ToolCall,
  deps: GainsDeps,
) {
  const kind = 'orders';
  if (method !== 'broker' || from === undefined) {
    const all = await deps.history.derive({ kind }, executions, readOptions(call, deps));
    return { ...all, isWhole: all.coverage.complete };
  }
  const part = await deps.history.derive({ kind, since: from, until: to }, executions, readOptions(call, deps));
  if (!part.coverage.complete) return { ...part, isWhole: false };
  // Older rows are needed only for the checks, so the call does not wait for them.
  const newest = { context: call.context({ waitUntil: deps.clock.now() }) };
  const whole = await deps.history.derive({ kind }, executions, newest);
  return whole.coverage.complete ? { ...whole, isWhole: true } : { ...part, isWhole: false };
}

/** How many funds one sentence names. */
const maxFunds = 10;

/**
 * The offshore funds whose reportable income of the range was not entered, which the UK rules need; undefined where the
 * types of instruments, which say what a fund is, could not be read.
 */
export async function findFundsWithoutIncome(
  { trades, records }: Pick<GainsInputs, 'trades' | 'records'>,
  { since, until }: GainsRange,
  call: ToolCall,
  deps: GainsDeps,
): Promise<readonly FundWithoutIncome[] | undefined> {
  const range = { since, until: Math.min(until ?? Number.POSITIVE_INFINITY, deps.clock.now()) };
  // The list of instruments is long, so it is read only when some shares can be those of an offshore fund.
  if (!trades.some(isForeign)) return [];
  const found = await deps.directory.instruments(call.context()).catch(orElse('a request', undefined));
  const isFund = (ticker: string) => found?.byTicker(ticker)?.type === 'ETF';
  return found && listFundsWithoutIncome(trades, records.reportableIncome, isFund, range);
}

/** Names them in one sentence; none for no fund. */
export function describeFundsWithoutIncome(funds: readonly FundWithoutIncome[] | undefined): string[] {
  if (!funds)
    return ['The types of instruments could not be read, so offshore funds without a line in eri.csv are not named.'];
  if (funds.length === 0) return [];
  const names = funds.slice(0, maxFunds).map(({ isin, ticker }) => `${ticker} (${isin})`);
  const more = funds.length > maxFunds ? ` and ${funds.length - maxFunds} more` : '';
  return [
    `Offshore funds without a line for the range in eri.csv: ${names.join(', ')}${more}. If they reported excess income, it is missing from their cost and from the income.`,
  ];
}

// Realised gains that were computed before, for as long as nothing that they are computed from changes.

/** About what a row of a result takes, with its matches. */
const bytesPerRow = 600;
const bytesPerTicker = 2_000;

/**
 * The gains of the inputs. Results with equal options are computed once; of the large ones, those of all sales, only the
 * newest is kept. The remarks name days of `zone` (IANA).
 */
export function keepGains(
  history: Pick<History, 'keep'>,
  { version, applied }: Pick<GainsInputs, 'version' | 'applied'>,
  options: Omit<RealisedGainsOptions, 'costBasis' | 'findParent' | 'toDate' | 'paperAt'> & { readonly zone: string },
): RealisedGains {
  // Every option is in the name of the value, so none of them can be a function.
  const name = JSON.stringify(options);
  const isOfAll = options.since === undefined && options.ticker === undefined;
  return history.keep(isOfAll ? 'gains' : `gains ${name}`, `${version} ${name}`, () => {
    const { zone, ...rest } = options;
    const toDate = (at: number) => toZoneDate(at, zone);
    const value = summarizeRealisedGains(applied.trades, { ...rest, toDate, ...applied.options });
    const { disposals, unmatched, left } = value;
    return { value, bytes: (disposals.length + unmatched.length) * bytesPerRow + left.length * bytesPerTicker };
  });
}

// Excess reportable income of offshore funds, as a table.

/** The income that is taxed in the range (ms; inclusive and exclusive), of one ticker if it is named. */
export const selectFundIncome = (
  income: readonly FundIncome[],
  range: { readonly since?: number | undefined; readonly until?: number | undefined },
  name?: string,
): readonly FundIncome[] => {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = range;
  return income.filter(({ ticker, taxedOn }) => {
    const at = toNoon(taxedOn);
    return at >= since && at < until && (name === undefined || name === ticker);
  });
};

/** The sum, rounded to the penny; undefined for rows of several currencies. */
export const formatIncomeTotal = (income: readonly FundIncome[]): string | undefined =>
  income.some(({ currency }) => currency !== income[0]?.currency)
    ? undefined
    : formatPence(income.reduce((total, { amount }) => total.plus(amount), new Big(0)));

export const fundIncomeColumns: Columns<FundIncome> = {
  ticker: ({ ticker }) => ticker,
  isin: ({ isin }) => isin,
  periodEnd: ({ periodEnd }) => periodEnd,
  taxedOn: ({ taxedOn }) => taxedOn,
  shares: ({ shares }) => formatQuantity(shares),
  amount: ({ amount }) => formatPence(amount),
  currency: ({ currency }) => currency,
};
