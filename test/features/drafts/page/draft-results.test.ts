/** What the pages of a draft say of each order and of all of them. */
import { expect, test } from 'vitest';
import type { AlertLevel } from '../../../../src/core/approval/page/labels.ts';
import {
  describeProgress,
  describeResults,
  isSubmissionDone,
  legLabel,
  outcomeLabels,
} from '../../../../src/features/drafts/page/draft-approval-labels.ts';
import { submissionCard } from '../../../../src/features/drafts/page/draft-submission.ts';
import type { LegReport, SubmissionReport } from '../../../../src/features/drafts/submission/describe-submission.ts';
import type { SubmissionOutcome } from '../../../../src/features/drafts/submission/submission.ts';
import { textOf } from './draft-ticket-support.ts';

type Leg = Partial<LegReport>;
const report = (legs: readonly Leg[], change: Partial<SubmissionReport> = {}) =>
  ({ outcome: 'stopped', legs, ...change }) as SubmissionReport;

test.each<[string, Leg, string]>([
  ['that waits for its turn at the broker', { outcome: 'waiting', intentId: 'a' }, 'Next'],
  ['that comes later', { outcome: 'waiting' }, 'Waiting'],
  ['whose response is awaited', { outcome: 'unknown', inFlight: true }, 'Being sent'],
  ['whose response was lost', { outcome: 'unknown' }, 'Unknown: the order may be live'],
  ['that a person stopped', { outcome: 'not_sent', unsentBecause: 'stopped' }, 'Not sent (you stopped)'],
  ['of a discarded draft', { outcome: 'not_sent', unsentBecause: 'discarded' }, 'Not sent (the draft was discarded)'],
  ['that a halt refused', { outcome: 'refused', unsentBecause: 'halted' }, 'Not sent (trading was halted)'],
  ['that was too late', { outcome: 'not_sent', unsentBecause: 'time' }, 'Not sent (its time was over)'],
  ['after one that was rejected', { outcome: 'not_sent' }, 'Not sent'],
  ['that has a number at the broker', { outcome: 'placed', intentId: 'a' }, 'Placed'],
  ['that the broker rejected', { outcome: 'rejected', intentId: 'a' }, 'Rejected by the broker'],
  ['that a rule refused', { outcome: 'refused', intentId: 'a' }, 'Refused by a rule, not sent'],
  ['that was too late for its approval', { outcome: 'expired', intentId: 'a' }, 'Expired, not sent'],
  ['that a person rejected', { outcome: 'declined', intentId: 'a' }, 'Rejected'],
  ['that is not in the journal as approved yet', { outcome: 'pending_approval', intentId: 'a' }, 'Being prepared'],
])('an order %s', (_, leg, label) => {
  expect(legLabel(leg as LegReport)).toBe(label);
});

test.each<[string, readonly Leg[], number | undefined]>([
  [
    '2 placed, 3 not sent. Version 2 of the draft has these 3.',
    [
      { outcome: 'placed' },
      { outcome: 'placed' },
      { outcome: 'refused' },
      { outcome: 'not_sent' },
      { outcome: 'not_sent' },
    ],
    2,
  ],
  ['0 placed, 1 not sent. Version 4 of the draft has it.', [{ outcome: 'not_sent' }], 4],
  [
    '1 placed, 1 being sent, 1 not sent.',
    [{ outcome: 'placed' }, { outcome: 'unknown', inFlight: true }, { outcome: 'expired' }],
    undefined,
  ],
  [
    '0 placed, 1 unknown, which may be live, 1 rejected by the broker.',
    [{ outcome: 'unknown' }, { outcome: 'rejected' }],
    3,
  ],
])('the results: %s', (text, legs, remainingVersion) => {
  expect(describeResults(report(legs, { remainingVersion }))).toBe(text);
});

test('while it is sent, the page counts what is placed and what follows', () => {
  const legs: Leg[] = [{ outcome: 'placed' }, { outcome: 'waiting', intentId: 'a' }, { outcome: 'waiting' }];
  expect(describeProgress({ report: report(legs, { outcome: 'sending' }) })).toBe(
    'The orders are sent one after the other. 1 placed, 2 waiting.',
  );
});

test('after a stop the page counts what became of the orders, and says that placed ones stay', () => {
  expect(describeProgress({ report: report([{ outcome: 'placed' }, { outcome: 'not_sent' }]) })).toBe(
    '1 placed, 1 not sent. Orders that were placed stay.',
  );
});

const card = (outcome: SubmissionOutcome, legs: readonly Leg[]) => {
  const given = { submissionId: 's1', draftId: 'd1', version: 4, warnings: [], message: '', next: '', endsAt: '' };
  const numbered = legs.map((leg, index) => ({ leg: index + 1, order: `LEG ${index + 1}`, ...leg }) as LegReport);
  return submissionCard(
    { ...given, outcome, legs: numbered },
    { fields: undefined, isFocused: false, isFolded: false, legs: [], instruments: { names: {}, currencies: {} } },
  );
};

const one: readonly Leg[] = [{ outcome: 'waiting' }];

test.each<[SubmissionOutcome, string, string, AlertLevel]>([
  ['pending_approval', 'Waiting for your decision', 'Waiting for approval', 'wait'],
  ['declined', 'Rejected', 'Rejected', 'bad'],
  ['expired', 'Expired', 'Not approved in time', 'bad'],
  ['refused', 'Refused by a rule', 'Refused', 'bad'],
  ['sending', 'Being sent', 'Being sent', 'wait'],
  ['waiting_for_fills', 'Waiting for the sells to be filled', 'Being sent', 'wait'],
  ['done', 'All orders placed', 'Sent', 'good'],
  ['stopped', 'Stopped', 'Stopped', 'bad'],
])('a draft that is %s is called “%s” where it is approved, and “%s” on its own page', (outcome, title, own, tone) => {
  expect(outcomeLabels[outcome]).toEqual({ title, tone });
  const { markup } = card(outcome, one);
  expect(textOf({ markup })[0]).toBe(`${own}: version 4:`);
  expect(markup).toContain(`class="card outcome ${tone}"`);
});

const acceptedAll = 'The broker accepted every order.';
const inTurn = 'The orders are sent one after the other.';
const rest = '0 placed, 1 waiting. Orders that were placed stay.';

// order-safety: where nothing was sent, both pages say so, and only there.
test.each<[SubmissionOutcome, string, string]>([
  ['pending_approval', 'The orders are waiting for your decision; nothing has been sent.', 'Nothing has been sent.'],
  ['declined', 'Nothing was sent.', 'Nothing was sent.'],
  ['expired', 'The orders were not approved in time; nothing was sent.', 'Nothing was sent.'],
  ['refused', 'Nothing was sent.', 'Nothing was sent.'],
  ['sending', `${inTurn} 0 placed, 1 waiting.`, inTurn],
  [
    'waiting_for_fills',
    'The remaining buys are sent when the sells that pay for them are filled. 0 placed, 1 waiting.',
    'The remaining buys wait for the fills of the sells, which pay for them.',
  ],
  ['done', acceptedAll, acceptedAll],
  ['stopped', rest, rest],
])('a draft that is %s says what was sent', (outcome, progress, text) => {
  expect(describeProgress({ report: report(one, { outcome }) })).toBe(progress);
  expect(textOf(card(outcome, one))[1]).toBe(text);
});

test.each<[SubmissionOutcome, readonly LegReport['outcome'][], string]>([
  ['done', ['placed', 'placed'], '2 of 2 orders placed'],
  ['stopped', ['placed', 'not_sent'], '1 of 2 orders placed; placed orders stay'],
  ['sending', ['placed', 'waiting'], '1 of 2 orders placed; placed orders stay'],
  ['stopped', ['not_sent', 'not_sent'], '0 of 2 orders placed'],
  ['stopped', ['unknown'], '0 of 1 order placed'],
])('of a draft that is %s, with orders that are %j: %s', (outcome, outcomes, caption) => {
  const legs = outcomes.map((one) => ({ outcome: one }));
  expect(textOf(card(outcome, legs))).toContain(caption);
});

test.each<[SubmissionOutcome, LegReport['outcome'], boolean]>([
  ['done', 'placed', true],
  ['stopped', 'not_sent', true],
  ['declined', 'declined', true],
  ['expired', 'expired', true],
  ['refused', 'refused', true],
  // The order is searched for at the broker.
  ['stopped', 'unknown', false],
  ['pending_approval', 'waiting', false],
  ['sending', 'placed', false],
  ['waiting_for_fills', 'placed', false],
])(
  'whether a draft that is %s, with an order that is %s, can still change: the page is done %s',
  (outcome, leg, done) => {
    expect(isSubmissionDone(report([{ outcome: 'placed' }, { outcome: leg }], { outcome }))).toBe(done);
  },
);
