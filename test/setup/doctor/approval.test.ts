import { expect, test } from 'vitest';
import type { ApprovalMethod } from '../../../src/core/orders/intent/approval-methods.ts';
import type { Environment } from '../../../src/core/settings/config.ts';
import { needsPassphrase } from '../../../src/setup/doctor/trading-checks.ts';

test.each<[Environment, ApprovalMethod | 'none', boolean]>([
  ['demo', 'page', true],
  ['demo', 'terminal', true],
  ['demo', 'elicitation', false],
  ['demo', 'none', false],
  ['live', 'page', true],
  ['live', 'terminal', true],
  ['live', 'elicitation', true],
])('in %s with approval by %s, orders need a passphrase: %s', (environment, method, expected) => {
  expect(needsPassphrase(environment, method)).toBe(expected);
});
