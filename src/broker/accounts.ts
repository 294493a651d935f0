/**
 * Which account a key belongs to. An account has an internal id of its own; origin, environment and a
 * hash of the key are aliases of it. The account id from the summary shows that two aliases are one
 * account, and then their limits are joined: the service counts them together.
 */
import { randomBytes } from 'node:crypto';
import { type Endpoint, endpoints } from '../catalogue/index.ts';
import { type LimitState, mergeLimits } from './limit-state.ts';
import { limitKey, limitSpace } from './limits.ts';
import type { Records } from './ports.ts';

export interface Accounts {
  /** The internal id that everything about the account is kept under. */
  key(): Promise<string>;
  /** Whether the service has said which account it is. */
  isKnown(): Promise<boolean>;
  /** Told by the summary: the service's own id of the account. */
  learn(brokerAccountId: string): Promise<void>;
}

interface Alias {
  readonly account: string;
  /** The service's own id, once it was read. */
  readonly brokerAccountId?: string;
}

const aliasSpace = 'account-alias';
const accountSpace = 'account';
const forwardSpace = 'account-forward';

export function createAccounts(deps: {
  readonly records: Records;
  /** Environment and origin: an account id means something within these alone. */
  readonly scope: () => Promise<string>;
  /** A hash that stands for environment, origin and key. */
  readonly alias: () => Promise<string>;
}): Accounts {
  const { records } = deps;
  const current = async (): Promise<Alias> => {
    const name = await deps.alias();
    const known = await records.read<Alias>(aliasSpace, name);
    if (known) return known;
    const fresh: Alias = { account: randomBytes(8).toString('hex') };
    return records.update<Alias, Alias>(aliasSpace, name, (state) => ({
      state: state ?? fresh,
      result: state ?? fresh,
    }));
  };

  return {
    key: async () => (await current()).account,
    isKnown: async () => (await current()).brokerAccountId !== undefined,
    learn: async (brokerAccountId) => {
      const before = await current();
      if (before.brokerAccountId === brokerAccountId) return;
      const account = await records.update<string, string>(
        accountSpace,
        JSON.stringify([await deps.scope(), brokerAccountId]),
        (known) => {
          // A key that was another account's until now (a practice account that was reset) begins anew.
          const fresh = before.brokerAccountId === undefined ? before.account : randomBytes(8).toString('hex');
          return { state: known ?? fresh, result: known ?? fresh };
        },
      );
      if (account !== before.account) {
        if (before.brokerAccountId === undefined) await join(records, before.account, account);
        else await copyLimits(records, before.account, account);
      }
      await records.update<Alias, void>(aliasSpace, await deps.alias(), () => ({
        state: { account, brokerAccountId },
        result: undefined,
      }));
    },
  };
}

/** Where the limits of an account are kept now. */
export const resolveAccount = async (records: Records, account: string): Promise<string> =>
  (await records.read<string>(forwardSpace, account)) ?? account;

/** Copied first, then forwarded, then copied again: a slot taken in between is not lost, and none counts twice. */
async function join(records: Records, from: string, to: string): Promise<void> {
  await copyLimits(records, from, to);
  await records.update<string, void>(forwardSpace, from, () => ({ state: to, result: undefined }));
  await copyLimits(records, from, to);
}

async function copyLimits(records: Records, from: string, to: string): Promise<void> {
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    const own = await records.read<LimitState>(limitSpace, limitKey(from, endpoint));
    if (!own) continue;
    await records.update<LimitState, void>(limitSpace, limitKey(to, endpoint), (state) => ({
      state: state ? mergeLimits(state, own) : own,
      result: undefined,
    }));
  }
}
