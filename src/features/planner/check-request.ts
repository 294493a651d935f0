/** Finds what is wrong with a request before anything is computed. */
import { Fraction, hundred, sum, zero } from './fraction.ts';
import { maxLegs, type PlanAccount, type PlanProblem, type PlanRequest } from './plan-types.ts';

/** The first problem of the arguments, independent of the assets; undefined when there is none. */
export function checkRequest(request: PlanRequest, account: PlanAccount): PlanProblem | undefined {
  return checkArguments(request) ?? checkCash(request, account);
}

/** The first problem of the arguments in themselves, whatever the account holds; undefined when there is none. */
export function checkArguments(request: PlanRequest): PlanProblem | undefined {
  return checkTargets(request) ?? checkAmount(request);
}

function checkTargets({ goal, targets, limitOffsetPercent = '0' }: PlanRequest): PlanProblem | undefined {
  if (goal === 'rebalance' && targets === undefined) return { code: 'targets_missing' };
  if (targets?.length === 0) return { code: 'targets_missing' };
  if (targets && targets.length > maxLegs) return { code: 'too_many_targets', most: maxLegs };
  const names = (targets ?? []).map(({ ticker }) => ticker).sort();
  const duplicate = names.find((name, index) => name === names[index + 1]);
  if (duplicate !== undefined) return { code: 'duplicate_target', ticker: duplicate };
  const total = sum((targets ?? []).map(({ weightPercent }) => Fraction.parse(weightPercent)));
  if (total.gt(hundred)) return { code: 'weights_over_100', total: total.toDecimal(10) };
  return Fraction.parse(limitOffsetPercent).abs().lt(hundred) ? undefined : { code: 'limit_offset_too_large' };
}

function checkAmount({ goal, amount, allowSells }: PlanRequest): PlanProblem | undefined {
  if (goal !== 'rebalance' && !Fraction.parse(amount ?? '0').gt(zero)) return { code: 'amount_missing' };
  return goal === 'raise' && allowSells === false ? { code: 'raise_needs_sells' } : undefined;
}

function checkCash({ goal, amount, keepCash = '0' }: PlanRequest, { cash }: PlanAccount): PlanProblem | undefined {
  if (goal === 'raise') return undefined;
  const available = Fraction.parse(cash).minus(Fraction.parse(keepCash)).max(zero);
  const wanted = Fraction.parse(amount ?? '0');
  return wanted.gt(available) ? { code: 'amount_over_cash', most: available.toFixed(2) } : undefined;
}
