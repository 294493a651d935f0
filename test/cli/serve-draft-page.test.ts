/** How long the page of a draft is served. */
import { expect, test } from 'vitest';
import { hasEnded, waitForEnd } from '../../src/cli/drafts.ts';
import { BrokerageError } from '../../src/core/errors.ts';

/** Waits for a draft that has ended in these seconds. */
async function wait(endsAfter: (seconds: number) => boolean, signal = new AbortController().signal) {
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const said = await waitForEnd(async () => endsAfter(now / 1_000), clock, signal);
  return [said, now / 1_000];
}

const ended = 'The draft has ended, and so has its page.';

test.each<[string, (seconds: number) => boolean, string, number]>([
  ['of an ended draft stays for half a minute', () => true, ended, 30],
  ['stays half a minute from the end of its draft', (seconds) => seconds >= 100, ended, 130],
  ['of a draft that goes on counts its last end alone', (seconds) => seconds < 20 || seconds >= 40, ended, 70],
  [
    'of an open draft ends after an hour',
    () => false,
    'The page has ended after an hour. Run the command again to go on.',
    3_600,
  ],
])('the page %s', async (_, endsAfter, said, seconds) => {
  expect(await wait(endsAfter)).toEqual([said, seconds]);
});

test('the page ends when the command is interrupted', async () => {
  expect(await wait(() => false, AbortSignal.abort())).toEqual(['The page has ended.', 0]);
});

test.each([
  ['not_found', true],
  ['store_unavailable', false],
  ['timeout', false],
] as const)('after %s a draft has ended: %s', async (code, expected) => {
  const store = { read: () => Promise.reject(new BrokerageError(code, 'IT FAILED.', 'Wait.')) };
  const drafts = { store, accountKey: async () => 'account', environment: 'sandbox' };
  const parts = { services: { drafts } } as unknown as Parameters<typeof hasEnded>[0];
  expect(await hasEnded(parts, 'd'.repeat(16))).toBe(expected);
});

test('an error that nobody provides for is not taken for an end', async () => {
  const store = { read: () => Promise.reject(new TypeError('A FAULT')) };
  const drafts = { store, accountKey: async () => 'account', environment: 'sandbox' };
  const parts = { services: { drafts } } as unknown as Parameters<typeof hasEnded>[0];
  await expect(hasEnded(parts, 'd'.repeat(16))).rejects.toThrow('A FAULT');
});
