/** Receives endpoint names and counts only; never tickers, amounts or keys. */
import type { Endpoint } from '../catalogue/index.ts';
import type { RateLimiter } from './rate-limit/limiter.ts';
import type { Transport } from './transport/transport.ts';

/** The events that the broker reports to an observer. */
export interface BrokerObserver {
  /** A request was sent. `status` is undefined when no complete response arrived. */
  onRequest(endpoint: Endpoint, status: number | undefined, isRateLimited: boolean): void;
  /** A request waits for the rate limit, for `waitMs` as far as is known now. */
  onLimitWait(endpoint: Endpoint, waitMs: number): void;
}

/** Observes the transport below all interceptors, so that orders are counted too. */
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

/** Reports waits for the rate limit to the observer as well as to the caller. */
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
