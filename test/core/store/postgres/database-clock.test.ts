/** How far the clock of the database is ahead, from what is known about it. */
import { expect, test } from 'vitest';
import { createDatabaseClock } from '../../../../src/core/store/postgres/postgres-engine.ts';

function open(now = 1_000) {
  const own = { now: () => now, sleep: async () => undefined };
  return { own, clock: createDatabaseClock(own) };
}

test('before the first measurement nothing is known, and the time is that of this machine', () => {
  const { clock, own } = open();
  expect(clock.ahead()).toBeUndefined();
  expect(clock.now()).toBe(1_000);
  expect(clock.sleep).toBe(own.sleep);
});

test('the first measurement is taken in the middle of its bounds', () => {
  const { clock } = open();
  clock.recordTimestamp({ stampedAt: 5_000, askedAt: 1_000, answeredAt: 1_010 });
  expect(clock.ahead()).toBe(3_995);
  expect(clock.now()).toBe(4_995);
});

test.each([
  ['within its bounds changes nothing', 5_000, 3_995],
  ['that requires more moves the clock to its lower bound', 6_000, 4_989],
  ['that requires less moves the clock to its upper bound', 4_500, 3_501],
])('a later measurement %s', (_, stampedAt, expected) => {
  const { clock } = open();
  clock.recordTimestamp({ stampedAt: 5_000, askedAt: 1_000, answeredAt: 1_010 });
  clock.recordTimestamp({ stampedAt, askedAt: 1_000, answeredAt: 1_010 });
  expect(clock.ahead()).toBe(expected);
});

test('a time is a whole number of milliseconds', () => {
  const { clock } = open();
  clock.recordTimestamp({ stampedAt: 5_000.4, askedAt: 1_000, answeredAt: 1_001 });
  expect(clock.now()).toBe(5_000);
});
