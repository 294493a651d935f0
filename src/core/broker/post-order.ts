/** Sends one order: slot, connection, the order manager's commit, request. Nothing here is ever sent twice. */

import type { Clock } from '../clock.ts';
import { BrokerageError } from '../errors.ts';
import { log, orElse } from '../log.ts';
import { getBlockSeconds, recordBlock } from './interceptors/address-block.ts';
import { knownPeriodMs, type Permit, type RateLimiter } from './rate-limit/limiter.ts';
import { invalidateReads } from './read-cache.ts';
import { parseExactJson } from './response/exact-json.ts';
import { describeHttpError, parseErrorBody } from './response/http-errors.ts';
import { secondsUntilReset } from './response/parse-response.ts';
import { TransportFailure } from './transport/failure.ts';
import { attemptTimeoutMs, type Transport } from './transport/transport.ts';
import type {
  AuthorizedOrder,
  CallContext,
  CommitCallback,
  HttpResponse,
  KeyValueStore,
  PlaceResult,
  PreparedRequest,
} from './types.ts';

/**
 * Sends the order at most once. Throws only before `commit` has returned a value; after that, every failure is a
 * result.
 */
export async function placeOrder(
  deps: {
    readonly transport: Transport;
    readonly limits: RateLimiter;
    readonly records: KeyValueStore;
    readonly accountKey: () => Promise<string>;
    readonly readOnly: boolean;
    readonly clock: Clock;
  },
  order: AuthorizedOrder,
  commit: CommitCallback,
  context: CallContext,
): Promise<PlaceResult> {
  if (deps.readOnly) throw new Error('A read-only server cannot place orders.');
  const accountKey = await deps.accountKey();
  const { endpoint, body } = order;
  const outgoing: PreparedRequest = { endpoint, body, context, accountKey, path: endpoint.path };

  const blockedForSeconds = await getBlockSeconds(deps, accountKey);
  if (blockedForSeconds !== undefined) {
    const { sentence } = describeHttpError(403, true);
    return { kind: 'not_connected', reason: `${sentence}. Try again in ${blockedForSeconds} s.` };
  }

  const askedAt = deps.clock.now();
  let slot: Permit;
  try {
    slot = await deps.limits.take(accountKey, endpoint, { ...context, priority: 'place' }, attemptTimeoutMs(endpoint));
  } catch (error) {
    const seconds = error instanceof BrokerageError ? error.facts.retryAfterSeconds : undefined;
    if (seconds === undefined) throw error;
    return { kind: 'rate_limited', retryAfterSeconds: seconds };
  }

  let prepared: Awaited<ReturnType<Transport['prepare']>>;
  try {
    prepared = await deps.transport.prepare({ ...outgoing, slotWaitMs: deps.clock.now() - askedAt });
  } catch (error) {
    await slot.giveBack();
    if (!(error instanceof TransportFailure)) throw error;
    return { kind: 'not_connected', reason: `No connection to the broker: ${error.message}.` };
  }
  const isOpen = await prepared.connection.isOpen();
  if (!isOpen || context.signal?.aborted) {
    prepared.connection.close();
    await slot.giveBack();
    const reason = isOpen ? 'The call was cancelled' : 'The broker closed the connection';
    return { kind: 'not_connected', reason: `${reason} before anything was sent.` };
  }

  let committed: Awaited<ReturnType<CommitCallback>>;
  const giveUp = async () => {
    prepared.connection.close();
    await slot.giveBack();
  };
  try {
    committed = await commit();
  } finally {
    if (!committed) await giveUp();
  }
  if (!committed) return { kind: 'not_committed' };
  // The process may have been suspended or the disk may have hung, so what was checked at the commit may no longer
  // hold.
  if (deps.clock.now() > committed.writeBy) {
    await giveUp().catch(orElse('requests', undefined));
    return {
      kind: 'not_written',
      reason: 'Too much time passed between the commit and sending; nothing was sent.',
    };
  }

  // From here on the order may exist, so every failure becomes a result and none is thrown.
  let result: PlaceResult;
  let headers: Readonly<Record<string, string>> = {};
  let refused = false;
  try {
    const answer = await prepared.send();
    headers = answer.headers;
    refused = answer.isRateLimited;
    await recordBlock(deps, accountKey, answer).catch(orElse('requests', undefined));
    result = describe(answer, refused && (await knownPeriodMs(deps.limits, accountKey, endpoint)));
  } catch (error) {
    log.fault('send an order', error);
    headers = (error instanceof TransportFailure && error.headers) || {};
    const reason = error instanceof TransportFailure ? error.message : 'brokerage-mcp failed while it read it';
    result = { kind: 'lost', reason: `The broker's response was lost: ${reason}.` };
  }
  // If the store fails now, the result of the order must still be returned.
  await slot.complete(headers, refused).catch(orElse('requests', undefined));
  await invalidateReads(deps.records, accountKey).catch(orElse('requests', undefined));
  return result;
}

/** `refusedFor` is the period (ms) of the limit if the response is a rate limit error; otherwise false. */
function describe(answer: HttpResponse, refusedFor: number | false): PlaceResult {
  return {
    kind: 'answered',
    status: answer.status,
    body: readBody(answer.text),
    error: answer.status >= 200 && answer.status < 300 ? undefined : parseErrorBody(answer.text),
    tooManyRequests: refusedFor !== false,
    isBlocked: answer.isBlocked,
    retryAfterSeconds: refusedFor === false ? undefined : secondsUntilReset(answer, refusedFor),
    date: answer.headers.date,
  };
}

function readBody(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : parseExactJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
