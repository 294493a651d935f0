/**
 * Merges accounts that turn out to be the same one. The transaction that links them moves the intents of all of
 * them to one account, so that limits and duplicates are checked under a single key.
 */
import type { AccountLinks } from '../../broker/account-identity.ts';
import { joinedName } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import { BrokerageError } from '../../errors.ts';
import type { ProcessRegistry } from '../../lease.ts';
import { findRootAccount, rememberAccount } from '../account/duplicate-accounts.ts';
import { joinExternalOrders } from '../account/external-record.ts';
import { type Intent, isAbandoned } from '../intent/intent.ts';
import type { Journal, JournalChange, JournalView } from '../intent/journal-port.ts';
import { orderFingerprint } from '../intent/order-request.ts';
import { exposureStates, nextState } from '../intent/states.ts';
import { markUnknown } from './reconcile-schedule.ts';

/**
 * Stores the links between account names and accounts in the journal. `link` throws `timeout` while orders are in
 * flight under both names.
 */
export function createAccountLinks({
  journal,
  clock,
  processes,
}: {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: ProcessRegistry;
}): AccountLinks {
  return {
    find: (names) => journal.read(async (tx) => (await listRootAccounts(tx, names, []))[0]),
    link: (names, accounts, of) =>
      journal.change(async (tx) => {
        const [account = '', ...others] = await listRootAccounts(tx, names, accounts);
        for (const other of others) await mergeAccounts(tx, other, account, processes, clock.now());
        for (const name of names) await tx.set(name, account);
        await rememberAccount(tx, of, account);
        return account;
      }),
  };
}

/** Each account once, with those known by a name first. */
async function listRootAccounts(
  tx: JournalView,
  names: readonly string[],
  accounts: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  for (const name of names) {
    const account = await tx.get<string>(name);
    if (account !== undefined) found.add(await findRootAccount(tx, account));
  }
  for (const account of accounts) found.add(await findRootAccount(tx, account));
  return [...found];
}

async function mergeAccounts(
  tx: JournalChange,
  from: string,
  to: string,
  processes: ProcessRegistry,
  now: number,
): Promise<void> {
  const inFlight: Intent[] = [];
  for (const accountKey of [from, to])
    for (const intent of await tx.list({ accountKey, states: ['SENDING'] }))
      if (isAbandoned(intent, processes, now)) await markUnknown(tx, intent, processes, now);
      else inFlight.push(intent);
  // One order may be in flight per account, so two accounts become one only after one of the two orders has ended.
  if (inFlight.length > 1)
    throw new BrokerageError(
      'timeout',
      'Orders of this account are being sent under two of its addresses; the account is read again after they end.',
      'Call again in half a minute.',
      { retryAfterSeconds: 30 },
    );
  // Refused intents stay: they are found by id and count towards nothing.
  const intents = await tx.list({ accountKey: from, states: [...exposureStates, 'CLOSED'] });
  for (const intent of intents) await move(tx, intent, to, now);
  await tx.joinDrafts(from, to);
  await joinExternalOrders(tx, from, to, now);
  await tx.set(joinedName(from), to);
  if (intents.length > 0) await tx.note('all', 'account_joined', { from, to, intents: intents.length });
}

async function move(tx: JournalChange, intent: Intent, accountKey: string, now: number): Promise<void> {
  const { id, state, environment, request, approval } = intent;
  const fingerprint = orderFingerprint(request, { environment, accountKey });
  await tx.move(id, state, { state, accountKey, fingerprint });
  // An approval is bound to the account that it was requested for, so it expires.
  if (approval && (state === 'AWAITING_APPROVAL' || state === 'APPROVED'))
    await tx.move(id, state, {
      state: nextState(state, 'expire'),
      changedAt: now,
      reason: 'The account is also known under another address, so the order needs a new approval.',
    });
}
