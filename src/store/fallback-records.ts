/**
 * Records that keep working when the database cannot be used. Reads of the account stay possible with the rate
 * limit and caches of this process alone. Orders never use them, because they need the journal.
 */
import { BrokerageError } from '../errors.ts';
import { createMemoryRecords } from './memory-records.ts';

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
  const meanwhile = createMemoryRecords();
  const touched = new Map<string, { space: string; key: string }>();
  let trouble: { readonly why: string; readonly until: number } | undefined;

  const fail = (error: unknown): void => {
    if (!(error instanceof BrokerageError && error.code === 'store_unavailable')) throw error;
    trouble = { why: error.message, until: options.now() + pauseMs };
  };

  /** Merges this process's states into the database before it is used again. */
  const resync = async (): Promise<void> => {
    for (const [name, { space, key }] of touched) {
      const merge = options.merge[space];
      const own = await meanwhile.read(space, key);
      if (merge && own !== undefined)
        await primary.update(space, key, (stored) => ({ state: merge(stored, own), result: undefined }));
      touched.delete(name);
      await meanwhile.update(space, key, () => ({ state: undefined, result: undefined }));
    }
    trouble = undefined;
  };

  let coming: Promise<boolean> | undefined;
  const usable = async (): Promise<boolean> => {
    if (!trouble) return true;
    if (options.now() < trouble.until) return false;
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

  /** Starts a record in memory with its stored state, if that can still be read. */
  const seed = async (space: string, key: string): Promise<void> => {
    const name = JSON.stringify([space, key]);
    if (touched.has(name)) return;
    touched.set(name, { space, key });
    const stored = await primary.read(space, key).catch(() => undefined);
    await meanwhile.update(space, key, (state) => ({ state: state ?? stored, result: undefined }));
  };

  return {
    failure: () => trouble?.why,
    update: async (space, key, change) => {
      if (await usable()) {
        try {
          return await primary.update(space, key, change);
        } catch (error) {
          fail(error);
        }
      }
      await seed(space, key);
      return meanwhile.update(space, key, change);
    },
    read: async (space, key) => {
      if (await usable()) {
        try {
          return await primary.read(space, key);
        } catch (error) {
          fail(error);
        }
      }
      await seed(space, key);
      return meanwhile.read(space, key);
    },
  };
}
