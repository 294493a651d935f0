/**
 * What a draft has of the plan that made it: its legs, its name and its weights. A name is made of counts and amounts, never
 * of text that a model wrote.
 */

import Big from 'big.js';
import type { TimeValidity } from '../../../core/orders/intent/order-request.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { defaultLocale, writePercent } from '../../../core/text/format-money.ts';
import type { Plan, PlanGoal, PlanLeg } from '../../planner/plan-types.ts';
import { goalWords } from '../goal-words.ts';
import type { Draft, DraftLeg, DraftVersion, LegWeight } from './draft.ts';

/** The source of drafts that `plan_orders` made. */
export const planSource = 'plan_orders';

const recurringSource = 'plan ';

/** The source of drafts that a recurring plan made. */
export const nameRecurringSource = (plan: string): string => `${recurringSource}${plan}`;

/** The recurring plan that made a draft; undefined for a draft of another source. */
export const readPlanName = (source: string): string | undefined =>
  source.startsWith(recurringSource) ? source.slice(recurringSource.length) : undefined;

/** What a plan is named after. `amount` and `currency` are undefined when the plan has none. */
export interface PlanName {
  readonly goal: PlanGoal;
  /** In the account currency, an exact decimal. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  /** The tickers that are rebalanced, bought or sold. */
  /** Undefined for what is held. */
  readonly tickers: number | undefined;
}

/** Returns a name such as `Invest 500.00 GBP in 3 instruments`. The sign that separates thousands is not allowed in names. */
export function namePlan({ goal, amount, currency, tickers }: PlanName): string {
  const money =
    amount === undefined || amount === '0' ? undefined : [toMoney(amount), currency].filter(Boolean).join(' ');
  return goalWords[goal].nameDraft(money, nameCount(tickers));
}

const nameCount = (tickers: number | undefined): string =>
  tickers === undefined ? 'all holdings' : tickers === 1 ? 'one instrument' : countOf(tickers, 'instrument');

/**
 * The name under which a draft is shown: its own, or one from its legs such as `2 buys and 1 sell`. The name of a plan
 * says what was planned, so it is marked when the legs changed.
 */
export function nameDraft({ name, source, version }: Draft, legs: readonly DraftLeg[]): string {
  if (name !== undefined) return source === planSource && version > 1 ? `${name} (edited)` : name;
  return countSides(legs);
}

function countSides(orders: readonly Pick<DraftLeg, 'side'>[]): string {
  const buys = orders.filter(({ side }) => side === 'BUY').length;
  const sells = orders.length - buys;
  return [...(buys > 0 ? [countOf(buys, 'buy')] : []), ...(sells > 0 ? [countOf(sells, 'sell')] : [])].join(' and ');
}

/** Two decimals at least; all that the caller gave. */
const toMoney = (amount: string): string => {
  const [whole, decimals = ''] = amount.split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
};

// The weights of a draft that a plan computed, with the legs as they are now. Pure.

/** One ticker in percent of the planned tickers, with four decimals at most. */
export interface DraftWeight {
  readonly ticker: string;
  readonly before: string;
  readonly target: string | undefined;
  readonly after: string;
}

/**
 * The weights of the tickers for which the plan has a leg: a leg that a person made smaller moves less, one that was
 * removed moves nothing. Undefined for legs that no plan computed, and once some were sent, because the account has
 * moved since. `versions` are all versions, oldest first.
 */
export function listDraftWeights(versions: readonly DraftVersion[]): readonly DraftWeight[] | undefined {
  const at = versions.findLastIndex(({ channel }) => channel === 'tool');
  const planned = versions[at];
  const edits = versions.slice(at + 1);
  if (!planned || edits.some(({ channel }) => channel === 'submission')) return undefined;
  const { legs } = edits.at(-1) ?? planned;
  const weights = planned.legs.map((leg) => toWeightNow(leg, legs));
  return weights.length > 0 && weights.every((weight) => weight !== undefined) ? weights : undefined;
}

/** A plan has at most one leg for a ticker. */
function toWeightNow({ ticker, quantity, weight }: DraftLeg, legs: readonly DraftLeg[]): DraftWeight | undefined {
  if (!weight) return undefined;
  const now = legs.find((leg) => leg.ticker === ticker)?.quantity ?? 0;
  const missing = new Big(1).minus(new Big(now).div(quantity));
  const after = new Big(weight.after).minus(missing.times(weight.change)).round(4).toFixed();
  return { ticker, before: weight.before, target: weight.target, after };
}

// The legs of a plan as the legs of a draft.

/**
 * The legs with the price that they were sized with, and one sentence on why each is there. `prices` are by ticker,
 * in the instrument's currency. A limit order without `timeValidity` ends with the day.
 */
export function toDraftLegs(
  { legs, weights, base }: Plan,
  {
    goal,
    prices,
    timeValidity = 'DAY',
  }: {
    readonly goal: PlanGoal;
    readonly prices: ReadonlyMap<string, string | undefined>;
    readonly timeValidity?: TimeValidity | undefined;
  },
): DraftLeg[] {
  return legs.map((leg): DraftLeg => {
    const { type, ticker, side, quantity, limitPrice } = leg;
    return {
      type,
      ticker,
      side,
      quantity,
      ...(type === 'LIMIT' ? { limitPrice, timeValidity } : {}),
      reason: explain(leg, goal, weights),
      price: prices.get(ticker),
      ...(leg.priceFrom === 'assumed' ? { isPriceAssumed: true as const } : {}),
      weight: toWeight(leg, weights, base),
    };
  });
}

/** As many decimals as the percentages of a plan have. */
const percentDecimals = 4;

function toWeight({ ticker }: PlanLeg, weights: Plan['weights'], base: string): LegWeight | undefined {
  const row = weights.find((one) => one.ticker === ticker);
  if (!row || !new Big(base).gt(0)) return undefined;
  const change = new Big(row.valueAfter).minus(row.valueBefore).div(base).times(100).toFixed(percentDecimals);
  return { before: row.percentBefore, target: row.percentTarget, after: row.percentAfter, change };
}

function explain({ ticker }: PlanLeg, goal: PlanGoal, weights: Plan['weights']): string {
  const weight = weights.find((row) => row.ticker === ticker);
  if (!weight) return goal;
  const { percentBefore, percentAfter, percentTarget } = weight;
  const [before, after, target = ''] = [percentBefore, percentAfter, percentTarget].map(
    (percent) => percent && writePercent(percent, defaultLocale),
  );
  return `${goal}: from ${before} to ${after}${target && `, target ${target}`}.`;
}
