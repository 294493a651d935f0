/**
 * The planner: from an intention and an account to the legs of a plan. Pure and exact. Each step happens once: what
 * the goal wants, the sales, one factor for the cash of the purchases, rounding, the minimum of an order. Ties are
 * broken by ticker, so the order of the arguments does not matter.
 */

import { Fraction, hundred, sum, zero } from './fraction.ts';
import { type PlanScope, planGoals } from './plan-goals.ts';
import {
  maxLegs,
  type Plan,
  type PlanAccount,
  type PlanAsset,
  type PlanProblem,
  type PlanRequest,
  type PlanResult,
} from './plan-types.ts';
import type { PlanTerms } from './planned-orders.ts';
import { reportPlan } from './report-plan.ts';
import { largestFirst, valueAsset } from './size-order.ts';
import type { WeightedAsset } from './wanted-change.ts';

/** What the goal may trade, and what is left out from the start. */
interface Scope extends PlanScope {
  readonly dropped: Plan['dropped'];
}

/**
 * Computes a plan. `assets` has every ticker of the targets, or every ticker held when there are no targets; others
 * are ignored. Returns a problem when the request cannot be planned; a plan without legs when nothing has to be done.
 */
export function planOrders(request: PlanRequest, account: PlanAccount, assets: readonly PlanAsset[]): PlanResult {
  const scope = checkRequest(request, account) ?? selectAssets(request, assets);
  if ('code' in scope) return { problem: scope };
  const { side, plan } = planGoals[request.goal];
  const worthless = scope.weighted.find(({ asset }) => !asset.order[side].price.gt(zero))?.asset;
  if (worthless) return { problem: { code: 'limit_offset_too_large', ticker: worthless.ticker } };
  const terms = readTerms(request, account);
  const planned = plan(request, scope, terms);
  if ('code' in planned) return { problem: planned };
  return {
    plan: reportPlan({ request, terms, cash: Fraction.parse(account.cash), dropped: scope.dropped, ...planned }),
  };
}

const readTerms = (request: PlanRequest, { cash, cashOfAll }: PlanAccount): PlanTerms => {
  const { amount = '0', band = '1', minOrderValue = '5', keepCash = '0' } = request;
  const counted = Fraction.parse(cashOfAll ?? '0');
  const joins = cashOfAll !== undefined && planGoals[request.goal].reachesTargets;
  return {
    amount: Fraction.parse(amount),
    band: Fraction.parse(band),
    minValue: Fraction.parse(minOrderValue),
    keepCash: Fraction.parse(keepCash),
    available: Fraction.parse(cash).minus(Fraction.parse(keepCash)),
    cashOfAll: counted,
    idle: joins ? counted.minus(Fraction.parse(amount)) : counted,
  };
};

/** The assets of the targets, each with its weight, or the assets held, weighted by their value. */
function selectAssets(request: PlanRequest, assets: readonly PlanAsset[]): Scope | PlanProblem {
  const byTicker = new Map(assets.map((asset) => [asset.ticker, asset]));
  if (!request.targets) return selectHeld(request, [...byTicker.values()]);
  const weighted: WeightedAsset[] = [];
  for (const { ticker, weightPercent } of request.targets.toSorted((a, b) => (a.ticker < b.ticker ? -1 : 1))) {
    const asset = byTicker.get(ticker);
    if (!asset) return { code: 'unknown_asset', ticker };
    const valued = valueAsset(asset, request);
    if (!valued) return { code: asset.price === undefined ? 'no_price' : 'no_rate', ticker };
    if (asset.priceFrom === 'assumed' && request.limitsAssumedPrices && request.orderType !== 'LIMIT')
      return { code: 'assumed_price_needs_limit', ticker };
    weighted.push({ asset: valued, weight: Fraction.parse(weightPercent).div(hundred) });
  }
  return { weighted, hasTargets: true, dropped: [] };
}

function selectHeld(request: PlanRequest, assets: readonly PlanAsset[]): Scope | PlanProblem {
  const { side } = planGoals[request.goal];
  const held = assets.filter((asset) => Fraction.parse(asset.held).gt(zero));
  const valued = held.flatMap((asset) => valueAsset(asset, request) ?? []).filter(({ value }) => value.gt(zero));
  const known = new Set(valued.map(({ ticker }) => ticker));
  const ranked = valued.sort(largestFirst(({ value }) => value));
  const chosen = ranked.slice(0, maxLegs);
  if (chosen.length === 0) return { code: 'nothing_held' };
  const all = sum(chosen.map(({ value }) => value));
  const drop = (ticker: string, reason: 'no_price' | 'leg_limit') =>
    ({ ticker, side, value: undefined, reason }) as const;
  return {
    weighted: chosen.map((asset) => ({ asset, weight: asset.value.div(all) })),
    hasTargets: false,
    dropped: [
      ...held.filter(({ ticker }) => !known.has(ticker)).map(({ ticker }) => drop(ticker, 'no_price')),
      ...ranked.slice(maxLegs).map(({ ticker }) => drop(ticker, 'leg_limit')),
    ],
  };
}

// Finds what is wrong with a request before anything is computed.

/** The first problem of the arguments, independent of the assets; undefined when there is none. */
function checkRequest(request: PlanRequest, account: PlanAccount): PlanProblem | undefined {
  return checkArguments(request) ?? checkCash(request, account);
}

/** The first problem of the arguments in themselves, whatever the account holds; undefined when there is none. */
export function checkArguments(request: PlanRequest): PlanProblem | undefined {
  return checkTargets(request) ?? checkAmount(request);
}

function checkTargets({ goal, targets, limitOffsetPercent = '0' }: PlanRequest): PlanProblem | undefined {
  if (planGoals[goal].needs === 'targets' && targets === undefined) return { code: 'targets_missing', goal };
  if (targets?.length === 0) return { code: 'targets_missing', goal };
  if (targets && targets.length > maxLegs) return { code: 'too_many_targets', most: maxLegs };
  const names = (targets ?? []).map(({ ticker }) => ticker).sort();
  const duplicate = names.find((name, index) => name === names[index + 1]);
  if (duplicate !== undefined) return { code: 'duplicate_target', ticker: duplicate };
  const total = sum((targets ?? []).map(({ weightPercent }) => Fraction.parse(weightPercent)));
  if (total.gt(hundred)) return { code: 'weights_over_100', total: total.toDecimal(10) };
  return Fraction.parse(limitOffsetPercent).abs().lt(hundred) ? undefined : { code: 'limit_offset_too_large' };
}

function checkAmount({ goal, amount, allowSells }: PlanRequest): PlanProblem | undefined {
  const { needs, side } = planGoals[goal];
  if (needs === 'amount' && !Fraction.parse(amount ?? '0').gt(zero)) return { code: 'amount_missing', goal };
  return side === 'SELL' && allowSells === false ? { code: 'goal_needs_sells', goal } : undefined;
}

function checkCash({ goal, amount, keepCash = '0' }: PlanRequest, { cash }: PlanAccount): PlanProblem | undefined {
  if (!planGoals[goal].reachesTargets) return undefined;
  const available = Fraction.parse(cash).minus(Fraction.parse(keepCash)).max(zero);
  const wanted = Fraction.parse(amount ?? '0');
  return wanted.gt(available) ? { code: 'amount_over_cash', most: available.toFixed(2) } : undefined;
}
