import { cancelledError } from './errors.ts';

/**
 * Lets the process do its other work before a long computation continues. Throws `cancelled` when the signal has
 * aborted.
 */
export async function nextTurn(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  if (signal?.aborted) throw cancelledError();
}
