import { expect, test } from 'vitest';
import { parseRateLimitHeaders } from '../../../../src/core/broker/rate-limit/release.ts';

const nothing = {
  requests: undefined,
  periodMs: undefined,
  remaining: undefined,
  used: undefined,
  resetInMs: undefined,
};
/** 15 January 2026, 15:00:00 UTC, in seconds, as the service writes it in `Date` and in `x-ratelimit-reset`. */
const date = 'Thu, 15 Jan 2026 15:00:00 GMT';
const dateSeconds = 1_768_489_200;

test('the headers of a response say the limit, the period, what is left and what was used', () => {
  expect(
    parseRateLimitHeaders({
      date,
      'x-ratelimit-limit': '6',
      'x-ratelimit-period': '60',
      'x-ratelimit-remaining': ' 4 ',
      'x-ratelimit-used': '2',
      'x-ratelimit-reset': `${dateSeconds + 45}`,
    }),
  ).toEqual({ requests: 6, periodMs: 60_000, remaining: 4, used: 2, resetInMs: 45_000 });
  expect(parseRateLimitHeaders({})).toEqual(nothing);
});

test.each(['', ' ', '-1', 'Infinity', 'NaN', 'six', '1,5', '6, 60'])(
  'a header that is no number of at least zero says nothing: %j',
  (text) => {
    const names = ['limit', 'period', 'remaining', 'used', 'reset'];
    const headers = Object.fromEntries(names.map((name) => [`x-ratelimit-${name}`, text]));
    expect(parseRateLimitHeaders({ ...headers, 'retry-after': text, date })).toEqual(nothing);
  },
);

test.each<[string, Record<string, string>, number | undefined]>([
  ['needs the clock of the service', { 'x-ratelimit-reset': `${dateSeconds + 45}` }, undefined],
  ['needs a readable clock', { 'x-ratelimit-reset': `${dateSeconds + 45}`, date: 'today' }, undefined],
  ['is in the past when it is over', { 'x-ratelimit-reset': `${dateSeconds - 5}`, date }, -5_000],
  ['is what Retry-After says, with a clock', { 'retry-after': '7', date }, 7_000],
  ['is what Retry-After says, without a clock', { 'retry-after': '0' }, 0],
  [
    'is what Retry-After says before the reset',
    { 'retry-after': '7', 'x-ratelimit-reset': `${dateSeconds}`, date },
    7_000,
  ],
])('the reset %s', (_, headers, resetInMs) => {
  expect(parseRateLimitHeaders(headers).resetInMs).toBe(resetInMs);
});
