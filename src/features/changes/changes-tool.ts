import Big from 'big.js';
import * as z from 'zod';
import { dayMs } from '../../core/clock.ts';
import { type AccountSummary, endpoints, type Position } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { cursor, since } from '../../core/mcp/arguments.ts';
import { listOutput } from '../../core/mcp/output-schemas.ts';
import { type Columns, paginate } from '../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../core/mcp/tool.ts';
import type { Approvals } from '../../core/orders/intent/approval-port.ts';
import { toIsoTimestamp } from '../../core/text/dates.ts';
import { formatMoney } from '../../core/text/format-figures.ts';
import { toCashFlows } from '../analytics/cash-flows.ts';
import { executions } from '../analytics/executions.ts';
import { listValues, valueAt } from '../analytics/return-period.ts';
import { computeSum, isSameCurrency } from '../analytics/sums.ts';
import { coverageFields, readOptions } from '../analytics/tools/coverage-fields.ts';
import { listOpenDrafts } from '../drafts/book/find-draft.ts';
import type { SubmissionDeps } from '../drafts/submission/submission.ts';
import { allDividends, allTransactions } from '../history/all-rows.ts';
import { describeImport } from '../history/coverage-notes.ts';
import { resolveRange, zoneOf } from '../history/date-range.ts';
import type { HistoryDeps } from '../history/history-deps.ts';
import { describeChanges } from './changes-sentence.ts';
import { type Change, findChanges, type Weights } from './find-changes.ts';
import type { LastAsked } from './last-asked.ts';

/** What the tool needs. */
export interface ChangesDeps extends HistoryDeps {
  readonly drafts: SubmissionDeps;
  readonly approvals: Approvals;
  readonly lastAsked: LastAsked;
}

/** The range for a host that never asked. */
const firstDays = 7;

const columns: Columns<Change> = {
  kind: ({ kind }) => kind,
  at: ({ at }) => (at === undefined ? undefined : toIsoTimestamp(at)),
  ticker: ({ ticker }) => ticker,
  name: ({ name }) => name,
  quantity: ({ quantity }) => quantity,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  detail: ({ detail }) => detail,
};

export const getChangesTool = defineTool({
  name: 'get_changes',
  title: 'What changed',
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
    'What changed or happened since a date or since you last asked: value, trades, dividends, fees, orders, drafts.',
  searchHint:
    'what changed, what happened, since last week, since yesterday, anything new in my account, catch me up, what happened while I was away or on holiday, recent account activity, news of my account, how much did I make today, summary of the week, what is new, any news on my account, update me, what did I miss, since I last asked, since Monday, recently, lately, this week, overview, recap, briefing, what has happened since',
  input: z.strictObject({ since: since(), cursor: cursor() }),
  output: {
    ...listOutput,
    message: z.string(),
    since: z.string(),
    currency: z.string().optional(),
    valueThen: z.string().optional(),
    valueNow: z.string().optional(),
    drafts: z.number(),
    approvals: z.number(),
    coverage: z.looseObject({}).optional(),
  },
  run: async (args, call, deps: ChangesDeps) => {
    const now = deps.clock.now();
    const account = await readAccount(call, deps);
    const { currency } = account.summary;
    const zone = zoneOf(deps, currency);
    const host = call.host.name ?? 'unknown';
    const asked = await deps.lastAsked.find(host, now);
    const given = resolveRange(args, zone, now).since;
    // All time is everything, which is no news; the first question has a week.
    const from = given ?? asked?.at ?? now - firstDays * dayMs;
    const options = readOptions(call, deps);
    const [past, stored] = await Promise.all([deps.pastValues(), deps.dailyValues()]);
    const values = listValues({ summary: account.summary, snapshots: [...past, ...stored], zone });
    const start = valueAt(values.own, from);
    // The value can be some days older, and what was paid in since then is part of the sentence.
    const range = { since: start?.at ?? from };
    const [orders, ended, dividends, transactions] = await Promise.all([
      deps.history.derive({ kind: 'orders', ...range }, executions, options),
      deps.history.read({ kind: 'orders', since: from }, options),
      deps.history.derive({ kind: 'dividends', ...range }, allDividends, options),
      deps.history.derive({ kind: 'transactions', ...range }, allTransactions, options),
    ]);
    const coverage = { orders: orders.coverage, dividends: dividends.coverage, transactions: transactions.coverage };
    const flows = toCashFlows(transactions.value);
    const weights = toWeights(account);
    const changes = findChanges({
      since: from,
      currency,
      trades: orders.value.trades,
      orders: ended.rows,
      dividends: dividends.value,
      flows,
      positions: account.positions,
      weights: given === undefined && asked ? { before: asked.weights, after: weights } : undefined,
    });
    const paidIn = computeSum(
      flows
        .filter(
          ({ at, isExternal, currency: own }) => start && at > start.at && isExternal && isSameCurrency(own, currency),
        )
        .map(({ amount }) => amount),
    );
    const drafts = (await listOpenDrafts(deps.drafts)).length;
    const approvals = (await deps.approvals.waiting()).length;
    const { complete, ...rest } = coverageFields(coverage, [], await describeImport(deps, ...Object.values(coverage)));
    await deps.lastAsked.note(host, { at: now, weights });
    return {
      asOf: Math.min(account.asOf, orders.asOf, dividends.asOf, transactions.asOf),
      fields: {
        message: describeChanges({
          since: from,
          zone,
          isSinceAsked: given === undefined && asked !== undefined,
          complete,
          currency,
          start,
          end: account.summary.totalValue,
          paidIn,
          changes,
          drafts,
          approvals,
        }),
        since: toIsoTimestamp(from),
        timeZone: zone,
        currency,
        valueThen: formatMoney(start?.value),
        valueNow: account.summary.totalValue,
        changes: changes.length,
        drafts,
        approvals,
        complete,
        ...rest,
      },
      list: paginate(changes, columns, args),
    };
  },
});

async function readAccount(call: ToolCall, deps: HistoryDeps) {
  const [summary, positions] = await Promise.all([
    deps.broker.call(endpoints.getAccountSummary, {}, call.context()),
    deps.broker.call(endpoints.listPositions, {}, call.context()),
  ]);
  return { summary: summary.data, positions: positions.data, asOf: Math.min(summary.answeredAt, positions.answeredAt) };
}

/** Weights in percent of the account's value; a position of unknown value has none. */
function toWeights({
  summary,
  positions,
}: {
  readonly summary: AccountSummary;
  readonly positions: readonly Position[];
}): Weights {
  const total = new Big(summary.totalValue ?? 0);
  if (!total.gt(0)) return {};
  return Object.fromEntries(
    positions.flatMap((position) => {
      const ticker = getTicker(position);
      const value = position.walletImpact?.currentValue;
      return ticker === undefined || value === undefined
        ? []
        : [[ticker, new Big(value).div(total).times(100).round(2).toNumber()]];
    }),
  );
}
