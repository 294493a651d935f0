/**
 * Keeps the memory of large work small. By default V8 lets its heap grow to several times of what is in use, because a
 * long history leaves a hundred megabytes behind that only a complete collection frees.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** With less than this on the heap, freeing is not worth the time. */
const fewBytes = 20_000_000;
/** The percentage by which the heap may grow before a collection, once work is large. */
const maxHeapGrowthPercent = 5;

let isBounded = false;

/** From the first large work on, collects garbage earlier. */
export function boundHeapGrowth(): void {
  if (isBounded || getHeapStatistics().used_heap_size < fewBytes) return;
  isBounded = true;
  setFlagsFromString(`--heap-growing-percent=${maxHeapGrowthPercent}`);
}
