/** The account of one process: its key in the store, and what is known about its service. */

import { findOtherAddress, otherAddressError } from '../core/approval/enrollment/enrollment.ts';
import { createLiveNotes, type Service } from '../core/approval/enrollment/live-origin-guard.ts';
import { createAccounts, hash, type Identity } from '../core/broker/account-identity.ts';
import { serviceName } from '../core/broker/service-url.ts';
import type { Clock } from '../core/clock.ts';
import type { AccountSummary } from '../core/endpoints/index.ts';
import { hasCode } from '../core/errors.ts';
import type { ProcessRegistry } from '../core/lease.ts';
import type { Journal } from '../core/orders/intent/journal-port.ts';
import { createAccountLinks } from '../core/orders/reconcile/account-links.ts';
import type { Config } from '../core/settings/config.ts';
import type { FallbackRecords } from '../core/store/fallback-records.ts';
import { sandboxNumber } from './sandbox.ts';

export function createAccount(deps: {
  readonly config: Config;
  readonly records: FallbackRecords;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: ProcessRegistry;
  readonly origin: () => Promise<string>;
  readonly credentials: () => Promise<{ readonly key: string }>;
}) {
  const { config, records, journal } = deps;
  const { environment, baseUrl, credentials } = config;
  const plainKey = credentials?.key;
  let service: Service = {
    origin: baseUrl && serviceName(baseUrl),
    keyHash: typeof plainKey === 'string' ? hash([plainKey]) : undefined,
  };

  // Each hash copies the key in memory, so it is made once.
  let hashed: { readonly key: string; readonly hash: string } | undefined;
  const hashKey = (key: string): string => {
    if (hashed?.key !== key) hashed = { key, hash: hash([key]) };
    return hashed.hash;
  };

  const identity = async (): Promise<Identity> => {
    // The sandbox changes its port between runs and stays the same account.
    if (environment === 'sandbox') return { environment, address: sandboxAddress(config.account?.name), keyHash: '' };
    const address = await deps.origin();
    const keyHash = hashKey((await deps.credentials()).key);
    service = { ...service, keyHash };
    return { environment, address: serviceName(address), keyHash };
  };
  const accounts = createAccounts({ records, links: createAccountLinks(deps), identity });
  const noteLive = createLiveNotes(journal);

  return {
    key: accounts.key,
    knownId: accounts.knownId,
    /** The service as far as it is known now. */
    service: () => service,
    /**
     * The key for an order. It loads the known account id first, because a transaction that checks the order cannot
     * wait for it.
     */
    keyForOrders: async (): Promise<string> => {
      const account = await accounts.knownId();
      service = { ...service, account: service.account ?? account };
      return accounts.key();
    },
    /**
     * Records the account id that the service reports. Without a store, reads continue and orders do not; the next
     * summary tries again.
     */
    recordAccountId: async ({ id }: AccountSummary): Promise<void> => {
      if (!id) return;
      service = { ...service, account: id };
      if (records.failure() !== undefined) return;
      await accounts.recordAccountId(id).catch((error: unknown) => {
        if (!hasCode(error, 'store_unavailable')) throw error;
      });
    },
    /**
     * Throws when the key was enrolled for another address. While the store cannot be read, reads continue, as they do
     * without its other records.
     */
    checkAddress: async (): Promise<void> => {
      if (environment === 'sandbox') return;
      const address = await deps.origin();
      const keyHash = environment === 'demo' ? hashKey((await deps.credentials()).key) : undefined;
      const enrolled = await journal
        .read((tx) => findOtherAddress(tx, { environment, address, keyHash }))
        .catch((error: unknown) => {
          if (hasCode(error, 'store_unavailable')) return undefined;
          throw error;
        });
      if (enrolled !== undefined) throw otherAddressError(enrolled, address);
    },
    /** Called for every response of the service. In live, a service that responded is recorded as live. */
    recordLiveResponse: async (): Promise<void> => {
      if (environment === 'live' && records.failure() === undefined) await noteLive(service);
    },
  };
}

/** The simulated account that has no name, or the first one, keeps its place in the store when others are added. */
const sandboxAddress = (account: string | undefined): string => (sandboxNumber(account) === 1 ? '' : (account ?? ''));
