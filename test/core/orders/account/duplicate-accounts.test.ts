/** Two accounts of this program with one id at the service: while orders of one count, no order goes to the other. */
import { describe, expect, test } from 'vitest';
import { joinedName } from '../../../../src/core/broker/types.ts';
import {
  duplicateAccountRefusal,
  findRootAccount,
  rememberAccount,
} from '../../../../src/core/orders/account/duplicate-accounts.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { allStates, type IntentState } from '../../../../src/core/orders/intent/states.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openAuditedJournal } from '../reconcile/audited-journal.ts';
import { approvedOrder, startAt as now } from '../send/approved-order.ts';

const dayMs = 86_400_000;
const of = { environment: 'demo', brokerAccountId: '123' };
const recordName = 'accounts of ["demo","123"]';

interface World {
  /** The accounts that were remembered, in turn. */
  readonly accounts?: readonly string[];
  /** Which account became part of which one. */
  readonly joined?: Readonly<Record<string, string>>;
  readonly intents?: readonly Partial<Intent>[];
}

async function openWorld({ accounts = [], joined = {}, intents = [] }: World) {
  const { journal } = await openAuditedJournal(createManualClock({ startAt: now }));
  await journal.change(async (tx) => {
    for (const account of accounts) await rememberAccount(tx, of, account);
    for (const [from, to] of Object.entries(joined)) await tx.set(joinedName(from), to);
    for (const [index, intent] of intents.entries())
      await tx.insert({ ...approvedOrder, accountKey: 'other', id: String(index), ...intent });
  });
  return journal;
}

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['itself', {}, 'a'],
  ['the one that it was merged into', { a: 'b' }, 'b'],
  ['the last of a chain', { a: 'b', b: 'c' }, 'c'],
  ['itself, when another one was merged into it', { b: 'a' }, 'a'],
])('the root of an account is %s', async (_, joined, expected) => {
  const journal = await openWorld({ joined });
  expect(await journal.read((tx) => findRootAccount(tx, 'a'))).toBe(expected);
});

describe('the accounts with one id at the service', () => {
  test('are remembered once each, in the order in which they were seen', async () => {
    const journal = await openWorld({ accounts: ['a', 'b', 'a'] });
    expect(await journal.read((tx) => tx.get(recordName))).toEqual(['a', 'b']);
  });

  test('are remembered as what they were merged into', async () => {
    const journal = await openWorld({ accounts: ['a', 'b', 'c'], joined: { a: 'c' } });
    await journal.change((tx) => rememberAccount(tx, of, 'd'));
    expect(await journal.read((tx) => tx.get(recordName))).toEqual(['c', 'b', 'd']);
  });

  test('are apart from those of another environment and of another id', async () => {
    const journal = await openWorld({ accounts: ['a'] });
    await journal.change((tx) => rememberAccount(tx, { ...of, environment: 'live' }, 'b'));
    await journal.change((tx) => rememberAccount(tx, { ...of, brokerAccountId: '12' }, 'c'));
    expect(await journal.read((tx) => tx.get(recordName))).toEqual(['a']);
    expect(await journal.read((tx) => tx.get('accounts of ["live","123"]'))).toEqual(['b']);
    expect(await journal.read((tx) => tx.get('accounts of ["demo","12"]'))).toEqual(['c']);
  });
});

/** The rule that refuses an order on the account `own`; undefined when none does. */
async function refusal({ accounts = ['own', 'other'], ...world }: World, account = 'own') {
  const journal = await openWorld({ accounts, ...world });
  return (await journal.read((tx) => duplicateAccountRefusal(tx, of, account, now)))?.rule;
}

describe('an order is refused', () => {
  const ended: readonly IntentState[] = ['REFUSED', 'DECLINED', 'EXPIRED', 'NOT_SENT', 'REJECTED', 'CLOSED'];
  test.each(allStates)('exactly if one counts on the other account: %s', async (state) => {
    expect(await refusal({ intents: [{ state }] })).toBe(!ended.includes(state) ? 'account_unclear' : undefined);
  });

  test.each<[string, Partial<Intent>, string | undefined]>([
    ['was placed less than a day ago', { state: 'PLACED', createdAt: now - dayMs + 1 }, 'account_unclear'],
    ['was placed a day ago', { state: 'PLACED', createdAt: now - dayMs }, undefined],
    // An approval lasts five minutes.
    [
      'was approved late, and sent less than a day ago',
      { state: 'PLACED', createdAt: now - dayMs - 299_000, sentAt: now - dayMs + 1 },
      'account_unclear',
    ],
    [
      'was created in the last day and sent a day ago',
      { state: 'PLACED', createdAt: now - dayMs + 1, sentAt: now - dayMs },
      undefined,
    ],
    ['is unknown, however old it is', { state: 'UNKNOWN', createdAt: now - 90 * dayMs }, 'account_unclear'],
    [
      'was placed by a clock ahead, which was seen a day ago',
      { state: 'PLACED', createdAt: now + dayMs, seenAheadAt: now - dayMs },
      undefined,
    ],
    [
      'was placed by a clock ahead, which was seen later',
      { state: 'PLACED', createdAt: now + dayMs, seenAheadAt: now - dayMs + 1 },
      'account_unclear',
    ],
    ['may still be tried again', { state: 'NOT_SENT', retryUntil: now + 1 }, 'account_unclear'],
    ['is overdue', { state: 'APPROVED', createdAt: now - 60_000 }, undefined],
  ])('by one on the other account that %s', async (_, intent, expected) => {
    expect(await refusal({ intents: [intent] })).toBe(expected);
  });

  test('by one that counts among others that do not', async () => {
    const closed = { state: 'REJECTED' } as const;
    expect(await refusal({ intents: [closed, { state: 'PLACED' }, closed] })).toBe('account_unclear');
  });

  test('by an old one of unknown outcome, behind a newer one that is overdue and counts no more', async () => {
    const unknown = { state: 'UNKNOWN', createdAt: now - 2 * dayMs } as const;
    const overdue = { state: 'APPROVED', createdAt: now - 60_000 } as const;
    expect(await refusal({ intents: [unknown, overdue] })).toBe('account_unclear');
  });

  test('with the id of the account and what to do', async () => {
    const journal = await openWorld({ accounts: ['own', 'other'], intents: [{ state: 'PLACED' }] });
    expect(await journal.read((tx) => duplicateAccountRefusal(tx, of, 'own', now))).toEqual({
      rule: 'account_unclear',
      reason:
        'Orders of the last 24 hours went to account 123 at another address and with another key, and it is unclear whether that is the same account. Use one address or one key per account, and a separate state folder for another service.',
    });
  });

  test('by one of the last of three accounts', async () => {
    const accounts = ['own', 'other', 'third'];
    expect(await refusal({ accounts, intents: [{ state: 'PLACED', accountKey: 'third' }] })).toBe('account_unclear');
  });
});

describe('an order is not refused', () => {
  test.each<[string, World]>([
    ['by those on its own account', { intents: [{ state: 'PLACED', accountKey: 'own' }] }],
    ['by those on an account with another id', { intents: [{ state: 'PLACED', accountKey: 'unrelated' }] }],
    ['by an unknown one on an account with another id', { intents: [{ state: 'UNKNOWN', accountKey: 'unrelated' }] }],
    ['where no account has the id', { accounts: [], intents: [{ state: 'PLACED' }] }],
    ['where the other account became part of its own', { joined: { other: 'own' }, intents: [{ state: 'PLACED' }] }],
  ])('%s', async (_, world) => {
    expect(await refusal(world)).toBeUndefined();
  });
});
