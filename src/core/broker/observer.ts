/** Receives endpoint names and counts only; never tickers, amounts or keys. */

import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/index.ts';
import { type LogFacts, log } from '../log.ts';
import type { RateLimiter } from './rate-limit/limiter.ts';
import { TransportFailure } from './transport/failure.ts';
import type { Transport } from './transport/transport.ts';
import type { PreparedRequest } from './types.ts';

/** The events that the broker reports to an observer. */
export interface BrokerObserver {
  /** A request was sent. `status` is undefined when no complete response arrived. */
  onRequest(endpoint: Endpoint, status: number | undefined, isRateLimited: boolean): void;
  /** A request waits for the rate limit, for `waitMs` as far as is known now. */
  onLimitWait(endpoint: Endpoint, waitMs: number): void;
}

type Send = () => ReturnType<Transport['send']>;

/** Wraps every exchange of a transport, orders included. */
const wrapTransport = (
  transport: Transport,
  exchange: (request: PreparedRequest, send: Send) => ReturnType<Transport['send']>,
): Transport => ({
  send: (request) => exchange(request, () => transport.send(request)),
  prepare: async (request) => {
    const { connection, send } = await transport.prepare(request);
    return { connection, send: () => exchange(request, send) };
  },
});

/** Observes the transport below all interceptors, so that orders are counted too. */
export const instrumentTransport = (transport: Transport, observer: BrokerObserver): Transport =>
  wrapTransport(transport, async ({ endpoint }, send) => {
    try {
      const answer = await send();
      observer.onRequest(endpoint, answer.status, answer.isRateLimited);
      return answer;
    } catch (error) {
      observer.onRequest(endpoint, undefined, false);
      throw error;
    }
  });

/** Writes each request to the log: its endpoint and its times, without its query and its body. */
export const logRequests = (transport: Transport, clock: Clock): Transport =>
  wrapTransport(transport, async ({ endpoint, slotWaitMs }, send) => {
    const sentAt = clock.now();
    const write = (facts: LogFacts) =>
      log.debug('request', {
        method: endpoint.method,
        path: endpoint.path,
        ...facts,
        ms: clock.now() - sentAt,
        slotWaitMs,
      });
    try {
      const answer = await send();
      write({ status: answer.status });
      return answer;
    } catch (error) {
      write({ failure: error instanceof TransportFailure ? error.kind : 'fault' });
      throw error;
    }
  });

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
