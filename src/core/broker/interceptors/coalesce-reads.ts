/**
 * Coalesces identical reads. A read joins one in flight, in this process or in another one that shares the store,
 * and a fresh response is returned again. Every write, whether or not it succeeded, starts a new epoch; responses
 * requested in an older one are neither stored nor returned.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { BrokerageError, cancelledError, ignoreAbort } from '../../errors.ts';
import { orElse } from '../../log.ts';
import { createReadCache, invalidateReads, leaseMs, type ReadCacheDeps } from '../read-cache.ts';
import type { Interceptor, ParsedResponse, PreparedRequest } from '../types.ts';

const followEveryMs = 50;

export function coalesceReads(deps: ReadCacheDeps): Interceptor<ParsedResponse> {
  const { records, clock } = deps;
  const { choose, keep, renew, use } = createReadCache(deps);
  const flights = new Map<string, Promise<ParsedResponse>>();

  return (next) => {
    const lead = async (request: PreparedRequest, key: string, flightId: string): Promise<ParsedResponse> => {
      const flight = next(request);
      flights.set(flightId, flight);
      // A real timer, because it shows other processes that this one still runs.
      const heartbeat = setInterval(() => void renew(key, flightId).catch(orElse('requests', undefined)), leaseMs / 3);
      heartbeat.unref();
      let answer: ParsedResponse | undefined;
      try {
        answer = await flight;
        return answer;
      } finally {
        clearInterval(heartbeat);
        flights.delete(flightId);
        // A response that cannot be stored is still returned.
        await keep(request, key, flightId, answer).catch(orElse('requests', undefined));
      }
    };

    const read = async (request: PreparedRequest): Promise<ParsedResponse> => {
      const key = `${request.accountKey} ${request.path}`;
      const flightId = randomUUID();
      let version: string | undefined;
      for (;;) {
        throwWhenOver(request, clock.now());
        const choice = await choose(request, key, flightId, version);
        if (choice.kind === 'lead') return lead(request, key, flightId);
        if (choice.kind === 'use') {
          const answer = await use(request, key, choice);
          if (answer) return answer;
          // The body has been replaced, its writer ended before storing it, or only a part was stored.
          version = choice.version;
          continue;
        }
        const answer = await follow(request, flights.get(choice.leader.id), clock);
        if (answer) return answer;
      }
    };

    return async (request) => {
      // Background reads run in one process and have their own storage, so they are not shared.
      const isShared = !request.link && request.context.priority !== 'sync';
      if (request.endpoint.effect === 'read') return isShared ? read(request) : next(request);
      try {
        return await next(request);
      } finally {
        await invalidateReads(records, request.accountKey).catch(orElse('requests', undefined));
      }
    };
  };
}

/**
 * Waits for another caller's read. Undefined means: decide again. Failures that concern only the leader itself,
 * such as its own timeout, are not shared.
 */
async function follow(
  request: PreparedRequest,
  flight: Promise<ParsedResponse> | undefined,
  clock: Clock,
): Promise<ParsedResponse | undefined> {
  const { signal, deadlineAt } = request.context;
  if (!flight) {
    await clock.sleep(followEveryMs, signal).catch(ignoreAbort);
    return undefined;
  }
  try {
    const answer = await unlessOver(flight, deadlineAt - clock.now(), signal);
    return answer && { ...answer, shared: true };
  } catch (error) {
    const itsOwn = error instanceof BrokerageError && ['cancelled', 'rate_limited', 'timeout'].includes(error.code);
    if (!itsOwn) throw error;
    await clock.sleep(1, signal).catch(ignoreAbort);
    return undefined;
  }
}

/**
 * The value, or undefined when the follower's own deadline or signal ends the wait first. A real timer, because it
 * waits for real work.
 */
function unlessOver<T>(promise: Promise<T>, ms: number, signal: AbortSignal | undefined): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(undefined);
    };
    const timer = setTimeout(stop, Math.max(0, ms));
    signal?.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(stop);
  });
}

function throwWhenOver({ context }: PreparedRequest, now: number): void {
  if (context.signal?.aborted) throw cancelledError();
  if (now >= context.deadlineAt)
    throw new BrokerageError('timeout', 'The time for this call ended without a response.', 'Try again in a minute.');
}
