/** Whether the approval of a draft holds for one of its legs. What it is bound to: test/security/digests.test.ts. */
import { describe, expect, test } from 'vitest';
import { draftApprovalRefusal, draftDigest, legDigest } from '../../../src/core/approval/draft-digest.ts';
import type { ApprovalMethod } from '../../../src/core/orders/intent/approval-methods.ts';
import type { DraftApproval, DraftTicket } from '../../../src/core/orders/intent/draft-approval.ts';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';
import type { SubmissionGate } from '../../../src/core/orders/intent/journal-port.ts';
import type { OrderRequest } from '../../../src/core/orders/intent/order-request.ts';

const approvedAt = Date.UTC(2026, 0, 15, 15);
const request: OrderRequest = { type: 'MARKET', ticker: 'A_EQ', side: 'BUY', quantity: '2' };
const other: OrderRequest = { ...request, ticker: 'B_EQ' };
const leg = { submissionId: 's1', number: 1 };
const intent = { leg, request, environment: 'live', accountKey: 'account', method: 'page' } as Intent;

const attempt = { id: 's1', draftId: 'd1', version: 2, environment: 'live', accountKey: 'account' } as SubmissionGate;
const legs = [
  { number: 1, digest: legDigest(1, request, undefined) },
  { number: 2, digest: legDigest(2, other, undefined) },
];

/** The attempt with an approval that the person gave, sealed after each change. */
function gateWith(change: Partial<DraftApproval> = {}, place: Partial<SubmissionGate> = {}): SubmissionGate {
  const gate = { ...attempt, ...place };
  const bound = { nonce: 'n1', expiresAt: approvedAt + 1, legs, ticket: { draftId: 'd1' } as DraftTicket, ...change };
  const given = { handle: 'h1', method: 'page', askedAt: approvedAt - 90_000, approvedAt, by: 'page' } as const;
  return { ...gate, approval: { ...given, digest: draftDigest(gate, bound), ...bound, ...change } };
}

const ruleOf = (
  sent: Partial<Intent> = {},
  gate: SubmissionGate | undefined = gateWith(),
  { method = 'page', now = approvedAt }: { method?: ApprovalMethod | 'none'; now?: number } = {},
) => draftApprovalRefusal(gate, { ...intent, ...sent }, method, now)?.rule;

test.each([
  [1, request],
  [2, other],
])('the approval of a draft holds for its leg %i', (number, order) => {
  expect(ruleOf({ leg: { ...leg, number }, request: order })).toBeUndefined();
});

test('a leg without extended hours is the same order, whether it says so or not', () => {
  expect(ruleOf({ request: { ...request, extendedHours: false } })).toBeUndefined();
  expect(ruleOf({ request: { ...request, extendedHours: true } })).toBe('approval_invalid');
});

describe('there is no approval', () => {
  test.each<[string, SubmissionGate | undefined]>([
    ['of an attempt that does not exist', undefined],
    ['that a person was asked for', { ...attempt, approval: undefined }],
    ['that a person gave', gateWith({ approvedAt: undefined, by: undefined })],
    ['with a time', gateWith({ approvedAt: undefined })],
    ['with a channel', gateWith({ by: undefined })],
  ])('%s', (_, gate) => {
    expect(draftApprovalRefusal(gate, intent, 'page', approvedAt)?.rule).toBe('approval_missing');
  });

  test('of a draft for an order that is no leg', () => {
    expect(ruleOf({ leg: undefined })).toBe('approval_missing');
  });
});

// Both the method in force when the leg was created and the one in force now must be satisfied.
test.each<[ApprovalMethod, ApprovalMethod | 'none', ApprovalMethod | 'none', string | undefined]>([
  ['elicitation', 'elicitation', 'elicitation', undefined],
  ['elicitation', 'none', 'none', undefined],
  ['elicitation', 'page', 'elicitation', 'approval_invalid'],
  ['elicitation', 'elicitation', 'page', 'approval_invalid'],
  ['page', 'page', 'page', undefined],
  ['page', 'elicitation', 'none', undefined],
  ['page', 'terminal', 'page', 'approval_invalid'],
  ['page', 'page', 'terminal', 'approval_invalid'],
  ['terminal', 'terminal', 'terminal', undefined],
])('an approval by %s, where %s was required and %s is: %s', (by, method, inForce, rule) => {
  expect(ruleOf({ method }, gateWith({ by }), { method: inForce })).toBe(rule);
});

// In each row everything else matches, its digest included.
test.each<[string, Partial<Intent>, SubmissionGate]>([
  ['attempt', { leg: { ...leg, submissionId: 's2' } }, gateWith()],
  ['environment', {}, gateWith({}, { environment: 'demo' })],
  ['account', {}, gateWith({}, { accountKey: 'other' })],
  ['digest', {}, gateWith({ digest: 'f'.repeat(64) })],
  ['order', { request: other }, gateWith()],
  ['number of the leg', { leg: { ...leg, number: 2 } }, gateWith()],
  ['number under which the leg was approved', {}, gateWith({ legs: [{ ...legs[0], number: 3 } as never] })],
  ['repetition', { repeatOf: 'i1' }, gateWith()],
  ['number of legs', {}, gateWith({ legs: [] })],
])('an approval of another %s does not hold', (_, sent, gate) => {
  expect(ruleOf(sent, gate)).toBe('approval_invalid');
});

// Legs are sent for 15 minutes after the approval. The clock may have been set back by 5 seconds since.
test.each([
  [-5_001, 'submission_ended'],
  [-5_000, undefined],
  [0, undefined],
  [899_999, undefined],
  [900_000, 'submission_ended'],
])('%i ms after the approval: %s', (ms, rule) => {
  expect(ruleOf({}, gateWith(), { now: approvedAt + ms })).toBe(rule);
});

test.each<[string, Partial<Intent>, SubmissionGate | undefined, number, string, string]>([
  [
    'no person approved it',
    {},
    undefined,
    approvedAt,
    'approval_missing',
    'Orders need the approval of a human here, and this draft has none.',
  ],
  [
    'a weaker channel approved it',
    {},
    gateWith({ by: 'elicitation' }),
    approvedAt,
    'approval_invalid',
    'The draft was approved by elicitation, but page is required.',
  ],
  [
    'a channel approved it that was too weak when the leg was created',
    { method: 'terminal' },
    gateWith(),
    approvedAt,
    'approval_invalid',
    'The draft was approved by page, but terminal is required.',
  ],
  [
    'another order was approved',
    { request: other },
    gateWith(),
    approvedAt,
    'approval_invalid',
    'The approval of the draft does not match this order.',
  ],
  [
    'its time is over',
    {},
    gateWith(),
    approvedAt + 900_000,
    'submission_ended',
    'The time to send the draft after its approval has passed.',
  ],
])('the refusal says what is wrong where %s', (_, sent, gate, now, rule, reason) => {
  expect(draftApprovalRefusal(gate, { ...intent, ...sent }, 'page', now)).toEqual({ rule, reason });
});
