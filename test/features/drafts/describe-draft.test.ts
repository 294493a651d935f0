/** What is said of a draft, and the next step, for each state in which it can be read. */
import { expect, test } from 'vitest';
import {
  describeDiscarded,
  describeDraft,
  describeDraftList,
  type ReadDraft,
} from '../../../src/features/drafts/describe-draft.ts';
import type { LegReport, SubmissionReport } from '../../../src/features/drafts/submission/describe-submission.ts';

const newDraft = 'Make one with plan_orders or save_draft.';
const show = 'Show it to the user; if they want it, call submit_draft with draftId d1 and version 3.';

const report = (change: Partial<SubmissionReport>) =>
  ({ version: 2, message: 'Of the submission.', next: 'Its next step.', legs: [], ...change }) as SubmissionReport;
const refusal = { rule: 'cash', reason: 'Too dear.' } as const;
const reviewOf = (...refusals: (object | undefined)[]) =>
  ({ legs: refusals.map((one) => ({ refusal: one })) }) as unknown as ReadDraft['review'];

const describe = (change: Partial<ReadDraft>, sender: Parameters<typeof describeDraft>[1] = 'tool') =>
  describeDraft(
    {
      draft: { id: 'd1', version: 3, expiresAt: Date.UTC(2026, 0, 22, 15) },
      state: 'open',
      legs: 2,
      review: undefined,
      submission: undefined,
      ...change,
    },
    sender,
  );

test.each([
  [0, { message: 'No draft is open.', next: newDraft }],
  [
    1,
    {
      message: '1 draft can be sent or edited.',
      next: 'Call list_drafts with a draftId for its legs, estimates and checks.',
    },
  ],
  [
    2,
    {
      message: '2 drafts can be sent or edited.',
      next: 'Call list_drafts with a draftId for its legs, estimates and checks.',
    },
  ],
])('the list of %i open drafts', (open, expected) => {
  expect(describeDraftList(open)).toEqual(expected);
});

test.each<[string, Partial<ReadDraft>]>([
  ['was sent', { state: 'sent', submission: report({ outcome: 'done', retryAfterSeconds: 5 }) }],
  ['waits for a person', { state: 'open', submission: report({ outcome: 'pending_approval', retryAfterSeconds: 5 }) }],
  ['is being sent', { state: 'open', submission: report({ outcome: 'sending', retryAfterSeconds: 5 }) }],
  ['waits for fills', { state: 'open', submission: report({ outcome: 'waiting_for_fills', retryAfterSeconds: 5 }) }],
])('a draft that %s has the sentence, the step and the wait of its submission', (_, read) => {
  expect(describe(read)).toEqual({ message: 'Of the submission.', next: 'Its next step.', retryAfterSeconds: 5 });
});

test.each<[string, Partial<ReadDraft>, string]>([
  ['expired', { state: 'expired' }, 'The draft expired on 2026-01-22T15:00:00.000Z; it cannot be sent any more.'],
  ['discarded', { state: 'discarded' }, 'The draft was discarded; it cannot be sent any more.'],
  [
    'sent without a report',
    { state: 'sent', submission: undefined },
    'The draft was sent; it cannot be sent any more.',
  ],
])('a draft that is %s needs a new one', (_, read, message) => {
  expect(describe(read)).toEqual({ message, next: newDraft });
});

const open = 'The draft is open with 2 orders. Nothing of it was sent.';

test.each<[string, Partial<ReadDraft>, object]>([
  ['that was not checked', {}, { message: open, next: show }],
  ['whose legs all pass', { review: reviewOf(undefined, undefined) }, { message: open, next: show }],
  ['of one order', { legs: 1 }, { message: 'The draft is open with 1 order. Nothing of it was sent.', next: show }],
  [
    'that was stopped before',
    { submission: report({ outcome: 'stopped' }) },
    { message: 'The draft is open with 2 orders. Version 2 was submitted before.', next: show },
  ],
  [
    'whose form was declined',
    { submission: report({ outcome: 'declined', formDeclined: true }) },
    { message: 'The draft is open with 2 orders. Version 2 was submitted before.', next: 'Its next step.' },
  ],
  [
    'with a leg that breaks a rule',
    { review: reviewOf(undefined, refusal) },
    {
      message: `${open} Leg 2 breaks a rule now.`,
      next: 'Tell the user what problem says of these legs, and save other legs with save_draft, or plan again.',
    },
  ],
  [
    'with legs that break rules',
    { review: reviewOf(refusal, undefined, refusal) },
    {
      message: `${open} Legs 1, 3 break a rule now.`,
      next: 'Tell the user what problem says of these legs, and save other legs with save_draft, or plan again.',
    },
  ],
  [
    'that would be refused for a leg',
    { review: { ...reviewOf(), refused: { ...refusal, leg: 2, next: 'Wait.', retryAfterSeconds: 60 } } as never },
    {
      message: `${open} Leg 2 breaks a rule, so the draft would be refused now: not enough cash.`,
      next: 'Wait.',
      retryAfterSeconds: 60,
    },
  ],
  [
    'that would be refused for a leg, for a time that is not known',
    { review: { ...reviewOf(), refused: { ...refusal, leg: 2, next: 'Wait.' } } as never },
    { message: `${open} Leg 2 breaks a rule, so the draft would be refused now: not enough cash.`, next: 'Wait.' },
  ],
  [
    'that would be refused as a whole, for some seconds',
    { review: { ...reviewOf(), refused: { ...refusal, next: 'Wait.', retryAfterSeconds: 60 } } as never },
    {
      message: `${open} It breaks a rule, so the draft would be refused now: not enough cash.`,
      next: 'Wait.',
      retryAfterSeconds: 60,
    },
  ],
  [
    'that would be refused as a whole',
    { review: { ...reviewOf(), refused: { ...refusal, next: 'Wait.' } } as never },
    { message: `${open} It breaks a rule, so the draft would be refused now: not enough cash.`, next: 'Wait.' },
  ],
  [
    'that could not be checked, and can be in some seconds',
    { review: { ...reviewOf(), problem: 'The account was not read.', retryAfterSeconds: 7 } as never },
    {
      message: `${open} The legs could not all be checked: The account was not read.`,
      next: 'Call list_drafts with this draftId again in 7 s.',
      retryAfterSeconds: 7,
    },
  ],
  [
    'that could not be checked',
    { review: { ...reviewOf(), problem: 'The account was not read.' } as never },
    {
      message: `${open} The legs could not all be checked: The account was not read.`,
      next: 'Call list_drafts with this draftId again later.',
    },
  ],
])('an open draft %s', (_, read, expected) => {
  expect(describe(read)).toEqual(expected);
});

test('an open draft that only a person can send names the command, also after a declined form', () => {
  const next = 'Show it to the user, who can send it with "brokerage-mcp drafts submit d1" in a terminal.';
  expect(describe({}, 'person').next).toBe(next);
  const submission = report({ outcome: 'declined', formDeclined: true });
  expect(describe({ submission }, 'person').next).toBe(next);
});

const leg = (change: Partial<LegReport>) => ({ leg: 1, order: 'BUY 1 A', outcome: 'placed', ...change }) as LegReport;

test.each<[string, 'discarded' | 'sent', readonly LegReport[] | undefined, string, string]>([
  ['that was never submitted', 'discarded', undefined, 'The draft is discarded. Nothing of it was sent.', newDraft],
  [
    'of which no order left',
    'discarded',
    [leg({ outcome: 'not_sent' })],
    'The draft is discarded. Nothing of it was sent.',
    newDraft,
  ],
  [
    'of which an order left, one is leaving, and one is unknown',
    'discarded',
    [
      leg({ orderId: '7' }),
      leg({ outcome: 'unknown', inFlight: true, intentId: 'i2' }),
      leg({ outcome: 'unknown', intentId: 'i3' }),
      leg({ outcome: 'not_sent', intentId: 'i4' }),
    ],
    'The draft is discarded. 1 order of it had left before, and stays. 1 order is being sent now. The outcome of 1 order is unknown: it MAY be live.',
    'Follow the orders with get_order; cancel_order cancels one that is pending: 7, intent i2, intent i3.',
  ],
  [
    'of which 3 orders left, 2 are leaving, and 1 is unknown',
    'discarded',
    [
      ...['7', '8', '9'].map((orderId) => leg({ orderId })),
      ...['i4', 'i5'].map((intentId) => leg({ outcome: 'unknown', inFlight: true, intentId })),
      leg({ outcome: 'unknown', intentId: 'i6' }),
    ],
    'The draft is discarded. 3 orders of it had left before, and stay. 2 orders are being sent now. The outcome of 1 order is unknown: it MAY be live.',
    'Follow the orders with get_order; cancel_order cancels one that is pending: 7, 8, 9, intent i4, intent i5, intent i6.',
  ],
  [
    'of which 1 order is leaving, and 2 are unknown',
    'discarded',
    [
      leg({ outcome: 'unknown', inFlight: true, intentId: 'i1' }),
      ...['i2', 'i3'].map((intentId) => leg({ outcome: 'unknown', intentId })),
    ],
    'The draft is discarded. 1 order is being sent now. The outcome of 2 orders is unknown: it MAY be live.',
    'Follow the orders with get_order; cancel_order cancels one that is pending: intent i1, intent i2, intent i3.',
  ],
  [
    'of which 2 orders are leaving',
    'discarded',
    ['i1', 'i2'].map((intentId) => leg({ outcome: 'unknown', inFlight: true, intentId })),
    'The draft is discarded. 2 orders are being sent now.',
    'Follow the orders with get_order; cancel_order cancels one that is pending: intent i1, intent i2.',
  ],
  [
    'that was sent',
    'sent',
    [leg({ orderId: '7' }), leg({ orderId: '8' })],
    'The draft was sent before, so it was not discarded. 2 orders of it had left before, and stay.',
    'Follow the orders with get_order; cancel_order cancels one that is pending: 7, 8.',
  ],
])('after a draft %s was closed', (_, state, legs, message, next) => {
  expect(describeDiscarded({ state }, legs && report({ legs }))).toEqual({ message, next });
});
