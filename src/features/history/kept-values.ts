/**
 * Values that were computed from stored rows, kept as long as the rows are the same. The least recently used ones are
 * dropped when all of them together are too large.
 */
export interface KeptValues {
  /** The value that was kept for this slot at this version; undefined when there is none. */
  find<Value>(slot: string, version: string): Value | undefined;
  /** Keeps a value in place of the slot's earlier one. `bytes` is an estimate; a value that is too large is not kept. */
  keep<Value>(slot: string, version: string, made: Made<Value>): Value;
}

/** A value and about how much memory it takes. */
export interface Made<Value> {
  readonly value: Value;
  readonly bytes: number;
}

interface Kept extends Made<unknown> {
  readonly version: string;
}

/** Work with values from this size on leaves much memory behind. */
const largeBytes = 4_000_000;

/**
 * Creates the values of one process. `mostBytes` is for all of them together; `boundMemory` is called before and after
 * work with a large one.
 */
export function createKeptValues(mostBytes: number, boundMemory: () => void): KeptValues {
  /** The most recently used one is last. */
  const kept = new Map<string, Kept>();
  let total = 0;
  const drop = (slot: string) => {
    total -= kept.get(slot)?.bytes ?? 0;
    kept.delete(slot);
  };
  return {
    find: <Value>(slot: string, version: string) => {
      const found = kept.get(slot);
      if (!found) return undefined;
      // The rows changed: the old value must not take memory while the new one is made.
      if (found.version !== version) drop(slot);
      // Work with a large value follows, and earlier work may have left memory behind.
      if (found.bytes >= largeBytes) boundMemory();
      if (found.version !== version) return undefined;
      kept.delete(slot);
      kept.set(slot, found);
      return found.value as Value;
    },
    keep: (slot, version, made) => {
      drop(slot);
      if (made.bytes <= mostBytes) {
        kept.set(slot, { ...made, version });
        total += made.bytes;
      }
      for (const oldest of kept.keys()) {
        if (total <= mostBytes) break;
        drop(oldest);
      }
      if (made.bytes >= largeBytes) boundMemory();
      return made.value;
    },
  };
}
