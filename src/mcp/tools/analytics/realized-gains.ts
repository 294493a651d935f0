import * as z from 'zod';
import type { Check } from '../../../analytics/check.ts';
import {
  conversionFeesNote,
  formatMatches,
  formatMatchRules,
  formatPence,
  formatPool,
  formatQuantity,
  formatTotal,
  losesPrecision,
  roundingNote,
} from '../../../analytics/realized/format-gains.ts';
import {
  type Disposal,
  type GainsMethod,
  type GainsTotals,
  gainsMethods,
  type RealisedGains,
  type UnmatchedSale,
} from '../../../analytics/realized/gain-types.ts';
import type { FundIncome } from '../../../analytics/realized/reportable-income.ts';
import { computeTaxReturnTotals, rateChangeAt, splitAtRateChange } from '../../../analytics/realized/sa108.ts';
import { describeUnmatched } from '../../../analytics/realized/unmatched-reasons.ts';
import { checkHoldings } from '../../../analytics/reconciliation.ts';
import type { Trade } from '../../../analytics/trades.ts';
import { resolveTaxZone, toZoneDate } from '../../../analytics/zone-day.ts';
import { endpoints } from '../../../catalogue/index.ts';
import { cursor, resolveRange, sinceUntilOrTaxYear, ticker, withOneRange } from '../../arguments.ts';
import { describeImport } from '../../import-hint.ts';
import { amount, listOutput } from '../../output-schemas.ts';
import { type Columns, paginate, toTable } from '../../pagination.ts';
import { toIsoTimestamp } from '../../timestamps.ts';
import { defineTool, type ToolCall } from '../../tool.ts';
import { coverageFields } from './coverage-fields.ts';
import { formatIncomeTotal, fundIncomeColumns, selectFundIncome } from './fund-income.ts';
import { describeFundsWithoutIncome, readGainsInputs } from './gains-inputs.ts';
import { keepGains } from './keep-gains.ts';

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
  ],
  description:
    'Capital gains of sales after charges, account’s currency: the broker’s figures, FIFO, average cost, or the UK rules (same day, 30 days, section 104).',
  searchHint: 'capital gains tax, CGT, tax year, profit from sales, realized',
  input: withOneRange(
    z.strictObject({
      method: z
        .enum(gainsMethods, 'must be broker, fifo, average or uk_section_104')
        .meta({ description: 'Cost basis method' }),
      ...sinceUntilOrTaxYear(),
      ticker: ticker('Only this ticker').optional(),
      cursor: cursor(),
    }),
  ),
  output: {
    ...listOutput,
    method: z.string().optional(),
    currency: z.string().optional(),
    taxYear: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    coverage: z.looseObject({}).optional(),
    note: z.string().optional(),
    totals: z.looseObject({ disposals: z.number(), proceeds: amount(), cost: amount(), gain: amount() }).optional(),
    totalsByCurrency: z.array(z.looseObject({ currency: z.string().optional() })).optional(),
    taxReturn: z.looseObject({}).optional(),
    excessReportableIncome: z.looseObject({}).optional(),
    byTicker: z.looseObject({}).optional(),
    unmatched: z.array(z.looseObject({})).optional(),
    unmatchedCount: z.number().optional(),
    remarks: z.array(z.string()).optional(),
    checks: z.array(z.looseObject({})).optional(),
  },
  run: async (args, call) => {
    const range = resolveRange(args);
    const { method } = args;
    const inputs = await readGainsInputs(method, range, call);
    const { trades, applied, coverage, asOf, isWhole } = inputs;
    // Old rows can belong to delisted instruments, so the ticker is checked only when no rows were found.
    if (args.ticker !== undefined && coverage.orders.complete && !trades.some((trade) => trade.ticker === args.ticker))
      await call.directory.getOrThrow(args.ticker, call.context());
    const { since: from, until: to } = range;
    const { ticker } = args;
    const gains = keepGains(call.history, inputs, { method, since: from, until: to, ticker, isWhole });
    const income = selectFundIncome(applied.income, range, ticker);
    const currencies = listCurrencies(trades);
    const zone = method === 'uk_section_104' ? 'Europe/London' : resolveTaxZone(call.config.taxZone, currencies[0]);
    const toDate = (at: number) => toZoneDate(at, zone);
    return {
      asOf,
      fields: {
        method,
        ...(currencies.length === 1 ? { currency: currencies[0] } : {}),
        taxYear: args.taxYear,
        since: from === undefined ? undefined : toIsoTimestamp(from),
        until: to === undefined ? undefined : toIsoTimestamp(to),
        ...coverageFields(coverage, [
          await describeImport(call, ...Object.values(coverage)),
          losesPrecision(gains.disposals) ? roundingNote : undefined,
        ]),
        ...formatTotals(gains),
        ...(method === 'uk_section_104' ? { taxReturn: formatTaxReturn(gains, args.taxYear) } : {}),
        ...(income.length > 0 ? { excessReportableIncome: formatIncome(income) } : {}),
        byTicker: toTable(largest(gains.byTicker), buildSumColumns(currencies.length > 1)),
        ...(gains.byTicker.length > maxTickers ? { tickers: gains.byTicker.length } : {}),
        unmatched: gains.unmatched.slice(0, maxLines).map(formatUnmatched),
        unmatchedCount: gains.unmatched.length,
        ...formatRemarks([
          ...currencyRemarks(method, currencies),
          ...(method === 'uk_section_104' ? [conversionFeesNote] : []),
          ...recentRemarks(gains, asOf),
          ...openRange(to, asOf),
          ...applied.remarks,
          ...(method === 'uk_section_104' ? await describeFundsWithoutIncome(inputs, range, call) : []),
          ...gains.remarks,
        ]),
        checks: [...gains.checks, ...(isWhole ? await checkPositions(trades, args.ticker, call) : [])],
      },
      list: paginate(gains.disposals, buildColumns(method, currencies.length > 1, toDate), {
        cursor: args.cursor,
        limit: maxRows,
      }),
    };
  },
});

/** Compares the shares of all trades with the positions; no check when these cannot be read. */
async function checkPositions(
  trades: readonly Trade[],
  ticker: string | undefined,
  call: ToolCall,
): Promise<readonly Check[]> {
  const positions = await call.broker
    .call(endpoints.listPositions, {}, call.context())
    .then(({ data }) => data)
    .catch(() => undefined);
  if (!positions) return [];
  const isChosen = (name: string | undefined) => ticker === undefined || name === ticker;
  return checkHoldings(
    trades.filter((trade) => isChosen(trade.ticker)),
    positions.filter(({ instrument }) => isChosen(instrument?.ticker)),
  );
}

/** Totals of one currency, or one row for each currency: amounts of several are never added. */
function formatTotals({ totals, totalsByCurrency }: RealisedGains) {
  const format = (sums: GainsTotals) => ({
    ...formatTotal(sums),
    gains: formatPence(sums.gains),
    losses: formatPence(sums.losses),
  });
  return totals
    ? { totals: format(totals) }
    : { totalsByCurrency: totalsByCurrency.map(({ currency, ...sums }) => ({ currency, ...format(sums) })) };
}

const formatIncome = (income: readonly FundIncome[]) => ({
  total: formatIncomeTotal(income),
  ...toTable(income.slice(0, maxLines), fundIncomeColumns),
  ...(income.length > maxLines ? { lines: income.length } : {}),
});

/** The figures of form SA108, in both parts of the year in which the rates changed. */
function formatTaxReturn({ disposals }: RealisedGains, year: string | undefined) {
  const parts = splitAtRateChange(disposals);
  return {
    ...formatReturnTotals(disposals),
    ...(year === '2024/25'
      ? {
          [`before ${new Date(rateChangeAt).toISOString().slice(0, 10)}`]: formatReturnTotals(parts.before),
          [`since ${new Date(rateChangeAt).toISOString().slice(0, 10)}`]: formatReturnTotals(parts.since),
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
const openRange = (until: number | undefined, asOf: number): string[] =>
  until !== undefined && until > asOf
    ? [`The range ends on ${toIsoTimestamp(until).slice(0, 10)} and has not ended: more sales can follow.`]
    : [];

const maxLines = 20;
/** Maximum rows built: more than fit into one result, so that decades of sales are not all formatted. */
const maxRows = 500;
/** Maximum tickers that fit into a result beside the list; the totals include all. */
const maxTickers = 50;

const largest = (sums: RealisedGains['byTicker']) =>
  sums.length <= maxTickers ? sums : sums.toSorted((a, b) => b.gain.abs().cmp(a.gain.abs())).slice(0, maxTickers);

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
  hasCurrencies: boolean,
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
});

const formatUnmatched = ({ at, quantity, proceeds, ...row }: UnmatchedSale) => ({
  at: toIsoTimestamp(at),
  ...row,
  code: row.reason,
  reason: describeUnmatched(row.reason),
  quantity: formatQuantity(quantity),
  proceeds: proceeds && formatPence(proceeds),
});

const formatRemarks = (remarks: readonly string[]) => ({
  remarks: remarks.slice(0, maxLines),
  ...(remarks.length > maxLines ? { remarksCount: remarks.length } : {}),
});

function listCurrencies(trades: readonly Trade[]): string[] {
  const currencies = new Set<string>();
  for (const { valueCurrency } of trades) if (valueCurrency !== undefined) currencies.add(valueCurrency);
  return [...currencies].sort();
}

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
