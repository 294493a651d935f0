/** Which orders of the account may be the one whose response was lost. */
import { describe, expect, test } from 'vitest';
import type { Order } from '../../../../src/core/endpoints/index.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import {
  isCandidate,
  matchesBalanceChange,
  submissionWindow,
} from '../../../../src/core/orders/reconcile/match-order.ts';
import { isSearchDue, roundDueAt } from '../../../../src/core/orders/reconcile/reconcile-schedule.ts';

const sentAt = Date.UTC(2026, 0, 15, 15);
const intent = {
  id: 'i',
  request: {
    ticker: 'ABC_EQ',
    side: 'BUY',
    type: 'LIMIT',
    quantity: '2',
    limitPrice: '10',
    timeValidity: 'GOOD_TILL_CANCEL',
  },
  baseline: { askedAt: sentAt, pendingIds: ['7'], position: '10', cash: '1000', price: '10', serviceOffsetMs: 0 },
  changedAt: sentAt + 500,
  sentAt,
  answerBy: sentAt + 15_000,
  value: '20.40',
} as unknown as Intent;
const sale = { ...intent, request: { ...intent.request, side: 'SELL' } } as Intent;
const window = submissionWindow(intent, 0);

const at = (ms: number) => ({ createdAt: new Date(sentAt + ms).toISOString() });
const listed = {
  id: '9',
  ticker: 'ABC_EQ',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '2.0',
  limitPrice: '10.00',
  timeInForce: 'GOOD_TILL_CANCEL',
  ...at(1_000),
  initiatedFrom: 'API',
} as unknown as Order;

describe('a candidate', () => {
  test.each<[string, Partial<Order>, boolean]>([
    ['is the same order', {}, true],
    ['may lack its origin', { initiatedFrom: undefined }, true],
    ['may lack its time in force', { timeInForce: undefined }, true],
    ['may lack its time', { createdAt: undefined }, true],
    ['may lack its side', { side: undefined }, true],
    ['has the sign of its side where the side is missing', { side: undefined, quantity: '-2' }, false],
    ['may have a sign beside its side', { quantity: '-2' }, true],
    ['has a quantity', { quantity: undefined }, false],
    ['has an id', { id: undefined }, false],
    ['was not there before', { id: '7' }, false],
    ['came from a program', { initiatedFrom: 'WEB' }, false],
    ['was made 30 s before it was sent at the earliest', at(-30_000), true],
    ['was not made before that', at(-30_001), false],
    ['was made 30 s after its response was due at the latest', at(45_000), true],
    ['was not made after that', at(45_001), false],
    ['has the same ticker', { ticker: 'OTHER' }, false],
    ['has the same side', { side: 'SELL' }, false],
    ['has the same quantity', { quantity: '2.1' }, false],
    ['has the same type', { type: 'STOP' }, false],
    ['has the same price', { limitPrice: '10.01' }, false],
    ['has the price that was asked for', { limitPrice: undefined }, false],
    ['has no price that was not asked for', { stopPrice: '9' }, false],
    ['has the same validity', { timeInForce: 'DAY' }, false],
  ])('%s', (_, change, expected) => {
    expect(isCandidate({ ...listed, ...change }, intent, window)).toBe(expected);
  });

  test('of an order without a validity may have any', () => {
    const anyTime = { ...intent, request: { ...intent.request, timeValidity: undefined } } as Intent;
    expect(isCandidate({ ...listed, timeInForce: 'DAY' }, anyTime, window)).toBe(true);
  });

  test.each([
    ['at the send', intent, undefined, 0, 30_000],
    [
      'at the send, whatever it is now: the clock of this machine may have been corrected',
      intent,
      3_600_000,
      0,
      30_000,
    ],
    ['now', { ...intent, baseline: { ...intent.baseline, serviceOffsetMs: undefined } }, 3_600_000, 3_600_000, 30_000],
    ['never', { ...intent, baseline: { ...intent.baseline, serviceOffsetMs: undefined } }, undefined, 0, 120_000],
  ])('is searched for in the time of the broker, as it was known %s', (_, lost, offset, shift, margin) => {
    expect(submissionWindow(lost as Intent, offset)).toEqual({
      from: sentAt + shift - margin,
      to: sentAt + 15_000 + shift + margin,
    });
  });

  test('of an order without a time of sending is searched for around its last change', () => {
    const older = { ...intent, sentAt: undefined, answerBy: undefined } as Intent;
    expect(submissionWindow(older, 0)).toEqual({ from: sentAt + 500 - 30_000, to: sentAt + 500 + 30_000 });
  });
});

describe('the account shows an order', () => {
  test.each<[string, Intent, { position?: string; cash?: string | undefined }, boolean]>([
    ['when the shares came', intent, { position: '12' }, true],
    ['when a part of the shares came', intent, { position: '10.01' }, true],
    ['not when more shares came', intent, { position: '12.01' }, false],
    ['not when shares went', intent, { position: '8' }, false],
    ['of a sale when the shares went', sale, { position: '8' }, true],
    ['of a sale not when more shares went', sale, { position: '7.99' }, false],
    ['of a sale not when shares came', sale, { position: '12' }, false],
    ['not when nothing moved', intent, {}, false],
    ['of a sale not when nothing moved', sale, {}, false],
    // Its value is 20.40: from 18.36 to 22.44.
    ['when nine tenths of its value were spent', intent, { cash: '981.64' }, true],
    ['not when less was spent', intent, { cash: '981.65' }, false],
    ['when eleven tenths of its value were spent', intent, { cash: '977.56' }, true],
    ['not when more was spent', intent, { cash: '977.55' }, false],
    ['not when its value came', intent, { cash: '1020.40' }, false],
    ['of a sale when its value came', sale, { cash: '1020.40' }, true],
    ['of a sale not when its value went', sale, { cash: '979.60' }, false],
    ['not by an unknown value', { ...intent, value: undefined }, { cash: '979.60' }, false],
    ['not by a value of zero', { ...intent, value: '0' }, { cash: '979.60' }, false],
    ['not by unknown cash', intent, { cash: undefined }, false],
    ['not by cash that was unknown', { ...intent, baseline: { ...intent.baseline, cash: undefined } }, {}, false],
  ])('%s', (_, lost, change, expected) => {
    expect(matchesBalanceChange(lost, { position: '10', cash: '1000', ...change })).toBe(expected);
  });
});

test('the rounds are at 0, 5, 10, 20, 40, 80 and 160 seconds, then every five minutes for an hour', () => {
  const late = Array.from({ length: 12 }, (_, index) => 160 + (index + 1) * 300);
  const seconds = Array.from({ length: 19 }, (_, round) => roundDueAt(1_000, round));
  expect(seconds).toEqual([0, 5, 10, 20, 40, 80, 160, ...late].map((second) => 1_000 + second * 1000));
});

test.each([
  [0, true],
  [1, false],
  [3_605_000, false],
  // Further ahead than any pause: the clock was set back since.
  [3_605_001, true],
])('a round that is due in %d ms may run now: %s', (ms, expected) => {
  expect(isSearchDue({ lostAt: sentAt, round: 1, nextAt: sentAt + ms }, sentAt)).toBe(expected);
});

test('a search goes on at once after the clock was set back to before the loss', () => {
  const search = (lostAt: number) => ({ lostAt, round: 2, nextAt: lostAt + 10_000 });
  expect(isSearchDue(search(sentAt + 3_600_000), sentAt)).toBe(true);
  expect(isSearchDue(search(sentAt + 5_001), sentAt)).toBe(true);
  // The clocks of processes differ by this much.
  expect(isSearchDue(search(sentAt + 5_000), sentAt)).toBe(false);
});
