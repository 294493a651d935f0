import { expect, test } from 'vitest';
import { type Alert, alertFor, describeWrongPassphrases, toTime } from '../../../src/approval/page/labels.ts';
import { formatMoment } from '../../../src/format-moment.ts';
import type { PassphraseRefusal } from '../../../src/orders/intent/approval-port.ts';

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
  expect(toTime(lastAt)).toMatch(/^\w{3} \d+ Jan 2026 \d\d:\d\d$/);
});

test.each<[number, boolean, string]>([
  [1, false, `1 wrong passphrase since you last approved, the last on ${toTime(lastAt)}. `],
  [2, true, `2 wrong passphrases since you last approved, the last on ${toTime(lastAt)}. This page is locked. `],
  [0, true, 'This page is locked. '],
])('%i wrong passphrases, with the page locked: %s', (count, isPageLocked, said) => {
  expect(describeWrongPassphrases({ count, lastAt, isPageLocked })).toBe(
    `${said}If that was not you, find out who has access.`,
  );
});
