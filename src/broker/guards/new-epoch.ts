import type { Guard, Understood } from '../call.ts';
import type { Epochs } from '../epochs.ts';

/**
 * What was read before a write is not shared after it. The epoch opens twice: before the write, for the
 * case that this process dies in it, and after it, whatever became of it, because a read that was asked
 * in between may show the account without it.
 */
export const newEpoch =
  (deps: { readonly epochs: Epochs; readonly onFailure: (error: unknown) => void }): Guard<Understood> =>
  (next) =>
  async (request) => {
    if (request.endpoint.effect === 'read') return next(request);
    await deps.epochs.open(request.accountKey);
    try {
      return await next(request);
    } finally {
      await deps.epochs.open(request.accountKey).catch(deps.onFailure);
    }
  };
