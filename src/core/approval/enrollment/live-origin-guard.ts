/**
 * Remembers services, keys and accounts that were used for live trading. Otherwise a variable that declares one of
 * them as demo would trade real money under the rules of paper money.
 */
import { serviceName } from '../../broker/service-url.ts';
import { orElse } from '../../log.ts';
import type { Journal, JournalChange, JournalView } from '../../orders/intent/ports.ts';
import type { Refusal } from '../../orders/intent/refusal.ts';
import type { Service, TradingSettings } from './trading-settings.ts';

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
