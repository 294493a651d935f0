import * as z from 'zod';
import type { RateLimitStatus } from '../broker/rate-limit/limit-status.ts';
import { log, orElse } from '../log.ts';
import {
  amount,
  count,
  group,
  groups,
  oneOf,
  refusalOutput,
  ruleNames,
  table,
  text,
  texts,
  yesNo,
} from '../mcp/output-schemas.ts';
import { type Columns, toTable } from '../mcp/pagination.ts';
import { defineTool } from '../mcp/tool.ts';
import { listLimitations } from '../mcp/tool-listing.ts';
import { describeStoreChange, storeChangeStep } from '../orders/halt/store-change.ts';
import { outcomeNames } from '../orders/intent/outcome.ts';
import { type LimitKind, limitNames, limitRows } from '../orders/intent/risk-limits.ts';
import type { PlaceReply } from '../orders/place-result.ts';
import type { TradingState } from '../orders/read-orders.ts';
import { toolsets } from '../settings/config.ts';
import { toIsoTimestamp } from '../text/dates.ts';
import type { EndpointDeps } from './endpoint-deps.ts';

export const getServerStatus = defineTool({
  name: 'get_server_status',
  title: 'Server status',
  toolset: 'status',
  effect: 'reads',
  endpoints: [],
  description:
    'Whether and why trading is enabled or disabled, live or demo, connection, rate limits; what no tool can do: news, quotes.',
  searchHint:
    'can I trade, why can I not trade, why is trading disabled, are you able to place orders for me, am I in demo or live mode, is this real money or practice, live, demo or paper, is the connection working, server status, have I hit the rate limit, rate limits, what are my limits, approvals, what can you not do, any news, current price of share, what is it trading, how much can I withdraw to my bank, limits of this tool, permissions, allowed, read-only, is trading on or off, turned off, halted, blocked, refused, error, online, connected, sandbox, simulated, test money, news about company, headlines, stock quote, latest or live price of share I do not hold, how much can I take out or transfer to my bank, too many requests, slow',
  alwaysLoad: true,
  input: z.strictObject({}),
  output: () => ({
    readOnly: z.boolean(),
    toolsets: z.array(z.enum(toolsets)),
    configured: z.boolean(),
    store: group({ state: oneOf(['ok', 'changed', 'unavailable']), reason: text(), next: text() }),
    trading: group({
      state: oneOf(['on', 'off']),
      ...refusalOutput(),
      rule: oneOf([...ruleNames, 'read_only']),
      approval: text(),
    }),
    riskLimits: group(
      Object.fromEntries(limitNames.map((name) => [name, riskLimitSchemas[limitRows[name].kind]()] as const)),
    ),
    newestFault: group({ at: text(), task: text(), code: text(), place: text() }),
    foreignOrders: count(),
    openIntents: z.number(),
    intents: groups({
      intentId: text(),
      outcome: oneOf(outcomeNames),
      approved: yesNo(),
      order: text(),
      createdAt: text(),
    }),
    approvalsWaiting: z.number(),
    cannot: groups({ code: text(), reason: text() }),
    limitColumns: tableOfLimits().columns,
    limits: tableOfLimits().rows,
  }),
  run: async (_args, _call, deps: EndpointDeps) => {
    const { config } = deps;
    const missing = config.environment !== 'sandbox' && (!config.baseUrl || !config.credentials);
    // An unreadable store is reported in the result instead of failing the call.
    const { state, trouble: unreadable } = await deps.orderManager.state().then(
      (known) => ({ state: known, trouble: undefined }),
      (error: Error) => {
        log.fault('read the state of trading', error);
        return { state: undefined, trouble: error.message };
      },
    );
    const waiting = await deps.approvals.waiting().catch(orElse('a request', []));
    const trouble = unreadable ?? deps.getStoreError();
    const limits = toTable(await deps.allowance(), limitColumns);
    const fault = await deps.audit.newestFault().catch(orElse('read the newest fault', undefined));
    return {
      fields: {
        readOnly: config.readOnly,
        toolsets: config.toolsets,
        configured: !missing,
        ...(missing ? { note: `${config.environment} needs a base URL and a key.` } : {}),
        store: storeNow(state, trouble),
        trading: tradingNow(config, state, trouble),
        riskLimits: state?.limits,
        ...(fault ? { newestFault: { ...fault, at: toIsoTimestamp(fault.at) } } : {}),
        ...(state?.foreignOrders ? { foreignOrders: state.foreignOrders } : {}),
        openIntents: state?.openIntents.length ?? 0,
        intents: (state?.openIntents ?? []).slice(0, 20).map(summarize),
        approvalsWaiting: waiting.length,
        cannot: listLimitations(config, await deps.listMarketFiles()),
        limitColumns: limits.columns,
        limits: limits.rows,
      },
    };
  },
});

/** The schema of a risk limit by its kind. */
const riskLimitSchemas: Readonly<Record<LimitKind, () => z.ZodType>> = {
  amount,
  count,
  names: texts,
  namesOrAll: texts,
  switch: yesNo,
};

const limitColumns: Columns<RateLimitStatus> = {
  endpoint: ({ endpoint }) => endpoint,
  limit: ({ limit }) => limit,
  periodSeconds: ({ periodSeconds }) => periodSeconds,
  source: ({ source }) => source,
  free: ({ free }) => free,
  freeInSeconds: ({ freeInSeconds }) => freeInSeconds,
  cachedSecondsAgo: ({ cachedSecondsAgo }) => cachedSecondsAgo,
};

const tableOfLimits = () =>
  table(limitColumns, {
    limit: z.number(),
    periodSeconds: z.number(),
    free: z.number(),
    freeInSeconds: z.number(),
    cachedSecondsAgo: z.number(),
  });

function storeNow(state: TradingState | undefined, trouble: string | undefined) {
  if (trouble !== undefined) return { state: 'unavailable', reason: trouble };
  const change = state?.storeChange;
  return change ? { state: 'changed', reason: describeStoreChange(change), next: storeChangeStep } : { state: 'ok' };
}

function tradingNow(
  { readOnly }: EndpointDeps['config'],
  state: TradingState | undefined,
  trouble: string | undefined,
) {
  if (readOnly) return { state: 'off', rule: 'read_only', reason: 'This server is read-only.' };
  if (!state || trouble !== undefined) return { state: 'off', rule: 'store_unavailable', reason: trouble };
  return state.refusal
    ? { state: 'off', ...state.refusal, approval: state.approval }
    : { state: 'on', approval: state.approval };
}

const summarize = ({ id, outcome, isApproved, request, createdAt }: TradingState['openIntents'][number]) => ({
  intentId: id,
  outcome: outcome satisfies PlaceReply['outcome'],
  ...(isApproved ? { approved: true } : {}),
  order: `${request.side} ${request.quantity} ${request.ticker} ${request.type}`,
  createdAt: toIsoTimestamp(createdAt),
});
