/** The watches that a person or a model added. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { BrokerageError } from '../../core/errors.ts';
import { isSameWatch, maxWatches, type Watch, type WatchQuestion } from './watch-rules.ts';
import type { WatchStore } from './watch-store.ts';

export interface WatchBook {
  /** Oldest first. */
  list(): Promise<readonly Watch[]>;
  /** Keeps a watch that was validated, or returns the equal one. Throws `invalid_argument` when there are too many. */
  add(question: WatchQuestion): Promise<Watch>;
  /** Returns the watch that was removed; undefined when there is none with the id. */
  remove(id: string): Promise<Watch | undefined>;
  /** Whether a process watches now. */
  isWatched(): Promise<boolean>;
}

/** Creates the book of the connected account. Each function throws `store_unavailable`. */
export function createWatchBook({
  store,
  clock,
  accountKey,
  isWatched,
}: {
  readonly store: WatchStore;
  readonly clock: Clock;
  /** The stable key of the account. */
  readonly accountKey: () => Promise<string>;
  /** Whether a process watches the account with this key. */
  readonly isWatched: (accountKey: string) => Promise<boolean>;
}): WatchBook {
  return {
    list: async () => {
      const account = await accountKey();
      return store.read((tx) => tx.listWatches(account));
    },
    add: async (question) => {
      const account = await accountKey();
      return store.change(async (tx) => {
        const watches = await tx.listWatches(account);
        const equal = watches.find((other) => isSameWatch(other, question));
        if (equal) return equal;
        if (watches.length >= maxWatches)
          throw new BrokerageError(
            'invalid_argument',
            `There are ${maxWatches} watches already.`,
            'Remove one with brokerage-mcp watches remove.',
          );
        const watch: Watch = { ...question, id: randomBytes(4).toString('hex'), createdAt: clock.now() };
        await tx.insertWatch(account, watch);
        return watch;
      });
    },
    remove: async (id) => {
      const account = await accountKey();
      return store.change(async (tx) => {
        const watch = (await tx.listWatches(account)).find((other) => other.id === id);
        if (watch) await tx.removeWatch(account, id);
        return watch;
      });
    },
    isWatched: async () => isWatched(await accountKey()),
  };
}
