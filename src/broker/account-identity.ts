/**
 * Which account a key belongs to. An account has an internal id of its own. Environment, address and a hash
 * of the key lead to it; the account id from the summary then shows what else leads to the same account:
 * the same key at any address, and any key at the same address. The service counts all of these together,
 * and so do the limits, the journal and the duplicates here.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Endpoint, endpoints } from '../catalogue/index.ts';
import type { KeyValueStore } from './ports.ts';
import { type LimitState, mergeLimits } from './rate-limit/limit-state.ts';
import { limitKey, limitNamespace } from './rate-limit/limiter.ts';

export interface Accounts {
  /** The internal id that everything about the account is kept under. */
  key(): Promise<string>;
  /** The service's own id of the account; undefined until the service has said it and it was linked. */
  knownId(): Promise<string | undefined>;
  /** Told by the summary: the service's own id of the account. */
  recordAccountId(brokerAccountId: string): Promise<void>;
}

/** What a process was configured with. */
export interface Identity {
  readonly environment: string;
  /** As `serviceName` writes it, then as earlier versions wrote the same setting; empty in the sandbox. */
  readonly addresses: readonly [string, ...string[]];
  /** A hash of the key; empty in the sandbox. */
  readonly keyHash: string;
}

export interface AccountLinks {
  /** The account that any of the names leads to. */
  find(names: readonly string[]): Promise<string | undefined>;
  /**
   * Makes the accounts and those that the names lead to one, in one transaction, and answers it. Its journal
   * is that of all of them. Throws `store_unavailable`.
   */
  link(
    names: readonly string[],
    accounts: readonly string[],
    of: { readonly environment: string; readonly brokerAccountId: string },
  ): Promise<string>;
}

interface Alias {
  readonly account: string;
  /** The service's own id, once it was read. */
  readonly brokerAccountId?: string;
  /** The spellings of the address under which that id was linked with the key; earlier versions linked nothing. */
  readonly linked?: readonly string[];
}

const aliasNamespace = 'account-alias';
/** Written by earlier versions: the account of an environment, an address and an account id. */
const earlierNamespace = 'account';
/** Of the journal, so that a link and the intents that it moves are one transaction. */
const linkNamespace = 'desk';
export const joinedName = (account: string) => `joined ${account}`;

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
    // A key that was another account's until now (a practice account that was reset) begins a new one.
    const own = await resolveAccount(records, before.account);
    const isOther = before.brokerAccountId !== undefined && before.brokerAccountId !== brokerAccountId;
    const known = await links.find(names);
    if (!isOther) linked.push(own);
    else if (known === undefined) linked.push(createId());
    // Copied first, then linked, then copied again: a slot taken in between is not lost, and none counts twice.
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

/** The account that this one was joined with; itself while it was not. */
export async function resolveAccount(records: KeyValueStore, account: string): Promise<string> {
  const next = await records.read<string>(linkNamespace, joinedName(account));
  return next === undefined ? account : resolveAccount(records, next);
}

/** One for each way in which the address is or was written. */
const aliasNames = ({ environment, addresses, keyHash }: Identity): string[] =>
  addresses.map((address) => hash([JSON.stringify([environment, address]), keyHash]));

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
