/** Finds what a create made at the service when its response was lost. */
import type { CallContext } from '../broker/types.ts';
import { log } from '../log.ts';

/** How to find what a create made when its response was lost. */
export interface RecoveryLookup {
  /** The ids of the objects that may be the result, most likely first. */
  ids(context: CallContext): Promise<readonly string[]>;
  /** Whether the object is the requested one and did not exist before `sentAt` (ms). */
  isIt(id: string, sentAt: number, context: CallContext): Promise<boolean>;
  /** The result that the create would have returned. */
  result(id: string): unknown;
}

/** Each check can cost a request of a slow rate limit. */
const maxCandidates = 5;

/**
 * The result of a create that was sent at `sentAt` (ms), from reads that are not older than `now` (ms). Undefined
 * when no object or more than one can be the result, and when the objects cannot be read.
 */
export async function findCreated(
  lookUp: RecoveryLookup,
  { sentAt, now, context }: { readonly sentAt: number; readonly now: number; readonly context: CallContext },
): Promise<unknown> {
  const fresh = { ...context, notBefore: now };
  const found: string[] = [];
  try {
    for (const id of (await lookUp.ids(fresh)).slice(0, maxCandidates))
      if (await lookUp.isIt(id, sentAt, fresh)) found.push(id);
    const [only, ...others] = found;
    return only === undefined || others.length > 0 ? undefined : lookUp.result(only);
  } catch (error) {
    log.fault('search for the result of a write', error);
    return undefined;
  }
}
