import { expect, test } from 'vitest';
import {
  type Alert,
  type AlertLevel,
  alertFor,
  describeWrongPassphrases,
  stateLabels,
  toTime,
} from '../../../../src/core/approval/page/labels.ts';
import type { LockingChannel } from '../../../../src/core/orders/intent/approval-methods.ts';
import type { PassphraseRefusal } from '../../../../src/core/orders/intent/approval-port.ts';
import { type IntentState, intentStates, unknownStates } from '../../../../src/core/orders/intent/states.ts';
import { formatMoment } from '../../../../src/core/text/format-moment.ts';

test.each<[PassphraseRefusal, Alert]>([
  [
    { kind: 'wrong_passphrase', attemptsLeft: 3, retryAfterSeconds: 4 },
    {
      status: 403,
      title: 'The passphrase is wrong.',
      next: '3 attempts are left. Wait 4 seconds before the next one.',
      retryAfterSeconds: 4,
    },
  ],
  [
    { kind: 'wrong_passphrase', attemptsLeft: 1, retryAfterSeconds: 0 },
    { status: 403, title: 'The passphrase is wrong.', next: 'One attempt is left.', retryAfterSeconds: 0 },
  ],
  [
    { kind: 'wrong_passphrase', attemptsLeft: undefined, retryAfterSeconds: 2 },
    {
      status: 403,
      title: 'The passphrase is wrong.',
      next: 'More attempts are left. Wait 2 seconds before the next one.',
      retryAfterSeconds: 2,
    },
  ],
  [
    { kind: 'too_soon', retryAfterSeconds: 1 },
    {
      status: 429,
      title: 'This attempt came too soon after the last one; it was not checked.',
      next: 'Wait 1 second, then type the passphrase again.',
      retryAfterSeconds: 1,
    },
  ],
  [
    { kind: 'locked' },
    {
      status: 403,
      title: 'This page is locked: too many wrong passphrases.',
      next: 'HOW TO UNLOCK IT. You can still reject.',
    },
  ],
  [
    { kind: 'not_enrolled' },
    {
      status: 403,
      title: 'No passphrase is enrolled yet.',
      next: 'Run “brokerage-mcp enroll” in a terminal, then come back to this page.',
    },
  ],
])('a passphrase refused with %o says why, and what to do', (refusal, alert) => {
  expect(alertFor(refusal, 'HOW TO UNLOCK IT.')).toEqual(alert);
});

const lastAt = Date.UTC(2026, 0, 15, 12);
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

test('a time is said as at the time of reading, and without that with its year', () => {
  expect(toTime(lastAt, lastAt + 1)).toBe(formatMoment(lastAt, lastAt + 1, timeZone));
  expect(toTime(lastAt, lastAt + 1)).toMatch(/^today /);
  expect(toTime(lastAt)).toMatch(/^\d+ Jan 2026 \d\d:\d\d$/);
});

test.each<[number, LockingChannel[], string]>([
  [1, [], `1 wrong passphrase since you last approved, the last on ${toTime(lastAt)}. `],
  [2, ['page'], `2 wrong passphrases since you last approved, the last on ${toTime(lastAt)}. This page is locked. `],
  [0, ['page'], 'This page is locked. '],
  [0, ['web'], 'The login page on the web is locked. '],
  [0, ['page', 'web'], 'This page is locked. The login page on the web is locked. '],
])('%i wrong passphrases, with %j locked', (count, locked, said) => {
  expect(describeWrongPassphrases({ count, lastAt, locked })).toBe(
    `${said}If that was not you, find out who has access.`,
  );
});

// order-safety: no title may say that an order was placed, or was not sent, where that is not known.
test.each<[IntentState, string, AlertLevel]>([
  ['DRAFT', 'Being prepared', 'wait'],
  ['REFUSED', 'Refused by a rule', 'bad'],
  // Its page has a question and no title; without time left it can only have expired.
  ['AWAITING_APPROVAL', 'Expired', 'wait'],
  ['DECLINED', 'Rejected', 'bad'],
  ['EXPIRED', 'Expired', 'bad'],
  ['APPROVED', 'Approved', 'wait'],
  ['NOT_SENT', 'Not sent', 'wait'],
  ['SENDING', 'Being sent', 'wait'],
  ['PLACED', 'Placed', 'good'],
  ['REJECTED', 'Rejected by the broker', 'bad'],
  ['UNKNOWN', 'Unknown: the order may be live', 'care'],
  ['AMBIGUOUS', 'Unclear: the order may be live', 'care'],
  ['PROBABLY_ABSENT', 'Probably not placed', 'care'],
  ['CLOSED', 'Closed', 'wait'],
])('an order in the state %s has the title “%s”', (state, title, tone) => {
  expect(stateLabels[state]).toEqual({ title, tone });
});

test('the orders of unknown result are those that ask for attention, and a placed one alone is good', () => {
  const having = (tone: AlertLevel) => intentStates.filter((state) => stateLabels[state].tone === tone);
  expect([having('care'), having('good')]).toEqual([unknownStates, ['PLACED']]);
});
