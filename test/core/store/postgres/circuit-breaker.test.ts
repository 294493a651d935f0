/** When a database that does not respond is left alone, and for how long. */
import { expect, test } from 'vitest';
import { createCircuitBreaker } from '../../../../src/core/store/postgres/postgres-engine.ts';
import { sharedStoreUnavailable } from '../../../../src/core/store/postgres/postgres-errors.ts';

const timeout = () => sharedStoreUnavailable('no_answer', 'it does not respond in time');

function open(at = 1_000_000) {
  let now = at;
  const breaker = createCircuitBreaker({ now: () => now });
  const isOpen = () => {
    try {
      breaker.throwIfOpen();
      return false;
    } catch {
      return true;
    }
  };
  return {
    ...breaker,
    isOpen,
    at: (time: number) => {
      now = time;
    },
  };
}

test('a new breaker is closed', () => {
  expect(open().isOpen()).toBe(false);
});

test('after a timeout the database is left alone for five seconds, and each call gets the error', () => {
  const breaker = open(0);
  const error = timeout();
  breaker.recordFailure(error);
  expect(breaker.throwIfOpen).toThrow(error);
  breaker.at(4_999);
  expect(breaker.throwIfOpen).toThrow(error);
  breaker.at(5_000);
  expect(breaker.isOpen()).toBe(false);
});

test('the error that the breaker throws does not extend the time, and another timeout does', () => {
  const breaker = open(0);
  const error = timeout();
  breaker.recordFailure(error);
  breaker.at(4_000);
  breaker.recordFailure(error);
  breaker.at(5_000);
  expect(breaker.isOpen()).toBe(false);
  const second = timeout();
  breaker.recordFailure(second);
  breaker.at(9_999);
  expect(breaker.throwIfOpen).toThrow(second);
});

test('a clock that was set back does not extend the time', () => {
  const breaker = open(10_000);
  breaker.recordFailure(timeout());
  breaker.at(9_999);
  expect(breaker.isOpen()).toBe(false);
  breaker.at(10_000);
  expect(breaker.isOpen()).toBe(true);
});

test.each([
  [2_999, false],
  [3_000, true],
])('%i ms after a response, a timeout opens the breaker: %s', (ms, expected) => {
  const breaker = open(0);
  breaker.recordSuccess();
  breaker.at(ms);
  breaker.recordFailure(timeout());
  expect(breaker.isOpen()).toBe(expected);
});

test('a response closes the breaker, and an error that is not a timeout does not open it', () => {
  const breaker = open();
  breaker.recordFailure(sharedStoreUnavailable('unreachable', 'x'));
  breaker.recordFailure(new Error('x'));
  expect(breaker.isOpen()).toBe(false);
  breaker.recordFailure(timeout());
  breaker.recordSuccess();
  expect(breaker.isOpen()).toBe(false);
});
