/** Whether waiting can complete a result, by what failed. */
import { expect, test } from 'vitest';
import { canBecomeComplete } from '../../../src/features/documents/read-progress.ts';

const failed = (code: string) => ({ complete: false, error: { code, message: 'It failed.', next: 'Try again.' } });
const unread = { complete: false };
const whole = { complete: true };

test.each([
  ['pages are not read yet', { complete: false, coverage: { orders: unread, dividends: whole } }, true],
  ['the rate limit refused a request', { complete: false, coverage: { orders: failed('rate_limited') } }, true],
  ['the service did not respond in time', { complete: false, coverage: { orders: failed('timeout') } }, true],
  ['the service has an error of its own', { complete: false, coverage: { orders: failed('upstream_error') } }, true],
  ['the service cannot be reached', { complete: false, coverage: { orders: failed('unreachable') } }, false],
  ['the key is refused', { complete: false, coverage: { orders: failed('unauthorized') } }, false],
  [
    'one history fails and another is unread',
    { complete: false, coverage: { a: failed('forbidden'), b: unread } },
    true,
  ],
  [
    'one history fails and another is complete',
    { complete: false, coverage: { a: failed('forbidden'), b: whole } },
    false,
  ],
  ['nothing is missing', { complete: true, coverage: { orders: whole } }, false],
  ['the result has no history', {}, false],
])('when %s', (_, body, expected) => {
  expect(canBecomeComplete(body)).toBe(expected);
});
