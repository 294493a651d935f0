import { expect, test } from 'vitest';
import { addressBlockSeconds, describeHttpError } from '../../../../src/core/broker/response/http-errors.ts';
import { accessFixes } from '../../../../src/core/errors.ts';

const rejection = {
  code: 'rejected',
  sentence: 'The broker rejected the request',
  next: 'Correct what the broker names, or tell the user.',
};
const keyFix =
  'Check BROKER_ENV, BROKER_API_KEY and BROKER_API_SECRET (a key that was created with a secret needs the secret).';
const permissionFix = 'Check the permissions of the key in the brokerage application.';
const blockFix = 'Send nothing for 10 minutes, then try again.';

// What is refused has no effect, so it can be corrected and sent again.
test.each([
  [400, rejection],
  [
    401,
    {
      code: 'unauthorized',
      sentence: 'The broker does not accept the key: the key is wrong or belongs to the other environment',
      next: keyFix,
    },
  ],
  [
    403,
    {
      code: 'forbidden',
      sentence:
        'The broker does not allow this request: the key may lack the permission, or the environment does not support it',
      next: permissionFix,
    },
  ],
  [404, { code: 'not_found', sentence: 'The broker could not find it', next: 'Check the id.' }],
  [405, rejection],
  [411, rejection],
  [413, rejection],
  [415, rejection],
  [422, rejection],
])('status %i proves that the request was refused', (status, words) => {
  expect(describeHttpError(status)).toEqual({ ...words, provesRefusal: true });
});

test.each([402, 406, 407, 409, 410, 412, 414, 416, 418, 421, 423, 425, 428, 429, 431, 451, 499])(
  'status %i is a rejection that proves nothing',
  (status) => {
    expect(describeHttpError(status)).toEqual({ ...rejection, provesRefusal: false });
  },
);

// 408: the service, or a proxy, stopped waiting. It may have begun.
test.each([0, 100, 199, 408, 500, 502, 503, 504, 520, 599, 600])(
  'status %i is a failure, after which the request may have been carried out',
  (status) => {
    expect(describeHttpError(status)).toEqual({
      code: 'upstream_error',
      sentence: `The broker returned status ${status}`,
      next: 'Try again in a minute.',
      provesRefusal: false,
    });
  },
);

test.each([300, 301, 302, 303, 304, 307, 308, 399])('status %i is a redirect, which proves nothing', (status) => {
  expect(describeHttpError(status)).toEqual({
    code: 'unexpected_answer',
    sentence: `The broker returned a redirect (${status}); this program never follows redirects`,
    next: 'Check the base URL.',
    provesRefusal: false,
  });
});

test('a proxy that blocks the address has refused the request, and the key is not the cause', () => {
  expect(describeHttpError(403, true)).toEqual({
    code: 'blocked',
    sentence:
      'A proxy in front of the service blocks the address of this computer for a while; the key is not the cause',
    next: blockFix,
    provesRefusal: true,
  });
  expect(describeHttpError(403, false).code).toBe('forbidden');
  // The minutes of `next`.
  expect(addressBlockSeconds).toBe(10 * 60);
});

test('an order that was rejected for a reason outside of it says what to do about that', () => {
  expect(accessFixes).toEqual({ unauthorized: keyFix, forbidden: permissionFix, blocked: blockFix });
});
