/** What a caller is told of an order in each state, and at the end of each time limit. */
import { describe, expect, test } from 'vitest';
import { accessFixes } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { getRefusalFix, type OutcomeName, toOutcome } from '../../../../src/core/orders/intent/outcome.ts';
import { makeIntent, now } from '../risk/example-account.ts';

const outcome = (change: Partial<Intent>) => toOutcome(makeIntent({ id: 'a', createdAt: now, ...change }), now);
const waits = { askedAt: now, expiresAt: now + 1 } as Intent['approval'];
const isOver = { askedAt: now - 1, expiresAt: now } as Intent['approval'];

test.each<[string, Partial<Intent>, OutcomeName]>([
  ['DRAFT', { state: 'DRAFT' }, 'not_sent'],
  ['REFUSED', { state: 'REFUSED' }, 'refused'],
  ['AWAITING_APPROVAL', { state: 'AWAITING_APPROVAL', approval: waits }, 'pending_approval'],
  ['AWAITING_APPROVAL, overdue', { state: 'AWAITING_APPROVAL', approval: isOver }, 'expired'],
  ['DECLINED', { state: 'DECLINED' }, 'declined'],
  [
    'DECLINED in a form',
    { state: 'DECLINED', approval: { ...isOver, by: 'elicitation' } as Intent['approval'] },
    'declined',
  ],
  ['EXPIRED', { state: 'EXPIRED' }, 'expired'],
  ['APPROVED without a person', { state: 'APPROVED' }, 'unknown'],
  ['APPROVED without a person, overdue', { state: 'APPROVED', createdAt: now - 60_000 }, 'expired'],
  ['APPROVED by a person', { state: 'APPROVED', approval: waits }, 'pending_approval'],
  ['APPROVED by a person, overdue', { state: 'APPROVED', approval: isOver }, 'expired'],
  ['NOT_SENT', { state: 'NOT_SENT' }, 'not_sent'],
  ['NOT_SENT, tried again until now', { state: 'NOT_SENT', retryUntil: now }, 'not_sent'],
  ['NOT_SENT, tried again', { state: 'NOT_SENT', retryUntil: now + 1 }, 'unknown'],
  ['SENDING', { state: 'SENDING' }, 'unknown'],
  ['PLACED', { state: 'PLACED' }, 'placed'],
  ['PLACED, whose approval is over', { state: 'PLACED', approval: isOver }, 'placed'],
  ['REJECTED', { state: 'REJECTED' }, 'rejected'],
  ['UNKNOWN', { state: 'UNKNOWN' }, 'unknown'],
  ['AMBIGUOUS', { state: 'AMBIGUOUS' }, 'unknown'],
  ['PROBABLY_ABSENT', { state: 'PROBABLY_ABSENT' }, 'unknown'],
  ['CLOSED', { state: 'CLOSED' }, 'unknown'],
])('an order in %s', (_, change, expected) => {
  expect(outcome(change).outcome).toBe(expected);
});

test('an order that may be live is not to be placed again', () => {
  for (const state of ['SENDING', 'UNKNOWN', 'AMBIGUOUS', 'PROBABLY_ABSENT', 'CLOSED'] as const)
    expect(outcome({ state }).message).toContain('Do not place it again');
});

test('an order that a person approved is not to be approved again', () => {
  const { message, next } = outcome({ state: 'APPROVED', approval: waits });
  expect(message).toMatch(/^The human approved/);
  expect(next).toBe(outcome({ state: 'UNKNOWN' }).next);
});

test.each([
  ['elicitation', /^The host/],
  ['page', /^The human/],
  [undefined, /^The human/],
] as const)('an order that was declined by %s was declined by a person only where one did it', (by, message) => {
  const approval = { ...isOver, by } as Intent['approval'];
  expect(outcome({ state: 'DECLINED', approval }).message).toMatch(message);
});

test('an approval in a form says nothing of an order that was placed', () => {
  const approval = { ...isOver, by: 'elicitation' } as Intent['approval'];
  expect(outcome({ state: 'PLACED', approval })).toEqual(outcome({ state: 'PLACED' }));
});

describe('the next step after a rejection', () => {
  const nextOf = (change: Partial<Intent>) => outcome({ state: 'REJECTED', ...change });
  const usual = nextOf({}).next;

  test.each<[string, Partial<Intent>, string | undefined]>([
    ['is that of the key, where it is refused', { errorCode: 'unauthorized' }, accessFixes.unauthorized],
    ['is that of the code of the broker', { brokerCode: 'price-too-far' }, getRefusalFix('price-too-far')],
    [
      'is that of the key before that of the broker',
      { errorCode: 'forbidden', brokerCode: 'price-too-far' },
      accessFixes.forbidden,
    ],
    [
      'is that of the code of the broker, where the error has none',
      { errorCode: 'rejected', brokerCode: 'price-too-far' },
      getRefusalFix('price-too-far'),
    ],
    ['is to correct the problem, where the code is not known', { brokerCode: 'some-other-code' }, usual],
  ])('%s', (_, change, next) => {
    expect(nextOf(change)).toMatchObject({ outcome: 'rejected', next });
    expect(outcome({ ...change, state: 'PLACED' }).next).toBe(outcome({ state: 'PLACED' }).next);
  });
});

test('a result has what the row says, and nothing of what it does not', () => {
  expect(
    outcome({ orderId: '7', orderStatus: 'NEW', rule: 'cash', largestQuantity: '4', nearestPrice: '22.00' }),
  ).toMatchObject({
    intentId: 'a',
    orderId: '7',
    status: 'NEW',
    rule: 'cash',
    largestQuantity: '4',
    nearestPrice: '22.00',
  });
  expect(outcome({ state: 'REJECTED', brokerCode: 'x', reason: 'y' })).toMatchObject({ brokerCode: 'x', reason: 'y' });
  const { mismatch, earlierOrder, retryAfterSeconds } = outcome({ mismatch: [] });
  expect([mismatch, earlierOrder, retryAfterSeconds]).toEqual([undefined, undefined, undefined]);
});

test('a response that differs from the request is told immediately, with the fields', () => {
  const result = outcome({ mismatch: ['quantity', 'side'] });
  expect(result.mismatch).toEqual(['quantity', 'side']);
  expect(result.message).toBe(
    `${outcome({}).message} But the broker's response differs from the request in: quantity, side.`,
  );
  expect(result.next).toMatch(/^Tell the user immediately/);
  expect(outcome({ mismatch: [] })).toEqual(outcome({}));
});

test('the quantity that would pass is the next step after a refusal alone', () => {
  const refused = outcome({ state: 'REFUSED' }).next;
  expect(outcome({ state: 'REFUSED', largestQuantity: '4' }).next).toBe(`${refused} A quantity of up to 4 would pass.`);
  expect(outcome({ state: 'PLACED', largestQuantity: '4' }).next).toBe(outcome({ state: 'PLACED' }).next);
});

describe('an order that equals an earlier one', () => {
  const earlier = { intentId: 'b', orderId: '7' };
  const result = (change: Partial<Intent['earlier']>) =>
    outcome({ state: 'NOT_SENT', earlier: { ...earlier, ...change } });

  test('that ended without a fill can be repeated on purpose', () => {
    const { message, next, earlierOrder, retryAfterSeconds } = result({ status: 'CANCELLED', readableAt: now + 9_000 });
    expect(message).toBe(
      'Nothing new was sent: this equals order 7, which was placed before. Order 7 ended as CANCELLED without a fill.',
    );
    expect(next).toContain('repeatOf');
    expect(earlierOrder).toEqual({ ...earlier, pending: false, status: 'CANCELLED' });
    expect(retryAfterSeconds).toBeUndefined();
  });

  test.each([
    [now + 1_001, 2, 'Try again in 2 s:'],
    [now + 1_000, 1, 'Try again in 1 s:'],
    [now + 1, 1, 'Try again in 1 s:'],
    [now, undefined, 'Try again:'],
    [now - 1_000, undefined, 'Try again:'],
    [undefined, undefined, 'Try again:'],
  ])('whose end is unknown can be read at %s, in %s s', (readableAt, seconds, start) => {
    const { message, next, earlierOrder, retryAfterSeconds } = result({ readableAt });
    expect(message).toBe(
      'Nothing new was sent: this equals order 7, which was placed before. Order 7 is no longer pending; it is not yet known whether it was filled or cancelled.',
    );
    expect(next).toBe(
      `${start} get_order with orderId 7 returns how it ended. Then place the order if the user still wants it.`,
    );
    expect(earlierOrder).toEqual({ ...earlier, pending: false });
    expect(retryAfterSeconds).toBe(seconds);
  });
});
