/**
 * Records that keep working when the database cannot be used. Reads of the account stay possible with the rate
 * limit and caches of this process alone. Orders never use them, because they need the journal.
 */

import { holdsUntil } from '../clock.ts';
import { hasCode } from '../errors.ts';
import { log, orElse } from '../log.ts';

type Records = ReturnType<typeof createMemoryRecords>;

/** After a failure the database is not used for this long. */
const pauseMs = 2_000;

/** Records with a fallback to memory. */
export interface FallbackRecords extends Records {
  /** Why the database is not used now; undefined when it is. */
  failure(): string | undefined;
}

/**
 * Creates records that use `primary`, and memory while `primary` throws `store_unavailable`. Other errors are
 * thrown on.
 */
export function createFallbackRecords(
  primary: Records,
  options: {
    readonly now: () => number;
    /**
     * Functions by namespace that merge a state written in memory into the stored one. States of other namespaces
     * are dropped.
     */
    readonly merge: Readonly<Record<string, (stored: unknown, meanwhile: unknown) => unknown>>;
  },
): FallbackRecords {
  const memory = createMemoryRecords();
  const touched = new Map<
    string,
    { readonly namespace: string; readonly key: string; readonly seeded: Promise<void> }
  >();
  let trouble: { readonly why: string; readonly until: number } | undefined;

  const fail = (error: unknown): void => {
    if (!hasCode(error, 'store_unavailable')) throw error;
    if (!trouble) log.warn('store_unavailable', { fault: error.cause?.store });
    trouble = { why: error.message, until: options.now() + pauseMs };
  };

  /** Merges this process's states into the database before it is used again. */
  const resync = async (): Promise<void> => {
    for (const [name, { namespace, key }] of touched) {
      const merge = options.merge[namespace];
      const own = await memory.read(namespace, key);
      if (merge && own !== undefined)
        await primary.update(namespace, key, (stored) => ({ state: merge(stored, own), result: undefined }));
      touched.delete(name);
      await memory.update(namespace, key, () => ({ state: undefined, result: undefined }));
    }
    trouble = undefined;
  };

  let coming: Promise<boolean> | undefined;
  const usable = async (): Promise<boolean> => {
    if (!trouble) return true;
    if (holdsUntil(trouble.until, options.now(), pauseMs)) return false;
    coming ??= resync()
      .then(
        () => true,
        (error: unknown) => {
          fail(error);
          return false;
        },
      )
      .finally(() => {
        coming = undefined;
      });
    return coming;
  };

  const readStored = async (namespace: string, key: string): Promise<void> => {
    const stored = await primary.read(namespace, key).catch(orElse('the store', undefined));
    await memory.update(namespace, key, () => ({ state: stored, result: undefined }));
  };

  /** Starts a record in memory with its stored state, if that can still be read. Every use of the record waits for it. */
  const seed = (namespace: string, key: string): Promise<void> => {
    const name = JSON.stringify([namespace, key]);
    const known = touched.get(name)?.seeded;
    if (known) return known;
    const seeded = readStored(namespace, key);
    touched.set(name, { namespace, key, seeded });
    return seeded;
  };

  return {
    failure: () => trouble?.why,
    update: async (namespace, key, change) => {
      if (await usable()) {
        try {
          return await primary.update(namespace, key, change);
        } catch (error) {
          fail(error);
        }
      }
      await seed(namespace, key);
      return memory.update(namespace, key, change);
    },
    read: async (namespace, key) => {
      if (await usable()) {
        try {
          return await primary.read(namespace, key);
        } catch (error) {
          fail(error);
        }
      }
      await seed(namespace, key);
      return memory.read(namespace, key);
    },
  };
}

/**
 * Small records that live as long as the process. They implement the broker's port (core/broker/types.ts) by structure.
 * States are copied on the way in and out, so that no caller can change a stored one, as with a record on disk.
 */
export function createMemoryRecords() {
  const rows = new Map<string, unknown>();
  const toName = (space: string, key: string) => JSON.stringify([space, key]);

  return {
    // There is no await between the read and the write, so no other caller can interfere.
    update: async <State, Result>(
      namespace: string,
      key: string,
      change: (state: State | undefined) => { state: State | undefined; result: Result },
    ): Promise<Result> => {
      const name = toName(namespace, key);
      const { state, result } = change(structuredClone(rows.get(name)) as State | undefined);
      if (state === undefined) rows.delete(name);
      else rows.set(name, structuredClone(state));
      return result;
    },
    read: async <State>(space: string, key: string): Promise<State | undefined> =>
      structuredClone(rows.get(toName(space, key))) as State | undefined,
  };
}
