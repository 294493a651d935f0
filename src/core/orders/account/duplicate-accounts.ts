/**
 * Accounts with the same id in the same environment, but another address and another key. Such an account may be
 * the same one under a second name, or an account of another service: nothing shows which. Their records stay
 * separate, and while orders of one count, no order is placed on the other.
 */
import { joinedName } from '../../broker/types.ts';
import { dayMs } from '../../clock.ts';
import { getPlacedAt, maxApprovalMs } from '../intent/intent.ts';
import type { JournalChange, JournalView } from '../intent/journal-port.ts';
import type { Refusal } from '../intent/refusal.ts';
import { exposureStates, openStates } from '../intent/states.ts';
import { countsInLimits } from './exposure.ts';

/** An account as the service identifies it. */
export interface ServiceAccount {
  readonly environment: string;
  readonly brokerAccountId: string;
}

const formatRecordName = ({ environment, brokerAccountId }: ServiceAccount) =>
  `accounts of ${JSON.stringify([environment, brokerAccountId])}`;

/** The account that this one was merged into; itself when it was not merged. */
export async function findRootAccount(tx: JournalView, account: string): Promise<string> {
  const next = await tx.get<string>(joinedName(account));
  return next === undefined ? account : findRootAccount(tx, next);
}

async function listAccounts(tx: JournalView, of: ServiceAccount): Promise<Set<string>> {
  const roots = new Set<string>();
  for (const account of (await tx.get<readonly string[]>(formatRecordName(of))) ?? [])
    roots.add(await findRootAccount(tx, account));
  return roots;
}

/** Records that an account of this program has this id at the service. */
export async function rememberAccount(tx: JournalChange, of: ServiceAccount, account: string): Promise<void> {
  await tx.set(formatRecordName(of), [...(await listAccounts(tx, of)).add(account)]);
}

/**
 * The refusal while an account that may be this one has open orders, or orders that count in the limits of a day;
 * otherwise undefined.
 */
export async function duplicateAccountRefusal(
  tx: JournalView,
  of: ServiceAccount,
  accountKey: string,
  now: number,
): Promise<Refusal | undefined> {
  for (const account of await listAccounts(tx, of)) {
    if (account === accountKey) continue;
    const since = now - dayMs;
    // An order is sent as late as its approval ends.
    const createdSince = since - maxApprovalMs;
    const listed = await tx.list({ accountKey: account, states: exposureStates, createdSince });
    const ofDay = listed.filter((intent) => getPlacedAt(intent, now) > since);
    // All of them: the newest can be overdue and count no more, and an older one still be of unknown outcome.
    const open = await tx.list({ accountKey: account, states: openStates });
    if ([...ofDay, ...open].some((intent) => countsInLimits(intent, now)))
      return {
        rule: 'account_unclear',
        reason: `Orders of the last 24 hours went to account ${of.brokerAccountId} at another address and with another key, and it is unclear whether that is the same account. Use one address or one key per account, and a separate state folder for another service.`,
      };
  }
  return undefined;
}
