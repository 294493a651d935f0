import * as z from 'zod';
import { endpoints } from '../../../core/endpoints/index.ts';
import { cursor, sinceUntilOrTaxYear, withOneRange } from '../../../core/mcp/arguments.ts';
import { amount, count, groups, listOutput, mixedTable, text } from '../../../core/mcp/output-schemas.ts';
import { type Columns, paginate } from '../../../core/mcp/pagination.ts';
import { defineTool } from '../../../core/mcp/tool.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { formatMoney, formatPercent } from '../../../core/text/format-figures.ts';
import { allTransactions } from '../../history/all-rows.ts';
import { describeImport } from '../../history/coverage-notes.ts';
import { resolveRange, zoneOf } from '../../history/date-range.ts';
import { describeEmptyRange } from '../../history/empty-history.ts';
import type { HistoryDeps } from '../../history/history-deps.ts';
import type { Coverage } from '../../history/history-port.ts';
import { toCashFlows } from '../cash-flows.ts';
import { type CostGroup, type CostSummary, summarizeCosts } from '../costs.ts';
import { executions, nameSkippedFills } from '../executions.ts';
import { describeSkippedRows, listNames } from '../names.ts';
import { coverageFields, coverageOutput, formatSum, provisional, readOptions } from './coverage-fields.ts';

const groupings = ['name', 'month', 'year', 'ticker'] as const;

export const summarizeCostsTool = defineTool({
  name: 'summarize_costs',
  title: 'Costs',
  toolset: 'analytics',
  effect: 'reads',
  endpoints: [endpoints.listHistoricalOrders, endpoints.listTransactions, endpoints.getAccountSummary],
  description: 'Total costs and charges (commission, FX, stamp duty, taxes), fees paid.',
  searchHint:
    'fees, costs, charges, commission, much have paid in fees, what does this broker cost me, FX fee, FX charges this year, currency conversion, much stamp duty have paid, is it expensive, what pay, total cost, trading costs, expenses, exchange fee, foreign exchange, taxes on trades, PTM levy, transaction tax, spread, what is the damage in charges this year, what does this broker actually cost me, much does trading cost me, total fees, commission on my trades, brokerage fees, platform fee, hidden fees, custody, account fee, money lost to fees, expensive, exchange rate costs, conversion, SDRT, finance charges, paid in stamp duty, currency fees, per trade, taxes paid on purchases, fee breakdown, cost of trading, charged, charging, much was I charged, spent on fees',
  input: withOneRange(
    z.strictObject({
      groupBy: z.enum(groupings, 'must be name, month, year or ticker').meta({ description: 'Grouping' }),
      ...sinceUntilOrTaxYear(),
      cursor: cursor(),
    }),
  ),
  output: () => ({
    ...listOutput(),
    ...mixedTable([...groupings, 'currency', 'amount', 'count']),
    ...coverageOutput(),
    taxYear: text(),
    timeZone: text(),
    currency: text(),
    total: amount(),
    count: count(),
    turnover: amount(),
    percentOfTurnover: amount(),
    percentOfTurnoverReason: text(),
    trades: count(),
    otherTurnover: otherSums(),
    otherCurrencies: otherSums(),
  }),
  run: async (args, call, deps: HistoryDeps) => {
    const summary = await deps.broker.call(endpoints.getAccountSummary, {}, call.context());
    const { zone, ...range } = resolveRange(args, zoneOf(deps, summary.data.currency), deps.clock.now());
    const [orders, transactions] = await Promise.all([
      deps.history.derive({ kind: 'orders', ...range }, executions, readOptions(call, deps)),
      // Reads all transactions: whether the service writes charges with a minus shows only over many rows.
      deps.history.derive({ kind: 'transactions' }, allTransactions, readOptions(call, deps)),
    ]);
    const result = summarizeCosts(orders.value.trades, {
      groupBy: args.groupBy,
      ...range,
      zone,
      flows: toCashFlows(transactions.value),
      currency: summary.data.currency,
    });
    return {
      asOf: Math.min(orders.asOf, transactions.asOf, summary.answeredAt),
      fields: {
        ...provisional(orders.coverage, transactions.coverage),
        taxYear: args.taxYear,
        timeZone: zone,
        currency: result.currency,
        // It is about all charges, so the first page has it.
        ...(args.cursor === undefined ? formatSummary(result, orders.coverage, transactions.coverage) : {}),
        ...coverageFields(
          { orders: orders.coverage, transactions: transactions.coverage },
          [
            describeEmptyRange('no trades and no charges', result.count + result.trades, range, [
              orders.coverage,
              transactions.coverage,
            ]),
            withoutCosts(result),
            ...describeSkippedRows({ fills: nameSkippedFills(orders.value, range), transactions: transactions.value }),
          ],
          await describeImport(deps, orders.coverage, transactions.coverage),
        ),
      },
      list: paginate(result.groups, buildColumns(result, args.groupBy), args),
    };
  },
});

/** The figures of all charges. */
const formatSummary = (result: CostSummary, orders: Coverage, transactions: Coverage) => ({
  total: formatSum(result.total, result.count, orders, transactions),
  count: result.count,
  turnover: formatSum(result.turnover, result.trades, orders),
  percentOfTurnover: formatPercent(result.percentOfTurnover),
  percentOfTurnoverReason: result.reason,
  trades: result.trades,
  ...formatOthers('otherTurnover', result.otherTurnover),
  ...formatOthers('otherCurrencies', result.otherCurrencies),
});

const otherSums = () => groups({ currency: text(), amount: amount(), count: count() });

/** The first column names the group. */
const buildColumns = ({ otherCurrencies }: CostSummary, groupBy: string): Columns<CostGroup> => ({
  [groupBy]: ({ group }) => group,
  ...(otherCurrencies.length > 0 ? { currency: ({ currency }: CostGroup) => currency } : {}),
  amount: (group) => formatMoney(group.amount),
  count: ({ count }) => count,
});

/** Sums in other currencies than the account's; nothing when there are none. */
const formatOthers = (name: string, sums: CostSummary['otherCurrencies']) =>
  sums.length > 0 ? { [name]: sums.map((sum) => ({ ...sum, amount: formatMoney(sum.amount) })) } : {};

const withoutCosts = ({ tradesWithoutCosts: names, trades }: CostSummary): string | undefined =>
  names.length > 0
    ? `The service does not report the costs of ${names.length} of ${countOf(trades, 'trade')}: ${listNames(names)}.`
    : undefined;
