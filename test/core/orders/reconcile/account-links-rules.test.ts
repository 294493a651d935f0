/** What moves when two accounts turn out to be one, and when they cannot become one yet. */
import { describe, expect, test } from 'vitest';
import { joinedName } from '../../../../src/core/broker/types.ts';
import { readExternalRecord, writeExternalRecord } from '../../../../src/core/orders/account/external-record.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { orderFingerprint } from '../../../../src/core/orders/intent/order-request.ts';
import { createAccountLinks } from '../../../../src/core/orders/reconcile/account-links.ts';
import type { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, givenApproval, request, startAt } from '../send/approved-order.ts';
import { openAuditedJournal } from './audited-journal.ts';

const processes = { self: 'test', isAlive: (owner: string) => owner !== 'dead' };
const of = { environment: 'demo', brokerAccountId: '123' };
/** The names of a key and of an address, as the account id was first read with them. */
const [key, address] = ['key', 'address'];
const sending: Partial<Intent> = { state: 'SENDING', sentAt: startAt, answerBy: startAt + 15_000, sender: 'test' };

/** Two accounts, `old` and `kept`, known by one name each, with these orders. */
async function setup(intents: readonly Partial<Intent>[] = []) {
  const clock = createManualClock({ startAt });
  const { journal, listAudit } = await openAuditedJournal(clock);
  const links = createAccountLinks({ journal, clock, processes });
  await journal.change(async (tx) => {
    await tx.set(key, 'kept');
    await tx.set(address, 'old');
    for (const [index, intent] of intents.entries())
      await tx.insert({ ...approvedOrder, accountKey: 'old', id: String(index), ...intent });
  });
  const join = () => links.link([key, address], [], of);
  const find = (id: string) => journal.read((tx) => tx.find(id));
  return { clock, journal, links, listAudit, join, find };
}

describe('an account', () => {
  test('is found by any of its names', async () => {
    const { links } = await setup();
    expect(await links.find(['unknown', address])).toBe('old');
    expect(await links.find([key, address])).toBe('kept');
    expect(await links.find(['unknown'])).toBeUndefined();
  });

  test('that no name is known of is the first of those given, and gets the names', async () => {
    const { links, journal } = await setup();
    expect(await links.link(['a', 'b'], ['fresh'], of)).toBe('fresh');
    expect(await links.find(['a'])).toBe('fresh');
    expect(await links.find(['b'])).toBe('fresh');
    expect(await journal.read((tx) => tx.get('accounts of ["demo","123"]'))).toEqual(['fresh']);
  });

  test('that became part of another is found as that one, by every name', async () => {
    const { links, journal, join } = await setup();
    expect(await join()).toBe('kept');
    expect(await journal.read((tx) => tx.get(joinedName('old')))).toBe('kept');
    expect(await links.find([address])).toBe('kept');
    expect(await links.link(['more'], ['old'], of)).toBe('kept');
    expect(await links.find(['more'])).toBe('kept');
  });

  test('known by a name is kept before one that is only given', async () => {
    const { links } = await setup();
    expect(await links.link([key], ['given'], of)).toBe('kept');
    expect(await links.link(['more'], ['given'], of)).toBe('kept');
  });
});

describe('when two accounts become one', () => {
  test.each<Intent['state']>([
    'AWAITING_APPROVAL',
    'APPROVED',
    'SENDING',
    'UNKNOWN',
    'AMBIGUOUS',
    'PROBABLY_ABSENT',
    'NOT_SENT',
    'PLACED',
    'REJECTED',
    'DECLINED',
    'EXPIRED',
    'CLOSED',
  ])('an order in the state %s moves, and its duplicates are found under the new account', async (state) => {
    const { join, find } = await setup([{ ...sending, state }]);
    await join();
    const fingerprint = orderFingerprint(request, { environment: 'demo', accountKey: 'kept' });
    expect(await find('0')).toMatchObject({ state, accountKey: 'kept', fingerprint, changedAt: startAt });
  });

  test('the drafts of the one become those of the other', async () => {
    const { journal, join } = await setup();
    const drafts = journal as unknown as ReturnType<typeof createJournal<Intent, never>>;
    const draft = { environment: 'demo', name: undefined, version: 1, state: 'open', source: '' } as const;
    const times = { createdAt: startAt, expiresAt: startAt + 1 };
    await drafts.change(async (tx) => {
      await tx.insertDraft({ ...draft, ...times, id: 'd1', accountKey: 'old' });
      await tx.insertDraft({ ...draft, ...times, id: 'd2', accountKey: 'third' });
    });
    await join();
    const accountOf = (id: string) => drafts.read(async (tx) => (await tx.findDraft(id))?.accountKey);
    expect([await accountOf('d1'), await accountOf('d2')]).toEqual(['kept', 'third']);
  });

  test('a refused order stays, and so do the orders of a third account', async () => {
    const { join, find, listAudit } = await setup([{ state: 'REFUSED' }, { state: 'PLACED', accountKey: 'third' }]);
    await join();
    expect(await find('0')).toMatchObject({ accountKey: 'old', fingerprint: 'print' });
    expect(await find('1')).toMatchObject({ accountKey: 'third', fingerprint: 'print' });
    expect(await listAudit('account_joined')).toEqual([]);
  });

  test.each<[string, Partial<Intent>, Intent['state']]>([
    [
      'that was asked for expires',
      { state: 'AWAITING_APPROVAL', approval: { ...givenApproval, approvedAt: undefined, by: undefined } },
      'EXPIRED',
    ],
    ['that was given expires', { state: 'APPROVED', approval: givenApproval }, 'EXPIRED'],
    ['of an order that was placed stays', { state: 'PLACED', approval: givenApproval }, 'PLACED'],
    ['that no order needed does not', { state: 'APPROVED' }, 'APPROVED'],
  ])('an approval %s', async (_, change, state) => {
    const { clock, join, find } = await setup([change]);
    await clock.advance(1_000);
    await join();
    const row = await find('0');
    const hasEnded = state === 'EXPIRED';
    expect(row).toMatchObject({ state, accountKey: 'kept', changedAt: startAt + (hasEnded ? 1_000 : 0) });
    expect(row?.reason === undefined).toBe(!hasEnded);
  });

  test('the audit trail names both accounts and how many orders moved', async () => {
    const { join, listAudit } = await setup([{ state: 'PLACED' }, { state: 'CLOSED' }]);
    await join();
    expect(await listAudit('account_joined')).toEqual([{ environment: 'all', from: 'old', to: 'kept', intents: 2 }]);
  });

  test('the orders of other programs move', async () => {
    const { journal, join } = await setup();
    const orders = [{ id: '5', at: startAt }];
    await journal.change((tx) => writeExternalRecord(tx, 'old', { nextAt: 0, orders }));
    await join();
    expect((await journal.read((tx) => readExternalRecord(tx, 'kept')))?.orders).toEqual(orders);
    expect(await journal.read((tx) => readExternalRecord(tx, 'old'))).toBeUndefined();
  });
});

describe('orders in flight', () => {
  test('under both names keep two accounts apart for half a minute', async () => {
    const { links, join, find } = await setup([sending, { ...sending, accountKey: 'kept' }]);
    await expect(join()).rejects.toMatchObject({ code: 'timeout', facts: { retryAfterSeconds: 30 } });
    expect(await find('0')).toMatchObject({ state: 'SENDING', accountKey: 'old' });
    expect(await links.find([address])).toBe('old');
  });

  test.each<[string, Partial<Intent>]>([
    ['of a third account', { accountKey: 'third' }],
    ['that ended', { accountKey: 'kept', state: 'PLACED' }],
  ])('do not include one %s', async (_, change) => {
    const { join } = await setup([sending, { ...sending, ...change }]);
    expect(await join()).toBe('kept');
  });

  test.each([
    ['old', 'kept'],
    ['kept', 'old'],
  ])('whose sender is dead become unknown, and hold nothing up: in account %s', async (dead, alive) => {
    const { join, find } = await setup([
      { ...sending, accountKey: alive },
      { ...sending, accountKey: dead, sender: 'dead' },
    ]);
    expect(await join()).toBe('kept');
    expect(await find('0')).toMatchObject({ state: 'SENDING', accountKey: 'kept' });
    const search = { lostAt: startAt, round: 0, nextAt: startAt };
    expect(await find('1')).toMatchObject({ state: 'UNKNOWN', accountKey: 'kept', changedAt: startAt, search });
  });
});
