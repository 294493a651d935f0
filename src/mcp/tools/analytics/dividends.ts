import * as z from 'zod';
import type { DividendGroup } from '../../../analytics/dividend-groups.ts';
import type { DividendProjection } from '../../../analytics/dividend-projection.ts';
import { type DividendSummary, dividendsNeededSince, summarizeDividends } from '../../../analytics/dividends.ts';
import { formatMoney, formatPercent } from '../../../analytics/format-figures.ts';
import { endpoints } from '../../../catalogue/index.ts';
import type { Coverage } from '../../../history/history-port.ts';
import { cursor, flag, isValidRange, rangeError, since, ticker, until } from '../../arguments.ts';
import { describeImport } from '../../import-hint.ts';
import { amount, listOutput } from '../../output-schemas.ts';
import { type Columns, paginate, toTable } from '../../pagination.ts';
import { toIsoTimestamp } from '../../timestamps.ts';
import { defineTool } from '../../tool.ts';
import { coverageFields, readOptions } from './coverage-fields.ts';

export const summarizeDividendsTool = defineTool({
  name: 'summarize_dividends',
  title: 'Dividends',
  toolset: 'analytics',
  view: 'dividends',
  effect: 'reads',
  endpoints: [endpoints.listDividends, endpoints.listPositions, endpoints.getAccountSummary],
  description:
    'Dividend income after withholding, account’s currency, UTC months; last twelve months and yield on cost.',
  searchHint: 'dividend income, dividends by month, passive income, yield, forecast',
  input: z
    .strictObject({
      groupBy: z
        .enum(['month', 'quarter', 'year', 'ticker', 'type'], 'must be month, quarter, year, ticker or type')
        .meta({ description: 'Grouping' }),
      since: since(),
      until: until(),
      ticker: ticker('Only this ticker').optional(),
      project: flag('Project the next year').optional(),
      cursor: cursor(),
    })
    .refine(isValidRange, rangeError),
  output: {
    ...listOutput,
    currency: z.string().optional(),
    total: amount(),
    count: z.number().optional(),
    trailingTwelveMonths: z.looseObject({}).optional(),
    yieldOnCostPercent: amount(),
    yieldOnCostReason: z.string().optional(),
    projection: z.looseObject({}).optional(),
    otherCurrencies: z.array(z.looseObject({})).optional(),
    coverage: z.looseObject({}).optional(),
    note: z.string().optional(),
  },
  run: async (args, call) => {
    const now = call.clock.now();
    const question = { kind: 'dividends', since: dividendsNeededSince({ ...args, now }), ticker: args.ticker } as const;
    const [history, positions, summary] = await Promise.all([
      call.history.read(question, readOptions(call)),
      call.broker.call(endpoints.listPositions, {}, call.context()),
      call.broker.call(endpoints.getAccountSummary, {}, call.context()),
    ]);
    // Old rows can belong to delisted instruments, so the ticker is checked only when no rows were found.
    if (args.ticker && history.rows.length === 0) await call.directory.getOrThrow(args.ticker, call.context());
    const result = summarizeDividends(history.rows, {
      ...args,
      now,
      currency: summary.data.currency,
      covered: coveredBy(history.coverage),
      positions: positions.data,
    });
    const { trailingTwelveMonths: trailing } = result;
    return {
      asOf: Math.min(history.asOf, positions.answeredAt, summary.answeredAt),
      fields: {
        currency: result.currency,
        total: formatMoney(result.total),
        count: result.count,
        trailingTwelveMonths: {
          amount: formatMoney(trailing.amount),
          from: toIsoTimestamp(trailing.from),
          to: toIsoTimestamp(trailing.to),
        },
        yieldOnCostPercent: formatPercent(result.yieldOnCost.percent),
        yieldOnCostOf: 'payments of the last twelve months on positions still held, divided by their current cost',
        yieldOnCostReason: result.yieldOnCost.reason,
        ...(result.projection ? { projection: formatProjection(result.projection) } : {}),
        ...(result.otherCurrencies.length > 0 ? { otherCurrencies: result.otherCurrencies.map(formatSum) } : {}),
        ...coverageFields({ dividends: history.coverage }, [
          await describeImport(call, history.coverage),
          withoutAmount(result),
        ]),
      },
      list: paginate(result.groups, buildColumns(result, args.groupBy), args),
    };
  },
});

/** The range in which every row is known, so that a month without a payment counts as zero. */
const coveredBy = ({ from, to }: Coverage) => ({
  from: from === null ? Number.NEGATIVE_INFINITY : from === undefined ? Number.POSITIVE_INFINITY : Date.parse(from),
  to: to === undefined ? Number.NEGATIVE_INFINITY : Date.parse(to),
});

/** The first column names the group. */
const buildColumns = ({ otherCurrencies }: DividendSummary, groupBy: string): Columns<DividendGroup> => ({
  [groupBy]: ({ group }) => group,
  ...(otherCurrencies.length > 0 ? { currency: ({ currency }: DividendGroup) => currency } : {}),
  amount: (group) => formatMoney(group.amount),
  count: ({ count }) => count,
  ...(groupBy === 'ticker'
    ? {
        trailingTwelveMonths: (group: DividendGroup) => formatMoney(group.trailingTwelveMonths),
        yieldOnCostPercent: (group: DividendGroup) => formatPercent(group.yieldOnCostPercent),
      }
    : {}),
});

const formatProjection = ({ method, total, months, notProjected, notScaled }: DividendProjection) => ({
  method,
  total: formatMoney(total),
  // A range of one year starts and ends in the middle of a month.
  partialMonths: [months[0]?.month, months.at(-1)?.month],
  ...toTable(months, { month: ({ month }) => month, amount: (row) => formatMoney(row.amount) }),
  ...(notProjected.length > 0 ? { heldWithoutPayment: notProjected.length } : {}),
  ...(notScaled > 0 ? { paymentsLeftOut: notScaled } : {}),
});

const formatSum = (sum: DividendSummary['otherCurrencies'][number]) => ({ ...sum, amount: formatMoney(sum.amount) });

const withoutAmount = ({ withoutAmount: rows }: DividendSummary): string | undefined =>
  rows > 0 ? `Payments without an amount, excluded from all figures: ${rows}.` : undefined;
