/** When an order is open, overdue or abandoned: at each end, and one millisecond before and after it. */
import { describe, expect, test } from 'vitest';
import {
  type Intent,
  isAbandoned,
  isApprovalOver,
  isOpen,
  isOverdue,
} from '../../../../src/core/orders/intent/intent.ts';
import { intentStates } from '../../../../src/core/orders/intent/states.ts';
import { makeIntent, now } from '../risk/example-account.ts';

const order = (change: Partial<Intent>) => makeIntent({ id: 'a', ...change });
const approval = (expiresAt: number, askedAt = now) => ({ askedAt, expiresAt }) as Intent['approval'];

test('an undecided order is open however old it is, unless its time to be sent is over', () => {
  const open = intentStates.filter((state) => isOpen(order({ state, createdAt: 0 }), now));
  expect(open).toEqual(['DRAFT', 'SENDING', 'UNKNOWN', 'AMBIGUOUS', 'PROBABLY_ABSENT']);
});

test.each<[string, Partial<Intent>, boolean]>([
  ['waits for a person for another millisecond', { state: 'AWAITING_APPROVAL', approval: approval(now + 1) }, true],
  ['waited for a person until now', { state: 'AWAITING_APPROVAL', approval: approval(now) }, false],
  ['was approved a minute ago less a millisecond', { state: 'APPROVED', createdAt: now - 59_999 }, true],
  ['was approved a minute ago', { state: 'APPROVED', createdAt: now - 60_000 }, false],
  ['may be tried again for another millisecond', { state: 'NOT_SENT', retryUntil: now + 1 }, true],
  ['could be tried again until now', { state: 'NOT_SENT', retryUntil: now }, false],
  ['is not tried again', { state: 'NOT_SENT', createdAt: now }, false],
  // Two minutes are the longest, and clocks differ by at most five seconds.
  ['may be tried again for the longest time', { state: 'NOT_SENT', retryUntil: now + 125_000 }, true],
  ['would be tried again for longer than that', { state: 'NOT_SENT', retryUntil: now + 125_001 }, false],
])('an order that %s is open: %j %s', (_, change, expected) => {
  expect(isOpen(order(change), now)).toBe(expected);
});

test.each([
  ['created a minute ago', now - 60_000, true],
  ['created less than a minute ago', now - 59_999, false],
  ['created as far ahead as clocks differ', now + 5_000, false],
  ['created further ahead', now + 5_001, true],
])('an order without an approval, %s, is overdue: %i %s', (_, createdAt, expected) => {
  expect(isOverdue(order({ createdAt }), now)).toBe(expected);
});

test('an order with an approval is overdue when the approval is, however old it is', () => {
  expect(isOverdue(order({ createdAt: now - 120_000, approval: approval(now + 1) }), now)).toBe(false);
  expect(isOverdue(order({ createdAt: now, approval: approval(now) }), now)).toBe(true);
});

test.each([
  ['that ends now', now, now - 120_000, true],
  ['that ends in a millisecond', now + 1, now - 120_000, false],
  ['that ends after the longest time, and the difference of clocks', now + 305_000, now, false],
  ['that ends later than that', now + 305_001, now, true],
  ['that was asked for as far ahead as clocks differ', now + 120_000, now + 5_000, false],
  ['that was asked for before the clock was set back', now + 120_000, now + 5_001, true],
])('an approval %s is over: %i %i %s', (_, expiresAt, askedAt, expected) => {
  expect(isApprovalOver({ expiresAt, askedAt }, now)).toBe(expected);
});

describe('an order that is being sent', () => {
  const processes = { self: 'own', isAlive: (owner: string) => owner === 'other' };

  test.each<[string, Partial<Intent>, boolean]>([
    ['by a process that is alive is not', { sender: 'other', sentAt: now, answerBy: now + 15_000 }, false],
    ['by a process that died is', { sender: 'dead', sentAt: now, answerBy: now + 15_000 }, true],
    ['by no known process is not', { sender: undefined, sentAt: now, answerBy: now + 15_000 }, false],
    ['for less than twice the time of the response is not', { sentAt: now - 9_999, answerBy: now - 4_999 }, false],
    ['for twice the time of the response is', { sentAt: now - 10_000, answerBy: now - 5_000 }, true],
    ['without an end, for less than 30 seconds, is not', { sentAt: now - 29_999 }, false],
    ['without an end, for 30 seconds, is', { sentAt: now - 30_000 }, true],
    ['since its last change, for less than 30 seconds, is not', { sentAt: undefined, changedAt: now - 29_999 }, false],
    ['since its last change, for 30 seconds, is', { sentAt: undefined, changedAt: now - 30_000 }, true],
    ['as far ahead as clocks differ is not', { sentAt: now + 5_000 }, false],
    ['further ahead is', { sentAt: now + 5_001 }, true],
  ])('%s abandoned: %j %s', (_, change, expected) => {
    expect(isAbandoned(order({ state: 'SENDING', ...change }), processes, now)).toBe(expected);
  });
});
