/**
 * The question behind the command tax-pack. It runs as a tool does, and is in no list of tools: its result has every
 * row, which is too much for a model.
 */

import * as z from 'zod';
import { dayMs } from '../../core/clock.ts';
import { endpoints } from '../../core/endpoints/index.ts';
import { BrokerageError } from '../../core/errors.ts';
import { nameInstruments } from '../../core/instruments/name-instruments.ts';
import { orElse } from '../../core/log.ts';
import { defineTool, type ToolCall } from '../../core/mcp/tool.ts';
import type { NamedAccount } from '../../core/settings/accounts.ts';
import { describeOpenYear, parseTaxYear, type TaxYear, taxYearZone, toZoneDate } from '../../core/text/dates.ts';
import { listInterest, toCashFlows } from '../analytics/cash-flows.ts';
import type { Check } from '../analytics/check.ts';
import { listCharges } from '../analytics/costs.ts';
import type { Payment } from '../analytics/dividend-payments.ts';
import { describeUnknownTaxes, findUnknownTaxes } from '../analytics/dividend-tax.ts';
import { summarizeDividends } from '../analytics/dividends.ts';
import { executions, nameSkippedFills } from '../analytics/executions.ts';
import { describeSkippedRows } from '../analytics/names.ts';
import { checkCash, checkHoldings } from '../analytics/reconciliation.ts';
import { coverageFields, readOptions } from '../analytics/tools/coverage-fields.ts';
import { applyTaxRecords } from '../gains/apply-records.ts';
import { conversionFeesNote, losesPrecision, roundingNote } from '../gains/format-gains.ts';
import type { GainsDeps } from '../gains/gains-deps.ts';
import { summarizeRealisedGains } from '../gains/summarize.ts';
import { describeFundsWithoutIncome, findFundsWithoutIncome, selectFundIncome } from '../gains/tools/gains-inputs.ts';
import { joinCoverage, joinTrades, listPooled } from '../gains/tools/pooled-accounts.ts';
import { allDividends, allTransactions } from '../history/all-rows.ts';
import { historyEndpoints } from '../history/kinds.ts';
import { buildFundIncomeSections, buildGainSections } from './gain-sections.ts';
import { buildCostSection, buildDividendSections, buildInterestSection } from './income-sections.ts';
import type { PackSection } from './pack-section.ts';

export const taxPackTool = defineTool({
  name: 'tax_pack',
  title: 'Tax pack',
  toolset: 'analytics',
  effect: 'reads',
  endpoints: [...historyEndpoints, endpoints.getAccountSummary, endpoints.listPositions, endpoints.listInstruments],
  description: 'Every figure of a UK tax year, with its rows.',
  searchHint: '',
  input: z.strictObject({ taxYear: z.string() }),
  output: () => ({}),
  run: async ({ taxYear }, call, deps: GainsDeps) => {
    const year = parseTaxYear(taxYear);
    if (!year) throw invalidYear();
    const covered = describeCovered(deps);
    const rows = await readRows(call, deps);
    const { trades, coverage, currency } = rows;
    const isWhole = coverage.orders.complete;
    const records = await deps.taxRecords();
    const method = 'uk_section_104';
    const applied = applyTaxRecords(trades, rows.dividends, records, method);
    const toDay = (at: number) => toZoneDate(at, taxYearZone);
    const gains = summarizeRealisedGains(applied.trades, {
      method,
      ...year,
      isWhole,
      toDate: toDay,
      ...applied.options,
    });
    const flows = toCashFlows(rows.transactions);
    const now = deps.clock.now();
    const notFinal = describeOpenYear(year, now);
    const dividends = summarizeDividends(rows.dividends, { groupBy: 'year', ...year, now, currency });
    // A payment without a date may belong to another year; the note names it.
    const payments = dividends.payments.filter(({ at }) => at !== undefined);
    const isWithin = (at: number) => at >= year.since && at < year.until;
    const sections: PackSection[] = [
      ...buildGainSections(gains, taxYear, toDay),
      ...buildDividendSections(payments, currency, toDay, now),
      ...buildFundIncomeSections(selectFundIncome(applied.income, year)),
      buildInterestSection(listInterest(flows, year), currency, toDay),
      buildCostSection(listCharges(trades, flows, isWithin), currency, toDay),
    ];
    const funds = await findFundsWithoutIncome({ trades, records }, year, call, deps);
    // Only for the names of the page, so the pack does not wait for them.
    await deps.directory.instruments(call.context({ waitUntil: now })).catch(orElse('a request', undefined));
    const names = nameInstruments(
      deps.directory,
      trades.map(({ ticker }) => ticker),
    );
    const isComplete = Object.values(coverage).every(({ complete }) => complete);
    return {
      viewData: { names },
      asOf: rows.asOf,
      fields: {
        taxYear,
        notFinal,
        currency,
        ...coverageFields(coverage, describeSkippedRows(rows)),
        remarks: [
          ...describeYear(year, notFinal, now, currency),
          ...covered,
          ...applied.remarks,
          ...describeFundsWithoutIncome(funds),
          ...gains.remarks,
          ...(losesPrecision(gains.disposals) ? [roundingNote] : []),
          ...describeUnknownTaxes(payments, 'brokerage-mcp import'),
        ],
        unknownTaxes: countUnknownTaxes(payments),
        fundsWithoutIncome: funds?.length,
        checks: isComplete
          ? [...gains.checks, ...rows.accounts.flatMap(checkCashOf), ...checkHoldings(trades, rows.positions)]
          : [],
        sections,
      },
    };
  },
});

/** How many of the dividends have an unknown withheld tax, and for how many of these an import can find it. */
export interface UnknownTaxCounts {
  readonly dividends: number;
  readonly unknown: number;
  readonly inReports: number;
}

function countUnknownTaxes(payments: readonly Payment[]): UnknownTaxCounts {
  const { all, unreported } = findUnknownTaxes(payments);
  return { dividends: payments.length, unknown: all.length, inReports: unreported.length };
}

/** The rows of the account, or of all that are matched together. */
async function readRows(call: ToolCall, deps: GainsDeps) {
  const accounts = await Promise.all(listPooled(deps).map((account) => readAccount(call, account)));
  const [{ summary }] = accounts as [AccountRows];
  const join = (kind: 'orders' | 'dividends' | 'transactions') =>
    joinCoverage(accounts.map((account) => ({ of: account.of, coverage: account[kind].coverage })));
  return {
    accounts,
    currency: summary.data.currency,
    trades: joinTrades(accounts.map(({ of, orders }) => ({ of, trades: orders.value.trades }))),
    fills: accounts.flatMap(({ orders }) => nameSkippedFills(orders.value)),
    dividends: accounts.flatMap(({ dividends }) => dividends.value),
    transactions: accounts.flatMap(({ transactions }) => transactions.value),
    positions: accounts.flatMap(({ positions }) => positions.data),
    coverage: { orders: join('orders'), dividends: join('dividends'), transactions: join('transactions') },
    asOf: Math.min(
      ...accounts.flatMap(({ orders, dividends, transactions, summary: { answeredAt } }) => [
        ...[orders.asOf, dividends.asOf, transactions.asOf, answeredAt],
      ]),
    ),
  };
}

type AccountRows = Awaited<ReturnType<typeof readAccount>>;

async function readAccount(call: ToolCall, deps: GainsDeps) {
  const [orders, dividends, transactions, summary, positions] = await Promise.all([
    deps.history.derive({ kind: 'orders' }, executions, readOptions(call, deps)),
    deps.history.derive({ kind: 'dividends' }, allDividends, readOptions(call, deps)),
    deps.history.derive({ kind: 'transactions' }, allTransactions, readOptions(call, deps)),
    deps.broker.call(endpoints.getAccountSummary, {}, call.context()),
    deps.broker.call(endpoints.listPositions, {}, call.context()),
  ]);
  return { of: deps, orders, dividends, transactions, summary, positions };
}

/** The cash of an account is explained by its own rows. */
function checkCashOf({ orders, dividends, transactions, summary }: AccountRows): readonly Check[] {
  const books = {
    flows: toCashFlows(transactions.value),
    trades: orders.value.trades,
    dividends: dividends.value,
  };
  return [checkCash(books, summary.data)].filter((check) => check !== undefined);
}

/** What a reader must know about every figure of the year. */
const describeYear = (
  year: TaxYear,
  notFinal: string | undefined,
  now: number,
  currency: string | undefined,
): string[] => [
  'Gains and income of an ISA are not taxed, and accounts elsewhere are not included.',
  conversionFeesNote,
  'Excess reportable income of offshore funds is not a payment, so it is in no dividend; its table is made from eri.csv.',
  ...(notFinal === undefined ? [] : [notFinal]),
  ...(year.since <= now && year.until + 31 * dayMs > now
    ? ['Purchases within 30 days after a sale become its cost, so gains of the last 30 days are not final.']
    : []),
  ...(currency === undefined || currency === 'GBP'
    ? []
    : [`Calculated in ${currency}; a UK tax return needs pounds, at the exchange rate of each day.`]),
];

/** The accounts of the pack, where the owner has several. Throws for an ISA, which has no place in a tax return. */
function describeCovered(deps: GainsDeps): readonly string[] {
  const { account } = deps.config;
  if (account?.kind === 'isa') throw exemptAccount(account);
  if (!account?.isOneOfSeveral) return [];
  const names = listPooled(deps).flatMap(({ config }) => config.account?.name ?? []);
  const covered =
    names.length > 1
      ? `It covers the accounts ${names.join(', ')}, whose shares are matched together.`
      : `It covers the account ${account.name} alone.`;
  return [`${covered} An ISA is exempt, and a purchase in an ISA is not matched with a sale here.`];
}

const exemptAccount = ({ name }: NamedAccount) =>
  new BrokerageError(
    'invalid_argument',
    `The account ${name} is an ISA, whose gains and income belong in no tax return.`,
    'Choose another account.',
  );

const invalidYear = () => new BrokerageError('invalid_argument', 'The tax year is not valid.', 'Write it as 2025/26.');
