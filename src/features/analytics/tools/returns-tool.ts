import Big from 'big.js';
import * as z from 'zod';
import type { ReadResult } from '../../../core/broker/types.ts';
import { type AccountSummary, endpoints } from '../../../core/endpoints/index.ts';
import { getTicker } from '../../../core/endpoints/instruments.ts';
import { BrokerageError } from '../../../core/errors.ts';
import { moneyOrNone, period, since, ticker, until, withOneRange } from '../../../core/mcp/arguments.ts';
import { amount, count, group, oneOf, text, yesNo } from '../../../core/mcp/output-schemas.ts';
import { defineTool, type ToolCall } from '../../../core/mcp/tool.ts';
import { toIsoTimestamp, toZoneDate } from '../../../core/text/dates.ts';
import { formatMoney, formatPercent } from '../../../core/text/format-figures.ts';
import { allDividends, allTransactions } from '../../history/all-rows.ts';
import { describeImport } from '../../history/coverage-notes.ts';
import { nameRange, resolveRange, type ZonedRange, zoneOf } from '../../history/date-range.ts';
import type { HistoryDeps } from '../../history/history-deps.ts';
import { historyEndpoints } from '../../history/kinds.ts';
import { compareBenchmark } from '../benchmark.ts';
import { toCashFlows } from '../cash-flows.ts';
import { checksOutput, formatChecks } from '../check.ts';
import { executions, nameSkippedFills } from '../executions.ts';
import { calculateHoldingReturn } from '../holding-return.ts';
import { describeSkippedRows } from '../names.ts';
import { checkCash, checkHoldings } from '../reconciliation.ts';
import type { ReturnPeriod } from '../return-period.ts';
import { unknownReturnCodes } from '../return-period.ts';
import type { Rate } from '../return-rates.ts';
import { calculateReturns, type Returns } from '../returns.ts';
import { coverageFields, coverageOutput, formatSum, provisional, readOptions } from './coverage-fields.ts';
import { describeHoldingReturn, describeReturn, describeWaysOut } from './return-sentences.ts';

const rateOutput = () =>
  group({
    annualPercent: amount(),
    periodPercent: amount(),
    from: text(),
    to: text(),
    days: count(),
    reason: text(),
    code: oneOf(unknownReturnCodes),
    note: text(),
  });

export const calculateReturnsTool = defineTool({
  name: 'calculate_returns',
  title: 'Returns',
  toolset: 'analytics',
  view: 'returns',
  effect: 'reads',
  endpoints: [...historyEndpoints, endpoints.getAccountSummary, endpoints.listPositions],
  description:
    'Performance of the account or one holding, including dividends: money in and out, gain, annualised return (IRR), whether it beat a benchmark.',
  searchHint:
    'investment performance, how did I do this year, how am I doing, how much have I made overall, am I up or down today, this week, this month, this tax year, return, profit, ROI, what is my yearly return in percent, IRR, money weighted, time weighted, CAGR, did I beat the market, compare with benchmark or index, S&P 500, total return of holding, how has it done for me with dividends and fees, how well did I do, how has my portfolio done, growth, profit so far, since I started, since January, last year, year to date, YTD, per year, annual return, made or lost money, better than the market, outperform, versus the index, total profit of one share, how did I do this year, am I up or down this month, did I beat inflation last year, how has it done for me including dividends, 12 month performance, rate of return, how much have I made since I started, annualised, what percent am I up, total gain, gain in percent, since inception, how much have I made since I started, made or lost since the beginning, ever, five years, last month, lately, overall profit, overall performance, have I made any money, how well have my investments done, money in versus now, compare me to the index, benchmark comparison, growth rate, interest rate, quarterly, better or worse, worth it, lifetime, performing, results, earnings on my investments, one year, 3 months, six months',
  alwaysLoad: true,
  input: withOneRange(
    z.strictObject({
      period: period(),
      since: since(),
      until: until(),
      ticker: ticker('One holding').optional(),
      valueAtStart: moneyOrNone('valueAtStart', 'From the user').optional(),
    }),
  ).refine(
    ({ valueAtStart, since, period = 'all' }) => valueAtStart === undefined || since !== undefined || period !== 'all',
    'valueAtStart needs a period or since',
  ),
  output: () => ({
    ...coverageOutput(),
    complete: yesNo(),
    message: text(),
    ticker: text(),
    name: text(),
    timeZone: text(),
    currency: text(),
    quantity: amount(),
    bought: amount(),
    sold: amount(),
    charges: amount(),
    moneyIn: amount(),
    moneyOut: amount(),
    sharesIn: amount(),
    sharesOut: amount(),
    netDeposits: amount(),
    dividends: amount(),
    interest: amount(),
    accountFees: amount(),
    otherBookings: amount(),
    realised: amount(),
    startValue: group({ at: text(), value: amount() }),
    value: amount(),
    valueAt: text(),
    gain: amount(),
    priceGain: amount(),
    gainPercent: amount(),
    gainPercentOf: text(),
    unknown: z.array(z.enum(unknownReturnCodes)).optional(),
    moneyWeighted: rateOutput(),
    timeWeighted: rateOutput(),
    benchmark: group({
      reason: text(),
      periodPercent: amount(),
      from: text(),
      to: text(),
      sameMoney: amount(),
      message: text(),
    }),
    checks: checksOutput(),
  }),
  run: async (args, call, deps: HistoryDeps) => {
    const summary = await deps.broker.call(endpoints.getAccountSummary, {}, call.context());
    const range = resolveRange(args, zoneOf(deps, summary.data.currency), deps.clock.now());
    const books = await readBooks(summary, call, deps);
    const valueAtStart = args.valueAtStart === undefined ? undefined : new Big(args.valueAtStart);
    if (args.ticker === undefined) return answerAccount(books, { range, valueAtStart }, deps);
    if (!isKnown(args.ticker, books)) await deps.directory.getOrThrow(args.ticker, call.context());
    return answerHolding(books, { range, valueAtStart, ticker: args.ticker }, deps);
  },
});

interface ReturnArguments {
  readonly range: ZonedRange;
  readonly valueAtStart: Big | undefined;
}

type Books = Awaited<ReturnType<typeof readBooks>>;

/** Reads all rows for any range: only complete books can be checked against cash and shares. */
async function readBooks(summary: ReadResult<AccountSummary>, call: ToolCall, deps: HistoryDeps) {
  const options = readOptions(call, deps);
  const now = deps.clock.now();
  const [orders, dividends, transactions, positions, past, stored] = await Promise.all([
    deps.history.derive({ kind: 'orders' }, executions, options),
    deps.history.derive({ kind: 'dividends' }, allDividends, options),
    deps.history.derive({ kind: 'transactions' }, allTransactions, options),
    deps.broker.call(endpoints.listPositions, {}, call.context()),
    deps.pastValues(),
    deps.dailyValues(),
  ]);
  return {
    now,
    asOf: Math.min(orders.asOf, dividends.asOf, transactions.asOf, summary.answeredAt, positions.answeredAt),
    summary: summary.data,
    positions: positions.data,
    snapshots: [...past, ...stored],
    orders: orders.value,
    dividends: dividends.value,
    transactions: transactions.value,
    flows: toCashFlows(transactions.value),
    coverage: { orders: orders.coverage, dividends: dividends.coverage, transactions: transactions.coverage },
  };
}

async function answerAccount(books: Books, { range, valueAtStart }: ReturnArguments, deps: HistoryDeps) {
  const { coverage, flows, now, summary } = books;
  const { trades } = books.orders;
  // Money and shares that moved before the range decide whether the account had begun.
  const isWhole = coverage.orders.complete && coverage.transactions.complete;
  const question = { flows, trades, dividends: books.dividends, summary, snapshots: books.snapshots, now, isWhole };
  const result = calculateReturns({ ...question, ...range, valueAtStart });
  if (valueAtStart && result.gain && !result.start)
    throw new BrokerageError(
      'invalid_argument',
      'A value at the start is given for a moment before the first deposit.',
      'Omit valueAtStart: the account was empty then.',
    );
  const cash = checkCash({ flows, trades, dividends: books.dividends }, summary);
  const ofBookings = (sum: Big | undefined) => formatSum(sum, flows.length, coverage.transactions);
  const { next, ...rest } = coverageFields(
    coverage,
    [
      ...result.unknown.map(({ message }) => message),
      ...result.otherCurrencies,
      describeOtherBookings(result),
      ...describeSkipped(books),
    ],
    await describeImport(deps, ...Object.values(coverage)),
  );
  const steps = [next, describeWaysOut(result, range, () => calculateReturns(question))];
  return {
    asOf: books.asOf,
    viewData: { values: listValues(books.snapshots, range, result), range: nameRange(range) },
    fields: {
      ...provisional(...Object.values(coverage)),
      message: describeReturn(result, range, isWhole && coverage.dividends.complete),
      ...joinSteps(steps),
      timeZone: range.zone,
      currency: result.currency,
      moneyIn: ofBookings(result.moneyIn),
      moneyOut: ofBookings(result.moneyOut),
      ...formatTransfers(result),
      netDeposits: ofBookings(result.netDeposits),
      dividends: formatSum(result.dividends, books.dividends.length, coverage.dividends),
      interest: ofBookings(result.interest),
      accountFees: ofBookings(result.accountFees),
      ...(result.otherBookings.eq(0) ? {} : { otherBookings: formatMoney(result.otherBookings) }),
      realised: formatSum(result.realised, trades.length, coverage.orders),
      ...formatEnds(result),
      gain: formatMoney(result.gain),
      gainPercent: formatPercent(result.gainPercent),
      ...(result.gainPercent ? { gainPercentOf: 'netDeposits' } : {}),
      ...formatUnknown(result),
      moneyWeighted: formatRate(result.moneyWeighted),
      timeWeighted: formatRate(result.timeWeighted),
      ...(await formatBenchmark(result, deps)),
      ...rest,
      checks: formatChecks([
        ...(cash && Object.values(coverage).every(({ complete }) => complete) ? [cash] : []),
        ...(coverage.orders.complete ? checkHoldings(trades, books.positions) : []),
      ]),
    },
  };
}

/** Beside the benchmark of the owner; nothing without a file, or while the gain is unknown. */
async function formatBenchmark({ gain, start, end, between }: Returns, { marketFiles }: HistoryDeps) {
  const points = await marketFiles.benchmark();
  if (!points || !gain || !end) return {};
  const compared = compareBenchmark(points, { start, end, flows: between });
  if (typeof compared === 'string') return { benchmark: { reason: compared } };
  const { from, to, periodPercent, sameMoney } = compared;
  return {
    benchmark: {
      periodPercent: formatPercent(periodPercent),
      from,
      to,
      sameMoney: formatMoney(sameMoney),
      message: `The benchmark changed by ${formatPercent(periodPercent)} %; the same money in it would be worth ${formatMoney(sameMoney)}, where the account is worth ${formatMoney(end.value)}.`,
    },
  };
}

/** More points than a picture of 680 pixels shows. */
const maxValues = 250;

/**
 * The value at the start and the daily values after it, evenly thinned, with the first and the last. Where the gain is
 * known, each comes with what was put in until then: the value at the start and the net deposits since. The value is
 * above that by the gain so far.
 */
function listValues(snapshots: Books['snapshots'], range: ZonedRange, { start, between, gain }: Returns) {
  const within = listPoints(snapshots, range, start);
  const shown =
    within.length <= maxValues
      ? within
      : Array.from(
          { length: maxValues },
          (_, n) => within[Math.round((n * (within.length - 1)) / (maxValues - 1))] as (typeof within)[number],
        );
  let putIn = start?.value ?? new Big(0);
  let next = 0;
  return shown.map(({ at, day, totalValue }) => {
    for (let flow = between[next]; flow && flow.at <= at; flow = between[++next]) putIn = putIn.plus(flow.amount);
    return gain ? ([day, totalValue, putIn.toFixed(2)] as const) : ([day, totalValue] as const);
  });
}

/** The line begins with the value that the gain is counted from, which is often of the day before the range. */
function listPoints(snapshots: Books['snapshots'], { since, until, zone }: ZonedRange, start: Returns['start']) {
  const within = snapshots
    .filter(({ at }) => (since === undefined || at >= since) && (until === undefined || at < until))
    .toSorted((a, b) => a.at - b.at);
  if (!start) return within;
  const day = snapshots.find(({ at }) => at === start.at)?.day ?? toZoneDate(start.at, zone);
  const first = { at: start.at, day, totalValue: start.value.toFixed() };
  return [first, ...within.filter((one) => one.day > day)];
}

/** Whether the account holds or held the ticker, or was paid a dividend of it. */
const isKnown = (ticker: string, { positions, orders, dividends }: Books): boolean =>
  positions.some((position) => getTicker(position) === ticker) ||
  orders.trades.some((trade) => trade.ticker === ticker) ||
  dividends.some((row) => getTicker(row) === ticker);

async function answerHolding(
  books: Books,
  { range, valueAtStart, ticker }: ReturnArguments & { readonly ticker: string },
  deps: HistoryDeps,
) {
  const { orders, dividends } = books.coverage;
  const position = books.positions.find((held) => getTicker(held) === ticker);
  const { currency } = books.summary;
  const isWhole = orders.complete && dividends.complete;
  const question = { ticker, currency, position, trades: books.orders.trades, dividends: books.dividends, isWhole };
  const result = calculateHoldingReturn({ ...question, ...range, now: books.now, valueAtStart });
  const coverage = { orders, dividends };
  const { next, ...rest } = coverageFields(
    coverage,
    [...result.unknown.map(({ message }) => message), ...describeSkipped({ ...books, transactions: [] })],
    await describeImport(deps, ...Object.values(coverage)),
  );
  const { trades } = books.orders;
  return {
    asOf: books.asOf,
    viewData: { range: nameRange(range) },
    fields: {
      ...provisional(orders, dividends),
      ticker,
      name: position?.instrument?.name,
      message: describeHoldingReturn(result, { ticker, range, isWhole }),
      ...joinSteps([next, describeWaysOut(result, range)]),
      timeZone: range.zone,
      currency,
      quantity: isWhole ? result.quantity.toFixed() : undefined,
      bought: formatSum(result.bought, trades.length, orders),
      sold: formatSum(result.sold, trades.length, orders),
      charges: formatSum(result.charges, trades.length, orders),
      dividends: formatSum(result.dividends, books.dividends.length, dividends),
      realised: formatSum(result.realised, trades.length, orders),
      ...formatEnds(result),
      gain: formatMoney(result.gain),
      priceGain: formatMoney(result.priceGain),
      ...formatUnknown(result),
      moneyWeighted: formatRate(result.moneyWeighted),
      ...rest,
    },
  };
}

const describeSkipped = ({ orders, ...rows }: Pick<Books, 'orders' | 'dividends' | 'transactions'>) =>
  describeSkippedRows({ fills: nameSkippedFills(orders), ...rows });

/** One text of the steps that there are. */
const joinSteps = (steps: readonly (string | undefined)[]) => {
  const next = steps.filter((step) => step !== undefined).join(' ');
  return next === '' ? {} : { next };
};

type Ends = Pick<Returns, 'start' | 'end' | 'unknown'>;

const formatEnds = ({ start, end }: Ends) => ({
  ...(start ? { startValue: formatValue(start) } : {}),
  value: formatMoney(end?.value),
  valueAt: end && toIsoTimestamp(end.at),
});

const formatUnknown = ({ unknown }: Ends) => (unknown.length > 0 ? { unknown: unknown.map(({ code }) => code) } : {});

/** Shares moved from and to other brokers, at their value; nothing when there were none. */
const formatTransfers = ({ sharesIn, sharesOut }: Returns) =>
  sharesIn?.eq(0) && sharesOut?.eq(0) ? {} : { sharesIn: formatMoney(sharesIn), sharesOut: formatMoney(sharesOut) };

const describeOtherBookings = ({ otherTypes }: Returns): string | undefined =>
  otherTypes.length > 0
    ? `Transactions of other types (${otherTypes.join(', ')}) count as part of the gain, not as money in or out.`
    : undefined;

const formatValue = ({ at, value }: ReturnPeriod) => ({ at: toIsoTimestamp(at), value: formatMoney(value) });

const formatRate = ({ annualPercent, periodPercent, ...rest }: Rate) => ({
  annualPercent: formatPercent(annualPercent),
  periodPercent: formatPercent(periodPercent),
  ...rest,
});
