/** What an approval is bound to: each field of it, found by its type, because one that is left out can be exchanged. */
import { describe, expect, test } from 'vitest';
import { draftApprovalRefusal, draftDigest, legDigest } from '../../src/core/approval/draft-digest.ts';
import type { Ticket } from '../../src/core/orders/intent/approval-port.ts';
import type { DraftTicket, LegTicket } from '../../src/core/orders/intent/draft-approval.ts';
import { approvalDigest, type Intent } from '../../src/core/orders/intent/intent.ts';
import type { SubmissionGate } from '../../src/core/orders/intent/journal-port.ts';
import { type OrderRequest, orderFingerprint } from '../../src/core/orders/intent/order-request.ts';
import { type Complete, eachChange } from '../support/each-change.ts';

const order: Complete<OrderRequest> = {
  type: 'STOP_LIMIT',
  ticker: 'QNOON_GB_EQ',
  side: 'SELL',
  quantity: '3',
  limitPrice: '10.5',
  stopPrice: '11',
  timeValidity: 'DAY',
  extendedHours: true,
};

const ticket: Complete<Ticket> = {
  intentId: 'intent',
  environment: 'live',
  account: 'isa',
  order,
  instrument: { name: 'Noon', isin: 'GB0000000001', type: 'STOCK', currency: 'GBX' },
  estimate: {
    value: '30',
    worst: '31',
    currency: 'GBP',
    percentOfAccount: '2',
    price: '10',
    priceFrom: 'position',
    lastKnownPrice: '11',
    assumed: { price: '9', value: '27' },
  },
  position: { before: '5', after: '2' },
  cash: { before: '100', after: '130' },
  pendingOnTicker: [
    { side: 'BUY', type: 'LIMIT', quantity: '1', limitPrice: '8', stopPrice: '7' },
    { side: 'SELL', type: 'STOP', quantity: '2', limitPrice: '6', stopPrice: '4' },
  ],
  morePending: 1,
  isRepetition: true,
  warnings: ['The market is closed.', 'The price is old.'],
};
const { intentId: _, cash: __, ...legTicket } = ticket;
const shown: Complete<LegTicket> = legTicket;

const draftTicket: Complete<DraftTicket> = {
  submissionId: 's1',
  draftId: 'd1',
  version: 2,
  environment: 'live',
  account: 'isa',
  legs: [
    { number: 1, ticket: shown, priceThen: '9', priceNow: '10', isPriceAssumed: false, isDependent: false },
    { number: 2, ticket: shown, priceThen: '8', priceNow: '9', isPriceAssumed: true, isDependent: true },
  ],
  totals: {
    bought: '10',
    sold: '20',
    currency: 'GBP',
    unknownValues: 0,
    worst: '11',
    charges: '1',
    cash: { before: '100', after: '109' },
    largestPercent: '3',
    largestShare: { ticker: 'QNOON_GB_EQ', percent: '4' },
  },
};

/** Expects another digest for each change of what is bound. */
function expectBound<Bound>(bound: Bound, digestOf: (bound: Bound) => string, except: RegExp = /^$/): void {
  const before = digestOf(bound);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  const changes = [...eachChange(bound)].filter(([path]) => !except.test(path));
  const unnoticed = changes.filter(([, changed]) => digestOf(changed as Bound) === before);
  expect(unnoticed.map(([path]) => path)).toEqual([]);
  expect(changes.length).toBeGreaterThan(10);
}

describe('a digest changes with each part of what it covers', () => {
  test('of a single order: what a person approves', () => {
    const intent = { id: 'i1', environment: 'live', accountKey: 'a1', request: order, fingerprint: 'f1' };
    expectBound({ intent, approval: { nonce: 'n1', expiresAt: 1_000, ticket } }, ({ intent: asked, approval }) =>
      approvalDigest(asked as never, approval),
    );
  });

  test('of a leg of a draft', () => {
    expectBound({ number: 1, order, repeatOf: 'i1' }, ({ number, order: asked, repeatOf }) =>
      legDigest(number, asked, repeatOf),
    );
  });

  test('of a draft: every leg, their sequence, the account, the version, the attempt, the expiry, all that was shown', () => {
    const gate = { id: 's1', draftId: 'd1', version: 2, environment: 'live', accountKey: 'a1' };
    const legs = [
      { number: 1, digest: 'one' },
      { number: 2, digest: 'two' },
    ];
    expectBound(
      { gate, approval: { nonce: 'n1', expiresAt: 1_000, legs, ticket: draftTicket } },
      ({ gate: asked, approval }) => draftDigest(asked as never, approval),
    );
  });

  test('by which a repeated order is recognized', () => {
    const place = { environment: 'live', accountKey: 'a1' };
    // The type is one of four, and names the endpoint.
    expectBound({ order, place }, (asked) => orderFingerprint(asked.order, asked.place), /order.*type/);
    const types = (['LIMIT', 'MARKET', 'STOP', 'STOP_LIMIT'] as const).map((type) =>
      orderFingerprint({ ...order, type }, place),
    );
    expect(new Set(types).size).toBe(4);
  });
});

describe('the approval of a draft', () => {
  const now = 1_000_000;
  const leg = { submissionId: 's1', draftId: 'd1', version: 2, number: 1 };
  const asked = { leg, request: order, repeatOf: 'i1', environment: 'live', accountKey: 'a1', method: 'page' };
  const gate = { id: 's1', draftId: 'd1', version: 2, environment: 'live', accountKey: 'a1' };
  const bound = {
    nonce: 'n1',
    expiresAt: now + 1_000,
    legs: [{ number: 1, digest: legDigest(1, order, 'i1') }],
    ticket: draftTicket,
  };
  const approved = {
    ...gate,
    approval: { ...bound, digest: draftDigest(gate as never, bound), approvedAt: now, by: 'page' },
  };
  const ruleOf = (sent: unknown, given: unknown) =>
    draftApprovalRefusal(given as SubmissionGate, sent as Intent, 'page', now)?.rule;

  test('holds for the order that was approved', () => {
    expect(ruleOf(asked, approved)).toBeUndefined();
  });

  test.each([...eachChange(order, 'order')])('is void for another order: %s', (_path, request) => {
    expect(ruleOf({ ...asked, request }, approved)).toBe('approval_invalid');
  });

  test.each([...eachChange(gate, 'draft')].filter(([path]) => !path.includes('without')))(
    'is void when the stored draft was changed: %s',
    (_path, changed) => {
      expect(ruleOf(asked, { ...approved, ...(changed as object) })).toBe('approval_invalid');
    },
  );

  test('is void when anything that was approved is changed in the store', () => {
    for (const [path, changed] of eachChange(bound)) {
      const rule = ruleOf(asked, { ...approved, approval: { ...approved.approval, ...(changed as object) } });
      expect(`${path}: ${rule}`).toBe(`${path}: approval_invalid`);
    }
  });
});
