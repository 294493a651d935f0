import * as z from 'zod';
import { endpoints } from '../../../core/endpoints/index.ts';
import { nameInstruments } from '../../../core/instruments/name-instruments.ts';
import { cursor, sinceUntilOrTaxYear, ticker, withOneRange } from '../../../core/mcp/arguments.ts';
import {
  amount,
  count,
  group,
  groups,
  listOutput,
  mixedTable,
  oneOf,
  table,
  text,
  texts,
  yesNo,
} from '../../../core/mcp/output-schemas.ts';
import { type Columns, paginate, toTable } from '../../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../../core/mcp/tool.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { taxYearZone, toIsoTimestamp, toZoneDate } from '../../../core/text/dates.ts';
import { checksOutput, formatChecks } from '../../analytics/check.ts';
import { coverageFields, coverageOutput, provisional } from '../../analytics/tools/coverage-fields.ts';
import { describeImport } from '../../history/coverage-notes.ts';
import { type DateRange, readTaxZone, resolveRange } from '../../history/date-range.ts';
import { describeEmptyRange } from '../../history/empty-history.ts';
import {
  conversionFeesNote,
  describeUnmatched,
  formatMatches,
  formatMatchRules,
  formatPence,
  formatPool,
  formatQuantity,
  formatTotal,
  listCurrencies,
  losesPrecision,
  returnOutput,
  roundingNote,
  totalsOutput,
  unmatchedOutput,
} from '../format-gains.ts';
import {
  type Disposal,
  type GainsMethod,
  type GainsTotals,
  gainsMethods,
  type RealisedGains,
  type UnmatchedSale,
} from '../gain-types.ts';
import type { GainsDeps } from '../gains-deps.ts';
import type { FundIncome } from '../reportable-income.ts';
import { computeTaxReturnTotals, rateChangeAt, splitAtRateChange } from '../sa108.ts';
import { sumYears } from '../sum-years.ts';
import {
  describeFundsWithoutIncome,
  findFundsWithoutIncome,
  formatIncomeTotal,
  fundIncomeColumns,
  type GainsInputs,
  keepGains,
  readGainsInputs,
  selectFundIncome,
} from './gains-inputs.ts';
import { checkPositions, isPooled } from './pooled-accounts.ts';

export const summarizeRealisedGainsTool = defineTool({
  name: 'summarize_realised_gains',
  title: 'Realised gains',
  toolset: 'analytics',
  view: 'gains',
  effect: 'reads',
  endpoints: [
    endpoints.listHistoricalOrders,
    endpoints.listDividends,
    endpoints.listPositions,
    endpoints.listInstruments,
    endpoints.getAccountSummary,
  ],
  description:
    'Realised (realized) capital gains, profits, losses of shares sold, for tax (FIFO, average, UK CGT rules).',
  searchHint:
    'capital gains tax, much capital gains this tax year, owe CGT, tax owed, what profits actually take, profit from sales, realized losses can use against tax, short term gains, IRS, HMRC, much of my allowance left, annual exempt amount, bed and breakfast, 30 day rule, section 104, cost basis of the shares sold, realised profit, gain on shares sold, make money on the sale, much make selling, taxable gains, tax bill, tax have to pay, losses to offset, wash sale, same day rule, long term gains, FIFO, 2024/25, much gain can still take tax free, acquisition cost, matching, I sell at a loss this tax year, what have I made on the ones I sold, much tax will I have to pay on the shares I sold, tax on my sales, bed and breakfast rule - does it hit me, does the rule apply, loss to carry forward, capital losses, gain or loss on each sale, profit taken, locked in, closed positions, sold positions, cash in on gains, schedule D, Form 8949, 1099, tax free allowance left, CGT allowance, self assessment, tax year, disposals, disposal, pool, matched, gains so far, realised this year, share pooling, profit on sold shares',
  input: withOneRange(
    z.strictObject({
      method: z
        .enum(gainsMethods, 'must be broker, fifo, average or uk_section_104')
        .meta({ description: 'Cost basis' }),
      ...sinceUntilOrTaxYear(),
      ticker: ticker('Only this').optional(),
      cursor: cursor(),
    }),
  ),
  output: () => ({
    ...listOutput(),
    ...mixedTable(Object.keys(buildColumns('uk_section_104', { hasCurrencies: true, hasAccounts: false }, String))),
    ...coverageOutput(),
    method: oneOf(gainsMethods),
    currency: text(),
    taxYear: text(),
    timeZone: text(),
    since: text(),
    until: text(),
    totals: group(totalsOutput()),
    totalsByCurrency: groups({ currency: text(), ...totalsOutput() }),
    taxReturn: group({
      provisional: yesNo(),
      ...returnOutput(),
      ...Object.fromEntries(Object.values(returnParts).map((name) => [name, group(returnOutput())])),
    }),
    excessReportableIncome: group({
      provisional: yesNo(),
      total: amount(),
      lines: count(),
      ...table(fundIncomeColumns),
    }),
    byTicker: group({
      provisional: yesNo(),
      ...table([buildSumColumns(false), buildSumColumns(true)], { disposals: z.number() }),
    }),
    tickers: count(),
    unmatched: groups(unmatchedOutput()),
    unmatchedCount: count(),
    remarks: texts(),
    remarksCount: count(),
    checks: checksOutput(),
  }),
  run: async (args, call, deps: GainsDeps) => {
    const bounds = call.wantsAllRows ? noBounds : resultBounds;
    const { method } = args;
    const isUk = method === 'uk_section_104' || args.taxYear !== undefined;
    const range = resolveRange(args, isUk ? taxYearZone : await readTaxZone(call, deps), deps.clock.now());
    const toDate = (at: number) => toZoneDate(at, range.zone);
    const inputs = await readGainsInputs(method, range, call, deps);
    const { trades, coverage, asOf, isWhole } = inputs;
    // Old rows can belong to delisted instruments, so the ticker is checked only when no rows were found.
    if (args.ticker !== undefined && coverage.orders.complete && !trades.some((trade) => trade.ticker === args.ticker))
      await deps.directory.getOrThrow(args.ticker, call.context());
    const { since: from, until: to } = range;
    const { ticker } = args;
    const gains = keepGains(deps.history, inputs, {
      method,
      since: from,
      until: to,
      ticker,
      isWhole,
      zone: range.zone,
    });
    const currencies = listCurrencies(trades);
    const hasCurrencies = currencies.length > 1;
    return {
      asOf,
      fields: {
        ...provisional(...Object.values(coverage)),
        method,
        ...(currencies.length === 1 ? { currency: currencies[0] } : {}),
        taxYear: args.taxYear,
        timeZone: range.zone,
        since: from === undefined ? undefined : toIsoTimestamp(from),
        until: to === undefined ? undefined : toIsoTimestamp(to),
        ...coverageFields(
          coverage,
          [
            describeEmptyRange(
              `no sales${ticker ? ` of ${ticker}` : ''}`,
              gains.disposals.length + gains.unmatched.filter(({ side }) => side !== 'BUY').length,
              range,
              Object.values(coverage),
            ),
            losesPrecision(gains.disposals) ? roundingNote : undefined,
          ],
          await describeImport(deps, ...Object.values(coverage)),
        ),
        // They are about all disposals, so the first page has them.
        ...(args.cursor === undefined
          ? await formatSummary({ ...args, range, inputs, gains, currencies, toDate, bounds }, call, deps)
          : {}),
      },
      viewData: {
        names: nameInstruments(deps.directory, [
          ...gains.byTicker.map((sum) => sum.ticker),
          ...gains.unmatched.map((row) => row.ticker),
        ]),
        ...(call.wantsAllRows ? { byYear: sumYears(gains.disposals, toDate) } : {}),
      },
      list: paginate(
        gains.disposals.toReversed(),
        buildColumns(method, { hasCurrencies, hasAccounts: isPooled(deps) }, toDate),
        {
          cursor: args.cursor,
          limit: bounds.rows,
        },
      ),
    };
  },
});

interface GainsAnswer {
  readonly method: GainsMethod;
  readonly taxYear?: string | undefined;
  readonly ticker?: string | undefined;
  readonly range: DateRange;
  readonly inputs: GainsInputs;
  readonly gains: RealisedGains;
  readonly currencies: readonly string[];
  readonly toDate: (at: number) => string;
  readonly bounds: Bounds;
}

/** The totals, what is in no figure, the assumptions and the checks. */
async function formatSummary(answer: GainsAnswer, call: ToolCall, deps: GainsDeps) {
  const { method, taxYear, ticker, range, inputs, gains, currencies, toDate, bounds } = answer;
  const { applied, asOf, coverage, isWhole, trades } = inputs;
  const isUk = method === 'uk_section_104';
  const income = selectFundIncome(applied.income, range, ticker);
  const mark = provisional(...Object.values(coverage));
  const { unmatched, unread } = splitUnread(gains.unmatched, coverage.orders.complete);
  // While rows are missing, sums of no sale would say that there was none.
  const hasSums = coverage.orders.complete || gains.disposals.length > 0;
  return {
    ...(hasSums ? formatTotals(gains, mark) : {}),
    ...(hasSums && isUk ? { taxReturn: { ...mark, ...formatTaxReturn(gains, taxYear) } } : {}),
    ...(income.length > 0 ? { excessReportableIncome: { ...mark, ...formatIncome(income, bounds.lines) } } : {}),
    byTicker: { ...mark, ...toTable(largest(gains.byTicker, bounds.tickers), buildSumColumns(currencies.length > 1)) },
    ...(gains.byTicker.length > bounds.tickers ? { tickers: gains.byTicker.length } : {}),
    unmatched: unmatched.slice(0, bounds.lines).map(formatUnmatched),
    unmatchedCount: unmatched.length,
    ...formatRemarks(bounds.lines, [
      ...(unread > 0 ? [describeUnreadSales(unread)] : []),
      ...currencyRemarks(method, currencies),
      ...(isUk ? [conversionFeesNote] : []),
      ...recentRemarks(gains, asOf),
      ...openRange(range.until, asOf, toDate),
      ...applied.remarks,
      ...(isUk ? describeFundsWithoutIncome(await findFundsWithoutIncome(inputs, range, call, deps)) : []),
      ...gains.remarks,
    ]),
    checks: formatChecks([...gains.checks, ...(isWhole ? await checkPositions(trades, ticker, call, deps) : [])]),
  };
}

/** While orders are missing, shares that were not found may be in rows that are not read: they are only counted. */
function splitUnread(unmatched: readonly UnmatchedSale[], isRead: boolean) {
  if (isRead) return { unmatched, unread: 0 };
  const known = unmatched.filter(({ reason: code }) => code !== 'not_held');
  return { unmatched: known, unread: unmatched.length - known.length };
}

const describeUnreadSales = (count: number): string =>
  `${countOf(count, 'sale')} ${count === 1 ? 'is' : 'are'} in no figure or only in part: the rows that have been read do not have all of the shares sold.`;

/** Totals of one currency, or one row for each currency: amounts of several are never added. */
function formatTotals({ totals, totalsByCurrency }: RealisedGains, mark: ReturnType<typeof provisional>) {
  const format = (sums: GainsTotals) => ({
    ...mark,
    ...formatTotal(sums),
    gains: formatPence(sums.gains),
    losses: formatPence(sums.losses),
  });
  return totals
    ? { totals: format(totals) }
    : { totalsByCurrency: totalsByCurrency.map(({ currency, ...sums }) => ({ currency, ...format(sums) })) };
}

const formatIncome = (income: readonly FundIncome[], most: number) => ({
  total: formatIncomeTotal(income),
  ...toTable(income.slice(0, most), fundIncomeColumns),
  ...(income.length > most ? { lines: income.length } : {}),
});

const rateChangeDay = new Date(rateChangeAt).toISOString().slice(0, 10);
const returnParts = { before: `before ${rateChangeDay}`, since: `since ${rateChangeDay}` };

/** The figures of form SA108, in both parts of the year in which the rates changed. */
function formatTaxReturn({ disposals }: RealisedGains, year: string | undefined) {
  const parts = splitAtRateChange(disposals);
  return {
    ...formatReturnTotals(disposals),
    ...(year === '2024/25'
      ? {
          [returnParts.before]: formatReturnTotals(parts.before),
          [returnParts.since]: formatReturnTotals(parts.since),
        }
      : {}),
  };
}

function formatReturnTotals(disposals: readonly Disposal[]) {
  const totals = computeTaxReturnTotals(disposals);
  if (!totals)
    return { note: 'Charges in another currency are not converted, so proceeds before charges are unknown.' };
  const { proceeds, allowableCosts, gains, losses } = totals;
  return {
    disposals: totals.disposals,
    grossProceeds: formatPence(proceeds),
    allowableCosts: formatPence(allowableCosts),
    gains: formatPence(gains),
    losses: formatPence(losses),
  };
}

/** A warning for a range that has not ended yet and can still grow. */
const openRange = (until: number | undefined, asOf: number, toDate: (at: number) => string): string[] =>
  until !== undefined && until > asOf
    ? [`The range ends on ${toDate(until - 1)} and has not ended: more sales can follow.`]
    : [];

/** How many rows a result has. */
interface Bounds {
  /** Of the sales: more than fit into one result, so that decades of sales are not all formatted. */
  readonly rows: number;
  /** Of the sums by ticker, which fit into a result beside the list; the totals include all. */
  readonly tickers: number;
  /** Of each other list. */
  readonly lines: number;
}

const resultBounds: Bounds = { rows: 500, tickers: 50, lines: 20 };
const noBounds: Bounds = { rows: Infinity, tickers: Infinity, lines: Infinity };

const largest = (sums: RealisedGains['byTicker'], most: number) =>
  sums.length <= most ? sums : sums.toSorted((a, b) => b.gain.abs().cmp(a.gain.abs())).slice(0, most);

type TickerSum = RealisedGains['byTicker'][number];

const buildSumColumns = (hasCurrencies: boolean): Columns<TickerSum> => ({
  ticker: ({ ticker }) => ticker,
  disposals: ({ disposals }) => disposals,
  proceeds: ({ proceeds }) => formatPence(proceeds),
  cost: ({ cost }) => formatPence(cost),
  gain: ({ gain }) => formatPence(gain),
  ...(hasCurrencies ? { currency: ({ currency }: TickerSum) => currency } : {}),
});

const buildColumns = (
  method: GainsMethod,
  { hasCurrencies, hasAccounts }: { readonly hasCurrencies: boolean; readonly hasAccounts: boolean },
  toDate: (at: number) => string,
): Columns<Disposal> => ({
  soldOn: ({ at }) => toDate(at),
  ticker: ({ ticker }) => ticker,
  quantity: ({ quantity }) => formatQuantity(quantity),
  proceeds: ({ proceeds }) => formatPence(proceeds),
  cost: ({ cost }) => formatPence(cost),
  gain: ({ gain }) => formatPence(gain),
  rules: formatMatchRules,
  ...(hasCurrencies ? { currency: ({ currency }: Disposal) => currency } : {}),
  ...(method === 'broker'
    ? {}
    : {
        charges: ({ charges }: Disposal) => charges && formatPence(charges),
        matches: (disposal: Disposal) => formatMatches(disposal, toDate),
      }),
  ...(method === 'uk_section_104' ? { poolAfter: formatPool } : {}),
  ...(hasAccounts ? { account: ({ account }: Disposal) => account } : {}),
});

const formatUnmatched = ({ at, quantity, proceeds, ...row }: UnmatchedSale) => ({
  at: toIsoTimestamp(at),
  ...row,
  code: row.reason,
  reason: describeUnmatched(row.reason),
  quantity: formatQuantity(quantity),
  proceeds: proceeds && formatPence(proceeds),
});

const formatRemarks = (most: number, remarks: readonly string[]) => ({
  remarks: remarks.slice(0, most),
  ...(remarks.length > most ? { remarksCount: remarks.length } : {}),
});

function currencyRemarks(method: GainsMethod, currencies: readonly string[]): string[] {
  if (currencies.length > 1)
    return [`The fills are in ${currencies.join(' and ')}; amounts of different currencies are not added.`];
  const [currency] = currencies;
  return method === 'uk_section_104' && currency !== undefined && currency !== 'GBP'
    ? [`Calculated in ${currency}; a UK tax return needs pounds, at the exchange rate of each day.`]
    : [];
}

const thirtyOneDaysMs = 31 * 86_400_000;

const recentRemarks = ({ method, disposals }: RealisedGains, asOf: number): string[] =>
  method === 'uk_section_104' && (disposals.at(-1)?.at ?? 0) > asOf - thirtyOneDaysMs
    ? ['Gains of the last 30 days are not final: a purchase within 30 days after a sale becomes its cost.']
    : [];
