/** The only entry to the service: `call`, `pages` and `place`. Nothing else of this folder can send a request. */

import type { Clock } from '../clock.ts';
import { type AccountSummary, endpoints } from '../endpoints/index.ts';
import { resolveAccount } from './account-identity.ts';
import { stopWhileBlocked } from './interceptors/address-block.ts';
import { coalesceReads } from './interceptors/coalesce-reads.ts';
import { prepareRequest } from './interceptors/prepare-request.ts';
import { rateLimit } from './interceptors/rate-limit.ts';
import { retry } from './interceptors/retry.ts';
import { type BrokerObserver, instrumentLimits, instrumentTransport, logRequests } from './observer.ts';
import { createPages } from './paginate.ts';
import { placeOrder } from './post-order.ts';
import { createRateLimiter, knownPeriodMs, type RateLimiter } from './rate-limit/limiter.ts';
import { parseResponse, rateLimitError, toBrokerageError } from './response/parse-response.ts';
import { TransportFailure } from './transport/failure.ts';
import { createTransport, type SentKey, type TransportDeps } from './transport/transport.ts';
import type { Broker, Handler, HttpResponse, KeyValueStore, ParsedResponse, PreparedRequest } from './types.ts';

export interface BrokerDeps {
  /** The service's origin, with or without the path prefix; a function if the service must be started first. */
  readonly origin: string | (() => Promise<string>);
  /** The stable id of the account, to which limits, caches and write counters belong. */
  readonly accountKey: () => Promise<string>;
  readonly credentials: () => Promise<SentKey>;
  /** Throws when the key must not be sent to `origin`. Called before each request that has the key. */
  readonly checkAddress?: (() => Promise<void>) | undefined;
  /** Whether reports are always at `origin`, whatever host their links name. */
  readonly reportsAtOrigin?: boolean | undefined;
  /** Secrets of this program besides the credentials; hidden wherever a response repeats them. */
  readonly otherSecrets?: readonly string[] | undefined;
  readonly records: KeyValueStore;
  readonly clock: Clock;
  /** Returns 0 to 1, for the jitter between two attempts. */
  readonly random: () => number;
  /** The id of this process in shared records. */
  readonly owner: string;
  readonly readOnly: boolean;
  /**
   * Whether the process with this id still runs. Without it, only leases and deadlines show that a process has
   * ended.
   */
  readonly isAlive?: ((owner: string) => boolean) | undefined;
  /** Whether background reads must leave a slot of each limit free, because an order may have to be searched for. */
  readonly keepOneFree?: (() => boolean | Promise<boolean>) | undefined;
  /** Called with every summary, which identifies the account and has its value. */
  readonly onSummary?: ((summary: AccountSummary, answeredAt: number) => Promise<void>) | undefined;
  /** Called after every successful call, before its caller gets the result. */
  readonly onResponse?: (() => Promise<void>) | undefined;
  /** Receives the redactor of each key, for other texts that could contain it. */
  readonly onRedactor?: TransportDeps['onRedactor'];
  /** Receives counts and no data. */
  readonly observer?: BrokerObserver | undefined;
}

/** Creates a broker. It opens no connection and loads no HTTP client before the first request. */
export function createBroker(deps: BrokerDeps): Broker {
  const { observer } = deps;
  const ownLimits = createRateLimiter({ ...deps, resolveAccount: (account) => resolveAccount(deps.records, account) });
  const ownTransport = logRequests(createTransport(deps), deps.clock);
  const limits = observer ? instrumentLimits(ownLimits, observer) : ownLimits;
  const transport = observer ? instrumentTransport(ownTransport, observer) : ownTransport;

  // Outermost first.
  const chain: Handler<ParsedResponse> = coalesceReads({ ...deps, limits })(
    parseResponses(limits)(retry(deps)(stopWhileBlocked(deps)(rateLimit(limits, deps.clock)(transport.send)))),
  );

  const call: Broker['call'] = async (endpoint, request, context) => {
    const outgoing = prepareRequest({ endpoint, request, context }, { ...deps, accountKey: await deps.accountKey() });
    if (!outgoing.link) await deps.checkAddress?.();
    const { data, askedAt, answeredAt, shared, serviceOffsetMs } = await chain(outgoing);
    if (endpoint.id === endpoints.getAccountSummary.id) await deps.onSummary?.(data as AccountSummary, answeredAt);
    await deps.onResponse?.();
    return { data: data as never, askedAt, answeredAt, shared, serviceOffsetMs };
  };
  return {
    call,
    pages: createPages(call),
    place: async (order, commit, context) => {
      await deps.checkAddress?.();
      return placeOrder({ ...deps, transport, limits }, order, commit, context);
    },
  };
}

/** Converts a response to data or an error. */
const parseResponses =
  (limits: RateLimiter) =>
  (next: Handler<HttpResponse>): Handler<ParsedResponse> =>
  async (request: PreparedRequest) => {
    try {
      const answer = await next(request);
      if (answer.isRateLimited)
        throw rateLimitError(answer, await knownPeriodMs(limits, request.accountKey, request.endpoint));
      return parseResponse(request, answer);
    } catch (error) {
      if (error instanceof TransportFailure) throw toBrokerageError(request, error);
      throw error;
    }
  };
