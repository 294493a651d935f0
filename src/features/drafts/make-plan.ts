/** Plans orders for the account: reads what the planner needs, plans, and works out what each sale would realise. */

import Big from 'big.js';
import type { CallContext } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import type { TradableInstrument } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { BrokerageError } from '../../core/errors.ts';
import type { InstrumentDirectory } from '../../core/instruments/instrument-directory.ts';
import type { SaleMethod } from '../../core/mcp/order-arguments.ts';
import type { AccountBeside } from '../../core/mcp/tool.ts';
import { computeRate, type RecentFill, recentMs } from '../../core/orders/account/account-snapshot.ts';
import type { OrderManager } from '../../core/orders/order-manager.ts';
import type { TradableAccount } from '../../core/orders/tradable-account.ts';
import type { Environment } from '../../core/settings/config.ts';
import { foreignCurrency } from '../../core/text/sanitize-text.ts';
import { listNames } from '../analytics/names.ts';
import type { Trade } from '../analytics/trades.ts';
import type { TaxRecords } from '../gains/cost-entries.ts';
import { getRetryAfter } from '../history/coverage-notes.ts';
import type { Coverage, History, ReadOptions } from '../history/history-port.ts';
import { planOrders } from '../planner/build-plan.ts';
import { planGoals } from '../planner/plan-goals.ts';
import type {
  AssumedPrice,
  Plan,
  PlanAsset,
  PlanLeg,
  PlanProblem,
  PlanRequest,
  PlanSide,
} from '../planner/plan-types.ts';
import { type OwnHistory, readCostHistory, readOwnHistory } from './cost-history.ts';
import { toPlanError } from './plan-errors.ts';
import { toPlanAsset } from './plan-input.ts';
import { createSaleOutlook, type SaleOutlook, type WhatIf } from './sale-outlook.ts';
import { type Counted, readOthers, sumCash } from './weigh-accounts.ts';

export interface PlanDeps {
  readonly config: {
    readonly environment: Environment;
    readonly taxZone: string | undefined;
    readonly account?: { readonly name: string } | undefined;
  };
  readonly clock: Clock;
  readonly directory: InstrumentDirectory;
  readonly history: History;
  readonly taxRecords: () => Promise<TaxRecords>;
  readonly orderManager: Pick<OrderManager, 'readAccount'>;
}

export interface PlanQuestion extends PlanRequest {
  readonly assumedPrices?: readonly { readonly ticker: string; readonly price: string }[] | undefined;
  /** How sales are matched; `average` when undefined. With `raise`, the plan sells what gains least for its proceeds first. */
  readonly method?: SaleMethod | undefined;
}

/** A plan with what surrounds it. */
export interface AccountPlan {
  readonly plan: Plan;
  /** The price per share by ticker that the plan used, in the instrument's currency. */
  readonly prices: ReadonlyMap<string, string | undefined>;
  /** By ticker of the sales. */
  readonly whatIf: ReadonlyMap<string, WhatIf>;
  /** The realised gain of the tax year with all sales; undefined without sales, or when it is unknown. */
  readonly year: ReturnType<SaleOutlook['describeYear']>;
  readonly history: OwnHistory;
  readonly currency: string | undefined;
  /** The prices of its orders that the caller gave. */
  readonly assumed: readonly AssumedPrice[];
  /** Open orders that the plan trades against. */
  readonly opposed: readonly OpposedOrders[];
  /** The other accounts, where the weights are over all of them. */
  readonly counted: Counted | undefined;
  /** Tickers that are held and not part of the plan. */
  readonly untouched: number;
  /** The time of the account data (ms). */
  readonly asOf: number;
}

/** Open orders for a ticker of which the plan has an order in the other direction. */
interface OpposedOrders {
  readonly ticker: string;
  /** Of the open orders. */
  readonly side: PlanSide;
  readonly orders: number;
}

/** How long a plan waits (ms) for the newest page of the order history; one that ranks gains needs all of it. */
const historyWaitMs = 5_000;
const historyWaitForGainsMs = 20_000;

const ranksGains = ({ goal, method }: PlanQuestion): boolean => planGoals[goal].ranksGains && method !== undefined;

/** Milliseconds that a plan waits for the order history, so that the rest of its time is left for everything else. */
export const getHistoryWaitMs = (question: PlanQuestion): number =>
  ranksGains(question) ? historyWaitForGainsMs : historyWaitMs;

/**
 * Plans. `options` bound the wait for the order history; with `beside` the target weights count these accounts too.
 * Throws `unknown_ticker`, the problems of plan-errors.ts, and what reading the accounts throws.
 */
export async function makePlan(
  deps: PlanDeps,
  question: PlanQuestion,
  context: CallContext,
  { beside, ...options }: ReadOptions & { readonly beside?: readonly AccountBeside[] | undefined },
): Promise<AccountPlan> {
  const account = await deps.orderManager.readAccount(context);
  const counted = beside && (await readOthers(beside, { name: deps.config.account?.name ?? '', account }, context));
  const { byTicker } = await deps.directory.instruments(context);
  const afterOrders = { ...options, context: { ...options.context, notBefore: account.since } };
  const history = await readOwnHistory(deps.history, byTicker, afterOrders);
  const costs = await readCostHistory(deps.history, deps.taxRecords, options);
  const now = deps.clock.now();
  const outlook = createSaleOutlook({
    method: question.method ?? 'average',
    account,
    history,
    costs,
    keep: deps.history.keep,
    taxZone: deps.config.taxZone,
    now,
  });
  const instruments = await findInstruments(deps, question, account, context);
  const needsGains = ranksGains(question);
  if (needsGains && !history.coverage?.complete) throw historyIncomplete(history);
  const facts = {
    account,
    others: counted?.others.map((other) => other.account),
    history,
    fills: listRecentFills(history, now),
    assumedPrices: new Map(question.assumedPrices?.map(({ ticker, price }) => [ticker, price])),
    getLots: needsGains ? outlook.listLots : undefined,
  };
  const assets = instruments.map((instrument) => toPlanAsset(instrument, facts));
  const request = { ...question, leastGain: needsGains, limitsAssumedPrices: deps.config.environment === 'live' };
  const cash = requireCash(account);
  const { plan, problem } = planOrders(request, { cash, cashOfAll: counted && sumCash(cash, counted) }, assets);
  if (!plan) {
    const error = markPartial(
      toPlanError(
        problem,
        planGoals[question.goal].side,
        foreignCurrency(account.snapshot.summary.currency),
        findPriceCurrency(problem, instruments),
      ),
      problem,
      history.coverage,
      now,
    );
    const unknown = needsGains ? listUnknownCosts(assets) : [];
    throw unknown.length > 0 ? costUnknown(error, unknown) : error;
  }
  const opposed = findOpposed(plan, account);
  const assumed = listAssumed(plan, assets, instruments);
  return {
    ...describeSales(plan, outlook),
    plan,
    opposed,
    assumed,
    counted,
    ...describeAccount(account, assets, question),
    history,
  };
}

const currencyOf = (ticker: string, instruments: readonly NamedInstrument[]): string | undefined =>
  foreignCurrency(instruments.find((instrument) => instrument.ticker === ticker)?.currencyCode);

const findPriceCurrency = (problem: PlanProblem, instruments: readonly NamedInstrument[]): string | undefined =>
  problem.code === 'no_price' ? currencyOf(problem.ticker, instruments) : undefined;

const listAssumed = (
  { legs }: Plan,
  assets: readonly PlanAsset[],
  instruments: readonly NamedInstrument[],
): AssumedPrice[] =>
  legs.flatMap(({ ticker, priceFrom }) => {
    const price = assets.find((asset) => asset.ticker === ticker)?.price;
    if (priceFrom !== 'assumed' || price === undefined) return [];
    return [{ ticker, price, currency: currencyOf(ticker, instruments) }];
  });

/** The holdings that could be sold and have shares of unknown cost, so that they cannot be ranked by gain. */
const listUnknownCosts = (assets: readonly PlanAsset[]): string[] =>
  assets.filter(({ lots, sellable }) => lots === undefined && new Big(sellable).gt(0)).map(({ ticker }) => ticker);

const costUnknown = ({ code, message, facts }: BrokerageError, tickers: readonly string[]): BrokerageError =>
  new BrokerageError(
    code,
    `${message} The cost of ${listNames(tickers)} is unknown, so it is not ranked by its gain and not sold.`,
    'Omit method to sell in proportion, or enter the cost: summarize_realised_gains names the command for each row.',
    { ...facts, costUnknown: tickers },
  );

type NamedInstrument = TradableInstrument & { readonly ticker: string };

/** The instruments of the targets, or of what is held. Throws `unknown_ticker` for a target that does not exist. */
async function findInstruments(
  { directory }: PlanDeps,
  { targets }: PlanQuestion,
  { snapshot }: TradableAccount,
  context: CallContext,
): Promise<NamedInstrument[]> {
  const named: NamedInstrument[] = [];
  if (targets) {
    for (const { ticker } of targets) named.push({ ...(await directory.getOrThrow(ticker, context)), ticker });
    return named;
  }
  const { byTicker } = await directory.instruments(context);
  for (const position of snapshot.positions) {
    const ticker = getTicker(position);
    // What is no longer listed cannot be traded.
    const instrument = ticker === undefined ? undefined : byTicker(ticker);
    if (ticker !== undefined && instrument) named.push({ ...instrument, ticker });
  }
  return named;
}

/** Newest first, as the search for a last price expects them. */
function listRecentFills({ trades }: OwnHistory, now: number): RecentFill[] {
  const fills: RecentFill[] = [];
  for (let index = trades.length - 1; index >= 0; index--) {
    const trade = trades[index] as Trade;
    if (trade.at <= now - recentMs) break;
    const fill = toRecentFill(trade);
    if (fill) fills.push(fill);
  }
  return fills;
}

function toRecentFill({ ticker, currency, price, quantity, netValue }: Trade): RecentFill | undefined {
  if (!price?.gt(0)) return undefined;
  return { ticker, price: price.toFixed(), currency, rate: netValue && computeRate({ quantity, price, netValue }) };
}

function requireCash({ cash }: TradableAccount): string {
  if (cash) return cash.toFixed();
  throw new BrokerageError(
    'unexpected_answer',
    'The service did not report the available cash.',
    'Call plan_orders again later.',
  );
}

function historyIncomplete({ coverage }: OwnHistory): BrokerageError {
  const retryAfterSeconds = coverage && getRetryAfter([coverage]);
  const again =
    retryAfterSeconds === undefined
      ? 'Call fetch_history with kind orders until it is complete'
      : `It is being read: call plan_orders again in ${retryAfterSeconds} s`;
  return new BrokerageError(
    'history_incomplete',
    'The order history is not complete, so the gains of sales cannot be ranked.',
    `${again}, or omit method to sell in proportion.`,
    { missing: coverage?.missing, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  );
}

function describeSales(plan: Plan, outlook: SaleOutlook): Pick<AccountPlan, 'whatIf' | 'year'> {
  const sales = plan.legs.filter(({ side }) => side === 'SELL').map(toSale);
  return {
    whatIf: new Map(sales.map((sale) => [sale.ticker, outlook.describe(sale)])),
    year: sales.length > 0 ? outlook.describeYear(sales) : undefined,
  };
}

/** The plan counts open orders as executed, so it can sell what one of them still buys. */
const findOpposed = ({ legs }: Plan, account: TradableAccount): OpposedOrders[] =>
  legs
    .map(({ ticker, side }): OpposedOrders => {
      const opposite = side === 'SELL' ? 'BUY' : 'SELL';
      return { ticker, side: opposite, orders: account.countOpen(ticker, opposite) };
    })
    .filter(({ orders }) => orders > 0);

const toSale = ({ ticker, quantity, value, charges }: PlanLeg) => ({
  ticker,
  quantity: new Big(quantity),
  netProceeds: charges.reduce((net, { amount }) => net.minus(amount), new Big(value)),
});

function describeAccount({ snapshot }: TradableAccount, assets: readonly PlanAsset[], { targets }: PlanQuestion) {
  const planned = new Set(assets.map(({ ticker }) => ticker));
  return {
    prices: new Map(assets.map(({ ticker, price }) => [ticker, price])),
    currency: snapshot.summary.currency,
    untouched: targets ? snapshot.positions.filter((position) => !planned.has(getTicker(position) ?? '')).length : 0,
    asOf: snapshot.asOf,
  };
}

// Marks a problem of a plan that the rest of the order history could solve or change.

/**
 * Returns the error of `problem`, with the fact `complete: false` when it rests on fills that were not all read:
 * charges come from all of them, prices and rates from the last 30 days before `now` (ms). `coverage` is undefined
 * when nothing was read.
 */
export function markPartial(
  error: BrokerageError,
  { code }: PlanProblem,
  coverage: Coverage | undefined,
  now: number,
): BrokerageError {
  const isOpen = code === 'amount_over_holdings' || (needsPrice(code) && !reaches(coverage, now - recentMs));
  if (!isOpen || coverage?.complete) return error;
  return new BrokerageError(
    error.code,
    `${error.message} The order history is not complete: this rests on the fills read so far.`,
    `Call fetch_history with kind orders until it is complete, then plan_orders again. ${error.next}`,
    { ...error.facts, complete: false },
  );
}

const needsPrice = (code: PlanProblem['code']): boolean => code === 'no_price' || code === 'no_rate';

/** Whether everything since this time was read. */
const reaches = (coverage: Coverage | undefined, since: number): boolean =>
  coverage?.from === null || (coverage?.from !== undefined && Date.parse(coverage.from) <= since);
