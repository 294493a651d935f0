/**
 * Remembers services, keys and accounts that were used for live trading. Otherwise a variable that declares one of
 * them as demo would trade real money under the rules of paper money.
 */

import { serviceName } from '../../broker/service-url.ts';
import { orElse } from '../../log.ts';
import type { ApprovalMethod } from '../../orders/intent/approval-methods.ts';
import type { Journal, JournalChange, JournalView, StoreWitness } from '../../orders/intent/journal-port.ts';
import type { Refusal } from '../../orders/intent/refusal.ts';
import type { Environment } from '../../settings/config.ts';

interface Known {
  readonly origins: readonly string[];
  readonly accounts: readonly string[];
  readonly keys: readonly string[];
}

const recordName = 'live service';
const nothing: Known = { origins: [], accounts: [], keys: [] };

const readKnown = async (tx: JournalView): Promise<Known> => (await tx.get<Known>(recordName)) ?? nothing;

const add = (list: readonly string[], value: string | undefined) =>
  value === undefined || list.includes(value) ? list : [...list, value];

/** Records the service as live. Called only in live, with the fields that are known. */
export async function recordLiveOrigin(tx: JournalChange, { origin, account, keyHash }: Service): Promise<void> {
  const known = await readKnown(tx);
  await tx.set(recordName, {
    origins: add(known.origins, origin && serviceName(origin)),
    accounts: add(known.accounts, account),
    keys: add(known.keys, keyHash),
  });
}

/**
 * Records live services outside of a transaction. A process writes each fact once; if the store fails, the next
 * call tries again.
 */
export function createLiveNotes(journal: Journal): (service: Service) => Promise<void> {
  const written = new Set<string>();
  return async (service) => {
    const name = JSON.stringify([service.origin, service.account, service.keyHash]);
    if (written.has(name)) return;
    await journal
      .change((tx) => recordLiveOrigin(tx, service))
      .then(() => written.add(name))
      .catch(orElse('record a live service', undefined));
  };
}

const isKnown = (list: readonly string[], value: string | undefined): boolean => list.some((one) => one === value);

const hasOrigin = ({ origins }: Known, origin: string | undefined): boolean =>
  isKnown(origins, origin && serviceName(origin));

/** Whether a key with this hash was used for live trading. */
export const isLiveKey = async (tx: JournalView, keyHash: string | undefined): Promise<boolean> =>
  isKnown((await readKnown(tx)).keys, keyHash);

/** Whether an address was used for live trading. */
export const isLiveOrigin = async (tx: JournalView, origin: string): Promise<boolean> =>
  hasOrigin(await readKnown(tx), origin);

/**
 * The refusal of a demo order to a service that is recorded as live; otherwise undefined. `account` is the
 * service's own id, if the caller has just read it.
 */
export async function liveOriginRefusal(
  tx: JournalView,
  { environment, origin, service }: TradingSettings,
  account?: string | undefined,
): Promise<Refusal | undefined> {
  if (environment !== 'demo') return undefined;
  const known = await readKnown(tx);
  const { account: lastAccount, keyHash } = service?.() ?? {};
  const isLive =
    hasOrigin(known, origin) ||
    isKnown(known.accounts, account) ||
    isKnown(known.accounts, lastAccount) ||
    isKnown(known.keys, keyHash);
  return isLive
    ? {
        rule: 'live_service',
        reason: 'This store has recorded this base URL, account or key as live, so demo orders to it are blocked.',
      }
    : undefined;
}

// The service that a process trades with, and its trading settings.

/** The service that a process trades with, as far as it is known now. */
export interface Service {
  readonly origin?: string | undefined;
  /** The service's own id of the account. */
  readonly account?: string | undefined;
  readonly keyHash?: string | undefined;
}

/** What decides whether and how orders may be placed by this process. */
export interface TradingSettings {
  readonly environment: Environment;
  /** The account of this process where the owner has several; undefined otherwise. */
  readonly account?: string | undefined;
  /** The origin of the service; undefined in the sandbox. */
  readonly origin: string | undefined;
  /** What else is known of the service now; every call may add to it. */
  readonly service?: (() => Service) | undefined;
  readonly liveTrading: boolean;
  /** As configured. In live the enrollment decides, and this can only make it stricter. */
  readonly approval: ApprovalMethod | 'none' | undefined;
  /** Whether the file `halt` exists in the state folder. */
  readonly haltFile: () => boolean;
  /** What is known of the store outside of it; undefined in the sandbox, whose orders are not real. */
  readonly witness?: StoreWitness | undefined;
}
