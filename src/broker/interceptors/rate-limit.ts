import type { HttpResponse, Interceptor } from '../pipeline-types.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import { TransportFailure } from '../transport/failure.ts';
import { attemptTimeoutMs } from '../transport/transport.ts';

/** Every request that leaves has a slot, and every answer teaches the ledger. */
export const rateLimit =
  (limits: RateLimiter): Interceptor<HttpResponse> =>
  (next) =>
  async (request) => {
    // A file behind a link is not one of the interface's endpoints and counts against no limit.
    if (request.link) return next(request);
    const slot = await limits.take(
      request.accountKey,
      request.endpoint,
      request.context,
      attemptTimeoutMs(request.endpoint),
    );
    let answer: HttpResponse;
    try {
      answer = await next(request);
    } catch (error) {
      const wasSent = error instanceof TransportFailure && error.sent;
      await (wasSent ? slot.complete(error.headers ?? {}, false) : slot.giveBack()).catch(() => undefined);
      throw error;
    }
    // A store that fails now leaves the slot taken for longer, and the answer is an answer all the same.
    await slot.complete(answer.headers, answer.isRateLimited).catch(() => undefined);
    return answer;
  };
