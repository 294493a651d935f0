/** Two keys of one account are one account: their limits are joined, even while requests are in flight. */
import { expect, test } from 'vitest';
import { createAccounts, hash, resolveAccount } from '../../../src/core/broker/account-identity.ts';
import { initialLimit, type LimitState } from '../../../src/core/broker/rate-limit/limit-state.ts';
import { createRateLimiter, limitKey } from '../../../src/core/broker/rate-limit/limiter.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { accountStore } from '../../support/accounts.ts';
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
  address,
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

/** An account over records of its own. `known` is what its names are linked to. */
function linking(known?: string) {
  const records = createMemoryRecords();
  const links: unknown[] = [];
  const slotsOf = async (account: string) =>
    (await records.read<LimitState>('limit', limitKey(account, endpoints.listPositions)))?.slots.map(({ id }) => id);
  /** What the linked account had of the limits when it was linked. */
  const before: unknown[] = [];
  const accounts = createAccounts({
    records,
    identity: async () => ({ environment: 'demo', address: 'https://one', keyHash: 'hash' }),
    links: {
      find: async (names) => {
        links.push(names);
        return known;
      },
      link: async (names, joined, of) => {
        links.push([names, joined, of]);
        before.push(await slotsOf(known ?? ''));
        return known ?? joined[0] ?? '';
      },
    },
  });
  const send = async (account: string, id: string) => {
    const slot = { id, owner: 'own', takenAt: 0, lostAt: 1 };
    const state = { ...initialLimit({ requests: 1, periodSeconds: 1 }), slots: [slot] };
    await records.update('limit', limitKey(account, endpoints.listPositions), () => ({ state, result: undefined }));
  };
  return { records, accounts, links, before, slotsOf, send };
}
const namesOf = (id: string) => [`account of key ["hash","${id}"]`, `account at ["https://one","${id}"]`];

test('the id in a summary is linked with the key and with the address, once', async () => {
  const { accounts, links } = linking();
  const own = await accounts.key();
  for (let n = 0; n < 2; n++) await accounts.recordAccountId('123');
  expect(links).toEqual([namesOf('123'), [namesOf('123'), [own], { environment: 'demo', brokerAccountId: '123' }]]);
});

test('the joined account has the requests of both, and those of the own one before the link', async () => {
  const { accounts, before, slotsOf, send } = linking('known');
  const own = await accounts.key();
  await send(own, 'b');
  await send('known', 'c');
  await accounts.recordAccountId('123');
  expect(before).toEqual([['c', 'b']]);
  expect((await slotsOf('known'))?.toSorted()).toEqual(['b', 'c']);
  expect(await slotsOf(own)).toEqual(['b']);
});

test('the key of another account from now on starts a new account, and takes its requests along', async () => {
  const { accounts, links, slotsOf, send } = linking();
  const own = await accounts.key();
  await accounts.recordAccountId('123');
  await send(own, 'a');
  await accounts.recordAccountId('456');
  const [, [, [fresh]]] = links.slice(2) as [unknown, [unknown, [string]]];
  expect(fresh).toMatch(/^[0-9a-f]{16}$/);
  expect(fresh).not.toBe(own);
  expect(await accounts.key()).toBe(fresh);
  expect(await accounts.knownId()).toBe('456');
  expect(await slotsOf(fresh)).toEqual(['a']);
});

test('two processes that meet a key at the same moment have one account', async () => {
  const { accounts } = linking();
  const keys = await Promise.all([accounts.key(), accounts.key()]);
  expect(new Set([...keys, await accounts.key()])).toEqual(new Set([keys[0]]));
});

test('the key of another account that is known joins that one, and no new account', async () => {
  const { records, accounts, links, slotsOf, send } = linking('known');
  const alias = hash(['demo', 'https://one', 'hash']);
  await records.update('account-alias', alias, () => ({
    state: { account: 'own', brokerAccountId: '123' },
    result: undefined,
  }));
  await send('own', 'a');
  await accounts.recordAccountId('456');
  expect(links[1]).toEqual([namesOf('456'), [], { environment: 'demo', brokerAccountId: '456' }]);
  expect(await accounts.key()).toBe('known');
  expect(await slotsOf('known')).toEqual(['a']);
});

test('an account without limits leaves those of the one that it joins', async () => {
  const { accounts, slotsOf, send } = linking('known');
  await send('known', 'c');
  await accounts.recordAccountId('123');
  expect(await slotsOf('known')).toEqual(['c']);
});

test('the limits of an account that joins none are stored under no other name', async () => {
  const { accounts, slotsOf, send } = linking();
  await send(await accounts.key(), 'a');
  await accounts.recordAccountId('123');
  expect(await slotsOf('undefined')).toBeUndefined();
});

test('a name is the SHA-256 hash of its parts as JSON, in hexadecimal', () => {
  // By sha256sum.
  expect(hash([])).toBe('4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945');
  expect(hash(['a', 'b'])).not.toBe(hash(['a","b']));
});
