/** Rate limits in use: one record per account, method and path template. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Endpoint } from '../../endpoints/index.ts';
import { BrokerageError, ignoreAbort } from '../../errors.ts';
import { orElse } from '../../log.ts';
import type { CallContext, KeyValueStore } from '../types.ts';
import { acquireSlot, leaveQueue } from './acquire.ts';
import { initialLimit, type LimitState } from './limit-state.ts';
import { completeSlot, parseRateLimitHeaders, type SlotOutcome } from './release.ts';

export const limitNamespace = 'limit';
export const limitKey = (accountKey: string, endpoint: Pick<Endpoint, 'method' | 'path'>) =>
  `${accountKey} ${endpoint.method} ${endpoint.path}`;

export interface Permit {
  /** Releases the slot, because nothing was sent. */
  giveBack(): Promise<void>;
  /** Ends the request, with the headers of its response or an empty object. `refused`: it was a rate limit error. */
  complete(headers: Readonly<Record<string, string>>, refused: boolean): Promise<void>;
}

export interface RateLimiter {
  /**
   * Waits for a slot. Throws `rate_limited` at once when the wait would exceed the caller's limit, and `cancelled`
   * when the caller cancels.
   */
  take(accountKey: string, endpoint: Endpoint, context: CallContext, inUseMs: number): Promise<Permit>;
  /** The current period of the endpoint (ms). */
  periodMs(accountKey: string, endpoint: Endpoint): Promise<number>;
}

export function createRateLimiter(deps: {
  readonly records: KeyValueStore;
  /** The account under which the limits are stored, after it was merged into another. */
  readonly resolveAccount: (accountKey: string) => Promise<string>;
  readonly clock: Clock;
  readonly owner: string;
  /** Whether another process still runs. Without it, a request counts as lost after twice its longest duration. */
  readonly isAlive?: ((owner: string) => boolean) | undefined;
  /** Whether background requests must leave a slot free, because an order may have to be searched for. */
  readonly keepOneFree?: (() => boolean | Promise<boolean>) | undefined;
}): RateLimiter {
  const { records, clock, owner } = deps;

  const { isAlive = () => true } = deps;

  const keyNow = async (accountKey: string, endpoint: Endpoint) =>
    // Resolved every time, because the account may be merged into another while a request is in flight.
    limitKey(await deps.resolveAccount(accountKey), endpoint);

  const change = async <Result>(
    accountKey: string,
    endpoint: Endpoint,
    work: (state: LimitState, now: number) => { state: LimitState; result: Result },
  ) =>
    records.update<LimitState, Result>(limitNamespace, await keyNow(accountKey, endpoint), (state) =>
      work(state ?? initialLimit(endpoint.limit), clock.now()),
    );

  return {
    periodMs: async (accountKey, endpoint) => {
      const state = await records.read<LimitState>(limitNamespace, await keyNow(accountKey, endpoint));
      return state?.periodMs ?? endpoint.limit.periodSeconds * 1000;
    },
    take: async (accountKey, endpoint, context, inUseMs) => {
      const id = randomUUID();
      const waitUntil = Math.min(context.waitUntil ?? context.deadlineAt, context.deadlineAt);
      const request = { id, owner, priority: context.priority, inUseMs, waitUntil };
      const leave = async () => {
        await change(accountKey, endpoint, (state) => ({ state: leaveQueue(state, id), result: undefined }));
        return cancelledWhileWaiting();
      };
      const end = (how: SlotOutcome) =>
        change(accountKey, endpoint, (state, now) => ({ state: completeSlot(state, now, id, how), result: undefined }));
      let dead: ReadonlySet<string> = new Set();
      for (let isReported = false; ; ) {
        if (context.signal?.aborted) throw await leave();
        const keepOneFree = context.priority === 'sync' && ((await deps.keepOneFree?.()) ?? false);
        const asked = { ...request, keepOneFree, dead };
        const result = await change(accountKey, endpoint, (state, now) => acquireSlot(state, now, asked));
        if (result.kind === 'taken') {
          return {
            giveBack: () => end({ kind: 'unused' }),
            complete: (headers, refused) => end({ kind: 'used', headers: parseRateLimitHeaders(headers), refused }),
          };
        }
        if (result.kind === 'refused') throw limited(endpoint, result.waitMs);
        if (!isReported) context.onWait?.({ waitMs: result.waitMs });
        isReported = true;
        dead = new Set(result.blockedBy.filter((other) => !isAlive(other)));
        // A dead owner no longer blocks, so try again at once.
        if (dead.size > 0) continue;
        await clock.sleep(result.pollInMs, context.signal).catch(ignoreAbort);
      }
    },
  };
}

/** The current period (ms). If the store fails, returns the specification's, because the response must not be lost. */
export const knownPeriodMs = (limits: RateLimiter, accountKey: string, endpoint: Endpoint): Promise<number> =>
  limits.periodMs(accountKey, endpoint).catch(orElse('read a rate limit', endpoint.limit.periodSeconds * 1000));

function limited(endpoint: Endpoint, waitMs: number): BrokerageError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new BrokerageError(
    'rate_limited',
    `The account's rate limit for ${endpoint.method} ${endpoint.path} resets in ${retryAfterSeconds} s, which is longer than this call can wait.`,
    `Call again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

const cancelledWhileWaiting = () =>
  new BrokerageError(
    'cancelled',
    'The call was cancelled while waiting for the rate limit; nothing was sent.',
    'Call again if the result is still needed.',
  );
