/**
 * Identical reads are one request: those in flight are joined, in this process and in the others that
 * share the store, and a fresh answer is handed out again. Every write, certain or not, opens a new
 * epoch, and what was asked for in an older one is neither kept nor handed out.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { BrokerageError } from '../../errors.ts';
import type { Interceptor, ParsedResponse, PreparedRequest } from '../pipeline-types.ts';
import { createReadCache, invalidateReads, leaseMs, type ReadCacheDeps } from '../read-cache.ts';

const followEveryMs = 50;

export interface CoalesceReadsDeps extends ReadCacheDeps {
  /** Whether another process still runs; left out, its lease alone counts. */
  readonly isAlive?: ((owner: string) => boolean | Promise<boolean>) | undefined;
}

export function coalesceReads(deps: CoalesceReadsDeps): Interceptor<ParsedResponse> {
  const { records, clock, owner } = deps;
  const { choose, keep, renew, use } = createReadCache(deps);
  const flights = new Map<string, Promise<ParsedResponse>>();

  return (next) => {
    const lead = async (request: PreparedRequest, key: string, flightId: string): Promise<ParsedResponse> => {
      const flight = next(request);
      flights.set(flightId, flight);
      // A real timer: it tells other processes that this one still runs.
      const heartbeat = setInterval(() => void renew(key, flightId).catch(() => undefined), leaseMs / 3);
      heartbeat.unref();
      let answer: ParsedResponse | undefined;
      try {
        answer = await flight;
        return answer;
      } finally {
        clearInterval(heartbeat);
        flights.delete(flightId);
        // An answer that cannot be kept is an answer all the same.
        await keep(request, key, flightId, answer).catch(() => undefined);
      }
    };

    const read = async (request: PreparedRequest): Promise<ParsedResponse> => {
      const key = `${request.accountKey} ${request.path}`;
      const flightId = randomUUID();
      let dead: string | undefined;
      let version: string | undefined;
      for (;;) {
        throwWhenOver(request, clock.now());
        const choice = await choose(request, key, flightId, { dead, version });
        if (choice.kind === 'lead') return lead(request, key, flightId);
        if (choice.kind === 'use') {
          const answer = await use(request, key, choice);
          if (answer) return answer;
          // Its text is another one by now, its writer died in between, or not all of it was kept.
          version = choice.version;
          continue;
        }
        const { leader } = choice;
        const answer = await follow(request, flights.get(leader.id), clock);
        if (answer) return answer;
        const isDead = leader.owner !== owner && deps.isAlive && !(await deps.isAlive(leader.owner));
        dead = isDead ? leader.owner : undefined;
      }
    };

    return async (request) => {
      // What is read in the background is read by one process and kept elsewhere.
      const isShared = !request.link && request.context.priority !== 'sync';
      if (request.endpoint.effect === 'read') return isShared ? read(request) : next(request);
      try {
        return await next(request);
      } finally {
        await invalidateReads(records, request.accountKey).catch(() => undefined);
      }
    };
  };
}

/** Waits for somebody else's flight. Undefined: look again. A failure that is only the leader's own is not shared. */
async function follow(
  request: PreparedRequest,
  flight: Promise<ParsedResponse> | undefined,
  clock: Clock,
): Promise<ParsedResponse | undefined> {
  const { signal, deadlineAt } = request.context;
  if (!flight) {
    await clock.sleep(followEveryMs, signal).catch(() => undefined);
    return undefined;
  }
  try {
    const answer = await unlessOver(flight, deadlineAt - clock.now(), signal);
    return answer && { ...answer, shared: true };
  } catch (error) {
    const itsOwn = error instanceof BrokerageError && ['cancelled', 'rate_limited', 'timeout'].includes(error.code);
    if (!itsOwn) throw error;
    await clock.sleep(1, signal).catch(() => undefined);
    return undefined;
  }
}

/** The value, or undefined when the follower's own time or patience ends first. A real timer: it watches real work. */
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
  if (context.signal?.aborted)
    throw new BrokerageError(
      'cancelled',
      'The call was cancelled before it finished.',
      'Call again if the result is still needed.',
    );
  if (now >= context.deadlineAt)
    throw new BrokerageError('timeout', 'The broker did not respond in time.', 'Try again in a minute.');
}
