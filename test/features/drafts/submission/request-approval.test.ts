/** What a person is asked to approve: the totals of a draft, the time to decide, and what the approval is bound to. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { draftDigest, legDigest } from '../../../../src/core/approval/draft-digest.ts';
import type { DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import type { LegToCheck } from '../../../../src/features/drafts/submission/draft-facts.ts';
import {
  type ApprovalInput,
  createDraftApproval,
} from '../../../../src/features/drafts/submission/request-approval.ts';
import { paper } from '../../../core/orders/risk/example-account.ts';
import { draftLeg, exchangeWith, notHeld, now, toCheck, withPrice, withSummary } from './legs-to-check.ts';

const submission = {
  id: '5'.repeat(32),
  draftId: 'd'.repeat(16),
  version: 3,
  accountKey: 'account',
  environment: 'demo',
  createdAt: now,
  haltCount: 0,
};

const facts = { own: [], limits: paper, cash: undefined };

const approve = (legs: readonly LegToCheck[], change: Partial<ApprovalInput> = {}) =>
  createDraftApproval(submission, {
    facts: { ...facts, legs, exchanges: exchangeWith() },
    charges: [],
    repeats: new Map(),
    method: 'page',
    now,
    ...change,
  });
const totalsOf = (legs: readonly LegToCheck[]) => approve(legs).ticket.totals;

/** Orders at 20 pounds a share, in an account that is worth 100,000. */
const of = (side: 'BUY' | 'SELL', quantity: string, change: Partial<DraftLeg> = {}, rest = {}): LegToCheck =>
  toCheck(draftLeg({ side, quantity, ...change }), rest);

describe('the request', () => {
  const legs = [of('SELL', '5', { ticker: 'BBB_EQ' }, { number: 2 }), of('BUY', '10')];

  test('has a random handle of 192 bits and a nonce of 128 bits, and both are new in each request', () => {
    const [one, other] = [approve(legs), approve(legs)];
    expect(one.handle).toMatch(/^[\w-]{32}$/);
    expect(one.nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(other.handle).not.toBe(one.handle);
    expect(other.nonce).not.toBe(one.nonce);
  });

  test('has the method that is required, and when the person was asked', () => {
    expect(approve(legs, { method: 'terminal' })).toMatchObject({ method: 'terminal', askedAt: now });
  });

  test('names the attempt, and has the legs in the sequence in which they are sent', () => {
    const { ticket } = approve(legs);
    expect(ticket).toMatchObject({
      submissionId: submission.id,
      draftId: submission.draftId,
      version: 3,
      environment: 'demo',
    });
    expect(ticket.legs.map(({ number, ticket: { order } }) => [number, order.ticker])).toEqual([
      [2, 'BBB_EQ'],
      [1, 'AAA_EQ'],
    ]);
  });

  test('shows the environment of each order, and whether its market is closed when the person is asked', () => {
    const exchanges = exchangeWith(
      { date: '2026-01-15T08:00:00Z', type: 'OPEN' },
      { date: '2026-01-15T14:00:00Z', type: 'CLOSE' },
    );
    const warningsAt = (at: number) =>
      approve([of('BUY', '10')], { facts: { ...facts, legs: [of('BUY', '10')], exchanges }, now: at }).ticket.legs[0]
        ?.ticket;
    const closed = warningsAt(now);
    expect(closed?.environment).toBe('demo');
    const isClosed = (text: string) => /market is closed/i.test(text);
    expect(closed?.warnings.filter(isClosed)).toHaveLength(1);
    expect(warningsAt(now - 2 * 3_600_000)?.warnings.filter(isClosed)).toEqual([]);
  });

  test('is bound to each order with what it repeats, and to everything that is shown', () => {
    const approval = approve(legs, { repeats: new Map([[2, 'intent']]) });
    expect(approval.legs).toEqual([
      { number: 2, digest: legDigest(2, legs[0]?.order as never, 'intent') },
      { number: 1, digest: legDigest(1, legs[1]?.order as never, undefined) },
    ]);
    expect(approval.ticket.legs.map(({ ticket }) => ticket.isRepetition)).toEqual([true, false]);
    expect(approval.digest).toBe(draftDigest(submission, approval));
  });

  test('is the same after it was stored, so that every reader computes the same digest', () => {
    const approval = approve([of('BUY', '10', {}, { facts: notHeld })]);
    expect(JSON.parse(JSON.stringify(approval.ticket))).toStrictEqual(approval.ticket);
  });
});

// 120 seconds, and 10 more for each leg after the third, at most 300.
test.each([
  [1, 120],
  [3, 120],
  [4, 130],
  [10, 190],
  [21, 300],
  [22, 300],
  [30, 300],
])('%i legs can be approved for %i seconds', (count, seconds) => {
  const legs = Array.from({ length: count }, (_, index) => of('BUY', '1', {}, { number: index + 1 }));
  expect(approve(legs).expiresAt).toBe(now + seconds * 1_000);
});

describe('the totals', () => {
  test('are what is bought and what is sold, and the worst case of the buys alone', () => {
    const legs = [
      of('SELL', '5', { ticker: 'BBB_EQ' }),
      of('SELL', '2.5', { ticker: 'CCC_EQ' }),
      of('BUY', '10'),
      of('BUY', '1'),
    ];
    expect(totalsOf(legs)).toMatchObject({
      sold: '150.00',
      bought: '220.00',
      // With the margin of 2 %.
      worst: '224.40',
      currency: 'GBP',
      unknownValues: 0,
    });
  });

  test('of a draft without buys are zero on that side', () => {
    expect(totalsOf([of('SELL', '5')])).toMatchObject({ sold: '100.00', bought: '0.00', worst: '0.00' });
  });

  test('leave out a leg of unknown value, and count it', () => {
    const unknown = of('BUY', '7', { ticker: 'NEW_EQ' }, { facts: notHeld });
    expect(totalsOf([of('BUY', '10'), unknown, unknown])).toMatchObject({
      bought: '200.00',
      worst: '204.00',
      unknownValues: 2,
    });
  });

  test('have the currency of the first leg that has one', () => {
    const without = of('BUY', '1', {}, { facts: withSummary({ currency: undefined }) });
    expect(totalsOf([without, of('BUY', '1')]).currency).toBe('GBP');
    expect(totalsOf([without]).currency).toBeUndefined();
  });

  // 500 + 100 from the sell - 220 for the buys, less the charges that are known.
  test.each<[readonly (string | undefined)[], Big | undefined, readonly LegToCheck[], object | undefined]>([
    [['1.10', '2.25', '0.50'], new Big('500'), [], { before: '500.00', after: '376.15' }],
    [['1.10', undefined, '0.50'], new Big('500'), [], { before: '500.00', after: '378.40' }],
    [[], new Big('500'), [of('BUY', '7', { ticker: 'NEW_EQ' }, { facts: notHeld })], { before: '500.00' }],
    [[], undefined, [], undefined],
  ])('have the cash before and after: charges %j, cash %s', (charges, cash, more, expected) => {
    const legs = [of('SELL', '5', { ticker: 'BBB_EQ' }), of('BUY', '10'), of('BUY', '1'), ...more];
    const asked = { facts: { ...facts, cash, legs, exchanges: exchangeWith() }, charges };
    expect(approve(legs, asked).ticket.totals.cash).toEqual(expected);
  });

  test.each<[readonly (string | undefined)[], string | undefined]>([
    [['1.10', '2.25'], '3.35'],
    [['0.00'], '0.00'],
    [['1.10', undefined], undefined],
  ])('have the charges %j of the legs as %s', (charges, sum) => {
    const legs = charges.map(() => of('BUY', '1'));
    expect(approve(legs, { charges }).ticket.totals.charges).toBe(sum);
  });
});

describe('the largest part of the account', () => {
  // Buys count with the margin of 2 %, and the account is worth 100,000.
  test('is that of the largest order', () => {
    const legs = [of('BUY', '100'), of('BUY', '1000', { ticker: 'BBB_EQ' }), of('BUY', '500', { ticker: 'CCC_EQ' })];
    expect(totalsOf(legs)).toMatchObject({
      largestPercent: '20.4',
      largestShare: { ticker: 'BBB_EQ', percent: '20.4' },
    });
  });

  test('is compared as a number, not as a text', () => {
    expect(totalsOf([of('BUY', '450'), of('BUY', '1000')]).largestPercent).toBe('20.4');
  });

  test('of a ticker is that of all its orders together', () => {
    const legs = [of('BUY', '300'), of('BUY', '400', { ticker: 'BBB_EQ' }), of('BUY', '300')];
    expect(totalsOf(legs)).toMatchObject({
      largestPercent: '8.2',
      largestShare: { ticker: 'AAA_EQ', percent: '12.2' },
    });
  });

  test('leaves out an order of unknown value', () => {
    const legs = [of('BUY', '900', { ticker: 'NEW_EQ' }, { facts: notHeld }), of('BUY', '10')];
    expect(totalsOf(legs)).toMatchObject({ largestPercent: '0.2', largestShare: { ticker: 'AAA_EQ', percent: '0.2' } });
  });

  test('is unknown when no value is known', () => {
    const totals = totalsOf([of('BUY', '1', {}, { facts: notHeld })]);
    expect([totals.largestPercent, totals.largestShare]).toEqual([undefined, undefined]);
  });

  test.each([undefined, '0', '-5'])('is unknown when the account is worth %s', (totalValue) => {
    const totals = totalsOf([of('BUY', '1', {}, { facts: withSummary({ totalValue }) })]);
    expect([totals.largestPercent, totals.largestShare]).toEqual([undefined, undefined]);
    expect(totals.bought).toBe('20.00');
  });

  test('is that of the price now', () => {
    expect(totalsOf([of('BUY', '100', {}, { facts: withPrice('AAA_EQ', '30') })]).largestPercent).toBe('3.1');
  });
});
