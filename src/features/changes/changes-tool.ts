import Big from 'big.js';
import * as z from 'zod';
import { dayMs } from '../../core/clock.ts';
import { type AccountSummary, endpoints, type Position } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { nameInstruments } from '../../core/instruments/name-instruments.ts';
import { cursor, since } from '../../core/mcp/arguments.ts';
import { amount, listOutput, table, text } from '../../core/mcp/output-schemas.ts';
import { type Columns, paginate } from '../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../core/mcp/tool.ts';
import type { Approvals } from '../../core/orders/intent/approval-port.ts';
import { toIsoTimestamp } from '../../core/text/dates.ts';
import { formatMoney } from '../../core/text/format-figures.ts';
import { type CashFlow, toCashFlows } from '../analytics/cash-flows.ts';
import { executions, getFillMeaning } from '../analytics/executions.ts';
import { listValues, valueAt } from '../analytics/return-period.ts';
import { isSameCurrency, sumIfComplete, zero } from '../analytics/sums.ts';
import { coverageFields, coverageOutput, readOptions } from '../analytics/tools/coverage-fields.ts';
import type { Trade } from '../analytics/trades.ts';
import { getPlace, listOpenDrafts } from '../drafts/book/find-draft.ts';
import { isPastApproval } from '../drafts/submission/approve-draft.ts';
import type { SubmissionDeps } from '../drafts/submission/submission.ts';
import { allDividends, allTransactions } from '../history/all-rows.ts';
import { describeImport } from '../history/coverage-notes.ts';
import { resolveRange, zoneOf } from '../history/date-range.ts';
import type { HistoryDeps } from '../history/history-deps.ts';
import { historyEndpoints } from '../history/kinds.ts';
import { describeChanges } from './changes-sentence.ts';
import { type Change, changeKinds, findChanges, nameSeen } from './find-changes.ts';
import type { LastAsked, Weights } from './last-asked.ts';

/** What the tool needs. */
export interface ChangesDeps extends HistoryDeps {
  readonly drafts: SubmissionDeps;
  readonly approvals: Approvals;
  readonly lastAsked: LastAsked;
}

/** The range for a host that never asked. */
const firstDays = 7;
/** A row that comes later than this after its time is no news. */
const lateMs = 30 * dayMs;

const columns: Columns<Change> = {
  kind: ({ kind }) => kind,
  // No field has the time at which an order ended.
  at: ({ kind, at }) => (at === undefined || kind === 'order_ended' ? undefined : toIsoTimestamp(at)),
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
  endpoints: [...historyEndpoints, endpoints.getAccountSummary, endpoints.listPositions],
  description:
    'What changed, is new or happened (summary) since yesterday, a week ago or the previous call: value, trades.',
  searchHint:
    'what changed, what happened, since last week, since yesterday, anything new in my account, catch me up, what happened while I was away or on holiday, recent account activity, news of my account, how much did I make today, summary of the week, what is new, any news on my account, update me, what did I miss, since I last asked, since Monday, recently, lately, this week, overview, recap, briefing, what has happened since, anything new, am I up or down, this month, what happened since we last spoke, since my last visit, why is my account lower than yesterday, catch me up, give me a weekly summary, monthly summary, daily summary, activity since, in the last two weeks, anything I should know, updates, changes since, did anything happen overnight, been on holiday, been away, while I slept, differences, movements, gone down, gone up, dropped, what is going on with my account, latest, happening, digest, morning',
  input: z.strictObject({ since: since(), cursor: cursor() }),
  output: () => ({
    ...listOutput(),
    ...table(columns, { kind: z.enum(changeKinds) }),
    ...coverageOutput(),
    message: z.string(),
    since: z.string(),
    timeZone: text(),
    currency: text(),
    valueThen: amount(),
    valueNow: amount(),
    changes: z.number(),
    drafts: z.number(),
    approvals: z.number(),
  }),
  run: async (args, call, deps: ChangesDeps) => {
    const now = deps.clock.now();
    const account = await readAccount(call, deps);
    const { currency } = account.summary;
    const zone = zoneOf(deps, currency);
    const host = call.host.name ?? 'unknown';
    const given = resolveRange(args, zone, now).since;
    const asked = given === undefined ? await deps.lastAsked.find(host, now, args.cursor !== undefined) : undefined;
    // All time is everything, which is no news; the first question has a week.
    const from = given ?? asked?.at ?? now - firstDays * dayMs;
    const [past, daily] = await Promise.all([deps.pastValues(), deps.dailyValues()]);
    const values = listValues({ summary: account.summary, snapshots: [...past, ...daily], zone });
    const stored = valueAt(values.own, from);
    const seenFrom = given ?? Math.max(now - lateMs, Math.min(from, asked?.seenFrom ?? from));
    // The value can be some days older, and what was paid in since then is part of the sentence.
    const ranges = { rangeFrom: stored?.at ?? from, lookFrom: Math.min(from, seenFrom) };
    const { orders, ended, dividends, transactions, coverage } = await readHistories(call, deps, ranges);
    const flows = toCashFlows(transactions.value);
    const { trades } = orders.value;
    const traded = trades.filter(({ at }) => at >= ranges.lookFrom).map(({ ticker }) => ticker);
    const weights = toWeights(account);
    const question = {
      since: from,
      currency,
      trades,
      orders: ended.rows,
      dividends: dividends.value,
      flows,
      positions: account.positions,
      names: nameInstruments(deps.directory, traded),
      late: asked && { from: seenFrom, seen: new Set(asked.seen) },
      weights: asked?.weights && weights && { before: asked.weights, after: weights },
    };
    const changes = findChanges(question);
    const isAllRead = coverage.orders.from === null && coverage.transactions.from === null;
    const start = isAllRead && isBeforeFirst(from, { trades, flows }) ? { at: from, value: zero } : stored;
    const { drafts, approvals } = await countWaiting(deps, now);
    const { complete, ...rest } = coverageFields(coverage, [], await describeImport(deps, ...Object.values(coverage)));
    const asOf = Math.min(account.asOf, orders.asOf, dividends.asOf, transactions.asOf);
    // What this result lacks is not among what was seen, so it is news of the next one. A given range may begin too late.
    if (given === undefined && args.cursor === undefined)
      await deps.lastAsked.note(host, { at: Math.min(now, asOf), weights, ...nameSeen(question, seenFrom) });
    return {
      asOf,
      fields: {
        message: describeChanges({
          since: from,
          now,
          zone,
          isSinceAsked: asked !== undefined,
          complete,
          currency,
          start,
          end: account.summary.totalValue,
          paidIn: start && sumPaidIn({ trades, flows }, start.at, currency),
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

interface Moved {
  readonly trades: readonly Trade[];
  readonly flows: readonly CashFlow[];
}

/** Whether nothing had moved by then. A practice account can start with money that no row shows. */
const isBeforeFirst = (at: number, { trades, flows }: Moved): boolean =>
  [trades[0], flows[0]].every((first) => first === undefined || first.at >= at) &&
  flows.some(({ isExternal }) => isExternal);

/** What was paid in minus what was paid out; undefined where shares or money of another currency moved too. */
function sumPaidIn({ trades, flows }: Moved, since: number, currency: string | undefined): Big | undefined {
  const external = flows.filter(({ at, isExternal }) => at > since && isExternal);
  return trades.some(({ at, type }) => at > since && getFillMeaning(type) === 'transfer')
    ? undefined
    : sumIfComplete(external.map(({ amount, currency: own }) => (isSameCurrency(own, currency) ? amount : undefined)));
}

/** Drafts that can be sent, and approvals that a person is asked for, of an order or of a draft. */
async function countWaiting({ drafts, approvals }: ChangesDeps, now: number) {
  const place = await getPlace(drafts);
  const asked = await drafts.store.read((tx) => tx.listSubmissions({ ...place, states: ['awaiting_approval'] }));
  const waiting = asked.filter((submission) => !isPastApproval(submission, now));
  return {
    drafts: (await listOpenDrafts(drafts)).length,
    approvals: (await approvals.waiting()).length + waiting.length,
  };
}

async function readHistories(
  call: ToolCall,
  deps: HistoryDeps,
  { rangeFrom, lookFrom }: { readonly rangeFrom: number; readonly lookFrom: number },
) {
  const { history } = deps;
  const options = readOptions(call, deps);
  const [orders, ended, dividends, transactions] = await Promise.all([
    history.derive({ kind: 'orders', since: rangeFrom }, executions, options),
    history.read({ kind: 'orders', since: lookFrom }, options),
    history.derive({ kind: 'dividends', since: rangeFrom }, allDividends, options),
    history.derive({ kind: 'transactions', since: rangeFrom }, allTransactions, options),
  ]);
  const coverage = { orders: orders.coverage, dividends: dividends.coverage, transactions: transactions.coverage };
  return { orders, ended, dividends, transactions, coverage };
}

async function readAccount(call: ToolCall, deps: HistoryDeps) {
  const [summary, positions] = await Promise.all([
    deps.broker.call(endpoints.getAccountSummary, {}, call.context()),
    deps.broker.call(endpoints.listPositions, {}, call.context()),
  ]);
  return { summary: summary.data, positions: positions.data, asOf: Math.min(summary.answeredAt, positions.answeredAt) };
}

/** Weights in percent of the account's value; undefined where that is unknown. */
function toWeights({
  summary,
  positions,
}: {
  readonly summary: AccountSummary;
  readonly positions: readonly Position[];
}): Weights | undefined {
  const total = new Big(summary.totalValue ?? 0);
  if (!total.gt(0)) return undefined;
  return Object.fromEntries(
    positions.flatMap((position) => {
      const ticker = getTicker(position);
      const value = position.walletImpact?.currentValue;
      if (ticker === undefined) return [];
      return [[ticker, value === undefined ? null : new Big(value).div(total).times(100).round(2).toNumber()]];
    }),
  );
}
