/** The pace of the legs: the limit of orders per minute lets them wait instead of refusing them. */
import { listTimesOfMinute } from '../../../core/orders/risk/evaluate-order.ts';
import type { SubmissionDeps, SubmissionView } from './ports.ts';

/** Milliseconds until the limit per minute lets the next order of the account pass; 0 or less when it does now. */
export async function readPace(
  { clock, limits }: Pick<SubmissionDeps, 'clock' | 'limits'>,
  tx: SubmissionView,
  accountKey: string,
): Promise<number> {
  const now = clock.now();
  const { ordersPerMinute } = await limits(tx);
  const times = await listTimesOfMinute(tx, accountKey, now);
  const blocking = times.toSorted((a, b) => b - a)[ordersPerMinute - 1];
  return blocking === undefined ? 0 : blocking + 60_000 - now;
}
