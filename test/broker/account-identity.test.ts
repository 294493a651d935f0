/** Two keys of one account are one account: their limits are joined, even while requests are in flight. */
import { expect, test } from 'vitest';
import { resolveAccount } from '../../src/broker/account-identity.ts';
import { createRateLimiter } from '../../src/broker/rate-limit/limiter.ts';
import { endpoints } from '../../src/catalogue/index.ts';
import { accountStore } from '../support/accounts.ts';
import { quickClock } from './support.ts';

function parts() {
  const clock = quickClock();
  const { records, journal, accounts } = accountStore(clock);
  const limits = createRateLimiter({
    records,
    clock,
    owner: 'test',
    resolveAccount: (account) => resolveAccount(records, account),
  });
  return { journal, clock, accounts, limits };
}

const of = (keyHash: string, address = 'https://one', environment = 'demo') => ({
  environment,
  keyHash,
  addresses: [address] as const,
});

test('a key has an internal account of its own, which stays the same', async () => {
  const { accounts } = parts();
  const key = await accounts(of('a')).key();
  expect(key).toMatch(/^[0-9a-f]{16}$/);
  expect(await accounts(of('a')).key()).toBe(key);
  expect(await accounts(of('b')).key()).not.toBe(key);
  expect(await accounts(of('a')).knownId()).toBeUndefined();
});

test.each([
  ['two keys at one address', of('b')],
  ['one key at two addresses', of('a', 'https://two')],
  ['one key in two environments', of('a', 'https://two', 'live')],
])('the id in the summary makes %s one account', async (_, other) => {
  const { accounts } = parts();
  const [first, second] = [accounts(of('a')), accounts(other)];
  await first.recordAccountId('123');
  await second.recordAccountId('123');
  expect(await second.key()).toBe(await first.key());
  expect(await second.knownId()).toBe('123');
});

test.each([
  ['another id', of('b'), '456'],
  ['another key at another address', of('b', 'https://two'), '123'],
  ['another key at another address of another environment', of('b', 'https://two', 'live'), '123'],
  ['the same key with another id at another address', of('a', 'https://two'), '456'],
])('%s is another account', async (_, other, id) => {
  const { accounts } = parts();
  const [first, second] = [accounts(of('a')), accounts(other)];
  await first.recordAccountId('123');
  await second.recordAccountId(id);
  expect(await second.key()).not.toBe(await first.key());
});

test('separate accounts become one when a key is used at the address of the other', async () => {
  const { accounts } = parts();
  const [first, second] = [accounts(of('a')), accounts(of('b', 'https://two'))];
  await first.recordAccountId('123');
  await second.recordAccountId('123');
  expect(await second.key()).not.toBe(await first.key());
  await accounts(of('a', 'https://two')).recordAccountId('123');
  expect(await second.key()).toBe(await first.key());
});

test('requests in flight under the other name count against the joined limit', async () => {
  const { accounts, limits, clock } = parts();
  const [first, second] = [accounts(of('a')), accounts(of('b'))];
  await first.recordAccountId('123');
  const context = () => ({ priority: 'read' as const, deadlineAt: clock.now() });
  const old = await second.key();
  const slot = await limits.take(old, endpoints.getAccountSummary, context(), 20_000);
  await second.recordAccountId('123');
  await slot.complete({}, false);
  // One per five seconds, and the other key has used it.
  await expect(limits.take(await first.key(), endpoints.getAccountSummary, context(), 20_000)).rejects.toMatchObject({
    code: 'rate_limited',
  });
  // A holder of the old name is led to the same limit.
  await expect(limits.take(old, endpoints.getAccountSummary, context(), 20_000)).rejects.toMatchObject({
    code: 'rate_limited',
  });
});
