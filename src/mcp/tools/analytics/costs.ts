import * as z from 'zod';
import { toCashFlows } from '../../../analytics/cash-flows.ts';
import { type CostGroup, type CostSummary, summarizeCosts } from '../../../analytics/costs.ts';
import { formatMoney, formatPercent } from '../../../analytics/format-figures.ts';
import { toTrades } from '../../../analytics/trades.ts';
import { endpoints } from '../../../catalogue/index.ts';
import { cursor, isValidRange, rangeError, since, until } from '../../arguments.ts';
import { describeImport } from '../../import-hint.ts';
import { amount, listOutput } from '../../output-schemas.ts';
import { type Columns, paginate } from '../../pagination.ts';
import { defineTool } from '../../tool.ts';
import { coverageFields, readOptions } from './coverage-fields.ts';

export const summarizeCostsTool = defineTool({
  name: 'summarize_costs',
  title: 'Costs',
  toolset: 'analytics',
  effect: 'reads',
  endpoints: [endpoints.listHistoricalOrders, endpoints.listTransactions, endpoints.getAccountSummary],
  description: 'Fees: trading charges and account fees, also as a percentage of turnover. Spreads are not included.',
  searchHint: 'fees, costs, charges, commission, FX fee, stamp duty',
  input: z
    .strictObject({
      groupBy: z
        .enum(['name', 'month', 'year', 'ticker'], 'must be name, month, year or ticker')
        .meta({ description: 'Grouping' }),
      since: since(),
      until: until(),
      cursor: cursor(),
    })
    .refine(isValidRange, rangeError),
  output: {
    ...listOutput,
    currency: z.string().optional(),
    total: amount(),
    count: z.number().optional(),
    turnover: amount(),
    percentOfTurnover: amount(),
    percentOfTurnoverReason: z.string().optional(),
    trades: z.number().optional(),
    tradesWithoutCosts: z.number().optional(),
    otherCurrencies: z.array(z.looseObject({})).optional(),
    coverage: z.looseObject({}).optional(),
    note: z.string().optional(),
  },
  run: async (args, call) => {
    const range = { since: args.since, until: args.until };
    const [orders, transactions, summary] = await Promise.all([
      call.history.read({ kind: 'orders', ...range }, readOptions(call)),
      // Reads all transactions: whether the service writes charges with a minus shows only over many rows.
      call.history.read({ kind: 'transactions' }, readOptions(call)),
      call.broker.call(endpoints.getAccountSummary, {}, call.context()),
    ]);
    const result = summarizeCosts(toTrades(orders.rows), {
      groupBy: args.groupBy,
      ...range,
      flows: toCashFlows(transactions.rows),
      currency: summary.data.currency,
    });
    return {
      asOf: Math.min(orders.asOf, transactions.asOf, summary.answeredAt),
      fields: {
        currency: result.currency,
        total: formatMoney(result.total),
        count: result.count,
        turnover: formatMoney(result.turnover),
        percentOfTurnover: formatPercent(result.percentOfTurnover),
        percentOfTurnoverReason: result.reason,
        trades: result.trades,
        ...(result.otherCurrencies.length > 0
          ? { otherCurrencies: result.otherCurrencies.map((sum) => ({ ...sum, amount: formatMoney(sum.amount) })) }
          : {}),
        ...coverageFields({ orders: orders.coverage, transactions: transactions.coverage }, [
          await describeImport(call, orders.coverage, transactions.coverage),
          withoutCosts(result),
        ]),
      },
      list: paginate(result.groups, buildColumns(result, args.groupBy), args),
    };
  },
});

/** The first column names the group. */
const buildColumns = ({ otherCurrencies }: CostSummary, groupBy: string): Columns<CostGroup> => ({
  [groupBy]: ({ group }) => group,
  ...(otherCurrencies.length > 0 ? { currency: ({ currency }: CostGroup) => currency } : {}),
  amount: (group) => formatMoney(group.amount),
  count: ({ count }) => count,
});

const withoutCosts = ({ tradesWithoutCosts, trades }: CostSummary): string | undefined =>
  tradesWithoutCosts > 0
    ? `The service does not report the costs of ${tradesWithoutCosts} of ${trades} trades.`
    : undefined;
