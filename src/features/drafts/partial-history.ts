/** Marks a problem of a plan that the rest of the order history could solve or change. */
import { BrokerageError } from '../../core/errors.ts';
import { recentMs } from '../../core/orders/account/recent-fills.ts';
import type { Coverage } from '../history/history-port.ts';
import type { PlanProblem } from '../planner/plan-types.ts';

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
