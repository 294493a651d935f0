/** What a person in a terminal does after a plan that made no draft. */
import { expect, test } from 'vitest';
import { BrokerageError, type ErrorCode } from '../../../../src/core/errors.ts';
import { getPlanStep } from '../../../../src/features/drafts/recurring/recurring-plans.ts';

const change = 'To change the plan, remove the plan with “brokerage-mcp plans remove”, and add it again';
const rest = '“brokerage-mcp import” reads the rest of the history; the plan is tried again after ten minutes.';

test.each<[string, ErrorCode, { complete?: boolean }, string]>([
  ['that a plan can change', 'no_price', {}, `${change} without the ticker, or with its price in assumedPrices.`],
  ['that no plan can change', 'unreachable', {}, 'Its own step.'],
  [
    'that the rest of the history can solve',
    'unknown_ticker',
    { complete: false },
    `${rest} ${change} with another ticker.`,
  ],
  ['of which the history is complete', 'unknown_ticker', { complete: true }, `${change} with another ticker.`],
  ['that only the rest of the history can solve', 'unreachable', { complete: false }, `${rest} Its own step.`],
])('a problem %s has its step', (_, code, facts, expected) => {
  expect(getPlanStep(new BrokerageError(code, 'A problem.', 'Its own step.', facts))).toBe(expected);
});
