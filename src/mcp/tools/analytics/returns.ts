import * as z from 'zod';
import { toCashFlows } from '../../../analytics/cash-flows.ts';
import { money, percent } from '../../../analytics/format-figures.ts';
import { checkCash, checkHoldings } from '../../../analytics/reconciliation.ts';
import type { ReturnPeriod } from '../../../analytics/return-period.ts';
import type { Rate } from '../../../analytics/return-rates.ts';
import { calculateReturns } from '../../../analytics/returns.ts';
import { tradesOf } from '../../../analytics/trades.ts';
import { endpoints } from '../../../catalogue/index.ts';
import { isValidRange, rangeError, since, until } from '../../arguments.ts';
import { amount } from '../../output-schemas.ts';
import { isoMoment } from '../../timestamps.ts';
import { defineTool } from '../../tool.ts';
import { coverageFields, readOptions } from './coverage-fields.ts';

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
    'Investment performance: money in and out, gain, money-weighted return (XIRR), and time-weighted from stored daily values. Without since, the account’s life.',
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
    moneyWeighted: rateOutput(),
    timeWeighted: rateOutput(),
    complete: z.boolean().optional(),
    coverage: z.looseObject({}).optional(),
    checks: z.array(z.looseObject({})).optional(),
    note: z.string().optional(),
  },
  run: async (args, call) => {
    const options = readOptions(call);
    const now = call.clock.now();
    // Whatever the range, all rows: only the whole books can be checked against cash and shares.
    const [orders, dividends, transactions, summary, positions, snapshots] = await Promise.all([
      call.history.read({ kind: 'orders' }, options),
      call.history.read({ kind: 'dividends' }, options),
      call.history.read({ kind: 'transactions' }, options),
      call.broker.call(endpoints.getAccountSummary, {}, call.context()),
      call.broker.call(endpoints.listPositions, {}, call.context()),
      call.dailyValues(),
    ]);
    const trades = tradesOf(orders.rows);
    const flows = toCashFlows(transactions.rows);
    const books = { flows, trades, dividends: dividends.rows };
    const result = calculateReturns({ ...args, ...books, summary: summary.data, snapshots, now });
    const cash = checkCash(books, summary.data);
    return {
      asOf: Math.min(orders.asOf, dividends.asOf, transactions.asOf, summary.answeredAt, positions.answeredAt),
      fields: {
        currency: result.currency,
        moneyIn: money(result.moneyIn),
        moneyOut: money(result.moneyOut),
        netDeposits: money(result.netDeposits),
        dividends: money(result.dividends),
        interest: money(result.interest),
        fees: money(result.fees),
        ...(result.otherBookings.eq(0) ? {} : { otherBookings: money(result.otherBookings) }),
        realised: money(result.realised),
        ...(result.start ? { startValue: shownValue(result.start) } : {}),
        value: money(result.end?.value),
        valueAt: result.end && isoMoment(result.end.at),
        gain: money(result.gain),
        gainPercent: percent(result.gainPercent),
        moneyWeighted: shownRate(result.moneyWeighted),
        timeWeighted: shownRate(result.timeWeighted),
        ...coverageFields(
          { orders: orders.coverage, dividends: dividends.coverage, transactions: transactions.coverage },
          result.unknown,
        ),
        checks: [...(cash ? [cash] : []), ...checkHoldings(trades, positions.data, orders.coverage.complete)],
      },
    };
  },
});

const shownValue = ({ at, value }: ReturnPeriod) => ({ at: isoMoment(at), value: money(value) });

const shownRate = ({ annualPercent, periodPercent, ...rest }: Rate) => ({
  annualPercent: percent(annualPercent),
  periodPercent: percent(periodPercent),
  ...rest,
});
