/** Somebody who counts what leaves and comes back. Told facts of the interface alone: no ticker, amount or key. */
import type { Endpoint } from '../catalogue/index.ts';
import type { RateLimiter } from './rate-limit/limiter.ts';
import type { Transport } from './transport/transport.ts';

export interface BrokerObserver {
  /** A request that left, and its status; undefined when no complete answer came back. */
  onRequest(endpoint: Endpoint, status: number | undefined, isRateLimited: boolean): void;
  /** A request that has to wait for the account's limit, and for how long by what is known now. */
  onLimitWait(endpoint: Endpoint, waitMs: number): void;
}

/** Orders pass here too: what is watched is the wire itself, below every guard. */
export function instrumentTransport(transport: Transport, observer: BrokerObserver): Transport {
  const watched = async (endpoint: Endpoint, send: () => ReturnType<Transport['send']>) => {
    try {
      const answer = await send();
      observer.onRequest(endpoint, answer.status, answer.isRateLimited);
      return answer;
    } catch (error) {
      observer.onRequest(endpoint, undefined, false);
      throw error;
    }
  };
  return {
    send: (request) => watched(request.endpoint, () => transport.send(request)),
    prepare: async (request) => {
      const { connection, send } = await transport.prepare(request);
      return { connection, send: () => watched(request.endpoint, send) };
    },
  };
}

export const instrumentLimits = (limits: RateLimiter, observer: BrokerObserver): RateLimiter => ({
  ...limits,
  take: (accountKey, endpoint, context, inUseMs) => {
    const onWait: typeof context.onWait = (wait) => {
      observer.onLimitWait(endpoint, wait.waitMs);
      context.onWait?.(wait);
    };
    return limits.take(accountKey, endpoint, { ...context, onWait }, inUseMs);
  },
});
