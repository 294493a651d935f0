import type Big from 'big.js';
import * as z from 'zod';
import { endpoints, type Transaction } from '../../../core/endpoints/index.ts';
import { getTicker } from '../../../core/endpoints/instruments.ts';
import { nameInstruments } from '../../../core/instruments/name-instruments.ts';
import { cursor, flag, sinceUntilOrTaxYear, ticker, withOneRange } from '../../../core/mcp/arguments.ts';
import {
  amount,
  count,
  group,
  groups,
  listOutput,
  mixedTable,
  table,
  text,
  texts,
} from '../../../core/mcp/output-schemas.ts';
import { type Columns, paginate, toTable } from '../../../core/mcp/pagination.ts';
import { defineTool } from '../../../core/mcp/tool.ts';
import { toIsoTimestamp, toZoneDate } from '../../../core/text/dates.ts';
import { formatMoney, formatPercent } from '../../../core/text/format-figures.ts';
import { allDividends, allTransactions } from '../../history/all-rows.ts';
import { describeImport } from '../../history/coverage-notes.ts';
import { nameRange, resolveRange, zoneOf } from '../../history/date-range.ts';
import { describeEmptyRange } from '../../history/empty-history.ts';
import type { HistoryDeps } from '../../history/history-deps.ts';
import type { Coverage } from '../../history/history-port.ts';
import { listInterest, sumInterest, toCashFlows } from '../cash-flows.ts';
import type { DividendGroup } from '../dividend-groups.ts';
import type { Payment } from '../dividend-payments.ts';
import { describeUnknownTaxes } from '../dividend-tax.ts';
import {
  type DividendProjection,
  type DividendSummary,
  dividendsNeededSince,
  summarizeDividends,
} from '../dividends.ts';
import { listNames, nameCountry, nameDividend } from '../names.ts';
import { coverageFields, coverageOutput, formatSum, provisional, readOptions } from './coverage-fields.ts';

const groupings = ['month', 'quarter', 'year', 'ticker', 'type', 'country', 'treatment'] as const;

export const summarizeDividendsTool = defineTool({
  name: 'summarize_dividends',
  title: 'Dividends',
  toolset: 'analytics',
  view: 'dividends',
  effect: 'reads',
  endpoints: [
    endpoints.listDividends,
    endpoints.listTransactions,
    endpoints.listPositions,
    endpoints.getAccountSummary,
  ],
  description:
    'Dividend income (payments, what shares pay) by month or company, after withholding tax (gross by country); yield.',
  searchHint:
    'dividend income, divis, much dividends get last year, dividends by month, they pay me dividend, when is the next dividend, ex-date, what will earn next month, passive income per year, yield, forecast, projected, much tax was held back or withheld on my US dividends, withholding tax, foreign dividends by country for the tax return, which share pays me the most, dividend payments, payout, income from shares, when they pay next, next payment, next divi, upcoming dividends, expected dividends, dividend of company, top payers, monthly income, annual income, gross and net, dividends so far this year, what income my shares bring in, which company pays me best, much they pay me, will I go over the dividend allowance, dividend tax, uncle sam, passive income forecast for next year, payouts per month, quarterly, paid, paying, income from my portfolio, interest, distributions, distribution, total dividends, dividend history, when is it paid, dividend calendar, when will I get, divvy, often, dividend growth, reinvested, best payer, yielding, yield on cost',
  input: withOneRange(
    z.strictObject({
      groupBy: z
        .enum(groupings, 'must be month, quarter, year, ticker, type, country or treatment')
        .meta({ description: 'Grouping' }),
      ...sinceUntilOrTaxYear(),
      ticker: ticker('Only this').optional(),
      project: flag('Forecast next year').optional(),
      cursor: cursor(),
    }),
  ),
  output: () => ({
    ...listOutput(),
    ...mixedTable(groupings.flatMap((one) => Object.keys(buildColumns(true, one)))),
    ...coverageOutput(),
    taxYear: text(),
    timeZone: text(),
    currency: text(),
    total: amount(),
    count: count(),
    trailingTwelveMonths: group({ amount: amount(), from: text(), to: text() }),
    yieldOnCostPercent: amount(),
    yieldOnCostOf: text(),
    yieldOnCostReason: text(),
    grossOf: text(),
    projection: group({
      method: text(),
      total: amount(),
      next: groups({ about: text(), ticker: text(), amount: amount() }),
      partialMonths: texts(),
      ...table(monthColumns),
      heldWithoutPayment: count(),
      paymentsLeftOut: count(),
    }),
    interest: groups({ type: text(), currency: text(), amount: amount(), count: count() }),
    otherCurrencies: otherSums(),
  }),
  run: async (args, call, deps: HistoryDeps) => {
    const now = deps.clock.now();
    const summary = await deps.broker.call(endpoints.getAccountSummary, {}, call.context());
    const range = resolveRange(args, zoneOf(deps, summary.data.currency), now);
    const since = dividendsNeededSince({ ...range, now });
    const [history, transactions, positions] = await Promise.all([
      deps.history.derive({ kind: 'dividends', since, ticker: args.ticker }, allDividends, readOptions(call, deps)),
      args.taxYear === undefined
        ? undefined
        : deps.history.derive({ kind: 'transactions' }, allTransactions, readOptions(call, deps)),
      deps.broker.call(endpoints.listPositions, {}, call.context()),
    ]);
    // Old rows can belong to delisted instruments, so the ticker is checked only when no rows were found.
    if (args.ticker && !history.value.some((row) => getTicker(row) === args.ticker))
      await deps.directory.getOrThrow(args.ticker, call.context());
    const result = summarizeDividends(history.value, {
      ...range,
      groupBy: args.groupBy,
      ticker: args.ticker,
      project: args.project,
      now,
      currency: summary.data.currency,
      covered: coveredBy(history.coverage),
      positions: positions.data,
    });
    const coverage = { dividends: history.coverage, ...(transactions ? { transactions: transactions.coverage } : {}) };
    const hasTaxes = args.groupBy === 'country' || args.groupBy === 'treatment';
    return {
      asOf: Math.min(history.asOf, transactions?.asOf ?? now, positions.answeredAt, summary.answeredAt),
      fields: {
        ...provisional(...Object.values(coverage)),
        taxYear: args.taxYear,
        timeZone: range.zone,
        currency: result.currency,
        // It is about all payments, so the first page has it.
        ...(args.cursor === undefined
          ? formatSummary(result, { hasTaxes, zone: range.zone, now, coverage: history.coverage })
          : {}),
        ...(transactions && args.cursor === undefined
          ? formatInterest(transactions.value, range, result.currency)
          : {}),
        ...coverageFields(
          coverage,
          [
            describeEmptyRange(`no dividends${args.ticker ? ` of ${args.ticker}` : ''}`, result.count, range, [
              history.coverage,
            ]),
            ...describePayments(result),
            ...(hasTaxes ? describeUnknownTaxes(result.payments, 'an import') : []),
          ],
          await describeImport(deps, history.coverage),
        ),
      },
      viewData: {
        range: nameRange(range),
        ...(args.groupBy === 'ticker'
          ? {
              names: nameInstruments(
                deps.directory,
                result.groups.map(({ group }) => group),
              ),
            }
          : {}),
      },
      list: paginate(result.groups, buildColumns(result.otherCurrencies.length > 0, args.groupBy), args),
    };
  },
});

/** The figures of all payments. */
const formatSummary = (
  result: DividendSummary,
  {
    hasTaxes,
    zone,
    now,
    coverage,
  }: { readonly hasTaxes: boolean; readonly zone: string; readonly now: number; readonly coverage: Coverage },
) => ({
  total: formatSum(result.total, result.count, coverage),
  count: result.count,
  trailingTwelveMonths: {
    amount: formatMoney(result.trailingTwelveMonths.amount),
    from: toIsoTimestamp(result.trailingTwelveMonths.from),
    to: toIsoTimestamp(result.trailingTwelveMonths.to),
  },
  yieldOnCostPercent: formatPercent(result.yieldOnCost.percent),
  yieldOnCostOf: `payments per share of ${nameTwelveMonths(result, zone, now)}, times the shares held now, divided by their current cost`,
  yieldOnCostReason: result.yieldOnCost.reason,
  ...(hasTaxes ? { grossOf } : {}),
  ...(result.projection ? { projection: formatProjection(result.projection) } : {}),
  ...(result.otherCurrencies.length > 0 ? { otherCurrencies: result.otherCurrencies.map(formatOther) } : {}),
});

const nameTwelveMonths = ({ trailingTwelveMonths: { to } }: DividendSummary, zone: string, now: number): string =>
  to < now ? `the twelve months before ${toZoneDate(to, zone)}` : 'the last twelve months';

/** The range in which every row is known, so that a month without a payment counts as zero. */
const coveredBy = ({ from, to }: Coverage) => ({
  from: from === null ? Number.NEGATIVE_INFINITY : from === undefined ? Number.POSITIVE_INFINITY : Date.parse(from),
  to: to === undefined ? Number.NEGATIVE_INFINITY : Date.parse(to),
});

const otherSums = () => groups({ currency: text(), amount: amount(), count: count() });

/** The first column names the group. */
const buildColumns = (hasCurrencies: boolean, groupBy: string): Columns<DividendGroup> => ({
  [groupBy]: ({ group }) => group,
  ...(groupBy === 'country' ? { name: ({ group }: DividendGroup) => nameCountry(group) } : {}),
  ...(hasCurrencies ? { currency: ({ currency }: DividendGroup) => currency } : {}),
  amount: (group) => formatMoney(group.amount),
  count: ({ count }) => count,
  ...(groupBy === 'country' || groupBy === 'treatment' ? taxColumns : {}),
  ...(groupBy === 'ticker'
    ? {
        trailingTwelveMonths: (group: DividendGroup) => formatMoney(group.trailingTwelveMonths),
        yieldOnCostPercent: (group: DividendGroup) => formatPercent(group.yieldOnCostPercent),
      }
    : {}),
});

const grossOf =
  'quantity × gross amount per share; in the account’s currency only where the row is in it, or names its tax';

const taxColumns: Columns<DividendGroup> = {
  gross: ({ tax }) => formatMoney(tax?.gross),
  withheld: ({ tax }) => formatMoney(tax?.withheld),
  withheldUnknown: ({ tax }) => tax?.unknown,
  grossInInstrumentCurrency: ({ tax }) =>
    [...(tax?.grossByCurrency ?? [])].map(([currency, gross]) => `${formatMoney(gross)} ${currency}`).join(', '),
};

/** The interest of a tax year; only a question for one reads the transactions. */
const formatInterest = (
  rows: readonly Transaction[],
  range: { readonly since?: number | undefined; readonly until?: number | undefined },
  currency: string | undefined,
) => ({
  interest: sumInterest(listInterest(toCashFlows(rows), range), currency).map(formatOther),
});

const monthColumns: Columns<DividendProjection['months'][number]> = {
  month: ({ month }) => month,
  amount: (row) => formatMoney(row.amount),
};

const formatProjection = ({ method, total, months, next, notProjected, notScaled }: DividendProjection) => ({
  method,
  total: formatMoney(total),
  next: next.map(({ amount, ...payment }) => ({ ...payment, amount: formatMoney(amount) })),
  // A range of one year starts and ends in the middle of a month.
  partialMonths: [months[0]?.month, months.at(-1)?.month],
  ...toTable(months, monthColumns),
  ...(notProjected.length > 0 ? { heldWithoutPayment: notProjected.length } : {}),
  ...(notScaled > 0 ? { paymentsLeftOut: notScaled } : {}),
});

const formatOther = <Sum extends { readonly amount: Big }>(sum: Sum) => ({ ...sum, amount: formatMoney(sum.amount) });

/** Remarks on payments that a reader could take for something else. */
function describePayments({ withoutAmount, capital, payments }: DividendSummary): string[] {
  const undated = payments.filter(({ at, amount }) => at === undefined && amount !== undefined);
  const describe = (what: string, rows: readonly Payment[], then: string) =>
    rows.length > 0 ? [`${what} ${then}: ${listNames(rows.map(({ row }) => nameDividend(row)))}.`] : [];
  return [
    ...describe('Payments without an amount', withoutAmount, 'are in no figure'),
    ...describe('Payments without a date', undated, 'are included'),
    ...describe('Return of capital, liquidation and demerger payments', capital, 'are in the total and are no income'),
  ];
}
