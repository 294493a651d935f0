/** What the pages of a draft say of each order and of all of them. */
import { expect, test } from 'vitest';
import { describeProgress, describeResults, legLabel } from '../../../src/approval/page/draft-approval-labels.ts';
import type { LegReport, SubmissionReport } from '../../../src/drafting/submission/describe-submission.ts';

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
])('an order %s', (_, leg, label) => {
  expect(legLabel(leg as LegReport)).toBe(label);
});

test.each<[string, readonly Leg[], number | undefined]>([
  [
    '2 placed, 3 not sent. Version 2 holds these 3.',
    [
      { outcome: 'placed' },
      { outcome: 'placed' },
      { outcome: 'refused' },
      { outcome: 'not_sent' },
      { outcome: 'not_sent' },
    ],
    2,
  ],
  ['0 placed, 1 not sent. Version 4 holds it.', [{ outcome: 'not_sent' }], 4],
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
