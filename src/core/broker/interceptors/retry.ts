import type { Clock } from '../../clock.ts';
import { hasCode, ignoreAbort } from '../../errors.ts';
import { TransportFailure } from '../transport/failure.ts';
import type { HttpResponse, Interceptor } from '../types.ts';

const maxAttempts = 3;
const firstDelayMs = 200;
const passingStatuses = new Set([500, 502, 503, 504]);

/**
 * Retries reads, and only reads, after a temporary failure. Every attempt takes a slot of its own, because the rate
 * limiter comes after this step.
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
        // After a rate limit error the limit is blocked, so the next attempt waits for a slot.
      } catch (error) {
        // There is no time for another attempt, so the previous result is more useful than a rate limit error.
        if (last && hasCode(error, 'rate_limited')) return outcome(last);
        if (!(error instanceof TransportFailure) || !mayPass(error)) throw error;
        last = { failure: error };
      }
      const delayMs = firstDelayMs * 2 ** (attempt - 1) * (0.5 + deps.random());
      if (attempt >= maxAttempts || deps.clock.now() + delayMs >= request.context.deadlineAt) return outcome(last);
      await deps.clock.sleep(delayMs, request.context.signal).catch(ignoreAbort);
      if (request.context.signal?.aborted) throw new TransportFailure('cancelled', true, 'the caller disconnected');
    }
  };

/** Not after a timeout, which has already used up the time. */
const mayPass = ({ kind }: TransportFailure) => kind === 'connect' || kind === 'broken';

function outcome(last: { answer: HttpResponse } | { failure: TransportFailure }): HttpResponse {
  if ('failure' in last) throw last.failure;
  return last.answer;
}
