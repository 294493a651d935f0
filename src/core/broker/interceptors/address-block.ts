/**
 * Stops requests while a proxy in front of the service blocks the address of this computer. Requests that go on make
 * such a block last longer, so none but a cancellation is sent until it is expected to end.
 */
import { type Clock, holdsUntil } from '../../clock.ts';
import { BrokerageError } from '../../errors.ts';
import { addressBlockSeconds, describeHttpError } from '../response/http-errors.ts';
import type { HttpResponse, Interceptor, KeyValueStore } from '../types.ts';

const blockMs = addressBlockSeconds * 1000;
const namespace = 'address-block';

/** When the block is expected to end (ms). */
type Block = number;

export interface AddressBlockDeps {
  readonly records: KeyValueStore;
  readonly clock: Clock;
}

/** Sends reads and writes only without a block; a cancellation is always sent, because it only lowers the risk. */
export const stopWhileBlocked =
  (deps: AddressBlockDeps): Interceptor<HttpResponse> =>
  (next) =>
  async (request) => {
    // A file behind a link is on another host.
    if (request.link) return next(request);
    const { accountKey, endpoint } = request;
    const retryAfterSeconds = await getBlockSeconds(deps, accountKey);
    if (retryAfterSeconds !== undefined && endpoint.effect !== 'cancel') throw blockedError(retryAfterSeconds);
    const answer = await next(request);
    await recordBlock(deps, accountKey, answer);
    return answer;
  };

/** Seconds until the block is expected to end; undefined without a block. */
export async function getBlockSeconds(
  { records, clock }: AddressBlockDeps,
  accountKey: string,
): Promise<number | undefined> {
  const until = await records.read<Block>(namespace, accountKey);
  const now = clock.now();
  if (until === undefined || !holdsUntil(until, now, blockMs)) return undefined;
  return Math.ceil((until - now) / 1000);
}

/** Stores the block that a response shows, and removes it after any other response of the service. */
export async function recordBlock(
  { records, clock }: AddressBlockDeps,
  accountKey: string,
  { isBlocked }: Pick<HttpResponse, 'isBlocked'>,
): Promise<void> {
  const isKnown = (await records.read<Block>(namespace, accountKey)) !== undefined;
  if (!isBlocked && !isKnown) return;
  const state = isBlocked ? clock.now() + blockMs : undefined;
  await records.update<Block, void>(namespace, accountKey, () => ({ state, result: undefined }));
}

/** The error of a request that was not sent because of the block. */
function blockedError(retryAfterSeconds: number): BrokerageError {
  const { code, sentence } = describeHttpError(403, true);
  const next = `Call again in ${Math.ceil(retryAfterSeconds / 60)} min. A cancellation is still tried.`;
  return new BrokerageError(code, `${sentence}; nothing was sent.`, next, { retryAfterSeconds });
}
