import type { Guard, Incoming } from '../call.ts';
import type { Limits } from '../limits.ts';
import { TransportFailure } from '../transport/failure.ts';
import { attemptMsOf } from '../transport/transport.ts';
import { isRefusedForRate } from '../understand.ts';

/** Every request that leaves has a slot, and every answer teaches the ledger. */
export const rateLimit =
  (limits: Limits): Guard<Incoming> =>
  (next) =>
  async (request) => {
    // A file behind a link is not one of the interface's endpoints and counts against no limit.
    if (request.link) return next(request);
    const slot = await limits.take(
      request.accountKey,
      request.endpoint,
      request.context,
      attemptMsOf(request.endpoint),
    );
    try {
      const answer = await next(request);
      await slot.settle(answer.headers, isRefusedForRate(answer));
      return answer;
    } catch (error) {
      if (error instanceof TransportFailure && error.sent) await slot.settle(error.headers ?? {}, false);
      else await slot.giveBack();
      throw error;
    }
  };
