/** Two keys of one account are one account: their limits are joined, also while requests are on their way. */
import { expect, test } from 'vitest';
import { createAccounts, resolveAccount } from '../../src/broker/accounts.ts';
import { createLimits } from '../../src/broker/limits.ts';
import { endpoints } from '../../src/catalogue/index.ts';
import { createMemoryRecords } from '../../src/store/memory-records.ts';
import { quickClock } from './support.ts';

function parts() {
  const records = createMemoryRecords();
  const clock = quickClock();
  const accounts = (alias: string, scope = 'demo https://one') =>
    createAccounts({ records, scope: async () => scope, alias: async () => `${scope} ${alias}` });
  const limits = createLimits({
    records,
    clock,
    owner: 'test',
    resolveAccount: (account) => resolveAccount(records, account),
  });
  return { records, clock, accounts, limits };
}

test('a key has an internal account of its own, which stays the same', async () => {
  const { accounts } = parts();
  const key = await accounts('key').key();
  expect(key).toMatch(/^[0-9a-f]{16}$/);
  expect(await accounts('key').key()).toBe(key);
  expect(await accounts('another').key()).not.toBe(key);
  expect(await accounts('key').isKnown()).toBe(false);
});

test('the id in the summary makes two keys one account, within one environment and origin', async () => {
  const { accounts } = parts();
  const [first, second, elsewhere] = [accounts('a'), accounts('b'), accounts('a', 'live https://two')];
  await first.learn('123');
  await second.learn('123');
  await elsewhere.learn('123');
  expect(await second.key()).toBe(await first.key());
  expect(await elsewhere.key()).not.toBe(await first.key());
  await accounts('c').learn('456');
  expect(await accounts('c').key()).not.toBe(await first.key());
});

test('requests that were on their way under the other name are held against the joined limit', async () => {
  const { accounts, limits, clock } = parts();
  const [first, second] = [accounts('a'), accounts('b')];
  await first.learn('123');
  const context = () => ({ priority: 'read' as const, deadlineAt: clock.now() });
  const old = await second.key();
  const slot = await limits.take(old, endpoints.getAccountSummary, context(), 20_000);
  await second.learn('123');
  await slot.settle({}, false);
  // One per five seconds, and the other key has had it.
  await expect(limits.take(await first.key(), endpoints.getAccountSummary, context(), 20_000)).rejects.toMatchObject({
    code: 'rate_limited',
  });
  // Whoever still has the old name is led to the same limit.
  await expect(limits.take(old, endpoints.getAccountSummary, context(), 20_000)).rejects.toMatchObject({
    code: 'rate_limited',
  });
});
