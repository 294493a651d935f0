import type Big from 'big.js';
import * as z from 'zod';
import { endpoints } from '../../../core/endpoints/index.ts';
import { isValidRange, rangeError, since, until } from '../../../core/mcp/arguments.ts';
import { amount } from '../../../core/mcp/output-schemas.ts';
import { defineTool } from '../../../core/mcp/tool.ts';
import { toIsoTimestamp } from '../../../core/text/dates.ts';
import { formatMoney, formatPercent } from '../../../core/text/format-figures.ts';
import { allDividends, allTransactions } from '../../history/all-rows.ts';
import { describeImport } from '../../history/coverage-notes.ts';
import { resolveRange, zoneOf } from '../../history/date-range.ts';
import type { HistoryDeps } from '../../history/history-deps.ts';
import { toCashFlows } from '../cash-flows.ts';
import { checksOutput, formatChecks } from '../check.ts';
import { executions, nameSkippedFills } from '../executions.ts';
import { describeSkippedRows } from '../names.ts';
import { checkCash, checkHoldings } from '../reconciliation.ts';
import type { ReturnPeriod } from '../return-period.ts';
import type { Rate } from '../return-rates.ts';
import { calculateReturns, type Returns } from '../returns.ts';
import { coverageFields, formatSum, provisional, readOptions } from './coverage-fields.ts';

const rateOutput = () => z.looseObject({ annualPercent: amount(), periodPercent: amount() }).optional();

export const calculateReturnsTool = defineTool({
  name: 'calculate_returns',
  title: 'Returns',
  toolset: 'analytics',
  effect: 'reads',
  endpoints: [
    endpoints.listHistoricalOrders,
    endpoints.listDividends,
    endpoints.listTransactions,
    endpoints.getAccountSummary,
    endpoints.listPositions,
  ],
  description:
    'Investment performance: money in and out, gain, money-weighted return (XIRR), and time-weighted from stored daily values. Default: all time.',
  searchHint: 'investment performance, how am I doing, return, profit, ROI',
  input: z.strictObject({ since: since(), until: until() }).refine(isValidRange, rangeError),
  output: {
    currency: z.string().optional(),
    moneyIn: amount(),
    moneyOut: amount(),
    netDeposits: amount(),
    value: amount(),
    gain: amount(),
    gainPercent: amount(),
    gainPercentOf: z.string().optional(),
    unknown: z.array(z.string()).optional(),
    moneyWeighted: rateOutput(),
    timeWeighted: rateOutput(),
    complete: z.boolean().optional(),
    coverage: z.looseObject({}).optional(),
    checks: checksOutput(),
    note: z.string().optional(),
  },
  run: async (args, call, deps: HistoryDeps) => {
    const options = readOptions(call, deps);
    const now = deps.clock.now();
    const summary = await deps.broker.call(endpoints.getAccountSummary, {}, call.context());
    const range = resolveRange(args, zoneOf(deps, summary.data.currency), now);
    // Reads all rows for any range: only complete books can be checked against cash and shares.
    const [orders, dividends, transactions, positions, snapshots] = await Promise.all([
      deps.history.derive({ kind: 'orders' }, executions, options),
      deps.history.derive({ kind: 'dividends' }, allDividends, options),
      deps.history.derive({ kind: 'transactions' }, allTransactions, options),
      deps.broker.call(endpoints.listPositions, {}, call.context()),
      deps.dailyValues(),
    ]);
    const { trades } = orders.value;
    const flows = toCashFlows(transactions.value);
    const books = { flows, trades, dividends: dividends.value };
    const coverage = { orders: orders.coverage, dividends: dividends.coverage, transactions: transactions.coverage };
    // Money and shares that moved before the range decide whether the account had begun.
    const isWhole = orders.coverage.complete && transactions.coverage.complete;
    const result = calculateReturns({ ...range, ...books, summary: summary.data, snapshots, now, isWhole });
    const cash = checkCash(books, summary.data);
    const ofBookings = (sum: Big | undefined) => formatSum(sum, flows.length, transactions.coverage);
    return {
      asOf: Math.min(orders.asOf, dividends.asOf, transactions.asOf, summary.answeredAt, positions.answeredAt),
      fields: {
        ...provisional(...Object.values(coverage)),
        timeZone: range.zone,
        currency: result.currency,
        moneyIn: ofBookings(result.moneyIn),
        moneyOut: ofBookings(result.moneyOut),
        ...formatTransfers(result),
        netDeposits: ofBookings(result.netDeposits),
        dividends: formatSum(result.dividends, dividends.value.length, dividends.coverage),
        interest: ofBookings(result.interest),
        accountFees: ofBookings(result.accountFees),
        ...(result.otherBookings.eq(0) ? {} : { otherBookings: formatMoney(result.otherBookings) }),
        realised: formatSum(result.realised, trades.length, orders.coverage),
        ...(result.start ? { startValue: formatValue(result.start) } : {}),
        value: formatMoney(result.end?.value),
        valueAt: result.end && toIsoTimestamp(result.end.at),
        gain: formatMoney(result.gain),
        gainPercent: formatPercent(result.gainPercent),
        ...(result.gainPercent ? { gainPercentOf: 'netDeposits' } : {}),
        ...(result.unknown.length > 0 ? { unknown: result.unknown.map(({ code }) => code) } : {}),
        moneyWeighted: formatRate(result.moneyWeighted),
        timeWeighted: formatRate(result.timeWeighted),
        ...coverageFields(
          coverage,
          [
            ...result.unknown.map(({ message }) => message),
            ...result.otherCurrencies,
            describeOtherBookings(result),
            ...describeSkippedRows({
              fills: nameSkippedFills(orders.value),
              dividends: dividends.value,
              transactions: transactions.value,
            }),
          ],
          await describeImport(deps, ...Object.values(coverage)),
        ),
        checks: formatChecks([
          ...(cash && Object.values(coverage).every(({ complete }) => complete) ? [cash] : []),
          ...(coverage.orders.complete ? checkHoldings(trades, positions.data) : []),
        ]),
      },
    };
  },
});

/** Shares moved from and to other brokers, at their value; nothing when there were none. */
const formatTransfers = ({ sharesIn, sharesOut }: Returns) =>
  sharesIn?.eq(0) && sharesOut?.eq(0) ? {} : { sharesIn: formatMoney(sharesIn), sharesOut: formatMoney(sharesOut) };

const describeOtherBookings = ({ otherTypes }: Returns): string | undefined =>
  otherTypes.length > 0
    ? `otherBookings are transactions of other types (${otherTypes.join(', ')}); they count as part of the gain, not as money in or out.`
    : undefined;

const formatValue = ({ at, value }: ReturnPeriod) => ({ at: toIsoTimestamp(at), value: formatMoney(value) });

const formatRate = ({ annualPercent, periodPercent, ...rest }: Rate) => ({
  annualPercent: formatPercent(annualPercent),
  periodPercent: formatPercent(periodPercent),
  ...rest,
});
