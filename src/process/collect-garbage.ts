/**
 * Frees the memory of large work at once. Otherwise V8 lets its heap grow to several times of what is in use, because a
 * long history leaves a hundred megabytes behind that only a complete collection frees.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** With less than this on the heap, freeing is not worth the time. */
const fewBytes = 50_000_000;

/** Frees memory if there is much. Takes about a millisecond for each megabyte in use, and blocks the process. */
export function collectGarbage(): void {
  if (getHeapStatistics().used_heap_size < fewBytes) return;
  collect ??= findCollector();
  collect();
}

/** Only a context that is created while the flag is set has the function. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc');
  try {
    const found: unknown = runInNewContext('globalThis.gc');
    // Another engine than V8 has no such function, and frees memory in its own time.
    return typeof found === 'function' ? () => void found() : () => undefined;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
