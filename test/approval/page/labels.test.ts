import { expect, test } from 'vitest';
import { type Alert, alertFor } from '../../../src/approval/page/labels.ts';
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
