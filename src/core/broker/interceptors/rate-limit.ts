import type { Clock } from '../../clock.ts';
import { orElse } from '../../log.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import { TransportFailure } from '../transport/failure.ts';
import { attemptTimeoutMs } from '../transport/transport.ts';
import type { HttpResponse, Interceptor } from '../types.ts';

/** Acquires a slot for every request, and records what the response says about the limit. */
export const rateLimit =
  (limits: RateLimiter, clock: Clock): Interceptor<HttpResponse> =>
  (next) =>
  async (request) => {
    // A file behind a link is no endpoint of the API and counts against no limit.
    if (request.link) return next(request);
    const askedAt = clock.now();
    const slot = await limits.take(
      request.accountKey,
      request.endpoint,
      request.context,
      attemptTimeoutMs(request.endpoint),
    );
    let answer: HttpResponse;
    try {
      answer = await next({ ...request, slotWaitMs: clock.now() - askedAt });
    } catch (error) {
      const wasSent = error instanceof TransportFailure && error.sent;
      await (wasSent ? slot.complete(error.headers ?? {}, false) : slot.giveBack()).catch(
        orElse('requests', undefined),
      );
      throw error;
    }
    // If the store fails now, the slot stays taken for longer, and the response is still returned.
    await slot.complete(answer.headers, answer.isRateLimited).catch(orElse('requests', undefined));
    return answer;
  };
