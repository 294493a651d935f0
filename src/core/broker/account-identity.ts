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
import type { KeyValueStore } from './types.ts';

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
  /** The address as `serviceName` returns it, then as earlier versions wrote the same setting; empty in the sandbox. */
  readonly addresses: readonly [string, ...string[]];
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
  /** The service's own id, once it is known. */
  readonly brokerAccountId?: string;
  /** The spellings of the address that are linked to that id together with the key; earlier versions have none. */
  readonly linked?: readonly string[];
}

const aliasNamespace = 'account-alias';
/** Written by earlier versions: the account of an environment, an address and an account id. */
const earlierNamespace = 'account';
/** The journal's namespace, so that a link and the intents that it moves are written in one transaction. */
const linkNamespace = 'desk';
/** The name of the record that contains the account into which this one was merged. */
export const joinedName = (account: string) => `joined ${account}`;

/** Creates the account lookup. Its functions throw what `records`, `links` and `identity` throw. */
export function createAccounts(deps: {
  readonly records: KeyValueStore;
  readonly links: AccountLinks;
  readonly identity: () => Promise<Identity>;
}): Accounts {
  const { records, links } = deps;

  const current = async (): Promise<Alias> => {
    const [name, ...earlier] = aliasNames(await deps.identity()) as [string, ...string[]];
    const known = await records.read<Alias>(aliasNamespace, name);
    if (known) return known;
    let fresh: Alias = { account: createId() };
    for (const other of earlier) fresh = (await records.read<Alias>(aliasNamespace, other)) ?? fresh;
    return records.update<Alias, Alias>(aliasNamespace, name, (state) => ({
      state: state ?? fresh,
      result: state ?? fresh,
    }));
  };

  const link = async (before: Alias, brokerAccountId: string): Promise<string> => {
    const { environment, addresses, keyHash } = await deps.identity();
    const names = [
      `account of key ${JSON.stringify([keyHash, brokerAccountId])}`,
      `account at ${JSON.stringify([addresses[0], brokerAccountId])}`,
    ];
    const linked: string[] = [];
    for (const address of addresses) {
      const name = JSON.stringify([JSON.stringify([environment, address]), brokerAccountId]);
      const account = await records.read<string>(earlierNamespace, name);
      if (account !== undefined) linked.push(account);
    }
    // A key that belonged to another account until now (a practice account that was reset) starts a new account.
    const own = await resolveAccount(records, before.account);
    const isOther = before.brokerAccountId !== undefined && before.brokerAccountId !== brokerAccountId;
    const known = await links.find(names);
    if (!isOther) linked.push(own);
    else if (known === undefined) linked.push(createId());
    // Copied before and after the link, so that a slot taken in between is not lost; slots have ids, so none counts
    // twice.
    if (known !== undefined && known !== own) await copyLimits(records, own, known);
    const account = await links.link(names, linked, { environment, brokerAccountId });
    for (const other of new Set([...linked, own])) if (other !== account) await copyLimits(records, other, account);
    return account;
  };

  return {
    key: async () => resolveAccount(records, (await current()).account),
    knownId: async () => {
      const alias = await current();
      return isLinked(alias, await deps.identity()) ? alias.brokerAccountId : undefined;
    },
    recordAccountId: async (brokerAccountId) => {
      const before = await current();
      const identity = await deps.identity();
      if (before.brokerAccountId === brokerAccountId && isLinked(before, identity)) return;
      const account = await link(before, brokerAccountId);
      const linked = [...new Set([...(before.linked ?? []), ...identity.addresses])];
      const [name] = aliasNames(identity) as [string];
      await records.update<Alias, void>(aliasNamespace, name, () => ({
        state: { account, brokerAccountId, linked },
        result: undefined,
      }));
    },
  };
}

const isLinked = ({ linked = [] }: Alias, { addresses }: Identity) =>
  addresses.every((address) => linked.includes(address));

/** The account that this one was merged into, or the account itself. */
export async function resolveAccount(records: KeyValueStore, account: string): Promise<string> {
  const next = await records.read<string>(linkNamespace, joinedName(account));
  return next === undefined ? account : resolveAccount(records, next);
}

/** One name for each spelling of the address, current and earlier. */
const aliasNames = ({ environment, addresses, keyHash }: Identity): string[] =>
  addresses.map((address) => hash([JSON.stringify([environment, address]), keyHash]));

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
