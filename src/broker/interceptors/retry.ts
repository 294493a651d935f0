import type { Clock } from '../../clock.ts';
import { BrokerageError } from '../../errors.ts';
import type { HttpResponse, Interceptor } from '../pipeline-types.ts';
import { TransportFailure } from '../transport/failure.ts';

const maxAttempts = 3;
const firstDelayMs = 200;
const passingStatuses = new Set([500, 502, 503, 504]);

/**
 * Reads, and nothing else, are asked for again after a failure that may pass. Every attempt takes a
 * slot of its own, because the limit is inside of this guard.
 */
export const retry =
  (deps: { clock: Clock; random: () => number }): Interceptor<HttpResponse> =>
  (next) =>
  async (request) => {
    if (request.endpoint.effect !== 'read') return next(request);
    let last: { answer: HttpResponse } | { failure: TransportFailure } | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await next(request);
        last = { answer };
        if (!passingStatuses.has(answer.status) && !answer.isRateLimited) return answer;
        // After a refusal the ledger is blocked, so the next attempt waits there.
      } catch (error) {
        // No room for another attempt: what the attempt before said is the better answer.
        if (last && error instanceof BrokerageError && error.code === 'rate_limited') return outcome(last);
        if (!(error instanceof TransportFailure) || !mayPass(error)) throw error;
        last = { failure: error };
      }
      const delayMs = firstDelayMs * 2 ** (attempt - 1) * (0.5 + deps.random());
      if (attempt >= maxAttempts || deps.clock.now() + delayMs >= request.context.deadlineAt) return outcome(last);
      await deps.clock.sleep(delayMs, request.context.signal).catch(() => undefined);
      if (request.context.signal?.aborted) throw new TransportFailure('cancelled', true, 'the caller disconnected');
    }
  };

/** A hang is not asked again: it has used up the time already. */
const mayPass = ({ kind }: TransportFailure) => kind === 'connect' || kind === 'broken';

function outcome(last: { answer: HttpResponse } | { failure: TransportFailure }): HttpResponse {
  if ('failure' in last) throw last.failure;
  return last.answer;
}
