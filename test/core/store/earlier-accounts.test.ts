/**
 * A store of an earlier version, with one account under several spellings: nothing in it is lost or counted separately.
 */
// @module-tag server
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';
import { orderFingerprint } from '../../../src/core/orders/intent/order-request.ts';
import { createAuditTrail } from '../../../src/core/store/audit-table.ts';
import { accountStore } from '../../support/accounts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { databases } from './support.ts';

const now = 1_768_489_200_000;
const environment = 'demo';
const hash = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
const keyHash = hash(['the key']);
const request = { type: 'MARKET', ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: '2' } as const;

const intent = (id: string, accountKey: string, change: Partial<Intent> = {}): Intent =>
  ({
    id,
    kind: 'order',
    state: 'PLACED',
    environment,
    accountKey,
    fingerprint: orderFingerprint(request, { environment, accountKey }),
    ticker: request.ticker,
    request,
    createdAt: now,
    changedAt: now,
    owner: 'earlier',
    method: 'none',
    ...change,
  }) as Intent;

describe.each(databases)('an earlier store in %s', (_, make) => {
  async function open() {
    const engine = (await make()).open();
    const clock = createManualClock({ startAt: now, auto: true });
    const store = accountStore(clock, engine);
    /** The alias and the account of an address as 0.1.0 wrote them. */
    const enter = async (address: string, account: string, id = '123') => {
      const scope = JSON.stringify([environment, address]);
      const state = { account, brokerAccountId: id };
      await store.records.update('account-alias', hash([scope, keyHash]), () => ({ state, result: undefined }));
      await store.records.update('account', JSON.stringify([scope, id]), () => ({ state: account, result: undefined }));
    };
    const process = (...addresses: [string, ...string[]]) =>
      store.accounts({ environment, keyHash, addresses: ['http://127.0.0.1:1', ...addresses] });
    return { ...store, audit: createAuditTrail(engine), enter, process };
  }

  test('the account of an address whose spelling changes is found before any call', async () => {
    const { enter, process } = await open();
    await enter('http://localhost:1', 'aaaa');
    const account = process('http://localhost:1');
    expect(await account.key()).toBe('aaaa');
    await account.recordAccountId('123');
    expect(await account.key()).toBe('aaaa');
    expect(await process('http://127.0.0.1:1').key()).toBe('aaaa');
  });

  test('the account of an address whose spelling stays is the same account', async () => {
    const { enter, process } = await open();
    await enter('http://127.0.0.1:1', 'aaaa');
    const account = process('http://127.0.0.1:1');
    expect(await account.key()).toBe('aaaa');
    // It is read once more before an order, and then linked.
    expect(await account.knownId()).toBeUndefined();
    await account.recordAccountId('123');
    expect(await account.knownId()).toBe('123');
    expect(await account.key()).toBe('aaaa');
  });

  test('two accounts that were two spellings become one, with the intents of both', async () => {
    const { enter, process, journal, audit } = await open();
    await enter('http://127.0.0.1:1', 'aaaa');
    await enter('http://localhost:1', 'bbbb');
    await journal.change(async (tx) => {
      await tx.insert(intent('one', 'aaaa'));
      await tx.insert(intent('two', 'bbbb'));
      await tx.insert(intent('three', 'bbbb', { state: 'REFUSED' }));
    });
    const [first, second] = [process('http://127.0.0.1:1'), process('http://localhost:1')];
    await first.recordAccountId('123');
    await second.recordAccountId('123');
    expect(await second.key()).toBe(await first.key());
    const accountKey = await first.key();
    const own = await journal.read((tx) => tx.list({ accountKey, states: ['PLACED'] }));
    expect(own.map(({ id }) => id).sort()).toEqual(['one', 'two']);
    const fingerprint = orderFingerprint(request, { environment, accountKey });
    expect((await journal.read((tx) => tx.list({ fingerprint, states: ['PLACED'] }))).length).toBe(2);
    expect(await journal.read((tx) => tx.find('three'))).toMatchObject({ state: 'REFUSED' });
    expect(await audit.verify()).toMatchObject({ holds: true });
  });

  test('an order waiting under the other name needs a new approval', async () => {
    const { enter, process, journal } = await open();
    await enter('http://127.0.0.1:1', 'aaaa');
    await enter('http://localhost:1', 'bbbb');
    const approval = { handle: 'h', nonce: 'n', digest: 'd', askedAt: now, expiresAt: now + 60_000 } as never;
    await journal.change((tx) => tx.insert(intent('one', 'bbbb', { state: 'AWAITING_APPROVAL', approval })));
    await process('http://127.0.0.1:1').recordAccountId('123');
    await process('http://localhost:1').recordAccountId('123');
    expect(await journal.read((tx) => tx.find('one'))).toMatchObject({ state: 'EXPIRED', accountKey: 'aaaa' });
  });

  test('with orders in flight under two names the accounts stay separate until one has ended', async () => {
    const { enter, process, journal } = await open();
    await enter('http://127.0.0.1:1', 'aaaa');
    await enter('http://localhost:1', 'bbbb');
    const sending = { state: 'SENDING', sentAt: now, answerBy: now + 15_000, sender: 'test' } as const;
    await journal.change(async (tx) => {
      await tx.insert(intent('one', 'aaaa', sending));
      await tx.insert(intent('two', 'bbbb', sending));
    });
    await process('http://127.0.0.1:1').recordAccountId('123');
    const second = process('http://localhost:1');
    await expect(second.recordAccountId('123')).rejects.toMatchObject({ code: 'timeout' });
    expect(await second.knownId()).toBeUndefined();
    await journal.change((tx) => tx.move('one', 'SENDING', { state: 'PLACED' }));
    await second.recordAccountId('123');
    expect(await journal.read((tx) => tx.find('two'))).toMatchObject({ state: 'SENDING', accountKey: 'aaaa' });
  });
});
