/** Which problems of a plan rest on fills that were not all read. */
import { expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { markPartial } from '../../../src/features/drafts/make-plan.ts';
import type { Coverage } from '../../../src/features/history/history-port.ts';
import type { PlanProblem } from '../../../src/features/planner/plan-types.ts';

const now = Date.UTC(2026, 0, 31);
const error = new BrokerageError('no_price', 'No price is known.', 'Leave it out.', { problem: 'no_price' });
const marked = {
  code: 'no_price',
  message: 'No price is known. The order history is not complete: this rests on the fills read so far.',
  next: 'Call fetch_history with kind orders until it is complete, then plan_orders again. Leave it out.',
  facts: { problem: 'no_price', complete: false },
};
const read = (from: string | null, complete = false): Coverage => ({ from, complete, rows: 1 });
const nothing: Coverage = { complete: false, rows: 0 };

// Charges come from all fills; prices and rates from those of the last 30 days, which began on 1 January.
test.each<[PlanProblem['code'], Coverage | undefined, isMarked: boolean]>([
  ['amount_over_holdings', undefined, true],
  ['amount_over_holdings', read(null), true],
  ['amount_over_holdings', read('2026-01-01T00:00:00Z'), true],
  ['amount_over_holdings', read(null, true), false],
  ['no_price', undefined, true],
  ['no_price', nothing, true],
  ['no_price', read('2026-01-01T00:00:00.001Z'), true],
  ['no_price', read('2026-01-01T00:00:00Z'), false],
  ['no_price', read(null), false],
  ['no_price', read('2026-01-15T00:00:00Z', true), false],
  ['no_rate', read('2026-01-15T00:00:00Z'), true],
  ['no_rate', read('2025-12-15T00:00:00Z'), false],
  ['amount_over_cash', undefined, false],
  ['weights_over_100', read('2026-01-15T00:00:00Z'), false],
  ['nothing_held', nothing, false],
])('%s with fills of %j is marked: %s', (code, coverage, isMarked) => {
  const result = markPartial(error, { code } as PlanProblem, coverage, now);
  if (!isMarked) return expect(result).toBe(error);
  const { message, next, facts } = result;
  expect({ code: result.code, message, next, facts }).toEqual(marked);
});
