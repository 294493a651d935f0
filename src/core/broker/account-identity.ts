/**
 * Identifies the account of a key. An account has an internal id, found by environment, address and a hash of the
 * key. The account id in the summary then links other ways to reach the same account: the same key at any address,
 * and any key at the same address. The service counts all of these together, and so do the limits, the journal and
 * the duplicate check here.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Endpoint, endpoints } from '../endpoints/index.ts';
import { type LimitState, mergeLimits } from './rate-limit/limit-state.ts';
import { limitKey, limitNamespace } from './rate-limit/limiter.ts';
import { joinedName, type KeyValueStore } from './types.ts';

export interface Accounts {
  /** The internal id under which everything about the account is stored. */
  key(): Promise<string>;
  /** The service's own id of the account; undefined until a summary contained it and it was linked. */
  knownId(): Promise<string | undefined>;
  /** Links the account with the service's own id, which every summary contains. */
  recordAccountId(brokerAccountId: string): Promise<void>;
}

/** The configured identity of a process. */
export interface Identity {
  readonly environment: string;
  /** The address as `serviceName` returns it; empty in the sandbox. */
  readonly address: string;
  /** A hash of the key; empty in the sandbox. */
  readonly keyHash: string;
}

/** Links names to accounts. src/core/orders implements it on the journal, because a link also moves intents. */
export interface AccountLinks {
  /** The account that one of the names is linked to; undefined when none is. */
  find(names: readonly string[]): Promise<string | undefined>;
  /**
   * Merges the given accounts and those linked to the names into one, in one transaction, and returns it. Its
   * journal contains those of all of them. Throws `store_unavailable`.
   */
  link(
    names: readonly string[],
    accounts: readonly string[],
    of: { readonly environment: string; readonly brokerAccountId: string },
  ): Promise<string>;
}

interface Alias {
  readonly account: string;
  /** The service's own id, once the account is linked to it. */
  readonly brokerAccountId?: string;
}

const aliasNamespace = 'account-alias';
/** The journal's namespace, so that a link and the intents that it moves are written in one transaction. */
const linkNamespace = 'desk';

/** Creates the account lookup. Its functions throw what `records`, `links` and `identity` throw. */
export function createAccounts(deps: {
  readonly records: KeyValueStore;
  readonly links: AccountLinks;
  readonly identity: () => Promise<Identity>;
}): Accounts {
  const { records, links } = deps;

  const current = async (): Promise<Alias> => {
    const name = aliasName(await deps.identity());
    const known = await records.read<Alias>(aliasNamespace, name);
    if (known) return known;
    const fresh: Alias = { account: createId() };
    return records.update<Alias, Alias>(aliasNamespace, name, (state) => ({
      state: state ?? fresh,
      result: state ?? fresh,
    }));
  };

  const link = async (before: Alias, brokerAccountId: string): Promise<string> => {
    const { environment, address, keyHash } = await deps.identity();
    const names = [
      `account of key ${JSON.stringify([keyHash, brokerAccountId])}`,
      `account at ${JSON.stringify([address, brokerAccountId])}`,
    ];
    // A key that belonged to another account until now (a practice account that was reset) starts a new account.
    const own = await resolveAccount(records, before.account);
    const isOther = before.brokerAccountId !== undefined && before.brokerAccountId !== brokerAccountId;
    const known = await links.find(names);
    const joined = isOther ? (known === undefined ? [createId()] : []) : [own];
    // Copied before and after the link, so that a slot taken in between is not lost; slots have ids, so none counts
    // twice.
    if (known !== undefined && known !== own) await copyLimits(records, own, known);
    const account = await links.link(names, joined, { environment, brokerAccountId });
    if (own !== account) await copyLimits(records, own, account);
    return account;
  };

  return {
    key: async () => resolveAccount(records, (await current()).account),
    knownId: async () => (await current()).brokerAccountId,
    recordAccountId: async (brokerAccountId) => {
      const before = await current();
      if (before.brokerAccountId === brokerAccountId) return;
      const account = await link(before, brokerAccountId);
      await records.update<Alias, void>(aliasNamespace, aliasName(await deps.identity()), () => ({
        state: { account, brokerAccountId },
        result: undefined,
      }));
    },
  };
}

/** The account that this one was merged into, or the account itself. */
export async function resolveAccount(records: KeyValueStore, account: string): Promise<string> {
  const next = await records.read<string>(linkNamespace, joinedName(account));
  return next === undefined ? account : resolveAccount(records, next);
}

const aliasName = ({ environment, address, keyHash }: Identity): string => hash([environment, address, keyHash]);

/** The SHA-256 hash of the parts, in hexadecimal; different lists of parts have different texts. */
export const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const createId = () => randomBytes(8).toString('hex');

async function copyLimits(records: KeyValueStore, from: string, to: string): Promise<void> {
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    const own = await records.read<LimitState>(limitNamespace, limitKey(from, endpoint));
    if (!own) continue;
    await records.update<LimitState, void>(limitNamespace, limitKey(to, endpoint), (state) => ({
      state: state ? mergeLimits(state, own) : own,
      result: undefined,
    }));
  }
}
